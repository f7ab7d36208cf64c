#include "widgets/selection_outline.hpp"

#include "widgets/theme.hpp"

#include <QPainter>

namespace hinesight::widgets {

namespace {

constexpr int kFillAlpha = 40;
constexpr double kLeastStep = 2; // pixels between the points of a loop

} // namespace

SelectionOutline::SelectionOutline(QWidget* canvas) : QWidget(canvas)
{
  setObjectName(QStringLiteral("selectionOutline"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  hide();
}

void SelectionOutline::begin(const QPointF& at, bool isLoop)
{
  area = {QPolygonF({at}), isLoop};
}

void SelectionOutline::extend(const QPointF& to)
{
  if (area.isLoop) {
    if ((to - area.outline.back()).manhattanLength() >= kLeastStep)
      area.outline << to;
  } else {
    const QPointF from = area.outline.front();
    area.outline = QPolygonF({from, {to.x(), from.y()}, to, {from.x(), to.y()}});
  }
  setGeometry(parentWidget()->rect());
  raise();
  show();
  update();
}

DrawnArea SelectionOutline::end()
{
  hide();
  return area;
}

void SelectionOutline::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing, area.isLoop);
  QColor fill = theme().selection;
  painter.setPen(fill);
  fill.setAlpha(kFillAlpha);
  painter.setBrush(fill);
  painter.drawPolygon(area.outline);
}

} // namespace hinesight::widgets
