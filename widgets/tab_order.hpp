#pragma once

#include <QWidget>

namespace hinesight::widgets {

/// Places a control directly before another of its window in the order of Tab, which is else that in which they were
/// made.
inline void putBeforeByTab(QWidget* control, QWidget* next)
{
  QWidget::setTabOrder(next, control); // which moves the second one behind the first one
  QWidget::setTabOrder(control, next);
}

} // namespace hinesight::widgets
