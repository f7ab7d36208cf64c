#include "widgets/simulation/time_chart.hpp"

#include "widgets/orbit/scale_overlay.hpp"
#include "widgets/theme.hpp"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace hinesight::widgets {

namespace {

constexpr double kZoomPerNotch = 1.25;
constexpr double kDegreesPerNotch = 120;
constexpr double kLabelRoom = 80; // pixels from one time to the next
constexpr double kMarkTolerance = 4;
constexpr int kSwatch = 10; // pixels of the line beside a name
constexpr int kNameGap = 10;
constexpr double kLeastName = 30;  // pixels
constexpr double kBesideName = 24; // pixels that the line and gaps take

/// Without the words after the last comma where these are the same of all: of two somata it counts whose they are.
void dropCommonEnd(std::vector<QString>& names)
{
  const auto endOf = [](const QString& name) { return name.mid(std::max<qsizetype>(0, name.lastIndexOf(u','))); };
  const QString end = names.empty() ? QString() : endOf(names.front());
  const auto hasIt = [&](const QString& name) { return name.contains(u',') && endOf(name) == end; };
  if (names.size() > 1 && std::ranges::all_of(names, hasIt))
    for (QString& name : names)
      name.chop(end.size());
}

} // namespace

TimeChart::TimeChart(const QString& name, TimeAxis* axisOfAll, QWidget* parent)
    : TitledChart(name, parent), time(axisOfAll)
{
  setMouseTracking(true);
  connect(time, &TimeAxis::changed, this, qOverload<>(&QWidget::update));
}

QRectF TimeChart::plot() const
{
  const int line = fontMetrics().height();
  return plotArea(QMarginsF(kLeft, kTickGap, kTickGap, line + kTickGap));
}

double TimeChart::xOf(double milliseconds) const
{
  const QRectF area = plot();
  return area.left() + area.width() * (milliseconds - time->from()) / time->span();
}

double TimeChart::timeAt(double x) const
{
  const QRectF area = plot();
  return time->from() + time->span() * (x - area.left()) / std::max(area.width(), 1.0);
}

bool TimeChart::hasRoomFor(const std::vector<LineName>& names, const QString& text) const
{
  double needed = titleEnd(text);
  for (const LineName& name : names)
    needed += kBesideName + std::max<double>(kLeastName, fontMetrics().horizontalAdvance(name.text));
  return needed <= plot().right();
}

void TimeChart::paintTitle(QPainter& painter, const QString& text, const std::vector<LineName>& names) const
{
  paintTitle(painter, text);
  if (hasNamesBelow())
    return;
  const QRectF area = plot();
  const double room = area.right() - titleEnd(text);
  const auto shown = std::min(names.size(), static_cast<std::size_t>(std::max(0.0, room / (kBesideName + kLeastName))));
  const auto first = names.end() - static_cast<std::ptrdiff_t>(shown);
  std::vector<QString> labels;
  for (auto name = first; name != names.end(); ++name)
    labels.push_back(name->text);
  const auto haveRoom = [&] {
    double needed = 0;
    for (const QString& label : labels)
      needed += kBesideName + fontMetrics().horizontalAdvance(label);
    return needed <= room;
  };
  if (!haveRoom())
    dropCommonEnd(labels);
  const double share = haveRoom() ? room : room / static_cast<double>(shown) - kBesideName;
  const double baseline = area.top() - kTickGap - fontMetrics().descent() - 2;
  double right = area.right();
  for (auto name = names.end(); name != first;) {
    --name;
    const QString& whole = labels[static_cast<std::size_t>(name - first)];
    const QString label = fontMetrics().elidedText(whole, Qt::ElideMiddle, static_cast<int>(share));
    right -= fontMetrics().horizontalAdvance(label);
    painter.setPen(theme().text);
    painter.drawText(QPointF(right, baseline), label);
    right -= kSwatch + kTickGap;
    painter.setPen(QPen(name->color, 2));
    painter.drawLine(QPointF(right, baseline - 4), QPointF(right + kSwatch, baseline - 4));
    right -= kNameGap;
  }
}

void TimeChart::paintTimes(QPainter& painter) const
{
  const QRectF area = plot();
  const double step = roundLength(time->span() * kLabelRoom / std::max(area.width(), kLabelRoom)) * 2;
  painter.setFont(font());
  const double baseline = area.bottom() + kTickGap + fontMetrics().ascent();
  double taken = 0; // by the labels so far
  for (double at = std::ceil(time->from() / step) * step; at <= time->to(); at += step) {
    const double x = xOf(at);
    painter.setPen(theme().hairline);
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    const QString text = QStringLiteral("%1 ms").arg(QString::number(at, 'g', 6));
    const double width = fontMetrics().horizontalAdvance(text);
    const double left = std::clamp(x - width / 2, 0.0, std::max(0.0, chartSize().width() - width));
    if (left < taken)
      continue;
    painter.setPen(theme().secondaryText);
    painter.drawText(QPointF(left, baseline), text);
    taken = left + width + kTickGap;
  }
}

void TimeChart::paintMarks(QPainter& painter) const
{
  const QRectF area = plot();
  const auto line = [&](double at, const QPen& pen) {
    const double x = xOf(at);
    if (x < area.left() || x > area.right())
      return;
    painter.setPen(pen);
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
  };
  for (const TimeMark& mark : time->marks())
    line(mark.time, QPen(theme().warning, 1, Qt::DashLine));
  if (time->cursor())
    line(*time->cursor(), QPen(theme().selection, 1.5));
}

void TimeChart::look(double x)
{
  const double at = std::clamp(timeAt(x), 0.0, time->now());
  time->setCursor(at);
  emit time->cursorMoved(at);
}

void TimeChart::mousePressEvent(QMouseEvent* event)
{
  if (event->button() == Qt::LeftButton && !event->modifiers().testFlag(Qt::ShiftModifier)) {
    if (event->position().x() >= plot().left()) {
      looks = true;
      look(event->position().x());
    }
  } else {
    grabbed = event->position();
  }
}

void TimeChart::mouseMoveEvent(QMouseEvent* event)
{
  if (looks)
    look(event->position().x());
  if (grabbed) {
    const double moved = event->position().x() - grabbed->x();
    grabbed = event->position();
    time->move(-moved * time->span() / std::max(plot().width(), 1.0));
  }
}

void TimeChart::mouseReleaseEvent(QMouseEvent*)
{
  looks = false;
  grabbed.reset();
}

void TimeChart::mouseDoubleClickEvent(QMouseEvent*)
{
  looks = false;
  time->setCursor(std::nullopt);
  emit time->cursorMoved(std::nullopt);
  time->showUsual();
}

void TimeChart::wheelEvent(QWheelEvent* event)
{
  const double notches = event->angleDelta().y() / kDegreesPerNotch;
  const QRectF area = plot();
  const double share = std::clamp((event->position().x() - area.left()) / std::max(area.width(), 1.0), 0.0, 1.0);
  time->zoom(share, std::pow(kZoomPerNotch, -notches));
  event->accept();
}

bool TimeChart::event(QEvent* event)
{
  if (event->type() != QEvent::ToolTip)
    return TitledChart::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  for (const TimeMark& mark : time->marks())
    if (std::abs(xOf(mark.time) - help->pos().x()) <= kMarkTolerance) {
      QToolTip::showText(help->globalPos(), tr("%1 ms: %2").arg(QString::number(mark.time, 'f', 2), mark.text), this);
      return true;
    }
  const QString text = plot().contains(help->pos()) ? describe(help->pos()) : QString();
  if (text.isEmpty())
    return TitledChart::event(event);
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

} // namespace hinesight::widgets
