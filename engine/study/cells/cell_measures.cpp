#include "study/cells/cell_measures.hpp"

#include "core/text.hpp"
#include "io/csv.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

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

CellMeasures measureCell(const std::string& file, const morphology::Morphology& morphology, double shollStep,
                         const RunControl& control)
{
  CellMeasures measures;
  measures.file = file;
  measures.branches = morphology::measureBranches(morphology, morphology::findBranches(morphology), control);
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
  case BranchQuantity::Angle:
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
  case BranchQuantity::Angle:
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

} // namespace

BranchHistogram histogramOf(std::span<const CellMeasures> cells, BranchQuantity quantity)
{
  constexpr double kClasses = 20;
  double most = 0;
  for (const CellMeasures& cell : cells)
    for (const BranchMeasures& branch : cell.branches)
      most = std::fmax(most, valueOf(quantity, branch));
  BranchHistogram histogram{quantity, quantity == BranchQuantity::Order ? 1 : roundWidth(most / kClasses), {}};
  for (const CellMeasures& cell : cells) {
    std::vector<std::uint32_t>& counts = histogram.counts.emplace_back();
    for (const BranchMeasures& branch : cell.branches) {
      const double value = valueOf(quantity, branch);
      if (std::isnan(value))
        continue;
      const auto place = static_cast<std::size_t>(value / histogram.width);
      counts.resize(std::max(counts.size(), place + 1));
      ++counts[place];
    }
  }
  return histogram;
}

void writeBranchTable(std::span<const CellMeasures> cells, std::ostream& stream)
{
  stream << "file,branch,parent,type,order,strahler,samples,length um,distance um,contraction,mean diameter um,area "
            "um2,volume um3,start path um,end path um,tip,local angle deg,remote angle deg\n";
  for (const CellMeasures& cell : cells)
    for (const BranchMeasures& b : cell.branches)
      stream << io::quoteCsv(cell.file) << ',' << b.branch << ',' << b.parent << ',' << b.type << ',' << b.order << ','
             << b.strahler << ',' << b.samples << ',' << textOf(b.length) << ',' << textOf(b.distance) << ','
             << textOf(b.contraction()) << ',' << textOf(b.meanDiameter) << ',' << textOf(b.area) << ','
             << textOf(b.volume) << ',' << textOf(b.startPath) << ',' << textOf(b.endPath) << ',' << (b.isTip ? 1 : 0)
             << ',' << cellOf(b.localAngle) << ',' << cellOf(b.remoteAngle) << '\n';
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
