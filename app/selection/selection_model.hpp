#pragma once

#include <QObject>
#include <QString>

namespace hinesight::app {

/// What a person selects, and hides, of what pages draw: branches of cells, or neurons of the circuit. The commands of
/// the menu Edit work on the one that the page shows. To hide and to show are steps of the history, to select is none.
class SelectionModel : public QObject
{
  Q_OBJECT

public:
  using QObject::QObject;

  /// Whether there is anything to select.
  virtual bool hasAny() const = 0;
  virtual bool isAnySelected() const = 0;
  virtual bool isAnyHidden() const = 0;
  virtual bool hasPrevious() const = 0;

  /// What was selected before; what is hidden stays.
  virtual void selectPrevious() = 0;
  /// Selects nothing.
  virtual void clear() = 0;
  /// Selects what is neither selected nor hidden.
  virtual void invert() = 0;
  /// Draws what is selected no more, and selects nothing.
  virtual void hide() = 0;
  /// Hides all else.
  virtual void isolate() = 0;
  /// What is selected stays so; what hiding deselected is selected again, unless something else was selected since.
  virtual void showAll() = 0;

signals:
  void changed();
  /// A command is about to change what is hidden.
  void stepBegins();
  /// It has: a step of a person's work, in words.
  void stepMade(const QString& step);
};

} // namespace hinesight::app
