#include "sound_networks.hpp"

// Neurons and their positions as text, in any of three forms, packed where the first byte is that of gzip.

using namespace hinesight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  static const fuzz::Folder folder;
  const std::string_view text = fuzz::textOf(bytes, size);
  return fuzz::attempt([&] {
    const auto population =
        io::readNeuronPopulation(folder.write(text.starts_with('\x1f') ? "neurons.txt.gz" : "neurons.txt", text));
    fuzz::requireSound(population);
    fuzz::requireSameAgain(population, folder / "again.csv");
  });
}
