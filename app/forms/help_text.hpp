#pragma once

#include <QString>

class QWidget;

namespace hinesight::app {

/// What the help for what is under the mouse (F1) says of a part of the window.
struct HelpText
{
  QString title;
  QString text;      ///< plain; a line is a paragraph
  QString section{}; ///< of the user guide; where it is empty, that of the part that this one stands in

  bool operator==(const HelpText&) const = default;
};

/// Says it of a widget and of all in it that say nothing of themselves.
void describe(QWidget* widget, const HelpText& help);
/// Of the nearest that says something: the widget itself by what was described or by its tooltip, else what it stands
/// in.
HelpText helpOf(const QWidget& widget);

} // namespace hinesight::app
