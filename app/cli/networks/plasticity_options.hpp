#pragma once

#include "app/cli/options.hpp"
#include "synapse/plasticity/plasticity.hpp"

#include <string>
#include <vector>

namespace hinesight::cli {

/// The plasticity model on the command line, but for neurons.
struct PlasticityOptions
{
  synapse::PlasticityParameters parameters;
  std::vector<std::string> stimuli;                    ///< BEGIN,END,PERIOD,INTENSITY[,AREA]
  std::string backgroundFile, calciumFile, interrupts; ///< io/plasticity_files.hpp; empty: none
};

void addPlasticityOptions(Command& command, PlasticityOptions& options);
/// The groups of options that say what the model is.
std::vector<std::string> modelGroups();

/// Throws UsageError for a stimulus that is none, and as io/plasticity_files.hpp.
synapse::PlasticityParameters parametersOf(const PlasticityOptions& options);

} // namespace hinesight::cli
