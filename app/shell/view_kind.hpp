#pragma once

#include <QString>

namespace hinesight::app {

/// What the tabs show, in their order: the views of the cells, the pages of benchmarks, of projections, of synapses and
/// of plasticity.
enum class ViewKind
{
  Morphology,
  Tree,
  Packing,
  Splitting,
  Benchmark,
  Projection,
  Synapses,
  Plasticity
};
constexpr int kViewCount = 4; ///< views of the cells, the first of ViewKind
constexpr int kPageCount = 4; ///< the others

/// The question that it answers.
QString questionOf(ViewKind kind);
/// Its question and its key, for a tooltip.
QString helpOf(ViewKind kind);

} // namespace hinesight::app
