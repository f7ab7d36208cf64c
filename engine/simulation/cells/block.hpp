#pragma once

#include "simulation/cells/shares.hpp"
#include "simulation/cells/views.hpp"
#include "simulation/compiled_cell.hpp"
#include "simulation/network.hpp"
#include "simulation/parameters.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace hinesight::simulation {

/// Where something of a cell is.
struct PlaceInBlocks
{
  std::uint32_t block;
  std::uint32_t index; ///< lane of a cell, number of a synapse or of a point source
};

/// A node of a cell of the network.
struct NodePlace
{
  std::uint32_t cell;
  std::int32_t node;
};

/// Per model of a network; shares of its cells have the same.
using CompiledModels = std::shared_ptr<const std::vector<CompiledCell>>;

/// Cells of one model side by side, with all that is on them, in main memory.
struct Block
{
  Block(std::uint32_t of, const CompiledCell& compiled, std::uint32_t cellsAtMost);

  std::uint32_t model;
  std::uint32_t lanes;              ///< at least as many as cells; the last ones may be of no use
  std::uint32_t nodes;              ///< of a cell's system
  std::vector<std::uint32_t> cells; ///< of the network

  std::vector<double> v, states, calcium, calciumCurrent;
  std::uint32_t channelInputs = 0; ///< of all cells
  std::vector<std::uint32_t> kindOf, synapseTarget;
  std::vector<double> rising, falling;
  std::vector<PointSource> pointSources;
  std::vector<std::uint32_t> inputTarget, firstInput, inputOrder;
  std::vector<BareTip> tips; ///< that have inputs
  std::vector<std::uint32_t>
      tipTarget; ///< of all bare tips, cell by cell: its row, or without inputs that of its parent
  std::vector<std::uint32_t> watched;
  std::vector<double> threshold;
  std::vector<std::uint8_t> isAbove;
  std::vector<ProbeView> probes;
  std::vector<ProbedChild> probedChildren;
  std::vector<std::uint32_t> probeNumbers; ///< of the network

  std::size_t inputs() const { return channelInputs + kindOf.size() + pointSources.size(); }
  std::uint32_t targetOf(std::uint32_t item, std::uint32_t lane) const { return item * lanes + lane; }
  /// Of a node: where its potential is.
  std::uint32_t targetOfNode(std::uint32_t place, std::uint32_t lane) const
  {
    return place < nodes ? targetOf(place, lane) : tipTarget[targetOf(place - nodes, lane)];
  }
  /// Whether its potential is that of its parent.
  bool isWithoutRow(std::uint32_t place, std::uint32_t lane) const
  {
    return place >= nodes && targetOfNode(place, lane) < targetOf(nodes, 0);
  }
  /// Of a node that gets an input: a bare tip gets a row.
  std::uint32_t inputTargetOf(std::uint32_t place, std::uint32_t lane, const CompiledCell& compiled);
};

/// All states of cells, whatever blocks these stand in: of a network's, or of a share's. Values of cells are those of
/// the first cell, those of the second and so on, each in an order of its values that the reader is told; those of
/// synapses in the order of the network's.
struct CellStates
{
  std::vector<double> v, states, calcium, calciumCurrent;
  std::vector<double> rising, falling;
  std::vector<double> noises;
  std::vector<std::uint8_t> isAbove;
  std::vector<double> peersBefore; ///< two of each gap junction; of a share, of those within it

  /// Calls `visit` with the name and the vector of each.
  template <typename Self, typename Visit>
  static void forEach(Self& self, const Visit& visit)
  {
    visit("v", self.v);
    visit("states", self.states);
    visit("calcium", self.calcium);
    visit("calciumCurrent", self.calciumCurrent);
    visit("rising", self.rising);
    visit("falling", self.falling);
    visit("noises", self.noises);
    visit("isAbove", self.isAbove);
    visit("peersBefore", self.peersBefore);
  }
};

/// The cells of a share of a network in blocks. Where things of the network have places, those of other shares have the
/// block kNothing.
class Blocks
{
public:
  /// How many cells a block may take of a model that has `cells` of `nodes` nodes, of which `left` are in no block yet:
  /// a power of two.
  using LanesOf = std::uint32_t (*)(std::size_t cells, std::size_t left, std::size_t nodes, int threads);

  Blocks(const Network& network, const SimulationParameters& parameters, CompiledModels models,
         const cell::Temperature& temperature, const Shares& shares, std::size_t share, LanesOf lanesOf);

  const std::vector<CompiledCell>& models() const { return *compiled; }
  void setModels(CompiledModels models) { compiled = std::move(models); }
  bool holds(std::uint32_t cell) const { return range.holds(cell); }
  /// Of a probe on a cell of the share.
  void addProbe(const Network& network, std::uint32_t probe);
  /// Everything at its start: gates at rest at the first potentials.
  void start(const Network& network, const cell::Temperature& temperature);
  void setKinds(const SimulationParameters& parameters);

  std::vector<double> potentialsOf(std::uint32_t cell) const;
  /// Of the share; `orders`: per model.
  CellStates states(const Network& network, std::span<const ValueOrder> orders) const;
  /// Takes the share's part.
  void setStates(const Network& network, std::span<const ValueOrder> orders, const CellStates& whole);
  /// The first cell with a potential out of all bounds, and its first such node.
  std::optional<NodePlace> firstOutOfBounds() const;

  std::vector<Block> blocks;
  std::vector<SynapseKind> kinds;
  std::vector<ClampLevel> clampLevels;
  std::vector<PlaceInBlocks> placeOfCell;
  std::vector<PlaceInBlocks> placeOfSynapse; ///< of the network's
  std::vector<PlaceInBlocks> placeOfNoise;
  /// The point sources of both ends of a gap junction within the share.
  struct Junction
  {
    std::uint32_t number; ///< of the network
    std::array<PlaceInBlocks, 2> ends;
  };
  std::vector<Junction> junctions;
  std::vector<double> peersBefore; ///< two of each of them
  /// The point source of one end of a junction whose other end is in another share.
  struct End
  {
    std::size_t number; ///< among both ends of all junctions between shares
    PlaceInBlocks place;
  };
  std::vector<End> ends;

private:
  void makeBlocks(const Network& network, LanesOf lanesOf, int threads);
  void addSynapses(const Network& network);
  void addJunctions(const Network& network, const Shares& shares);
  void addPointSources(const Network& network);
  void addDetectors(const Network& network);
  PlaceInBlocks addPointSource(std::uint32_t cell, std::int32_t node, PointSource source);
  void orderInputs(Block& block) const;

  /// Calls `copy` with every value of every cell: in the states, and in the blocks.
  template <typename Self, typename States, typename Copy>
  static void copyValues(Self& self, const Network& network, std::span<const ValueOrder> orders, States& states,
                         bool isWhole, const Copy& copy);

  CompiledModels compiled;
  ShareRange range;
  std::vector<Synapse> kindSynapses; ///< that the kinds are made of
};

/// A potential beyond this is no result, mV.
inline constexpr double kMostPotential = 1000;

} // namespace hinesight::simulation
