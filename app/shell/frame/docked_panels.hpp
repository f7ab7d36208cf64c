#pragma once

class QMainWindow;
class QStackedWidget;
class QUndoStack;
class QWidget;

namespace hinesight::app {

class CellListModel;
class ConnectionPanel;
class DataPanel;
class FoldableDocks;
class ParameterPanel;
class PopulationPanel;
class RunTableModel;
class SimulatedPartsPanel;
class TimingsPanel;

/// What stands around the views in docks: what there is to work on at the left, its parameters at the right, runs
/// below.
struct DockedPanels
{
  /// Adds the docks to the window, which owns all of it.
  DockedPanels(QMainWindow* window, FoldableDocks* docks, CellListModel* cells, RunTableModel* runs);

  /// The steps, newest last; folded until a person wants it.
  static void addHistory(QMainWindow* window, FoldableDocks* docks, QUndoStack* steps);

  DataPanel* data;
  PopulationPanel* populations;
  ConnectionPanel* connections;
  SimulatedPartsPanel* simulated; ///< of the circuit
  TimingsPanel* timings;
  ParameterPanel* ofCells;    ///< their parameters
  QStackedWidget* parameters; ///< of the cells and of pages; one is shown

private:
  QWidget* makeCircuit(QWidget* dock);
};

} // namespace hinesight::app
