#include "sound_tables.hpp"

#include <array>

// Weight tables as SpineML: a document that holds everything, or one with two binary files.

using namespace hinesight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  static constexpr std::array kNames = {"earlier.spineml", "earlier.spineml.connections.bin",
                                        "earlier.spineml.weights.bin"};
  static const fuzz::Folder folder;
  return fuzz::attempt([&] {
    const std::vector<std::string_view> files = fuzz::filesOf(fuzz::textOf(bytes, size));
    for (std::size_t k = 1; k < kNames.size(); ++k)
      folder.write(kNames[k], k < files.size() ? files[k] : std::string_view());
    const auto table = io::importTable(folder.write(kNames[0], files[0]));
    fuzz::requireSound(*table);
    fuzz::requireSameAgain(*table, folder / "again.xml");
  });
}
