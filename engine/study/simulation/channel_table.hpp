#pragma once

#include "study/simulation/simulation_model.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hinesight::study {

/// A number of a region or of a mechanism on it.
struct ChannelNumber
{
  std::string name;
  double value;
  std::string unit;
  std::string range; ///< which values are possible, in words
};

struct ChannelRow
{
  std::int32_t mechanism; ///< of cell::allMechanisms()
  std::vector<ChannelNumber> numbers;
};

/// What the sections of an SWC type are made of.
struct RegionRow
{
  std::int32_t type;
  std::size_t sections, compartments;
  double area; ///< µm²
  std::vector<ChannelNumber> numbers;
  std::vector<ChannelRow> channels;
};

/// A cell model with how many cells have it.
struct ModelRow
{
  std::string name;
  std::size_t cells;
  std::vector<RegionRow> regions; ///< those that it has sections of
};

/// What the cells are made of, model by model.
std::vector<ModelRow> channelTable(const SimulationModel& model);

/// The mechanisms that any cell has, by their places in cell::allMechanisms().
std::vector<std::size_t> mechanismsOf(const SimulationModel& model);

} // namespace hinesight::study
