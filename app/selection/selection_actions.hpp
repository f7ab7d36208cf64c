#pragma once

#include "widgets/selection_outline.hpp"

#include <QList>
#include <QObject>

class QAction;

namespace hinesight::app {

class BranchSelection;

/// What can be done to the selected branches, and the sets that can be kept, as actions for menus. Those that would
/// have no effect are disabled.
class SelectionActions : public QObject
{
  Q_OBJECT

public:
  SelectionActions(BranchSelection* selection, QObject* parent);

  const QList<QAction*>& all() const { return actions; }

signals:
  void whereRequested();   ///< an expression is to be written
  void neuronsRequested(); ///< the same, about neurons and synapses
  /// The next drag is to draw that.
  void areaRequested(hinesight::widgets::AreaShape shape);
  void saveRequested();      ///< a name is to be asked for
  void saveCellsRequested(); ///< the same

private:
  void refresh();

  BranchSelection* selection;
  QList<QAction*> actions;
  QList<QAction*> ofSelected; ///< of no use where nothing is selected
  QAction* previous = nullptr;
  QAction* showAll = nullptr;
  QAction* invert = nullptr;
  QAction* where = nullptr;
  QAction* box = nullptr;
  QAction* lasso = nullptr;
  QAction* saveCells = nullptr;
};

} // namespace hinesight::app
