#include "widgets/cells/morphology/line_levels.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr std::size_t kFewestLines = 20'000; // that any device draws in a frame's time
constexpr std::int32_t kLongestJoined = 64;  // tubes in a line

/// Where tubes stand in runs without a bifurcation.
struct Runs
{
  std::vector<std::int32_t> previous; ///< the tube that one goes on from; -1: it begins a run
  std::vector<std::int32_t> place;    ///< in its run
  std::vector<bool> isLast;           ///< of its run
};

Runs findRuns(const TubeGeometry& geometry)
{
  const std::size_t count = geometry.tubes();
  Runs runs;
  runs.previous.assign(count, -1);
  runs.place.assign(count, 0);
  runs.isLast.assign(count, true);
  std::vector<std::int32_t> tubeOfSample;
  std::vector<std::int32_t> children; // of the same samples
  for (std::size_t begin = 0; begin < count;) {
    std::size_t end = begin;
    std::int32_t samples = 0;
    for (; end < count && geometry.cell[end] == geometry.cell[begin]; ++end)
      samples = std::max({samples, geometry.sampleA[end] + 1, geometry.sampleB[end] + 1});
    tubeOfSample.assign(static_cast<std::size_t>(samples), -1);
    children.assign(static_cast<std::size_t>(samples), 0);
    const auto isEdge = [&](std::size_t tube) { return geometry.sampleA[tube] != geometry.sampleB[tube]; };
    for (std::size_t tube = begin; tube < end; ++tube) {
      tubeOfSample[static_cast<std::size_t>(geometry.sampleB[tube])] = static_cast<std::int32_t>(tube);
      if (isEdge(tube))
        ++children[static_cast<std::size_t>(geometry.sampleA[tube])];
    }
    for (std::size_t tube = begin; tube < end; ++tube) {
      const auto from = static_cast<std::size_t>(geometry.sampleA[tube]);
      const std::int32_t before = isEdge(tube) && children[from] == 1 ? tubeOfSample[from] : -1;
      // A file may have a parent below its child; such a run begins anew.
      if (before < 0 || static_cast<std::size_t>(before) >= tube)
        continue;
      runs.previous[tube] = before;
      runs.place[tube] = runs.place[static_cast<std::size_t>(before)] + 1;
      runs.isLast[static_cast<std::size_t>(before)] = false;
    }
    begin = end;
  }
  return runs;
}

/// So many tubes of a run in one line.
std::vector<std::uint32_t> join(const Runs& runs, std::int32_t tubes)
{
  std::vector<std::uint32_t> lines;
  std::vector<std::uint32_t> first(runs.place.size());
  for (std::size_t tube = 0; tube < first.size(); ++tube) {
    first[tube] = runs.place[tube] % tubes == 0 ? static_cast<std::uint32_t>(tube)
                                                : first[static_cast<std::size_t>(runs.previous[tube])];
    if (runs.isLast[tube] || (runs.place[tube] + 1) % tubes == 0) {
      lines.push_back(2 * first[tube]);
      lines.push_back(2 * static_cast<std::uint32_t>(tube) + 1);
    }
  }
  lines.shrink_to_fit();
  return lines;
}

/// The longer half of some lines, in their order.
std::vector<std::uint32_t> longerHalf(const TubeGeometry& geometry, const std::vector<std::uint32_t>& lines)
{
  const auto place = [&](std::uint32_t end) {
    return &((end & 1) != 0 ? geometry.endB : geometry.endA)[3 * static_cast<std::size_t>(end / 2)];
  };
  std::vector<std::pair<float, std::size_t>> byLength(lines.size() / 2);
  for (std::size_t line = 0; line < byLength.size(); ++line) {
    const float* a = place(lines[2 * line]);
    const float* b = place(lines[2 * line + 1]);
    float square = 0;
    for (int axis = 0; axis < 3; ++axis)
      square += (b[axis] - a[axis]) * (b[axis] - a[axis]);
    byLength[line] = {-square, line};
  }
  const auto middle = byLength.begin() + static_cast<std::ptrdiff_t>(byLength.size() / 2);
  std::nth_element(byLength.begin(), middle, byLength.end());
  byLength.erase(middle, byLength.end());
  std::ranges::sort(byLength, {}, &std::pair<float, std::size_t>::second);
  std::vector<std::uint32_t> longer;
  longer.reserve(2 * byLength.size());
  for (const auto& [square, line] : byLength)
    longer.insert(longer.end(), {lines[2 * line], lines[2 * line + 1]});
  return longer;
}

} // namespace

std::vector<std::vector<std::uint32_t>> lineLevels(const TubeGeometry& geometry)
{
  std::vector<std::vector<std::uint32_t>> levels;
  if (geometry.tubes() <= kFewestLines)
    return levels;
  const Runs runs = findRuns(geometry);
  std::size_t before = geometry.tubes();
  for (std::int32_t tubes = 2; before > kFewestLines; tubes *= 2) {
    std::vector<std::uint32_t> lines;
    if (tubes <= kLongestJoined)
      lines = join(runs, tubes);
    // Runs are short: joining more of their tubes would change nothing.
    if (lines.empty() || 4 * lines.size() / 2 > 3 * before)
      lines = longerHalf(geometry, levels.empty() ? join(runs, 1) : levels.back());
    before = lines.size() / 2;
    levels.push_back(std::move(lines));
  }
  return levels;
}

} // namespace hinesight::widgets
