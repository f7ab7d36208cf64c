#include "app/shell/docked_panels.hpp"

#include "app/cells/data_panel.hpp"
#include "app/cells/parameter_panel.hpp"
#include "app/cells/timings_panel.hpp"
#include "app/forms/help_text.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/projection/population_panel.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QUndoView>

namespace hinesight::app {

namespace {

constexpr int kDataWidth = 310;
constexpr int kParametersWidth = 350;
constexpr int kTimingsHeight = 210;
constexpr int kCellsHeight = 480;
constexpr int kPopulationsHeight = 180;

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

QWidget* stackOnEachOther(DataPanel* data, PopulationPanel* populations, ConnectionPanel* connections, QWidget* parent)
{
  auto* circuit = new QTabWidget;
  circuit->setObjectName(QStringLiteral("circuitTabs"));
  circuit->setDocumentMode(true);
  circuit->addTab(populations, QCoreApplication::translate("DockedPanels", "Populations"));
  circuit->addTab(connections, QCoreApplication::translate("DockedPanels", "Connections"));
  auto* column = new QSplitter(Qt::Vertical, parent);
  column->addWidget(data);
  column->addWidget(circuit);
  column->setStretchFactor(0, 1);
  column->setSizes({kCellsHeight, kPopulationsHeight});
  column->setChildrenCollapsible(false);
  return column;
}

} // namespace

DockedPanels::DockedPanels(QMainWindow* window, CellListModel* cells, RunTableModel* runs)
    : data(new DataPanel(cells, window)), populations(new PopulationPanel(window)),
      connections(new ConnectionPanel(window)), timings(new TimingsPanel(runs, window)),
      ofCells(new ParameterPanel(window)), parameters(new QStackedWidget(window))
{
  parameters->addWidget(ofCells);
  QWidget* left = stackOnEachOther(data, populations, connections, window);
  QDockWidget* dataDock =
      addDock(window, "Data", "dataDock",
              QT_TRANSLATE_NOOP("DockedPanels", "The open cells, and the populations and connections of the circuit. "
                                                "Open files here, choose a cell, set its unit."),
              left, Qt::LeftDockWidgetArea);
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
  window->resizeDocks({dataDock, parametersDock}, {kDataWidth, kParametersWidth}, Qt::Horizontal);
  window->resizeDocks({timingsDock}, {kTimingsHeight}, Qt::Vertical);
}

void DockedPanels::addHistory(QMainWindow* window, QUndoStack* steps)
{
  auto* list = new QUndoView(steps);
  list->setObjectName(QStringLiteral("historyList"));
  list->setEmptyLabel(QCoreApplication::translate("DockedPanels", "As it began"));
  list->setToolTip(QCoreApplication::translate("DockedPanels", "Steps of this session, the newest last; click one to "
                                                               "go back or forth to it"));
  list->setTextElideMode(Qt::ElideMiddle);
  addDock(window, "History", "historyDock",
          QT_TRANSLATE_NOOP("DockedPanels",
                            "The steps of this session, the newest last. Click one to go back or forth to it."),
          list, Qt::RightDockWidgetArea)
      ->hide();
}

} // namespace hinesight::app
