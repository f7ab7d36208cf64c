#pragma once

#include "core/communicator.hpp"
#include "core/rank_tasks.hpp"
#include "core/run_control.hpp"
#include "synapse/plasticity/plasticity_backend.hpp"

#include <memory>
#include <vector>

namespace hinesight::synapse::detail {

/// A model whose neurons are split among ranks: a range of neurons each, with their synapses (RankConnectivity). Every
/// step the ranks exchange a bit for each neuron, whether it fired; updates exchange what crosses from one rank to
/// another. The same records, network and checkpoints as on one rank, byte for byte. Rank 0 has the model, the other
/// ranks join its tasks; all are cancelled at the same step. State and network are gathered where they are asked for.
/// Throws as makeModel.
std::unique_ptr<PlasticityModel> makeRankModel(Communicator& ranks, ModelSetup setup, const PlasticityProgress& start);

/// What the other ranks join; they keep their neurons between tasks. `control` cancels their work, and so that of all.
std::vector<RankTask> modelTasks(const RunControl& control);

} // namespace hinesight::synapse::detail
