#include "cable/cell_geometry.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cmath>

namespace hinesight::cable {

using morphology::SomaKind;

namespace {

/// Edges up to this fraction of the diagonal of the cell's bounding box count as having no length.
constexpr double kZeroLength = 1e-9;

constexpr std::size_t kCheckpointInterval = 1 << 16;

double widthOf(const std::vector<double>& values)
{
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *most - *least;
}

} // namespace

void BranchCable::clear()
{
  frusta.clear();
  sample.clear();
  runs.clear();
}

CellGeometry::CellGeometry(const morphology::Morphology& morphology, const morphology::BranchTree& branches)
    : morph(morphology), tree(branches)
{
  measureExtent();
  findSpheres();
}

std::span<const std::int32_t> CellGeometry::samplesOf(std::int32_t branch) const
{
  return std::span(tree.sample)
      .subspan(tree.sampleBegin[branch], tree.sampleBegin[branch + 1] - tree.sampleBegin[branch]);
}

void CellGeometry::measureExtent()
{
  const double diagonal = std::hypot(widthOf(morph.x), widthOf(morph.y), widthOf(morph.z));
  if (!std::isfinite(diagonal))
    throw Error(ErrorCode::BadParameter,
                "The cell's coordinates are too large to measure distances between them; give micrometres.",
                morph.path);
  zeroLength = kZeroLength * diagonal;
}

/// The first soma of the file is what somaKind says; the others are spheres where they have one sample. A contour of
/// lone roots is one sphere.
void CellGeometry::findSpheres()
{
  const auto samples = static_cast<std::int32_t>(morph.samples());
  std::vector<std::int32_t> head(samples, -1); // of each soma sample: the soma's sample next to the root
  std::vector<std::int32_t> members(samples, 0);
  for (const std::int32_t sample : morph.order) {
    if (!isSoma(sample))
      continue;
    const std::int32_t parent = morph.parent[sample];
    head[sample] = parent >= 0 && isSoma(parent) ? head[parent] : sample;
    ++members[head[sample]];
  }

  const auto isHead = [&](std::int32_t sample) { return head[sample] == sample; };
  std::int32_t first = 0;
  while (first < samples && !isHead(first))
    ++first;

  sphereOfSample.assign(samples, -1);
  if (first == samples)
    return;
  const bool ringOfRoots = morph.somaKind == SomaKind::Contour && members[first] == 1;
  const bool firstIsSphere = morph.somaKind != SomaKind::None && morph.somaKind != SomaKind::Frusta;
  for (std::int32_t sample = first; sample < samples; ++sample) {
    if (!isHead(sample))
      continue;
    if (ringOfRoots && sample != first) {
      sphereOfSample[sample] = 0;
    } else if (sample == first ? firstIsSphere : members[sample] == 1) {
      sphereOfSample[sample] = static_cast<std::int32_t>(sphereRadius.size());
      sphereRadius.push_back(sample == first ? morph.somaRadius : morph.solvedRadius[sample]);
    }
  }
  for (std::int32_t sample = first; sample < samples; ++sample) {
    if (head[sample] >= 0)
      sphereOfSample[sample] = sphereOfSample[head[sample]];
  }
}

/// The edge to the sample from its parent; of length 0 where that is too short to count, or within a sphere. Cable does
/// not widen to the radius of a soma that it leaves or of a sphere that it reaches.
Frustum CellGeometry::edgeTo(std::int32_t sample) const
{
  const std::int32_t parent = morph.parent[sample];
  const bool withinSphere = sphereOf(sample) >= 0 && sphereOf(sample) == sphereOf(parent);
  const double length = std::hypot(morph.x[sample] - morph.x[parent], morph.y[sample] - morph.y[parent],
                                   morph.z[sample] - morph.z[parent]);
  const double radius = morph.solvedRadius[sample];
  const double parentRadius = morph.solvedRadius[parent];
  Frustum edge{withinSphere || length <= zeroLength ? 0 : length, parentRadius, radius};
  if (isSoma(parent) && !isSoma(sample))
    edge.proximalRadius = radius;
  else if (sphereOf(sample) >= 0)
    edge.distalRadius = parentRadius;
  return edge;
}

void CellGeometry::describe(std::int32_t branch, RunEnds ends, BranchCable& result, const RunControl& control) const
{
  result.clear();
  std::size_t begin = 0;
  const auto endRun = [&](std::int32_t sphereSample) {
    result.runs.push_back({begin, result.frusta.size(), sphereSample});
    begin = result.frusta.size();
  };
  for (const std::int32_t sample : samplesOf(branch)) {
    if (const Frustum edge = edgeTo(sample); edge.length > 0) {
      if (result.frusta.size() % kCheckpointInterval == 0)
        control.checkpoint();
      result.frusta.push_back(edge);
      result.sample.push_back(sample);
    }
    const bool entersSphere = sphereOf(sample) >= 0 && sphereOf(sample) != sphereOf(morph.parent[sample]);
    if (entersSphere)
      endRun(sample);
    else if (ends == RunEnds::AtSamples && begin < result.frusta.size())
      endRun(-1);
  }
  if (begin < result.frusta.size())
    endRun(-1);
}

} // namespace hinesight::cable
