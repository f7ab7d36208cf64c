#pragma once

#include "core/communicator.hpp"
#include "core/run_control.hpp"
#include "synapse/ranks/essential_search.hpp"

#include <cstdint>
#include <vector>

namespace hinesight::synapse {

/// The exact search of this rank's places over an essential tree, in rounds. A cell is proposed from the sums of
/// bounds, which are those of the whole tree; where its vacant element is at another rank, that rank accepts or refuses
/// it, and the seeker goes on with its next attempt. Elements that are refused too often weigh all neurons one by one:
/// their running sum is handed from rank to rank in Morton order, because sums of the ranks' own sums would have other
/// bits. `seeking`: vacant elements by place. Returns what was found, on any of the ranks. Collective.
std::vector<Request> findExactlyOnRanks(Communicator& ranks, const PlacedNeurons& placed, const EssentialTree& tree,
                                        const EssentialQuery& query, const std::vector<std::uint32_t>& seeking,
                                        const VacantElements& sought, int threads, const RunControl& control);

} // namespace hinesight::synapse
