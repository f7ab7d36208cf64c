#include "study/simulation/channel_table.hpp"

#include "cell/mechanism.hpp"

#include <algorithm>

namespace hinesight::study {

namespace {

std::string rangeInWords(cell::MechanismParameter::Range range)
{
  switch (range) {
  case cell::MechanismParameter::Range::NotNegative:
    return "0 or more";
  case cell::MechanismParameter::Range::Positive:
    return "above 0";
  case cell::MechanismParameter::Range::Any:
    break;
  }
  return "any number";
}

const cell::Mechanism& mechanismAt(std::int32_t place)
{
  return cell::allMechanisms()[static_cast<std::size_t>(place)];
}

bool carries(const cell::Biophysics& biophysics, std::int32_t type, cell::Carrier carrier)
{
  return std::ranges::any_of(biophysics.densities, [&](const cell::Density& density) {
    return density.type == type && std::ranges::any_of(mechanismAt(density.mechanism).channels,
                                                       [&](const auto& channel) { return channel.carrier == carrier; });
  });
}

RegionRow regionOf(const cell::CellModel& model, std::int32_t type)
{
  RegionRow row{type, 0, 0, 0, {}, {}};
  const cell::CutCell& cut = model.cut;
  for (const cell::Section& section : cut.sections)
    row.sections += section.type == type ? 1 : 0;
  for (std::size_t node = 0; node < cut.nodes(); ++node)
    if (cut.sections[static_cast<std::size_t>(cut.section[node])].type == type) {
      row.compartments += cut.area[node] > 0 ? 1 : 0;
      row.area += cut.area[node];
    }
  const cell::Region& region = model.biophysics.regionOf(type);
  row.numbers = {{"cm", region.capacitance, "uF/cm2", "above 0"}, {"Ra", region.resistivity, "ohm cm", "above 0"}};
  if (carries(model.biophysics, type, cell::Carrier::Sodium))
    row.numbers.push_back({"ena", region.sodiumReversal, "mV", "any number"});
  if (carries(model.biophysics, type, cell::Carrier::Potassium))
    row.numbers.push_back({"ek", region.potassiumReversal, "mV", "any number"});
  for (const cell::Density& density : model.biophysics.densities) {
    if (density.type != type)
      continue;
    ChannelRow channel{density.mechanism, {}};
    const cell::Mechanism& mechanism = mechanismAt(density.mechanism);
    for (std::size_t k = 0; k < mechanism.parameters.size(); ++k) {
      const cell::MechanismParameter& parameter = mechanism.parameters[k];
      channel.numbers.push_back({std::string(parameter.name), density.parameters[k], std::string(parameter.unit),
                                 rangeInWords(parameter.range)});
    }
    row.channels.push_back(std::move(channel));
  }
  return row;
}

} // namespace

std::vector<ModelRow> channelTable(const SimulationModel& model)
{
  const simulation::Network& network = model.circuit.network;
  std::vector<ModelRow> rows;
  for (std::size_t k = 0; k < network.models.size(); ++k) {
    const cell::CellModel& cell = *network.models[k];
    ModelRow row{cell.name, static_cast<std::size_t>(std::ranges::count(network.modelOf, k)), {}};
    std::vector<std::int32_t> types;
    for (const cell::Section& section : cell.cut.sections)
      types.push_back(section.type);
    std::ranges::sort(types);
    types.erase(std::ranges::unique(types).begin(), types.end());
    for (const std::int32_t type : types)
      row.regions.push_back(regionOf(cell, type));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::size_t> mechanismsOf(const SimulationModel& model)
{
  std::vector<std::size_t> found;
  for (const auto& cell : model.circuit.network.models)
    for (const cell::Density& density : cell->biophysics.densities)
      found.push_back(static_cast<std::size_t>(density.mechanism));
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

} // namespace hinesight::study
