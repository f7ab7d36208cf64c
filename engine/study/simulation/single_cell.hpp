#pragma once

#include "study/simulation/circuit_simulation.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace hinesight::study {

/// A cell of the Allen Cell Types database by itself, or one that comes with the program, with a current into its soma.
struct SingleCell
{
  struct Current
  {
    double amplitude; ///< nA
    double delay;     ///< ms
    double duration;
  };

  std::string fit;
  std::string morphology; ///< empty: the only SWC file beside the fit
  std::optional<Current> current;
};

/// Whether a file is such a fit: JSON with a "genome". Throws as readFile.
bool isAllenFit(const std::filesystem::path& file);

/// A population "cell" of one node, whose potential at the soma is recorded. Throws as readAllenFit and readSwc,
/// Error(BadParameter) where no SWC file is given and there is not exactly one beside the fit.
CircuitSimulation buildSingleCell(const SingleCell& cell);

} // namespace hinesight::study
