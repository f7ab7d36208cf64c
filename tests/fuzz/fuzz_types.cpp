#include "fuzzing.hpp"
#include "io/sonata/type_table.hpp"

// Tables of the types of nodes and edges of SONATA.

using namespace hinesight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  static const fuzz::Folder folder;
  return fuzz::attempt([&] {
    const io::TypeTable table = io::readTypeTable(folder.write("types.csv", fuzz::textOf(bytes, size)), "node_type_id");
    for (const auto& [type, values] : table.rows) {
      fuzz::require(values.size() == table.columns.size(), "a row of another width");
      for (const std::string& column : table.columns)
        table.valueOf(type, column);
    }
  });
}
