#pragma once

namespace hinesight::app {

/// What the tabs show that the program itself speaks of, in their order: the views of the cells, then pages. A page may
/// have none: it is then known by its name (pages.hpp).
enum class ViewKind
{
  Morphology,
  Tree,
  Packing,
  Splitting,
  Benchmark,
  Projection,
  Synapses,
  Plasticity,
  Measure,
  Simulation
};
constexpr int kViewCount = 4; ///< views of the cells, the first of ViewKind

} // namespace hinesight::app
