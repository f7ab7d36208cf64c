#pragma once

#include "app/cells/run_table_model.hpp"

#include <QWidget>

#include <optional>

namespace hinesight::app {

/// The runs as stacked bars of their stages, newest on the right; the scale follows the slowest run shown.
class RunHistoryChart : public QWidget
{
  Q_OBJECT

public:
  explicit RunHistoryChart(const RunFilter* shown, QWidget* parent = nullptr);

  /// Rows of the filter drawn with an outline.
  void setSelected(const std::vector<int>& rows);
  /// Where the bar of a row is painted, in widget coordinates; empty for a row that does not fit.
  QRect barRect(int row) const;
  QSize sizeHint() const override { return {320, 160}; }
  QSize minimumSizeHint() const override { return {120, 60}; }

signals:
  void runClicked(int row);

protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

private:
  int axisWidth() const;
  QRect plotArea() const;
  int barsThatFit() const;
  int firstShown() const;
  double slowestShown() const;
  std::optional<int> rowAt(const QPoint& position) const;
  void paintAxis(QPainter& painter) const;
  void paintBar(QPainter& painter, int row) const;

  const RunFilter* model;
  std::vector<int> selected;
};

} // namespace hinesight::app
