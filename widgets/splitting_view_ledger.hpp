#pragma once

#include "hines/plan.hpp"

#include <QWidget>

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

/// What the cut costs and buys: the figures of the plan as read and as planned with the change in percent, and the
/// strategies with their measured times to choose from.
class SplitLedger : public QWidget
{
  Q_OBJECT

public:
  explicit SplitLedger(QWidget* parent = nullptr);

  /// `solveMilliseconds`: of this plan, negative when not measured. Null: no figures.
  void setPlan(const hines::SolvePlan* plan, double solveMilliseconds);
  void setStrategyTimes(std::vector<StrategyTime> times);

signals:
  void strategyChosen(hinesight::hines::SplitStrategy strategy);

protected:
  void changeEvent(QEvent* event) override;

private:
  struct Row
  {
    QLabel* name;
    QLabel* before;
    QLabel* after;
    QLabel* change;
    bool better = false;
    bool worse = false;
  };
  void addRow(QGridLayout& grid, const char* name, const QString& text, const QString& tip);
  void fill(std::size_t row, const QString& before, const QString& after, double change, bool lessIsBetter);
  void refresh();

  std::vector<Row> rows;
  std::vector<QToolButton*> strategies;
  std::vector<StrategyTime> times;
  hines::PlanParameters parameters;
  hines::PlanFigures asRead;
  hines::PlanFigures planned;
  bool hasPlan = false;
  double solveTime = -1;
};

/// "uncut", "level average", "fixed length", "block average".
QString strategyName(hines::SplitStrategy strategy);

} // namespace hinesight::widgets
