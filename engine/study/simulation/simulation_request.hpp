#pragma once

#include "core/fields.hpp"
#include "simulation/parameters.hpp"

#include <cstdint>
#include <string>

namespace hinesight::study {

/// A current into the soma of a cell that is simulated by itself.
struct SomaCurrent
{
  double amplitude = 0.2; ///< nA
  double delay = 20;      ///< ms
  double duration = 1000; ///< ms

  bool operator==(const SomaCurrent&) const = default;
};

template <class Visitor>
void visitFields(SomaCurrent& p, Visitor&& visit)
{
  visit(Field{.name = "amplitude",
              .label = "Amplitude",
              .unit = "nA",
              .range = from(-100, 100),
              .slider = {-0.5, 1},
              .help = "The current into the middle of the soma; a circuit brings its own.",
              .section = {"Stimulus", "What drives the cell"}},
        p.amplitude);
  visit(Field{.name = "delay",
              .label = "From",
              .unit = "ms",
              .range = from(0, 1e9),
              .slider = {0, 1000},
              .help = "When the current begins."},
        p.delay);
  visit(Field{.name = "duration",
              .label = "For",
              .unit = "ms",
              .range = from(0, 1e9),
              .slider = {0, 5000},
              .help = "How long the current lasts."},
        p.duration);
}

/// In place of a file: the populations and connections of the project.
inline constexpr const char* kCircuitOfProject = ":circuit";

/// What is simulated, and how.
struct SimulationRequest
{
  std::string file; ///< a model of a cell, a configuration, one that comes with the program, or kCircuitOfProject;
                    ///< empty: nothing is open
  std::string morphology; ///< of a fit; empty: the only SWC file beside it
  std::uint64_t seed = 1; ///< for places of synapses that the edges do not say
  SomaCurrent current;    ///< of a fit
  simulation::SimulationParameters run;

  bool operator==(const SimulationRequest&) const = default;
};

template <class Visitor>
void visitFields(SimulationRequest& p, Visitor&& visit)
{
  visit(FieldGroup{.name = "current",
                   .title = "Stimulus",
                   .prefix = "current-",
                   .help = "A current into the soma of a cell that is simulated by itself."},
        p.current);
  visit(FieldGroup{.name = "run", .title = "Numerics", .help = "How a step is taken."}, p.run);
  visit(Field{.name = "seed",
              .label = "Seed",
              .range = from(0, 9e15),
              .help = "For places of synapses that the edges do not say."},
        p.seed);
  visit(Field{.name = "file",
              .label = "Model",
              .help = "The model of a cell, the configuration of a circuit, or \":circuit\": that of the session."},
        p.file);
  visit(Field{.name = "morphology",
              .label = "Morphology",
              .help = "Of a fit, the SWC file of its cell; empty: the only one beside it."},
        p.morphology);
}

} // namespace hinesight::study
