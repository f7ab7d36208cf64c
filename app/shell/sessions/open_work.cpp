#include "app/shell/sessions/open_work.hpp"

#include "app/benchmark/benchmark_page.hpp"
#include "app/cells/cell_controller.hpp"
#include "app/cells/cell_views.hpp"
#include "app/cells/data_panel.hpp"
#include "app/cells/parameter_panel.hpp"
#include "app/cells/run_table_model.hpp"
#include "app/document/document.hpp"
#include "app/document/history.hpp"
#include "app/document/run_restorer.hpp"
#include "app/document/seen_views.hpp"
#include "app/document/session_controller.hpp"
#include "app/files/file_findings.hpp"
#include "app/measure/measure_page.hpp"
#include "app/pages/page_host.hpp"
#include "app/pages/view_area.hpp"
#include "app/plasticity/plasticity_controller.hpp"
#include "app/plasticity/plasticity_page.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/projection/population_panel.hpp"
#include "app/projection/projection_controller.hpp"
#include "app/selection/neuron_selection.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/shell/bars/messages.hpp"
#include "app/shell/frame/docked_panels.hpp"
#include "app/shell/frame/window_tabs.hpp"
#include "app/shell/sessions/growth_keeper.hpp"
#include "app/shell/sessions/kept_sessions.hpp"
#include "app/shell/sessions/missing_files.hpp"
#include "app/shell/sessions/session_keeper.hpp"
#include "app/shell/sessions/session_start.hpp"
#include "app/shell/sessions/window_history.hpp"
#include "app/simulation/parts/simulated_parts_panel.hpp"
#include "app/simulation/simulation_controller.hpp"
#include "app/simulation/simulation_page.hpp"
#include "app/synapses/formation_controller.hpp"
#include "app/synapses/formation_page.hpp"
#include "study/simulation/simulation_model.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QTabWidget>

#include <string>
#include <utility>

