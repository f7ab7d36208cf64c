#pragma once

#include "morphology/morphology.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hinesight::morphology {

/// The maximal unbranched chains of a morphology: one starts at each child of a root and at each child of a sample with
/// two or more children, and ends at a tip or a bifurcation. Branches are numbered in the order of Morphology::order,
/// so a parent branch precedes its children.
struct BranchTree
{
  std::vector<std::int32_t> ofSample; ///< per sample: its branch; -1 for roots

  std::vector<std::int32_t> sampleBegin; ///< size branches + 1: samples of branch k in `sample`, proximal first
  std::vector<std::int32_t> sample;

  std::vector<std::int32_t> start;  ///< per branch: the root or bifurcation sample that it hangs on (not part of it)
  std::vector<std::int32_t> parent; ///< per branch: branch of `start`; -1 where that is a root
  std::vector<std::int32_t> order;  ///< per branch: bifurcations other than roots strictly above it (0 at the root's)
  std::vector<std::int32_t> type;   ///< per branch: SWC type of its first sample
  std::vector<double> length;       ///< per branch: path length from `start` to its last sample, µm
  std::vector<double> pathDistance; ///< per sample: path length from its root

  std::size_t branches() const { return start.size(); }
};

BranchTree findBranches(const Morphology& morphology);

/// Figures of a cell as shared tables and other tools define them: bifurcations are samples with two or more children,
/// tips are non-root samples without children; µm.
struct MorphologyMetrics
{
  std::size_t samples = 0;
  std::size_t branches = 0;
  std::size_t bifurcations = 0;
  std::size_t tips = 0;
  std::size_t roots = 0;
  std::size_t somaSamples = 0;
  std::int32_t maxBranchOrder = 0; ///< most non-root branching samples strictly above any sample
  double totalLength = 0;
  double maxPathDistance = 0;
  double lower[3] = {0, 0, 0}; ///< bounding box of the sample centres
  double upper[3] = {0, 0, 0};
};

MorphologyMetrics measure(const Morphology& morphology, const BranchTree& branches);

} // namespace hinesight::morphology
