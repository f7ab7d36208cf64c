#pragma once

#include "widgets/charts/titled_chart.hpp"
#include "widgets/synapse/synapse_figures.hpp"

namespace hinesight::widgets {

/// How many synapses have which length, as bars; and what the kernel lets one expect, as a line in a band of two
/// standard deviations.
class DistanceChart : public TitledChart
{
  Q_OBJECT

public:
  explicit DistanceChart(QWidget* parent);
  void setFigure(const DistanceFigure& figure);
  const DistanceFigure& figure() const { return shown; }

protected:
  void paintChart(QPainter& painter) override;
  bool event(QEvent* event) override;

private:
  QRectF plot() const;
  double most() const;
  void paintAxes(QPainter& painter, const QRectF& area) const;
  void paintExpectation(QPainter& painter, const QRectF& area) const;

  DistanceFigure shown;
};

} // namespace hinesight::widgets
