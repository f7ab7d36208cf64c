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

/// In the person's language.
SolverText textOf(const hines::SolverTraits& solver);

/// "CPU and CUDA, double and single precision".
QString whereItRuns(const hines::SolverTraits& solver);

} // namespace hinesight::app
