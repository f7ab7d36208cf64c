#include "fuzzing.hpp"
#include "io/sonata/simulation_configuration.hpp"

#include <array>
#include <cmath>

// Configurations of SONATA: of a simulation, of its circuit, and sets of nodes.

using namespace hinesight;

namespace {

void requireSound(const io::SimulationConfiguration& read)
{
  fuzz::require(std::isfinite(read.stop) && std::isfinite(read.timeStep) && std::isfinite(read.threshold),
                "a time or a threshold that is none");
  fuzz::require(std::isfinite(read.longestSegment) && read.longestSegment > 0, "a length that is none");
  for (const io::CurrentInput& input : read.currents)
    for (const io::CurrentInput::Step& step : input.steps)
      fuzz::require(std::isfinite(step.amplitude) && std::isfinite(step.delay) && std::isfinite(step.duration),
                    "a current that is none");
  for (const io::ClampInput& input : read.clamps)
    fuzz::require(std::isfinite(input.resistance) && std::isfinite(input.delay), "a clamp that is none");
  for (const io::NoiseInput& input : read.noises)
    fuzz::require(std::isfinite(input.mean) && std::isfinite(input.deviation) && std::isfinite(input.tau),
                  "a noise that is none");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  static constexpr std::array kNames = {"simulation_config.json", "circuit_config.json", "node_sets.json"};
  static const fuzz::Folder folder;
  return fuzz::attempt([&] {
    const std::vector<std::string_view> files = fuzz::filesOf(fuzz::textOf(bytes, size));
    for (std::size_t k = 1; k < kNames.size(); ++k)
      folder.write(kNames[k], k < files.size() ? files[k] : "{}");
    requireSound(io::readSimulationConfiguration(folder.write(kNames[0], files[0])));
  });
}
