#include "morphology/morphometry.hpp"

#include "core/error.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <span>

namespace hinesight::morphology {

namespace {

using Point = std::array<double, 3>;

Point pointOf(const Morphology& m, std::int32_t sample)
{
  const auto i = static_cast<std::size_t>(sample);
  return {m.x[i], m.y[i], m.z[i]};
}

Point between(const Point& a, const Point& b)
{
  return {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
}

double dot(const Point& a, const Point& b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double norm(const Point& a)
{
  return std::hypot(a[0], a[1], a[2]);
}

/// Degrees; NaN where one has no length.
double angleBetween(const Point& a, const Point& b)
{
  const double lengths = norm(a) * norm(b);
  if (!(lengths > 0))
    return std::numeric_limits<double>::quiet_NaN();
  return std::acos(std::clamp(dot(a, b) / lengths, -1.0, 1.0)) * 180 / std::numbers::pi;
}

std::span<const std::int32_t> samplesOf(const BranchTree& tree, std::size_t branch)
{
  const auto begin = static_cast<std::size_t>(tree.sampleBegin[branch]);
  return std::span(tree.sample).subspan(begin, static_cast<std::size_t>(tree.sampleBegin[branch + 1]) - begin);
}

void measureSegments(const Morphology& m, const BranchTree& tree, std::size_t branch, BranchMeasures& out)
{
  const auto samples = samplesOf(tree, branch);
  const std::int32_t start = isStem(m, samples.front()) ? samples.front() : tree.start[branch];
  double diameters = 0; // times length
  for (const std::int32_t sample : samples) {
    if (sample == start)
      continue;
    const std::int32_t parent = m.parent[sample];
    const double length = sampleDistance(m, sample, parent);
    const double a = m.solvedRadius[static_cast<std::size_t>(parent)];
    const double b = m.solvedRadius[static_cast<std::size_t>(sample)];
    out.length += length;
    diameters += length * (a + b);
    out.area += std::numbers::pi * (a + b) * std::hypot(length, a - b);
    out.volume += std::numbers::pi / 3 * length * (a * a + a * b + b * b);
  }
  if (out.length > 0)
    out.meanDiameter = diameters / out.length;
  else {
    for (const std::int32_t sample : samples)
      out.meanDiameter += 2 * m.solvedRadius[static_cast<std::size_t>(sample)];
    out.meanDiameter /= static_cast<double>(samples.size());
  }
  out.distance = norm(between(pointOf(m, start), pointOf(m, samples.back())));
}

/// The branches that follow each, in their order.
std::vector<std::vector<std::int32_t>> childrenOf(const BranchTree& tree)
{
  std::vector<std::vector<std::int32_t>> children(tree.branches());
  for (std::size_t branch = 0; branch < tree.branches(); ++branch)
    if (tree.parent[branch] >= 0)
      children[static_cast<std::size_t>(tree.parent[branch])].push_back(static_cast<std::int32_t>(branch));
  return children;
}

void measureEnd(const Morphology& m, const BranchTree& tree, std::int32_t last,
                const std::vector<std::int32_t>& children, BranchMeasures& out)
{
  out.isTip = children.empty();
  out.localAngle = out.remoteAngle = std::numeric_limits<double>::quiet_NaN();
  if (children.size() != 2)
    return;
  const Point here = pointOf(m, last);
  const auto first = samplesOf(tree, static_cast<std::size_t>(children[0]));
  const auto second = samplesOf(tree, static_cast<std::size_t>(children[1]));
  const auto towards = [&](std::int32_t sample) { return between(here, pointOf(m, sample)); };
  out.localAngle = angleBetween(towards(first.front()), towards(second.front()));
  out.remoteAngle = angleBetween(towards(first.back()), towards(second.back()));
}

/// By the children, which have greater numbers.
void addStrahler(const std::vector<std::vector<std::int32_t>>& children, std::vector<BranchMeasures>& branches)
{
  for (std::size_t k = branches.size(); k-- > 0;) {
    std::int32_t most = 0;
    int times = 0;
    for (const std::int32_t child : children[k]) {
      const std::int32_t order = branches[static_cast<std::size_t>(child)].strahler;
      times = order > most ? 1 : times + (order == most);
      most = std::max(most, order);
    }
    branches[k].strahler = std::max(1, most + (times >= 2));
  }
}

/// Adds a segment's crossings between two radii, between which it comes steadily nearer or farther.
void addCrossings(std::int32_t sample, double a, double b, ShollProfile& profile)
{
  const double low = std::min(a, b);
  const double high = std::max(a, b);
  profile.reach = std::max(profile.reach, high);
  // Sphere k is crossed where low < (k + 1) step <= high.
  const auto begin = static_cast<std::size_t>(std::floor(low / profile.step));
  const auto end = static_cast<std::size_t>(std::floor(high / profile.step));
  if (end > profile.intersections.size())
    profile.intersections.resize(end, 0);
  for (std::size_t k = begin; k < end; ++k)
    ++profile.intersections[k];
  if (begin < end)
    profile.crossings.push_back({sample, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
}

} // namespace

bool isStem(const Morphology& m, std::int32_t sample)
{
  const std::int32_t parent = m.parent[sample];
  return parent >= 0 && m.type[parent] == kSoma && m.type[sample] != kSoma;
}

std::vector<BranchMeasures> measureBranches(const Morphology& morphology, const BranchTree& branches,
                                            const RunControl& control)
{
  constexpr std::size_t kBranchesAtATime = 4096;
  const auto children = childrenOf(branches);
  std::vector<BranchMeasures> measured(branches.branches());
  for (std::size_t k = 0; k < measured.size(); ++k) {
    if (k % kBranchesAtATime == 0)
      control.checkpoint();
    BranchMeasures& out = measured[k];
    const auto samples = samplesOf(branches, k);
    out.branch = static_cast<std::int32_t>(k);
    out.parent = branches.parent[k];
    out.type = branches.type[k];
    out.order = branches.order[k];
    out.samples = static_cast<std::int32_t>(samples.size());
    out.startPath = branches.pathDistance[static_cast<std::size_t>(branches.start[k])];
    out.endPath = branches.pathDistance[static_cast<std::size_t>(samples.back())];
    measureSegments(morphology, branches, k, out);
    measureEnd(morphology, branches, samples.back(), children[k], out);
  }
  addStrahler(children, measured);
  return measured;
}

std::vector<TypeMeasures> totalsByType(const std::vector<BranchMeasures>& branches)
{
  std::map<std::int32_t, TypeMeasures> totals;
  std::vector<bool> isParent(branches.size(), false);
  for (const BranchMeasures& branch : branches) {
    if (branch.parent >= 0)
      isParent[static_cast<std::size_t>(branch.parent)] = true;
    TypeMeasures& total = totals[branch.type];
    total.type = branch.type;
    ++total.branches;
    total.tips += branch.isTip;
    total.maxOrder = std::max(total.maxOrder, branch.order);
    total.length += branch.length;
    total.area += branch.area;
    total.volume += branch.volume;
    total.maxPath = std::max(total.maxPath, branch.endPath);
  }
  for (std::size_t k = 0; k < branches.size(); ++k)
    if (isParent[k])
      ++totals[branches[k].type].bifurcations;
  std::vector<TypeMeasures> list;
  for (const auto& [type, total] : totals)
    list.push_back(total);
  return list;
}

ShollProfile sholl(const Morphology& morphology, const std::array<double, 3>& centre, double step,
                   const std::vector<std::int32_t>& types, const RunControl& control)
{
  constexpr double kMostSpheres = 1e6;
  constexpr std::size_t kSamplesAtATime = 65'536;
  double farthest = 0;
  for (std::size_t i = 0; i < morphology.samples(); ++i)
    farthest = std::max(farthest, norm(between(centre, pointOf(morphology, static_cast<std::int32_t>(i)))));
  if (!(step > 0) || !(farthest / step <= kMostSpheres))
    throw Error(ErrorCode::BadParameter, "The step between spheres is " + textOf(step) +
                                             " µm; it must be above 0 and give at most a million spheres in the " +
                                             textOf(farthest) + " µm that the cell reaches.");
  ShollProfile profile{centre, step, {}, {}, 0};
  for (std::size_t i = 0; i < morphology.samples(); ++i) {
    if (i % kSamplesAtATime == 0)
      control.checkpoint();
    const auto sample = static_cast<std::int32_t>(i);
    const std::int32_t type = morphology.type[i];
    const bool isWanted = types.empty() ? type != kSoma : std::ranges::find(types, type) != types.end();
    if (morphology.parent[i] < 0 || !isWanted || isStem(morphology, sample))
      continue;
    const Point a = between(centre, pointOf(morphology, morphology.parent[i]));
    const Point b = between(centre, pointOf(morphology, sample));
    const Point along = between(a, b);
    const double square = dot(along, along);
    const double nearest = square > 0 ? -dot(a, along) / square : 0; // where on the segment, 0 to 1
    if (nearest > 0 && nearest < 1) {
      const double least = norm({a[0] + nearest * along[0], a[1] + nearest * along[1], a[2] + nearest * along[2]});
      addCrossings(sample, norm(a), least, profile);
      addCrossings(sample, least, norm(b), profile);
    } else
      addCrossings(sample, norm(a), norm(b), profile);
  }
  return profile;
}

std::array<double, 3> somaCentreOf(const Morphology& morphology)
{
  if (morphology.somaKind != SomaKind::None || morphology.roots.empty())
    return morphology.somaCentre;
  return pointOf(morphology, morphology.roots.front());
}

std::optional<PathBetween> pathBetween(const Morphology& morphology, std::int32_t from, std::int32_t to)
{
  const auto upwards = [&](std::int32_t sample) {
    std::vector<std::int32_t> way;
    for (; sample >= 0; sample = morphology.parent[sample])
      way.push_back(sample);
    return way;
  };
  std::vector<std::int32_t> first = upwards(from);
  std::vector<std::int32_t> second = upwards(to);
  if (first.back() != second.back())
    return std::nullopt;
  std::int32_t meeting = first.back();
  while (!first.empty() && !second.empty() && first.back() == second.back()) {
    meeting = first.back();
    first.pop_back();
    second.pop_back();
  }
  PathBetween path;
  path.samples = std::move(first);
  path.samples.push_back(meeting);
  path.samples.insert(path.samples.end(), second.rbegin(), second.rend());
  for (std::size_t k = 1; k < path.samples.size(); ++k)
    path.length += sampleDistance(morphology, path.samples[k - 1], path.samples[k]);
  path.distance = sampleDistance(morphology, from, to);
  return path;
}

} // namespace hinesight::morphology
