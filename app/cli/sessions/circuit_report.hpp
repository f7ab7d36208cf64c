#pragma once

#include "app/cli/report.hpp"
#include "app/cli/session.hpp"
#include "study/circuit/circuit_study.hpp"

#include <filesystem>
#include <ostream>

namespace hinesight::cli {

/// Neurons of each population; edges, synapses and times of each connection.
Json toJson(const study::Circuit& circuit);
void printText(std::ostream& stream, const study::Circuit& circuit);
/// Prints study::warningsOf.
void printWarnings(const study::Circuit& circuit, Session& session);

/// Writes the circuit as SONATA files, as a simulation where the session has one. What cannot be exported is printed.
/// Throws as study::exportSonata and study::exportSimulation.
void exportCircuit(const study::Circuit& circuit, const std::filesystem::path& folder, Session& session);

} // namespace hinesight::cli
