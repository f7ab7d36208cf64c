#include "app/cells/solver_texts.hpp"

#include <QCoreApplication>

#include <string_view>

namespace hinesight::app {

namespace {

QString tr(const char* text)
{
  return QCoreApplication::translate("SolverText", text);
}

} // namespace

SolverText textOf(const hines::SolverTraits& solver)
{
  const auto text = [](std::string_view literal) {
    return QString::fromUtf8(literal.data(), static_cast<qsizetype>(literal.size()));
  };
  return {text(solver.title), text(solver.summary)};
}

QString whereItRuns(const hines::SolverTraits& solver)
{
  const QString backends = solver.onCpu && solver.onCuda ? tr("CPU and CUDA")
                           : solver.onCuda               ? tr("CUDA only")
                                                         : tr("CPU only");
  return backends + (solver.inSingle ? tr(", double and single precision") : tr(", double precision only"));
}

} // namespace hinesight::app
