#include "widgets/charts/dendrogram.hpp"

#include "morphology/morphology.hpp"
#include "widgets/elided_label.hpp"
#include "widgets/orbit/scale_overlay.hpp"
#include "widgets/theme.hpp"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr double kPickTolerance = 5; // pixels beside a line that still pick it
constexpr double kLineWidth = 1;
constexpr double kOutlineWidth = 3;
// More branches are drawn without smooth edges, which take their time: 1 ms for 500 lines.
constexpr std::size_t kMostSmooth = 1'000;
constexpr std::size_t kMostSmoothInFigure = 4'000;

/// The middle of the leaves that hang on each branch, of 1: those of a branch stand together.
std::vector<double> heightsOf(const std::vector<Dendrogram::Branch>& branches)
{
  const std::size_t count = branches.size();
  std::vector<std::int32_t> leaves(count, 0);
  std::int32_t allLeaves = 0;
  for (std::size_t k = count; k-- > 0;) {
    leaves[k] = std::max(leaves[k], 1);
    const std::int32_t parent = branches[k].parent;
    (parent < 0 ? allLeaves : leaves[static_cast<std::size_t>(parent)]) += leaves[k];
  }
  std::vector<double> heights(count);
  std::vector<std::int32_t> free(count); // the first leaf below a branch that is not taken
  std::int32_t freeRoot = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::int32_t parent = branches[k].parent;
    std::int32_t& next = parent < 0 ? freeRoot : free[static_cast<std::size_t>(parent)];
    free[k] = next;
    heights[k] = (next + 0.5 * leaves[k]) / allLeaves;
    next += leaves[k];
  }
  return heights;
}

/// The pixels that level lines cover, in rectangles of one row: each pixel once, however many lines there are.
/// `area` holds all lines.
QList<QRectF> rowsOf(const QList<QLineF>& lines, const QRectF& area, const QTransform& toPixels)
{
  const QRect pixels = toPixels.mapRect(area.normalized()).toAlignedRect().adjusted(-1, -1, 1, 1);
  const auto row = static_cast<std::size_t>(pixels.width()) + 1;
  std::vector<std::int32_t> changes(row * static_cast<std::size_t>(pixels.height()), 0); // of the lines above a pixel
  const auto pixelOf = [&](const QPointF& point) {
    const QPointF at = toPixels.map(point) - pixels.topLeft();
    return QPoint(static_cast<int>(at.x()), static_cast<int>(at.y()));
  };
  for (const QLineF& line : lines) {
    const QPoint from = pixelOf(line.p1());
    const QPoint to = pixelOf(line.p2());
    std::int32_t* of = changes.data() + row * static_cast<std::size_t>(from.y());
    ++of[std::min(from.x(), to.x())];
    --of[std::max(from.x(), to.x()) + 1];
  }
  const QTransform back = toPixels.inverted();
  QList<QRectF> all;
  for (int y = 0; y < pixels.height(); ++y) {
    const std::int32_t* of = changes.data() + row * static_cast<std::size_t>(y);
    int begin = 0; // of what is covered up to here
    std::int32_t covers = 0;
    for (int x = 0; x <= pixels.width(); ++x) {
      const std::int32_t before = std::exchange(covers, covers + of[x]);
      if (before == 0 && covers > 0)
        begin = x;
      else if (before > 0 && covers == 0)
        all << back.mapRect(QRectF(QRect(pixels.topLeft() + QPoint(begin, y), QSize(x - begin, 1))));
    }
  }
  return all;
}

/// As a pen of a width draws them.
void fillRows(QPainter& painter, const QList<QRectF>& rows, const QColor& color, double width)
{
  for (const QRectF& row : rows) {
    const double beside = (width - std::min(row.width(), row.height())) / 2;
    painter.fillRect(row.adjusted(-beside, -beside, beside, beside), color);
  }
}

} // namespace

Dendrogram::Dendrogram(QWidget* parent) : TitledChart(tr("Dendrogram"), parent)
{
  setObjectName(QStringLiteral("dendrogram"));
}

void Dendrogram::setCells(std::vector<Cell> cells)
{
  shown = std::move(cells);
  hasNames = shown.size() > 1;
  heights.clear();
  drawn.assign(shown.size(), {});
  farthest = 0;
  for (const Cell& cell : shown) {
    heights.push_back(heightsOf(cell.branches));
    for (const Branch& branch : cell.branches) {
      farthest = std::max(farthest, branch.end);
    }
  }
  selectAll({});
  update();
}

void Dendrogram::select(std::size_t cell, std::int32_t branch)
{
  std::vector<std::vector<std::int32_t>> one(shown.size());
  if (cell < one.size() && branch >= 0) {
    one[cell].push_back(branch);
  }
  selectAll(std::move(one));
}

