#include "fuzzing.hpp"
#include "io/sonata/type_table.hpp"

// Tables of the types of nodes and edges of SONATA.

using namespace hinesight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  static const fuzz::Folder folder;
  return fuzz::attempt([&] {
    const io::TypeTable table = io::readTypeTable(folder.write("types.csv", fuzz::textOf(bytes, size)), "node_type_id");
    fuzz::require(table.rows.size() == table.ids.size(), "a type without values");
    for (std::size_t k = 0; k < table.ids.size(); ++k) {
      fuzz::require(table.rows[k].size() == table.columns.size(), "a row of another width");
      for (const std::string& column : table.columns)
        table.valueOf(table.ids[k], column);
    }
  });
}
