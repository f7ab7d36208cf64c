#include "cell/cell_model.hpp"

#include "cell/mechanism.hpp"
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

std::string sentenceOf(const std::string& what, std::int32_t type, double value, Range range)
{
  return what + " of the " + morphology::typeName(type) + " is " + textOf(value) +
         (range == Range::Positive      ? "; it has to be above 0."
          : range == Range::NotNegative ? "; it has to be 0 or more."
                                        : "; it has to be a finite number.");
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
    for (const auto& [name, value, range] :
         {std::tuple("The capacitance", region.capacitance, Range::Positive),
          std::tuple("The resistivity", region.resistivity, Range::Positive),
          std::tuple("The reversal potential of sodium", region.sodiumReversal, Range::Any),
          std::tuple("The reversal potential of potassium", region.potassiumReversal, Range::Any)})
      if (!isIn(value, range))
        return sentenceOf(name, type, value, range);
  for (const Density& density : biophysics.densities) {
    const Mechanism& mechanism = allMechanisms()[static_cast<std::size_t>(density.mechanism)];
    for (std::size_t k = 0; k < mechanism.parameters.size(); ++k)
      if (!isIn(density.parameters[k], mechanism.parameters[k].range))
        return sentenceOf(std::string(mechanism.parameters[k].name) + " of " + std::string(mechanism.name) +
                              " on sections",
                          density.type, density.parameters[k], mechanism.parameters[k].range);
  }
  if (!std::isfinite(biophysics.startPotential))
    return "The potential at the start is no finite number.";
  return std::nullopt;
}

} // namespace hinesight::cell
