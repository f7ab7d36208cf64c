#pragma once

#include "hines/branch/plan.hpp"
#include "widgets/cells/splitting/splitting_view_cut.hpp"

#include <QWidget>

#include <optional>
#include <vector>

class QGridLayout;
class QLabel;
class QToolButton;

namespace hinesight::widgets {

/// A measured solve of the scene under one split strategy, ms.
struct StrategyTime
{
  hines::SplitStrategy strategy = hines::SplitStrategy::None;
  double milliseconds = 0;
};

/// What the cut costs and buys: the figures of the batch as read, balanced but uncut, and as planned, with the change
/// that the cut made in percent, and the strategies with their measured times to choose from.
class SplitLedger : public QWidget
{
  Q_OBJECT

public:
  explicit SplitLedger(QWidget* parent = nullptr);

  /// `solveMilliseconds`: of this plan, negative when not measured. Null: no figures.
  void setPlan(const hines::SolvePlan* plan, double solveMilliseconds);
  /// Beside the figures of the plan as read and uncut, those of a solver that does not execute it; nullopt: not known.
  void setOwnPlan(const hines::SolvePlan& plan, const QString& solver, std::optional<CutFigures> figures,
                  double solveMilliseconds);
  void setStrategyTimes(std::vector<StrategyTime> times);

signals:
  void strategyChosen(hinesight::hines::SplitStrategy strategy);

protected:
  void changeEvent(QEvent* event) override;

private:
  struct Row
  {
    QLabel* name;
    QLabel* asRead;
    QLabel* uncut;
    QLabel* planned;
    QLabel* change;
    bool better = false;
    bool worse = false;
  };
  void addRow(QGridLayout& grid, const char* name, const QString& text, const QString& tip);
  /// The texts and values of a row that are known; `show` gives the text of a value.
  template <typename Value, typename Show>
  void fill(std::size_t row, Value asReadValue, Value uncutValue, std::optional<Value> plannedValue, const Show& show,
            bool lessIsBetter);
  void fillFigures();
  void fillTimes();
  void markChange(Row& row, double change, bool lessIsBetter);
  double timeOf(hines::SplitStrategy strategy) const; ///< ms, negative when not measured
  void take(const hines::SolvePlan& plan);
  void refreshStrategies();
  void refresh();

  std::vector<Row> rows;
  std::vector<QToolButton*> strategies;
  std::vector<StrategyTime> times;
  hines::PlanParameters parameters;
  hines::ScheduleFigures asRead;
  hines::ScheduleFigures uncut;
  hines::ScheduleFigures planned;
  QString ownSolver; ///< that does not execute the plan; empty: it does
  std::optional<CutFigures> own;
  bool hasPlan = false;
  double solveTime = -1;
};

/// "uncut", "level average", "fixed length", "block average".
QString strategyName(hines::SplitStrategy strategy);

} // namespace hinesight::widgets
