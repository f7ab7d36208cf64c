#include "morphology/morphology.hpp"

#include "core/error.hpp"
#include "morphology/problem_list.hpp"
#include "morphology/soma.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hinesight::morphology {

namespace {

constexpr double kRadiusOfLastResort = 0.5; // µm

void linkChildren(Morphology& morphology)
{
  const auto samples = static_cast<std::int32_t>(morphology.samples());
  morphology.childBegin.assign(static_cast<std::size_t>(samples) + 1, 0);
  morphology.roots.clear();
  for (std::int32_t sample = 0; sample < samples; ++sample) {
    if (morphology.parent[sample] < 0)
      morphology.roots.push_back(sample);
    else
      ++morphology.childBegin[morphology.parent[sample] + 1];
  }
  for (std::int32_t sample = 0; sample < samples; ++sample)
    morphology.childBegin[sample + 1] += morphology.childBegin[sample];

  morphology.child.resize(static_cast<std::size_t>(samples) - morphology.roots.size());
  std::vector<std::int32_t> next(morphology.childBegin.begin(), morphology.childBegin.end() - 1);
  for (std::int32_t sample = 0; sample < samples; ++sample) {
    if (morphology.parent[sample] >= 0)
      morphology.child[next[morphology.parent[sample]]++] = sample;
  }
}

/// Where parents come before their children in the file. Sizes of subtrees say where each sample goes, so that no step
/// waits for what the one before has read, as a walk down the tree does.
void orderBySizes(Morphology& morphology)
{
  const auto samples = static_cast<std::int32_t>(morphology.samples());
  std::vector<std::int32_t> size(morphology.samples(), 1); // of the subtree
  for (std::int32_t sample = samples; sample-- > 0;) {
    if (morphology.parent[sample] >= 0)
      size[morphology.parent[sample]] += size[sample];
  }
  morphology.order.resize(morphology.samples());
  std::vector<std::int32_t> next(morphology.samples()); // where the next child of a sample goes
  std::int32_t nextRoot = 0;
  for (std::int32_t sample = 0; sample < samples; ++sample) {
    std::int32_t& free = morphology.parent[sample] < 0 ? nextRoot : next[morphology.parent[sample]];
    morphology.order[free] = sample;
    next[sample] = free + 1;
    free += size[sample];
  }
}

/// In any order of the file. Samples that no root reaches are left out.
void orderByWalk(Morphology& morphology)
{
  morphology.order.clear();
  morphology.order.reserve(morphology.samples());
  std::vector<std::int32_t> waiting(morphology.roots.rbegin(), morphology.roots.rend());
  while (!waiting.empty()) {
    const std::int32_t sample = waiting.back();
    waiting.pop_back();
    morphology.order.push_back(sample);
    for (std::int32_t at = morphology.childBegin[sample + 1]; at-- > morphology.childBegin[sample];)
      waiting.push_back(morphology.child[at]);
  }
}

void orderDepthFirst(Morphology& morphology)
{
  bool areParentsFirst = true;
  for (std::int32_t sample = 0; sample < static_cast<std::int32_t>(morphology.samples()); ++sample)
    areParentsFirst &= morphology.parent[sample] < sample;
  if (areParentsFirst)
    orderBySizes(morphology);
  else
    orderByWalk(morphology);
}

/// The cycles among samples that no root reaches, each as its samples child to parent, starting with the first in the
/// file.
std::vector<std::vector<std::int32_t>> findCycles(const Morphology& morphology)
{
  const auto samples = static_cast<std::int32_t>(morphology.samples());
  std::vector<std::int32_t> visitedBy(morphology.samples(), -1);
  for (const std::int32_t sample : morphology.order)
    visitedBy[sample] = samples;
  std::vector<std::vector<std::int32_t>> cycles;
  for (std::int32_t start = 0; start < samples; ++start) {
    std::int32_t sample = start;
    while (visitedBy[sample] < 0) {
      visitedBy[sample] = start;
      sample = morphology.parent[sample];
    }
    if (visitedBy[sample] != start)
      continue;
    std::vector<std::int32_t> cycle;
    const std::int32_t entry = sample;
    do {
      cycle.push_back(sample);
      sample = morphology.parent[sample];
    } while (sample != entry);
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    cycles.push_back(std::move(cycle));
  }
  return cycles;
}

std::string describeCycle(const Morphology& morphology, std::vector<std::int32_t> cycle)
{
  constexpr std::size_t kMostNamed = 8;
  std::string path;
  for (std::size_t at = 0; at < std::min(cycle.size(), kMostNamed); ++at)
    path += std::to_string(morphology.id[cycle[at]]) + " -> ";
  if (cycle.size() > kMostNamed)
    path += "... -> ";
  path += std::to_string(morphology.id[cycle.front()]);

  std::sort(cycle.begin(), cycle.end());
  std::string lines;
  for (std::size_t at = 0; at < std::min(cycle.size(), kMostNamed); ++at)
    lines += (at == 0 ? "" : ", ") + std::to_string(morphology.line[cycle[at]]);
  if (cycle.size() > kMostNamed)
    lines += ", ...";

  const std::string where = morphology.line[cycle.front()] > 0 ? " (lines " + lines + ")" : "";
  const std::string repair = "; give one of them parent -1 or the parent it should have";
  if (morphology.roots.empty())
    return "no root: the parents form a cycle " + path + where + repair;
  return "the parents form a cycle " + path + where + " not attached to any root" + repair;
}

void refuseCycles(const Morphology& morphology)
{
  if (morphology.order.size() == morphology.samples())
    return;
  ProblemList problems(morphology.path);
  for (std::vector<std::int32_t>& cycle : findCycles(morphology)) {
    const std::int64_t line = morphology.line[cycle.front()];
    problems.add(line, describeCycle(morphology, std::move(cycle)));
  }
  problems.throwIfAny();
}

struct KnownRadius
{
  double distance = std::numeric_limits<double>::infinity();
  double radius = kRadiusOfLastResort;
};

/// Gives every unknown radius the nearest known one along the tree: first the nearest within each subtree, leaves
/// first, then the nearest by way of the parent, roots first. At equal distance the parent's side wins.
void solveRadii(Morphology& morphology)
{
  morphology.solvedRadius = morphology.radius;
  if (std::all_of(morphology.radius.begin(), morphology.radius.end(), [](double radius) { return radius > 0; }))
    return;
  std::vector<KnownRadius> nearest(morphology.samples());
  for (auto at = morphology.order.rbegin(); at != morphology.order.rend(); ++at) {
    const std::int32_t sample = *at;
    if (morphology.radius[sample] > 0)
      nearest[sample] = {0, morphology.radius[sample]};
    const std::int32_t parent = morphology.parent[sample];
    if (parent < 0)
      continue;
    const double distance = nearest[sample].distance + sampleDistance(morphology, sample, parent);
    // Children come last to first here: "<=" lets the first in the file win a tie.
    if (distance <= nearest[parent].distance)
      nearest[parent] = {distance, nearest[sample].radius};
  }
  for (const std::int32_t sample : morphology.order) {
    const std::int32_t parent = morphology.parent[sample];
    if (parent >= 0) {
      const double distance = nearest[parent].distance + sampleDistance(morphology, sample, parent);
      if (distance <= nearest[sample].distance)
        nearest[sample] = {distance, nearest[parent].radius};
    }
    // Last, so that a sample of known radius at distance zero from its parent keeps its own.
    if (morphology.radius[sample] > 0)
      nearest[sample] = {0, morphology.radius[sample]};
    morphology.solvedRadius[sample] = nearest[sample].radius;
  }
}

} // namespace

std::string typeName(std::int32_t type)
{
  switch (type) {
  case kUndefined:
    return "undefined";
  case kSoma:
    return "soma";
  case kAxon:
    return "axon";
  case kBasalDendrite:
    return "basal dendrite";
  case kApicalDendrite:
    return "apical dendrite";
  case kCustom:
    return "custom";
  case kUnspecifiedNeurite:
    return "unspecified neurite";
  case kGlia:
    return "glia process";
  default:
    return "type " + std::to_string(type);
  }
}

double sampleDistance(const Morphology& morphology, std::int32_t a, std::int32_t b)
{
  const double dx = morphology.x[a] - morphology.x[b];
  const double dy = morphology.y[a] - morphology.y[b];
  const double dz = morphology.z[a] - morphology.z[b];
  return std::sqrt(dx * dx + dy * dy + dz * dz);
}

void completeMorphology(Morphology& morphology, const RunControl& control)
{
  linkChildren(morphology);
  control.checkpoint();
  orderDepthFirst(morphology);
  refuseCycles(morphology);
  control.checkpoint();
  solveRadii(morphology);
  control.checkpoint();
  describeSoma(morphology);
}

} // namespace hinesight::morphology
