#pragma once

#include "core/communicator.hpp"
#include "core/run_control.hpp"
#include "synapse/octree/octree.hpp"
#include "synapse/ranks/placed_neurons.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hinesight::synapse {

/// Nodes [begin, end), or places.
struct TreeRange
{
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// What one rank has of an octree whose neurons are split among ranks by their places in Morton order: the locally
/// essential tree (Salmon 1991, "Parallel hierarchical N-body methods"; Warren and Salmon 1992, "Astrophysical N-body
/// simulations using hierarchical tree data structures"). That is the subtree over its own neurons, the top of the tree
/// (nodes with neurons of several ranks) with all its children, and of the other ranks' subtrees whatever a seeker
/// among its neurons could look into: the children of every cell whose distance from the boxes of its neurons is no
/// more than acceptanceLimit allows, measured to the cell and not to a centroid, which moves. A node that is near
/// nobody here is a leaf without a neuron.
///
/// The nodes are in the order of the whole tree, so that a walk weighs the same nodes in the same order as over the
/// whole tree: the same sums, to the last bit, and the same picks. Who picks a leaf without a neuron goes on in the
/// subtree of its owner, which is whole there.
class EssentialTree
{
public:
  /// Collective. Throws FailedTogether as makeOctree.
  EssentialTree(Communicator& ranks, const PlacedNeurons& placed, double theta, int threads, const RunControl& control);

  const Octree& tree() const { return part; } ///< its places are those of its leaves; leafNode is empty
  /// The nodes over this rank's neurons, with those of the top among them.
  TreeRange nodesOfRank() const { return ownNodes; }
  /// The rank that has the neurons of a leaf.
  int owner(std::uint32_t leaf) const;
  /// What a leaf without a neuron is on its owner.
  std::uint32_t nodeAtOwner(std::uint32_t leaf) const { return atOwner[part.leafBegin[leaf]]; }

  /// Sums of vacant elements for all nodes, as sumVacant over the whole tree: a node is summed up by its owner, the top
  /// by all ranks, in whole numbers. `vacant`: of this rank's places. Collective. Throws FailedTogether as sumVacant.
  VacantElements sumVacant(Communicator& ranks, const PlacedNeurons& placed, std::span<const std::uint32_t> vacant,
                           int threads) const;

private:
  struct Pieces;

  void join(const Pieces& pieces, int ownRank);
  void sumOwn(const PlacedNeurons& placed, std::span<const VacantSum> sums, VacantElements& elements,
              int threads) const;
  void sumTop(Communicator& ranks, const OctreeBox& box, std::span<const VacantSum> sums,
              VacantElements& elements) const;
  void takeOthers(Communicator& ranks, VacantElements& elements) const;

  Octree part;
  std::vector<std::uint32_t> atOwner;   ///< by place
  std::vector<std::uint32_t> rankBegin; ///< the first place of each rank; the last entry is the number of all
  std::vector<std::uint32_t> top;       ///< nodes with neurons of several ranks
  TreeRange ownPlaces, ownNodes;        ///< of this rank; nodes of the top may be among the latter
  std::vector<std::uint32_t> given;     ///< own nodes that others have too, by rank
  std::vector<std::size_t> givenCount;
};

} // namespace hinesight::synapse
