#include "widgets/selection_box.hpp"

#include "widgets/theme.hpp"

#include <QPainter>

namespace hinesight::widgets {

namespace {

constexpr int kFillAlpha = 40;

} // namespace

SelectionBox::SelectionBox(QWidget* canvas) : QWidget(canvas)
{
  setObjectName(QStringLiteral("selectionBox"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  hide();
}

void SelectionBox::span(const QPointF& from, const QPointF& to)
{
  setGeometry(QRectF(from, to).normalized().toAlignedRect().adjusted(0, 0, 1, 1));
  raise();
  show();
}

void SelectionBox::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  QColor fill = theme().selection;
  painter.setPen(fill);
  fill.setAlpha(kFillAlpha);
  painter.setBrush(fill);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace hinesight::widgets
