#pragma once

#include "model/project.hpp"

#include <functional>

namespace hinesight::app {

class BranchSelection;
class CellListModel;
class ConnectionPanel;
class DataPanel;
class FormationController;
class Jobs;
class NeuronSelection;
class ParameterPanel;
class PlasticityController;
class PopulationPanel;
class ProjectionController;
class RunTableModel;
class SeenViews;
class SimulationController;

/// What of the window holds parts of the project that it has open.
struct DocumentParts
{
  Jobs* jobs;
  CellListModel* cells;
  DataPanel* list;            ///< of the cells, in which some are chosen
  BranchSelection* selection; ///< whose sets are kept
  NeuronSelection* neurons;
  ParameterPanel* parameters; ///< of the cells
  PopulationPanel* populations;
  ConnectionPanel* connections;
  ProjectionController* projection;
  FormationController* formation;
  PlasticityController* growth;
  SimulationController* simulation;
  RunTableModel* runs; ///< shows those of the document
  SeenViews* seen;     ///< of the cells
};

/// The project as the window has it now.
using ProjectNow = std::function<model::Project()>;

} // namespace hinesight::app
