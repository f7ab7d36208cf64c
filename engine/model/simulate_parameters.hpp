#pragma once

#include "core/fields.hpp"
#include "simulation/parameters.hpp"

namespace hinesight::model {

/// How a circuit is simulated.
struct SimulateParameters
{
  double stop = 1000;         ///< ms
  double threshold = -15;     ///< mV
  double longestSegment = 40; ///< µm
  simulation::SimulationParameters parameters;

  bool operator==(const SimulateParameters&) const = default;
};

template <typename Visitor>
void visitFields(SimulateParameters& r, Visitor&& visit)
{
  visit(Field{.name = "tstop",
              .label = "Until",
              .unit = "ms",
              .range = above(0, 1e9),
              .slider = {10, 10000, true},
              .help = "When the simulation ends; it begins at 0."},
        r.stop);
  visit(Field{.name = "threshold",
              .label = "Threshold",
              .unit = "mV",
              .range = from(-1000, 1000),
              .slider = {-60, 20},
              .help = "A cell spikes where the potential of its soma rises through it."},
        r.threshold);
  visit(Field{.name = "longest-segment",
              .label = "Longest segment",
              .unit = "µm",
              .range = above(0, 1e6),
              .slider = {1, 100, true},
              .help = "A section of length L has 1 + 2 floor(L / longest) segments, as NEURON's users cut them."},
        r.longestSegment);
  visit(FieldGroup{"simulation", "Simulation", "", "How the steps are taken."}, r.parameters);
}

} // namespace hinesight::model
