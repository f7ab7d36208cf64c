#pragma once

#include "cable/hines_system.hpp"

#include <cstdint>
#include <memory>

namespace hinesight::cable {

/// Synthetic random trees in the manner of huber 2018, section 7: on each level a branch splits in two with a given
/// probability or goes on; branch lengths fall with the distance from the soma.
/// Valid: levels 1 to 30, probability 0 to 1, compartments 1 to 10,000, lengths above 0, lengthDecay above 0 to 1.
struct RandomTreeParameters
{
  std::int32_t levels = 8;
  double branchingProbability = 0.5;
  std::int32_t compartmentsPerBranch = 16; ///< on the first level
  double branchLength = 100;               ///< um, on the first level
  double lengthDecay = 0.85;               ///< factor of length and compartments from one level to the next
  std::uint64_t seed = 1;

  bool operator==(const RandomTreeParameters&) const = default;
};

void validate(const RandomTreeParameters& parameters);

/// Tree number `index`; different indices give different trees, the same index always the same one. A soma of 500 um2
/// and dendrites 1 um thick, with the electrical defaults of DiscretizationParameters. Each branch's length varies by
/// up to 20 % around its level's, so that trees of the same shape differ too; that length is at least 1e-3 um. Throws
/// Error(BadParameter), or Error(OutOfMemory) before building what does not fit.
std::shared_ptr<const HinesSystem> makeRandomTree(const RandomTreeParameters& parameters, std::uint64_t index);

} // namespace hinesight::cable
