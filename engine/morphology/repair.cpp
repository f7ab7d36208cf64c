#include "morphology/repair.hpp"

#include "core/text.hpp"
#include "morphology/branches.hpp"
#include "morphology/morphometry.hpp"
#include "morphology/swc.hpp"
#include "morphology/unit_scale.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <sstream>
#include <utility>

namespace hinesight::morphology {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// "25,058", as tables have it.
std::string countText(std::size_t count)
{
  std::string text = textOf(count);
  for (std::size_t behind = 3; behind < text.size(); behind += 4)
    text.insert(text.size() - behind, ",");
  return text;
}

std::string counted(std::size_t count, const char* one, const char* many)
{
  return countText(count) + " " + (count == 1 ? one : many);
}

std::string roundedText(double value)
{
  std::ostringstream stream;
  stream.precision(4);
  stream << value;
  return stream.str();
}

/// The samples at these places, in their order; parents are among them.
void take(Morphology& cell, const std::vector<std::int32_t>& places)
{
  std::vector<std::int32_t> placeOf(cell.samples(), -1);
  for (std::size_t at = 0; at < places.size(); ++at)
    placeOf[places[at]] = static_cast<std::int32_t>(at);
  const auto pick = [&](auto& values) {
    std::remove_reference_t<decltype(values)> picked;
    picked.reserve(places.size());
    for (const std::int32_t place : places)
      picked.push_back(values[place]);
    values = std::move(picked);
  };
  pick(cell.id);
  pick(cell.type);
  pick(cell.x);
  pick(cell.y);
  pick(cell.z);
  pick(cell.radius);
  pick(cell.parent);
  pick(cell.line);
  for (std::int32_t& parent : cell.parent)
    parent = parent < 0 ? -1 : placeOf[parent];
}

// ---- one function a repair: what it did, if it had something to do; the cell is complete before and after ----

using Done = std::optional<RepairChange>;

Done scaleCell(Morphology& cell, const RepairParameters& parameters, const RunControl& control)
{
  const auto warning = sizeWarning(cell);
  const double suggested = warning ? warning->suggestedScale : 0;
  const double target = parameters.unit > 0 ? parameters.unit : suggested > 0 ? suggested : cell.unitScale;
  if (target == kMicrometres.scale && cell.unitScale == kMicrometres.scale)
    return std::nullopt;
  const double factor = target / cell.unitScale;
  for (std::vector<double>* values : {&cell.x, &cell.y, &cell.z, &cell.radius})
    for (double& value : *values)
      value *= factor;
  cell.unitScale = target;
  completeMorphology(cell, control);
  return RepairChange{Repair::Scale, cell.samples(),
                      "coordinates and radii are multiplied by " + textOf(target) + ", µm per unit of the file"};
}

struct Known
{
  double distance = kInfinity;
  double radius = 0;
};

/// The nearest known radii above and below each sample, which are of the same part of the cell: the soma's radius says
/// nothing of a neurite's.
class KnownRadii
{
public:
  explicit KnownRadii(const Morphology& ofCell) : cell(ofCell), above(ofCell.samples()), below(ofCell.samples())
  {
    for (const std::int32_t sample : cell.order)
      if (const std::int32_t parent = cell.parent[sample]; parent >= 0 && isAlike(sample, parent))
        above[sample] = beyond(sample, parent, above[parent]);
    for (auto at = cell.order.rbegin(); at != cell.order.rend(); ++at)
      if (const std::int32_t parent = cell.parent[*at]; parent >= 0 && isAlike(*at, parent))
        if (const Known known = beyond(parent, *at, below[*at]); known.distance <= below[parent].distance)
          below[parent] = known;
  }

  /// By the distance to both; of the one that there is; 0 where there is none.
  double interpolated(std::int32_t sample) const
  {
    const Known& a = above[sample];
    const Known& b = below[sample];
    if (a.distance == kInfinity && b.distance == kInfinity)
      return 0;
    if (b.distance == kInfinity || a.distance == 0)
      return a.radius;
    if (a.distance == kInfinity)
      return b.radius;
    return (a.radius * b.distance + b.radius * a.distance) / (a.distance + b.distance);
  }

private:
  bool isAlike(std::int32_t a, std::int32_t b) const { return (cell.type[a] == kSoma) == (cell.type[b] == kSoma); }

  Known beyond(std::int32_t from, std::int32_t to, const Known& further) const
  {
    const double step = sampleDistance(cell, from, to);
    return cell.radius[to] > 0 ? Known{step, cell.radius[to]} : Known{step + further.distance, further.radius};
  }

  const Morphology& cell;
  std::vector<Known> above, below;
};

/// Of the known radii of every branch; 0 where it has none.
std::vector<double> medianOfBranches(const Morphology& cell, const BranchTree& tree)
{
  std::vector<double> medians;
  std::vector<double> known;
  for (std::size_t branch = 0; branch < tree.branches(); ++branch) {
    known.clear();
    for (std::int32_t at = tree.sampleBegin[branch]; at < tree.sampleBegin[branch + 1]; ++at)
      if (cell.radius[tree.sample[at]] > 0)
        known.push_back(cell.radius[tree.sample[at]]);
    const auto middle = known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2);
    std::ranges::nth_element(known, middle);
    medians.push_back(known.empty() ? 0 : *middle);
  }
  return medians;
}

