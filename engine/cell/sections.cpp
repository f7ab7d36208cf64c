#include "cell/sections.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <string>

namespace hinesight::cell {

namespace {

using morphology::Morphology;

constexpr double kStubLength = 30; // µm
constexpr float kStubDiameter = 1; // µm
constexpr std::size_t kStubs = 2;

SectionPoint pointOf(const Morphology& morphology, std::int32_t sample)
{
  const auto i = static_cast<std::size_t>(sample);
  return {static_cast<float>(morphology.x[i]), static_cast<float>(morphology.y[i]), static_cast<float>(morphology.z[i]),
          static_cast<float>(2 * morphology.solvedRadius[i])};
}

double distance(const SectionPoint& a, const SectionPoint& b)
{
  const double x = double{b.x} - a.x;
  const double y = double{b.y} - a.y;
  const double z = double{b.z} - a.z;
  return std::sqrt(x * x + y * y + z * z);
}

class Cutter
{
public:
  Cutter(const Morphology& cell, const CuttingPolicy& cutting) : morphology(cell), policy(cutting) {}

  std::vector<Section> sectionsOfCell()
  {
    addSections(typesInOrder());
    if (policy.axon == AxonPolicy::Stub)
      addStub(0.5, {kStubDiameter, kStubDiameter});
    else if (policy.axon == AxonPolicy::StubAsThick)
      addStub(1, axonDiameters());
    else if (policy.axon == AxonPolicy::Truncated)
      addStub(1, axonDiametersAtMiddles());
    return std::move(sections);
  }

private:
  void addSections(const std::vector<std::int32_t>& types)
  {
    addSoma();
    for (const std::int32_t type : types)
      for (std::int32_t sample = 0; sample < samples(); ++sample)
        if (typeOf(sample) == type && begins(sample))
          addSection(sample);
    for (Section& section : sections)
      for (SectionPoint& point : section.points)
        point = {sixDigits(point.x), sixDigits(point.y), sixDigits(point.z), sixDigits(point.diameter)};
  }

  /// As Import3d writes coordinates down. It matters where a cell lies far from the origin.
  static float sixDigits(float value)
  {
    char text[32];
    const int length = std::snprintf(text, sizeof text, "%.6g", static_cast<double>(value));
    double rounded = 0;
    std::from_chars(text, text + length, rounded);
    return static_cast<float>(rounded);
  }

  /// The soma and the axon as it is in the file.
  std::vector<Section> wholeAxon() const
  {
    Cutter whole(morphology, policy);
    whole.addSections({morphology::kAxon});
    if (whole.sections.size() < 2)
      throw Error(ErrorCode::BadFormat, morphology.name + ": the axon that is to be replaced is not there.");
    return std::move(whole.sections);
  }

  /// Of the first and the last section of the axon: the diameter of a cylinder of their length and area.
  std::array<float, kStubs> axonDiameters() const
  {
    const std::vector<Section> kept = wholeAxon();
    const auto diameterOf = [](const Section& section) {
      double area = 0, length = 0;
      for (std::size_t i = 0; i + 1 < section.points.size(); ++i) {
        const double height = distance(section.points[i], section.points[i + 1]);
        const double difference = (double{section.points[i + 1].diameter} - section.points[i].diameter) / 2;
        area += std::numbers::pi / 2 * (double{section.points[i].diameter} + section.points[i + 1].diameter) *
                std::hypot(height, difference);
        length += height;
      }
      return static_cast<float>(area / (std::numbers::pi * length));
    };
    return {diameterOf(kept[1]), diameterOf(kept.back())};
  }

