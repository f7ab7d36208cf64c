#pragma once

#include "model/neuron_model.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hinesight::model {

/// What drives neurons from outside.
enum class StimulusKind
{
  Step,
  Sinusoid,
  Noise,
  VoltageClamp,
  Spikes,
  Poisson
};

inline constexpr Choice kStimulusKinds[] = {
    {"step", "Current step", "A constant current into a place of each cell."},
    {"sinusoid", "Sinusoid", "A current that swings about an offset."},
    {"noise", "Noise", "A current by chance with a memory (Uhlenbeck and Ornstein 1930)."},
    {"voltage-clamp", "Voltage clamp", "Holds a place of each cell at potentials, through a resistance."},
    {"spikes", "Listed spikes", "Neurons without a model spike at given times."},
    {"poisson", "Poisson", "Neurons without a model spike at random, each by itself."},
};
inline std::span<const Choice> tableOf(StimulusKind)
{
  return kStimulusKinds;
}

inline constexpr double kAlways = 1e300; ///< ms: a duration without end

struct Stimulus
{
  std::string name = "stimulus";
  StimulusKind kind = StimulusKind::Step;
  std::string population;
  std::vector<std::uint64_t> neurons; ///< of the population; none: all
  Sections on = Sections::Soma;       ///< of currents and clamps: not All
  std::int32_t section = 0;           ///< among these
  double position = 0.5;              ///< on it
  double amplitude = 0.1;             ///< Step, Sinusoid, nA
  double offset = 0;                  ///< Sinusoid, nA
  double frequency = 10;              ///< Sinusoid, Hz
  double phase = 0;                   ///< Sinusoid, rad
  double mean = 0;                    ///< Noise, nA
  double deviation = 0.05;            ///< Noise, nA
  double tau = 5;                     ///< Noise, ms
  double rate = 10;                   ///< Poisson, Hz
  std::uint64_t seed = 1;             ///< Noise, Poisson
  double delay = 0;                   ///< ms
  double duration = kAlways;          ///< ms
  std::vector<double> potentials;     ///< VoltageClamp, mV
  std::vector<double> durations;      ///< VoltageClamp, ms
  double seriesResistance = 1e-3;     ///< VoltageClamp, MOhm
  std::vector<double> times;          ///< Spikes, ms
  std::string file;                   ///< Spikes

  /// Whether it acts on places of cells; else it makes trains of spikes.
  bool isOfCells() const { return kind != StimulusKind::Spikes && kind != StimulusKind::Poisson; }
  bool operator==(const Stimulus&) const = default;
};

template <typename Visitor>
void visitFields(Stimulus& s, Visitor&& visit)
{
  using enum StimulusKind;
  constexpr double kMostCurrent = 1e6; // nA
  const auto is = [&](StimulusKind kind) { return s.kind == kind; };
  visit(Field{.name = "name", .label = "Name", .help = "What the stimulus is called."}, s.name);
  visit(Field{.name = "kind", .label = "Kind", .help = "What it does."}, s.kind);
  visit(Field{.name = "population", .label = "Population", .help = "Name of the population that gets it."},
        s.population);
  visit(Field{.name = "neurons",
              .label = "Neurons",
              .range = from(0, kBoundless),
              .help = "Numbers of the neurons of the population that get it, from 0 on; none: all."},
        s.neurons);
  visit(Field{.name = "on", .label = "On", .help = "The part of the cell that it goes to."}.when(s.isOfCells()), s.on);
  visit(Field{.name = "section",
              .label = "Section",
              .range = from(0, 1e9),
              .help = "Which section of this part, from 0 on in the order of the cell's file."}
            .when(s.isOfCells()),
        s.section);
  visit(Field{.name = "position",
              .label = "Position",
              .range = from(0, 1),
              .help = "On the section, 0 at its start, 1 at its end."}
            .when(s.isOfCells()),
        s.position);
  visit(Field{.name = "amplitude",
              .label = "Amplitude",
              .unit = "nA",
              .range = from(-kMostCurrent, kMostCurrent),
              .slider = {-1, 1},
              .help = "Of the current; positive: it makes the cell spike."}
            .when(is(Step) || is(Sinusoid)),
        s.amplitude);
  visit(Field{.name = "offset",
              .label = "Offset",
              .unit = "nA",
              .range = from(-kMostCurrent, kMostCurrent),
              .slider = {-1, 1},
              .help = "What the current swings about."}
            .when(is(Sinusoid)),
        s.offset);
  visit(Field{.name = "frequency",
              .label = "Frequency",
              .unit = "Hz",
              .range = from(0, 1e6),
              .slider = {0.1, 1000, true},
              .help = "How often it swings."}
            .when(is(Sinusoid)),
        s.frequency);
  visit(Field{.name = "phase",
              .label = "Phase",
              .unit = "rad",
              .range = from(-1000, 1000),
              .slider = {-3.2, 3.2},
              .help = "Where the swing is when it begins; 0: at the offset and rising."}
            .when(is(Sinusoid)),
        s.phase);
  visit(Field{.name = "mean",
              .label = "Mean",
              .unit = "nA",
              .range = from(-kMostCurrent, kMostCurrent),
              .slider = {-1, 1},
              .help = "Of the noise."}
            .when(is(Noise)),
        s.mean);
  visit(Field{.name = "deviation",
              .label = "Standard deviation",
              .unit = "nA",
              .range = from(0, kMostCurrent),
              .slider = {0, 1},
              .help = "Of the noise."}
            .when(is(Noise)),
        s.deviation);
  visit(Field{.name = "tau",
              .label = "Correlation time",
              .unit = "ms",
              .range = above(0, 1e6),
              .slider = {0.1, 100, true},
              .help = "How long the noise remembers: its correlation falls as e^(-t/tau)."}
            .when(is(Noise)),
        s.tau);
  visit(Field{.name = "rate",
              .label = "Rate",
              .unit = "Hz",
              .range = from(0, 1e5),
              .slider = {0.1, 1000, true},
              .help = "Spikes of each neuron a second."}
            .when(is(Poisson)),
        s.rate);
  visit(Field{.name = "seed",
              .label = "Seed",
              .range = from(0, kBoundless),
              .slider = {0, 100},
              .help = "Of what is by chance; two stimuli with the same seed are alike."}
            .when(is(Noise) || is(Poisson)),
        s.seed);
  visit(Field{.name = "delay",
              .label = "Begin",
              .unit = "ms",
              .range = from(0, 1e9),
              .slider = {0, 1000},
              .help = "When it begins."}
            .when(!is(Spikes)),
        s.delay);
  visit(Field{.name = "duration",
              .label = "Duration",
              .unit = "ms",
              .range = from(0, kAlways),
              .slider = {0, 1000},
              .special = {kAlways, "always"},
              .help = "How long it lasts."}
            .when(!is(Spikes) && !is(VoltageClamp)),
        s.duration);
  visit(Field{.name = "potentials",
              .label = "Potentials",
              .unit = "mV",
              .range = from(-1000, 1000),
              .help = "What the place is held at, one after the other."}
            .when(is(VoltageClamp)),
        s.potentials);
  visit(Field{.name = "durations",
              .label = "Durations",
              .unit = "ms",
              .range = from(0, 1e9),
              .help = "For how long it is held at each of them."}
            .when(is(VoltageClamp)),
        s.durations);
  visit(Field{.name = "series-resistance",
              .label = "Series resistance",
              .unit = "MΩ",
              .range = above(0, 1e6),
              .slider = {1e-3, 100, true},
              .help = "Between the clamp and the cell."}
            .when(is(VoltageClamp)),
        s.seriesResistance);
  visit(Field{.name = "times",
              .label = "Times",
              .unit = "ms",
              .range = from(0, 1e9),
              .help = "When all of the neurons spike; none: as the file says."}
            .when(is(Spikes)),
        s.times);
  visit(Field{.name = "file",
              .label = "File",
              .help = "Spikes by neuron, a SONATA file or a table, from the session's folder on; empty: the times."}
            .when(is(Spikes)),
        s.file);
}

