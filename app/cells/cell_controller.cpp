#include "app/cells/cell_controller.hpp"

#include "app/cells/cell_list_model.hpp"
#include "app/cells/cell_views.hpp"
#include "app/cells/parameter_panel.hpp"
#include "app/cells/run_table_model.hpp"
#include "app/shell/bars/status_panel.hpp"
#include "hines/solvers/definition.hpp"
#include "widgets/cells/morphology/tube_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hinesight::app {

namespace {

/// Every shape is drawn.
void requireDrawable(const study::BatchParameters& parameters)
{
  constexpr std::int32_t kMostDrawn = 256;
  if (parameters.source != study::BatchSource::OpenCells && parameters.distinctTrees > kMostDrawn)
    throw Error(ErrorCode::BadParameter, "Distinct trees is " + std::to_string(parameters.distinctTrees) +
                                             "; the window draws at most " + std::to_string(kMostDrawn) +
                                             ": choose fewer, and more copies of each.");
}

/// Per reading.
std::vector<bool> whichCanBeDrawn(const std::vector<study::CellReading>& readings)
{
  std::vector<bool> canBeDrawn;
  for (const study::CellReading& reading : readings)
    canBeDrawn.push_back(!reading.morphology || widgets::canDraw(*reading.morphology));
  return canBeDrawn;
}

/// About what a result holds in memory beside the cells, which are open.
std::uint64_t bytesOf(const study::CellResult& result)
{
  constexpr std::uint64_t kOfCompartment = 5 * sizeof(double) + 64; // of the batch and the solution; of the plan
  return result.batch ? result.batch->compartments() * kOfCompartment : 0;
}

bool isUnread(const OpenCell& cell)
{
  return !cell.morphology && !cell.error;
}

} // namespace

bool CellController::SolveTheSame::operator()(const study::CellRequest& a, const study::CellRequest& b) const
{
  return a.cells == b.cells && a.parameters == b.parameters;
}

CellController::CellController(Jobs* ofWindow, const Parts& ofCells, QObject* parent)
    : QObject(parent), jobs(ofWindow), parts(ofCells), study(std::make_shared<study::CellStudy>())
{
  connect(parts.parameters, &ParameterPanel::edited, this, [this] { run(); });
  connect(parts.views, &CellViews::schedulesWanted, this, &CellController::planSchedules);
  connect(parts.views, &CellViews::cutLengthChosen, this, &CellController::chooseCutLength);
  connect(parts.views, &CellViews::cutWayChosen, this, &CellController::chooseCut);
  connect(jobs, &Jobs::progressed, this, [this](const JobKind& kind, const QString& stage, double fraction) {
    if (kind == kCells)
      parts.views->showProgress(progressInWords(stage, fraction), fraction);
  });
}

study::CellRequest CellController::request(bool solveAgain) const
{
  return {parts.cells->sources(), parts.parameters->parameters(), false, solveAgain, true};
}

QString CellController::progressInWords(const QString& stage, double fraction) const
{
  const QString words = stageInWords(stage);
  if (stage != QLatin1String("read") || unread < 2)
    return words;
  const auto all = static_cast<double>(unread);
  return tr("%1: %2 of %3").arg(words, widgets::formatNumber(std::round(fraction * all)), widgets::formatNumber(all));
}

void CellController::run(bool solveAgain)
{
  unread = static_cast<std::size_t>(std::ranges::count_if(parts.cells->cells(), isUnread));
  run(request(solveAgain));
}

/// Of many files, those that were read when a person had no more patience.
void CellController::runRead()
{
  study::CellRequest wanted = request(false);
  const auto& open = parts.cells->cells();
  std::vector<study::CellSource> read;
  for (std::size_t row = 0; row < open.size(); ++row)
    if (!isUnread(open[row]))
      read.push_back(wanted.cells[row]);
  if (read.empty() || read.size() == wanted.cells.size())
    return;
  wanted.cells = std::move(read);
  unread = 0;
  run(wanted);
}

void CellController::run(const study::CellRequest& request)
{
  parts.views->dropPartial();
  const auto work = [this, study = study, wanted = request](const JobContext& context) {
    study::CellObserver observer;
    observer.cellsRead = [&](const std::vector<study::CellReading>& readings) {
      // Whatever becomes of the run: who cancels it has what was read.
      context.tell([this, readings, canBeDrawn = whichCanBeDrawn(readings)] { takeReadings(readings, canBeDrawn); });
      requireDrawable(wanted.parameters.batch);
    };
    observer.readingEnded = [&](const std::vector<study::CellReading>& readings) {
      context.tell([this, readings, canBeDrawn = whichCanBeDrawn(readings)] {
        takeReadings(readings, canBeDrawn);
        if (!isRunning())
          runRead();
      });
    };
    observer.advanced = [&](const study::CellResult& soFar) {
      context.post([this, soFar] { parts.views->showSoon(soFar); });
    };
    return study->run(wanted, context.control(), observer);
  };
  JobEnds ends;
  ends.failed = [this](const Error&) { takeEnd(); };
  ends.cancelled = [this] {
    takeEnd();
    emit told(tr("Cancelled. Figures that were not reached are those of the previous run. F5 runs it again."));
  };
  QStringList files;
  for (const study::CellSource& cell : request.cells)
    files << QString::fromStdString(cell.path);
  jobs->submit(
      {kCells, JobTask::several(files)}, work, [this](const study::CellResult& result) { takeResult(result); },
      std::move(ends));
}