  /// Of the middle segments of the first section of the axon and of the first whose middle lies beyond 60 µm.
  std::array<float, kStubs> axonDiametersAtMiddles() const
  {
    constexpr double kFar = 60; // µm from the start of the soma
    const CutCell axon = cutSections(wholeAxon(), policy.longestSegment, morphology.name);
    const std::vector<double> start = distancesOfSections(axon);
    const auto diameterOf = [&](std::size_t s) {
      const Section& section = axon.sections[s];
      const auto middle = static_cast<std::size_t>(axon.nodeAt(static_cast<std::int32_t>(s), 0.5));
      return static_cast<float>(axon.area[middle] / (std::numbers::pi * section.length / section.segments));
    };
    std::size_t far = 1;
    while (far < axon.sections.size() && start[far] + axon.sections[far].length / 2 <= kFar)
      ++far;
    return {diameterOf(1), diameterOf(far < axon.sections.size() ? far : 1)};
  }

  std::int32_t samples() const { return static_cast<std::int32_t>(morphology.samples()); }
  std::int32_t typeOf(std::int32_t sample) const { return morphology.type[static_cast<std::size_t>(sample)]; }
  std::int32_t parentOf(std::int32_t sample) const { return morphology.parent[static_cast<std::size_t>(sample)]; }
  bool isSoma(std::int32_t sample) const { return typeOf(sample) == morphology::kSoma; }

  /// Soma, axon, basal and apical dendrites, then what else there is.
  std::vector<std::int32_t> typesInOrder() const
  {
    std::vector<std::int32_t> types{morphology::kAxon, morphology::kBasalDendrite, morphology::kApicalDendrite};
    std::vector<std::int32_t> rest(morphology.type);
    std::ranges::sort(rest);
    rest.erase(std::ranges::unique(rest).begin(), rest.end());
    for (const std::int32_t type : rest)
      if (type != morphology::kSoma && std::ranges::find(types, type) == types.end())
        types.push_back(type);
    if (policy.axon != AxonPolicy::Kept)
      std::erase(types, std::int32_t{morphology::kAxon});
    return types;
  }

  /// Whether the sample is the first that hangs on the soma.
  bool isFirstOfNeurite(std::int32_t sample) const { return parentOf(sample) >= 0 && isSoma(parentOf(sample)); }

  /// A section ends at a fork, where the type changes, and where the file goes on elsewhere.
  bool begins(std::int32_t sample) const
  {
    const std::int32_t parent = parentOf(sample);
    if (parent < 0 || isSoma(parent) || typeOf(parent) != typeOf(sample) || parent != sample - 1)
      return true;
    return morphology.childCount(parent) > 1 && !isFirstOfNeurite(parent);
  }

  void addSoma()
  {
    if (morphology.roots.size() != 1 || !isSoma(morphology.roots.front()))
      throw Error(ErrorCode::BadFormat, morphology.name + ": a cell to simulate is one tree with a soma at its root" +
                                            " (it has " + std::to_string(morphology.roots.size()) + " roots).");
    Section soma{.type = morphology::kSoma};
    const std::int32_t root = morphology.roots.front();
    const SectionPoint centre = pointOf(morphology, root);
    if (morphology.somaKind == morphology::SomaKind::Frusta) {
      for (std::int32_t sample = 0; sample < samples(); ++sample)
        if (isSoma(sample))
          soma.points.push_back(pointOf(morphology, sample));
    } else {
      // A cylinder as long as it is thick, which has the area of the sphere.
      const auto diameter = static_cast<float>(2 * morphology.somaRadius);
      for (const float side : {-0.5F, 0.0F, 0.5F})
        soma.points.push_back({centre.x, centre.y + side * diameter, centre.z, diameter});
    }
    sectionOf.assign(morphology.samples(), 0);
    sections.push_back(std::move(soma));
  }

  void addSection(std::int32_t first)
  {
    Section section{.type = typeOf(first)};
    const std::int32_t parent = parentOf(first);
    if (parent < 0 || isSoma(parent)) {
      section.parent = 0;
      section.parentPosition = 0.5;
    } else {
      section.parent = sectionOf[static_cast<std::size_t>(parent)];
      section.parentPosition = isFirstOfNeurite(parent) ? 0 : 1;
      section.points.push_back(pointOf(morphology, parent));
    }
    const auto number = static_cast<std::int32_t>(sections.size());
    std::int32_t sample = first;
    do {
      section.points.push_back(pointOf(morphology, sample));
      sectionOf[static_cast<std::size_t>(sample)] = number;
      ++sample;
    } while (sample < samples() && typeOf(sample) == section.type && !begins(sample));
    if (section.points.size() == 1) {
      SectionPoint start = pointOf(morphology, std::max(parent, 0));
      start.diameter = section.points.front().diameter;
      section.points.insert(section.points.begin(), start);
    }
    sections.push_back(std::move(section));
  }

