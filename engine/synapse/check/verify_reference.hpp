#pragma once

#include "synapse/formation/formation.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

// What the search of vacant elements is checked against, written from the equations (plasticity_model.md, sections 1
// and 2) without any of the code that it checks: an octree of pointers, split by comparing coordinates, sums and
// distances in double precision, kernels by the library's functions.

namespace hinesight::synapse::reference {

double squaredDistance(const Position& a, const Position& b);

/// Of one vacant element at a distance above 0, um.
double kernel(const KernelParameters& parameters, double distance);

/// An octree in which a node has up to eight children, with the vacant elements of one kind in each node.
class Tree
{
public:
  struct Node
  {
    Position middle = {}; ///< of its cell
    double edge = 0;
    std::array<std::int32_t, 8> children; ///< -1: none
    std::uint32_t neuron = kNoTarget;     ///< of a leaf
    double weight = 0;                    ///< vacant elements
    Position centroid = {};
  };

  Tree(std::span<const Position> positions, std::span<const std::uint32_t> vacant, const Position& lowest, double edge);

  /// The probability of each neuron to be found by one vacant element of `seeker`: the product over the descents that
  /// lead to it. All 0 where nothing is found.
  std::vector<double> inducedDistribution(std::uint32_t seeker, double theta, const KernelParameters& parameters) const;

  std::size_t nodes() const { return tree.size(); }
  /// Nodes of two or more neurons whose neurons are not all in one of its children, and leaves.
  std::size_t branchings() const;
  const std::vector<Node>& all() const { return tree; }

private:
  void insert(std::uint32_t neuron);
  std::int32_t childOf(std::int32_t node, const Position& at) const;
  std::int32_t addChild(std::int32_t node, const Position& at);
  void sumUp();
  bool isLeaf(std::int32_t node) const { return tree[static_cast<std::size_t>(node)].neuron != kNoTarget; }
  void gather(std::int32_t from, const Position& seeker, double theta, std::vector<std::int32_t>& accepted) const;

  std::span<const Position> place;
  std::span<const std::uint32_t> vacantElements;
  std::vector<Node> tree;
};

/// The same by the kernel at every neuron: what an exact search draws from. Where every kernel is 0, nothing.
std::vector<double> exactDistribution(std::span<const Position> positions, std::span<const std::uint32_t> vacant,
                                      std::uint32_t seeker, const KernelParameters& parameters);

/// Half the sum of the differences of two distributions.
double totalVariation(std::span<const double> a, std::span<const double> b);

} // namespace hinesight::synapse::reference
