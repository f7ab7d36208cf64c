#pragma once

class QMainWindow;
class QStackedWidget;

namespace hinesight::app {

class CellListModel;
class DataPanel;
class FormationPanel;
class ParameterPanel;
class PlasticityPanel;
class PopulationPanel;
class ProjectionPanel;
class RunTableModel;
class TimingsPanel;

/// What stands around the views in docks: what there is to work on at the left, its parameters at the right, runs
/// below.
struct DockedPanels
{
  /// Adds the docks to the window, which owns all of it.
  DockedPanels(QMainWindow* window, CellListModel* cells, RunTableModel* runs);

  DataPanel* data;
  PopulationPanel* populations;
  TimingsPanel* timings;
  ParameterPanel* pipeline;
  ProjectionPanel* projection;
  FormationPanel* formation;
  PlasticityPanel* plasticity;
  QStackedWidget* parameters; ///< of these four, one is shown
};

} // namespace hinesight::app
