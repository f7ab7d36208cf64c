#pragma once

#include "core/run_control.hpp"
#include "morphology/morphology.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace hinesight::morphology {

inline constexpr std::array<std::string_view, 4> kSyntheticKinds = {"pyramidal", "stellate", "purkinje", "bipolar"};

/// Parameters of a synthetic cell: a soma with stems that grow, taper and bifurcate at random.
/// Valid: stems 1 to 64, levels 1 to 24, probability 0 to 1, lengths and radii above 0 and at most 1e6, step above 0.
struct SyntheticCellParameters
{
  std::string kind = "pyramidal"; ///< "pyramidal", "stellate", "purkinje" or "bipolar": presets of the shape
  std::int32_t stems = 6;
  std::int32_t levels = 7;            ///< most bifurcations between soma and tip
  double branchingProbability = 0.75; ///< that a branch ends in a bifurcation
  double branchLength = 70;           ///< um, of the first level; falls with the level
  double somaRadius = 8;              ///< um
  double stepLength = 4;              ///< um between samples
  std::uint64_t seed = 1;
};

/// Throws Error(BadParameter) that names the parameter, its value and its range.
void validate(const SyntheticCellParameters& parameters);

/// A synthetic cell, the same for the same parameters: a soma of one sample and `stems` neurites, one of them an axon
/// from two stems on (three for "bipolar"). Radii follow Rall's 3/2 power at bifurcations down to a thinnest one. Its
/// comments say that it is synthetic and with which parameters. Throws Error(BadParameter), also where the parameters
/// ask for more than 5 million samples.
std::shared_ptr<const Morphology> makeSyntheticCell(const SyntheticCellParameters& parameters,
                                                    const RunControl& control = {});

} // namespace hinesight::morphology
