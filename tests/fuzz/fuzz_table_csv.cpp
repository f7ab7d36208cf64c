#include "sound_tables.hpp"

// Weight tables as CSV.

using namespace hinesight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  static const fuzz::Folder folder;
  return fuzz::attempt([&] {
    const auto table = io::importTable(folder.write("table.csv", fuzz::textOf(bytes, size)));
    fuzz::requireSound(*table);
    fuzz::requireSameAgain(*table, folder / "again.csv");
  });
}