Done fillRadii(Morphology& cell, const RepairParameters& parameters, const RunControl& control)
{
  const auto unknown = static_cast<std::size_t>(std::ranges::count_if(cell.radius, [](double r) { return !(r > 0); }));
  if (unknown == 0)
    return std::nullopt;
  const KnownRadii known(cell);
  const bool byMedian = parameters.radii == RadiusRule::BranchMedian;
  const BranchTree tree = byMedian ? findBranches(cell) : BranchTree();
  const std::vector<double> medians = byMedian ? medianOfBranches(cell, tree) : std::vector<double>();
  std::vector<double> filled = cell.radius;
  std::size_t guessed = 0;
  for (std::size_t sample = 0; sample < filled.size(); ++sample) {
    if (filled[sample] > 0)
      continue;
    const std::int32_t branch = byMedian ? tree.ofSample[sample] : -1;
    const double median = branch >= 0 ? medians[branch] : 0;
    const double between = known.interpolated(static_cast<std::int32_t>(sample));
    guessed += median == 0 && between == 0;
    filled[sample] = median > 0 ? median : between > 0 ? between : cell.solvedRadius[sample];
  }
  cell.radius = std::move(filled);
  completeMorphology(cell, control);
  std::string sentence = counted(unknown, "unknown radius is ", "unknown radii are ") +
                         (byMedian ? "set to the median of the branch" : "interpolated along the tree");
  if (guessed > 0)
    sentence += "; " + countText(guessed) + " of them, beside which none is known, take the nearest of the tree, " +
                "else 0.5 µm";
  return RepairChange{Repair::Radius, unknown, std::move(sentence)};
}

struct Part
{
  std::vector<std::int32_t> samples; ///< the root first
  bool hasSoma = false;
};

/// Every tree of the cell, in the order of the roots.
std::vector<Part> partsOf(const Morphology& cell)
{
  std::vector<Part> parts;
  for (const std::int32_t sample : cell.order) {
    if (cell.parent[sample] < 0)
      parts.emplace_back();
    parts.back().samples.push_back(sample);
    parts.back().hasSoma = parts.back().hasSoma || cell.type[sample] == kSoma;
  }
  return parts;
}

Done dropParts(Morphology& cell, std::vector<Part>& parts, const RunControl& control)
{
  const auto largest = std::ranges::max_element(parts, {}, [](const Part& part) { return part.samples.size(); });
  std::vector<std::int32_t> kept = std::move(largest->samples);
  std::ranges::sort(kept);
  const std::size_t all = cell.samples();
  take(cell, kept);
  completeMorphology(cell, control);
  const std::size_t dropped = all - kept.size();
  return RepairChange{Repair::Parts, dropped,
                      counted(parts.size() - 1, "separate part", "separate parts") + " with " + countText(dropped) +
                          " of " + counted(all, "sample", "samples") + " are left out"};
}

struct Nearest
{
  double distance = kInfinity;
  std::int32_t sample = -1;
};

Nearest nearestOf(const Morphology& cell, std::int32_t to, const std::vector<std::int32_t>& samples)
{
  Nearest nearest;
  for (const std::int32_t sample : samples)
    if (const double distance = sampleDistance(cell, to, sample); distance < nearest.distance)
      nearest = {distance, sample};
  return nearest;
}

/// The nearest part first, then the others to what there is by then.
Done joinParts(Morphology& cell, std::vector<Part>& parts, const RunControl& control)
{
  // The cell is the part with the soma; where several have one, or none has, the largest of them.
  const auto worth = [](const Part& part) { return std::pair(part.hasSoma, part.samples.size()); };
  std::vector<std::int32_t> joined = std::ranges::max_element(parts, {}, worth)->samples;
  const std::int32_t root = joined.front();
  std::erase_if(parts, [&](const Part& part) { return part.hasSoma || part.samples.front() == root; });
  if (parts.empty())
    return std::nullopt;
  std::vector<std::pair<double, std::size_t>> byDistance;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    control.checkpoint();
    byDistance.emplace_back(nearestOf(cell, parts[part].samples.front(), joined).distance, part);
  }
  std::ranges::sort(byDistance);
  double farthest = 0;
  std::size_t samples = 0;
  for (const auto& [distance, place] : byDistance) {
    control.checkpoint();
    const std::vector<std::int32_t>& part = parts[place].samples;
    const Nearest nearest = nearestOf(cell, part.front(), joined);
    cell.parent[part.front()] = nearest.sample;
    joined.insert(joined.end(), part.begin(), part.end());
    farthest = std::max(farthest, nearest.distance);
    samples += part.size();
  }
  completeMorphology(cell, control);
  return RepairChange{Repair::Parts, samples,
                      counted(parts.size(), "separate part", "separate parts") + " (" +
                          counted(samples, "sample", "samples") +
                          (parts.size() == 1 ? ") is joined to the nearest sample of the cell, "
                                             : ") are joined to the nearest sample of the cell, at most ") +
                          roundedText(farthest) + " µm away"};
}

