#include "cable/random_tree.hpp"

#include "cable/assembly.hpp"
#include "cable/frustum.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/philox.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::cable {

namespace {

// The cells of the ring network that huber 2018 measures with: a soma of 500 um2 and dendrites 1 um thick.
constexpr double kSomaRadius = 6.30783;
constexpr double kDendriteRadius = 0.5;

/// Branch lengths vary by this fraction around their level's, so that trees of equal shape still differ.
constexpr double kLengthSpread = 0.2;

/// No level's branches are shorter, um: couplings stay finite for every decay.
constexpr double kLeastLength = 1e-3;

constexpr std::int64_t kMaxCompartments = std::numeric_limits<std::int32_t>::max();

enum Draw : std::uint32_t
{
  kDrawSplit,
  kDrawLength
};

/// Compartments of each branch on a level (0 the first), at least one.
std::int32_t compartmentsOnLevel(const RandomTreeParameters& p, std::int32_t level)
{
  return static_cast<std::int32_t>(std::max(1.0, std::round(p.compartmentsPerBranch * std::pow(p.lengthDecay, level))));
}

/// A tree under construction: compartments in the order in which they are numbered.
struct Compartments
{
  std::vector<std::int32_t> parent;
  std::vector<double> area, axialConductance, distalResistance;

  void reserve(std::size_t compartments)
  {
    parent.reserve(compartments);
    area.reserve(compartments);
    axialConductance.reserve(compartments);
    distalResistance.reserve(compartments);
  }

  std::int32_t add(std::int32_t parentCompartment, const Frustum& half, double axialResistivity)
  {
    const double resistance = axialResistance(half, axialResistivity);
    const bool isRoot = parentCompartment < 0;
    axialConductance.push_back(
        isRoot ? 0 : 1 / (distalResistance[static_cast<std::size_t>(parentCompartment)] + resistance));
    parent.push_back(parentCompartment);
    area.push_back(2 * lateralArea(half));
    distalResistance.push_back(resistance);
    return static_cast<std::int32_t>(parent.size()) - 1;
  }
};

/// A branch: its number in the tree and the compartment that it hangs on.
struct Stub
{
  std::uint32_t number;
  std::int32_t start;
};

bool splits(const RandomTreeParameters& p, std::uint64_t index, std::uint32_t branch)
{
  return randomUniform(p.seed, index, branch, kDrawSplit) < p.branchingProbability;
}

void requireRoom(std::size_t compartments)
{
  constexpr std::size_t kBytes = sizeof(std::int32_t) + 3 * sizeof(double) + kSystemBytes + 2 * sizeof(Stub);
  if (compartments > static_cast<std::size_t>(kMaxCompartments))
    throw Error(ErrorCode::OutOfMemory,
                "The random tree would have more than 2147483647 compartments; choose fewer levels, fewer compartments "
                "per branch or a lower branching probability.");
  requireMemory(compartments * kBytes, "A random tree of " + std::to_string(compartments) + " compartments or more");
}

/// The tree's size, from its draws alone: branches are numbered level by level. Throws Error(OutOfMemory) as soon as
/// the levels counted so far and what must at least follow them do not fit.
std::size_t countCompartments(const RandomTreeParameters& p, std::uint64_t index)
{
  std::vector<std::size_t> perStem(static_cast<std::size_t>(p.levels) + 1,
                                   0); // least below one branch, from a level on
  for (std::int32_t level = p.levels - 1; level >= 0; --level)
    perStem[level] = perStem[level + 1] + static_cast<std::size_t>(compartmentsOnLevel(p, level));

  std::size_t compartments = 1;
  std::uint32_t first = 0;
  std::uint32_t width = 1;
  for (std::int32_t level = 0; level < p.levels; ++level) {
    requireRoom(compartments + width * perStem[level]);
    compartments += width * static_cast<std::size_t>(compartmentsOnLevel(p, level));
    std::uint32_t nextWidth = width;
    for (std::uint32_t branch = first; branch < first + width; ++branch)
      nextWidth += splits(p, index, branch) ? 1 : 0;
    first += width;
    width = nextWidth;
  }
  return compartments;
}

} // namespace

void validate(const RandomTreeParameters& parameters)
{
  validateAllFields(fieldsOf(parameters));
}

std::shared_ptr<const HinesSystem> makeRandomTree(const RandomTreeParameters& p, std::uint64_t index)
{
  validate(p);
  const DiscretizationParameters cable;
  Compartments tree;
  tree.reserve(countCompartments(p, index));
  const std::int32_t soma = tree.add(-1, {kSomaRadius, kSomaRadius, kSomaRadius}, cable.axialResistivity);

  std::vector<Stub> level{{0, soma}};
  std::uint32_t branches = 1;
  for (std::int32_t depth = 0; depth < p.levels; ++depth) {
    const std::int32_t n = compartmentsOnLevel(p, depth);
    const double meanLength = std::max(kLeastLength, p.branchLength * std::pow(p.lengthDecay, depth));
    std::vector<Stub> next;
    for (const Stub& branch : level) {
      const double draw = randomUniform(p.seed, index, branch.number, kDrawLength);
      const double length = meanLength * (1 + kLengthSpread * (2 * draw - 1));
      std::int32_t end = branch.start;
      for (std::int32_t k = 0; k < n; ++k)
        end = tree.add(end, {length / n / 2, kDendriteRadius, kDendriteRadius}, cable.axialResistivity);
      const int children = splits(p, index, branch.number) ? 2 : 1;
      for (int child = 0; child < children; ++child)
        next.push_back({branches++, end});
    }
    level = std::move(next);
  }
  return std::make_shared<const HinesSystem>(
      assembleSystem(std::move(tree.parent), tree.area, tree.axialConductance, cable));
}

} // namespace hinesight::cable
