#include "app/plasticity/plasticity_controller.hpp"

#include "app/document/command_texts.hpp"
#include "app/files/file_dialogs.hpp"
#include "app/files/openable_files.hpp"
#include "app/pages/page_host.hpp"
#include "app/pages/pages.hpp"
#include "app/plasticity/plasticity_page.hpp"
#include "app/plasticity/plasticity_panel.hpp"
#include "app/synapses/formation_page.hpp"
#include "core/error.hpp"
#include "io/networks/network_files.hpp"
#include "widgets/theme.hpp"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

/// What the page writes: the words of the dialog, and their endings.
struct ExportFilters
{
  QString records = PlasticityController::tr("Records of the charts, CSV (*.csv)");
  QStringList charts = {PlasticityController::tr("Charts, SVG (*.svg)"),
                        PlasticityController::tr("Charts, PNG (*.png)"),
                        PlasticityController::tr("Charts, PDF (*.pdf)")};
  QStringList networks;
  QString checkpoint = PlasticityController::tr("Checkpoint, to go on from (*.checkpoint)");

  ExportFilters()
  {
    for (const io::NetworkFormat& format : io::networkFormats())
      networks << PlasticityController::tr("Network at this step, %1").arg(filterOf(format));
  }
};

} // namespace

PlasticityController::PlasticityController(Jobs* ofWindow, PlasticityPage* shownPage, PlasticityPanel* shownPanel,
                                           QObject* parent)
    : QObject(parent), jobs(ofWindow), page(shownPage), panel(shownPanel)
{
  page->setRequest(panel->request());
  connect(panel, &PlasticityPanel::edited, this, [this] { page->setRequest(panel->request()); });
  connect(page, &PlasticityPage::changed, this, &PlasticityController::takeChange);
  connect(panel, &PlasticityPanel::populationsWanted, this, &PlasticityController::populationsWanted);
  connect(panel, &PlasticityPanel::dragged, page, &PlasticityPage::dropCheckpoint);
  connect(jobs, &Jobs::submitted, this, [this](const JobKind& kind) {
    if (kind.isLong && !PlasticityRunner::isOwn(kind))
      page->pause();
  });
  connect(page, &PlasticityPage::openRequested, this, &PlasticityController::askWhatToOpen);
  connect(page, &PlasticityPage::exportRequested, this, &PlasticityController::askWhereToExport);
  connect(page, &PlasticityPage::saved, this, &PlasticityController::saved);
  connect(page, &PlasticityPage::failed, this, &PlasticityController::failed);
  connect(page, &PlasticityPage::opened, this, [this](const OpenedPlasticity& checkpoint) {
    panel->setRequest(page->request());
    page->takeParameters(panel->request());
    emit told(tr("Opened %1: step %2")
                  .arg(QFileInfo(QString::fromStdString(checkpoint.path)).fileName(),
                       widgets::formatNumber(checkpoint.step)));
  });
  connect(page, &PlasticityPage::resumed, this, [this](std::uint32_t step) {
    emit told(tr("The network of Plasticity is back at step %1.").arg(widgets::formatNumber(step)));
  });
}

QString PlasticityController::growFrom(const FormationOutcome& outcome)
{
  auto start = std::make_shared<study::GrowthStart>();
  start->name = outcome.file.empty() ? describeNetwork(outcome).toStdString()
                                     : QFileInfo(QString::fromStdString(outcome.file)).fileName().toStdString();
  start->formation = outcome.content.formation;
  start->stored = outcome.stored;
  emit startTaken(start);
  panel->setStart(start);
  return QString::fromStdString(start->name);
}

void PlasticityController::begin(std::shared_ptr<const study::GrowthStart> start)
{
  study::GrowthRequest wanted = panel->request();
  wanted.start = std::move(start);
  panel->setRequest(wanted);
  page->setRequest(panel->request());
  emit questionChanged();
}

std::uint32_t PlasticityController::stepsGrown() const
{
  const study::GrowthRequest fields = panel->request();
  const bool isOfCheckpoint = fields.start && fields.start->isCheckpoint();
  return isOfCheckpoint || fields != page->request() ? 0 : page->step();
}

bool PlasticityController::isChangedMidway() const
{
  return page->isChangedMidway();
}

bool PlasticityController::hasNetwork() const
{
  return page->hasNetwork();
}

void PlasticityController::borrowNetwork(std::function<void(study::ComparedNetwork)> take)
{
  page->borrowNetwork(std::move(take));
}

