#pragma once

#include <QColor>
#include <QIcon>
#include <QListWidget>
#include <QPixmap>
#include <QPushButton>
#include <QString>

namespace hinesight::app {

// What the lists of populations and of connections have in common.

/// Entries of two lines with room around them; long lines are cut, and the list scrolls, so that the window fits a
/// small screen.
inline void styleCircuitList(QListWidget* list, const char* name)
{
  constexpr int kLeastHeight = 28;
  list->setObjectName(QLatin1String(name));
  list->setMinimumHeight(kLeastHeight);
  list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list->setTextElideMode(Qt::ElideMiddle);
  list->setStyleSheet(
      QStringLiteral("QListWidget::item { padding: 4px 0px; border-left: 10px solid transparent; }"
                     "QListWidget::item:selected { background: palette(highlight); color: palette(highlighted-text); "
                     "border-left-color: palette(highlight); }"));
}

/// A square of a colour, beside a name.
inline QIcon colourMark(const QColor& colour)
{
  constexpr int kSide = 32; // as sharp on a screen of ratio 2
  QPixmap mark(kSide, kSide);
  mark.fill(colour);
  return mark;
}

inline QPushButton* makeCircuitButton(const char* name, const QString& text, const QString& tip)
{
  auto* button = new QPushButton(text);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(tip);
  return button;
}

} // namespace hinesight::app
