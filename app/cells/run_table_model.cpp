#include "app/cells/run_table_model.hpp"

#include "widgets/theme.hpp"

#include <QDateTime>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace hinesight::app {

namespace {

using widgets::formatMilliseconds;
using widgets::formatNumber;

QString fromUtf8(const std::string& text)
{
  return QString::fromStdString(text);
}

QString whole(std::size_t value)
{
  return QLocale(QLocale::English).toString(static_cast<qulonglong>(value));
}

QString localTime(const io::RunRecord& run)
{
  return QDateTime::fromString(fromUtf8(run.startedAt), Qt::ISODate).toLocalTime().toString(QStringLiteral("HH:mm:ss"));
}

QString stagesInWords(const StageTimings& timings)
{
  QStringList parts;
  for (const Stage& stage : timings.stages)
    parts << QStringLiteral("%1 %2").arg(fromUtf8(stage.name), formatMilliseconds(stage.milliseconds));
  return parts.isEmpty() ? RunTableModel::tr("nothing to redo") : parts.join(QStringLiteral(", "));
}

QString backendInWords(Backend backend)
{
  return backend == Backend::Cuda ? QStringLiteral("CUDA") : QStringLiteral("CPU");
}

QString solverInWords(const io::RunRecord& run)
{
  const QString solver = fromUtf8(run.solver);
  return run.precision == hines::precisionName(hines::Precision::Single) ? RunTableModel::tr("%1, single").arg(solver)
                                                                         : solver;
}

/// Whether a plan of branches was executed.
bool isByBranches(const io::RunRecord& run)
{
  return !run.balance.empty();
}

/// Of a solver with a schedule of its own: what it was set to.
QString planInWords(const io::RunRecord& run)
{
  if (!isByBranches(run))
    return fromUtf8(run.parameters);
  return QStringLiteral("%1, %2, %3, %4")
      .arg(fromUtf8(run.balance), fromUtf8(run.split), fromUtf8(run.pack))
      .arg(run.blockSize);
}

QString difference(double value)
{
  return value == 0 ? QStringLiteral("0") : QString::number(value, 'e', 1);
}

int alignmentOf(int column)
{
  switch (column) {
  case RunTableModel::Cells:
  case RunTableModel::Compartments:
  case RunTableModel::Total:
  case RunTableModel::Difference:
    return Qt::AlignRight | Qt::AlignVCenter;
  default:
    return Qt::AlignLeft | Qt::AlignVCenter;
  }
}

/// "levels 22 → 14" where they differ.
void addChange(QStringList& changes, const QString& name, const QString& before, const QString& after)
{
  if (before != after)
    changes << QStringLiteral("%1 %2 → %3").arg(name, before, after);
}

QString speedSentence(const QString& what, double before, double after, const QString& first, const QString& second)
{
  if (before <= 0 || after <= 0)
    return {};
  const double factor = before / after;
  if (std::abs(factor - 1) < 0.005)
    return RunTableModel::tr("%1: %2 and %3 take the same time (%4).")
        .arg(what, first, second, formatMilliseconds(after));
  const bool faster = factor > 1;
  return RunTableModel::tr("%1: %2 is %3 times as %4 as %5 (%6 against %7).")
      .arg(what, second, formatNumber(faster ? factor : 1 / factor),
           faster ? RunTableModel::tr("fast") : RunTableModel::tr("slow"), first, formatMilliseconds(after),
           formatMilliseconds(before));
}

/// Of the stages that both runs had to do: results that one of them could keep are no merit of it.
QString compareStages(const StageTimings& a, const QString& first, const StageTimings& b, const QString& second)
{
  double before = 0;
  double after = 0;
  std::size_t common = 0;
  for (const Stage& stage : a.stages)
    if (const auto other = std::ranges::find(b.stages, stage.name, &Stage::name); other != b.stages.end()) {
      before += stage.milliseconds;
      after += other->milliseconds;
      ++common;
    }
  const bool areAll = common == a.stages.size() && common == b.stages.size();
  return speedSentence(areAll ? RunTableModel::tr("All stages of the run") : RunTableModel::tr("The stages of both"),
                       before, after, first, second);
}

} // namespace