namespace hinesight::app {

OpenWork::OpenWork(const Parts& ofWindow, QObject* parent) : QObject(parent), parts(ofWindow)
{
  auto* seen = new SeenViews({parts.cells, parts.panels->data,
                              static_cast<widgets::MorphologyView*>(&parts.views->view(ViewKind::Morphology)),
                              parts.host->find<MeasurePage>()},
                             this);
  documentParts = {.jobs = parts.jobs,
                   .cells = parts.cells,
                   .list = parts.panels->data,
                   .selection = parts.views->selected(),
                   .neurons = parts.host->find<NeuronSelection>(),
                   .parameters = parts.panels->ofCells,
                   .populations = parts.panels->populations,
                   .connections = parts.panels->connections,
                   .projection = parts.host->find<ProjectionController>(),
                   .formation = parts.host->find<FormationController>(),
                   .growth = parts.host->find<PlasticityController>(),
                   .simulation = parts.host->find<SimulationController>(),
                   .runs = parts.runs,
                   .seen = seen};
  addDocument();
  addSessions();
  addKeepers();
  connectSimulation();
  addRestorer();
  addHistory();
}

History& OpenWork::steps() const
{
  return *recorded->steps();
}

void OpenWork::addDocument()
{
  ofPerson = new Document(documentParts, this);
  connect(ofPerson, &Document::parametersWanted, this, &OpenWork::parametersWanted);
  connect(ofPerson, &Document::ran, parts.runs, &RunTableModel::add);
  connect(ofPerson, &Document::told, parts.messages, &Messages::showNotice);
  connect(ofPerson, &Document::exported, parts.messages, &Messages::tellExported);
  connect(ofPerson, &Document::failed, parts.messages, &Messages::showError);
  connect(ofPerson, &Document::warned, parts.messages, &Messages::warnOfDocument);
  connect(ofPerson, &Document::wentWith, parts.messages, &Messages::warnUntilUndone);
  connect(ofPerson, &Document::pageWanted, this, &OpenWork::pageWanted);
  connect(parts.panels->simulated, &SimulatedPartsPanel::edited, ofPerson, &Document::change);
  connect(parts.host, &PageHost::backendChosen, ofPerson, &Document::setBackend);
  const auto colourOf = [of = documentParts.populations](const std::string& name) { return of->colourNamed(name); };
  parts.host->find<FormationPage>()->setPopulationColors(colourOf);
  parts.host->find<SimulationPage>()->setPopulationColors(colourOf);
}

void OpenWork::addSessions()
{
  files = new SessionController(
      documentParts, ofPerson, [this] { return std::string(parts.tabs->currentPage().name); }, this);
  connect(files, &SessionController::told, parts.messages, &Messages::showNotice);
  connect(files, &SessionController::saved, parts.messages, &Messages::tellSaved);
  connect(files, &SessionController::opening, parts.messages, &Messages::endDocument);
  connect(files, &SessionController::warned, parts.messages, &Messages::warnOfDocument);
  connect(files, &SessionController::filesMissing, parts.missing, &MissingFiles::ask);
  connect(parts.missing, &MissingFiles::folderChosen, files, &SessionController::locate);
  connect(documentParts.projection, &ProjectionController::circuitNeeded, this,
          [this](const Error& error, const QString& circuit) {
            const QString sentence = whatIsWrong(error);
            parts.messages->showError(sentence); // the offer is made of what is shown
            parts.banner->offer(
                sentence,
                {tr("Open the circuit"),
                 tr("Open %1 in place of all that is open; undo takes it back").arg(QDir::toNativeSeparators(circuit)),
                 [this, circuit] { files->importCircuit(circuit); }});
          });
  began = new SessionStart(parts.jobs, ofPerson, this);
  connect(began, &SessionStart::parametersWanted, this, &OpenWork::parametersWanted);
}

void OpenWork::addKeepers()
{
  keepsOpen = new SessionKeeper(
      parts.kept, parts.jobs, parts.runs, [this] { return whatIsOpen(); }, this);
  connect(documentParts.seen, &SeenViews::changed, keepsOpen, &SessionKeeper::keepSeen);
  connect(parts.area, &ViewArea::currentChanged, keepsOpen, &SessionKeeper::keepSeen);
  const auto keepSeenSoon = &SessionKeeper::keepSeenSoon;
  connect(documentParts.selection, &BranchSelection::chosenFilesChanged, keepsOpen, keepSeenSoon);
  connect(documentParts.selection, &BranchSelection::inChosenChanged, keepsOpen, keepSeenSoon);
  connect(documentParts.projection, &ProjectionController::togetherShown, keepsOpen, keepSeenSoon);
  connect(documentParts.projection, &ProjectionController::shownAgain, keepsOpen, keepSeenSoon);
  const auto* grown = new GrowthKeeper(
      parts.kept, parts.jobs, parts.host->find<PlasticityPage>(), [this] { keepsOpen->keep(); }, this);
  connect(grown, &GrowthKeeper::failed, parts.messages, &Messages::warn);
  connect(parts.kept, &KeptSessions::failed, parts.messages, &Messages::warn);
}

/// As of the newest step.
OpenSession OpenWork::whatIsOpen() const
{
  OpenSession open{ofPerson->toKeep(steps().project()), files->seen()};
  if (!files->path().isEmpty())
    open.seen.view.savedAs = QFileInfo(files->path()).absoluteFilePath().toStdString();
  return open;
}

void OpenWork::addHistory()
{
  recorded = new WindowHistory({.cells = parts.cells,
                                .branches = documentParts.selection,
                                .neurons = documentParts.neurons,
                                .parameters = documentParts.parameters,
                                .populations = documentParts.populations,
                                .document = ofPerson,
                                .seen = documentParts.seen,
                                .host = parts.host},
                               this);
  connect(recorded, &WindowHistory::changing, this, &OpenWork::changing);
  connect(recorded, &WindowHistory::undone, parts.messages, &Messages::takeUndo);
  connect(&steps().stack(), &QUndoStack::indexChanged, keepsOpen, &SessionKeeper::keepSeen);
  connect(&steps().stack(), &QUndoStack::indexChanged, parts.host->find<FormationPage>(), &FormationPage::recolor);
  connect(&steps(), &History::changed, this, &OpenWork::keepStep);
  connect(files, &SessionController::opening, &steps(), &History::takeSoon);
  connect(began, &SessionStart::finished, this, [this] {
    steps().begin();
    keepStep();
  });
  listCircuit();
}

void OpenWork::keepStep()
{
  listCircuit();
  keepsOpen->keep();
}

/// In the lists of its parts; a simulation may be of another one now.
void OpenWork::listCircuit()
{
  const model::Project& project = steps().project();
  ofPerson->list(project);
  parts.panels->simulated->setProject(project);
  documentParts.neurons->setPopulations(project.populations);
  documentParts.simulation->followCircuit();
  emit listed();
}

/// The page Simulation, and the circuit that it simulates.
void OpenWork::connectSimulation()
{
  SimulationController* controller = documentParts.simulation;
  auto* page = parts.host->find<SimulationPage>();
  connect(controller, &SimulationController::circuitEdited, ofPerson, &Document::setSimulation);
  connect(controller, &SimulationController::refusalGone, parts.messages, &Messages::withdrawFailure);
  connect(controller, &SimulationController::circuitRefused, this, [this](const QString& sentence, bool hasNoModel) {
    if (hasNoModel)
      parts.banner->offer(sentence,
                          {tr("New model…"), tr("Make a model of neurons, which populations are simulated by"),
                           [this] { parts.panels->simulated->addModel(); }});
    const QMainWindow* window = parts.host->parts.window;
    window->findChild<QTabWidget*>(QStringLiteral("circuitTabs"))->setCurrentWidget(parts.panels->simulated);
    if (auto* open = window->findChild<QAction*>(QStringLiteral("circuitDockAction")); !open->isChecked())
      open->trigger();
  });
  connect(page, &SimulationPage::opened, this, [this, page, said = QString()]() mutable {
    parts.banner->withdraw(std::exchange(said, leftOutInWords(page->model()->circuit.withoutSynapses)));
    if (!said.isEmpty())
      parts.messages->warn(said);
  });
  controller->setDocument({.project = [this] { return ofPerson->project(); },
                           .file = [this] { return files->path(); },
                           .identity = [this] { return parts.runs->history(); },
                           .isOfPerson = [this] { return parts.kept->hasBegun(); }});
  connect(page, &SimulationPage::opened, keepsOpen, &SessionKeeper::keepSeen);
}

/// Of runs that a session kept, and of those that pages make.
void OpenWork::addRestorer()
{
  auto* restorer = new RunRestorer({ofPerson, documentParts.projection, documentParts.formation, documentParts.growth,
                                    documentParts.simulation, parts.host->find<BenchmarkPage>()},
                                   this);
  parts.runs->setRestoring([restorer](const io::RunRecord& run) { restorer->restore(run); });
  connect(parts.host, &PageHost::ran, parts.runs,
          [runs = parts.runs, restorer](const io::RunRecord& run, const std::function<void()>& restore) {
            runs->add(run, restore ? restore : restorer->restoring(run));
          });
  connect(restorer, &RunRestorer::solveWanted, parts.cellRuns, &CellController::parametersWanted);
  connect(restorer, &RunRestorer::parametersWanted, this, &OpenWork::parametersWanted);
  connect(restorer, &RunRestorer::pageWanted, this, &OpenWork::pageWanted);
  connect(restorer, &RunRestorer::failed, parts.messages, &Messages::showError);
}

} // namespace hinesight::app
