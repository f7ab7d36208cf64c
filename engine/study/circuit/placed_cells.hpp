#pragma once

#include "io/sonata/circuit_files.hpp"
#include "model/project.hpp"

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

} // namespace hinesight::study
