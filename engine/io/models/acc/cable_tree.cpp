#include "io/models/acc/cable_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace hinesight::io {

namespace {

using cell::Section;
using cell::SectionPoint;

double distanceOf(const SectionPoint& a, const SectionPoint& b)
{
  const double x = double{b.x} - a.x, y = double{b.y} - a.y, z = double{b.z} - a.z;
  return std::sqrt(x * x + y * y + z * z);
}

bool isSamePlace(const SectionPoint& a, const SectionPoint& b)
{
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

SectionPoint between(const SectionPoint& a, const SectionPoint& b, double part)
{
  const auto mix = [part](float from, float to) {
    return static_cast<float>(from + part * (static_cast<double>(to) - from));
  };
  return {mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z), mix(a.diameter, b.diameter)};
}

/// Makes segments of the sections of a cut cell.
class Splitter
{
public:
  explicit Splitter(const cell::CutCell& given) : cut(given), firstOf(cut.sections.size()), segmentsOf(firstOf.size())
  {}

  /// Parents before children, whatever the order of the sections.
  std::vector<CableSegment> split()
  {
    std::vector<bool> isDone(cut.sections.size(), false);
    for (std::size_t done = 0; done < cut.sections.size();)
      for (std::size_t s = 0; s < cut.sections.size(); ++s) {
        const std::int32_t parent = cut.sections[s].parent;
        if (isDone[s] || (parent >= 0 && !isDone[static_cast<std::size_t>(parent)]))
          continue;
        add(s);
        isDone[s] = true;
        ++done;
      }
    return std::move(segments);
  }

private:
  void add(std::size_t s)
  {
    const Section& section = cut.sections[s];
    std::vector<SectionPoint> points = section.points;
    for (const Section& child : cut.sections)
      if (child.parent == static_cast<std::int32_t>(s) && child.parentPosition > 0 && child.parentPosition < 1)
        addPoint(points, section, static_cast<std::int32_t>(s), child.parentPosition);
    std::int32_t parent = section.parent < 0 ? -1 : endAt(section.parent, section.parentPosition);
    firstOf[s] = parent;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      if (isSamePlace(points[i], points[i + 1]))
        continue; // the next begins with another diameter
      segments.push_back({.parent = parent, .tag = section.type, .from = points[i], .to = points[i + 1]});
      segments.back().section = static_cast<std::int32_t>(s);
      parent = static_cast<std::int32_t>(segments.size()) - 1;
      segmentsOf[s].push_back(parent);
    }
  }

  /// The end of a segment at a place of a section, or near enough to be of the same node.
  std::int32_t endAt(std::int32_t number, double position) const
  {
    const auto s = static_cast<std::size_t>(number);
    if (position <= 0)
      return firstOf[s];
    if (position >= 1)
      return segmentsOf[s].back();
    std::int32_t best = segmentsOf[s].back();
    double least = 1, along = 0;
    for (const std::int32_t segment : segmentsOf[s]) {
      const CableSegment& each = segments[static_cast<std::size_t>(segment)];
      along += distanceOf(each.from, each.to);
      const double there = along / cut.sections[s].length;
      if (there < 1 && std::abs(there - position) < least) {
        least = std::abs(there - position);
        best = segment;
      }
    }
    return best;
  }

  /// A point at a place where something hangs, unless there is one of the same node.
  void addPoint(std::vector<SectionPoint>& points, const Section& section, std::int32_t number, double position) const
  {
    double along = 0;
    const std::int32_t node = cut.nodeAt(number, position);
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      along += distanceOf(points[i], points[i + 1]);
      if (along > 0 && along < section.length && cut.nodeAt(number, along / section.length) == node)
        return;
    }
    along = 0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      const double length = distanceOf(points[i], points[i + 1]);
      const double part = (position * section.length - along) / length;
      if (length > 0 && part > 0 && part < 1) {
        points.insert(points.begin() + static_cast<std::ptrdiff_t>(i) + 1, between(points[i], points[i + 1], part));
        return;
      }
      along += length;
    }
  }

  const cell::CutCell& cut;
  std::vector<std::int32_t> firstOf; ///< per section: what it begins at
  std::vector<std::vector<std::int32_t>> segmentsOf;
  std::vector<CableSegment> segments;
};

} // namespace

CableTree::CableTree(std::vector<CableSegment> given, const std::vector<std::int32_t>& starts) : all(std::move(given))
{
  findBranches();
  findSections(starts);
}

CableTree::CableTree(const cell::CutCell& cut) : all(Splitter(cut).split())
{
  findBranches();
  std::vector<double> length(cut.sections.size(), 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CableSegment& segment = all[i];
    double& sum = length[static_cast<std::size_t>(segment.section)];
    if (sum == 0 && continuesSection(i, {}))
      unmarked.push_back(static_cast<std::int32_t>(i));
    segment.sectionBegin = sum;
    sum += segment.length;
  }
}

void CableTree::findBranches()
{
  children.assign(all.size(), {});
  std::size_t rootSegments = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].parent >= 0)
      children[static_cast<std::size_t>(all[i].parent)].push_back(static_cast<std::int32_t>(i));
    else
      ++rootSegments;
    all[i].length = distanceOf(all[i].from, all[i].to);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    CableSegment& segment = all[i];
    const auto parent = static_cast<std::size_t>(segment.parent);
    if (segment.parent >= 0 && children[parent].size() == 1)
      segment.branch = all[parent].branch;
    else {
      segment.branch = static_cast<std::int32_t>(tree.size());
      CableBranch branch;
      if (segment.parent >= 0) {
        branch.parent = all[parent].branch;
        tree[static_cast<std::size_t>(branch.parent)].children.push_back(segment.branch);
      } else
        roots.push_back(segment.branch);
      tree.push_back(std::move(branch));
    }
    CableBranch& branch = tree[static_cast<std::size_t>(segment.branch)];
    segment.begin = branch.length;
    branch.length += segment.length;
    branch.segments.push_back(static_cast<std::int32_t>(i));
  }
  for (CableBranch& branch : tree)
    if (branch.parent >= 0) {
      const CableBranch& parent = tree[static_cast<std::size_t>(branch.parent)];
      branch.distance = parent.distance + parent.length;
    }
}

