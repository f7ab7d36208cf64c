#include "app/synapses/formation_controller.hpp"

#include "app/files/file_dialogs.hpp"
#include "app/files/file_sorter.hpp"
#include "app/shell/bars/status_panel.hpp"
#include "app/synapses/formation_page.hpp"
#include "core/error.hpp"
#include "io/runs/formation_timings.hpp"
#include "widgets/theme.hpp"

#include <QFileInfo>

#include <utility>

namespace hinesight::app {

namespace {

/// While a slider is dragged, networks that take no longer are formed anew.
constexpr double kLive = 50; // ms

} // namespace

FormationController::FormationController(JobRunner* jobs, FormationPage* shownPage, FormationPanel* shownPanel,
                                         std::function<bool()> whetherShown, QObject* parent)
    : QObject(parent), runner(jobs), page(shownPage), panel(shownPanel), isPageShown(std::move(whetherShown)),
      sorter(new FileSorter(this))
{
  page->setLook(panel->look());
  connect(page, &FormationPage::formRequested, this, &FormationController::run);
  connect(page, &FormationPage::importRequested, this, &FormationController::askWhatToImport);
  connect(sorter, &FileSorter::sorted, this, &FormationController::import);
  connect(page, &FormationPage::exportRequested, this, &FormationController::askWhereToExport);
  connect(panel, &FormationPanel::edited, this, &FormationController::takeEdit);
  connect(panel, &FormationPanel::lookChanged, this, [this] { page->setLook(panel->look()); });
  connect(jobs, &JobRunner::devicesFound, panel, &FormationPanel::setDevices);
  connect(jobs, &JobRunner::started, this, [this] {
    waits = waits || (runs && !runner->isForming());
    runs = runner->isForming();
  });
  connect(jobs, &JobRunner::progressed, this, [this](const QString& stage, double fraction) {
    if (runner->isForming())
      page->takeProgress(stageInWords(stage), fraction);
  });
  connect(jobs, &JobRunner::formationFinished, this, &FormationController::takeOutcome);
  for (const auto ended : {&JobRunner::benchmarkFinished, &JobRunner::cancelled})
    connect(jobs, ended, this, &FormationController::takeEndOfJob);
  connect(jobs, &JobRunner::failed, this, &FormationController::takeEndOfJob);
  connect(jobs, &JobRunner::finished, this, &FormationController::takeEndOfJob);
  connect(jobs, &JobRunner::projectionFinished, this, &FormationController::takeEndOfJob);
  connect(jobs, &JobRunner::projectionAsked, this, &FormationController::takeEndOfJob);
  connect(jobs, &JobRunner::tableOpened, this, &FormationController::takeEndOfJob);
  connect(jobs, &JobRunner::tableExported, this, &FormationController::takeEndOfJob);
}

/// The page forms what it shows the first time, and what an edit has asked for while another job ran.
void FormationController::pageShown()
{
  if (waits || !page->outcome().formation())
    run();
}

void FormationController::run()
{
  waits = runner->isRunning() && !runner->isForming();
  if (waits)
    return;
  asked = panel->request();
  runner->request(*asked);
}

Question FormationController::question() const
{
  const bool isOnItsWay = runs || waits || isDragging;
  return made && !isOnItsWay && *made != panel->request() ? pictureQuestion() : Question();
}

void FormationController::restoreFields()
{
  panel->setRequest(*made);
  page->setTheta(made->formation.search.theta);
  emit questionChanged();
}

/// A slow network is formed when the slider is let go, a fast one at every step.
void FormationController::takeEdit(bool settled)
{
  page->setTheta(panel->request().formation.search.theta);
  isDragging = !settled;
  emit questionChanged();
  if (settled || page->lastMilliseconds() < kLive)
    run();
}

void FormationController::takeOutcome(const FormationOutcome& outcome)
{
  runs = false;
  made = asked;
  page->takeEnd();
  page->setOutcome(outcome);
  const synapse::Formation& formation = *outcome.formation();
  emit formed((outcome.stored ? tr("Read %1, %2: %3") : tr("%1, %2: %3"))
                  .arg(describeNetwork(outcome), formation.timings.backend == Backend::Cuda ? tr("CUDA") : tr("CPU"),
                       widgets::formatMilliseconds(formation.timings.total())));
}

void FormationController::askWhatToImport()
{
  const QString networks = tr("Networks of synapses (*.txt *.csv *.h5)");
  const FileQuestion question{QStringLiteral("importNeuronsDialog"),
                              tr("Read neurons or a network"),
                              QStringLiteral("neuronFolder"),
                              {tr("Neurons and positions (*.txt *.csv *.tsv *.gz *.h5)"), networks},
                              {}};
  askWhichToOpen(page, question, [this, networks](const QString& path, const QString& filter) {
    wantsNetwork = filter == networks;
    sorter->sort({path});
  });
}

/// What can only be a network is one, whatever was asked for; a table of weights is read for what was.
void FormationController::import(const OpenableFiles& files)
{
  if (!files.networks.isEmpty())
    return panel->setNetwork(files.networks.back());
  const QStringList others = files.tables + files.cells + files.neurons;
  const QString path = files.either.isEmpty() ? others.back() : files.either.back().path;
  if (!wantsNetwork)
    panel->setFile(path);
  else
    panel->setNetwork(files.either.isEmpty() ? NetworkFile{path, {}} : files.either.back());
}

namespace {

/// What the page writes: the words of the dialog, and their endings.
struct ExportFilters
{
  QStringList network = {FormationController::tr("Synapses, CSV (*.csv)"),
                         FormationController::tr("Synapses and neurons, SONATA (*.h5)"),
                         FormationController::tr("Synapses, RELeARN (*.txt)")};
  QStringList neurons = {FormationController::tr("Neurons, CSV (*.csv)"),
                         FormationController::tr("Neurons, RELeARN (*.txt)")};
  QStringList timings = {FormationController::tr("Timings of all runs, CSV (*.csv)"),
                         FormationController::tr("Timings of all runs, JSON (*.json)")};
  QString picture = FormationController::tr("Picture of this page (*.png)");
};

} // namespace

void FormationController::askWhereToExport()
{
  const ExportFilters filters;
  FileQuestion question{QStringLiteral("exportNetworkDialog"), tr("Export network"), QStringLiteral("exportFolder"),
                        filters.network + filters.neurons + filters.timings, QStringLiteral("network.csv")};
  question.filters << filters.picture;
  askWhereToSaveAs(page, question, [this](const QString& path, const QString& filter) { exportTo(path, filter); });
}

void FormationController::exportTo(const QString& path, const QString& filter)
{
  const ExportFilters filters;
  try {
    if (filter == filters.picture)
      page->savePicture(path);
    else if (filters.timings.contains(filter))
      io::writeFormationTimings(page->runs(), path.toStdString());
    else
      return runner->request(NetworkExportRequest{page->outcome().content.formation, page->outcome().stored,
                                                  path.toStdString(), filters.neurons.contains(filter)});
    emit saved(path);
  } catch (const Error& error) {
    emit failed(QString::fromUtf8(error.what()));
  }
}

void FormationController::takeEndOfJob()
{
  runs = false;
  page->takeEnd();
  if (waits && isPageShown())
    run();
}

} // namespace hinesight::app
