#include "widgets/cells/packing/packing_view_drawing.hpp"

#include "widgets/theme.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace hinesight::widgets {

namespace {

constexpr int kWarp = 32;
constexpr double kBarInset = 0.06; // lanes, at both sides of a bar
constexpr double kIssuedOpacity = 0.55;
constexpr double kPaddingOpacity = 0.3;
constexpr double kBarrierOpacity = 0.6;
constexpr double kMostLanePixels = 36;
constexpr double kMostStepPixels = 22;

} // namespace

PackingDrawing::PackingDrawing(std::int32_t lanes, std::int64_t steps)
{
  drawing.bounds = QRectF(0, 0, lanes, static_cast<double>(steps));
  drawing.maximumScaleX = kMostLanePixels;
  drawing.maximumScaleY = kMostStepPixels;
}

void PackingDrawing::addWarp(const hines::LaneWarp& warp)
{
  const auto left = static_cast<double>(warp.firstLane);
  const auto top = static_cast<double>(warp.step);
  drawing.backdrop.push_back(
      {left, top, left + warp.lanes, top + warp.steps, overCanvas(theme().hairline, kIssuedOpacity)});
}

void PackingDrawing::addPadding(const hines::LaneBar& bar)
{
  addBar(bar, overCanvas(theme().secondaryText, kPaddingOpacity), -1);
}

void PackingDrawing::addBar(const hines::LaneBar& bar, QRgb color, std::int32_t item)
{
  const auto top = static_cast<double>(bar.step);
  drawing.bars.push_back({bar.lane + kBarInset, top, bar.lane + 1 - kBarInset, top + bar.steps, color, item});
}

void PackingDrawing::addBand(const QStringList& texts, std::int64_t step, std::int64_t steps)
{
  bands.push_back({texts, QRectF(0, static_cast<double>(step), drawing.bounds.width(), static_cast<double>(steps)),
                   PlanarLabel::Place::LeftMargin, PlanarLabel::Style::Quiet});
}

void PackingDrawing::addBarrier(std::int64_t step, std::size_t count)
{
  const auto y = static_cast<double>(step);
  const double spacing = drawing.bounds.height() / static_cast<double>(std::max<std::size_t>(1, count));
  drawing.marks.push_back(
      {0, y, drawing.bounds.width(), y, overCanvas(theme().secondaryText, kBarrierOpacity), 1, spacing});
}

void PackingDrawing::addSeam(std::int64_t step)
{
  const auto y = static_cast<double>(step);
  drawing.strokes.push_back({0, y, drawing.bounds.width(), y, overCanvas(theme().hairline, 1), 1});
}

PlanarDrawing PackingDrawing::finish(const QStringList& heading, const QStringList& footnote)
{
  // Few lanes are narrow, but their texts may be as wide as the plot.
  constexpr double kWide = 1e9;
  const QRectF row(0, 0, kWide, drawing.bounds.height());
  drawing.labels.push_back({heading, row, PlanarLabel::Place::TopMargin, PlanarLabel::Style::Strong});
  drawing.labels.push_back({footnote, row, PlanarLabel::Place::BottomMargin, PlanarLabel::Style::Quiet});
  // Where the margin has not room for all, the bands that take longest keep theirs.
  std::stable_sort(bands.begin(), bands.end(),
                   [](const PlanarLabel& a, const PlanarLabel& b) { return a.area.height() > b.area.height(); });
  drawing.labels.insert(drawing.labels.end(), bands.begin(), bands.end());

  PlanarAxis lanes;
  lanes.edge = Qt::TopEdge;
  lanes.title = QCoreApplication::translate("PackingView", "lanes");
  lanes.to = drawing.bounds.right();
  lanes.scale = PlanarAxis::Scale::PowersOfTwo;
  lanes.grid = kWarp;
  PlanarAxis steps;
  steps.edge = Qt::RightEdge;
  steps.title = QCoreApplication::translate("PackingView", "elimination steps");
  steps.to = drawing.bounds.bottom();
  drawing.axes = {lanes, steps};
  return std::move(drawing);
}

QString counted(double count, const QString& one, const QString& many)
{
  return formatNumber(count) + u' ' + (count == 1 ? one : many);
}

QString inPercent(double fraction)
{
  return QCoreApplication::translate("PackingView", "%1 %").arg(formatNumber(std::round(100 * fraction)));
}

} // namespace hinesight::widgets
