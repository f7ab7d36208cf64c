#pragma once

#include "core/communicator.hpp"
#include "core/run_control.hpp"
#include "synapse/formation/formation.hpp"

#include <memory>

namespace hinesight::synapse::detail {

/// One connectivity update on CUDA, the same network as on the CPU. All of Formation but the mean distance. Its timings
/// have "allocate", "upload" and "download" besides; the parameters and the population are valid. Throws
/// Error(NoDevice), Error(OutOfMemory), Error(Cancelled), Error(DeviceFailure). `ranks`: every rank has a GPU and seeks
/// for its share of the seekers; rank 0 has the network in the end. Collective then, and throws FailedTogether.
std::shared_ptr<Formation> formSynapsesOnDevice(std::shared_ptr<const NeuronPopulation> population,
                                                const FormationParameters& parameters, const RunControl& control = {},
                                                Communicator* ranks = nullptr);

} // namespace hinesight::synapse::detail
