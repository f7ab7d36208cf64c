#pragma once

#include "hines/solver.hpp"

#include <QString>

namespace hinesight::app {

/// What a person reads of a solver.
struct SolverText
{
  QString title;   ///< "Exact domain decomposition"
  QString summary; ///< one line: what it does, after whom
};

/// A solver that has no text of its own yet is called by its name and described by its traits.
SolverText textOf(const hines::SolverTraits& solver);

/// "CPU and CUDA, double and single precision".
QString whereItRuns(const hines::SolverTraits& solver);

} // namespace hinesight::app
