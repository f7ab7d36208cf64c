#pragma once

#include "cell/cell_model.hpp"
#include "cell/mechanism.hpp"
#include "simulation/cells/views.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace hinesight::simulation {

/// Channels of one kind on a cell, one per node that has it: structure of arrays.
struct ChannelGroup
{
  cell::ChannelKind kind;
  cell::Carrier carrier;
  const cell::ChannelTable* table = nullptr; ///< of a user's own; the model keeps it
  std::vector<std::uint32_t> node = {};      ///< places, in their order
  std::vector<std::uint32_t> density = {};   ///< which of the cell's a channel is of
  std::vector<double> conductance = {};      ///< uS, all open
  std::vector<double> reversal = {};         ///< mV; not of a calcium channel that has a pool
  std::vector<std::int32_t> pool = {};       ///< of calcium; -1: there is none
  std::vector<double> parameters = {};       ///< parameter after parameter
  std::size_t firstState = 0;                ///< state after state, each of all channels of the group
  std::vector<std::int32_t> channel = {};    ///< per node, -1: none; empty of a group of few nodes

  std::size_t size() const { return node.size(); }
};

/// What a person changes of all cells while they run.
struct Adjustments
{
  std::vector<double> conductance;    ///< factor of each of cell::allMechanisms(); empty, or of a user's own: 1
  double stimuli = 1;                 ///< factor of injected currents
  double weights = 1;                 ///< factor of the weights of events that are sent from now on
  std::optional<double> celsius = {}; ///< nothing: as the parameters say

  double conductanceOf(std::int32_t mechanism) const
  {
    const auto place = static_cast<std::size_t>(mechanism);
    return place < conductance.size() ? conductance[place] : 1;
  }
  bool operator==(const Adjustments&) const = default;
};

/// Where a cell's values are: at the place `v[k]` is the potential of the k-th node in some order, and so on.
struct ValueOrder
{
  std::vector<std::uint32_t> v, states, pools;
};

/// A model with all that does not change while it runs, in absolute units. Its nodes are in the order of their
/// elimination: where a node of the model is called by its place, it is in that order. Bare tips stand behind them: a
/// bare tip is an end of a branch without area, so that nothing flows there but inputs. Without these it has the
/// potential of its parent, and is no part of the system.
struct CompiledCell
{
  /// Adjustments change numbers alone: what is compiled with others has the same arrays of the same lengths.
  CompiledCell(const cell::CellModel& model, const cell::Temperature& temperature, const Adjustments& adjustments = {});

  CompiledCell(CompiledCell&&) = default; // the views point into it
  CompiledCell& operator=(CompiledCell&&) = default;

  /// Of the system: all but bare tips.
  std::size_t nodes() const { return elimination.nodeAt.size(); }
  bool isBareTip(std::uint32_t place) const { return place >= nodes(); }
  /// A group of a kind with a channel at a place, and which of the group's it is; null: there is none.
  std::pair<const ChannelGroup*, std::size_t> channelAt(cell::ChannelKind kind, std::uint32_t place) const;
  std::uint32_t placeOf(std::int32_t node) const { return placeOfNode[static_cast<std::size_t>(node)]; }
  /// As the nodes of the model are numbered.
  ValueOrder orderByNode() const;
  /// As checkpoints of the first format have them: by rounds of elimination of the whole tree.
  ValueOrder orderByRounds() const;
  /// Pointers into this.
  ModelView view() const;
  const std::vector<GroupView>& groups() const { return groupViews; }
  const std::vector<std::uint32_t>& firstCurrents() const { return firstCurrentOf; }
  const std::vector<std::uint32_t>& currents() const { return currentOf; }

  std::vector<std::uint32_t> nodeAt, placeOfNode; ///< the model's node at a place, and the place of each
  std::vector<std::int32_t> parent;               ///< -1: none
  std::vector<RowConstants> rows;
  std::vector<ChannelGroup> channels;    ///< those of most nodes first
  std::vector<std::uint32_t> inputNodes; ///< of the channels of the other groups, one after the other
  std::vector<CalciumPool> pools;
  std::vector<std::int32_t> poolOfNode;          ///< -1: none
  std::vector<std::uint32_t> nodeOfPool;         ///< its place
  std::vector<std::uint32_t> firstPoolOfDensity; ///< and the end
  std::size_t states = 0;                        ///< of all channels
  double startPotential = -65;                   ///< mV
  EliminationPlan elimination;                   ///< of the tree without its bare tips
  std::size_t calciumCurrents = 0;               ///< of all channels that carry calcium

private:
  void orderCurrents();
  /// Of nodes from the lowest rank to the highest: `rankOf` has those of all nodes. Pools of a density are in that
  /// order too, and channels of a group, or, with `isByDensity`, of a density in a group.
  ValueOrder orderBy(std::span<const std::uint32_t> rankOf, bool isByDensity) const;

  std::vector<std::uint32_t> firstCurrentOf, currentOf;
  std::vector<GroupView> groupViews;
};

} // namespace hinesight::simulation
