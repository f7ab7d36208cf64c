#include "app/cells/solver_texts.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <string_view>

namespace hinesight::app {

namespace {

struct NamedText
{
  std::string_view name;
  const char* title;
  const char* summary;
};

constexpr std::array kTexts = {
    NamedText{"serial", "Serial", "One sweep on one core: the reference of all others (Hines 1984)"},
    NamedText{"multicore", "Multicore", "The blocks of the plan of branches, in parallel over the cores"},
    NamedText{"fine", "Fine", "One thread a branch, level by level, as the plan of branches says (Huber 2018)"},
    NamedText{"resident", "Resident", "Reads every cell once, keeps it on chip, writes it once; makes its own plan"},
    NamedText{"coarse", "Coarse", "One lane a cell, in one of five layouts of memory (Martinez 2018)"},
    NamedText{"interleaved", "Interleaved", "Cells of one shape side by side in the vector registers of the cores"},
    NamedText{"edd", "Domain decomposition",
              "Exact: chains between junctions side by side, then the junctions alike, recursively (Vooturi 2019)"},
    NamedText{"tridiagonal", "Tridiagonal",
              "Chains of one length, in pieces that the lanes of a warp keep in registers"},
    NamedText{"gtsv2-strided", "gtsv2, strided", "Chains of one length by cuSPARSE gtsv2StridedBatch: to compare with"},
    NamedText{"gtsv-interleaved", "gtsv, interleaved",
              "Chains of one length by cuSPARSE gtsvInterleavedBatch: to compare with"},
    NamedText{"auto", "Automatic", "The solver that is predicted to be the fastest for the batch on this device"},
};

QString tr(const char* text)
{
  return QCoreApplication::translate("SolverText", text);
}

} // namespace

SolverText textOf(const hines::SolverTraits& solver)
{
  const auto found =
      std::find_if(kTexts.begin(), kTexts.end(), [&](const NamedText& text) { return text.name == solver.name; });
  if (found != kTexts.end())
    return {tr(found->title), tr(found->summary)};
  QString title = QString::fromUtf8(solver.name.data(), static_cast<qsizetype>(solver.name.size()));
  title.replace(0, 1, title.left(1).toUpper());
  return {title, whereItRuns(solver)};
}

QString whereItRuns(const hines::SolverTraits& solver)
{
  const QString backends = solver.onCpu && solver.onCuda ? tr("CPU and CUDA")
                           : solver.onCuda               ? tr("CUDA only")
                                                         : tr("CPU only");
  return backends + (solver.inSingle ? tr(", double and single precision") : tr(", double precision only"));
}

} // namespace hinesight::app
