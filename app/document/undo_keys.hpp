#pragma once

#include <QObject>

namespace hinesight::app {

/// Lets Ctrl+Z and Ctrl+Shift+Z reach the window's history though a field has the focus: a line of text takes them for
/// itself only while it has something of its own to undo or do again.
class UndoKeys : public QObject
{
  Q_OBJECT

public:
  /// Watches all fields of the program for as long as it lives.
  explicit UndoKeys(QObject* parent);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace hinesight::app
