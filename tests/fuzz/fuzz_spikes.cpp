#include "fuzzing.hpp"
#include "io/sonata/spike_files.hpp"

#include <cmath>

// Spikes as CSV.

using namespace hinesight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  static const fuzz::Folder folder;
  return fuzz::attempt([&] {
    const auto all = io::readSpikes(folder.write("spikes.csv", fuzz::textOf(bytes, size)));
    std::size_t spikes = 0;
    for (const io::PopulationSpikes& each : all) {
      fuzz::require(each.time.size() == each.node.size(), "columns of other sizes");
      for (const double time : each.time)
        fuzz::require(std::isfinite(time) && time >= 0, "a time that is none");
      spikes += each.time.size();
    }
    fuzz::require(spikes <= size, "more spikes than the file has");
  });
}
