#include "fuzzing.hpp"
#include "io/compressed.hpp"

#include <algorithm>

// Packed files, which unpack to no more than their size explains.

using namespace hinesight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  constexpr std::size_t kMostUnpacked = 200, kAlwaysUnpacked = (std::size_t{1} << 26) + (std::size_t{1} << 20);
  static const fuzz::Folder folder;
  return fuzz::attempt([&] {
    const std::string unpacked = io::readUnpacked(folder.write("text.txt.gz", fuzz::textOf(bytes, size)));
    fuzz::require(unpacked.size() <= std::max(kAlwaysUnpacked, kMostUnpacked * size), "more than the size explains");
  });
}