std::optional<SessionWork> PlasticityController::work() const
{
  const study::GrowthRequest request = panel->request();
  const std::string connection = request.start && naming ? naming() : std::string();
  if (connection.empty() && (request.start || request.source.populations.empty()))
    return std::nullopt;
  SessionWork work{
      .study = "growth", .connections = {}, .assignments = {}, .dependsOn = {"cells.", "populations.", "grow."}};
  if (stepsGrown() == 0) // else the session says it
    work.assignments = {"grow.steps=" + std::to_string(std::max(1U, page->step()))};
  if (!connection.empty())
    work.dependsOn.push_back("connections." + connection + ".");
  return work;
}

/// Behind the jobs that bring what the run begins with.
void PlasticityController::resume(const QString& checkpoint, bool isOfFields)
{
  constexpr JobKind kResumed{.name = "growth that goes on", .isQuiet = true};
  const auto wait = [](const JobContext&) {};
  jobs->submit(kResumed, wait, [this, checkpoint, isOfFields] {
    if (isOfFields)
      page->resume(checkpoint, panel->request());
    else
      page->openCheckpoint(checkpoint);
  });
}

study::GrowthRequest PlasticityController::request() const
{
  return panel->request();
}

void PlasticityController::show(study::GrowthRequest wanted)
{
  const study::GrowthRequest before = panel->request();
  wanted.start = before.start;
  if (wanted.source.populations == before.source.populations)
    wanted.source.given = before.source.given;
  if (wanted == panel->request())
    return;
  panel->setRequest(wanted);
  page->setRequest(panel->request());
  emit questionChanged();
}

void PlasticityController::setNeurons(const std::vector<std::string>& populations,
                                      std::shared_ptr<const synapse::NeuronPopulation> neurons)
{
  study::GrowthRequest wanted = panel->request();
  wanted.source.populations = populations;
  wanted.source.given = std::move(neurons);
  if (!populations.empty())
    wanted.start = nullptr;
  panel->setRequest(wanted);
  page->setRequest(panel->request());
  emit questionChanged();
}

// ---- a run that would end ----

/// "neurons and seed", or the network.
QString PlasticityController::whatToStartWith() const
{
  const study::GrowthRequest fields = panel->request();
  if (fields.start != page->request().start)
    return fields.start ? QString::fromStdString(fields.start->name)
           : !fields.source.populations.empty()
               ? tr("the neurons of %1").arg(QString::fromStdString(study::populationsInWords(fields.source)))
               : tr("neurons at random places");
  QStringList names;
  for (const std::string& name : study::beginningsThatDiffer(page->request(), fields))
    names << QString::fromStdString(name);
  return names.join(QStringLiteral(", "));
}

Question PlasticityController::question() const
{
  const auto count = [](double number) { return widgets::formatNumber(number); };
  const QString run = tr("This one is at step %1, of %2 neurons.")
                          .arg(count(page->step()), count(static_cast<double>(page->neurons())));
  Question question{{},
                    tr("Start a new run"),
                    tr("Discard the run and begin one with the parameters in the fields"),
                    tr("Keep the run"),
                    tr("Keep the run, and show its parameters in the fields again")};
  if (!checkpointToOpen.isEmpty()) {
    question.text = tr("To open %1 the run has to end. %2 No checkpoint holds that step.")
                        .arg(QFileInfo(checkpointToOpen).fileName(), run);
    question.agree = tr("Open");
    question.agreeHelp = tr("Discard the run and go on with the run of the checkpoint");
    question.declineHelp = tr("Keep the run, and open nothing");
    return question;
  }
  const study::GrowthRequest fields = panel->request();
  if (!page->isBegun() || page->isOpening() || fields == page->request())
    return {};
  const QString beginning = whatToStartWith();
  if (beginning.isEmpty()) {
    question.text = tr("The parameters in the fields were refused; the run keeps its own.");
    question.canAgree = false;
  } else if (fields.start && fields.start->isCheckpoint()) {
    question.text =
        tr("A run from a checkpoint keeps its values for %1. For a new run choose At random, under Neurons.")
            .arg(beginning);
    question.canAgree = false;
  } else {
    const bool isOfOthers = fields.start != page->request().start;
    question.text =
        (isOfOthers ? tr("A new run is needed to begin with %1. %2") : tr("A new run is needed for: %1. %2"))
            .arg(beginning, run);
  }
  return question;
}

void PlasticityController::startAnew()
{
  if (checkpointToOpen.isEmpty())
    return page->startAnew(panel->request());
  page->openCheckpoint(std::exchange(checkpointToOpen, {}));
}

