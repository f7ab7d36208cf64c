#pragma once

#include "layout_faults.hpp"
#include "text_faults.hpp"

#include <QStringList>
#include <QWidget>

#include <vector>

namespace hinesight::app {

/// Finds what a person cannot read of a window as it stands: what LayoutFaults and TextFaults find, in one walk.
class WindowFaults
{
public:
  static QStringList in(const QWidget& window)
  {
    WindowFaults faults(window);
    faults.visit(window, true);
    return faults.layout.found() + faults.texts.found();
  }

private:
  explicit WindowFaults(const QWidget& window) : layout(window), texts(window) {}

  /// Parts of controls, and of what has no size, are laid out by these.
  void visit(const QWidget& parent, bool isLaidOut)
  {
    std::vector<QWidget*> shown;
    for (QObject* child : parent.children())
      if (auto* widget = qobject_cast<QWidget*>(child); widget && !widget->isWindow() && widget->isVisible())
        shown.push_back(widget);
    if (isLaidOut)
      layout.look(shown);
    for (QWidget* widget : shown) {
      if (!widget->size().isEmpty())
        texts.look(*widget);
      visit(*widget, isLaidOut && !widget->size().isEmpty() && !LayoutFaults::isControl(*widget));
    }
  }

  LayoutFaults layout;
  TextFaults texts;
};

} // namespace hinesight::app
