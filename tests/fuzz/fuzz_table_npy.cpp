#include "sound_tables.hpp"

// Weight tables as NumPy arrays, each with its metadata: two files.

using namespace hinesight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  static const fuzz::Folder folder;
  return fuzz::attempt([&] {
    const std::vector<std::string_view> files = fuzz::filesOf(fuzz::textOf(bytes, size));
    folder.write("table.npy.json", files.front());
    const auto table = io::importTable(folder.write("table.npy", files.back()));
    fuzz::requireSound(*table);
    fuzz::requireSameAgain(*table, folder / "again.npy");
  });
}
