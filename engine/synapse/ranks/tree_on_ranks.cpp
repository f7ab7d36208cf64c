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

TreeOnRanks agreedTree(Communicator& ranks, SearchKind kind, Backend backend)
{
  TreeOnRanks tree = chosen;
  ranks.broadcast(tree, 0);
  if (tree == TreeOnRanks::Auto)
    tree = machinesOf(ranks) > 1 ? TreeOnRanks::Essential : TreeOnRanks::Whole;
  return backend == Backend::Cpu && EssentialSearch::canDo(kind) ? tree : TreeOnRanks::Whole;
}

std::string ranksInWords(const Communicator& ranks, TreeOnRanks tree)
{
  return ranksInWords(ranks) + (tree == TreeOnRanks::Essential ? " with essential trees" : "");
}

} // namespace hinesight::synapse