Done mendParts(Morphology& cell, const RepairParameters& parameters, const RunControl& control)
{
  std::vector<Part> parts = partsOf(cell);
  if (parts.size() < 2)
    return std::nullopt;
  return parameters.parts == PartRule::Dropped ? dropParts(cell, parts, control) : joinParts(cell, parts, control);
}

Done makeSoma(Morphology& cell, const RepairParameters& parameters, const RunControl& control)
{
  if (std::ranges::count(cell.type, kSoma) > 0)
    return std::nullopt;
  const std::int32_t root = cell.roots.front();
  const double radius = parameters.somaRadius > 0 ? parameters.somaRadius : cell.solvedRadius[root];
  cell.type[root] = kSoma;
  cell.radius[root] = radius;
  const bool hasThree = parameters.soma == SomaRule::ThreePoints;
  if (hasThree)
    for (const double side : {-radius, radius}) {
      cell.id.push_back(std::ranges::max(cell.id) + 1);
      cell.type.push_back(kSoma);
      cell.x.push_back(cell.x[root]);
      cell.y.push_back(cell.y[root] + side);
      cell.z.push_back(cell.z[root]);
      cell.radius.push_back(radius);
      cell.parent.push_back(root);
      cell.line.push_back(0);
    }
  completeMorphology(cell, control);
  return RepairChange{Repair::Soma, std::size_t{hasThree ? 3U : 1U},
                      "the root, sample " + std::to_string(cell.id[root]) + ", becomes the soma, " +
                          (hasThree ? "three points" : "one sample") + " of radius " + roundedText(radius) + " µm"};
}

Done putInOrder(Morphology& cell, const RepairParameters&, const RunControl& control)
{
  bool isOrdered = true; // parents before children
  std::size_t renumbered = 0;
  for (std::size_t sample = 0; sample < cell.samples(); ++sample) {
    isOrdered = isOrdered && cell.parent[sample] < static_cast<std::int32_t>(sample);
    renumbered += cell.id[sample] != static_cast<std::int64_t>(sample) + 1;
  }
  if (isOrdered && renumbered == 0)
    return std::nullopt;
  if (!isOrdered)
    take(cell, std::vector(cell.order));
  std::iota(cell.id.begin(), cell.id.end(), 1);
  completeMorphology(cell, control);
  const std::string ids = "ids are 1 to " + countText(cell.samples());
  return isOrdered ? RepairChange{Repair::Order, renumbered, ids}
                   : RepairChange{Repair::Order, cell.samples(), "parents stand before their children, and " + ids};
}

std::string coordinatesText(const std::array<double, 3>& values)
{
  return "(" + roundedText(values[0]) + ", " + roundedText(values[1]) + ", " + roundedText(values[2]) + ")";
}

Done placeCell(Morphology& cell, const RepairParameters& parameters, const RunControl& control)
{
  const std::array<double, 3> none{};
  const std::array<double, 3> soma = somaCentreOf(cell);
  const CellPlace& place = parameters.place;
  const bool isMoved = place.isCentred && soma != none;
  if (!isMoved && place.turn == none && place.move == none)
    return std::nullopt;
  moveTo(place, cell, control);
  std::string sentence;
  const auto say = [&](const std::string& clause) { sentence += (sentence.empty() ? "" : ", and ") + clause; };
  if (isMoved)
    say("the soma is moved from " + coordinatesText(soma) + " to the origin");
  if (place.turn != none)
    say("the cell is turned by " + coordinatesText(place.turn) + " degrees about x, y and z");
  if (place.move != none)
    say("the cell is moved by " + coordinatesText(place.move) + " um");
  return RepairChange{Repair::Place, cell.samples(), std::move(sentence)};
}

using Mend = Done (*)(Morphology&, const RepairParameters&, const RunControl&);
constexpr std::array<Mend, kAllRepairs.size()> kMends = {scaleCell, fillRadii,  mendParts,
                                                         makeSoma,  putInOrder, placeCell};

/// What reading the file of a cell gives, with the warnings that are left.
std::shared_ptr<const Morphology> reread(const Morphology& cell, const RunControl& control)
{
  std::ostringstream text;
  writeSwc(cell, text);
  return parseSwc(text.str(), cell.path, {}, control);
}

} // namespace

RepairedCell repair(const std::shared_ptr<const Morphology>& cell, std::span<const Repair> wanted,
                    const RepairParameters& parameters, const RunControl& control)
{
  validateAllFields(fieldsOf(parameters));
  RepairedCell repaired{cell, {}};
  Morphology mended = *cell;
  for (const Repair repair : kAllRepairs) {
    control.checkpoint();
    if (std::ranges::find(wanted, repair) == wanted.end())
      continue;
    if (Done done = kMends[static_cast<std::size_t>(repair)](mended, parameters, control)) {
      mended.comments.push_back(" Repaired: " + done->sentence + ".");
      repaired.changes.push_back(std::move(*done));
    }
  }
  if (!repaired.changes.empty())
    repaired.morphology = reread(mended, control);
  return repaired;
}

} // namespace hinesight::morphology
