#pragma once

#include "synapse/plasticity/plasticity.hpp"

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace hinesight::cli {

/// What was given of the elements of one kind, or of all.
struct GrowthOptions
{
  std::optional<double> rate, leastCalcium, initialLeast, initialMost, retractRatio;
};

/// The plasticity model on the command line, but for neurons and search.
struct PlasticityOptions
{
  synapse::PlasticityParameters parameters;
  GrowthOptions all, axon, excitatoryDendrite, inhibitoryDendrite;
  std::vector<std::string> stimuli;                    ///< BEGIN,END,PERIOD,INTENSITY[,AREA]
  std::string backgroundFile, calciumFile, interrupts; ///< io/plasticity_files.hpp; empty: none
};

void addPlasticityOptions(CLI::App& command, PlasticityOptions& options);

/// Throws CLI::ValidationError for a stimulus that is none, and as io/plasticity_files.hpp.
synapse::PlasticityParameters parametersOf(const PlasticityOptions& options);

} // namespace hinesight::cli