void PlasticityController::keepRun()
{
  if (checkpointToOpen.isEmpty())
    panel->setRequest(page->request());
  checkpointToOpen.clear();
  emit questionChanged();
}

// ---- files ----

void PlasticityController::askWhatToOpen()
{
  const FileQuestion question{QStringLiteral("openCheckpointDialog"),
                              tr("Open a checkpoint"),
                              QStringLiteral("exportFolder"),
                              {tr("Checkpoints (*.checkpoint)"), tr("All files (*)")},
                              {}};
  app::askWhatToOpen(page, question, [this](const QStringList& paths) { open(paths.back()); });
}

/// Not before a person has agreed that steps are lost.
void PlasticityController::open(const QString& path)
{
  checkpointToOpen = path;
  takeChange();
}

void PlasticityController::takeChange()
{
  if (!checkpointToOpen.isEmpty() && !page->hasUnsavedSteps())
    page->openCheckpoint(std::exchange(checkpointToOpen, {}));
  emit questionChanged();
}

void PlasticityController::askWhereToExport()
{
  const ExportFilters filters;
  FileQuestion question{QStringLiteral("exportPlasticityDialog"),
                        tr("Export"),
                        QStringLiteral("exportFolder"),
                        {filters.records},
                        QStringLiteral("growth.csv")};
  question.filters << filters.charts << filters.networks << filters.checkpoint;
  askWhereToSaveAs(page, question, [this](const QString& path, const QString& filter) { exportTo(path, filter); });
}

void PlasticityController::exportTo(const QString& path, const QString& filter)
{
  const ExportFilters filters;
  if (filters.networks.contains(filter))
    return page->saveNetwork(path);
  if (filter == filters.checkpoint)
    return page->saveCheckpoint(path);
  if (filter == filters.records)
    return page->saveRecords(path);
  try {
    page->saveCharts(path);
    emit saved(path);
  } catch (const Error& error) {
    emit failed(QString::fromUtf8(error.what()));
  }
}

// ---- as a page ----

namespace {

Tab makeTab(PageHost& host)
{
  auto* page = new PlasticityPage(host.parts.jobs, host.parts.area);
  auto* panel = new PlasticityPanel(host.parts.panels);
  auto* controller = new PlasticityController(host.parts.jobs, page, panel, &host);
  host.listenTo(controller);
  QObject::connect(page, &PlasticityPage::saveRequested, &host, &PageHost::pictureWanted);
  QObject::connect(&host, &PageHost::devicesFound, panel, &PlasticityPanel::setDevices);
  QObject::connect(&host, &PageHost::backendChosen, panel, [panel, page](Backend backend) {
    study::GrowthRequest request = panel->request();
    request.model.backend = backend;
    panel->setRequest(request);
    page->setRequest(request);
  });
  if (auto* formed = host.find<FormationPage>())
    QObject::connect(formed, &FormationPage::growRequested, controller, [controller, formed, &host] {
      const QString start = controller->growFrom(formed->outcome()); // while its connection is shown
      emit host.pageWanted(ViewKind::Plasticity);
      emit host.told(PlasticityController::tr("To grow from %1, with its search and kernel.").arg(start));
    });
  QObject::connect(page, &PlasticityPage::ran, &host, [panel, page, &host](const io::RunRecord& run) {
    emit host.ran(run, [panel, page, &host, request = page->request()] {
      emit host.pageWanted(ViewKind::Plasticity);
      panel->setRequest(request);
      page->setRequest(request);
    });
  });
  Tab tab;
  tab.runs = io::RunKind::Growth;
  tab.page = page;
  tab.parameters = panel;
  tab.runAgain = [page] { page->toggle(); };
  tab.mismatch = [controller] { return controller->question(); };
  tab.takeFields = [controller] { controller->startAnew(); };
  tab.restoreFields = [controller] { controller->keepRun(); };
  tab.resetParameters = [panel] { panel->resetAll(); };
  tab.command = [page, controller] { return growCommand(controller->request(), std::max(1U, page->step())); };
  tab.work = [controller] { return controller->work(); };
  tab.seen = [controller] { emit controller->seen(); };
  return tab;
}

} // namespace

PageDefinition plasticityPage()
{
  return {"plasticity",
          QT_TRANSLATE_NOOP("Pages", "Plasticity"),
          QT_TRANSLATE_NOOP("Pages", "What grew, and does it make sense?"),
          QT_TRANSLATE_NOOP("Pages", "run, pause, step, reset; point at a chart for its numbers"),
          "The plasticity page",
          makeTab,
          {Panel::Parameters, Panel::Timings}};
}

} // namespace hinesight::app
