#include "io/networks/plasticity_files.hpp"
#include "io/networks/relearn_files.hpp"
#include "sound_networks.hpp"

// RELeARN's text: a network in a folder, as the in-networks and out-networks of two ranks, or in one file; or, by the
// first word, a file of calcium, of backgrounds or of interrupts.

using namespace hinesight;

namespace {

void readNetwork(const fuzz::Folder& folder, const std::vector<std::string_view>& files)
{
  static constexpr std::array kNames = {"rank_0_in_network.txt", "rank_0_out_network.txt", "rank_1_in_network.txt",
                                        "rank_1_out_network.txt"};
  for (std::size_t k = 0; k < kNames.size(); ++k)
    if (k < files.size())
      folder.write(kNames[k], files[k]);
    else
      std::filesystem::remove(folder / kNames[k]);
  const io::StoredNetwork network =
      io::readNetwork(files.size() > 1 ? folder.path() : std::filesystem::path(folder / kNames[0]));
  fuzz::requireSound(network);
  fuzz::requireSameAgain(network, folder / "again.txt");
}

void readCalcium(const std::filesystem::path& file)
{
  synapse::PlasticityParameters parameters;
  io::readCalcium(file, parameters);
  for (const auto& own : parameters.calciumOf)
    fuzz::require(std::isfinite(own.initial) && std::isfinite(own.target), "a calcium that is none");
}

void readBackgrounds(const std::filesystem::path& file)
{
  for (const synapse::BackgroundChange& change : io::readBackgrounds(file))
    fuzz::require(std::isfinite(change.background.mean) && std::isfinite(change.background.spread) &&
                      (!change.neurons.empty() || !change.areas.empty()),
                  "a background that is none");
}

void readInterrupts(const std::filesystem::path& file)
{
  for (const synapse::Interrupt& interrupt : io::readInterrupts(file))
    fuzz::require((interrupt.kind == synapse::InterruptKind::Create) == interrupt.neurons.empty(),
                  "an interrupt of no neurons");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  static const fuzz::Folder folder;
  std::string_view text = fuzz::textOf(bytes, size);
  const auto isOf = [&](std::string_view kind) {
    const bool is = text.starts_with(kind);
    if (is)
      text.remove_prefix(kind.size());
    return is;
  };
  return fuzz::attempt([&] {
    if (isOf("calcium\n"))
      readCalcium(folder.write("calcium", text));
    else if (isOf("backgrounds\n"))
      readBackgrounds(folder.write("backgrounds", text));
    else if (isOf("interrupts\n"))
      readInterrupts(folder.write("interrupts", text));
    else
      readNetwork(folder, fuzz::filesOf(text));
  });
}
