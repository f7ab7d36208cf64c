#pragma once

#include "core/fields.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hinesight::model {

/// What the neurons of a population are when they are simulated.
enum class NeuronKind
{
  Membrane,
  Fit,
  Point
};

inline constexpr Choice kNeuronKinds[] = {
    {"membrane", "Membrane", "A cell with a form; what its membrane is made of is said here."},
    {"fit", "Fit", "A cell with a form; its channels are those of a fit of the Allen Cell Types database."},
    {"point", "Point neuron", "A neuron without a form: what its events weigh adds up and decays (IntFire1)."},
};
inline std::span<const Choice> tableOf(NeuronKind)
{
  return kNeuronKinds;
}

/// Parts of a cell, by the types of its samples.
enum class Sections
{
  All,
  Soma,
  Axon,
  Dend,
  Apic
};

inline constexpr Choice kSections[] = {
    {"all", "All", "All parts of the cell."},
    {"soma", "Soma", "The soma: SWC type 1."},
    {"axon", "Axon", "The axon: SWC type 2."},
    {"dend", "Basal dendrites", "Basal dendrites: SWC type 3."},
    {"apic", "Apical dendrites", "Apical dendrites: SWC type 4."},
};
inline std::span<const Choice> tableOf(Sections)
{
  return kSections;
}

/// What happens to the axon of a reconstruction.
enum class AxonChoice
{
  Usual,
  Kept,
  Stub,
  StubAsThick
};

inline constexpr Choice kAxonChoices[] = {
    {"usual", "Usual", "Of a fit a stub, else kept."},
    {"kept", "Kept", "As it is in the file."},
    {"stub", "Stub", "Two sections of 30 µm, 1 µm thick, at the middle of the soma (perisomatic Allen models)."},
    {"stub-as-thick", "Stub, as thick", "The same at the end of the soma, as thick as the axon was (all-active ones)."},
};
inline std::span<const Choice> tableOf(AxonChoice)
{
  return kAxonChoices;
}

/// A line of what a membrane is made of, as the fits of the Allen Cell Types database have it.
struct MembraneEntry
{
  Sections on = Sections::All;
  std::string mechanism; ///< "hh"; empty: of the membrane itself
  std::string parameter; ///< "gnabar"; empty: all of the mechanism's are as usual
  double value = 0;      ///< in the parameter's unit

  bool operator==(const MembraneEntry&) const = default;
};

template <typename Visitor>
void visitFields(MembraneEntry& e, Visitor&& visit)
{
  visit(Field{.name = "on", .label = "On", .help = "The parts of the cell that have it."}, e.on);
  visit(Field{.name = "mechanism",
              .label = "Mechanism",
              .help = "Name of the mechanism, such as pas, hh or NaTs; empty: the membrane itself."},
        e.mechanism);
  visit(Field{.name = "parameter",
              .label = "Parameter",
              .help = "Name of its parameter, such as gbar; empty: those that are usual. Of the membrane itself: cm "
                      "(uF/cm2), Ra (ohm cm), ena, ek (mV)."},
        e.parameter);
  visit(Field{.name = "value",
              .label = "Value",
              .range = from(-kBoundless, kBoundless),
              .help = "Its value, in S/cm2, mV, ms or what unit it has."}
            .when(!e.parameter.empty()),
        e.value);
}

/// How neurons work.
struct NeuronModel
{
  std::string name = "model";
  NeuronKind kind = NeuronKind::Membrane;
  std::string file;                    ///< Fit
  AxonChoice axon = AxonChoice::Usual; ///< not of Point
  double startPotential = -65;         ///< Membrane, mV
  std::vector<MembraneEntry> membrane; ///< Membrane
  double tau = 10;                     ///< Point, ms
  double refractory = 5;               ///< Point, ms

  bool operator==(const NeuronModel&) const = default;
};

template <typename Visitor>
void visitFields(NeuronModel& m, Visitor&& visit)
{
  visit(Field{.name = "name", .label = "Name", .help = "What the model is called."}, m.name);
  visit(Field{.name = "kind", .label = "Kind", .help = "What its neurons are."}, m.kind);
  visit(Field{.name = "file", .label = "File", .help = "The fit (*_fit.json), from the session's folder on."}.when(
            m.kind == NeuronKind::Fit),
        m.file);
  visit(Field{.name = "axon", .label = "Axon", .help = "What happens to the axon of the cell's file."}.when(
            m.kind != NeuronKind::Point),
        m.axon);
  visit(Field{.name = "v-init",
              .label = "Potential at the start",
              .unit = "mV",
              .range = from(-1000, 1000),
              .slider = {-100, 0},
              .help = "Of the whole cell, before the first step."}
            .when(m.kind == NeuronKind::Membrane),
        m.startPotential);
  visit(Field{.name = "membrane",
              .label = "Membrane",
              .help = "What the membrane is made of, line by line; the last one that says something counts.",
              .item = "a mechanism or a parameter"}
            .when(m.kind == NeuronKind::Membrane),
        m.membrane);
  visit(Field{.name = "tau",
              .label = "Time constant",
              .unit = "ms",
              .range = above(0, 1e6),
              .slider = {1, 100, true},
              .help = "How fast what it has got decays."}
            .when(m.kind == NeuronKind::Point),
        m.tau);
  visit(Field{.name = "refractory",
              .label = "Refractory",
              .unit = "ms",
              .range = from(0, 1e6),
              .slider = {0, 20},
              .help = "For how long after a spike events have no effect."}
            .when(m.kind == NeuronKind::Point),
        m.refractory);
}

} // namespace hinesight::model
