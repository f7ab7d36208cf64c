#include "study/cells/cell_measures.hpp"

#include "cable/discretization.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "hines/branch/branching.hpp"
#include "io/csv.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <ostream>
#include <utility>

namespace hinesight::study {

namespace {

using morphology::BranchMeasures;
using morphology::TypeMeasures;

/// What NaN is left out for.
std::string cellOf(double value)
{
  return std::isnan(value) ? std::string() : textOf(value);
}

} // namespace

namespace {

/// Per branch of the morphology.
std::vector<BranchPlace> placesInFile(const morphology::BranchTree& tree)
{
  std::vector<BranchPlace> places;
  for (std::size_t k = 0; k < tree.branches(); ++k)
    places.push_back({static_cast<std::int32_t>(k) + 1, tree.parent[k] + 1,
                      tree.sample[static_cast<std::size_t>(tree.sampleBegin[k + 1] - 1)]});
  return places;
}

/// The same, numbered as the branches of the dependency tree, which do not depend on how fine compartments are.
std::vector<BranchPlace> placesInViews(const morphology::Morphology& morphology,
                                       const std::shared_ptr<const morphology::BranchTree>& tree,
                                       const RunControl& control)
{
  std::vector<BranchPlace> places = placesInFile(*tree);
  const std::shared_ptr<const morphology::Morphology> borrowed(std::shared_ptr<void>(), &morphology);
  const auto discretization = cable::discretize(borrowed, tree, {}, control);
  const hines::PlannedShape shape =
      hines::detail::buildShape(hines::detail::rootAsRead(discretization->parent), 0, control);
  std::vector<std::int32_t> branchOf(discretization->compartments());
  for (std::size_t branch = 0; branch < shape.tree.branches(); ++branch)
    for (std::int32_t k = 0; k < shape.tree.length[branch]; ++k) {
      const auto planned = static_cast<std::size_t>(shape.tree.first[branch] + k);
      branchOf[static_cast<std::size_t>(shape.compartment[planned])] = static_cast<std::int32_t>(branch);
    }
  for (BranchPlace& place : places) {
    const std::int32_t compartment = discretization->ofSample[static_cast<std::size_t>(place.lastSample)];
    const std::int32_t branch = branchOf[static_cast<std::size_t>(compartment)];
    place.number = branch + 1;
    place.parent = shape.tree.parent[static_cast<std::size_t>(branch)] + 1;
  }
  return places;
}

/// A branch stays behind the one that it hangs on, whose number is no greater.
void sortByNumber(CellMeasures& measures, const std::vector<BranchPlace>& places)
{
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t branch) { return places[branch].number; });
  std::vector<std::int32_t> newPlace(order.size());
  for (std::size_t place = 0; place < order.size(); ++place)
    newPlace[order[place]] = static_cast<std::int32_t>(place);
  const std::vector<BranchMeasures> before = std::exchange(measures.branches, {});
  for (const std::size_t branch : order) {
    BranchMeasures& moved = measures.branches.emplace_back(before[branch]);
    moved.branch = newPlace[branch];
    moved.parent = moved.parent < 0 ? -1 : newPlace[static_cast<std::size_t>(moved.parent)];
    measures.places.push_back(places[branch]);
  }
  for (std::int32_t& branch : measures.branchOf)
    branch = branch < 0 ? -1 : newPlace[static_cast<std::size_t>(branch)];
}

} // namespace

CellMeasures measureCell(const std::string& file, const morphology::Morphology& morphology, double shollStep,
                         const RunControl& control)
{
  CellMeasures measures;
  measures.file = file;
  const auto tree = std::make_shared<const morphology::BranchTree>(morphology::findBranches(morphology));
  measures.branches = morphology::measureBranches(morphology, *tree, control);
  measures.branchOf = tree->ofSample;
  try {
    sortByNumber(measures, placesInViews(morphology, tree, control));
  } catch (const Error& error) {
    if (error.code() == ErrorCode::Cancelled)
      throw;
    measures.places = placesInFile(*tree);
  }
  measures.types = morphology::totalsByType(measures.branches);
  if (shollStep > 0)
    measures.sholl = morphology::sholl(morphology, morphology::somaCentreOf(morphology), shollStep, {}, control);
  return measures;
}

