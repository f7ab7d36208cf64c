#include "app/cells/solver_texts.hpp"

#include "hines/solvers/definition.hpp"

#include <algorithm>
#include <string_view>

namespace hinesight::app {

SolverText textOf(const hines::SolverTraits& solver)
{
  const auto text = [](std::string_view literal) {
    return QString::fromUtf8(literal.data(), static_cast<qsizetype>(literal.size()));
  };
  return {text(solver.title), text(solver.summary)};
}

QString solverTitle(const std::string& name)
{
  const auto solvers = hines::allSolvers();
  const auto found = std::ranges::find_if(
      solvers, [&name](const hines::SolverDefinition* solver) { return solver->traits.name() == name; });
  return found == solvers.end() ? QString::fromStdString(name) : textOf((*found)->traits).title;
}

QString whereItRuns(const hines::SolverTraits& solver)
{
  return QString::fromStdString(hines::whereItRuns(solver));
}

} // namespace hinesight::app
