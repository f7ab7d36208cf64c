#pragma once

#include "cable/frustum.hpp"
#include "core/run_control.hpp"
#include "morphology/branches.hpp"
#include "morphology/morphology.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hinesight::cable {

/// Where the cable of a branch is cut whatever the policy says.
enum class RunEnds
{
  AtSpheres, ///< at somata only
  AtSamples, ///< at every sample
};

/// The cable of one branch from its proximal end: runs of frusta, each of which may end in the sphere of a soma.
struct BranchCable
{
  struct Run
  {
    std::size_t begin = 0, end = 0; ///< frusta of the run; none where a sphere follows at once
    std::int32_t sphereSample = -1; ///< the soma sample that ends the run, or -1
  };

  std::vector<Frustum> frusta;      ///< edges that have a length
  std::vector<std::int32_t> sample; ///< per frustum: the sample at its distal end
  std::vector<Run> runs;

  std::span<const Frustum> frustaOf(const Run& run) const
  {
    return std::span(frusta).subspan(run.begin, run.end - run.begin);
  }
  void clear();
};

/// What the samples of a cell mean as cable: which of them are spheres, how long edges are and how thick. The rules are
/// those of `discretize`. Keeps references to the cell.
class CellGeometry
{
public:
  /// Throws Error(BadParameter) where distances leave the range of doubles.
  CellGeometry(const morphology::Morphology& morphology, const morphology::BranchTree& branches);

  /// Number of the sphere that stands for the sample, or -1.
  std::int32_t sphereOf(std::int32_t sample) const { return sphereOfSample[sample]; }
  std::size_t spheres() const { return sphereRadius.size(); }
  /// um
  double radiusOfSphere(std::int32_t sphere) const { return sphereRadius[sphere]; }

  std::span<const std::int32_t> samplesOf(std::int32_t branch) const;

  /// The branch's cable; `result` is a buffer that may be used again.
  void describe(std::int32_t branch, RunEnds ends, BranchCable& result, const RunControl& control) const;

private:
  void measureExtent();
  void findSpheres();
  bool isSoma(std::int32_t sample) const { return morph.type[sample] == morphology::kSoma; }
  Frustum edgeTo(std::int32_t sample) const;

  const morphology::Morphology& morph;
  const morphology::BranchTree& tree;
  double zeroLength = 0;
  std::vector<std::int32_t> sphereOfSample;
  std::vector<double> sphereRadius;
};

} // namespace hinesight::cable
