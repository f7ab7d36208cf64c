#include "app/selection/selection_actions.hpp"

#include "app/selection/branch_selection.hpp"
#include "app/shell/action_icon.hpp"

#include <QAction>

namespace hinesight::app {

SelectionActions::SelectionActions(BranchSelection* ofCells, QObject* parent)
    : QObject(parent), branches(ofCells), seen(ofCells)
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
  const auto addOfSeen = [&](const char* name, const QString& text, const QKeySequence& key, const QString& help,
                             void (SelectionModel::*work)()) {
    QAction* action = add(name, text, key, help);
    connect(action, &QAction::triggered, this, [this, work] {
      SelectionModel& model = *seen;
      (model.*work)();
    });
    return action;
  };
  const auto addOfBranches = [&](const char* name, const QString& text, const QKeySequence& key, const QString& help,
                                 void (BranchSelection::*work)()) {
    QAction* action = add(name, text, key, help);
    connect(action, &QAction::triggered, branches, work);
    ofBranches << action;
  };
  const auto separate = [this] {
    auto* separator = new QAction(this);
    separator->setSeparator(true);
    actions << separator;
  };
  where = add("selectWhereAction", tr("Select &where…"), {Qt::CTRL | Qt::Key_F},
              tr("Select the branches, on a page of the circuit the neurons, for which an expression is true"));
  connect(where, &QAction::triggered, this,
          [this] { areBranchesSeen() ? emit whereRequested() : emit neuronsRequested(); });
  QAction* neurons = add("selectNeuronsAction", tr("&Find neurons where…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_F},
                         tr("Select the neurons of the circuit, or the synapses of a connection, for which an "
                            "expression is true"));
  neurons->setIcon(actionIcon(QStringLiteral("selectWhereAction")));
  connect(neurons, &QAction::triggered, this, &SelectionActions::neuronsRequested);
  box = add("selectBoxAction", tr("Select by bo&x"), {Qt::CTRL | Qt::SHIFT | Qt::Key_B},
            tr("Draw a box with the next drag of the left button, and select the branches or neurons in it; a drag "
               "with Shift does so at any time"));
  connect(box, &QAction::triggered, this, [this] { emit areaRequested(widgets::AreaShape::Box); });
  lasso = add("selectLassoAction", tr("Selec&t by lasso"), {Qt::CTRL | Qt::SHIFT | Qt::Key_L},
              tr("Draw a loop by hand with the next drag of the left button, and select the branches or neurons in it; "
                 "a drag of the right button with Shift does so at any time"));
  connect(lasso, &QAction::triggered, this, [this] { emit areaRequested(widgets::AreaShape::Loop); });
  none =
      addOfSeen("deselectAction", tr("Select none"), {Qt::Key_Escape},
                tr("Deselect all branches, on a page of the circuit all neurons, when no job is running and no box or "
                   "lasso is to be drawn"),
                &SelectionModel::clear);
  previous = addOfSeen("previousSelectionAction", tr("Pr&evious selection"), {Qt::ALT | Qt::Key_Left},
                       tr("Select what was selected before"), &SelectionModel::selectPrevious);
  invert = addOfSeen("invertAction", tr("&Invert selection"), {Qt::CTRL | Qt::Key_I},
                     tr("Select the branches, or the neurons of the page, that are neither selected nor hidden"),
                     &SelectionModel::invert);
  addOfBranches("subtreeAction", tr("Add su&btrees"), {Qt::CTRL | Qt::Key_B},
                tr("Select also all branches that hang on the selected ones"), &BranchSelection::addSubtrees);
  addOfBranches("pathToSomaAction", tr("Add &paths to soma"), {Qt::CTRL | Qt::Key_P},
                tr("Select also the branches between the selected ones and the soma"),
                &BranchSelection::addPathsToSoma);
  addOfBranches("hostAction", tr("Go to h&ost branches"), {Qt::CTRL | Qt::Key_U},
                tr("Select the branches that the selected ones hang on, in their place"), &BranchSelection::goToHosts);
  separate();
  ofSelected << addOfSeen("hideBranchesAction", tr("&Hide selected"), {Qt::CTRL | Qt::Key_H},
                          tr("Draw the selected branches or neurons no more, and deselect them; they are still "
                             "computed"),
                          &SelectionModel::hide);
  ofSelected << addOfSeen("isolateAction", tr("Iso&late selected"), {Qt::CTRL | Qt::SHIFT | Qt::Key_I},
                          tr("Draw only the selected branches or neurons; the others are still computed"),
                          &SelectionModel::isolate);
  showAll = addOfSeen("showAllBranchesAction", tr("Show &all hidden"), {Qt::CTRL | Qt::SHIFT | Qt::Key_H},
                      tr("Draw also the branches or neurons that are hidden, and select again what hiding deselected"),
                      &SelectionModel::showAll);
  separate();
  QAction* save = add("saveSetAction", tr("Sa&ve selection as set…"), {},
                      tr("Keep the expression that selected the branches or neurons under a name, or the numbers of "
                         "those that were picked"));
  connect(save, &QAction::triggered, this,
          [this] { areBranchesSeen() ? emit saveRequested() : emit saveNeuronsRequested(); });
  ofSelected << save;
  saveCells = add("saveCellSetAction", tr("Save chose&n cells as set…"), {},
                  tr("Keep the cells that are chosen in the list under a name"));
  saveCells->setIcon(actionIcon(QStringLiteral("saveSetAction")));
  connect(saveCells, &QAction::triggered, this, &SelectionActions::saveCellsRequested);
  connect(branches, &SelectionModel::changed, this, &SelectionActions::refresh);
  connect(branches, &BranchSelection::sceneChanged, this, &SelectionActions::refresh);
  connect(branches, &BranchSelection::chosenFilesChanged, this, &SelectionActions::refresh);
  refresh();
}

void SelectionActions::setSeen(SelectionModel* shown)
{
  seen = shown;
  connect(seen, &SelectionModel::changed, this, &SelectionActions::refresh, Qt::UniqueConnection);
  refresh();
}

void SelectionActions::setEscapeClears(bool clears)
{
  escapeClears = clears;
  refresh();
}

bool SelectionActions::areBranchesSeen() const
{
  return seen == branches;
}

void SelectionActions::refresh()
{
  for (QAction* action : ofSelected)
    action->setEnabled(seen->isAnySelected());
  for (QAction* action : ofBranches)
    action->setEnabled(areBranchesSeen() && seen->isAnySelected());
  none->setEnabled(escapeClears && seen->isAnySelected());
  saveCells->setEnabled(branches->hasChosenFiles());
  showAll->setEnabled(seen->isAnyHidden());
  previous->setEnabled(seen->hasPrevious());
  const bool any = seen->hasAny();
  for (QAction* action : {invert, where, box, lasso})
    action->setEnabled(any);
}

} // namespace hinesight::app
