#include "widgets/rings.hpp"

#include "widgets/theme.hpp"

#include <QPainter>
#include <QRect>

namespace hinesight::widgets {

namespace {

constexpr double kRingWidth = 2.5; // pixels
constexpr std::size_t kMostRings = 200;
constexpr int kSquare = 5; // pixels

} // namespace

void paintRings(QPainter& painter, const std::vector<QPointF>& middles, double radius)
{
  painter.save();
  if (middles.size() <= kMostRings) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().selection, kRingWidth));
    for (const QPointF& middle : middles)
      painter.drawEllipse(middle, radius, radius);
  } else {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().selection);
    QVector<QRect> squares;
    for (const QPointF& middle : middles)
      squares << QRect(middle.toPoint() - QPoint(kSquare / 2, kSquare / 2), QSize(kSquare, kSquare));
    painter.drawRects(squares);
  }
  painter.restore();
}

} // namespace hinesight::widgets