void Dendrogram::selectAll(std::vector<std::vector<std::int32_t>> branches)
{
  branches.resize(shown.size());
  if (std::exchange(outlines, branches) != branches) {
    for (Drawn& ofCell : drawn)
      ofCell.outlines.reset();
    update();
  }
  selected = -1;
  std::size_t count = 0;
  for (std::size_t cell = 0; cell < branches.size(); ++cell) {
    count += branches[cell].size();
    if (!branches[cell].empty()) {
      selectedIn = cell;
      selected = branches[cell].front();
    }
  }
  if (count != 1) {
    selected = -1;
  }
}

Legend Dendrogram::partLegend() const
{
  std::set<std::int32_t> types;
  for (const Cell& cell : shown)
    for (const Branch& branch : cell.branches)
      types.insert(branch.type);
  Legend legend;
  if (!types.empty())
    legend.title = tr("SWC type");
  for (const std::int32_t type : types)
    legend.entries.push_back({typeColor(type), QString::fromStdString(morphology::typeName(type))});
  return legend;
}

/// In a figure the axis has a title.
QRectF Dendrogram::plot() const
{
  const int lines = isInFigure() ? 2 : 1;
  return plotArea(QMarginsF(kTickGap, kTickGap, 3 * kTickGap, lines * fontMetrics().height() + 2 * kTickGap));
}

/// Behind the heading. In a figure the name moves where it has no room.
QString Dendrogram::noteOfOne() const
{
  const QString& name = shown.front().name;
  return tr("by path distance, %1").arg(isInFigure() ? name : widgets::shortened(name));
}

/// That a figure has no room for.
bool Dendrogram::isNoteCut() const
{
  return isInFigure() && shown.size() == 1 && titleEnd(noteOfOne()) > plotArea({}).right();
}

/// Its part of the height, where names are in the plot with a line for its name above.
QRectF Dendrogram::plotOf(std::size_t cell) const
{
  const QRectF whole = plot();
  const double height = whole.height() / static_cast<double>(std::max<std::size_t>(1, shown.size()));
  const double name = hasNames ? fontMetrics().height() : 0;
  return {whole.left(), whole.top() + static_cast<double>(cell) * height + name, whole.width(),
          std::max(1.0, height - name)};
}

/// `area`: plotOf the cell.
QPointF Dendrogram::pointIn(const QRectF& area, std::size_t cell, std::size_t branch, double path) const
{
  const double share = farthest > 0 ? path / farthest : 0;
  return {area.left() + area.width() * share, area.top() + area.height() * heights[cell][branch]};
}

QPointF Dendrogram::middleOf(std::size_t cell, std::int32_t branch) const
{
  const auto place = static_cast<std::size_t>(branch);
  const Branch& at = shown[cell].branches[place];
  return pointIn(plotOf(cell), cell, place, (at.start + at.end) / 2);
}

void Dendrogram::paintChart(QPainter& painter)
{
  const QScopedValueRollback names(hasNames, hasNames || isNoteCut());
  paintTitle(painter, shown.size() == 1 && !hasNames ? noteOfOne()
                      : shown.empty()                ? QString()
                                                     : tr("by path distance"));
  paintAxis(painter, plot());
  for (std::size_t cell = 0; cell < shown.size(); ++cell) {
    if (hasNames) {
      paintName(painter, cell);
    }
    paintBranches(painter, cell);
  }
}

void Dendrogram::paintAxis(QPainter& painter, const QRectF& area) const
{
  if (!(farthest > 0)) {
    return;
  }
  const double step = roundLength(farthest / 2);
  const double baseline = area.bottom() + kTickGap + fontMetrics().ascent();
  double free = area.left(); // beside the label before
  for (double path = 0; path <= farthest; path += step) {
    const double x = area.left() + area.width() * path / farthest;
    painter.setPen(QPen(theme().hairline, 1));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom() + kTickGap));
    const QString label = path > 0 ? tr("%1 µm").arg(formatNumber(path)) : formatNumber(path);
    const double width = fontMetrics().horizontalAdvance(label);
    const double left = std::max(area.left(), std::min(x - width / 2, area.right() - width));
    if (left < free)
      continue;
    free = left + width + kTickGap;
    painter.setPen(theme().secondaryText);
    painter.drawText(QPointF(left, baseline), label);
  }
  if (isInFigure()) {
    const QString title = fitting(tr("path distance from the root, µm"), Qt::ElideRight, area.width());
    painter.setPen(theme().secondaryText);
    painter.drawText(
        QPointF(area.center().x() - fontMetrics().horizontalAdvance(title) / 2.0, baseline + fontMetrics().height()),
        title);
  }
}

void Dendrogram::paintName(QPainter& painter, std::size_t cell) const
{
  const QRectF area = plotOf(cell);
  painter.setPen(theme().secondaryText);
  painter.drawText(QPointF(area.left(), area.top() - fontMetrics().descent()),
                   fontMetrics().elidedText(shown[cell].name, Qt::ElideMiddle, static_cast<int>(area.width())));
}

