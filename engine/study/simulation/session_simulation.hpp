#pragma once

#include "study/circuit/circuit_study.hpp"
#include "study/simulation/circuit_simulation.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hinesight::study {

class SessionCells;

/// Throws Error(BadParameter) with what misfitOf says of the first stimulus that its population cannot have.
void requireFittingStimuli(const model::Project& project);

/// Why nothing would be simulated, or misfitOf the first stimulus that its population cannot have: what a project alone
/// tells. Empty: nothing.
std::string obstacleOf(const model::Project& project);

/// Throws Error(BadParameter) that names what is missing or wrong of a project that is to be simulated, and
/// Error(OutOfMemory) where its cells do not fit into memory: before its connections are made. Throws as
/// model::validate, requireFittingStimuli, readCell and SessionCells.
void requireSimulable(const model::Project& project, const RunControl& control = {});

/// The circuit of a session as a network, which can be simulated for any time. Neurons are nodes by their numbers.
/// Throws as above, as ConnectionSynapses and as io::readSpikes.
CircuitSimulation buildSimulation(const Circuit& circuit, const RunControl& control = {});

/// What the notes of such a network say of a connection that has no synapses.
std::string noteOfLeftOut(const std::string& connection);

/// Spikes of the neurons of all populations without a model, as stimuli make them until project.simulate->stop: per
/// population, per neuron, ascending; empty of other populations. Throws as above.
std::vector<std::vector<std::vector<double>>> trainsOf(const Circuit& circuit, const RunControl& control = {});

/// The neurons of a population that a stimulus or a probe names, ascending, each once. `where`: what errors begin with.
std::vector<std::uint64_t> neuronsNamed(const std::vector<std::uint64_t>& named, std::uint64_t count,
                                        const std::string& population, const std::string& where);

/// What a probe asks for, as reports of SONATA are asked for; without nodes.
io::ReportRequest reportRequestOf(const model::ProbeRequest& probe);

/// Bytes that a network takes in memory while it is simulated, but for the state of its cells: of its connections and
/// synapses.
std::uint64_t bytesOfSynapses(const simulation::Network& network);

} // namespace hinesight::study
