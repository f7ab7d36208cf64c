#pragma once

#include "app/document/connection_ids.hpp"
#include "app/pages/view_kind.hpp"
#include "io/runs/run_record.hpp"
#include "study/cells/parameters.hpp"

#include <QObject>
#include <QString>

#include <functional>
#include <string>

namespace hinesight::app {

class BenchmarkPage;
class Document;
class FormationController;
class PlasticityController;
class ProjectionController;
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
    Document* document;
    ProjectionController* projection;
    FormationController* formation;
    PlasticityController* growth;
    SimulationController* simulation;
    BenchmarkPage* benchmarks;
  };

  RunRestorer(const Parts& parts, QObject* parent);

  void restore(const io::RunRecord& run) { restoreRun(run, 0); }
  /// What restores a run that was made now: where it is of a connection, into that one, whatever that is called by
  /// then. Empty: its record alone tells all.
  std::function<void()> restoring(const io::RunRecord& run);

signals:
  /// Those that cells were solved by, to be seen.
  void solveWanted(const hinesight::study::CellParameters& parameters);
  /// Those that solve cells, beside what is seen.
  void parametersWanted(const hinesight::study::CellParameters& parameters);
  void pageWanted(hinesight::app::ViewKind page);
  void failed(const QString& sentence);

private:
  void restoreInto(io::RunRecord run, const std::string& connection, ConnectionIds::Id id);
  void restoreRun(const io::RunRecord& run, ConnectionIds::Id id);
  void restoreTable(const io::RunRecord& run, ConnectionIds::Id id);
  void restoreFormation(const io::RunRecord& run);
  void restoreGrowth(const io::RunRecord& run);
  void restoreSimulation(const io::RunRecord& run);
  void restoreBenchmark(const io::RunRecord& run);

  Parts parts;
};

} // namespace hinesight::app