std::string_view unitOf(BranchQuantity quantity)
{
  switch (quantity) {
  case BranchQuantity::Length:
  case BranchQuantity::Diameter:
  case BranchQuantity::PathDistance:
    return "um";
  case BranchQuantity::LocalAngle:
  case BranchQuantity::RemoteAngle:
    return "deg";
  case BranchQuantity::Order:
  case BranchQuantity::Contraction:
    break;
  }
  return {};
}

double valueOf(BranchQuantity quantity, const BranchMeasures& branch)
{
  switch (quantity) {
  case BranchQuantity::Length:
    return branch.length;
  case BranchQuantity::Diameter:
    return branch.meanDiameter;
  case BranchQuantity::Order:
    return branch.order;
  case BranchQuantity::PathDistance:
    return branch.endPath;
  case BranchQuantity::LocalAngle:
    return branch.localAngle;
  case BranchQuantity::RemoteAngle:
    return branch.remoteAngle;
  case BranchQuantity::Contraction:
    break;
  }
  return branch.contraction();
}

namespace {

/// The least of 1, 2 and 5 times the powers of ten that is not below; 1 of what is not above 0.
double roundWidth(double least)
{
  if (!(least > 0))
    return 1;
  const double decade = std::pow(10, std::floor(std::log10(least)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (digit * decade >= least)
      return digit * decade;
  return 10 * decade;
}

void addTo(std::vector<std::uint32_t>& counts, std::optional<std::size_t> place)
{
  if (!place)
    return;
  counts.resize(std::max(counts.size(), *place + 1));
  ++counts[*place];
}

/// The branch of a segment that crosses spheres, which is no root's.
std::size_t placeOf(const CellMeasures& cell, const morphology::ShollCrossing& crossing)
{
  return static_cast<std::size_t>(cell.branchOf[static_cast<std::size_t>(crossing.sample)]);
}

} // namespace

std::optional<std::size_t> BranchHistogram::classOf(const BranchMeasures& branch) const
{
  const double value = valueOf(quantity, branch);
  if (std::isnan(value) || branch.type == morphology::kSoma)
    return std::nullopt;
  return static_cast<std::size_t>(value / width);
}

BranchHistogram histogramOf(std::span<const CellMeasures> cells, BranchQuantity quantity)
{
  constexpr double kClasses = 20;
  double most = 0;
  for (const CellMeasures& cell : cells)
    for (const BranchMeasures& branch : cell.branches)
      if (branch.type != morphology::kSoma)
        most = std::fmax(most, valueOf(quantity, branch));
  BranchHistogram histogram{quantity, quantity == BranchQuantity::Order ? 1 : roundWidth(most / kClasses), {}};
  for (const CellMeasures& cell : cells) {
    std::vector<std::uint32_t>& counts = histogram.counts.emplace_back();
    for (const BranchMeasures& branch : cell.branches)
      addTo(counts, histogram.classOf(branch));
  }
  return histogram;
}

std::vector<std::int32_t> branchesInClasses(const CellMeasures& cell, const BranchHistogram& histogram,
                                            std::size_t first, std::size_t end)
{
  std::vector<std::int32_t> found;
  for (std::size_t branch = 0; branch < cell.branches.size(); ++branch)
    if (const auto place = histogram.classOf(cell.branches[branch]); place && *place >= first && *place < end)
      found.push_back(static_cast<std::int32_t>(branch));
  return found;
}

std::vector<std::uint32_t> countInClasses(const CellMeasures& cell, const BranchHistogram& histogram,
                                          std::span<const std::int32_t> branches)
{
  std::vector<std::uint32_t> counts;
  for (const std::int32_t branch : branches)
    addTo(counts, histogram.classOf(cell.branches[static_cast<std::size_t>(branch)]));
  return counts;
}

std::vector<std::int32_t> branchesThroughSpheres(const CellMeasures& cell, std::size_t first, std::size_t end)
{
  std::vector<bool> isThere(cell.branches.size(), false);
  for (const morphology::ShollCrossing& crossing : cell.sholl.crossings)
    if (crossing.first < end && crossing.end > first)
      isThere[placeOf(cell, crossing)] = true;
  std::vector<std::int32_t> found;
  for (std::size_t branch = 0; branch < isThere.size(); ++branch)
    if (isThere[branch])
      found.push_back(static_cast<std::int32_t>(branch));
  return found;
}

std::vector<std::uint32_t> intersectionsOf(const CellMeasures& cell, std::span<const std::int32_t> branches)
{
  std::vector<bool> isWanted(cell.branches.size(), false);
  for (const std::int32_t branch : branches)
    isWanted[static_cast<std::size_t>(branch)] = true;
  std::vector<std::int64_t> changes(cell.sholl.intersections.size() + 1, 0); // from one sphere to the next
  for (const morphology::ShollCrossing& crossing : cell.sholl.crossings)
    if (isWanted[placeOf(cell, crossing)]) {
      ++changes[crossing.first];
      --changes[crossing.end];
    }
  std::vector<std::uint32_t> counts;
  std::int64_t count = 0;
  for (std::size_t sphere = 0; sphere < cell.sholl.intersections.size(); ++sphere)
    counts.push_back(static_cast<std::uint32_t>(count += changes[sphere]));
  return counts;
}

void writeBranchTable(std::span<const CellMeasures> cells, std::ostream& stream)
{
  stream << "file,branch,parent,type,order,strahler,samples,length um,straight distance um,contraction,mean diameter "
            "um,area "
            "um2,volume um3,start path um,end path um,tip,local angle deg,remote angle deg\n";
  for (const CellMeasures& cell : cells)
    for (const BranchMeasures& b : cell.branches) {
      const BranchPlace& place = cell.places[static_cast<std::size_t>(b.branch)];
      const std::string parent = place.parent > 0 ? std::to_string(place.parent) : std::string();
      stream << io::quoteCsv(cell.file) << ',' << place.number << ',' << parent << ',' << b.type << ',' << b.order
             << ',' << b.strahler << ',' << b.samples << ',' << textOf(b.length) << ',' << textOf(b.distance) << ','
             << textOf(b.contraction()) << ',' << textOf(b.meanDiameter) << ',' << textOf(b.area) << ','
             << textOf(b.volume) << ',' << textOf(b.startPath) << ',' << textOf(b.endPath) << ',' << (b.isTip ? 1 : 0)
             << ',' << cellOf(b.localAngle) << ',' << cellOf(b.remoteAngle) << '\n';
    }
}

void writeTypeTable(std::span<const CellMeasures> cells, std::ostream& stream)
{
  stream << "file,type,name,branches,tips,bifurcations,max order,length um,area um2,volume um3,max path um\n";
  for (const CellMeasures& cell : cells)
    for (const TypeMeasures& t : cell.types)
      stream << io::quoteCsv(cell.file) << ',' << t.type << ',' << io::quoteCsv(morphology::typeName(t.type)) << ','
             << t.branches << ',' << t.tips << ',' << t.bifurcations << ',' << t.maxOrder << ',' << textOf(t.length)
             << ',' << textOf(t.area) << ',' << textOf(t.volume) << ',' << textOf(t.maxPath) << '\n';
}

void writeShollTable(std::span<const CellMeasures> cells, std::ostream& stream)
{
  stream << "file,radius um,intersections\n";
  for (const CellMeasures& cell : cells)
    for (std::size_t k = 0; k < cell.sholl.intersections.size(); ++k)
      stream << io::quoteCsv(cell.file) << ',' << textOf(cell.sholl.radius(k)) << ',' << cell.sholl.intersections[k]
             << '\n';
}

void writeHistogram(std::span<const CellMeasures> cells, BranchQuantity quantity, std::ostream& stream)
{
  const BranchHistogram histogram = histogramOf(cells, quantity);
  const std::string unit(unitOf(quantity));
  const std::string behind = unit.empty() ? unit : " " + unit;
  stream << "file,from" << behind << ",to" << behind << ",branches\n";
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    for (std::size_t k = 0; k < histogram.counts[cell].size(); ++k)
      stream << io::quoteCsv(cells[cell].file) << ',' << textOf(static_cast<double>(k) * histogram.width) << ','
             << textOf(static_cast<double>(k + 1) * histogram.width) << ',' << histogram.counts[cell][k] << '\n';
}

} // namespace hinesight::study
