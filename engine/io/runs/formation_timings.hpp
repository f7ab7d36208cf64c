#pragma once

#include "synapse/formation/formation.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace hinesight::io {

/// One formation of synapses: what there was to do, and what each stage took.
struct FormationRun
{
  std::size_t neurons = 0;
  std::uint64_t vacantAxons = 0;
  std::uint64_t synapses = 0;
  synapse::SearchParameters search;
  double meanDistance = 0; ///< um
  StageTimings timings;
  std::vector<Setting> settings; ///< every parameter, and where the neurons are from
};

FormationRun summarize(const synapse::Formation& formation, std::uint64_t synapses);

/// CSV, a line for each stage of each run (from 1), or JSON, a list of objects {neurons, vacantAxons, synapses, theta,
/// search, backend, device, meanDistance, stages: [{name, milliseconds}], milliseconds, settings: {name: text}}, by the
/// ending of the path; in CSV the settings are lines "name=text". Throws Error(WriteFailed).
void writeFormationTimings(const std::vector<FormationRun>& runs, const std::filesystem::path& path);

} // namespace hinesight::io