bool CableTree::continuesSection(std::size_t segment, const std::vector<std::int32_t>& starts) const
{
  const CableSegment& each = all[segment];
  if (each.parent < 0 || std::ranges::find(starts, static_cast<std::int32_t>(segment)) != starts.end())
    return false;
  const CableSegment& parent = all[static_cast<std::size_t>(each.parent)];
  if (each.tag != parent.tag || !isSamePlace(each.from, parent.to))
    return false;
  const auto& siblings = children[static_cast<std::size_t>(each.parent)];
  if (siblings.size() == 1)
    return true;
  const auto isOfSoma = [&](std::int32_t child) {
    return all[static_cast<std::size_t>(child)].tag == morphology::kSoma;
  };
  return each.tag == morphology::kSoma && std::ranges::count_if(siblings, isOfSoma) == 1;
}

void CableTree::findSections(const std::vector<std::int32_t>& starts)
{
  std::int32_t count = 0;
  std::vector<double> length;
  for (std::size_t i = 0; i < all.size(); ++i) {
    CableSegment& segment = all[i];
    if (continuesSection(i, starts)) {
      segment.section = all[static_cast<std::size_t>(segment.parent)].section;
    } else {
      segment.section = count++;
      length.push_back(0);
    }
    double& sum = length[static_cast<std::size_t>(segment.section)];
    segment.sectionBegin = sum;
    sum += segment.length;
  }
  unmarked = starts;
}

std::vector<Section> CableTree::sections() const
{
  std::vector<Section> made;
  std::vector<double> length;
  for (const CableSegment& segment : all) {
    const auto s = static_cast<std::size_t>(segment.section);
    if (s >= length.size())
      length.push_back(0);
    length[s] = segment.sectionBegin + segment.length;
  }
  for (const CableSegment& segment : all) {
    const auto s = static_cast<std::size_t>(segment.section);
    if (s >= made.size()) {
      Section section{.type = segment.tag};
      if (segment.parent >= 0) {
        const CableSegment& parent = all[static_cast<std::size_t>(segment.parent)];
        const double end = parent.sectionBegin + parent.length;
        const double whole = length[static_cast<std::size_t>(parent.section)];
        section.parent = parent.section;
        section.parentPosition = end >= whole ? 1 : end / whole;
      } else if (s > 0) {
        section.parent = 0;
        section.parentPosition = 0;
      }
      made.push_back(std::move(section));
    }
    std::vector<SectionPoint>& points = made[s].points;
    const bool goesOn =
        !points.empty() && isSamePlace(points.back(), segment.from) && points.back().diameter == segment.from.diameter;
    if (!goesOn)
      points.push_back(segment.from);
    points.push_back(segment.to);
  }
  return made;
}

std::pair<std::int32_t, double> CableTree::segmentAt(const CableLocation& location) const
{
  const CableBranch& branch = tree[static_cast<std::size_t>(location.branch)];
  const double along = location.position * branch.length;
  std::int32_t found = branch.segments.front();
  for (const std::int32_t segment : branch.segments)
    if (all[static_cast<std::size_t>(segment)].begin <= along)
      found = segment;
  const CableSegment& segment = all[static_cast<std::size_t>(found)];
  return {found, std::clamp(along - segment.begin, 0.0, segment.length)};
}

std::int32_t CableTree::nodeAt(const cell::CutCell& cut, const CableLocation& location) const
{
  const auto [number, along] = segmentAt(location);
  const CableSegment& segment = all[static_cast<std::size_t>(number)];
  const double length = cut.sections[static_cast<std::size_t>(segment.section)].length;
  constexpr double kRounding = 1e-9;
  double position = (segment.sectionBegin + along) / length;
  position = position > 1 - kRounding ? 1 : position < kRounding ? 0 : position;
  return cut.nodeAt(segment.section, position);
}

double CableTree::radiusAt(const CableLocation& location) const
{
  const auto [number, along] = segmentAt(location);
  const CableSegment& segment = all[static_cast<std::size_t>(number)];
  const double part = segment.length > 0 ? along / segment.length : 0;
  return (segment.from.diameter + part * (double{segment.to.diameter} - segment.from.diameter)) / 2;
}

double areaBetween(const Section& section, double from, double to)
{
  double area = 0, begun = 0;
  for (std::size_t i = 0; i + 1 < section.points.size(); ++i) {
    const double height = distanceOf(section.points[i], section.points[i + 1]);
    const double low = std::max(from, begun), high = std::min(to, begun + height);
    if (high > low) {
      const double r0 = section.points[i].diameter / 2.0;
      const double slope = (section.points[i + 1].diameter / 2.0 - r0) / height;
      const double a = r0 + slope * (low - begun), b = r0 + slope * (high - begun);
      area += std::numbers::pi * (a + b) * (high - low) * std::sqrt(1 + slope * slope);
    }
    begun += height;
  }
  return area;
}

} // namespace hinesight::io
