#pragma once

#include "io/models/acc/cable_cell.hpp"
#include "study/simulation/circuit_simulation.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace hinesight::study {

/// A cell by itself, with a current into its soma: of the Allen Cell Types database, of Arbor, or one that comes with
/// the program.
struct SingleCell
{
  struct Current
  {
    double amplitude; ///< nA
    double delay;     ///< ms
    double duration;
  };

  std::string file;       ///< a fit, or a component of Arbor
  std::string morphology; ///< empty: that of the file, or the only SWC file beside it
  std::string mechanisms; ///< a table of a user's own; empty: none
  std::optional<Current> current;
};

/// Whether a file is a single cell: JSON with a "genome", or what begins with a parenthesis. Throws as readFile.
bool isSingleCell(const std::filesystem::path& file);

/// A population "cell" of one node, whose potential at the soma is recorded. Throws as readAllenFit, readCableCell,
/// readMechanismTables and readSwc, Error(BadParameter) where no SWC file is given and there is not exactly one beside
/// the file that needs one.
CircuitSimulation buildSingleCell(const SingleCell& cell);

/// The only model of a simulation with what is placed on its first cell, to be written. Throws Error(BadParameter)
/// where there are several models.
io::CableCell cableCellOf(const CircuitSimulation& simulation);

} // namespace hinesight::study
