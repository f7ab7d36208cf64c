#pragma once

#include "hines/solver.hpp"

#include <QString>

#include <string>

namespace hinesight::app {

/// What a person reads of a solver.
struct SolverText
{
  QString title;   ///< "Domain decomposition"
  QString summary; ///< one line: what it does, after whom
};

/// In the person's language.
SolverText textOf(const hines::SolverTraits& solver);

/// The title of the solver that has a name; the name itself where this program has no such solver.
QString solverTitle(const std::string& name);

/// "CPU and CUDA, double and single precision".
QString whereItRuns(const hines::SolverTraits& solver);

} // namespace hinesight::app
