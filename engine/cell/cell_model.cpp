#include "cell/cell_model.hpp"

#include "core/text.hpp"
#include "morphology/morphology.hpp"

#include <cmath>

namespace hinesight::cell {

namespace {

using Range = MechanismParameter::Range;

bool isIn(double value, Range range)
{
  return std::isfinite(value) && (range == Range::Any || value > 0 || (range == Range::NotNegative && value == 0));
}

std::string placeOf(std::int32_t type)
{
  return type == kPlaced ? "at places of its own" : "on the " + std::string(morphology::typeName(type));
}

std::string sentenceOf(const std::string& what, std::int32_t type, double value, Range range)
{
  return what + " " + placeOf(type) + " is " + textOf(value) +
         (range == Range::Positive      ? "; it has to be above 0."
          : range == Range::NotNegative ? "; it has to be 0 or more."
                                        : "; it has to be a finite number.");
}

/// The values of regions, how they are called, and what is possible.
struct RegionValue
{
  const char* name;
  double Region::*what;
  Range range;
};
constexpr RegionValue kRegionValues[] = {
    {"The capacitance", &Region::capacitance, Range::Positive},
    {"The resistivity", &Region::resistivity, Range::Positive},
    {"The reversal potential of sodium", &Region::sodiumReversal, Range::Any},
    {"The reversal potential of potassium", &Region::potassiumReversal, Range::Any}};

std::optional<std::string> problemOf(const Density& density, const MechanismCatalogue& mechanisms)
{
  if (density.mechanism < 0 || static_cast<std::size_t>(density.mechanism) >= mechanisms.size())
    return "A density is of the mechanism " + std::to_string(density.mechanism) + ", which there is not.";
  const Mechanism& mechanism = mechanisms[density.mechanism];
  if (density.parameters.size() != mechanism.parameters.size())
    return mechanism.name + " " + placeOf(density.type) + " has " + std::to_string(density.parameters.size()) +
           " parameters; it needs " + std::to_string(mechanism.parameters.size()) + ".";
  for (std::size_t k = 0; k < mechanism.parameters.size(); ++k)
    if (!isIn(density.parameters[k], mechanism.parameters[k].range))
      return sentenceOf(mechanism.parameters[k].name + " of " + mechanism.name, density.type, density.parameters[k],
                        mechanism.parameters[k].range);
  return std::nullopt;
}

/// Places that a cell has not, or that are no part of it.
std::optional<std::string> problemOf(const std::vector<NodeShare>& places, const std::string& what, std::size_t nodes)
{
  constexpr double kRounding = 1e-9;
  for (const NodeShare& place : places) {
    if (place.node < 0 || static_cast<std::size_t>(place.node) >= nodes)
      return what + " is at the node " + std::to_string(place.node) + "; the cell has " + std::to_string(nodes) +
             " nodes.";
    if (!(place.share > 0 && place.share <= 1 + kRounding))
      return what + " is on " + textOf(place.share) + " of the node " + std::to_string(place.node) +
             "; above 0 to 1 is possible.";
  }
  return std::nullopt;
}

} // namespace

const Region& Biophysics::regionOf(std::int32_t type) const
{
  static const Region kUsual;
  const auto found = regions.find(type);
  return found == regions.end() ? kUsual : found->second;
}

std::optional<std::string> problemOf(const Biophysics& biophysics)
{
  for (const auto& [type, region] : biophysics.regions)
    for (const RegionValue& value : kRegionValues)
      if (!isIn(region.*value.what, value.range))
        return sentenceOf(value.name, type, region.*value.what, value.range);
  for (const PaintedValue& painted : biophysics.painted)
    for (const RegionValue& value : kRegionValues)
      if (value.what == painted.what && !isIn(painted.value, value.range))
        return sentenceOf(value.name, kPlaced, painted.value, value.range);
  for (const Density& density : biophysics.densities)
    if (auto problem = problemOf(density, biophysics.mechanisms))
      return problem;
  if (!std::isfinite(biophysics.startPotential))
    return "The potential at the start is no finite number.";
  constexpr double kAbsoluteZero = -273.15; // degrees Celsius
  if (!(biophysics.celsius > kAbsoluteZero && biophysics.celsius < 100))
    return "The temperature is " + textOf(biophysics.celsius) + " degrees Celsius; cells live below 100.";
  return std::nullopt;
}

std::optional<std::string> problemOf(const CellModel& model)
{
  if (auto problem = problemOf(model.biophysics))
    return problem;
  for (const Density& density : model.biophysics.densities)
    if (auto problem =
            problemOf(density.places, model.biophysics.mechanisms[density.mechanism].name, model.cut.nodes()))
      return problem;
  for (const PaintedValue& painted : model.biophysics.painted)
    if (auto problem = problemOf(painted.places, "A painted value", model.cut.nodes()))
      return problem;
  return std::nullopt;
}

std::vector<Region> regionsOfNodes(const CellModel& model)
{
  const CutCell& cut = model.cut;
  std::vector<Region> regions;
  regions.reserve(cut.nodes());
  for (std::size_t node = 0; node < cut.nodes(); ++node)
    regions.push_back(model.biophysics.regionOf(cut.sections[static_cast<std::size_t>(cut.section[node])].type));
  if (model.biophysics.painted.empty())
    return regions;
  const std::vector<Region> usual = regions;
  for (const PaintedValue& painted : model.biophysics.painted)
    for (const NodeShare& place : painted.places) {
      const auto node = static_cast<std::size_t>(place.node);
      regions[node].*painted.what += place.share * (painted.value - usual[node].*painted.what);
    }
  for (std::size_t node = 1; node < cut.nodes(); ++node)
    if (const auto parent = static_cast<std::size_t>(cut.parent[node]);
        cut.area[node] == 0 && cut.section[parent] == cut.section[node])
      regions[node] = regions[parent];
  return regions;
}

} // namespace hinesight::cell
