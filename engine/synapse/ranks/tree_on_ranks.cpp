#include "synapse/ranks/tree_on_ranks.hpp"

#include "core/rank_tasks.hpp"
#include "synapse/ranks/essential_search.hpp"

#include <algorithm>
#include <utility>

namespace hinesight::synapse {

namespace {

thread_local TreeOnRanks chosen = TreeOnRanks::Auto;

/// Collective.
std::ptrdiff_t machinesOf(Communicator& ranks)
{
  return std::ranges::count(ranks.allGather(ranks.rankOnMachine()), 0);
}

} // namespace

TreeScope::TreeScope(TreeOnRanks tree) : before(std::exchange(chosen, tree)) {}

TreeScope::~TreeScope()
{
  chosen = before;
}

TreeOnRanks chosenTree(Communicator& ranks)
{
  TreeOnRanks tree = chosen;
  ranks.broadcast(tree, 0);
  if (tree == TreeOnRanks::Auto)
    tree = machinesOf(ranks) > 1 ? TreeOnRanks::Essential : TreeOnRanks::Whole;
  return tree;
}

TreeOnRanks treeFor(TreeOnRanks chosen, SearchKind kind, Backend backend)
{
  return EssentialSearch::canDo(kind, backend) ? chosen : TreeOnRanks::Whole;
}

std::string ranksInWords(const Communicator& ranks, TreeOnRanks tree)
{
  return ranksInWords(ranks) + (tree == TreeOnRanks::Essential ? " with essential trees" : "");
}

std::string treesOfGpusInWords(TreeOnRanks chosen, SearchKind kind)
{
  if (chosen == TreeOnRanks::Whole)
    return {};
  if (treeFor(chosen, kind, Backend::Cuda) == TreeOnRanks::Essential)
    return ", with essential trees";
  return ", with whole trees: the search is " + std::string(searchName(kind));
}

} // namespace hinesight::synapse
