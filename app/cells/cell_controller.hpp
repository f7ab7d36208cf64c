#pragma once

#include "app/jobs/jobs.hpp"
#include "app/jobs/kept_results.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "study/cells/cell_study.hpp"

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace hinesight::app {

class CellListModel;
class CellViews;
class ParameterPanel;
class RunTableModel;

inline constexpr JobKind kCells{.name = "Cells"};
inline constexpr JobKind kSchedules{.name = "Schedules", .stage = "plan"};

/// Joins the open cells, their parameters, their views and the jobs: solves the cells when they or a parameter change.
class CellController : public QObject
{
  Q_OBJECT

public:
  struct Parts
  {
    CellListModel* cells;
    ParameterPanel* parameters;
    CellViews* views;
    RunTableModel* runs;
  };

  CellController(Jobs* jobs, const Parts& parts, QObject* parent);

  /// Solves by the fields. `solveAgain`: also where nothing has changed.
  void run(bool solveAgain = false);
  /// The same, unless it was done before and is still known: then that is shown.
  void showAgainOrRun();
  /// What the job does, "Reading files: 412 of 1,000".
  QString progressInWords(const QString& stage, double fraction) const;
  /// Whether that is on its way.
  bool isRunning() const;
  /// Where the views show another batch than the list and the fields say, or not all of it, and no run is on its way.
  Question question() const;
  /// The fields are again those of the views.
  void restoreFields();

signals:
  /// What was read of the open cells is known.
  void cellsRead();
  /// One of their files cannot be read.
  void unreadable(const hinesight::Error& error);
  /// The parameters of a run are wanted back.
  void parametersWanted(const hinesight::study::CellParameters& parameters);
  /// Another cut is, beside what is seen.
  void cutWanted(const hinesight::study::CellParameters& parameters);
  /// A run came to its end, in words.
  void told(const QString& result);

private:
  study::CellRequest request(bool solveAgain) const;
  void run(const study::CellRequest& wanted);
  void runRead();
  void takeReadings(const std::vector<study::CellReading>& readings, const std::vector<bool>& canBeDrawn);
  void takeResult(const study::CellResult& result);
  void takeEnd();
  void planSchedules();
  void chooseCutLength(hines::SolverId solver, std::int32_t compartments);
  void chooseCut(hines::SolverId solver, const QString& name);
  void takeCut(hines::SolverId solver, study::CellParameters edited);

  Jobs* jobs;
  Parts parts;
  std::shared_ptr<study::CellStudy> study;         ///< of the worker
  std::size_t unread = 0;                          ///< cells when the last run began
  std::shared_ptr<const hines::Solution> recorded; ///< whose run is in the history
  struct Readings
  {
    std::vector<study::CellReading> cells;
    std::vector<bool> canBeDrawn;
  };
  Readings newest;
  struct Outcome
  {
    study::CellResult result;
    Readings readings;
  };
  struct SolveTheSame
  {
    bool operator()(const study::CellRequest& a, const study::CellRequest& b) const;
  };
  KeptResults<study::CellRequest, Outcome, SolveTheSame> earlier;
};

} // namespace hinesight::app