Dendrogram::Lines Dendrogram::linesOf(std::size_t cell) const
{
  const std::vector<Branch>& branches = shown[cell].branches;
  const QRectF area = plotOf(cell);
  Lines lines;
  for (std::size_t k = 0; k < branches.size(); ++k) {
    const Branch& branch = branches[k];
    const QPointF start = pointIn(area, cell, k, branch.start);
    lines.level[branch.type] << QLineF(start, pointIn(area, cell, k, branch.end));
    if (branch.parent >= 0) {
      const double from = pointIn(area, cell, static_cast<std::size_t>(branch.parent), 0).y();
      lines.upright[branch.type] << QLineF(QPointF(start.x(), from), start);
    }
  }
  return lines;
}

QList<QLineF> Dendrogram::outlinesOf(std::size_t cell) const
{
  const std::vector<Branch>& branches = shown[cell].branches;
  const QRectF area = plotOf(cell);
  QList<QLineF> lines;
  for (const std::int32_t branch : outlines[cell]) {
    const auto k = static_cast<std::size_t>(branch);
    if (k < branches.size())
      lines << QLineF(pointIn(area, cell, k, branches[k].start), pointIn(area, cell, k, branches[k].end));
  }
  return lines;
}

const Dendrogram::Drawn& Dendrogram::drawnOf(std::size_t cell, const QTransform& toPixels)
{
  Drawn& known = drawn[cell];
  const QRectF area = plotOf(cell);
  if (known.area != area || known.toPixels != toPixels) {
    known = {area, toPixels, {}, {}};
    const Lines lines = linesOf(cell);
    for (const auto& [type, level] : lines.level)
      known.rows[type] = rowsOf(level, area, toPixels);
    const QTransform transposed(0, 1, 1, 0, 0, 0);
    for (const auto& [type, upright] : lines.upright)
      known.rows[type] += rowsOf(upright, area, toPixels * transposed);
  }
  if (!known.outlines)
    known.outlines = rowsOf(outlinesOf(cell), area, toPixels);
  return known;
}

void Dendrogram::paintBranches(QPainter& painter, std::size_t cell)
{
  const bool isSmooth = shown[cell].branches.size() <= (isInFigure() ? kMostSmoothInFigure : kMostSmooth);
  painter.setRenderHint(QPainter::Antialiasing, isSmooth);
  if (!isSmooth && !isInFigure()) {
    const Drawn& known = drawnOf(cell, painter.deviceTransform());
    for (const auto& [type, rows] : known.rows)
      fillRows(painter, rows, typeColor(type), kLineWidth);
    fillRows(painter, *known.outlines, theme().selection, kOutlineWidth);
    return;
  }
  const Lines lines = linesOf(cell);
  for (const auto& [type, level] : lines.level) {
    painter.setPen(QPen(typeColor(type), kLineWidth));
    painter.drawLines(level);
    if (const auto upright = lines.upright.find(type); upright != lines.upright.end())
      painter.drawLines(upright->second);
  }
  painter.setPen(QPen(theme().selection, kOutlineWidth));
  painter.drawLines(outlinesOf(cell));
}

Dendrogram::Place Dendrogram::placeAt(const QPointF& point) const
{
  Place nearest;
  double least = kPickTolerance;
  for (std::size_t cell = 0; cell < shown.size(); ++cell) {
    const std::vector<Branch>& branches = shown[cell].branches;
    const QRectF area = plotOf(cell);
    for (std::size_t k = 0; k < branches.size(); ++k) {
      const QPointF from = pointIn(area, cell, k, branches[k].start);
      const double end = pointIn(area, cell, k, branches[k].end).x();
      const double beside = std::max({from.x() - point.x(), point.x() - end, 0.0});
      const double away = std::hypot(beside, point.y() - from.y());
      if (away < least) {
        least = away;
        nearest = {cell, static_cast<std::int32_t>(k)};
      }
    }
  }
  return nearest;
}

void Dendrogram::mousePressEvent(QMouseEvent* event)
{
  if (event->button() == Qt::LeftButton) {
    const Place place = placeAt(event->position());
    emit picked(place.cell, place.branch);
  } else {
    TitledChart::mousePressEvent(event);
  }
}

bool Dendrogram::event(QEvent* event)
{
  if (event->type() != QEvent::ToolTip) {
    return TitledChart::event(event);
  }
  const auto* help = static_cast<QHelpEvent*>(event);
  const Place place = placeAt(help->pos());
  if (place.branch < 0) {
    QToolTip::showText(help->globalPos(), toolTip(), this);
    return true;
  }
  const Branch& at = shown[place.cell].branches[static_cast<std::size_t>(place.branch)];
  QToolTip::showText(
      help->globalPos(),
      tr("branch %1, %2\n%3 to %4 µm from the root, along the branches")
          .arg(at.number)
          .arg(QString::fromStdString(morphology::typeName(at.type)), formatNumber(at.start), formatNumber(at.end)),
      this);
  return true;
}

} // namespace hinesight::widgets