void CellController::showAgainOrRun()
{
  const Outcome* const kept = earlier.find(request(false));
  if (!kept)
    return run();
  jobs->drop(kCells);
  parts.views->dropPartial();
  takeReadings(kept->readings.cells, kept->readings.canBeDrawn);
  parts.views->show(kept->result);
  parts.views->endProgress();
  parts.views->showRunAgain(kept->result);
  emit told(tr("As it was solved before; F5 solves it again."));
}

bool CellController::isRunning() const
{
  return jobs->isActive(kCells);
}

Question CellController::question() const
{
  const study::CellRequest fields = request(false);
  const study::CellResult& shown = parts.views->outcome();
  const bool isEmpty =
      fields.cells.empty() && fields.parameters.batch.source == study::BatchSource::OpenCells && shown.cells.empty();
  if (isEmpty || isRunning())
    return {};
  Question question = pictureQuestion();
  const auto& open = parts.cells->cells();
  if (const auto left = std::ranges::count_if(open, isUnread)) {
    question.text = tr("Reading was cancelled: %1 of %2 cells are not read.")
                        .arg(widgets::formatNumber(static_cast<double>(left)),
                             widgets::formatNumber(static_cast<double>(open.size())));
    question.agree = tr("Read the rest");
    question.agreeHelp = tr("Read the cells that are left, and solve all");
    question.decline.clear();
    return question;
  }
  const bool hasParameters = shown.request.parameters == fields.parameters;
  if (hasParameters)
    question.decline.clear();
  if (!hasParameters || shown.request.cells != fields.cells)
    return question;
  question.text = tr("The run did not finish. Figures that it did not reach are those of the previous run.");
  return shown.isWhole ? Question() : question;
}

void CellController::restoreFields()
{
  parts.parameters->setParameters(parts.views->outcome().request.parameters);
}

void CellController::takeReadings(const std::vector<study::CellReading>& readings, const std::vector<bool>& canBeDrawn)
{
  newest = {readings, canBeDrawn};
  for (const Error& error : parts.cells->takeReadings(readings, canBeDrawn))
    emit unreadable(error);
  emit cellsRead();
}

/// A run that was replaced by another one after it had solved is told by that.
void CellController::takeResult(const study::CellResult& delivered)
{
  study::CellResult result = delivered;
  if (std::exchange(recorded, result.solution) != result.solution && result.solved)
    result.record = result.solved;
  parts.views->show(result);
  parts.views->endProgress();
  parts.views->addRun(result);
  if (result.isWhole && result.solved)
    earlier.keep(result.request, {result, newest}, bytesOf(result));
  emit told(result.record ? summarizeRun(*result.record, result.floorFraction) : QString());
  if (result.record && result.record->timings.has("solve"))
    parts.runs->add(*result.record,
                    [this, parameters = result.request.parameters] { emit parametersWanted(parameters); });
}

/// The schedules that a person looks at in place of what ran. Nothing is solved.
void CellController::planSchedules()
{
  const std::vector<widgets::ScheduleChoice> wanted = parts.views->wantedSchedules();
  if (wanted.empty())
    return jobs->drop(kSchedules);
  using Planned = std::vector<std::shared_ptr<const study::PlannedSchedule>>;
  const study::CellResult& shown = parts.views->outcome();
  const auto plan = [batch = shown.batch, parameters = shown.request.parameters.solve,
                     wanted](const JobContext& context) {
    Planned planned;
    for (const widgets::ScheduleChoice& choice : wanted) {
      hines::SolveParameters asked = parameters;
      asked.solver = choice.solver;
      asked.backend = choice.backend;
      if (!hines::traitsOf(choice.solver).inSingle)
        asked.precision = hines::Precision::Double;
      planned.push_back(
          std::make_shared<const study::PlannedSchedule>(study::planSchedule(batch, asked, context.control())));
    }
    return planned;
  };
  JobEnds ends;
  ends.failed = [this](const Error&) { parts.views->dropSchedules(); };
  ends.cancelled = [this] {
    parts.views->dropSchedules();
    emit told(tr("Cancelled; the views show what ran."));
  };
  jobs->submit(
      kSchedules, plan, [this](const Planned& planned) { parts.views->takeSchedules(planned); }, std::move(ends));
}

/// What came of a run that was not brought to its end is shown.
void CellController::takeEnd()
{
  parts.views->showPartial();
  parts.views->endProgress();
}

void CellController::chooseCutLength(hines::SolverId solver, std::int32_t compartments)
{
  study::CellParameters edited = parts.parameters->parameters();
  hines::definitionOf(solver).setCutLength(edited.solve, compartments);
  takeCut(solver, std::move(edited));
}

void CellController::chooseCut(hines::SolverId solver, const QString& name)
{
  study::CellParameters edited = parts.parameters->parameters();
  hines::definitionOf(solver).chooseCut(edited.solve, name.toStdString());
  takeCut(solver, std::move(edited));
}

/// Where `auto` chose the solver, the person has now chosen it; the plan of branches is drawn whatever solves.
void CellController::takeCut(hines::SolverId solver, study::CellParameters edited)
{
  const std::vector<hines::SettingsGroup> settings = hines::definitionOf(solver).settings();
  const auto& scene = parts.views->scene();
  const auto solution = scene ? scene->solution : nullptr;
  if (solution && solution->parameters.solver == solver &&
      std::ranges::none_of(settings, &hines::SettingsGroup::isDrawnAnyway))
    edited.solve.solver = solver;
  if (edited != parts.parameters->parameters())
    emit cutWanted(edited);
}

} // namespace hinesight::app
