#include "app/cells/solver_texts.hpp"

#include <string_view>

namespace hinesight::app {

SolverText textOf(const hines::SolverTraits& solver)
{
  const auto text = [](std::string_view literal) {
    return QString::fromUtf8(literal.data(), static_cast<qsizetype>(literal.size()));
  };
  return {text(solver.title), text(solver.summary)};
}

QString whereItRuns(const hines::SolverTraits& solver)
{
  return QString::fromStdString(hines::whereItRuns(solver));
}

} // namespace hinesight::app
