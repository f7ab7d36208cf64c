#include "app/selection/selection_bar.hpp"

#include "app/forms/help_text.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/selection/expression_edit.hpp"
#include "app/selection/mistake_label.hpp"
#include "app/selection/selection_actions.hpp"
#include "selection/expression.hpp"
#include "widgets/theme.hpp"

#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include <span>
#include <string_view>

namespace hinesight::app {

namespace {

/// "axon, soma", of a table.
template <typename Row>
QString namesOf(std::span<const Row> table, std::string_view Row::*name)
{
  QStringList names;
  for (const Row& row : table)
    names << widgets::inText(row.*name);
  return names.join(QStringLiteral(", "));
}

} // namespace

SelectionBar::SelectionBar(BranchSelection* chosen, SelectionActions* actions, QWidget* parent)
    : ExpressionBar(
          chosen,
          [](const selection::NamedSelection& set) {
            return !set.cells.empty() || set.of == selection::SetKind::Branches;
          },
          {.where = {"selectWhere",
                     tr("Selects the branches for which this is true. Fields: %1. Types: %2. Lengths are in µm. Up and "
                        "Down go through the expressions that were used before.")
                         .arg(namesOf(selection::branchFields(), &selection::BranchField::name),
                              namesOf(selection::typeWords(), &selection::TypeWord::word))},
           .count =
               {"selectionCount",
                tr("Selected branches, and the cells that have any, of all open cells or of those that are shown or "
                   "chosen. Then the length of the selected ones, µm, as Measure has it: without the segments that "
                   "join neurites with the soma. The root of a tree, such as a soma, is one more than the branches "
                   "that the list of cells counts.")},
           .mistake = {"selectionMistake"},
           .sets = {"selectionSets",
                    tr("Select the branches of a saved set, or choose its cells in the list; rename or remove "
                       "a set")},
           .done = {"closeSelection", tr("Select nothing, show all branches, and close this bar")}},
          parent),
      selection(chosen), inChosen(new QToolButton(this))
{
  setObjectName(QStringLiteral("selectionBar"));
  app::describe(this, {tr("Selection"), tr("Selects branches by an expression, and keeps what is selected as a set."),
                       QStringLiteral("Selection")});
  where->setPlaceholderText(tr("Select where: type == axon && length > 100"));
  inChosen->setObjectName(QStringLiteral("selectInChosen"));
  inChosen->setText(tr("In chosen cells"));
  inChosen->setCheckable(true);
  inChosen->setToolTip(
      tr("Select where the expression is true in the cells that are chosen in the list only, as far as they are shown, "
         "not in all open ones. A set that is saved then has the expression within these cells, by their names."));
  auto* menu = new QMenu(this);
  menu->addActions(actions->all());
  auto* work = new QToolButton(this);
  work->setObjectName(QStringLiteral("selectionMenu"));
  work->setText(tr("Selection"));
  work->setToolTip(tr("What can be done to the selected branches"));
  work->setMenu(menu);
  work->setPopupMode(QToolButton::InstantPopup);
  layOut({}, {inChosen, work});

  connect(inChosen, &QToolButton::toggled, selection, &BranchSelection::setInChosenCells);
  connect(selection, &BranchSelection::inChosenChanged, inChosen, &QToolButton::setChecked);
  connect(actions, &SelectionActions::whereRequested, this, &SelectionBar::openForText);
  connect(actions, &SelectionActions::saveRequested, this, [this] {
    askForName(tr("Save selection as set"), [this](const QString& name) { selection->saveAs(name); });
  });
  connect(actions, &SelectionActions::saveCellsRequested, this, [this] {
    askForName(tr("Save chosen cells as set"), [this](const QString& name) { selection->saveCellsAs(name); });
  });
  connect(selection, &SelectionModel::changed, this, &SelectionBar::refresh);
  connect(selection, &BranchSelection::sceneChanged, this, &SelectionBar::refreshOpen);
  connect(selection, &BranchSelection::tableMade, this, &SelectionBar::refreshOpen);
  refresh();
}

void SelectionBar::setUseful(bool useful)
{
  showsBranches = useful;
  refreshOpen();
}

bool SelectionBar::isUseful() const
{
  return showsBranches && selection->hasBranches();
}

/// It stays, because a canvas that changes its size moves what is under the pointer.
void SelectionBar::refreshOpen()
{
  if (selection->choice().selected.size() > 1 || selection->isAnyHidden())
    open();
  else
    refreshVisible();
}

void SelectionBar::reset()
{
  selection->showAll();
  selection->clear();
}

/// While the text is wrong, what was selected stays.
void SelectionBar::takeText()
{
  mistake->forget();
  if (where->text().trimmed().isEmpty())
    return selection->clear();
  try {
    selection->selectWhere(where->text().toStdString());
  } catch (const selection::ExpressionError& error) {
    mistake->say(error);
  }
}

void SelectionBar::refresh()
{
  showExpression(selection->expression(), selection->isAnySelected());
  refreshOpen();
}

/// Which needs the figures of all branches: only where it is seen.
void SelectionBar::refreshCount()
{
  count->setText(selection->summary());
  inChosen->setVisible(selection->cells() > 1);
}

} // namespace hinesight::app
