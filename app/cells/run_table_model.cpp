#include "app/cells/run_table_model.hpp"

#include "app/cells/solver_texts.hpp"
#include "widgets/charts/measured_text.hpp"
#include "widgets/theme.hpp"

#include <QDateTime>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

using widgets::formatMilliseconds;
using widgets::formatNumber;
using widgets::measuredText;

QString fromUtf8(const std::string& text)
{
  return QString::fromStdString(text);
}

QString whole(std::size_t value)
{
  return QLocale(QLocale::English).toString(static_cast<qulonglong>(value));
}

QDateTime localTime(const io::RunRecord& run)
{
  return QDateTime::fromString(fromUtf8(run.startedAt), Qt::ISODate).toLocalTime();
}

/// The time of a run of today, the day of another one.
QString timeInWords(const io::RunRecord& run)
{
  const QDateTime time = localTime(run);
  const bool isOfToday = time.date() == QDate::currentDate();
  return QLocale(QLocale::English).toString(time, isOfToday ? QStringLiteral("HH:mm:ss") : QStringLiteral("d MMM"));
}

QString stagesInWords(const StageTimings& timings)
{
  QStringList parts;
  for (const Stage& stage : timings.stages)
    parts << QStringLiteral("%1 %2").arg(fromUtf8(stage.name), formatMilliseconds(stage.milliseconds));
  return parts.isEmpty() ? RunTableModel::tr("nothing to redo") : parts.join(QStringLiteral(", "));
}

/// The stages, and a line for each of several devices that shared the run.
QString devicesInWords(const StageTimings& timings)
{
  QStringList lines = {stagesInWords(timings)};
  for (const StageTimings& device : timings.devices)
    lines << RunTableModel::tr("%1: %2").arg(fromUtf8(device.device), stagesInWords(device));
  return lines.join(QLatin1Char('\n'));
}

QString backendInWords(Backend backend)
{
  return backend == Backend::Cuda ? QStringLiteral("CUDA") : QStringLiteral("CPU");
}

/// A CPU that carried out what was planned for a GPU says so.
QString whereInWords(const io::RunRecord& run)
{
  return run.plannedFor.empty() ? backendInWords(run.timings.backend) : RunTableModel::tr("CPU, GPU's plan");
}

QString solverInWords(const io::RunRecord& run)
{
  const QString solver = solverTitle(run.solver);
  return run.precision == hines::precisionName(hines::Precision::Single) ? RunTableModel::tr("%1, single").arg(solver)
                                                                         : solver;
}

/// A case of a benchmark ends with its solver, which is read as the others are.
QString sourceInWords(const io::RunRecord& run)
{
  QString source = fromUtf8(run.source);
  if (run.kind != io::RunKind::Benchmark || run.solver.empty())
    return source;
  const QString name = QStringLiteral(", ") + fromUtf8(run.solver);
  if (const qsizetype place = source.lastIndexOf(name); place >= 0)
    source.replace(place, name.size(), QStringLiteral(", ") + solverTitle(run.solver));
  return source;
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
  case RunTableModel::Median:
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

/// Why nobody can tell whether two times differ.
QString doubtInWords(const Measured& before, const Measured& after)
{
  switch (doubtOf(before, after)) {
  case Doubt::Varies:
    return RunTableModel::tr("the times vary too much");
  case Doubt::BusyMachine:
    return RunTableModel::tr("the machine was busy");
  default:
    return before.samples == 1 && after.samples == 1 ? RunTableModel::tr("one repetition each")
                                                     : RunTableModel::tr("too few repetitions");
  }
}

/// "Run: run 1 took 13.2 ms, run 2 2.64 ms".
QString timesSentence(const QString& what, const Measured& before, const Measured& after, const QString& first,
                      const QString& second)
{
  return RunTableModel::tr("%1: %2 took %3, %4 %5").arg(what, first, measuredText(before), second, measuredText(after));
}

/// Of runs by the same parameters: whatever their times are, the parameters do not make the difference.
QString alikeSentence(const QString& what, const Measured& before, const Measured& after, const QString& first,
                      const QString& second)
{
  const QString times = timesSentence(what, before, after, first, second);
  switch (compare(before, after)) {
  case Verdict::Same:
    return RunTableModel::tr("%1, by the same parameters: no difference.").arg(times);
  case Verdict::Unknown:
    return RunTableModel::tr("%1, by the same parameters; whether they differ cannot be told: %2.")
        .arg(times, doubtInWords(before, after));
  default:
    return RunTableModel::tr("%1, by the same parameters: what else the machine did makes the difference.").arg(times);
  }
}

QString speedSentence(const QString& what, const Measured& before, const Measured& after, const QString& first,
                      const QString& second)
{
  if (before.median <= 0 || after.median <= 0)
    return {};
  const QString times = RunTableModel::tr("%1 %2, %3 %4").arg(first, measuredText(before), second, measuredText(after));
  const double factor = before.median / after.median;
  switch (compare(before, after)) {
  case Verdict::Less:
    return RunTableModel::tr("%1: %2 is %3 times as fast as %4 (%5).")
        .arg(what, second, formatNumber(factor), first, times);
  case Verdict::More:
    return RunTableModel::tr("%1: %2 is %3 times as slow as %4 (%5).")
        .arg(what, second, formatNumber(1 / factor), first, times);
  case Verdict::Same:
    return RunTableModel::tr("%1: no difference between %2 and %3 (%4).").arg(what, first, second, times);
  case Verdict::Unknown:
    break;
  }
  return RunTableModel::tr("%1; whether they differ cannot be told: %2.")
      .arg(timesSentence(what, before, after, first, second), doubtInWords(before, after));
}

Measured scaled(Measured time, double factor)
{
  time.median *= factor;
  if (time.interval)
    time.interval = Interval{time.interval->low * factor, time.interval->high * factor};
  return time;
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
                       measuredOf({before}), measuredOf({after}), first, second);
}

