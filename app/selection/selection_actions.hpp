#pragma once

#include "widgets/selection_outline.hpp"

#include <QList>
#include <QObject>

class QAction;

namespace hinesight::app {

class BranchSelection;
class SelectionModel;

/// What can be done to what is selected, and the sets that can be kept, as actions for menus: to neurons of the circuit
/// as long as a page of it is seen, else to branches. Those that would have no effect are disabled.
class SelectionActions : public QObject
{
  Q_OBJECT

public:
  SelectionActions(BranchSelection* branches, QObject* parent);

  const QList<QAction*>& all() const { return actions; }
  /// What the page that is seen shows: the branches, or the neurons.
  void setSeen(SelectionModel* shown);
  /// Whether Escape, the key of "Select none", does that now, and nothing else.
  void setEscapeClears(bool clears);
  /// The page may show other things.
  void refresh();

signals:
  void whereRequested();   ///< an expression is to be written, about branches
  void neuronsRequested(); ///< the same, about neurons and synapses
  /// The next drag is to draw that.
  void areaRequested(hinesight::widgets::AreaShape shape);
  void saveRequested();        ///< a name is to be asked for, of a set of branches
  void saveNeuronsRequested(); ///< the same
  void saveCellsRequested();   ///< the same

private:
  bool areBranchesSeen() const;

  BranchSelection* branches;
  SelectionModel* seen; ///< what the actions work on
  QList<QAction*> actions;
  QList<QAction*> ofSelected; ///< of no use where nothing is selected
  QList<QAction*> ofBranches; ///< the same, and where no branches are seen
  QAction* none = nullptr;
  QAction* previous = nullptr;
  QAction* showAll = nullptr;
  QAction* invert = nullptr;
  QAction* where = nullptr;
  QAction* box = nullptr;
  QAction* lasso = nullptr;
  QAction* saveCells = nullptr;
  bool escapeClears = true;
};

} // namespace hinesight::app
