#include "widgets/icons.hpp"

#include "widgets/theme.hpp"

#include <QPainter>
#include <QPainterPath>

namespace hinesight::widgets {

namespace {

/// The icon's lines on a 16 by 16 grid.
QPainterPath outline(Icon icon)
{
  QPainterPath path;
  const auto line = [&path](double x0, double y0, double x1, double y1) {
    path.moveTo(x0, y0);
    path.lineTo(x1, y1);
  };
  const auto corner = [&path](double x, double y, double dx, double dy) {
    path.moveTo(x + dx, y);
    path.lineTo(x, y);
    path.lineTo(x, y + dy);
  };
  switch (icon) {
  case Icon::Save:
    line(8, 2, 8, 10);
    path.moveTo(4.5, 7);
    path.lineTo(8, 10.5);
    path.lineTo(11.5, 7);
    path.moveTo(2.5, 10.5);
    path.lineTo(2.5, 13.5);
    path.lineTo(13.5, 13.5);
    path.lineTo(13.5, 10.5);
    break;
  case Icon::Maximize:
    corner(2.5, 2.5, 4, 4);
    corner(13.5, 2.5, -4, 4);
    corner(2.5, 13.5, 4, -4);
    corner(13.5, 13.5, -4, -4);
    break;
  case Icon::Timings:
    path.addEllipse(QPointF(8, 8.5), 5.5, 5.5);
    path.moveTo(8, 5.5);
    path.lineTo(8, 8.5);
    path.lineTo(10.5, 10);
    line(6.5, 1.5, 9.5, 1.5);
    break;
  case Icon::Fit:
    corner(2.5, 2.5, 3, 3);
    corner(13.5, 2.5, -3, 3);
    corner(2.5, 13.5, 3, -3);
    corner(13.5, 13.5, -3, -3);
    path.addEllipse(QPointF(8, 8), 2.5, 2.5);
    break;
  case Icon::Open:
    path.moveTo(2, 13);
    path.lineTo(2, 3.5);
    path.lineTo(6, 3.5);
    path.lineTo(7.5, 5.5);
    path.lineTo(14, 5.5);
    path.lineTo(14, 13);
    path.closeSubpath();
    break;
  case Icon::Clip:
    path.addEllipse(QPointF(8, 8), 5.5, 5.5);
    line(8, 1, 8, 15);
    break;
  case Icon::Parallel:
    path.addRect(2, 6, 8, 8);
    line(2, 6, 6, 2);
    line(10, 6, 14, 2);
    line(10, 14, 14, 10);
    path.moveTo(6, 2);
    path.lineTo(14, 2);
    path.lineTo(14, 10);
    break;
  case Icon::Ruler:
    path.moveTo(1.5, 10.5);
    path.lineTo(10.5, 1.5);
    path.lineTo(14.5, 5.5);
    path.lineTo(5.5, 14.5);
    path.closeSubpath();
    line(4.5, 7.5, 6, 9);
    line(7, 5, 8.5, 6.5);
    line(9.5, 2.5, 11, 4);
    break;
  case Icon::Spread:
    line(1.5, 8, 6, 8);
    line(14.5, 8, 10, 8);
    path.moveTo(4, 5.5);
    path.lineTo(1.5, 8);
    path.lineTo(4, 10.5);
    path.moveTo(12, 5.5);
    path.lineTo(14.5, 8);
    path.lineTo(12, 10.5);
    line(8, 3, 8, 13);
    break;
  }
  return path;
}

QPixmap paintIcon(Icon icon, const QColor& color, int size)
{
  QPixmap pixmap(size, size);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.scale(size / 16.0, size / 16.0);
  painter.setPen(QPen(color, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.drawPath(outline(icon));
  return pixmap;
}

} // namespace

QIcon makeIcon(Icon icon)
{
  QIcon result;
  QColor disabled = theme().secondaryText;
  disabled.setAlpha(110);
  for (const int size : {16, 24, 32, 48}) {
    result.addPixmap(paintIcon(icon, theme().text, size), QIcon::Normal);
    result.addPixmap(paintIcon(icon, disabled, size), QIcon::Disabled);
  }
  return result;
}

} // namespace hinesight::widgets
