#include "app/selection/selection_actions.hpp"

#include "app/selection/branch_selection.hpp"
#include "app/shell/action_icon.hpp"

#include <QAction>

namespace hinesight::app {

SelectionActions::SelectionActions(BranchSelection* chosen, QObject* parent) : QObject(parent), selection(chosen)
{
  const auto add = [this](const char* name, const QString& text, const QKeySequence& key, const QString& help) {
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(key);
    action->setToolTip(help);
    action->setStatusTip(help);
    actions << action;
    return action;
  };
  const auto addOfSelected = [&](const char* name, const QString& text, const QKeySequence& key, const QString& help,
                                 void (BranchSelection::*work)()) {
    QAction* action = add(name, text, key, help);
    connect(action, &QAction::triggered, selection, work);
    ofSelected << action;
    return action;
  };
  const auto separate = [this] {
    auto* separator = new QAction(this);
    separator->setSeparator(true);
    actions << separator;
  };
  where = add("selectWhereAction", tr("Select &where…"), {Qt::CTRL | Qt::Key_F},
              tr("Select the branches for which an expression is true"));
  connect(where, &QAction::triggered, this, &SelectionActions::whereRequested);
  QAction* neurons = add("selectNeuronsAction", tr("&Find neurons where…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_F},
                         tr("Select the neurons of the circuit, or the synapses of a connection, for which an "
                            "expression is true"));
  neurons->setIcon(actionIcon(QStringLiteral("selectWhereAction")));
  connect(neurons, &QAction::triggered, this, &SelectionActions::neuronsRequested);
  box = add("selectBoxAction", tr("Select by bo&x"), {Qt::CTRL | Qt::SHIFT | Qt::Key_B},
            tr("Draw a box with the next drag of the left button, and select the branches in it; a drag with Shift "
               "does so at any time"));
  connect(box, &QAction::triggered, this, [this] { emit areaRequested(widgets::AreaShape::Box); });
  lasso = add("selectLassoAction", tr("Selec&t by lasso"), {Qt::CTRL | Qt::SHIFT | Qt::Key_L},
              tr("Draw a loop by hand with the next drag of the left button, and select the branches in it; a drag of "
                 "the right button with Shift does so at any time"));
  connect(lasso, &QAction::triggered, this, [this] { emit areaRequested(widgets::AreaShape::Loop); });
  previous = add("previousSelectionAction", tr("Pr&evious selection"), {Qt::ALT | Qt::Key_Left},
                 tr("Select what was selected before"));
  connect(previous, &QAction::triggered, selection, &BranchSelection::selectPrevious);
  invert = add("invertAction", tr("&Invert selection"), {Qt::CTRL | Qt::Key_I},
               tr("Select the branches that are neither selected nor hidden"));
  connect(invert, &QAction::triggered, selection, &BranchSelection::invert);
  addOfSelected("subtreeAction", tr("Add su&btrees"), {Qt::CTRL | Qt::Key_B},
                tr("Select also all branches that hang on the selected ones"), &BranchSelection::addSubtrees);
  addOfSelected("pathToSomaAction", tr("Add &paths to soma"), {Qt::CTRL | Qt::Key_P},
                tr("Select also the branches between the selected ones and the soma"),
                &BranchSelection::addPathsToSoma);
  addOfSelected("hostAction", tr("Go to h&ost branches"), {Qt::CTRL | Qt::Key_U},
                tr("Select the branches that the selected ones hang on, in their place"), &BranchSelection::goToHosts);
  separate();
  addOfSelected("hideBranchesAction", tr("&Hide selected"), {Qt::CTRL | Qt::Key_H},
                tr("Draw the selected branches no more, and deselect them; they are still solved"),
                &BranchSelection::hide);
  addOfSelected("isolateAction", tr("Iso&late selected"), {Qt::CTRL | Qt::SHIFT | Qt::Key_I},
                tr("Draw only the selected branches; the others are still solved"), &BranchSelection::isolate);
  showAll = add("showAllBranchesAction", tr("Show &all branches"), {Qt::CTRL | Qt::SHIFT | Qt::Key_H},
                tr("Draw also the branches that are hidden, and select again what hiding deselected"));
  connect(showAll, &QAction::triggered, selection, &BranchSelection::showAll);
  separate();
  QAction* save =
      add("saveSetAction", tr("Sa&ve selection as set…"), {},
          tr("Keep the expression that selected the branches under a name, or the numbers of those that were picked"));
  connect(save, &QAction::triggered, this, &SelectionActions::saveRequested);
  ofSelected << save;
  saveCells = add("saveCellSetAction", tr("Save chose&n cells as set…"), {},
                  tr("Keep the cells that are chosen in the list under a name"));
  saveCells->setIcon(actionIcon(QStringLiteral("saveSetAction")));
  connect(saveCells, &QAction::triggered, this, &SelectionActions::saveCellsRequested);
  connect(selection, &BranchSelection::changed, this, &SelectionActions::refresh);
  connect(selection, &BranchSelection::sceneChanged, this, &SelectionActions::refresh);
  connect(selection, &BranchSelection::chosenFilesChanged, this, &SelectionActions::refresh);
  refresh();
}

void SelectionActions::refresh()
{
  const widgets::BranchChoice& choice = selection->choice();
  for (QAction* action : ofSelected)
    action->setEnabled(!choice.selected.isEmpty());
  saveCells->setEnabled(selection->hasChosenFiles());
  showAll->setEnabled(!choice.hidden.isEmpty());
  previous->setEnabled(selection->hasPrevious());
  const bool any = selection->hasBranches();
  for (QAction* action : {invert, where, box, lasso})
    action->setEnabled(any);
}

} // namespace hinesight::app