  void addStub(double place, const std::array<float, kStubs>& diameters)
  {
    for (std::size_t k = 0; k < diameters.size(); ++k) {
      Section stub{.type = morphology::kAxon};
      stub.parent = k == 0 ? 0 : static_cast<std::int32_t>(sections.size()) - 1;
      stub.parentPosition = k == 0 ? place : 1;
      stub.points = {{0, 0, 0, diameters[k]}, {static_cast<float>(kStubLength), 0, 0, diameters[k]}};
      sections.push_back(std::move(stub));
    }
  }

  const Morphology& morphology;
  const CuttingPolicy& policy;
  std::vector<Section> sections;
  std::vector<std::int32_t> sectionOf; ///< per sample
};

/// Cuts sections into segments, whose middles are nodes.
class Divider
{
public:
  Divider(std::vector<Section> sections, double longest, const std::string& cell) : longestSegment(longest), name(cell)
  {
    result.sections = std::move(sections);
    result.longestSegment = longest;
  }

  CutCell divide()
  {
    for (Section& section : result.sections)
      measure(section);
    addNodes();
    return std::move(result);
  }

private:
  void measure(Section& section) const
  {
    for (std::size_t i = 0; i + 1 < section.points.size(); ++i)
      section.length += distance(section.points[i], section.points[i + 1]);
    if (section.length <= 0)
      throw Error(ErrorCode::BadFormat, name + ": a section has no length; its samples lie at one point.");
    section.segments = 1 + 2 * static_cast<std::int32_t>(section.length / longestSegment);
  }

  std::int32_t addNode(std::int32_t parent, double area, double resistance, std::int32_t section)
  {
    result.parent.push_back(parent);
    result.area.push_back(area);
    result.resistance.push_back(resistance);
    result.section.push_back(section);
    return static_cast<std::int32_t>(result.parent.size()) - 1;
  }

  /// Parents before children, whatever the order of the sections.
  void addNodes()
  {
    addNode(-1, 0, 0, 0);
    std::vector<bool> isDone(result.sections.size(), false);
    for (std::size_t done = 0; done < result.sections.size();)
      for (std::size_t i = 0; i < result.sections.size(); ++i) {
        const Section& section = result.sections[i];
        if (isDone[i] || (section.parent >= 0 && !isDone[static_cast<std::size_t>(section.parent)]))
          continue;
        addNodesOf(static_cast<std::int32_t>(i));
        isDone[i] = true;
        ++done;
      }
  }

  std::int32_t startOf(const Section& section) const
  {
    if (section.parent < 0)
      return 0;
    const Section& parent = result.sections[static_cast<std::size_t>(section.parent)];
    if (section.parentPosition == 0)
      return startOf(parent);
    return result.nodeAt(section.parent, section.parentPosition);
  }

