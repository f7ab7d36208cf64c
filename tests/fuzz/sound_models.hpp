#pragma once

#include "cell/cell_model.hpp"
#include "fuzzing.hpp"

// What the biophysics of a cell are that a reader gave.

namespace hinesight::fuzz {

inline void requireSound(const cell::Biophysics& biophysics)
{
  if (const auto problem = cell::problemOf(biophysics))
    fail(problem->c_str());
  for (const cell::Density& density : biophysics.densities) {
    require(density.mechanism >= 0 && static_cast<std::size_t>(density.mechanism) < biophysics.mechanisms.size(),
            "a mechanism that is not there");
    require(density.parameters.size() == biophysics.mechanisms[density.mechanism].parameters.size(),
            "parameters of another mechanism");
  }
}

} // namespace hinesight::fuzz
