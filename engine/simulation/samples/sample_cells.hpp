#pragma once

#include "cell/cell_model.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// Cells without files, which benchmarks, checks and tests run. All of them start at -65 mV but for those after the
// Allen Cell Types models.

namespace hinesight::simulation::samples {

using Model = std::shared_ptr<cell::CellModel>;

// On a cell without types, whose nodes are all soma.

/// `leak`: S/cm2.
cell::Density passive(double leak, double reversal = -65);
/// The squid axon as NEURON has it; `leak`: S/cm2.
cell::Density hh(double leak = 3e-4, double reversal = -54.3);

/// One compartment; `area`: um2.
Model ball(std::vector<cell::Density> densities, double area = 1000);

/// Equal compartments, whose nodes are their middles; `length` and `diameter` in um, of all.
Model cable(std::size_t compartments, double length, double diameter, std::vector<cell::Density> densities);

/// Compartments of random sizes, each joined to a random one before it.
Model randomTree(std::size_t compartments, std::uint64_t seed, std::vector<cell::Density> densities);

/// A soma with dendrites that run on for some 20 compartments and then fork: compartments of 10 um.
Model dendrites(std::size_t compartments, std::uint64_t seed, std::vector<cell::Density> densities);

/// What the perisomatic and the all-active models of the Allen Cell Types database (Gouwens et al. 2018) are alike to.
enum class Kind
{
  Perisomatic, ///< ten mechanisms and calcium at the soma, passive dendrites
  AllActive,   ///< channels on the dendrites as well
};

/// A synthetic pyramidal cell of 264 segments with conductances of our own choice: it has no file behind it.
Model cortical(Kind kind);

/// The same cell cut into 1,501 segments, as many as reconstructed CA1 cells have, with hh everywhere.
Model pyramidal();

} // namespace hinesight::simulation::samples
