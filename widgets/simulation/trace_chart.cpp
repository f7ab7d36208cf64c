#include "widgets/simulation/trace_chart.hpp"

#include "study/simulation/voltage_frames.hpp"
#include "widgets/orbit/scale_overlay.hpp"
#include "widgets/theme.hpp"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <optional>

namespace hinesight::widgets {

namespace {

constexpr double kBeyond = 5;       // mV of room beyond what leaves the usual range
constexpr double kLabelHeight = 28; // pixels from one number to the next

} // namespace

QColor placeColor(std::size_t number)
{
  return categoryColor(static_cast<std::int64_t>(number));
}

TraceChart::TraceChart(TimeAxis* axis, QWidget* parent) : TimeChart(tr("Potential"), axis, parent)
{
  setObjectName(QStringLiteral("simulationTraces"));
  setToolTip(tr("Membrane potential in mV at the places that were clicked, over time in ms. Press: look at that time. "
                "Wheel: zoom. Right drag: move. Double click: the whole run, and while it runs the newest"));
}

TraceChart::Span TraceChart::span() const
{
  Span heights{study::kLowestShown, study::kHighestShown};
  for (const Line& line : all)
    if (const auto range = line.trace.rangeOf(axis().from(), axis().to())) {
      if (range->least < heights.least)
        heights.least = range->least - kBeyond;
      if (range->greatest > heights.greatest)
        heights.greatest = range->greatest + kBeyond;
    }
  return heights;
}

double TraceChart::yOf(double potential) const
{
  const Span heights = span();
  const QRectF area = plot();
  return area.bottom() - area.height() * (potential - heights.least) / (heights.greatest - heights.least);
}

std::vector<TitledChart::LineName> TraceChart::names() const
{
  std::vector<LineName> names;
  for (const Line& line : all)
    names.push_back({line.name, line.color});
  return names;
}

/// Behind the heading.
QString TraceChart::note() const
{
  return all.empty() ? tr("mV; click a cell to record there") : tr("mV");
}

std::vector<TitledChart::LineName> TraceChart::namesWithoutRoom() const
{
  return hasRoomFor(names(), note()) ? std::vector<LineName>() : names();
}

void TraceChart::paintChart(QPainter& painter)
{
  paintTitle(painter, note(), names());
  const Span heights = span();
  paintHeights(painter, heights);
  paintTimes(painter);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Line& line : all)
    paintLine(painter, line, heights);
  paintMarks(painter);
}

void TraceChart::paintHeights(QPainter& painter, const Span& heights) const
{
  const QRectF area = plot();
  const double range = heights.greatest - heights.least;
  const double step = 2 * roundLength(range * kLabelHeight / std::max(area.height(), kLabelHeight));
  for (double value = std::ceil(heights.least / step) * step; value <= heights.greatest; value += step) {
    const double y = area.bottom() - area.height() * (value - heights.least) / range;
    painter.setPen(theme().hairline);
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    const QString label = QString::number(value, 'g', 4);
    painter.setPen(theme().secondaryText);
    painter.drawText(QPointF(area.left() - fontMetrics().horizontalAdvance(label) - kTickGap, y + 4), label);
  }
}

/// Through the least and the greatest of each pixel.
void TraceChart::paintLine(QPainter& painter, const Line& line, const Span& heights) const
{
  const QRectF area = plot();
  const auto y = [&](float value) {
    return area.bottom() -
           area.height() * (static_cast<double>(value) - heights.least) / (heights.greatest - heights.least);
  };
  painter.setPen(QPen(line.color, 1.3));
  QPolygonF path;
  const auto draw = [&] {
    if (path.size() == 1)
      painter.drawPoint(path.front());
    else if (!path.isEmpty())
      painter.drawPolyline(path);
    path.clear();
  };
  const double pixel = axis().span() / std::max(area.width(), 1.0);
  // Of steps longer than a pixel every one is a point.
  const double width = std::max(pixel, line.trace.timeStep());
  const double first = std::floor(axis().from() / width) * width;
  for (double from = first; from <= axis().to(); from += width) {
    const auto range = line.trace.rangeOf(from, from + width);
    if (!range) {
      draw();
      continue;
    }
    const double x = std::clamp(xOf(from + width / 2), area.left(), area.right());
    // From the end that is nearer to the line so far.
    const double low = y(range->least);
    const double high = y(range->greatest);
    const bool isLowFirst = path.isEmpty() || std::abs(path.back().y() - low) < std::abs(path.back().y() - high);
    path << QPointF(x, isLowFirst ? low : high);
    if (low != high)
      path << QPointF(x, isLowFirst ? high : low);
  }
  draw();
}

QString TraceChart::describe(const QPointF& pixel) const
{
  const double at = timeAt(pixel.x());
  QString text = tr("%1 ms").arg(QString::number(at, 'f', 2));
  for (const Line& line : all)
    if (const auto value = line.trace.valueAt(at))
      text +=
          QStringLiteral("\n") + tr("%1: %2 mV").arg(line.name, QString::number(static_cast<double>(*value), 'f', 2));
  return text;
}

} // namespace hinesight::widgets
