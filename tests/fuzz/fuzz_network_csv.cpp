#include "sound_networks.hpp"

// Networks as CSV.

using namespace hinesight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  static const fuzz::Folder folder;
  return fuzz::attempt([&] {
    const io::StoredNetwork network = io::readNetwork(folder.write("network.csv", fuzz::textOf(bytes, size)));
    fuzz::requireSound(network);
    fuzz::requireSameAgain(network, folder / "again.csv");
  });
}