/// Which parameters differ, by the names that files have for them.
QString settingsSentence(const io::RunRecord& a, const io::RunRecord& b)
{
  std::vector<Setting> all = a.settings;
  addMissing(all, b.settings);
  QStringList changed;
  for (const Setting& any : all) {
    const auto first = std::ranges::find(a.settings, any.name, &Setting::name);
    const auto second = std::ranges::find(b.settings, any.name, &Setting::name);
    if (first == a.settings.end() || second == b.settings.end() || first->text != second->text)
      changed << fromUtf8(any.name);
  }
  return changed.isEmpty() ? RunTableModel::tr("Same parameters.")
                           : RunTableModel::tr("Changed: %1.").arg(changed.join(QStringLiteral(", ")));
}

} // namespace

RunTableModel::RunTableModel(QObject* parent) : QAbstractTableModel(parent), shown(std::make_shared<RunHistory>()) {}

void RunTableModel::add(io::RunRecord record, Restore restore)
{
  const int row = rowCount();
  beginInsertRows({}, row, row);
  shown->records.push_back(std::make_shared<const io::RunRecord>(std::move(record)));
  shown->restores.push_back(std::move(restore));
  endInsertRows();
}

void RunTableModel::clear()
{
  beginResetModel();
  *shown = {};
  endResetModel();
}

void RunTableModel::setHistory(const std::shared_ptr<RunHistory>& ofDocument)
{
  if (ofDocument == shown)
    return;
  beginResetModel();
  shown = ofDocument;
  endResetModel();
}

const io::SharedRuns& RunTableModel::shared() const
{
  return shown->records;
}

std::vector<io::RunRecord> RunTableModel::made() const
{
  std::vector<io::RunRecord> records;
  for (std::size_t row = shown->kept; row < shown->records.size(); ++row)
    records.push_back(*shown->records[row]);
  return records;
}

void RunTableModel::setRestoring(std::function<void(const io::RunRecord&)> byRecord)
{
  restoreByRecord = std::move(byRecord);
}

bool RunTableModel::canRestore(int row) const
{
  if (row < 0 || row >= rowCount())
    return false;
  const auto place = static_cast<std::size_t>(row);
  const io::RunRecord& run = *shown->records[place];
  return shown->restores[place] || (restoreByRecord && !(run.settings.empty() && run.files.empty()));
}

/// The history may be another one, or have other runs, once that is done.
void RunTableModel::restore(int row) const
{
  if (!canRestore(row))
    return;
  const Restore own = shown->restores[static_cast<std::size_t>(row)];
  if (own)
    return own();
  const std::shared_ptr<const io::RunRecord> run = shown->records[static_cast<std::size_t>(row)];
  restoreByRecord(*run);
}

