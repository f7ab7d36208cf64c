#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "simulation/simulation.hpp"
#include "study/simulation/simulation_model.hpp"
#include "study/simulation/voltage_frames.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hinesight::study {

/// What a person changes while a simulation runs.
using LiveFactors = simulation::Adjustments;

/// The same with the time from which on it acts.
struct LiveChange
{
  double time = 0; ///< ms
  LiveFactors factors;

  bool operator==(const LiveChange&) const = default;
};

/// "NaTs x 0.5, temperature 30 °C": what differs from one to the next.
std::string describeChange(const LiveFactors& before, const LiveFactors& after);

/// A model while it runs, as a page looks at it: with frames of its potentials, with what is new of its spikes and
/// records, and with what a person changes.
class LiveSimulation
{
public:
  /// Throws as simulation::Simulation.
  LiveSimulation(std::shared_ptr<const SimulationModel> model, const simulation::SimulationParameters& parameters,
                 const std::vector<simulation::Probe>& probes);

  double time() const { return simulation.time(); }
  /// That it has done.
  std::int64_t step() const;
  /// Throws as Simulation::runUntil; what is out of bounds is named by its cell.
  void runUntil(double time, const RunControl& control = {});

  SharedFrame frame() const;
  /// Those since the last call.
  std::vector<simulation::Spike> takeSpikes();
  /// The values since the last call. Probes are counted in the order in which they came.
  std::vector<float> takeRecord(std::size_t probe);
  std::size_t probes() const { return taken.size(); }
  /// Its first value is that of the next step.
  void addProbe(const simulation::Probe& probe);
  /// Acts from the next step on.
  void adjust(const LiveFactors& factors);

  /// What its steps took, ms in all.
  const StageTimings& stages() const { return simulation.stages(); }
  /// How often a compartment was taken a step further.
  double compartmentSteps() const { return simulation.compartmentSteps(); }

  /// The states alone.
  simulation::Checkpoint checkpoint() const { return simulation.checkpoint(); }
  void restore(const simulation::Checkpoint& checkpoint);

private:
  std::shared_ptr<const SimulationModel> model;
  simulation::SimulationParameters parameters;
  simulation::Simulation simulation;
  std::size_t takenSpikes = 0;
  std::vector<std::size_t> taken; ///< values of each record
};

} // namespace hinesight::study
