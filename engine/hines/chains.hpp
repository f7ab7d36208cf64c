#pragma once

#include "hines/batch.hpp"

#include <cstdint>
#include <string_view>

namespace hinesight::hines {

/// Whether a cell is a chain, numbered from one end to the other.
bool isChain(const HinesSystem& system);

/// Whether all cells of the batch are chains of one length, numbered from one end to the other.
bool areChainsOfOneLength(const HinesBatch& batch);

/// The length of the chains that all cells of the batch are. Throws Error(BadParameter) for other shapes, naming
/// `solver`.
std::int32_t chainLength(const HinesBatch& batch, std::string_view solver);

} // namespace hinesight::hines
