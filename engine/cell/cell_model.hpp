#pragma once

#include "cell/sections.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hinesight::cell {

/// What holds for all sections of an SWC type.
struct Region
{
  double capacitance = 1;     ///< uF/cm2
  double resistivity = 100;   ///< ohm cm
  double sodiumReversal = 50; ///< mV
  double potassiumReversal = -77;
};

/// A mechanism on all sections of an SWC type.
struct Density
{
  std::int32_t mechanism; ///< of allMechanisms
  std::int32_t type;
  std::vector<double> parameters; ///< of the mechanism, in its order
};

/// What a cell is made of, but for its form.
struct Biophysics
{
  double celsius = 6.3;
  double startPotential = -65;            ///< mV
  double junctionPotential = 0;           ///< mV: a recorded potential is less by it than that of the model
  std::map<std::int32_t, Region> regions; ///< by SWC type; one that is not there has the usual values
  std::vector<Density> densities;

  const Region& regionOf(std::int32_t type) const;
};

/// What of it is out of range, as a sentence: a number that is not finite, a conductance below 0, a capacitance, a
/// resistivity or a time constant that is not above 0. None: all is in range.
std::optional<std::string> problemOf(const Biophysics& biophysics);

/// A cell that can be simulated.
struct CellModel
{
  std::string name;
  CutCell cut;
  Biophysics biophysics;
};

} // namespace hinesight::cell
