#pragma once

#include "core/stage_timings.hpp"

#include <QWidget>

#include <vector>

namespace hinesight::widgets {

/// The live timing overlay: backend and device; total in large type; one stacked bar of stages with names and ms; a
/// sparkline of the last 50 runs with the best marked; change against the previous run in percent; share of the floor.
/// While a run is under way it shows its progress and keeps the old figures grey.
class TimingCard : public QWidget
{
  Q_OBJECT

public:
  explicit TimingCard(QWidget* parent = nullptr);

  /// `floorFraction`: floor over solve time, 0 to 1; negative: unknown, not shown.
  void addRun(const StageTimings& timings, double floorFraction = -1);
  void setProgress(const QString& stage, double fraction); ///< fraction < 0: idle
  void clear();

  const StageTimings& timings() const { return current; }
  int runs() const { return static_cast<int>(totals.size()); }
  QSize sizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  StageTimings current;
  std::vector<double> totals; ///< of the last 50 runs, ms
  double floorShare = -1;
  QString runningStage;
  double runningFraction = -1;
};

} // namespace hinesight::widgets
