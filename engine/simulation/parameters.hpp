#pragma once

#include "core/devices_field.hpp"
#include "core/fields.hpp"
#include "core/stage_timings.hpp"

#include <cstdint>
#include <span>

namespace hinesight::simulation {

enum class Scheme
{
  CrankNicolson,
  BackwardEuler
};

inline constexpr Choice kSchemes[] = {
    {"cn", "Crank-Nicolson", "Second order: gates stand half a step before the potential (Hines 1984)."},
    {"be", "Backward Euler", "First order, stable at any step."},
};
inline std::span<const Choice> tableOf(Scheme)
{
  return kSchemes;
}

enum class Rules
{
  Exact,
  Neuron,
  Neuron8
};

inline constexpr Choice kRules[] = {
    {"exact", "Exact", "Events and crossings count at their own times within a step."},
    {"neuron", "As NEURON 7",
     "The order of NEURON's fixed step: events and spikes at whole steps. The physical constants of its versions "
     "before 8, with which the Allen models were published."},
    {"neuron8", "As NEURON 8", "The same with the physical constants of its versions from 8 on (CODATA 2018)."},
};
inline std::span<const Choice> tableOf(Rules)
{
  return kRules;
}

/// Whether the step is NEURON's.
inline bool isNeurons(Rules rules)
{
  return rules != Rules::Exact;
}

struct SimulationParameters
{
  double timeStep = 0.025; ///< ms
  Scheme scheme = Scheme::CrankNicolson;
  Rules rules = Rules::Exact;
  double celsius = 6.3;
  double epoch = 0; ///< ms; 0: the least delay
  Backend backend = Backend::Cpu;
  int threads = 0;
  std::int32_t devices = 1; ///< GPUs that share the cells, 0: all

  bool operator==(const SimulationParameters&) const = default;
};

template <class Visitor>
void visitFields(SimulationParameters& p, Visitor&& visit)
{
  visit(Field{.name = "dt",
              .label = "Time step",
              .unit = "ms",
              .range = above(0, 10),
              .help = "How far a step takes the potentials."},
        p.timeStep);
  visit(Field{.name = "scheme",
              .label = "Scheme",
              .help = "How a step is taken.",
              .detail = "Crank-Nicolson with staggered gates is of second order in the time step; backward Euler of "
                        "first (Hines 1984)."},
        p.scheme);
  visit(Field{.name = "compatible",
              .label = "Rules",
              .help = "When events, spikes and stimuli count within a step.",
              .detail = "As NEURON: with backward Euler only; for comparisons with published output."},
        p.rules);
  visit(Field{.name = "celsius",
              .label = "Temperature",
              .unit = "°C",
              .range = from(-20, 60),
              .help = "Of all cells; channels are faster when it is warmer."},
        p.celsius);
  visit(Field{.name = "epoch",
              .label = "Epoch",
              .unit = "ms",
              .range = from(0, 1e6),
              .special = {0, "least delay"},
              .help = "How long cells run before they exchange spikes; at most the least delay.",
              .detail = "On CUDA at most half of it, unless there are gap junctions.",
              .concern = Concern::Machine},
        p.epoch);
  visit(Field{.name = "backend",
              .label = "Backend",
              .help = "Where cells run; the results are the same bytes.",
              .concern = Concern::Machine},
        p.backend);
  visit(Field{.name = "threads",
              .label = "Threads",
              .range = from(0, 4096),
              .special = {0, "all"},
              .help = "How many threads of the CPU compute.",
              .concern = Concern::Machine},
        p.threads);
  visit(devicesField("GPUs of this machine that share the cells.",
                     "Each takes cells of about as much work, and all exchange spikes an epoch. A network that is too "
                     "small to share runs on one; the device's name says so.")
            .when(p.backend == Backend::Cuda),
        p.devices);
}

} // namespace hinesight::simulation
