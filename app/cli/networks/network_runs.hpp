#pragma once

#include "app/cli/report.hpp"
#include "app/cli/session.hpp"
#include "study/formation/formation_study.hpp"
#include "study/growth/growth_study.hpp"
#include "study/growth/parameters.hpp"
#include "study/projection/projection_study.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace hinesight::cli {

// What the commands project, form and grow do, for sessions that do it too.

// --- project

Json toJson(const study::WrittenTable& run, const std::vector<std::string>& warnings);
void printText(std::ostream& stream, const study::WrittenTable& run);

// --- form

struct FormationSummary
{
  std::shared_ptr<const synapse::Formation> formation;
  std::vector<std::string> warnings; ///< sentences
};

/// Forms or reads the synapses, random neurons with the seed of the search. `output`: the file of the network; empty:
/// none. Throws as study::FormationStudy::run, requireDevice and study::exportNetwork.
FormationSummary form(study::FormationRequest request, const std::string& output, Session& session);
Json toJson(const FormationSummary& summary);
void printText(std::ostream& stream, const FormationSummary& summary);

// --- grow

/// Who grows, how far, and which files are written.
struct GrowOptions
{
  study::NeuronSource source{.placement = study::GrowthStudyParameters().placement};
  std::shared_ptr<const study::GrowthStart> start = {}; ///< in place of the source; null: the source
  std::uint32_t steps = 0;                              ///< of 1 ms, those of a resumed run included
  std::string records, neuronLog, areaLog, output;      ///< empty: none
  std::uint32_t recordEvery = 100, monitorEvery = 100;  ///< steps
  std::vector<std::uint32_t> monitored;
  std::string checkpoint;
  std::uint32_t checkpointEvery = 0; ///< steps; 0: at the end alone, and where the run is interrupted
  bool resume = false;
  bool overwrite = false; ///< the checkpoint, where it is there

  /// Whether it writes a checkpoint. One that it only goes on from stays as it is.
  bool keepsModel() const { return !checkpoint.empty() && (checkpointEvery > 0 || !resume); }
};

/// What this run of the program did.
struct GrowRun
{
  std::uint32_t steps = 0;
  std::uint64_t created = 0, deleted = 0; ///< synapses
};

struct GrowReport
{
  std::shared_ptr<const study::GrowthStudy> study; ///< with the model as it stands
  GrowRun run;
  std::uint64_t synapses;
  std::size_t enabled;            ///< neurons
  double meanCalcium, meanTarget; ///< of these
  StageTimings timings;

  /// Between connectivity updates.
  double stepsPerSecond() const
  {
    const double ms = timings.of("electrical") + timings.of("growth");
    return ms > 0 ? 1e3 * run.steps / ms : 0;
  }
};

/// Grows a network, random neurons with the seed of the search. Throws as study::GrowthStudy, requireDevice and
/// study::exportNetwork; Error(BadParameter) and UsageError for options that contradict each other.
GrowReport grow(const GrowOptions& options, const synapse::PlasticityParameters& parameters, Session& session);
Json toJson(const GrowReport& r);
void printText(std::ostream& stream, const GrowReport& r);

} // namespace hinesight::cli
