#pragma once

#include "model/neuron_model.hpp"

namespace hinesight::model {

/// Where the synapses of a connection are on their target.
enum class SynapsePlace
{
  None,
  Soma,
  Sections,
  Nearest
};

inline constexpr Choice kSynapsePlaces[] = {
    {"none", "None", "The connection has no synapses that are simulated."},
    {"soma", "On the soma", "All are in the middle of the soma."},
    {"sections", "On sections", "Each is at a place by chance, parts of the cell as likely as they are long."},
    {"nearest", "At the nearest compartment", "Each is where the target is nearest to the soma of its source."},
};
inline std::span<const Choice> tableOf(SynapsePlace)
{
  return kSynapsePlaces;
}

/// How long a spike takes to a synapse.
enum class SynapseDelay
{
  Made,
  Fixed,
  Distance
};

inline constexpr Choice kSynapseDelays[] = {
    {"made", "As made", "The delay that the connection has; formed synapses have 1 ms."},
    {"fixed", "Fixed", "All have one delay."},
    {"distance", "By distance", "The delay, and the time that a spike takes from soma to soma."},
};
inline std::span<const Choice> tableOf(SynapseDelay)
{
  return kSynapseDelays;
}

/// What the weights of a connection are for cells that are simulated.
struct SynapseModel
{
  SynapsePlace place = SynapsePlace::None;
  Sections on = Sections::All;     ///< Sections
  double nearest = 0;              ///< Sections, µm from the start of the soma along the cell
  double farthest = kBoundless;    ///< Sections, µm
  std::uint64_t seed = 1;          ///< Sections
  double weight = 0.001;           ///< uS of a weight of 1
  double tau1 = 0.2;               ///< ms
  double tau2 = 2;                 ///< ms
  double reversal = 0;             ///< mV, of positive weights
  double inhibitoryReversal = -75; ///< mV, of negative weights
  double magnesium = 0;            ///< mM
  SynapseDelay delayRule = SynapseDelay::Made;
  double delay = 1;      ///< ms
  double velocity = 300; ///< µm/ms

  bool operator==(const SynapseModel&) const = default;
};

template <typename Visitor>
void visitFields(SynapseModel& s, Visitor&& visit)
{
  const bool isThere = s.place != SynapsePlace::None;
  const bool isDrawn = s.place == SynapsePlace::Sections;
  visit(Field{.name = "place", .label = "Synapses", .help = "Where its synapses are on the cells that it ends on."},
        s.place);
  visit(Field{.name = "on", .label = "Sections", .help = "The parts of the cell that synapses are on."}.when(isDrawn),
        s.on);
  visit(Field{.name = "nearest",
              .label = "Nearest",
              .unit = "µm",
              .range = from(0, kBoundless),
              .slider = {0, 1000},
              .help = "The least way along the cell from the start of its soma to a synapse."}
            .when(isDrawn),
        s.nearest);
  visit(Field{.name = "farthest",
              .label = "Farthest",
              .unit = "µm",
              .range = from(0, kBoundless),
              .slider = {0, 1000},
              .special = {kBoundless, "all"},
              .help = "The greatest way along the cell from the start of its soma to a synapse."}
            .when(isDrawn),
        s.farthest);
  visit(Field{.name = "seed",
              .label = "Seed of places",
              .range = from(0, kBoundless),
              .slider = {0, 100},
              .help = "Of the places by chance: the same seed, the same places."}
            .when(isDrawn),
        s.seed);
  visit(Field{.name = "weight",
              .label = "Conductance of weight 1",
              .unit = "µS",
              .range = from(0, 1e6),
              .slider = {1e-5, 1, true},
              .help = "The peak of the conductance of a synapse whose weight is 1 or -1; a point neuron gets so much "
                      "of 1, with the weight's sign."}
            .when(isThere),
        s.weight);
  visit(Field{.name = "tau1",
              .label = "Rise",
              .unit = "ms",
              .range = from(0, 1e6),
              .slider = {0, 10},
              .help = "The time constant of the rise; 0: at once."}
            .when(isThere),
        s.tau1);
  visit(Field{.name = "tau2",
              .label = "Decay",
              .unit = "ms",
              .range = above(0, 1e6),
              .slider = {0.1, 200, true},
              .help = "The time constant of the decay, above that of the rise."}
            .when(isThere),
        s.tau2);
  visit(Field{.name = "reversal",
              .label = "Reversal potential",
              .unit = "mV",
              .range = from(-1000, 1000),
              .slider = {-100, 50},
              .help = "Where the current of positive weights changes its sign."}
            .when(isThere),
        s.reversal);
  visit(Field{.name = "inhibitory-reversal",
              .label = "Reversal of inhibition",
              .unit = "mV",
              .range = from(-1000, 1000),
              .slider = {-100, 50},
              .help = "The same of negative weights."}
            .when(isThere),
        s.inhibitoryReversal);
  visit(Field{.name = "magnesium",
              .label = "Magnesium",
              .unit = "mM",
              .range = from(0, 1000),
              .slider = {0, 2},
              .help = "Outside; blocks positive synapses as NMDA receptors; 0: no block.",
              .detail = "Jahr and Stevens 1990."}
            .when(isThere),
        s.magnesium);
  visit(Field{.name = "delays", .label = "Delays", .help = "How long a spike takes to its synapses."}.when(isThere),
        s.delayRule);
  visit(Field{.name = "delay",
              .label = "Delay of synapses",
              .unit = "ms",
              .range = above(0, 1e6),
              .slider = {0.1, 20},
              .help = "From the spike to its effect."}
            .when(isThere && s.delayRule != SynapseDelay::Made),
        s.delay);
  visit(Field{.name = "velocity",
              .label = "Velocity of spikes",
              .unit = "µm/ms",
              .range = above(0, 1e9),
              .slider = {10, 10000, true},
              .help = "Adds the distance of both somata / velocity to the delay; 300 µm/ms are 0.3 m/s."}
            .when(isThere && s.delayRule == SynapseDelay::Distance),
        s.velocity);
}

} // namespace hinesight::model
