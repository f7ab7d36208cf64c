#include "app/benchmark/benchmark_page.hpp"

#include "app/benchmark/hines_benchmark_panel.hpp"
#include "app/benchmark/projection_benchmark_panel.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace hinesight::app {

namespace {

constexpr int kHeaderHeight = 36;

} // namespace

QString BenchmarkPage::title()
{
  return tr("Benchmark");
}

BenchmarkPage::BenchmarkPage(QWidget* parent)
    : QWidget(parent), kinds(new QTabBar), headers(new QStackedWidget), panels(new QStackedWidget),
      hinesPanel(new HinesBenchmarkPanel), projectionPanel(new ProjectionBenchmarkPanel)
{
  setObjectName(QStringLiteral("benchmarkPage"));
  kinds->setObjectName(QStringLiteral("benchmarkKinds"));
  kinds->setDrawBase(false);
  kinds->setExpanding(false);
  kinds->setUsesScrollButtons(false);
  header = new QWidget;
  header->setFixedHeight(kHeaderHeight);
  headers->installEventFilter(this);
  auto* row = new QHBoxLayout(header);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(12);
  row->addWidget(kinds);
  row->addWidget(headers, 1);
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(header);
  column->addWidget(panels, 1);
  auto* scroll = new QScrollArea; // in a small window the page keeps a size at which it can be used
  scroll->setObjectName(QStringLiteral("benchmarkScroll"));
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidget(content);
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(scroll);
  addPanel(hinesPanel, tr("Hines solvers"), tr("Which solver should I use?"));
  addPanel(projectionPanel, tr("Projections"), tr("From which population size on is the GPU faster?"));
  measuring = hinesPanel;
  kinds->updateGeometry(); // which a hidden bar leaves out when it gets a tab
  connect(kinds, &QTabBar::currentChanged, headers, &QStackedWidget::setCurrentIndex);
  connect(kinds, &QTabBar::currentChanged, panels, &QStackedWidget::setCurrentIndex);
  connect(kinds, &QTabBar::currentChanged, this, &BenchmarkPage::settingsChanged);
  connect(hinesPanel, &HinesBenchmarkPanel::runRequested, this, [this](const BenchmarkRequest& request) {
    measuring = hinesPanel;
    emit runRequested(request);
  });
  connect(projectionPanel, &ProjectionBenchmarkPanel::runRequested, this,
          [this](const ProjectionBenchmarkRequest& request) {
            measuring = projectionPanel;
            emit projectionRunRequested(request);
          });
}

void BenchmarkPage::addPanel(BenchmarkPanel* panel, const QString& name, const QString& help)
{
  headers->addWidget(panel->header());
  panels->addWidget(panel);
  kinds->setTabToolTip(kinds->addTab(name), help);
  connect(panel, &BenchmarkPanel::settingsChanged, this, &BenchmarkPage::settingsChanged);
  connect(panel, &BenchmarkPanel::cancelRequested, this, &BenchmarkPage::cancelRequested);
  connect(panel, &BenchmarkPanel::saved, this, &BenchmarkPage::saved);
  connect(panel, &BenchmarkPanel::failed, this, &BenchmarkPage::failed);
}

/// A header whose height changed while it is laid out would keep its parts where they were.
bool BenchmarkPage::eventFilter(QObject* watched, QEvent* event)
{
  if (watched == headers && event->type() == QEvent::Resize)
    QMetaObject::invokeMethod(this, &BenchmarkPage::fitHeader, Qt::QueuedConnection);
  return QWidget::eventFilter(watched, event);
}

/// What does not fit beside the kinds stands in rows.
void BenchmarkPage::fitHeader()
{
  if (const QWidget* shown = headers->currentWidget())
    header->setFixedHeight(
        std::max({kHeaderHeight, kinds->sizeHint().height(), shown->layout()->totalHeightForWidth(headers->width())}));
}

void BenchmarkPage::showKind(Kind kind)
{
  kinds->setCurrentIndex(static_cast<int>(kind));
}

BenchmarkPanel& BenchmarkPage::current() const
{
  if (panels->currentWidget() == projectionPanel)
    return *projectionPanel;
  return *hinesPanel;
}

void BenchmarkPage::setDevices(const DeviceReport& report)
{
  hinesPanel->setDevices(report);
  projectionPanel->setDevices(report);
}

void BenchmarkPage::takeStarted()
{
  setBusy(true); // the panel that measures knows better
  measuring->takeStarted();
}

void BenchmarkPage::takeProgress(const QString& stage, double fraction)
{
  measuring->takeProgress(stage, fraction);
}

void BenchmarkPage::takeEnd()
{
  for (BenchmarkPanel* panel :
       {static_cast<BenchmarkPanel*>(hinesPanel), static_cast<BenchmarkPanel*>(projectionPanel)})
    panel->takeEnd();
}

void BenchmarkPage::setBusy(bool busy)
{
  for (BenchmarkPanel* panel :
       {static_cast<BenchmarkPanel*>(hinesPanel), static_cast<BenchmarkPanel*>(projectionPanel)})
    panel->setBusy(busy);
}

void BenchmarkPage::askWhereToSavePlot()
{
  current().askWhereToSavePlot();
}

void BenchmarkPage::savePlot(const QString& path) const
{
  current().savePlot(path);
}

} // namespace hinesight::app
