#pragma once

#include "core/run_control.hpp"
#include "model/project.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hinesight::study {

/// A circuit as a project that refers to its files, by paths as seen from the working directory.
struct ImportedSonata
{
  model::Project project;
  std::vector<std::string> warnings; ///< sentences: what of the circuit the project does not hold
};

/// A circuit of SONATA's circuit configuration, or of a simulation configuration that names or holds one: populations
/// of nodes, edges between them, and the morphologies of node types as cells. Only files that the configuration and the
/// tables of types name are opened; those outside of its folder are named in a warning. Throws as readFile,
/// Error(BadFormat) with what is wrong where, Error(OutOfMemory), Error(Cancelled).
ImportedSonata importSonata(const std::filesystem::path& configuration, const RunControl& control = {});

} // namespace hinesight::study
