#include "widgets/projection/placed_cell_lines.hpp"

#include "morphology/morphometry.hpp"
#include "study/circuit/placed_cells.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace hinesight::widgets {

namespace {

using morphology::Morphology;

constexpr std::uint8_t kSamplesOfLine = 4; ///< at most, where nothing branches

/// Pairs of samples that lines join.
using SamplePairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

/// Every root, branching and end is the end of a line.
SamplePairs linesOf(const Morphology& cell)
{
  SamplePairs lines;
  std::vector<std::int32_t> begin(cell.samples());    // where the line that a sample is on begins
  std::vector<std::uint8_t> along(cell.samples(), 0); // samples from there
  for (const std::int32_t sample : cell.order) {
    const auto at = static_cast<std::size_t>(sample);
    const std::int32_t parent = cell.parent[at];
    begin[at] = sample;
    if (parent < 0)
      continue;
    const std::int32_t from = begin[static_cast<std::size_t>(parent)];
    along[at] = static_cast<std::uint8_t>(along[static_cast<std::size_t>(parent)] + 1);
    if (cell.childCount(sample) == 1 && along[at] < kSamplesOfLine) {
      begin[at] = from;
      continue;
    }
    lines.emplace_back(from, sample);
    along[at] = 0;
  }
  return lines;
}

} // namespace

PlacedCellLines placedCellLines(const model::Population& population, const projection::Population& neurons,
                                const std::vector<std::shared_ptr<const Morphology>>& pool, std::size_t most,
                                const RunControl& control)
{
  constexpr std::uint64_t kNeuronsBetweenChecks = 64;
  const study::PlacedCells cells(population, neurons);
  std::vector<SamplePairs> lines;
  std::vector<std::array<double, 3>> centres;
  for (const auto& cell : pool) {
    lines.push_back(linesOf(*cell));
    centres.push_back(morphology::somaCentreOf(*cell));
  }
  std::size_t all = 0;
  for (std::uint64_t neuron = 0; neuron < cells.count(); ++neuron)
    all += lines[cells.cellOf(neuron)].size();
  const std::size_t stride = all > most ? (all + most - 1) / most : 1;
  PlacedCellLines made;
  made.neurons = cells.count();
  made.low = neurons.bounds()[0];
  made.high = neurons.bounds()[1];
  for (std::uint64_t neuron = 0; neuron < cells.count(); neuron += stride) {
    if (made.drawn % kNeuronsBetweenChecks == 0)
      control.checkpoint();
    const std::uint32_t which = cells.cellOf(neuron);
    if (made.drawn > 0 && made.lines() + lines[which].size() > most)
      break;
    const Morphology& cell = *pool[which];
    const auto pose = cells.poseOf(neuron);
    const auto add = [&](std::int32_t sample) {
      const auto at = static_cast<std::size_t>(sample);
      const projection::Position end = pose.placed({cell.x[at], cell.y[at], cell.z[at]}, centres[which]);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        made.ends.push_back(static_cast<float>(end[axis]));
        made.low[axis] = std::min(made.low[axis], end[axis]);
        made.high[axis] = std::max(made.high[axis], end[axis]);
      }
    };
    for (const auto& [from, to] : lines[which]) {
      add(from);
      add(to);
      made.neuron.push_back(static_cast<std::uint32_t>(neuron));
    }
    ++made.drawn;
  }
  return made;
}

} // namespace hinesight::widgets
