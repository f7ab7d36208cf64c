#pragma once

#include "simulation/cells/cells.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace hinesight::simulation {

/// Cells of all shares, each of which has a thread: on the CUDA backend share k runs on device k, on the CPU backend
/// they run side by side. Blocks of the first share come first.
std::unique_ptr<Cells> makeSharedCells(const CellsSetup& setup);

/// The states of a network's cells by those of its shares. Of gap junctions, what is within shares.
CellStates merged(const Network& network, const Shares& shares, std::span<const CellStates> parts);

/// How many of so many GPUs are worth it for a network: 1 where it is so small that a second one only costs.
std::size_t devicesWorth(std::size_t devices, std::size_t compartments, std::size_t cells);

/// The GPUs that SimulationParameters::devices means for a network: as many as are worth it; 1 on the CPU. Throws
/// Error(BadParameter) where this machine has fewer than are asked for.
std::size_t devicesFor(const Network& network, std::size_t compartments, const SimulationParameters& parameters);

// What the name of the device tells of how many share a network, `used` of all.

/// Of GPUs, whose number stands before the name: that one is left alone, and why. Else nothing.
std::string sharedByDevices(std::size_t devices, std::size_t used);
/// Of several ranks: ", 2 ranks", and why where not all of them have cells.
std::string sharedByRanks(std::size_t ranks, std::size_t used);

} // namespace hinesight::simulation
