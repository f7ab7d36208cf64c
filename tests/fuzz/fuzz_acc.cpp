#include "io/models/acc/cable_cell.hpp"
#include "sound_models.hpp"

// Cells of Arbor, which are the same when they are written and read again.

using namespace hinesight;

namespace {

void requireSound(const io::CableCell& cell)
{
  if (const auto problem = cell::problemOf(cell.model))
    fuzz::fail(problem->c_str());
  fuzz::requireSound(cell.model.biophysics);
  const auto requirePlaces = [&](const auto& items) {
    for (const auto& item : items)
      fuzz::require(item.node >= 0 && static_cast<std::size_t>(item.node) < cell.model.cut.parent.size(),
                    "a node that is not there");
  };
  requirePlaces(cell.steps);
  requirePlaces(cell.sinusoids);
  requirePlaces(cell.detectors);
  requirePlaces(cell.synapses);
  requirePlaces(cell.junctions);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  static const fuzz::Folder folder;
  return fuzz::attempt([&] {
    const io::CableCell cell = io::readCableCell(folder.write("cell.acc", fuzz::textOf(bytes, size)));
    requireSound(cell);
    const io::CableCell again =
        fuzz::whenAccepted([&] { return io::readCableCell(folder.write("again.acc", io::cableCellText(cell))); });
    fuzz::require(again.model.cut.parent == cell.model.cut.parent && again.steps == cell.steps &&
                      again.sinusoids == cell.sinusoids && again.detectors == cell.detectors &&
                      again.synapses == cell.synapses && again.junctions == cell.junctions,
                  "another cell when written and read again");
  });
}