int RunTableModel::rowCount(const QModelIndex& parent) const
{
  return parent.isValid() ? 0 : static_cast<int>(shown->records.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const
{
  return parent.isValid() ? 0 : kColumns;
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const
{
  if (!checkIndex(index, CheckIndexOption::IndexIsValid))
    return {};
  const io::RunRecord& run = *shown->records[static_cast<std::size_t>(index.row())];
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
  case Median:
    return timeOf(run).median;
  case Total:
    return run.timings.total();
  case Difference:
    return run.accuracy.maxRelativeDifference;
  default:
    return textOf(run, column);
  }
}

QString RunTableModel::medianInWords(const io::RunRecord& run)
{
  if (run.repetitions.empty())
    return tr("Measured once");
  QString text = tr("The median of %n solve(s)", nullptr, static_cast<int>(run.repetitions.size()));
  if (doubtOf(timeOf(run)) == Doubt::BusyMachine)
    text += tr(". Other programs kept %1 of the processors busy meanwhile, so the next run may take another time")
                .arg(formatNumber(run.others));
  return text;
}

QVariant RunTableModel::detailsOf(const io::RunRecord& run, int column)
{
  switch (column) {
  case Time:
    return QLocale(QLocale::English).toString(localTime(run), QStringLiteral("d MMMM yyyy, HH:mm:ss"));
  case Source:
    return sourceInWords(run);
  case Solver:
    return solverInWords(run);
  case BackendColumn:
    return run.plannedFor.empty() ? fromUtf8(run.timings.device)
                                  : fromUtf8(run.timings.device) + QLatin1Char('\n') + describeGpuPlan(run);
  case Plan:
    return textOf(run, column);
  case Median:
    return medianInWords(run);
  case Cells:
    return run.size.empty() ? QVariant() : fromUtf8(run.size);
  case Stages:
    return devicesInWords(run.timings);
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
    return timeInWords(run);
  case Kind:
    return widgets::inText(io::kRunKinds[static_cast<std::size_t>(run.kind)].label);
  case Median:
    return measuredText(timeOf(run));
  case Source:
    return sourceInWords(run);
  case Cells:
    return whole(run.cells);
  case Compartments:
    return run.compartments > 0 ? whole(run.compartments) : QString();
  case Solver:
    return solverInWords(run);
  case BackendColumn:
    return whereInWords(run);
  case Plan:
    return planInWords(run);
  case Stages:
    return stagesInWords(run.timings);
  case Total:
    return formatMilliseconds(run.timings.total());
  case Difference:
    return run.solver.empty() ? QString() : difference(run.accuracy.maxRelativeDifference);
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
      {tr("Time"), tr("When the run started, local time; of another day than today the day")},
      {tr("Run"), tr("What was run: a solve, a table, a formation, growth, or a case of a benchmark")},
      {tr("Source"), tr("The connection with its populations, files, random trees, or what was measured")},
      {tr("Median"), tr("The median solve in ms, with half its 95 % confidence interval; of other runs all of the run, "
                        "measured once")},
      {tr("Plan"), tr("Of a solve re-root, split, packing strategy and threads per block; for a solver with a schedule "
                      "of its own, its settings; of other runs the parameters that are not at their defaults")},
      {tr("Solver"), tr("What solved the batch; double precision unless another is named")},
      {tr("Backend"), tr("Where it ran. \"CPU, GPU's plan\": the CPU carried out what was planned for a GPU, "
                         "whose predicted time is in the tooltip, ms")},
      {tr("Total"), tr("Sum of the stages that this run had to do, in ms")},
      {tr("Cells"), tr("Cells in the batch, copies included; neurons of other runs")},
      {tr("Compartments"), tr("Unknowns of the batch")},
      {tr("Stages"), tr("The stages that this run had to do, in ms; results of the others were kept")},
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

RunFilter::RunFilter(RunTableModel* model, QObject* parent) : QSortFilterProxyModel(parent), runs(model)
{
  setSourceModel(model);
}

void RunFilter::setKind(std::optional<io::RunKind> shown)
{
  kind = shown;
  invalidateFilter();
}

int RunFilter::rowInModel(int row) const
{
  return mapToSource(index(row, 0)).row();
}

const io::RunRecord& RunFilter::run(int row) const
{
  return *runs->shared()[static_cast<std::size_t>(rowInModel(row))];
}

bool RunFilter::filterAcceptsRow(int row, const QModelIndex&) const
{
  return !kind || runs->shared()[static_cast<std::size_t>(row)]->kind == *kind;
}

std::shared_ptr<RunHistory> historyOf(const io::SharedRuns& ofSession)
{
  auto history = std::make_shared<RunHistory>();
  history->records = ofSession;
  history->restores.resize(ofSession.size());
  history->kept = ofSession.size();
  return history;
}

QString compareTimes(const io::RunRecord& a, const QString& first, const io::RunRecord& b, const QString& second)
{
  const Measured before = timeOf(a);
  const Measured after = timeOf(b);
  const bool areSolves = a.kind == io::RunKind::Solve && b.kind == io::RunKind::Solve;
  const QString what = areSolves ? RunTableModel::tr("Solve") : RunTableModel::tr("Run");
  if (areAlike(a, b))
    return alikeSentence(what, before, after, first, second);
  if (comparedAs(a) == comparedAs(b))
    return speedSentence(what, before, after, first, second);
  if (!areSolves || a.compartments == 0 || b.compartments == 0)
    return RunTableModel::tr("The times of %1 and %2 are of different tasks and are not compared.").arg(first, second);
  return speedSentence(RunTableModel::tr("A million compartments"),
                       scaled(before, 1e6 / static_cast<double>(a.compartments)),
                       scaled(after, 1e6 / static_cast<double>(b.compartments)), first, second);
}

QString changesInWords(const io::RunRecord& a, const io::RunRecord& b)
{
  QStringList changes;
  addChange(changes, RunTableModel::tr("source"), sourceInWords(a), sourceInWords(b));
  addChange(changes, RunTableModel::tr("cells"), whole(a.cells), whole(b.cells));
  addChange(changes, RunTableModel::tr("compartments"), whole(a.compartments), whole(b.compartments));
  addChange(changes, RunTableModel::tr("solver"), solverInWords(a), solverInWords(b));
  if (a.solver == b.solver && !isByBranches(a))
    addChange(changes, RunTableModel::tr("settings"), fromUtf8(a.parameters), fromUtf8(b.parameters));
  addChange(changes, RunTableModel::tr("backend"), whereInWords(a), whereInWords(b));
  if (isByBranches(a) && isByBranches(b)) {
    addChange(changes, RunTableModel::tr("re-root"), fromUtf8(a.balance), fromUtf8(b.balance));
    addChange(changes, RunTableModel::tr("split"), fromUtf8(a.split), fromUtf8(b.split));
    addChange(changes, RunTableModel::tr("packing strategy"), fromUtf8(a.pack), fromUtf8(b.pack));
    addChange(changes, RunTableModel::tr("threads per block"), QString::number(a.blockSize),
              QString::number(b.blockSize));
  }
  if (!changes.isEmpty())
    return RunTableModel::tr("Changed: %1.").arg(changes.join(QStringLiteral(", ")));
  return areAlike(a, b) ? QString() : settingsSentence(a, b);
}

QString compareRuns(const io::RunRecord& a, const QString& first, const io::RunRecord& b, const QString& second)
{
  QStringList sentences = {compareTimes(a, first, b, second)};
  if (a.kind != b.kind)
    return sentences.front();
  if (comparedAs(a) == comparedAs(b) && a.kind == io::RunKind::Solve)
    sentences << compareStages(a.timings, first, b.timings, second);
  sentences << changesInWords(a, b);
  sentences.removeAll(QString());

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
      RunTableModel::tr("%1: %2 %3, %4 compartments, %5, %6")
          .arg(solves ? measuredText(timeOf(run)) : RunTableModel::tr("As solved before"), shortCount(run.cells),
               run.cells == 1 ? RunTableModel::tr("cell") : RunTableModel::tr("cells"), shortCount(run.compartments),
               solverInWords(run), backendInWords(run.timings.backend));
  if (floorFraction >= 0)
    text += RunTableModel::tr(", %1 % of the floor").arg(formatNumber(floorFraction * 100));
  if (!run.choice.empty())
    text += RunTableModel::tr("; chosen: %1").arg(fromUtf8(run.choice));
  if (!run.plannedFor.empty())
    text += run.predicted > 0
                ? RunTableModel::tr("; the CPU carried out the plan for %1, predicted to take %2 there")
                      .arg(fromUtf8(run.plannedFor), formatMilliseconds(run.predicted))
                : RunTableModel::tr("; the CPU carried out the plan for %1, whose time cannot be predicted")
                      .arg(fromUtf8(run.plannedFor));
  return text;
}

QString describeGpuPlan(const io::RunRecord& run)
{
  if (run.plannedFor.empty())
    return {};
  const QString gpu = fromUtf8(run.plannedFor);
  return run.predicted > 0
             ? RunTableModel::tr("Plan of a GPU: %1 predicted on %2").arg(formatMilliseconds(run.predicted), gpu)
             : RunTableModel::tr("Plan of a GPU: no time predicted on %1").arg(gpu);
}

} // namespace hinesight::app
