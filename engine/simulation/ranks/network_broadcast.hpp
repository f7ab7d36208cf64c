#pragma once

#include "core/communicator.hpp"
#include "simulation/network.hpp"

namespace hinesight::simulation {

/// Gives a network of rank 0 to all others, without its connections. Of cells without what is not simulated: the points
/// and names of sections. Rank 0 gets an empty one, the others give null. Collective.
Network broadcastNetwork(Communicator& ranks, const Network* whole);

} // namespace hinesight::simulation
