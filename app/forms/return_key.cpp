#include "app/forms/return_key.hpp"

#include "app/forms/parameter_row.hpp"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QDialog>
#include <QKeyEvent>
#include <QPushButton>

#include <utility>

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

/// Of a dialog, which gets the key once the field has ended its edit. With Ctrl it is seen before, since a table that
/// edits a cell keeps it.
class ReturnKey : public QObject
{
public:
  ReturnKey(QDialog* ofFields, QPushButton* pressed) : QObject(ofFields), dialog(ofFields), button(pressed)
  {
    qApp->installEventFilter(this);
  }

  bool eventFilter(QObject* watched, QEvent* event) override
  {
    const auto* widget = event->type() == QEvent::KeyPress ? qobject_cast<QWidget*>(watched) : nullptr;
    if (!widget || widget->window() != dialog)
      return false;
    const auto* pressed = static_cast<QKeyEvent*>(event);
    if (pressed->key() != Qt::Key_Return && pressed->key() != Qt::Key_Enter)
      return false;
    if (!pressed->modifiers().testFlag(Qt::ControlModifier))
      return widget == dialog && isInField(dialog->focusWidget());
    pressSoon();
    return widget == dialog;
  }

private:
  /// Once the cell of a table has taken what was typed, which it does when what has happened so far is done.
  void pressSoon()
  {
    if (std::exchange(isPressed, true))
      return;
    const auto press = [this] {
      isPressed = false;
      button->click();
    };
    const auto wait = [this, press] { QMetaObject::invokeMethod(this, press, Qt::QueuedConnection); };
    QMetaObject::invokeMethod(this, wait, Qt::QueuedConnection);
  }

  QDialog* dialog;
  QPushButton* button;
  bool isPressed = false; ///< or will be soon
};

} // namespace

void keepReturnInFields(QDialog* dialog, QPushButton* button)
{
  new ReturnKey(dialog, button);
}

} // namespace hinesight::app
