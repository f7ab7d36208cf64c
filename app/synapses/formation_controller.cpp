#include "app/synapses/formation_controller.hpp"

#include "app/document/command_texts.hpp"
#include "app/files/file_dialogs.hpp"
#include "app/files/file_sorter.hpp"
#include "app/files/openable_files.hpp"
#include "app/pages/page_host.hpp"
#include "app/pages/pages.hpp"
#include "app/selection/neuron_selection.hpp"
#include "app/shell/bars/status_panel.hpp"
#include "app/synapses/formation_page.hpp"
#include "core/error.hpp"
#include "io/networks/network_files.hpp"
#include "io/runs/formation_timings.hpp"
#include "io/runs/history_records.hpp"
#include "widgets/theme.hpp"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

/// While a slider is dragged, networks that take no longer are formed anew.
constexpr double kLive = 50; // ms

/// About what an outcome holds in memory.
std::uint64_t bytesOf(const FormationOutcome& outcome)
{
  constexpr std::uint64_t kOfNeuron = 300; // with its part of the tree
  constexpr std::uint64_t kOfSynapse = sizeof(synapse::Synapse) + 2 * 8;
  const synapse::Network& network = outcome.formation->network;
  return network.neurons * kOfNeuron + network.synapses.size() * kOfSynapse;
}

} // namespace

struct FormationController::Worker
{
  study::FormationStudy study;
  FormationPictures pictures;
};

FormationController::FormationController(Jobs* ofWindow, FormationPage* shownPage, FormationPanel* shownPanel,
                                         QObject* parent)
    : QObject(parent), jobs(ofWindow), page(shownPage), panel(shownPanel), sorter(new FileSorter(jobs, this)),
      worker(std::make_shared<Worker>())
{
  page->setLook(panel->look());
  connect(page, &FormationPage::formRequested, this, &FormationController::run);
  connect(page, &FormationPage::importRequested, this, &FormationController::askWhatToImport);
  connect(sorter, &FileSorter::sorted, this, &FormationController::import);
  connect(page, &FormationPage::exportRequested, this, &FormationController::askWhereToExport);
  connect(panel, &FormationPanel::edited, this, &FormationController::takeEdit);
  connect(panel, &FormationPanel::lookChanged, this, [this] { page->setLook(panel->look()); });
  connect(jobs, &Jobs::progressed, this, [this](const JobKind& kind, const QString& stage, double fraction) {
    if (kind == kSynapses)
      page->takeProgress(stageInWords(stage), fraction);
  });
}

/// The page forms what it shows the first time, and where its fields were set meanwhile.
void FormationController::pageShown()
{
  if ((page->outcome().formation && !isToBeFormed) || jobs->isActive(kSynapses))
    return;
  const bool isOnItsWay = !page->outcome().formation && beginning && beginning();
  if (!isOnItsWay || isToBeFormed)
    showAgainOrRun();
}

/// What a person comes back to is there.
void FormationController::showAgainOrRun()
{
  const study::FormationRequest wanted = panel->request();
  const FormationOutcome* const kept = earlier.find(wanted);
  if (!kept)
    return run();
  jobs->drop(kSynapses);
  page->takeEnd();
  made = asked = wanted;
  isToBeFormed = false;
  page->showAgain(*kept);
  emit shown(*kept);
  emit questionChanged();
  emit told(tr("%1, as they were formed before; F5 forms them again.").arg(describeNetwork(*kept)));
}

void FormationController::show(const study::FormationRequest& wanted)
{
  if (wanted == panel->request())
    return;
  panel->setRequest(wanted);
  page->setTheta(wanted.formation.search.theta);
  isToBeFormed = true;
  emit questionChanged();
  if (page->isVisible())
    showAgainOrRun();
}

void FormationController::renamePopulation(const std::string& before, const std::string& now)
{
  study::FormationRequest wanted = panel->request();
  std::ranges::replace(wanted.source.populations, before, now);
  if (wanted == panel->request())
    return;
  panel->setRequest(wanted);
  for (std::optional<study::FormationRequest>* said : {&asked, &made})
    if (*said)
      std::ranges::replace((*said)->source.populations, before, now);
}

