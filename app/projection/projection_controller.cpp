#include "app/projection/projection_controller.hpp"

#include "app/files/file_dialogs.hpp"
#include "app/files/openable_files.hpp"
#include "app/projection/population_panel.hpp"
#include "app/projection/projection_page.hpp"
#include "app/projection/projection_panel.hpp"
#include "app/shell/bars/status_panel.hpp"
#include "io/networks/neuron_files.hpp"
#include "widgets/theme.hpp"

#include <QFileInfo>

#include <array>
#include <utility>

namespace hinesight::app {

namespace {

constexpr double kQuietTime =
    150;                     // ms of a run that say nothing of its progress: a repaint costs more than it is worth
constexpr double kLive = 50; // ms; tables that take no longer are made anew while a slider is dragged

/// Where a neuron is: the centre of its soma, or where its tree begins if its file has none.
std::array<double, 3> somaOf(const morphology::Morphology& cell)
{
  if (cell.somaKind != morphology::SomaKind::None)
    return cell.somaCentre;
  const auto root = static_cast<std::size_t>(cell.roots.front());
  return {cell.x[root], cell.y[root], cell.z[root]};
}

} // namespace

ProjectionController::ProjectionController(JobRunner* jobs, const Parts& parts, std::function<bool()> whetherShown,
                                           QObject* parent)
    : QObject(parent), runner(jobs), page(parts.page), panel(parts.parameters), populations(parts.populations),
      isPageShown(std::move(whetherShown))
{
  panel->setPopulations(populations->populations());
  connectPanels();
  connectRunner();
}

void ProjectionController::connectPanels()
{
  connect(panel, &ProjectionPanel::edited, this, &ProjectionController::takeEdit);
  connect(populations, &PopulationPanel::changed, this, &ProjectionController::takePopulations);
  connect(populations, &PopulationPanel::somataChanged, this, &ProjectionController::takeSomata);
  connect(page, &ProjectionPage::sizeAgreed, this, &ProjectionController::takeAgreement);
  connect(page, &ProjectionPage::sizeDeclined, this, &ProjectionController::restoreFields);
  connect(page, &ProjectionPage::exportRequested, this, &ProjectionController::askWhereToExport);
}

void ProjectionController::connectRunner()
{
  connect(runner, &JobRunner::devicesFound, panel, &ProjectionPanel::setDevices);
  connect(runner, &JobRunner::started, this, &ProjectionController::takeStart);
  connect(runner, &JobRunner::progressed, this, &ProjectionController::takeProgress);
  connect(runner, &JobRunner::projectionFinished, this, &ProjectionController::takeTable);
  connect(runner, &JobRunner::projectionAsked, this, &ProjectionController::takeQuestion);
  connect(runner, &JobRunner::tableOpened, this, &ProjectionController::takeOpenedTable);
  connect(runner, &JobRunner::failed, this, &ProjectionController::takeEndOfJob);
  connect(runner, &JobRunner::cancelled, this, &ProjectionController::takeEndOfJob);
  connect(runner, &JobRunner::finished, this, &ProjectionController::takeEndOfJob);
  connect(runner, &JobRunner::benchmarkFinished, this, &ProjectionController::takeEndOfJob);
  connect(runner, &JobRunner::tableExported, this, &ProjectionController::takeEndOfJob);
  connect(runner, &JobRunner::formationFinished, this, &ProjectionController::takeEndOfJob);
}

// ---- what is wanted ----

/// The page makes what it shows the first time, what waits, and where its populations have changed meanwhile.
void ProjectionController::pageShown()
{
  if (waits || !page->outcome().table || asked != panel->request())
    run();
}

void ProjectionController::run()
{
  waits = runner->isRunning() && !runner->isProjecting();
  if (waits)
    return;
  asked = panel->request();
  if (!tableToOpen.isEmpty())
    return runner->request(TableOpenRequest{tableToOpen.toStdString()});
  ProjectionRequest request = *asked;
  request.rowsAllowed = rowsAllowed;
  runner->request(std::move(request));
}

void ProjectionController::open(const QString& path)
{
  tableToOpen = path;
  const bool startsWhenShown = !isPageShown() && !page->outcome().table;
  emit pageWanted();
  if (!startsWhenShown)
    run();
}

void ProjectionController::setSomata(const std::vector<OpenCell>& cells)
{
  std::array<std::vector<double>, 3> positions;
  for (const OpenCell& cell : cells) {
    if (!cell.morphology)
      continue;
    const auto place = somaOf(*cell.morphology);
    for (std::size_t axis = 0; axis < 3; ++axis)
      positions[axis].push_back(place[axis]);
  }
  populations->setSomata(std::move(positions));
}

/// A slow table is made when the slider is let go, a fast one at every step. A table that is being opened is given up
/// at once: its parameters would take the place of what a person chooses.
void ProjectionController::takeEdit(bool settled)
{
  const bool wasOpening = !tableToOpen.isEmpty();
  tableToOpen.clear();
  isDragging = !settled;
  emit questionChanged();
  if (settled || wasOpening || page->lastMilliseconds() < kLive)
    run();
}

void ProjectionController::takePopulations()
{
  panel->setPopulations(populations->populations());
  takeEdit(true);
}

/// What is made of them waits until the cells are read and solved.
void ProjectionController::takeSomata()
{
  panel->setPopulations(populations->populations());
  if (isPageShown() && asked != panel->request())
    waits = true;
}

void ProjectionController::takeAgreement(std::uint64_t rows)
{
  rowsAllowed = rows;
  run();
}

Question ProjectionController::question() const
{
  const bool isOnItsWay = runner->isProjecting() || waits || isDragging || page->isAsking();
  return made && !isOnItsWay && !makeTheSame(*made, panel->request()) ? pictureQuestion() : Question();
}

void ProjectionController::restoreFields()
{
  if (made) {
    showPopulations(made->source, made->destination);
    panel->setParameters(made->parameters);
    panel->setCompute(made->compute);
  }
  asked = panel->request();
  emit questionChanged();
}

/// Chooses them, where they are not there any more after adding them.
void ProjectionController::showPopulations(const PopulationChoice& source, const PopulationChoice& destination)
{
  const int sourcePlace = populations->placeOf(source);
  const int destinationPlace = populations->placeOf(destination);
  panel->setPopulations(populations->populations());
  panel->choosePopulations(sourcePlace, destinationPlace);
}

// ---- what the runner tells ----

void ProjectionController::takeStart()
{
  waits = waits || (runs && !runner->isProjecting());
  runs = runner->isProjecting();
  if (runs)
    page->dropQuestion();
}

void ProjectionController::takeProgress(const QString& stage, double fraction)
{
  if (runner->isProjecting() && runner->elapsed() >= kQuietTime)
    page->takeProgress(stageInWords(stage), fraction);
}

void ProjectionController::takeTable(const ProjectionOutcome& outcome)
{
  runs = false;
  if (!outcome.wasAskedAbout)
    rowsAllowed = 0; // what is asked about next is another table
  made = asked;
  page->takeEnd();
  page->setOutcome(outcome);
  emit told(tr("Projection: %1, %2: %3")
                .arg(describeTable(*outcome.table), outcome.timings.backend == Backend::Cuda ? tr("CUDA") : tr("CPU"),
                     widgets::formatMilliseconds(outcome.timings.total())));
}

void ProjectionController::takeQuestion(const SizeQuestion& question)
{
  runs = false;
  page->takeEnd();
  page->ask(question);
  emit told(tr("No table was made: the question above the layers is to be answered first."));
}

/// Shows a table with the parameters and populations that would make it again.
void ProjectionController::takeOpenedTable(const OpenedTable& opened)
{
  runs = false;
  tableToOpen.clear();
  page->takeEnd();
  showPopulations(opened.source, opened.destination);
  if (opened.outcome.hasParameters)
    panel->setParameters(opened.outcome.table->projection.parameters);
  made = asked = panel->request();
  page->setOutcome(opened.outcome);
  emit told(tr("Opened %1: %2")
                .arg(QFileInfo(QString::fromStdString(opened.outcome.file)).fileName(),
                     describeTable(*opened.outcome.table)));
}

/// What waits for the end of another job begins. A table that could not be opened is not tried again.
void ProjectionController::takeEndOfJob()
{
  runs = false;
  if (runner->wasProjection())
    tableToOpen.clear();
  page->takeEnd();
  if (waits && isPageShown())
    run();
}

// ---- files ----

void ProjectionController::askWhereToExport()
{
  QStringList filters;
  for (const QString& extension : tableExtensions())
    filters << tr("Weight table (*%1)").arg(extension);
  askWhereToSave(page,
                 {QStringLiteral("exportTableDialog"), tr("Export table"), QStringLiteral("exportFolder"), filters,
                  QStringLiteral("weights.csv")},
                 [this](const QString& path) { exportTable(path); });
}

void ProjectionController::exportTable(const QString& path)
{
  if (!page->outcome().positionsAreKnown && io::isSonataFile(path.toStdString()))
    emit failed(tr("A SONATA file holds positions, and those of this table are not known; choose another format."));
  else
    runner->request(TableExportRequest{page->outcome().table, path.toStdString()});
}

} // namespace hinesight::app
