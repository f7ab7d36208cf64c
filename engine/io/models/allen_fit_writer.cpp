#include "cell/mechanism.hpp"
#include "core/files.hpp"
#include "io/models/allen_fit.hpp"
#include "io/models/biophysics_builder.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace hinesight::io {

namespace {

using Json = nlohmann::ordered_json;

std::string nameOfSections(std::int32_t type)
{
  constexpr std::array kNames = {"soma", "axon", "dend", "apic"};
  const auto found = std::ranges::find(kSectionTypes, type);
  return found == kSectionTypes.end() ? std::to_string(type)
                                      : kNames[static_cast<std::size_t>(found - kSectionTypes.begin())];
}

bool hasIon(const cell::Biophysics& biophysics, std::int32_t type)
{
  return std::ranges::any_of(biophysics.densities, [&](const cell::Density& density) {
    const auto& channels = biophysics.mechanisms[density.mechanism].channels;
    return density.type == type && std::ranges::any_of(channels, [](const cell::ChannelUse& use) {
             return use.carrier == cell::Carrier::Sodium || use.carrier == cell::Carrier::Potassium;
           });
  });
}

double leakReversalOf(const cell::Biophysics& biophysics, std::int32_t type)
{
  for (const cell::Density& density : biophysics.densities)
    if (density.mechanism == cell::kPassive && density.type == type)
      return density.parameters[1];
  return cell::allMechanisms()[cell::kPassive].parameters[1].usual;
}

} // namespace

std::string allenFitText(const cell::Biophysics& biophysics)
{
  Json reversals = Json::array(), genome = Json::array(), capacitances = Json::array();
  for (const auto& [type, region] : biophysics.regions) {
    const std::string section = nameOfSections(type);
    if (hasIon(biophysics, type)) // other readers refuse reversal potentials where no channel has them
      reversals.push_back({{"section", section}, {"ena", region.sodiumReversal}, {"ek", region.potassiumReversal}});
    capacitances.push_back({{"section", section}, {"cm", region.capacitance}});
    const auto add = [&](const char* name, double value) {
      genome.push_back({{"section", section}, {"name", name}, {"mechanism", ""}, {"value", value}});
    };
    add("cm", region.capacitance);
    add("Ra", region.resistivity);
  }
  for (const cell::Density& density : biophysics.densities) {
    const cell::Mechanism& mechanism = biophysics.mechanisms[density.mechanism];
    const std::string& name = mechanism.name;
    for (std::size_t k = 0; k < mechanism.parameters.size(); ++k)
      genome.push_back({{"section", nameOfSections(density.type)},
                        {"name", mechanism.parameters[k].name + "_" + name},
                        {"mechanism", density.mechanism == cell::kPassive ? std::string() : name},
                        {"value", density.parameters[k]}});
  }
  const Json root = {
      {"passive", Json::array({{{"ra", biophysics.regionOf(morphology::kSoma).resistivity},
                                {"e_pas", leakReversalOf(biophysics, morphology::kSoma)},
                                {"cm", std::move(capacitances)}}})},
      {"conditions",
       Json::array(
           {{{"celsius", biophysics.celsius}, {"v_init", biophysics.startPotential}, {"erev", std::move(reversals)}}})},
      {"fitting", Json::array({{{"junction_potential", biophysics.junctionPotential}, {"sweeps", Json::array()}}})},
      {"genome", std::move(genome)}};
  return root.dump(2) + "\n";
}

void writeAllenFit(const cell::Biophysics& biophysics, const std::filesystem::path& path)
{
  const std::string text = allenFitText(biophysics);
  writeFileAtomically(path, [&](std::ostream& stream) { stream << text; });
}

} // namespace hinesight::io
