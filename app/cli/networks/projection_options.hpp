#pragma once

#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "study/projection/projection_study.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hinesight::cli {

/// One end of a projection: a square grid of `side`, or the one of these that is given.
struct PopulationOptions
{
  std::string name;
  std::vector<std::uint32_t> grid; ///< neurons along x, y and z
  std::vector<double> spacing;     ///< of a grid: along all axes, or along x, y and z; empty: that of both ends
  std::vector<double> origin;      ///< of what is made: of a grid its first neuron, of a box its lowest corner, of a
                                   ///< sphere its centre; empty: 0, 0, 0
  std::vector<double> box;         ///< neurons, and the sides along x, y and z
  std::vector<double> sphere;      ///< neurons, and the radius
  std::string file;                ///< positions (io::parseNeuronFile)
  std::uint64_t seed;              ///< of box and sphere
};

/// What defines a projection on the command line.
struct ProjectionOptions
{
  std::uint32_t side = 150;
  double spacing = 1;
  PopulationOptions source{"source", {}, {}, {}, {}, {}, {}, 1};
  PopulationOptions destination{"destination", {}, {}, {}, {}, {}, {}, 2};
  bool isRecurrent = false; ///< the source is the destination too
  projection::ProjectionParameters parameters;
  std::vector<std::string> given; ///< names of the parameters that were given
};

void addProjectionOptions(Command& command, ProjectionOptions& options);

/// Throws UsageError for a parameter that has no effect, for a population that is given twice and for what it
/// has no use for.
study::ProjectionRequest requestOf(const ProjectionOptions& options);

} // namespace hinesight::cli
