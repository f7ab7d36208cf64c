#pragma once

#include "simulation/cells/cells.hpp"

#include <utility>

namespace hinesight::simulation {

/// A share of cells in blocks: what a processor or a GPU runs. Blocks are up to date in main memory between `fetch` and
/// the next run; what is changed there counts after `put`.
class BlockCells : public Cells
{
public:
  explicit BlockCells(Blocks made) : inBlocks(std::move(made)) {}

  std::size_t blocks() const override { return inBlocks.blocks.size(); }
  PlaceInBlocks placeOfSynapse(std::size_t synapse) const override { return inBlocks.placeOfSynapse[synapse]; }

  void addProbe(const Network& network, std::uint32_t probe) override;
  void setModels(CompiledModels models) override;
  std::vector<double> potentialsOf(std::uint32_t cell) override;
  std::optional<NodePlace> firstOutOfBounds() override;
  CellStates states(const Network& network, std::span<const ValueOrder> orders) override;
  void setStates(const Network& network, std::span<const ValueOrder> orders, const CellStates& whole) override;

protected:
  /// Brings what blocks hold up to date, before it is read.
  virtual void fetch() {}
  /// After the blocks were changed: their states, their models, their probes.
  virtual void put() {}

  Blocks inBlocks;
};

} // namespace hinesight::simulation