void FormationController::run()
{
  asked = panel->request();
  isToBeFormed = false;
  const auto work = [worker = worker, request = *asked](const JobContext& context) {
    return worker->pictures.of(worker->study.run(request, context.control()), request.source.given != nullptr,
                               context.control());
  };
  JobEnds ends;
  ends.failed = [this](const Error& error) {
    page->takeEnd();
    // A network that wants other neurons can be read: it is offered again.
    if (error.code() != ErrorCode::BadParameter)
      emit unreadable(error);
  };
  ends.cancelled = [this] {
    page->takeEnd();
    emit told(tr("Cancelled; the synapses shown are those of the previous run."));
  };
  jobs->submit(
      {kSynapses, QString::fromStdString(nameOfConnection())}, work,
      [this](const FormationOutcome& outcome) { takeOutcome(outcome); }, std::move(ends));
}

Question FormationController::question() const
{
  const bool isOnItsWay = jobs->isActive(kSynapses) || isDragging;
  return made && !isOnItsWay && *made != panel->request() ? pictureQuestion() : Question();
}

void FormationController::runAgain(const study::FormationRequest& request)
{
  panel->setRequest(request);
  page->setTheta(request.formation.search.theta);
  emit pageWanted();
  run();
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
  made = asked;
  page->takeEnd();
  page->setOutcome(outcome);
  const synapse::Formation& formation = *outcome.formation;
  emit shown(outcome);
  if (!isDragging) {     // what is formed in passing is no run that a person asked for
    if (!outcome.stored) // a file may be another one by then
      earlier.keep(*made, outcome, bytesOf(outcome));
    const std::string connection = nameOfConnection();
    io::RunRecord run = io::recordOf(io::summarize(formation, outcome.distances.synapses), outcome.file);
    run.source = io::nameConnection(connection, run.source);
    // Its record says which connection it is of: another one may be shown by the time that it is restored.
    emit ran(run, connection.empty() ? std::function<void()>([this, request = *made] { runAgain(request); })
                                     : std::function<void()>());
  }
  emit told((outcome.stored ? tr("Read %1, %2: %3") : tr("%1, %2: %3"))
                .arg(describeNetwork(outcome), formation.timings.backend == Backend::Cuda ? tr("CUDA") : tr("CPU"),
                     widgets::formatMilliseconds(formation.timings.total())));
}

std::shared_ptr<const selection::NetworkTable> FormationController::networkShown() const
{
  const auto network = page->networkShown();
  if (network)
    network->connection = nameOfConnection();
  return network;
}

/// Whose network is shown; empty: of none.
std::string FormationController::nameOfConnection() const
{
  return made && made->source.given && naming ? naming() : std::string();
}

void FormationController::askWhatToImport()
{
  const QString networks = tr("Networks of synapses (%1)").arg(networkPatterns());
  const FileQuestion question{QStringLiteral("importNeuronsDialog"),
                              tr("Read neurons or a network"),
                              QStringLiteral("neuronFolder"),
                              {tr("Neurons and positions (%1 *.tsv *.gz)").arg(networkPatterns()), networks},
                              {}};
  askWhichToOpen(page, question, [this, networks](const QString& path, const QString& filter) {
    wantsNetwork = filter == networks;
    sorter->sort({path});
  });
}

/// What can only be a network is one, whatever was asked for; a table of weights is read for what was, and so is what
/// can be neither: reading it says that.
void FormationController::import(const OpenableFiles& files)
{
  for (const Error& problem : files.problems)
    emit failed(QString::fromUtf8(problem.what()));
  if (!files.networks.isEmpty())
    return panel->setNetwork(files.networks.back());
  const QStringList others =
      files.sessions + files.models + files.circuits + files.tables + files.cells + files.neurons;
  if (files.either.isEmpty() && others.isEmpty())
    return;
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
  QStringList network;
  QStringList neurons; ///< of formats whose networks are without
  QStringList timings = {FormationController::tr("Timings of all runs, CSV (*.csv)"),
                         FormationController::tr("Timings of all runs, JSON (*.json)")};
  QString picture = FormationController::tr("Picture of this page (*.png)");

  ExportFilters()
  {
    for (const io::NetworkFormat& format : io::networkFormats()) {
      const QString file = filterOf(format);
      network << (format.hasNeurons ? FormationController::tr("Synapses and neurons, %1").arg(file)
                                    : FormationController::tr("Synapses, %1").arg(file));
      if (!format.hasNeurons)
        neurons << FormationController::tr("Neurons, %1").arg(file);
    }
  }
};

} // namespace

