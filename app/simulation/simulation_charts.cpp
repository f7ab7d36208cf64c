#include "app/simulation/simulation_charts.hpp"

#include "widgets/simulation/raster_chart.hpp"
#include "widgets/simulation/trace_chart.hpp"

#include <QSplitter>
#include <QTabBar>
#include <QVBoxLayout>

namespace hinesight::app {

namespace {

constexpr int kHandle = 3; // pixels
constexpr int kPotentialTab = 1;

} // namespace

SimulationCharts::SimulationCharts(widgets::TraceChart* traces, widgets::RasterChart* raster, widgets::RateChart* rates,
                                   QWidget* parent)
    : QWidget(parent), tabs(new QTabBar), column(new QSplitter(Qt::Vertical)), traceChart(traces), rasterChart(raster),
      rateChart(rates)
{
  tabs->setObjectName(QStringLiteral("simulationChartTabs"));
  tabs->setToolTip(tr("There is no room for all charts; choose what is seen"));
  tabs->setTabToolTip(tabs->addTab(tr("Spikes and rate")),
                      tr("All spikes and their rate (Hz) over time in ms; here is no room for all charts"));
  tabs->setTabToolTip(tabs->addTab(tr("Potential")),
                      tr("Potentials (mV) over time in ms; here is no room for all charts"));
  tabs->setDrawBase(false);
  tabs->setExpanding(false);
  column->setObjectName(QStringLiteral("simulationCharts"));
  column->setChildrenCollapsible(false);
  column->setHandleWidth(kHandle);
  for (QWidget* chart :
       {static_cast<QWidget*>(traceChart), static_cast<QWidget*>(rasterChart), static_cast<QWidget*>(rateChart)})
    column->addWidget(chart);
  column->setStretchFactor(0, 4);
  column->setStretchFactor(1, 3);
  column->setStretchFactor(2, 2);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(0);
  rows->addWidget(tabs);
  rows->addWidget(column, 1);
  connect(tabs, &QTabBar::currentChanged, this, &SimulationCharts::chosen);
}

void SimulationCharts::choosePotentials(bool areChosen)
{
  tabs->setCurrentIndex(areChosen ? kPotentialTab : 0);
}

bool SimulationCharts::fit(int room, bool hasPotentials)
{
  int needed = rasterChart->minimumSizeHint().height() + column->handleWidth() + rateChart->minimumSizeHint().height();
  if (hasPotentials)
    needed += traceChart->minimumSizeHint().height() + column->handleWidth();
  const bool areTabs = hasPotentials && room < needed;
  const bool isOfPotentials = tabs->currentIndex() == kPotentialTab;
  const bool wereTabs = !tabs->isHidden();
  tabs->setVisible(areTabs);
  traceChart->setVisible(hasPotentials && (!areTabs || isOfPotentials));
  rasterChart->setVisible(!areTabs || !isOfPotentials);
  rateChart->setVisible(!areTabs || !isOfPotentials);
  return areTabs != wereTabs;
}

QWidget& SimulationCharts::charts() const
{
  return *column;
}

} // namespace hinesight::app
