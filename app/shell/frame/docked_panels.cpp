#include "app/shell/frame/docked_panels.hpp"

#include "app/cells/data_panel.hpp"
#include "app/cells/parameter_panel.hpp"
#include "app/cells/timings_panel.hpp"
#include "app/forms/help_text.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/projection/population_panel.hpp"
#include "app/simulation/parts/simulated_parts_panel.hpp"
#include "app/workspace/foldable_docks.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QStackedWidget>
#include <QTabWidget>
#include <QUndoView>

namespace hinesight::app {

namespace {

constexpr int kDataWidth = 310;
constexpr int kParametersWidth = 350;
constexpr int kTimingsHeight = 210;
constexpr int kCellsHeight = 380;
constexpr int kCircuitHeight = 290; // four entries

/// `help` is one sentence: what is in it.
QDockWidget* addDock(QMainWindow* window, const char* title, const char* name, const char* help, QWidget* content,
                     Qt::DockWidgetArea where)
{
  auto* dock = new QDockWidget(QCoreApplication::translate("DockedPanels", title), window);
  dock->setObjectName(QLatin1String(name));
  const QString sentence = QCoreApplication::translate("DockedPanels", help);
  describe(dock, {dock->windowTitle(), sentence});
  QAction* toggle = dock->toggleViewAction();
  toggle->setObjectName(QLatin1String(name) + QStringLiteral("Action"));
  toggle->setToolTip(sentence);
  toggle->setStatusTip(sentence);
  dock->setWidget(content);
  window->addDockWidget(where, dock);
  return dock;
}

QWidget* makeCircuit(PopulationPanel* populations, ConnectionPanel* connections, SimulatedPartsPanel* simulated,
                     QWidget* parent)
{
  auto* circuit = new QTabWidget(parent);
  circuit->setObjectName(QStringLiteral("circuitTabs"));
  circuit->setDocumentMode(true);
  circuit->addTab(populations, QCoreApplication::translate("DockedPanels", "Populations"));
  circuit->addTab(connections, QCoreApplication::translate("DockedPanels", "Connections"));
  circuit->addTab(simulated, QCoreApplication::translate("DockedPanels", "Simulation"));
  return circuit;
}

} // namespace

DockedPanels::DockedPanels(QMainWindow* window, FoldableDocks* docks, CellListModel* cells, RunTableModel* runs)
    : data(new DataPanel(cells, window)), populations(new PopulationPanel(window)),
      connections(new ConnectionPanel(window)), simulated(new SimulatedPartsPanel(window)),
      timings(new TimingsPanel(runs, window)), ofCells(new ParameterPanel(window)),
      parameters(new QStackedWidget(window))
{
  parameters->addWidget(ofCells);
  QDockWidget* dataDock =
      addDock(window, "Data", "dataDock",
              QT_TRANSLATE_NOOP("DockedPanels", "The open cells. Open files here, choose a cell, set its unit."), data,
              Qt::LeftDockWidgetArea);
  QDockWidget* circuitDock =
      addDock(window, "Circuit", "circuitDock",
              QT_TRANSLATE_NOOP("DockedPanels", "The populations and connections of the circuit, and how it is "
                                                "simulated. Add them here, choose which one the pages show, and "
                                                "compare two connections."),
              makeCircuit(populations, connections, simulated, window), Qt::LeftDockWidgetArea);
  QDockWidget* parametersDock = addDock(
      window, "Parameters", "parametersDock",
      QT_TRANSLATE_NOOP(
          "DockedPanels",
          "The parameters of what is shown. Every edit runs what depends on it; double-click a label for the default."),
      parameters, Qt::RightDockWidgetArea);
  QDockWidget* timingsDock =
      addDock(window, "Timings", "timingsDock",
              QT_TRANSLATE_NOOP(
                  "DockedPanels",
                  "All runs with their times. Double-click one to restore its parameters; select two to compare them."),
              timings, Qt::BottomDockWidgetArea);
  window->resizeDocks({dataDock, circuitDock}, {kCellsHeight, kCircuitHeight}, Qt::Vertical);
  docks->add(Panel::Data, dataDock, kDataWidth);
  docks->add(Panel::Circuit, circuitDock, kDataWidth, kCircuitHeight);
  docks->add(Panel::Timings, timingsDock, kTimingsHeight);
  docks->add(Panel::Parameters, parametersDock, kParametersWidth);
}

void DockedPanels::addHistory(QMainWindow* window, FoldableDocks* docks, QUndoStack* steps)
{
  auto* list = new QUndoView(steps);
  list->setObjectName(QStringLiteral("historyList"));
  list->setEmptyLabel(QCoreApplication::translate("DockedPanels", "As it began"));
  list->setToolTip(QCoreApplication::translate("DockedPanels", "Steps of this session, the newest last; click one to "
                                                               "go back or forth to it"));
  list->setTextElideMode(Qt::ElideMiddle);
  QDockWidget* dock =
      addDock(window, "History", "historyDock",
              QT_TRANSLATE_NOOP("DockedPanels",
                                "The steps of this session, the newest last. Click one to go back or forth to it."),
              list, Qt::RightDockWidgetArea);
  dock->hide();
  docks->add(Panel::History, dock, kParametersWidth);
}

} // namespace hinesight::app
