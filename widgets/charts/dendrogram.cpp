#include "widgets/charts/dendrogram.hpp"

#include "morphology/morphology.hpp"
#include "widgets/orbit/scale_overlay.hpp"
#include "widgets/theme.hpp"

#include <QHelpEvent>
#include <QLineF>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace hinesight::widgets {

namespace {

constexpr double kPickTolerance = 5;       // pixels beside a line that still pick it
constexpr std::size_t kMostSmooth = 4'000; ///< more branches are drawn without smooth edges, which take their time

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

} // namespace

Dendrogram::Dendrogram(QWidget* parent) : TitledChart(tr("Dendrogram"), parent)
{
  setObjectName(QStringLiteral("dendrogram"));
}

void Dendrogram::setBranches(std::vector<Branch> branches, const QString& name)
{
  shown = std::move(branches);
  ofCell = name;
  heights = heightsOf(shown);
  farthest = 0;
  for (const Branch& branch : shown) {
    farthest = std::max(farthest, branch.end);
  }
  selected = -1;
  update();
}

void Dendrogram::select(std::int32_t branch)
{
  if (selected != branch) {
    selected = branch;
    update();
  }
}

QRectF Dendrogram::plot() const
{
  return plotArea(QMarginsF(kTickGap, kTickGap, 3 * kTickGap, fontMetrics().height() + 2 * kTickGap));
}

QPointF Dendrogram::pointOf(std::size_t branch, double path) const
{
  const QRectF area = plot();
  const double share = farthest > 0 ? path / farthest : 0;
  return {area.left() + area.width() * share, area.top() + area.height() * heights[branch]};
}

QPointF Dendrogram::middleOf(std::int32_t branch) const
{
  const auto place = static_cast<std::size_t>(branch);
  return pointOf(place, (shown[place].start + shown[place].end) / 2);
}

void Dendrogram::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  paintTitle(painter, ofCell.isEmpty() ? QString() : tr("by path distance, %1").arg(ofCell));
  paintAxis(painter, plot());
  paintBranches(painter);
}

void Dendrogram::paintAxis(QPainter& painter, const QRectF& area) const
{
  if (!(farthest > 0)) {
    return;
  }
  const double step = roundLength(farthest / 2);
  const double baseline = area.bottom() + kTickGap + fontMetrics().ascent();
  for (double path = 0; path <= farthest; path += step) {
    const double x = area.left() + area.width() * path / farthest;
    painter.setPen(QPen(theme().hairline, 1));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom() + kTickGap));
    const QString label = path > 0 ? tr("%1 µm").arg(formatNumber(path)) : formatNumber(path);
    const double width = fontMetrics().horizontalAdvance(label);
    painter.setPen(theme().secondaryText);
    painter.drawText(QPointF(std::clamp(x - width / 2, area.left(), area.right() - width), baseline), label);
  }
}

void Dendrogram::paintBranches(QPainter& painter) const
{
  painter.setRenderHint(QPainter::Antialiasing, shown.size() <= kMostSmooth);
  std::map<std::int32_t, QVector<QLineF>> ofType;
  const auto linesOf = [&](std::size_t k) {
    const QPointF start = pointOf(k, shown[k].start);
    const std::int32_t parent = shown[k].parent;
    const double from = parent < 0 ? start.y() : pointOf(static_cast<std::size_t>(parent), 0).y();
    return std::array<QLineF, 2>{QLineF(start, pointOf(k, shown[k].end)), QLineF(QPointF(start.x(), from), start)};
  };
  for (std::size_t k = 0; k < shown.size(); ++k) {
    for (const QLineF& line : linesOf(k)) {
      ofType[shown[k].type].push_back(line);
    }
  }
  for (const auto& [type, lines] : ofType) {
    painter.setPen(QPen(typeColor(type), 1));
    painter.drawLines(lines);
  }
  if (selected >= 0 && static_cast<std::size_t>(selected) < shown.size()) {
    painter.setPen(QPen(theme().selection, 3));
    painter.drawLine(linesOf(static_cast<std::size_t>(selected)).front());
  }
}

std::int32_t Dendrogram::branchAt(const QPointF& point) const
{
  std::int32_t nearest = -1;
  double least = kPickTolerance;
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const QPointF from = pointOf(k, shown[k].start);
    const double end = pointOf(k, shown[k].end).x();
    const double beside = std::max({from.x() - point.x(), point.x() - end, 0.0});
    const double away = std::hypot(beside, point.y() - from.y());
    if (away < least) {
      least = away;
      nearest = static_cast<std::int32_t>(k);
    }
  }
  return nearest;
}

void Dendrogram::mousePressEvent(QMouseEvent* event)
{
  if (event->button() == Qt::LeftButton) {
    emit picked(branchAt(event->position()));
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
  const std::int32_t branch = branchAt(help->pos());
  if (branch < 0) {
    QToolTip::showText(help->globalPos(), toolTip(), this);
    return true;
  }
  const Branch& at = shown[static_cast<std::size_t>(branch)];
  QToolTip::showText(
      help->globalPos(),
      tr("branch %1, %2\n%3 to %4 µm from the root, along the branches")
          .arg(branch)
          .arg(QString::fromStdString(morphology::typeName(at.type)), formatNumber(at.start), formatNumber(at.end)),
      this);
  return true;
}

} // namespace hinesight::widgets
