#pragma once

#include "cable/hines_system.hpp"
#include "core/fields.hpp"

#include <cstdint>
#include <memory>

namespace hinesight::cable {

/// Synthetic random trees in the manner of huber 2018, section 7: on each level a branch splits in two with a given
/// probability or goes on; branch lengths fall with the distance from the soma.
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

/// All but the seed, which the batch has.
template <typename Visitor>
void visitFields(RandomTreeParameters& p, Visitor&& visit)
{
  visit(Field{.name = "levels",
              .label = "Levels",
              .range = from(1, 30),
              .slider = {1, 20},
              .help = "Levels of branches.",
              .detail = "Level 0 is the branch at the soma."},
        p.levels);
  visit(Field{.name = "probability",
              .label = "Branching probability",
              .range = from(0, 1),
              .help = "Probability that a branch splits in two.",
              .detail = "At 0 every tree is one chain; at 1 the number of branches doubles from level to level."},
        p.branchingProbability);
  visit(Field{.name = "compartments",
              .label = "Compartments per branch",
              .range = from(1, 10'000),
              .slider = {1, 256},
              .help = "Compartments of a branch of the first level.",
              .detail = "Deeper branches have fewer, by the decay."},
        p.compartmentsPerBranch);
  visit(Field{.name = "length",
              .label = "Branch length",
              .unit = "µm",
              .range = above(0, 1e6),
              .slider = {1, 1000, true},
              .help = "Length of a branch of the first level.",
              .detail = "It decides the couplings, not the shape of the tree."},
        p.branchLength);
  visit(Field{.name = "decay",
              .label = "Decay",
              .range = above(0, 1),
              .slider = {0.1, 1},
              .help = "Factor of length and compartments from one level to the next.",
              .detail = "Branch lengths fall with the distance from the soma, as in real dendrites (Huber 2018, "
                        "section 7)."},
        p.lengthDecay);
}

void validate(const RandomTreeParameters& parameters);

/// Tree number `index`; different indices give different trees, the same index always the same one. A soma of 500 um2
/// and dendrites 1 um thick, with the electrical defaults of DiscretizationParameters. Each branch's length varies by
/// up to 20 % around its level's, so that trees of the same shape differ too; that length is at least 1e-3 um. Throws
/// Error(BadParameter), or Error(OutOfMemory) before building what does not fit.
std::shared_ptr<const HinesSystem> makeRandomTree(const RandomTreeParameters& parameters, std::uint64_t index);

} // namespace hinesight::cable
