#pragma once

#include <QColor>
#include <QIcon>
#include <QListWidget>
#include <QPixmap>
#include <QPushButton>
#include <QString>

namespace hinesight::app {

// What the lists of populations and of connections have in common.

/// The second line of an entry, where its text is the first one alone.
inline constexpr int kCircuitDescription = Qt::UserRole;

/// Entries of two lines with room around them. Where there is little, a name loses its middle and the line below its
/// end: figures stand first there. The list scrolls, so that the window fits a small screen.
void styleCircuitList(QListWidget* list, const char* name);

/// A square of a colour, beside a name. Of a chosen entry too it has that very colour.
inline QIcon colourMark(const QColor& colour)
{
  constexpr int kSide = 32; // as sharp on a screen of ratio 2
  QPixmap mark(kSide, kSide);
  mark.fill(colour);
  QIcon icon(mark);
  icon.addPixmap(mark, QIcon::Selected);
  return icon;
}

inline QPushButton* makeCircuitButton(const char* name, const QString& text, const QString& tip)
{
  auto* button = new QPushButton(text);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(tip);
  return button;
}

} // namespace hinesight::app
