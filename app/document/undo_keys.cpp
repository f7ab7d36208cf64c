#include "app/document/undo_keys.hpp"

#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QKeyEvent>
#include <QLineEdit>

namespace hinesight::app {

UndoKeys::UndoKeys(QObject* parent) : QObject(parent)
{
  qApp->installEventFilter(this);
}

namespace {

/// Whether a field has something of its own for the key.
bool hasOwn(const QObject& field, bool undoes)
{
  if (const auto* number = qobject_cast<const QDoubleSpinBox*>(&field))
    return number->cleanText() != number->textFromValue(number->value()); // it is being typed
  const auto* combo = qobject_cast<const QComboBox*>(&field);
  const auto* line = combo ? combo->lineEdit() : qobject_cast<const QLineEdit*>(&field);
  return !line || (undoes ? line->isUndoAvailable() : line->isRedoAvailable());
}

bool isField(const QObject& object)
{
  const auto* combo = qobject_cast<const QComboBox*>(&object);
  return qobject_cast<const QLineEdit*>(&object) || qobject_cast<const QDoubleSpinBox*>(&object) ||
         (combo && combo->lineEdit());
}

} // namespace

/// An event that is left unaccepted says that the key is a shortcut here.
bool UndoKeys::eventFilter(QObject* watched, QEvent* event)
{
  if (event->type() != QEvent::ShortcutOverride)
    return false;
  const auto& key = static_cast<QKeyEvent&>(*event);
  const bool undoes = key.matches(QKeySequence::Undo);
  if (!undoes && !key.matches(QKeySequence::Redo))
    return false;
  if (!isField(*watched) || hasOwn(*watched, undoes))
    return false;
  event->ignore();
  return true;
}

} // namespace hinesight::app
