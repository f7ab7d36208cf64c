#include "widgets/elided_label.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

#include <algorithm>

namespace hinesight::widgets {

namespace {

constexpr int kLeastLetters = 8;     ///< with fewer nothing is painted
constexpr int kReadableLetters = 14; ///< of a longer part, both ends can be read

} // namespace

ElidedLabel::ElidedLabel(QWidget* parent, Qt::TextElideMode where) : QLabel(parent), mode(where)
{
  setTextFormat(Qt::PlainText);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

QString ElidedLabel::shownText() const
{
  const int room = contentsRect().width();
  const QString parts = leavesOutParts ? withoutParts(room) : text();
  const bool saysAnything = room >= fontMetrics().horizontalAdvance(parts.left(kLeastLetters));
  return saysAnything ? fontMetrics().elidedText(parts, mode, room) : QString();
}

int ElidedLabel::readableWidth() const
{
  constexpr int kRounded = 1; // fractions of a pixel that an advance may leave out
  const QString part = leavesOutParts ? withoutParts(0) : text();
  return part.isEmpty() ? 0 : fontMetrics().horizontalAdvance(part.left(kReadableLetters)) + kRounded;
}

/// As many as there is room for, or the first.
QString ElidedLabel::withoutParts(int room) const
{
  QString parts = text();
  while (fontMetrics().elidedText(parts, mode, room) != parts) {
    const qsizetype end = std::max(parts.lastIndexOf(QLatin1String(", ")), parts.lastIndexOf(QLatin1String("; ")));
    if (end <= 0)
      break;
    parts.truncate(end);
  }
  return parts;
}

QSize ElidedLabel::minimumSizeHint() const
{
  return {0, QLabel::minimumSizeHint().height()};
}

bool ElidedLabel::event(QEvent* event)
{
  if (event->type() == QEvent::ToolTip && toolTip().isEmpty() && shownText() != text()) {
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text(), this);
    return true;
  }
  return QLabel::event(event);
}

/// As any label where it fits, so that it can be marked with the mouse.
void ElidedLabel::paintEvent(QPaintEvent* event)
{
  if (shownText() == text()) {
    QLabel::paintEvent(event);
    return;
  }
  QPainter painter(this);
  style()->drawItemText(&painter, contentsRect(), Qt::AlignVCenter | Qt::AlignLeft, palette(), isEnabled(), shownText(),
                        foregroundRole());
}

QString shortened(const QString& name)
{
  constexpr qsizetype kMostLetters = 28;
  constexpr qsizetype kEnd = kMostLetters / 2 - 1;
  return name.size() <= kMostLetters ? name : name.left(kEnd) + QChar(0x2026) + name.right(kEnd);
}

} // namespace hinesight::widgets
