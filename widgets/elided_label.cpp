#include "widgets/elided_label.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

namespace hinesight::widgets {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent)
{
  setTextFormat(Qt::PlainText);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

QString ElidedLabel::shownText() const
{
  return fontMetrics().elidedText(text(), Qt::ElideRight, width());
}

bool ElidedLabel::event(QEvent* event)
{
  if (event->type() == QEvent::ToolTip && toolTip().isEmpty() && shownText() != text()) {
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text(), this);
    return true;
  }
  return QLabel::event(event);
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  style()->drawItemText(&painter, rect(), Qt::AlignVCenter | Qt::AlignLeft, palette(), isEnabled(), shownText(),
                        foregroundRole());
}

} // namespace hinesight::widgets
