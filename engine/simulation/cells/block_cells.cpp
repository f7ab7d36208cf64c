#include "simulation/cells/block_cells.hpp"

namespace hinesight::simulation {

void BlockCells::addProbe(const Network& network, std::uint32_t probe)
{
  if (!inBlocks.holds(network.probes[probe].cell))
    return;
  fetch();
  inBlocks.addProbe(network, probe);
  put();
}

void BlockCells::setModels(CompiledModels models)
{
  fetch();
  inBlocks.setModels(std::move(models));
  put();
}

std::vector<double> BlockCells::potentialsOf(std::uint32_t cell)
{
  if (!inBlocks.holds(cell))
    return {};
  fetch();
  return inBlocks.potentialsOf(cell);
}

std::optional<NodePlace> BlockCells::firstOutOfBounds()
{
  fetch();
  return inBlocks.firstOutOfBounds();
}

CellStates BlockCells::states(const Network& network, std::span<const ValueOrder> orders)
{
  fetch();
  return inBlocks.states(network, orders);
}

void BlockCells::setStates(const Network& network, std::span<const ValueOrder> orders, const CellStates& whole)
{
  fetch();
  inBlocks.setStates(network, orders, whole);
  put();
}

} // namespace hinesight::simulation
