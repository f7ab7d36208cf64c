#pragma once

#include "core/run_control.hpp"
#include "model/project.hpp"
#include "synapse/formation/formation.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hinesight::study {

struct Circuit;
struct GrowthStart;
struct PopulationJoin;

/// The neurons of some populations, which the circuit has, one population after another, each an area of its own. Axons
/// of inhibitory populations make negative synapses.
std::shared_ptr<const synapse::NeuronPopulation> joinedNeurons(const Circuit& circuit,
                                                               const std::vector<std::string>& populations);

/// The same of a project that is no circuit yet. Throws as makeCircuit, and Error(BadParameter) for a population that
/// is not there.
std::shared_ptr<const synapse::NeuronPopulation>
neuronsOf(const model::Project& project, const std::vector<std::string>& populations, const RunControl& control = {});

/// What a network begins with that grows from the neurons and synapses of a formed connection. Throws as neuronsOf and
/// FormationStudy::run, and Error(BadParameter) where no formed connection has that name.
std::shared_ptr<const GrowthStart> startFrom(const model::Project& project, const std::string& connection,
                                             const RunControl& control = {});

/// What synapses of joinedNeurons come to from each population to each.
std::vector<PopulationJoin> joinsOf(const synapse::NeuronPopulation& neurons, const synapse::Network& network);

/// The populations that a connection joins, each once.
std::vector<std::string> populationsOf(const model::Connection& connection);

/// What of a project these neurons depend on: no more than the populations and their cells.
model::Project partWith(const model::Project& project, const std::vector<std::string>& populations);

} // namespace hinesight::study