  /// Areas and resistances of frusta, cut at the ends and the middles of segments.
  void addNodesOf(std::int32_t number)
  {
    Section& section = result.sections[static_cast<std::size_t>(number)];
    const std::int32_t halves = 2 * section.segments;
    std::vector<double> area(static_cast<std::size_t>(halves));
    std::vector<double> resistance(static_cast<std::size_t>(halves));
    const double half = section.length / halves;
    double begun = 0; // µm from the start of the section to the point
    std::int32_t k = 0;
    for (std::size_t i = 0; i + 1 < section.points.size(); ++i) {
      const double height = distance(section.points[i], section.points[i + 1]);
      if (height <= 0)
        continue;
      const double r0 = section.points[i].diameter / 2.0;
      const double slope = (section.points[i + 1].diameter / 2.0 - r0) / height;
      const double slant = std::sqrt(1 + slope * slope);
      double from = 0;
      while (from < height) {
        const double end = k + 1 < halves ? (k + 1) * half - begun : height;
        const double to = std::min(height, end);
        const double a = r0 + slope * from;
        const double b = r0 + slope * to;
        if (to > from) {
          area[static_cast<std::size_t>(k)] += std::numbers::pi * (a + b) * (to - from) * slant;
          resistance[static_cast<std::size_t>(k)] += (to - from) / (std::numbers::pi * a * b);
        }
        from = to;
        if (to == end && k + 1 < halves)
          ++k;
        else if (to >= height)
          break;
      }
      begun += height;
    }
    std::int32_t before = startOf(section);
    section.firstNode = static_cast<std::int32_t>(result.parent.size());
    double half0 = 0;
    for (std::size_t segment = 0; segment < static_cast<std::size_t>(section.segments); ++segment) {
      before = addNode(before, area[2 * segment] + area[2 * segment + 1], half0 + resistance[2 * segment], number);
      half0 = resistance[2 * segment + 1];
    }
    addNode(before, 0, half0, number);
  }

  const double longestSegment;
  const std::string& name;
  CutCell result;
};

} // namespace

std::size_t CutCell::segments() const
{
  std::size_t count = 0;
  for (const Section& each : sections)
    count += static_cast<std::size_t>(each.segments);
  return count;
}

std::vector<double> distancesOfSections(const CutCell& cell)
{
  // A parent may come after its children.
  std::vector<double> distance(cell.sections.size(), -1);
  const std::function<double(std::size_t)> of = [&](std::size_t number) {
    const Section& section = cell.sections[number];
    if (distance[number] < 0)
      distance[number] = section.parent < 0 ? 0
                                            : of(static_cast<std::size_t>(section.parent)) +
                                                  section.parentPosition *
                                                      cell.sections[static_cast<std::size_t>(section.parent)].length;
    return distance[number];
  };
  for (std::size_t number = 0; number < cell.sections.size(); ++number)
    of(number);
  return distance;
}

std::int32_t CutCell::nodeAt(std::int32_t number, double position) const
{
  if (number < 0 || static_cast<std::size_t>(number) >= sections.size() || !(position >= 0 && position <= 1))
    throw Error(ErrorCode::BadParameter, "There is no place " + std::to_string(position) + " of section " +
                                             std::to_string(number) + "; the cell has " +
                                             std::to_string(sections.size()) + " sections.");
  const Section& at = sections[static_cast<std::size_t>(number)];
  if (position >= 1)
    return at.firstNode + at.segments;
  if (position <= 0)
    return parent[static_cast<std::size_t>(at.firstNode)];
  return at.firstNode + std::min(at.segments - 1, static_cast<std::int32_t>(position * at.segments));
}

CutCell cutIntoSections(const morphology::Morphology& morphology, const CuttingPolicy& policy)
{
  return cutSections(Cutter(morphology, policy).sectionsOfCell(), policy.longestSegment, morphology.name);
}

CutCell cutSections(std::vector<Section> sections, double longestSegment, const std::string& name)
{
  if (sections.empty())
    throw Error(ErrorCode::BadFormat, name + ": a cell to simulate has a section.");
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const Section& section = sections[i];
    const bool isInTree =
        i == 0 ? section.parent < 0 : section.parent >= 0 && static_cast<std::size_t>(section.parent) < sections.size();
    if (!isInTree || !(section.parentPosition >= 0 && section.parentPosition <= 1))
      throw Error(ErrorCode::BadFormat, name + ": the section " + std::to_string(i) + " hangs at " +
                                            std::to_string(section.parentPosition) + " of the section " +
                                            std::to_string(section.parent) +
                                            "; the first is the root, all others hang " + "at 0 to 1 of another.");
  }
  return Divider(std::move(sections), longestSegment, name).divide();
}

} // namespace hinesight::cell
