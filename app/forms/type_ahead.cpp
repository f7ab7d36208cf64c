#include "app/forms/type_ahead.hpp"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>

namespace hinesight::app {

namespace {

/// What a key types into a search; empty for keys that type nothing.
QString letterOf(const QKeyEvent& key)
{
  const bool isTyped = (key.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == Qt::NoModifier;
  return isTyped && !key.text().isEmpty() && key.text().front().isPrint() ? key.text() : QString();
}

bool hasRows(const QAbstractItemView& list)
{
  return list.model() && list.model()->rowCount(list.rootIndex()) > 0;
}

} // namespace

TypeAhead::TypeAhead(QObject* parent) : QObject(parent)
{
  qApp->installEventFilter(this);
}

/// Accepted, the event says that the key is no shortcut here.
bool TypeAhead::eventFilter(QObject* watched, QEvent* event)
{
  if (event->type() != QEvent::ShortcutOverride)
    return false;
  const QString letter = letterOf(static_cast<QKeyEvent&>(*event));
  if (letter.isEmpty() || !belongsTo(watched, letter))
    return false;
  event->accept();
  return true;
}

bool TypeAhead::belongsTo(QObject* watched, const QString& letter)
{
  if (const auto* list = qobject_cast<QAbstractItemView*>(watched))
    return hasRows(*list);
  auto* combo = qobject_cast<QComboBox*>(watched);
  return combo && belongsToName(*combo, letter);
}

bool TypeAhead::belongsToName(QComboBox& combo, const QString& letter)
{
  const bool goesOn = lastCombo == &combo && sinceLetter.elapsed() < QApplication::keyboardInputInterval();
  if (!goesOn && combo.findText(letter, Qt::MatchStartsWith) < 0)
    return false;
  lastCombo = &combo;
  sinceLetter.start();
  return true;
}

} // namespace hinesight::app
