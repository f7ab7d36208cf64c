#pragma once

#include "simulation/cells/cells.hpp"

#include <memory>
#include <span>

namespace hinesight::simulation {

/// Cells of all shares, each of which has a thread: on the CUDA backend share k runs on device k, on the CPU backend
/// they run side by side. Blocks of the first share come first.
std::unique_ptr<Cells> makeSharedCells(const CellsSetup& setup);

/// The states of a network's cells by those of its shares. Of gap junctions, what is within shares.
CellStates merged(const Network& network, const Shares& shares, std::span<const CellStates> parts);

/// The GPUs that SimulationParameters::devices means for a network: 1 where it is so small that a second one only
/// costs, and on the CPU. Throws Error(BadParameter) where this machine has fewer than are asked for.
std::size_t devicesFor(const Network& network, std::size_t compartments, const SimulationParameters& parameters);

} // namespace hinesight::simulation
