#include "app/shell/frame/docked_panels.hpp"

#include "app/cells/data_panel.hpp"
#include "app/cells/parameter_panel.hpp"
#include "app/cells/timings_panel.hpp"
#include "app/forms/help_text.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/projection/population_panel.hpp"
#include "app/shell/action_icon.hpp"
#include "app/simulation/parts/simulated_parts_panel.hpp"
#include "app/workspace/foldable_docks.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QStackedWidget>
#include <QTabWidget>
#include <QUndoView>

#include <functional>

namespace hinesight::app {

namespace {

constexpr int kDataWidth = 310;
constexpr int kParametersWidth = 350;
constexpr int kTimingsHeight = 210;
constexpr int kCellsHeight = 380;
constexpr int kCircuitHeight = 290; // four entries

/// `help` is one sentence: what is in it. `section`: of the user guide. `makeContent` makes it within the dock: what is
/// put into another part later is polished anew, with all that is in it.
QDockWidget* addDock(QMainWindow* window, const char* title, const char* name, const char* help, const char* section,
                     const std::function<QWidget*(QWidget* dock)>& makeContent, Qt::DockWidgetArea where)
{
  auto* dock = new QDockWidget(QCoreApplication::translate("DockedPanels", title), window);
  dock->setObjectName(QLatin1String(name));
  const QString sentence = QCoreApplication::translate("DockedPanels", help);
  describe(dock, {dock->windowTitle(), sentence, QLatin1String(section)});
  QAction* toggle = dock->toggleViewAction();
  toggle->setObjectName(QLatin1String(name) + QStringLiteral("Action"));
  toggle->setIcon(actionIcon(toggle->objectName()));
  toggle->setToolTip(sentence);
  toggle->setStatusTip(sentence);
  dock->setWidget(makeContent(dock));
  window->addDockWidget(where, dock);
  return dock;
}

} // namespace

DockedPanels::DockedPanels(QMainWindow* window, FoldableDocks* docks, CellListModel* cells, RunTableModel* runs)
{
  QDockWidget* dataDock = addDock(
      window, "Data", "dataDock",
      QT_TRANSLATE_NOOP("DockedPanels", "The open cells. Open files here, choose a cell, set its unit."), "Cells",
      [&](QWidget* dock) { return data = new DataPanel(cells, dock); }, Qt::LeftDockWidgetArea);
  QDockWidget* circuitDock = addDock(
      window, "Circuit", "circuitDock",
      QT_TRANSLATE_NOOP("DockedPanels", "The populations and connections of the circuit, and how it is "
                                        "simulated. Add them here, choose which one the pages show, and "
                                        "compare two connections."),
      "The circuit", [this](QWidget* dock) { return makeCircuit(dock); }, Qt::LeftDockWidgetArea);
  QDockWidget* timingsDock = addDock(
      window, "Timings", "timingsDock",
      QT_TRANSLATE_NOOP(
          "DockedPanels",
          "All runs with their times. Double-click one to restore its parameters; select two to compare them."),
      "Runs", [&](QWidget* dock) { return timings = new TimingsPanel(runs, dock); }, Qt::BottomDockWidgetArea);
  QDockWidget* parametersDock = addDock(
      window, "Parameters", "parametersDock",
      QT_TRANSLATE_NOOP(
          "DockedPanels",
          "The parameters of what is shown. Every edit runs what depends on it; double-click a label for the default."),
      "The window",
      [this](QWidget* dock) {
        parameters = new QStackedWidget(dock);
        ofCells = new ParameterPanel(parameters);
        parameters->addWidget(ofCells);
        return parameters;
      },
      Qt::RightDockWidgetArea);
  window->resizeDocks({dataDock, circuitDock}, {kCellsHeight, kCircuitHeight}, Qt::Vertical);
  docks->add(Panel::Data, dataDock, kDataWidth);
  docks->add(Panel::Circuit, circuitDock, kDataWidth, kCircuitHeight);
  docks->add(Panel::Timings, timingsDock, kTimingsHeight);
  docks->add(Panel::Parameters, parametersDock, kParametersWidth);
}

QWidget* DockedPanels::makeCircuit(QWidget* dock)
{
  auto* circuit = new QTabWidget(dock);
  circuit->setObjectName(QStringLiteral("circuitTabs"));
  circuit->setDocumentMode(true);
  populations = new PopulationPanel(circuit);
  connections = new ConnectionPanel(circuit);
  simulated = new SimulatedPartsPanel(circuit);
  circuit->addTab(populations, QCoreApplication::translate("DockedPanels", "Populations"));
  circuit->addTab(connections, QCoreApplication::translate("DockedPanels", "Connections"));
  circuit->addTab(simulated, QCoreApplication::translate("DockedPanels", "Simulation"));
  return circuit;
}

void DockedPanels::addHistory(QMainWindow* window, FoldableDocks* docks, QUndoStack* steps)
{
  const auto makeList = [steps](QWidget* inDock) {
    auto* list = new QUndoView(steps, inDock);
    list->setObjectName(QStringLiteral("historyList"));
    list->setEmptyLabel(QCoreApplication::translate("DockedPanels", "As it began"));
    list->setToolTip(QCoreApplication::translate("DockedPanels", "Steps of this session, the newest last; click one to "
                                                                 "go back or forth to it"));
    list->setTextElideMode(Qt::ElideMiddle);
    return list;
  };
  QDockWidget* dock =
      addDock(window, "History", "historyDock",
              QT_TRANSLATE_NOOP("DockedPanels",
                                "The steps of this session, the newest last. Click one to go back or forth to it."),
              "Steps and sessions", makeList, Qt::RightDockWidgetArea);
  dock->hide();
  docks->add(Panel::History, dock, kParametersWidth);
}

} // namespace hinesight::app
