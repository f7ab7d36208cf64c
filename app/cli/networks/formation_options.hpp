#pragma once

#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "synapse/formation/formation.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace hinesight::cli {

/// The neurons of a command: random ones, or those of a file.
struct NeuronOptions
{
  synapse::PlacementParameters placement;
  std::string file; ///< as io::parseNeuronFile reads it; empty: random
};

void addNeuronOptions(Command& command, NeuronOptions& options);

/// As synapse::makeRandomPopulation and io::readNeuronPopulation.
std::shared_ptr<const synapse::NeuronPopulation> neuronsOf(const NeuronOptions& options, std::uint64_t seed,
                                                           const RunControl& control);

/// What of their file is not read, though a person may expect it: sentences. Throws as io::leftBehind.
std::vector<std::string> warningsOf(const NeuronOptions& options);

} // namespace hinesight::cli
