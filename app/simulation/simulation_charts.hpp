#pragma once

#include <QWidget>

class QSplitter;
class QTabBar;

namespace hinesight::widgets {
class RasterChart;
class RateChart;
class TraceChart;
} // namespace hinesight::widgets

namespace hinesight::app {

/// The charts of a simulation below each other; where there is no room for all of them, behind tabs: potentials, or
/// spikes and their rate. Each has at least the height at which it can be read.
class SimulationCharts : public QWidget
{
  Q_OBJECT

public:
  SimulationCharts(widgets::TraceChart* traces, widgets::RasterChart* raster, widgets::RateChart* rates,
                   QWidget* parent = nullptr);

  /// Which ones are seen where there is no room for all.
  void choosePotentials(bool chosen);
  /// Into so many pixels of height. Returns whether tabs came or went.
  bool fit(int room, bool hasPotentials);
  /// Without the tabs.
  QWidget& charts() const;

signals:
  /// A person wants to see others, or `choosePotentials`: they are to be fitted.
  void chosen();

private:
  QTabBar* tabs;
  QSplitter* column;
  widgets::TraceChart* traceChart;
  widgets::RasterChart* rasterChart;
  widgets::RateChart* rateChart;
};

} // namespace hinesight::app