void RunTableModel::add(io::RunRecord record)
{
  const int row = rowCount();
  beginInsertRows({}, row, row);
  records.push_back(std::move(record));
  endInsertRows();
}

void RunTableModel::clear()
{
  beginResetModel();
  records.clear();
  endResetModel();
}

int RunTableModel::rowCount(const QModelIndex& parent) const
{
  return parent.isValid() ? 0 : static_cast<int>(records.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const
{
  return parent.isValid() ? 0 : kColumns;
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const
{
  if (!checkIndex(index, CheckIndexOption::IndexIsValid))
    return {};
  const io::RunRecord& run = records[static_cast<std::size_t>(index.row())];
  switch (role) {
  case Qt::TextAlignmentRole:
    return alignmentOf(index.column());
  case SortRole:
    return index.column() == Time ? QVariant(index.row()) : sortKeyOf(run, index.column());
  case Qt::ToolTipRole:
    return detailsOf(run, index.column());
  case Qt::DisplayRole:
    return textOf(run, index.column());
  default:
    return {};
  }
}

QVariant RunTableModel::sortKeyOf(const io::RunRecord& run, int column)
{
  switch (column) {
  case Cells:
    return static_cast<qulonglong>(run.cells);
  case Compartments:
    return static_cast<qulonglong>(run.compartments);
  case Total:
    return run.timings.total();
  case Difference:
    return run.accuracy.maxRelativeDifference;
  default:
    return textOf(run, column);
  }
}

QVariant RunTableModel::detailsOf(const io::RunRecord& run, int column)
{
  switch (column) {
  case Source:
    return fromUtf8(run.source);
  case BackendColumn:
    return fromUtf8(run.timings.device);
  case Stages:
    return stagesInWords(run.timings);
  case Difference:
    return tr("Greatest relative difference from the serial sweep %1, relative residual %2")
        .arg(difference(run.accuracy.maxRelativeDifference), difference(run.accuracy.relativeResidual));
  default:
    return {};
  }
}

QVariant RunTableModel::textOf(const io::RunRecord& run, int column)
{
  switch (column) {
  case Time:
    return localTime(run);
  case Source:
    return fromUtf8(run.source);
  case Cells:
    return whole(run.cells);
  case Compartments:
    return whole(run.compartments);
  case Solver:
    return solverInWords(run);
  case BackendColumn:
    return backendInWords(run.timings.backend);
  case Plan:
    return planInWords(run);
  case Stages:
    return stagesInWords(run.timings);
  case Total:
    return formatMilliseconds(run.timings.total());
  case Difference:
    return difference(run.accuracy.maxRelativeDifference);
  default:
    return {};
  }
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
  if (orientation == Qt::Vertical)
    return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
  struct Heading
  {
    QString text;
    QString help;
  };
  static const Heading kHeadings[kColumns] = {
      {tr("Time"), tr("When the run started, local time")},
      {tr("Source"), tr("Files, or random trees")},
      {tr("Cells"), tr("Cells in the batch, copies included")},
      {tr("Compartments"), tr("Unknowns of the batch")},
      {tr("Solver"), tr("What solved the batch; double precision unless another is named")},
      {tr("Backend"), tr("Where it ran")},
      {tr("Total"), tr("Sum of the stages that this run had to do")},
      {tr("Stages"), tr("The stages that this run had to do; results of the others were kept")},
      {tr("Plan"), tr("Re-root, split, packing strategy and threads per block; for a solver with a schedule of its "
                      "own, its settings")},
      {tr("Difference"), tr("Greatest relative difference from the serial sweep")},
  };
  if (section < 0 || section >= kColumns)
    return {};
  if (role == Qt::TextAlignmentRole)
    return alignmentOf(section);
  if (role == Qt::DisplayRole)
    return kHeadings[section].text;
  if (role == Qt::ToolTipRole)
    return kHeadings[section].help;
  return {};
}

QString compareRuns(const io::RunRecord& a, const QString& first, const io::RunRecord& b, const QString& second)
{
  QStringList sentences;
  const QString solve =
      speedSentence(RunTableModel::tr("Solve"), a.timings.of("solve"), b.timings.of("solve"), first, second);
  sentences << solve;
  if (a.compartments != b.compartments && a.compartments > 0 && b.compartments > 0)
    sentences << speedSentence(RunTableModel::tr("A million compartments"),
                               a.timings.of("solve") * 1e6 / static_cast<double>(a.compartments),
                               b.timings.of("solve") * 1e6 / static_cast<double>(b.compartments), first, second);
  sentences << compareStages(a.timings, first, b.timings, second);
  sentences.removeAll(QString());

  QStringList changes;
  addChange(changes, RunTableModel::tr("source"), fromUtf8(a.source), fromUtf8(b.source));
  addChange(changes, RunTableModel::tr("cells"), whole(a.cells), whole(b.cells));
  addChange(changes, RunTableModel::tr("compartments"), whole(a.compartments), whole(b.compartments));
  addChange(changes, RunTableModel::tr("solver"), solverInWords(a), solverInWords(b));
  if (a.solver == b.solver && !isByBranches(a))
    addChange(changes, RunTableModel::tr("settings"), fromUtf8(a.parameters), fromUtf8(b.parameters));
  addChange(changes, RunTableModel::tr("backend"), backendInWords(a.timings.backend),
            backendInWords(b.timings.backend));
  if (isByBranches(a) && isByBranches(b)) {
    addChange(changes, RunTableModel::tr("re-root"), fromUtf8(a.balance), fromUtf8(b.balance));
    addChange(changes, RunTableModel::tr("split"), fromUtf8(a.split), fromUtf8(b.split));
    addChange(changes, RunTableModel::tr("packing strategy"), fromUtf8(a.pack), fromUtf8(b.pack));
    addChange(changes, RunTableModel::tr("threads per block"), QString::number(a.blockSize),
              QString::number(b.blockSize));
  }
  sentences << (changes.isEmpty() ? RunTableModel::tr("Same parameters.")
                                  : RunTableModel::tr("Changed: %1.").arg(changes.join(QStringLiteral(", "))));

  if (a.figures && b.figures) {
    const hines::ScheduleFigures& before = *a.figures;
    const hines::ScheduleFigures& after = *b.figures;
    const auto percent = [](double fraction) { return formatNumber(fraction * 100) + QStringLiteral(" %"); };
    const auto steps = [](std::int64_t value) { return whole(static_cast<std::size_t>(value)); };
    QStringList consequences;
    addChange(consequences, RunTableModel::tr("rounds"), steps(before.rounds), steps(after.rounds));
    addChange(consequences, RunTableModel::tr("barriers"), steps(before.barriers), steps(after.barriers));
    addChange(consequences, RunTableModel::tr("steps"), steps(before.criticalPath), steps(after.criticalPath));
    addChange(consequences, RunTableModel::tr("lanes busy"), percent(before.occupancy), percent(after.occupancy));
    addChange(consequences, RunTableModel::tr("units"), whole(before.units), whole(after.units));
    if (!consequences.isEmpty())
      sentences << RunTableModel::tr("The schedule: %1.").arg(consequences.join(QStringLiteral(", ")));
  }
  return sentences.join(QLatin1Char(' '));
}

QString shortCount(std::size_t value)
{
  const auto number = static_cast<double>(value);
  if (value >= 1'000'000'000)
    return formatNumber(number / 1e9) + QStringLiteral(" G");
  if (value >= 1'000'000)
    return formatNumber(number / 1e6) + QStringLiteral(" M");
  return whole(value);
}

QString summarizeRun(const io::RunRecord& run, double floorFraction)
{
  const bool solves = run.timings.has("solve");
  QString text =
      RunTableModel::tr("%1 %2, %3 compartments, %4, %5: %6")
          .arg(shortCount(run.cells), run.cells == 1 ? RunTableModel::tr("cell") : RunTableModel::tr("cells"),
               shortCount(run.compartments), solverInWords(run), backendInWords(run.timings.backend),
               solves ? formatMilliseconds(run.timings.of("solve")) : RunTableModel::tr("as solved before"));
  if (floorFraction >= 0)
    text += RunTableModel::tr(", %1 % of the floor").arg(formatNumber(floorFraction * 100));
  if (!run.choice.empty())
    text += RunTableModel::tr("; chosen: %1").arg(fromUtf8(run.choice));
  return text;
}

} // namespace hinesight::app
