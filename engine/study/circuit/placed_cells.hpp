#pragma once

#include "io/sonata/circuit_files.hpp"
#include "model/project.hpp"

#include <array>
#include <cstdint>
#include <vector>

// Neurons that are reconstructed cells: which cell of a pool each is, and how it is turned about its soma.

namespace hinesight::study {

/// The place in Population::cells of the cell that each neuron is; empty where all are the first one or points. Throws
/// as io::readNodeTypes, Error(BadParameter) where there are other types of nodes than cells.
std::vector<std::uint32_t> cellsOfNeurons(const model::Population& population, std::uint64_t neurons);

/// How the neurons are turned: by the SONATA file that they come from or by chance, and then by the population's
/// rotation. Empty for points. Throws as io::readAngles.
io::SonataAngles anglesOf(const model::Population& population, std::uint64_t neurons);

/// The neurons of a population in space, as an exported circuit says: each a cell of the pool, turned by its angles
/// about its soma, which lies where the neuron is.
class PlacedCells
{
public:
  /// The population must have cells; `neurons` outlive this. Throws as cellsOfNeurons and anglesOf.
  PlacedCells(const model::Population& population, const projection::Population& neurons);

  std::uint64_t count() const { return somata.count(); }
  /// The place in Population::cells of the cell that a neuron is.
  std::uint32_t cellOf(std::uint64_t neuron) const { return cells.empty() ? 0 : cells[neuron]; }

  /// How one neuron lies.
  struct Pose
  {
    std::array<std::array<double, 3>, 3> rotation; ///< a matrix, row by row
    std::array<double, 3> soma;                    ///< where the centre of the cell's soma lies, µm

    /// Where a point of the cell lies whose soma's centre its file has at `centre`; all in µm.
    std::array<double, 3> placed(const std::array<double, 3>& point, const std::array<double, 3>& centre) const;
  };
  Pose poseOf(std::uint64_t neuron) const;

private:
  const projection::Population& somata;
  std::vector<std::uint32_t> cells;
  io::SonataAngles angles;
};

} // namespace hinesight::study
