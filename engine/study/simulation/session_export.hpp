#pragma once

#include "study/circuit/circuit_study.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hinesight::study {

/// Whether a session has anything that is simulated.
bool isSimulated(const model::Project& project);

/// Writes the circuit of a session as a SONATA simulation (SONATA Developer Guide): simulation_config.json,
/// circuit_config.json and node_sets.json, and below them the folders network, morphologies,
/// biophysical_neuron_models, point_neuron_models, synaptic_models and inputs. What is read from there runs to the same
/// bytes. Files of an earlier export are replaced, each as a whole. Returns what SONATA cannot say, a sentence each.
/// Throws as buildSimulation, Error(WriteFailed), Error(Cancelled).
std::vector<std::string> exportSimulation(const Circuit& circuit, const std::filesystem::path& folder,
                                          const RunControl& control = {});

/// exportSonata, and below it in the folder `simulation`, where the session has neurons that are simulated,
/// exportSimulation: that lacks edges to neurons without a model. A sentence says why where it cannot be simulated as
/// it is. Throws Error(WriteFailed), Error(Cancelled).
std::vector<std::string> exportWithSimulation(const Circuit& circuit, const std::filesystem::path& folder,
                                              const RunControl& control = {});

} // namespace hinesight::study
