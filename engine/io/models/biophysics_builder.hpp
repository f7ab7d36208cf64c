#pragma once

#include "cell/cell_model.hpp"
#include "morphology/morphology.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::io {

/// The SWC types that models name by sections: soma, axon, dend, apic.
inline constexpr std::array kSectionTypes = {morphology::kSoma, morphology::kAxon, morphology::kBasalDendrite,
                                             morphology::kApicalDendrite};

/// None for a section of another name.
std::optional<std::int32_t> sectionType(const std::string& section);

/// Mechanisms of a model, gathered parameter by parameter.
class BiophysicsBuilder
{
public:
  /// `catalogue` outlives it.
  explicit BiophysicsBuilder(const cell::MechanismCatalogue& catalogue) : mechanisms(catalogue) {}

  /// Those of a mechanism on a type of sections; the usual ones at first.
  std::vector<double>& parametersOf(std::int32_t mechanism, std::int32_t type);
  std::vector<cell::Density> densities() const;

private:
  const cell::MechanismCatalogue& mechanisms;
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<double>> parameters;
};

} // namespace hinesight::io
