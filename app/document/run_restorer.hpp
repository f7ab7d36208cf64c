#pragma once

#include "app/pages/view_kind.hpp"
#include "io/runs/run_record.hpp"
#include "study/cells/parameters.hpp"

#include <QObject>
#include <QString>

namespace hinesight::app {

class BenchmarkPage;
class FormationController;
class PlasticityController;
class ProjectionController;
class SessionController;
class SimulationController;

/// Brings the parameters of a run back into the fields by its record alone, and the window to where they are: of runs
/// that a session kept, and of tables of connections. What a record does not say stays as it is, such as the neurons of
/// populations, and the network that a growth began with.
class RunRestorer : public QObject
{
  Q_OBJECT

public:
  struct Parts
  {
    SessionController* sessions;
    ProjectionController* projection;
    FormationController* formation;
    PlasticityController* growth;
    SimulationController* simulation;
    BenchmarkPage* benchmarks;
  };

  RunRestorer(const Parts& parts, QObject* parent);

  void restore(const io::RunRecord& run);

signals:
  /// Those that cells were solved by, to be seen.
  void solveWanted(const hinesight::study::CellParameters& parameters);
  /// Those that solve cells, beside what is seen.
  void parametersWanted(const hinesight::study::CellParameters& parameters);
  void pageWanted(hinesight::app::ViewKind page);
  void failed(const QString& sentence);
  /// Of what was restored otherwise than it was.
  void warned(const QString& sentence);

private:
  void restoreTable(const io::RunRecord& run);
  void restoreFormation(const io::RunRecord& run);
  void restoreGrowth(const io::RunRecord& run);
  void restoreSimulation(const io::RunRecord& run);
  void restoreBenchmark(const io::RunRecord& run);

  Parts parts;
};

} // namespace hinesight::app
