#pragma once

#include "core/fields.hpp"
#include "core/run_control.hpp"
#include "morphology/morphology.hpp"

#include <cstdint>
#include <memory>

namespace hinesight::morphology {

/// Presets of the shape.
enum class SyntheticKind
{
  Pyramidal,
  Stellate,
  Purkinje,
  Bipolar
};

inline constexpr SyntheticKind kSyntheticKinds[] = {SyntheticKind::Pyramidal, SyntheticKind::Stellate,
                                                    SyntheticKind::Purkinje, SyntheticKind::Bipolar};

inline constexpr Choice kSyntheticShapes[] = {
    {"pyramidal", "Pyramidal", "An apical dendrite with a trunk, basal dendrites and an axon."},
    {"stellate", "Stellate", "Dendrites in all directions."},
    {"purkinje", "Purkinje", "Dendrites in a plane."},
    {"bipolar", "Bipolar", "Dendrites up and down."},
};
inline std::span<const Choice> tableOf(SyntheticKind)
{
  return kSyntheticShapes;
}

/// Parameters of a synthetic cell: a soma with stems that grow, taper and bifurcate at random. visitFields says what
/// each is, in which unit and range.
struct SyntheticCellParameters
{
  SyntheticKind kind = SyntheticKind::Pyramidal;
  std::int32_t stems = 6;
  std::int32_t levels = 7;
  double branchingProbability = 0.75;
  double branchLength = 70; ///< um
  double somaRadius = 8;    ///< um
  double stepLength = 4;    ///< um
  std::uint64_t seed = 1;

  bool operator==(const SyntheticCellParameters&) const = default;
};

template <typename Visitor>
void visitFields(SyntheticCellParameters& p, Visitor&& visit)
{
  constexpr Range kLength = above(0, 1e6);
  visit(Field{.name = "kind", .label = "Shape", .help = "Preset of the shape."}, p.kind);
  visit(Field{.name = "stems", .label = "Stems", .range = from(1, 64), .help = "Branches that leave the soma."},
        p.stems);
  visit(
      Field{
          .name = "levels", .label = "Levels", .range = from(1, 24), .help = "Most bifurcations between soma and tip."},
      p.levels);
  visit(Field{.name = "branching-probability",
              .label = "Branching probability",
              .range = from(0, 1),
              .help = "Probability that a branch ends in a bifurcation.",
              .former = "probability"},
        p.branchingProbability);
  visit(Field{.name = "branch-length",
              .label = "Branch length",
              .unit = "µm",
              .range = kLength,
              .slider = {1, 1000, true},
              .help = "Length of a branch on the first level; it falls with the level.",
              .former = "length"},
        p.branchLength);
  visit(Field{.name = "soma-radius",
              .label = "Soma radius",
              .unit = "µm",
              .range = kLength,
              .slider = {1, 100, true},
              .help = "Radius of the soma."},
        p.somaRadius);
  visit(Field{.name = "step-length",
              .label = "Step length",
              .unit = "µm",
              .range = kLength,
              .slider = {0.1, 100, true},
              .help = "Distance between samples.",
              .former = "step"},
        p.stepLength);
  visit(Field{.name = "seed",
              .label = "Seed",
              .range = from(0, 18446744073709551615.0),
              .slider = {0, 100},
              .help = "Seed of the first cell; the next cells have the next seeds."},
        p.seed);
}

/// Throws as validateFields.
void validate(const SyntheticCellParameters& parameters);

/// A synthetic cell, the same for the same parameters: a soma of one sample and `stems` neurites, one of them an axon
/// from two stems on (three for "bipolar"). Radii follow Rall's 3/2 power at bifurcations down to a thinnest one. Its
/// comments say that it is synthetic and with which parameters. Throws Error(BadParameter), also where the parameters
/// ask for more than 5 million samples.
std::shared_ptr<const Morphology> makeSyntheticCell(const SyntheticCellParameters& parameters,
                                                    const RunControl& control = {});

} // namespace hinesight::morphology
