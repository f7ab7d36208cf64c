#include "app/forms/return_key.hpp"

#include "app/forms/parameter_row.hpp"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QDialog>
#include <QKeyEvent>
#include <QPushButton>

namespace hinesight::app {

namespace {

bool isInField(const QWidget* focused)
{
  for (const QWidget* widget = focused; widget && !widget->isWindow(); widget = widget->parentWidget())
    if (qobject_cast<const QAbstractSpinBox*>(widget) || qobject_cast<const ParameterRow*>(widget) ||
        qobject_cast<const QAbstractItemView*>(widget))
      return true;
  return false;
}

/// Of a dialog, which gets the key once the field has ended its edit.
class ReturnKey : public QObject
{
public:
  ReturnKey(QDialog* ofFields, QPushButton* pressed) : QObject(ofFields), dialog(ofFields), button(pressed)
  {
    dialog->installEventFilter(this);
  }

  bool eventFilter(QObject* watched, QEvent* event) override
  {
    if (watched != dialog || event->type() != QEvent::KeyPress)
      return false;
    const auto* pressed = static_cast<QKeyEvent*>(event);
    const bool isReturn = pressed->key() == Qt::Key_Return || pressed->key() == Qt::Key_Enter;
    const bool isWithCtrl = pressed->modifiers().testFlag(Qt::ControlModifier);
    if (!isReturn || (!isWithCtrl && !isInField(dialog->focusWidget())))
      return false;
    if (isWithCtrl) // once the cell of a table has taken what was typed
      QMetaObject::invokeMethod(button, &QPushButton::click, Qt::QueuedConnection);
    return true;
  }

private:
  QDialog* dialog;
  QPushButton* button;
};

} // namespace

void keepReturnInFields(QDialog* dialog, QPushButton* button)
{
  new ReturnKey(dialog, button);
}

} // namespace hinesight::app
