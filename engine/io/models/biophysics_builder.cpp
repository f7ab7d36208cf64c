#include "io/models/biophysics_builder.hpp"

namespace hinesight::io {

std::optional<std::int32_t> sectionType(const std::string& section)
{
  constexpr std::array kNames = {"soma", "axon", "dend", "apic"};
  for (std::size_t k = 0; k < kNames.size(); ++k)
    if (section == kNames[k])
      return kSectionTypes[k];
  return std::nullopt;
}

std::vector<double>& BiophysicsBuilder::parametersOf(std::int32_t mechanism, std::int32_t type)
{
  const auto [entry, isNew] = parameters.try_emplace({mechanism, type});
  if (isNew)
    for (const cell::MechanismParameter& parameter : mechanisms[mechanism].parameters)
      entry->second.push_back(parameter.usual);
  return entry->second;
}

std::vector<cell::Density> BiophysicsBuilder::densities() const
{
  std::vector<cell::Density> all;
  for (const auto& [place, values] : parameters)
    all.push_back({place.first, place.second, values});
  return all;
}

} // namespace hinesight::io
