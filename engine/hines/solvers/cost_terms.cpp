#include "hines/solvers/cost_terms.hpp"

#include "hines/chains.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace hinesight::hines {

namespace {

std::size_t depthOf(const HinesSystem& system)
{
  std::vector<std::uint32_t> depth(system.size(), 1);
  for (std::size_t i = 0; i < depth.size(); ++i)
    if (system.parent[i] >= 0)
      depth[i] = depth[static_cast<std::size_t>(system.parent[i])] + 1;
  return depth.empty() ? 0 : *std::ranges::max_element(depth);
}

} // namespace

std::string_view costTermName(CostTerm term)
{
  constexpr std::array<std::string_view, kCostTerms> kNames = {"start",       "fork",  "compartments",
                                                               "vector rows", "steps", "beyond"};
  return kNames[static_cast<std::size_t>(term)];
}

double timeOf(const CostTerms& counts, const CostTerms& costs)
{
  double nanoseconds = 0;
  for (std::size_t term = 0; term < kCostTerms; ++term)
    nanoseconds += counts[term] * costs[term];
  return nanoseconds;
}

BatchProfile profileOf(const HinesBatch& batch, const RunControl& control)
{
  std::vector<ShapeProfile> shapes = profileShapes(batch, control);
  for (const std::uint32_t shape : batch.shapeOf)
    ++shapes[shape].cells;
  return profileOf(std::move(shapes));
}

std::vector<ShapeProfile> profileShapes(const HinesBatch& batch, const RunControl& control)
{
  std::vector<ShapeProfile> shapes;
  for (const auto& shape : batch.shapes) {
    control.checkpoint();
    shapes.push_back({shape->size(), 0, depthOf(*shape), isChain(*shape)});
  }
  return shapes;
}

BatchProfile profileOf(std::vector<ShapeProfile> shapes)
{
  BatchProfile profile;
  bool areChainsOfOneLength = true;
  for (const ShapeProfile& shape : shapes) {
    profile.cells += shape.cells;
    profile.compartments += shape.cells * shape.compartments;
    profile.largestCell = std::max(profile.largestCell, shape.compartments);
    profile.deepestCell = std::max(profile.deepestCell, shape.depth);
    areChainsOfOneLength &= shape.isChain && shape.compartments == shapes.front().compartments;
  }
  profile.chainLength = areChainsOfOneLength ? profile.largestCell : 0;
  profile.shapes = std::move(shapes);
  return profile;
}

CostTerms countCalls(const BatchProfile& profile, const CostScope& scope)
{
  CostTerms terms{};
  termOf(terms, CostTerm::Start) = 1;
  termOf(terms, CostTerm::Fork) = scope.threads > 1 ? 1 : 0;
  const auto compartments = static_cast<double>(profile.compartments);
  const double bytes = 4 * sizeof(double) * compartments;
  termOf(terms, CostTerm::Beyond) =
      std::max(0.0, 1 - static_cast<double>(scope.cacheBytes) / std::max(bytes, 1.0)) * compartments;
  return terms;
}

CostTerms countSweeps(const BatchProfile& profile, const CostScope& scope)
{
  CostTerms terms = countCalls(profile, scope);
  termOf(terms, CostTerm::Compartments) = std::max(static_cast<double>(profile.compartments) / scope.threads,
                                                   scope.threads > 1 ? static_cast<double>(profile.largestCell) : 0);
  return terms;
}

CostTerms countLaunch(const BatchProfile& profile, double steps)
{
  CostTerms terms{};
  termOf(terms, CostTerm::Start) = 1;
  termOf(terms, CostTerm::Compartments) = static_cast<double>(profile.compartments);
  termOf(terms, CostTerm::Steps) = steps;
  return terms;
}

CostTerms costsOn(const DeviceModel& device, const CudaCost& cost, Precision precision)
{
  constexpr double kNanoseconds = 1e9;
  const bool isDouble = precision == Precision::Double;
  const double clocks = device.clock / kNanoseconds; // a ns
  const double allClocks = clocks * std::max(1, device.multiprocessors);
  const double transfer = cost.bytes * static_cast<double>(bytesOf(precision)) / sizeof(double) /
                          (kBandwidthShare * device.bandwidth / kNanoseconds);
  const double arithmetic =
      cost.multiplyAdds / (std::max(1, isDouble ? device.doublesPerClock() : device.singlesPerClock()) * allClocks);
  const double instructions = (isDouble ? cost.doubleClocks : cost.singleClocks) / allClocks;
  CostTerms terms{};
  termOf(terms, CostTerm::Start) = cost.start;
  termOf(terms, CostTerm::Steps) = cost.stepClocks / clocks;
  termOf(terms, CostTerm::Compartments) = std::max({cost.movesApart ? 0 : transfer, arithmetic, instructions});
  termOf(terms, CostTerm::Beyond) = cost.movesApart ? transfer : cost.beyondClocks / clocks;
  return terms;
}

void hideSteps(CostTerms& counts, const CostTerms& costs, double overlapping)
{
  double& steps = termOf(counts, CostTerm::Steps);
  const double hidden = termOf(counts, CostTerm::Compartments) * overlapping / termOf(costs, CostTerm::Steps);
  steps = std::max(0.0, steps - hidden);
}

double missedShare(const DeviceModel& device, double bytes)
{
  constexpr double kOfUse = 0.35;
  return bytes > 0 ? std::max(0.0, 1 - kOfUse * static_cast<double>(device.l2Bytes) / bytes) : 0;
}

double reductionSteps(std::size_t count)
{
  return std::log2(static_cast<double>(count) + 1);
}

} // namespace hinesight::hines
