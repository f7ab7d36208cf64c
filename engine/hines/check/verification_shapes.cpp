#include "hines/check/verification_shapes.hpp"

#include "cable/random_tree.hpp"
#include "core/philox.hpp"

#include <cstdint>
#include <utility>

namespace hinesight::hines::detail {

namespace {

using System = std::shared_ptr<const cable::HinesSystem>;

/// A system of that shape with random values like those of a cable: negative couplings, a dominant diagonal. The finer
/// a cable is cut, the stronger its couplings are against capacitance and leak.
System makeSystem(std::vector<std::int32_t> parent, std::uint64_t seed, double strength = 1)
{
  enum Draw : std::uint32_t
  {
    kCoupling,
    kLeak,
    kRightHandSide
  };
  auto system = std::make_shared<cable::HinesSystem>();
  const std::size_t n = parent.size();
  system->d.assign(n, 0);
  system->u.assign(n, 0);
  system->b.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    system->d[i] += 0.01 + randomUniform(seed, i, kLeak, 0);
    system->b[i] = 100 * randomUniform(seed, i, kRightHandSide, 0) - 50;
    if (parent[i] < 0)
      continue;
    const double coupling = strength * (0.5 + randomUniform(seed, i, kCoupling, 0));
    system->u[i] = -coupling;
    system->d[i] += coupling;
    system->d[static_cast<std::size_t>(parent[i])] += coupling;
  }
  system->parent = std::move(parent);
  return system;
}

/// Adds a chain of `length` compartments below `parent`; the last one's number.
std::int32_t addChain(std::vector<std::int32_t>& tree, std::int32_t parent, std::int32_t length)
{
  for (std::int32_t i = 0; i < length; ++i) {
    tree.push_back(parent);
    parent = static_cast<std::int32_t>(tree.size()) - 1;
  }
  return parent;
}

std::vector<std::int32_t> chain(std::int32_t length)
{
  std::vector<std::int32_t> tree;
  addChain(tree, -1, length);
  return tree;
}

std::vector<std::int32_t> star(std::int32_t children)
{
  std::vector<std::int32_t> tree(static_cast<std::size_t>(children) + 1, 0);
  tree.front() = -1;
  return tree;
}

/// A spine with a tooth at each compartment, teeth of 1 to 7 compartments.
std::vector<std::int32_t> comb(std::int32_t spine)
{
  constexpr std::int32_t kLongestTooth = 7;
  std::vector<std::int32_t> tree;
  std::int32_t joint = -1;
  for (std::int32_t i = 0; i < spine; ++i) {
    joint = addChain(tree, joint, 1);
    addChain(tree, joint, 1 + i % kLongestTooth);
  }
  return tree;
}

/// Every branch of `length` compartments splits in two, on `levels` levels.
std::vector<std::int32_t> balancedTree(std::int32_t levels, std::int32_t length)
{
  std::vector<std::int32_t> tree;
  std::vector<std::int32_t> ends = {addChain(tree, -1, length)};
  for (std::int32_t level = 1; level < levels; ++level) {
    std::vector<std::int32_t> next;
    for (const std::int32_t end : ends)
      for (int child = 0; child < 2; ++child)
        next.push_back(addChain(tree, end, length));
    ends = std::move(next);
  }
  return tree;
}

/// Several trees in one cell, as files with several roots give.
std::vector<std::int32_t> forest(std::int32_t trees)
{
  std::vector<std::int32_t> all;
  for (std::int32_t tree = 0; tree < trees; ++tree) {
    const std::int32_t fork = addChain(all, -1, 5 + tree);
    addChain(all, fork, 3);
    addChain(all, fork, 9);
  }
  return all;
}

std::vector<System> randomTrees(std::uint64_t count)
{
  cable::RandomTreeParameters parameters;
  parameters.levels = 10;
  parameters.branchingProbability = 0.7;
  std::vector<System> trees;
  for (std::uint64_t index = 0; index < count; ++index)
    trees.push_back(cable::makeRandomTree(parameters, index));
  return trees;
}

} // namespace

std::vector<VerificationShape> makeVerificationShapes()
{
  std::vector<System> mixed = randomTrees(5);
  mixed.push_back(makeSystem(chain(1), 1));
  mixed.push_back(makeSystem(chain(3000), 2));
  mixed.push_back(makeSystem(star(300), 3));
  mixed.push_back(makeSystem(comb(100), 4));
  mixed.push_back(makeSystem(balancedTree(8, 2), 5));
  mixed.push_back(makeSystem(forest(12), 6));
  return {
      {"single compartment", {makeSystem(chain(1), 11)}, 1},
      {"chain of 100,000", {makeSystem(chain(100'000), 12)}, 1},
      {"chains of 33", {makeSystem(chain(33), 18)}, 101},
      {"chains of 501", {makeSystem(chain(501), 19), makeSystem(chain(501), 20, 1e6)}, 37},
      {"star with 5,000 children", {makeSystem(star(5'000), 13)}, 1},
      {"comb with 2,000 teeth", {makeSystem(comb(2'000), 14)}, 1},
      {"finely cut comb", {makeSystem(comb(2'000), 17, 1e6)}, 1},
      {"balanced binary tree", {makeSystem(balancedTree(12, 3), 15)}, 1},
      {"cells of 3 compartments", {makeSystem(chain(3), 21), makeSystem(star(2), 22)}, 1'000},
      {"large combs and trees",
       {makeSystem(comb(3'500), 23), makeSystem(balancedTree(11, 12), 24), makeSystem(comb(11'000), 25, 1e4)},
       7},
      {"comb with 60,000 teeth", {makeSystem(comb(60'000), 26)}, 1},
      {"forest of 40 trees", {makeSystem(forest(40), 16)}, 1},
      {"random trees", randomTrees(20), 100},
      {"mixed batch", std::move(mixed), 500},
  };
}

} // namespace hinesight::hines::detail