/// What is recorded.
enum class ProbeQuantity
{
  Potential,
  Calcium,
  MembraneCurrent,
  ClampCurrent
};

inline constexpr Choice kProbeQuantities[] = {
    {"v", "Potential", "Of the membrane, mV."},
    {"cai", "Calcium", "Inside, mM; 0 where nothing says it."},
    {"i_membrane", "Membrane current", "nA that leave through membrane, synapses and electrodes."},
    {"i_clamp", "Clamp current", "nA of the first voltage clamp at the place."},
};
inline std::span<const Choice> tableOf(ProbeQuantity)
{
  return kProbeQuantities;
}

enum class ProbePlaces
{
  Soma,
  Sections,
  Place
};

inline constexpr Choice kProbePlaces[] = {
    {"soma", "Soma", "The middle of the soma."},
    {"sections", "Sections", "Every compartment of a part of the cell."},
    {"place", "A place", "One section and position."},
};
inline std::span<const Choice> tableOf(ProbePlaces)
{
  return kProbePlaces;
}

/// What is recorded of neurons, in a report of its name.
struct ProbeRequest
{
  std::string name = "v";
  std::string population;
  std::vector<std::uint64_t> neurons; ///< of the population; none: all
  ProbeQuantity quantity = ProbeQuantity::Potential;
  ProbePlaces places = ProbePlaces::Soma;
  Sections on = Sections::All; ///< Sections, Place
  std::int32_t section = 0;    ///< Place, among these
  double position = 0.5;       ///< Place

  bool operator==(const ProbeRequest&) const = default;
};

template <typename Visitor>
void visitFields(ProbeRequest& p, Visitor&& visit)
{
  visit(Field{.name = "name", .label = "Name", .help = "What the report is called, and its file."}, p.name);
  visit(Field{.name = "population", .label = "Population", .help = "Name of the population of which is recorded."},
        p.population);
  visit(Field{.name = "neurons",
              .label = "Neurons",
              .range = from(0, kBoundless),
              .help = "Numbers of the neurons of the population, from 0 on; none: all."},
        p.neurons);
  visit(Field{.name = "quantity", .label = "Quantity", .help = "What is recorded in every step."}, p.quantity);
  visit(Field{.name = "places", .label = "Places", .help = "Where on each cell."}, p.places);
  visit(Field{.name = "on", .label = "On", .help = "The part of the cell of which is recorded."}.when(
            p.places != ProbePlaces::Soma),
        p.on);
  visit(Field{.name = "section",
              .label = "Section",
              .range = from(0, 1e9),
              .help = "Which section of this part, from 0 on in the order of the cell's file."}
            .when(p.places == ProbePlaces::Place),
        p.section);
  visit(Field{.name = "position",
              .label = "Position",
              .range = from(0, 1),
              .help = "On the section, 0 at its start, 1 at its end."}
            .when(p.places == ProbePlaces::Place),
        p.position);
}

} // namespace hinesight::model
