#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>

class QComboBox;
class QKeyEvent;

namespace hinesight::app {

/// Lets a person choose by typing a name although single letters are shortcuts of the window, which Qt asks first. A
/// list or table with the focus gets every letter, unless it is empty. A combo box with the focus gets each letter that
/// begins an entry or goes on with a name. Other keys stay shortcuts.
class TypeAhead : public QObject
{
  Q_OBJECT

public:
  /// Watches all lists and combo boxes of the program for as long as it lives.
  explicit TypeAhead(QObject* parent);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  bool belongsTo(QObject* watched, const QString& letter);
  bool belongsToName(QComboBox& combo, const QString& letter);

  QPointer<QComboBox> lastCombo; ///< that a name is being typed into
  QElapsedTimer sinceLetter;     ///< of that name
};

} // namespace hinesight::app
