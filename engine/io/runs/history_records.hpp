#pragma once

#include "hines/bench/benchmark.hpp"
#include "io/runs/formation_timings.hpp"
#include "io/runs/run_record.hpp"
#include "projection/benchmark.hpp"
#include "projection/weight_table.hpp"
#include "simulation/parameters.hpp"
#include "synapse/plasticity/plasticity.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::io {

// Records of what is no solve, so that one history holds all runs. `parameters` names those that are not at their
// defaults.

/// "E → I": the source of a table's record.
std::string joinInWords(const std::string& source, const std::string& target);
/// The same of synapses that were formed.
inline constexpr std::string_view kFormedInWords = "formed synapses";
/// With the connection of the circuit that was made: "EI: E → I".
std::string nameConnection(const std::string& connection, const std::string& source);
/// The connection of a record whose source is `source` but for its name; empty: it names none. nullopt: it is of
/// something else.
std::optional<std::string> connectionOf(const RunRecord& run, std::string_view source);

/// `file`: that the table was read from; empty: it was made. `timings`: of the whole run. `more`: settings beside those
/// of the projection.
RunRecord recordOf(const projection::WeightTable& table, const std::string& file, StageTimings timings,
                   std::span<const Setting> more = {});
/// `file`: that the synapses were read from; empty: they were formed.
RunRecord recordOf(const FormationRun& run, const std::string& file);
/// So many steps of a model; `beginning` in words.
RunRecord recordOfGrowth(const synapse::PlasticityParameters& parameters, const std::string& beginning,
                         std::size_t neurons, std::uint32_t steps, StageTimings timings);
/// What was simulated.
struct SimulatedNetwork
{
  std::string source; ///< in words
  std::vector<std::string> files;
  std::size_t cells = 0;
  std::size_t compartments = 0;
  double milliseconds = 0; ///< of simulated time that this run took it further
};
/// `more`: what it takes to run them again, besides files and parameters; `spent`: ms that the simulation itself took.
RunRecord recordOfSimulation(const SimulatedNetwork& network, const simulation::SimulationParameters& parameters,
                             std::span<const Setting> more, double spent, StageTimings timings);
/// A case that did not fail.
RunRecord recordOf(const hines::BenchmarkRow& row);
/// One for each way that was measured: CPU, CUDA, CUDA with the table left on the device.
std::vector<RunRecord> recordsOf(const projection::BenchmarkPoint& point);

} // namespace hinesight::io
