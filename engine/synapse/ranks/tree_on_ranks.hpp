#pragma once

#include "core/choices.hpp"
#include "core/communicator.hpp"
#include "core/fields.hpp"
#include "synapse/search/search.hpp"

#include <span>
#include <string_view>

namespace hinesight::synapse {

/// What of the octree each rank has. It is nothing of a model: networks and checkpoints are the same bytes.
enum class TreeOnRanks
{
  Auto,     ///< Whole on one machine, else Essential
  Whole,    ///< everything, and the vacant elements of all neurons
  Essential ///< what its own neurons need (EssentialTree)
};

inline constexpr Choice kTreesOnRanks[] = {
    {"auto", "Auto", "Whole where all ranks are on one machine, else essential."},
    {"whole", "Whole", "Every rank has the octree of all neurons."},
    {"essential", "Essential", "Every rank has what its own neurons need of the octree."},
};
inline std::span<const Choice> tableOf(TreeOnRanks)
{
  return kTreesOnRanks;
}
inline std::string_view treeName(TreeOnRanks tree)
{
  return choiceName(tree);
}

/// While it lives, ranks that this thread leads (core/rank_tasks.hpp) have trees as it says; without one as Auto.
class TreeScope
{
public:
  explicit TreeScope(TreeOnRanks tree);
  ~TreeScope();
  TreeScope(const TreeScope&) = delete;
  TreeScope& operator=(const TreeScope&) = delete;

private:
  TreeOnRanks before;
};

/// What rank 0 chose: Whole or Essential. Collective.
TreeOnRanks chosenTree(Communicator& ranks);
/// What ranks have for searches of a kind on a backend: what was chosen, but the whole tree where these need it
/// (EssentialSearch::canDo).
TreeOnRanks treeFor(TreeOnRanks chosen, SearchKind kind, Backend backend);

/// "4 ranks", "4 ranks with essential trees", for the name of what work ran on.
std::string ranksInWords(const Communicator& ranks, TreeOnRanks tree);
/// What to put behind the name of the GPUs that work ran on: ", with essential trees", where these were chosen in vain
/// ", with whole trees: the search is exact", else nothing.
std::string treesOfGpusInWords(TreeOnRanks chosen, SearchKind kind);

} // namespace hinesight::synapse