void FormationController::askWhereToExport()
{
  const ExportFilters filters;
  FileQuestion question{QStringLiteral("exportNetworkDialog"),
                        tr("Export network"),
                        QStringLiteral("exportFolder"),
                        {},
                        QStringLiteral("network.csv")};
  const auto add = [&question](const QStringList& files, const char* stem) {
    question.filters << files;
    question.stems << QStringList(files.size(), QLatin1String(stem));
  };
  add(filters.network, "network");
  add(filters.neurons, "neurons");
  add(filters.timings, "timings");
  add({filters.picture}, "synapses");
  askWhereToSaveAs(page, question, [this](const QString& path, const QString& filter) { exportTo(path, filter); });
}

void FormationController::exportNetwork(const QString& path, study::NetworkPart part)
{
  const auto work = [result = study::FormationResult(page->outcome()), file = path.toStdString(),
                     part](const JobContext& context) {
    context.control().report("export", 0);
    study::exportNetwork(result, file, part, context.control());
  };
  jobs->submit({kNetworkExport, path}, work, [this, path] { emit saved(path); },
               {{}, [this] { emit told(tr("Cancelled; no file was written.")); }});
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
      return exportNetwork(path, filters.neurons.contains(filter) ? study::NetworkPart::Neurons
                                                                  : study::NetworkPart::Everything);
    emit saved(path);
  } catch (const Error& error) {
    emit failed(QString::fromUtf8(error.what()));
  }
}

std::optional<SessionWork> FormationController::work() const
{
  if (!request().source.given)
    return std::nullopt;
  SessionWork work{.study = "formation", .connections = {}, .assignments = {}, .dependsOn = {"cells.", "populations."}};
  if (const std::string name = naming ? naming() : std::string(); !name.empty())
    work.connections = {name};
  else
    work.dependsOn.push_back("form.");
  return work;
}

// ---- as a page ----

namespace {

Tab makeTab(PageHost& host)
{
  auto* page = new FormationPage(host.parts.area);
  page->setSelection(host.find<NeuronSelection>());
  auto* panel = new FormationPanel(host.parts.panels);
  auto* controller = new FormationController(host.parts.jobs, page, panel, &host);
  host.listenTo(controller);
  QObject::connect(controller, &FormationController::unreadable, &host, &PageHost::unreadable);
  QObject::connect(page, &FormationPage::saveRequested, &host, &PageHost::pictureWanted);
  QObject::connect(&host, &PageHost::devicesFound, panel, &FormationPanel::setDevices);
  QObject::connect(&host, &PageHost::timingsToggled, page, &FormationPage::setTimingsShown);
  QObject::connect(&host, &PageHost::backendChosen, panel, [panel](Backend backend) {
    study::FormationRequest request = panel->request();
    request.formation.backend = backend;
    panel->setRequest(request);
  });
  QObject::connect(controller, &FormationController::ran, &host, &PageHost::ran);
  QObject::connect(page, &FormationPage::networkChanged, &host, &PageHost::networkChanged);
  QObject::connect(&page->view(), &widgets::OctreeView::areaEnded, &host, &PageHost::areaEnded);
  QObject::connect(controller, &FormationController::pageWanted, &host,
                   [&host] { emit host.pageWanted(ViewKind::Synapses); });
  Tab tab;
  tab.runs = io::RunKind::Formation;
  tab.page = page;
  tab.parameters = panel;
  tab.seen = [controller] { controller->pageShown(); };
  tab.fit = [page] { page->view().fit(); };
  tab.awaitArea = [page](std::optional<widgets::AreaShape> shape) { page->view().awaitArea(shape); };
  tab.runAgain = [controller] { controller->run(); };
  tab.mismatch = [controller] { return controller->question(); };
  tab.takeFields = [controller] { controller->run(); };
  tab.restoreFields = [controller] { controller->restoreFields(); };
  tab.resetParameters = [panel] { panel->resetAll(); };
  tab.command = [controller] { return formCommand(controller->request()); };
  tab.work = [controller] { return controller->work(); };
  tab.network = [controller] { return controller->networkShown(); };
  tab.figure = [page] { return page->figure(); };
  return tab;
}

} // namespace

PageDefinition synapsesPage()
{
  return {"synapses",
          QT_TRANSLATE_NOOP("Pages", "Synapses"),
          QT_TRANSLATE_NOOP("Pages", "How does the search see space, and what did it form?"),
          QT_TRANSLATE_NOOP("Pages", "click a neuron to see its search; Ctrl+click takes one in or out; Shift+drag "
                                     "draws a box around neurons, with the right button a loop; Escape, or a click on "
                                     "nothing, ends that; drag turns, right drag moves, wheel zooms"),
          "The synapses page",
          makeTab,
          {Panel::Parameters, Panel::Circuit, Panel::Timings, Panel::Data}};
}

} // namespace hinesight::app
