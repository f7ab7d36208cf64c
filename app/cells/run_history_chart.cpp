#include "app/cells/run_history_chart.hpp"

#include "widgets/charts/timing_card.hpp"
#include "widgets/theme.hpp"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace hinesight::app {

namespace {

constexpr int kBarWidth = 14;
constexpr int kBarPitch = 18;
constexpr int kMargin = 10;
constexpr int kAxisGap = 8; // from the times to the plot

/// The round number (1, 2 or 5 times a power of ten) at or above a value.
double roundUp(double value)
{
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (value <= factor * power * (1 + 1e-12))
      return factor * power;
  return 10 * power;
}

QString describe(const io::RunRecord& run, int row)
{
  QString html = RunHistoryChart::tr("<b>Run %1</b>, %2").arg(row + 1).arg(summarizeRun(run, -1).toHtmlEscaped());
  html += QStringLiteral("<table>");
  for (const Stage& stage : run.timings.stages)
    html += QStringLiteral("<tr><td><font color='%1'>■</font> %2</td><td align=right>&nbsp;%3</td></tr>")
                .arg(widgets::stageColor(stage.name).name(), QString::fromStdString(stage.name),
                     widgets::formatMilliseconds(stage.milliseconds));
  return html + QStringLiteral("</table>");
}

} // namespace

RunHistoryChart::RunHistoryChart(const RunFilter* shown, QWidget* parent) : QWidget(parent), model(shown)
{
  setObjectName(QStringLiteral("runHistory"));
  setAccessibleName(tr("History of runs"));
  setAccessibleDescription(tr("One stacked bar a run, in ms; newest on the right"));
  connect(model, &QAbstractItemModel::rowsInserted, this, qOverload<>(&QWidget::update));
  connect(model, &QAbstractItemModel::rowsRemoved, this, qOverload<>(&QWidget::update));
  connect(model, &QAbstractItemModel::modelReset, this, qOverload<>(&QWidget::update));
}

void RunHistoryChart::setSelected(const std::vector<int>& rows)
{
  selected = rows;
  update();
}

/// Of the times beside it.
int RunHistoryChart::axisWidth() const
{
  return fontMetrics().horizontalAdvance(QStringLiteral("0.25 ms")) + 2 * kAxisGap;
}

QRect RunHistoryChart::plotArea() const
{
  return rect().adjusted(axisWidth(), kMargin + fontMetrics().height(), -kMargin, -kMargin);
}

int RunHistoryChart::barsThatFit() const
{
  return std::max(1, plotArea().width() / kBarPitch);
}

int RunHistoryChart::firstShown() const
{
  return std::max(0, model->rowCount() - barsThatFit());
}

double RunHistoryChart::slowestShown() const
{
  double slowest = 0;
  for (int row = firstShown(); row < model->rowCount(); ++row)
    slowest = std::max(slowest, model->run(row).timings.total());
  return slowest;
}

QRect RunHistoryChart::barRect(int row) const
{
  if (row < firstShown() || row >= model->rowCount() || slowestShown() <= 0)
    return {};
  const QRect plot = plotArea();
  const double total = model->run(row).timings.total();
  const int height = std::max(1, static_cast<int>(std::lround(total / roundUp(slowestShown()) * plot.height())));
  return {plot.left() + (row - firstShown()) * kBarPitch, plot.bottom() - height + 1, kBarWidth, height};
}

std::optional<int> RunHistoryChart::rowAt(const QPoint& position) const
{
  const QRect plot = plotArea();
  if (!plot.contains(position))
    return std::nullopt;
  const int row = firstShown() + (position.x() - plot.left()) / kBarPitch;
  return row < model->rowCount() ? std::optional(row) : std::nullopt;
}

void RunHistoryChart::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  painter.fillRect(rect(), palette().base());
  if (slowestShown() <= 0) {
    painter.setPen(widgets::theme().secondaryText);
    painter.drawText(rect().adjusted(kMargin, kMargin, -kMargin, -kMargin), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("Every run becomes a bar here."));
    return;
  }
  paintAxis(painter);
  for (int row = firstShown(); row < model->rowCount(); ++row)
    paintBar(painter, row);
}

void RunHistoryChart::paintAxis(QPainter& painter) const
{
  const widgets::Theme& colors = widgets::theme();
  const QRect plot = plotArea();
  const double top = roundUp(slowestShown());
  int free = height(); // above the time before
  for (const double fraction : {0.0, 0.5, 1.0}) {
    const int y = plot.bottom() - static_cast<int>(std::lround(fraction * plot.height()));
    painter.setPen(colors.hairline);
    painter.drawLine(plot.left() - 4, y, plot.right(), y);
    if (y > free)
      continue;
    free = y - fontMetrics().ascent();
    painter.setPen(colors.secondaryText);
    const QRect label(0, y - fontMetrics().height() / 2, plot.left() - kAxisGap, fontMetrics().height());
    painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter, widgets::formatMilliseconds(fraction * top));
  }
}

void RunHistoryChart::paintBar(QPainter& painter, int row) const
{
  const io::RunRecord& run = model->run(row);
  const QRectF bar = barRect(row);
  double bottom = bar.bottom();
  for (const Stage& stage : run.timings.stages) {
    const double height = stage.milliseconds / run.timings.total() * bar.height();
    painter.fillRect(QRectF(bar.left(), bottom - height, bar.width(), height), widgets::stageColor(stage.name));
    bottom -= height;
  }
  if (std::find(selected.begin(), selected.end(), row) != selected.end()) {
    painter.setPen(QPen(widgets::theme().text, 1.5));
    painter.drawRect(bar.adjusted(-1.5, -1.5, 1.5, 1.5));
  }
}

void RunHistoryChart::mousePressEvent(QMouseEvent* event)
{
  if (const auto row = rowAt(event->position().toPoint()); row && event->button() == Qt::LeftButton)
    emit runClicked(*row);
}

bool RunHistoryChart::event(QEvent* event)
{
  if (event->type() != QEvent::ToolTip)
    return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (const auto row = rowAt(help->pos()))
    QToolTip::showText(help->globalPos(), describe(model->run(*row), model->rowInModel(*row)), this);
  else
    QToolTip::hideText();
  return true;
}

} // namespace hinesight::app
