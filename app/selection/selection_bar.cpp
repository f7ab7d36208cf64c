#include "app/selection/selection_bar.hpp"

#include "app/selection/branch_selection.hpp"
#include "app/selection/expression_edit.hpp"
#include "app/selection/mistake_label.hpp"
#include "app/selection/selection_actions.hpp"
#include "app/selection/set_box.hpp"
#include "selection/expression.hpp"
#include "widgets/elided_label.hpp"
#include "widgets/theme.hpp"

#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kLeastExpression = 160; // pixels

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
    : QWidget(parent), selection(chosen), where(new ExpressionEdit(this)), count(new widgets::ElidedLabel(this)),
      inChosen(new QToolButton(this)), sets(new SetBox(
                                           chosen,
                                           [](const selection::NamedSelection& set) {
                                             return !set.cells.empty() || set.of == selection::SetKind::Branches;
                                           },
                                           this)),
      mistake(new MistakeLabel(where, this))
{
  setObjectName(QStringLiteral("selectionBar"));
  where->setObjectName(QStringLiteral("selectWhere"));
  where->setPlaceholderText(tr("Select where: type == axon && length > 100"));
  where->setToolTip(tr("Selects the branches for which this is true. Fields: %1. Types: %2. Lengths are in µm.")
                        .arg(namesOf(selection::branchFields(), &selection::BranchField::name),
                             namesOf(selection::typeWords(), &selection::TypeWord::word)));
  where->setClearButtonEnabled(true);
  where->setMinimumWidth(kLeastExpression);
  count->setObjectName(QStringLiteral("selectionCount"));
  count->setToolTip(
      tr("Selected branches of those of so many open cells: of all, or of those that are shown or chosen. "
         "Then the length of the selected ones, µm, as Measure has it: without the segments that join "
         "neurites with the soma. The root of a tree, such as a soma, is one more than the branches that "
         "the list of cells counts."));
  inChosen->setObjectName(QStringLiteral("selectInChosen"));
  inChosen->setText(tr("In chosen cells"));
  inChosen->setCheckable(true);
  inChosen->setToolTip(
      tr("Select where the expression is true in the cells that are chosen in the list only, as far as they are shown, "
         "not in all open ones. A set that is saved then has the expression within these cells, by their names."));
  sets->setObjectName(QStringLiteral("selectionSets"));
  sets->setToolTip(tr("Select the branches of a set that was kept, or choose its cells in the list; rename or remove "
                      "a set"));
  mistake->setObjectName(QStringLiteral("selectionMistake"));

  auto* menu = new QMenu(this);
  menu->addActions(actions->all());
  auto* work = new QToolButton(this);
  work->setObjectName(QStringLiteral("selectionMenu"));
  work->setText(tr("Selection"));
  work->setToolTip(tr("What can be done to the selected branches"));
  work->setMenu(menu);
  work->setPopupMode(QToolButton::InstantPopup);
  auto* done = new QToolButton(this);
  done->setObjectName(QStringLiteral("closeSelection"));
  done->setText(QStringLiteral("✕"));
  done->setAutoRaise(true);
  done->setToolTip(tr("Select nothing, show all branches, and close this bar"));

  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  row->addWidget(where, 1);
  row->addWidget(inChosen);
  row->addWidget(work);
  row->addWidget(sets);
  row->addWidget(done);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 5, 8, 5);
  column->setSpacing(2);
  column->addLayout(row);
  column->addWidget(count); // a line of its own: beside the field there is no room for it in a small window
  column->addWidget(mistake);
  setFocusProxy(where);

  connect(where, &QLineEdit::textEdited, this, &SelectionBar::takeText);
  connect(where, &QLineEdit::returnPressed, this, [this] { takeText(where->text()); });
  connect(where, &QLineEdit::textChanged, this, [this](const QString& text) {
    if (text.isEmpty())
      mistake->forget();
  });
  connect(inChosen, &QToolButton::toggled, selection, &BranchSelection::setInChosenCells);
  connect(selection, &BranchSelection::inChosenChanged, inChosen, &QToolButton::setChecked);
  connect(sets, &SetBox::refused, this, [this](const QString& expression) {
    where->setText(expression);
    takeText(expression);
  });
  connect(done, &QToolButton::clicked, this, &SelectionBar::close);
  connect(actions, &SelectionActions::whereRequested, this, &SelectionBar::openForText);
  connect(actions, &SelectionActions::saveRequested, this,
          [this] { askForName(tr("Save selection as set"), &BranchSelection::saveAs); });
  connect(actions, &SelectionActions::saveCellsRequested, this,
          [this] { askForName(tr("Save chosen cells as set"), &BranchSelection::saveCellsAs); });
  connect(selection, &BranchSelection::changed, this, &SelectionBar::refresh);
  connect(selection, &BranchSelection::sceneChanged, this, &SelectionBar::refreshVisible);
  refresh();
}

void SelectionBar::setUseful(bool useful)
{
  isUseful = useful;
  refreshVisible();
}

void SelectionBar::refreshVisible()
{
  const widgets::BranchChoice& choice = selection->choice();
  // It stays, because a canvas that changes its size moves what is under the pointer.
  isOpen = isOpen || choice.selected.size() > 1 || !choice.hidden.isEmpty();
  const bool isSeen = isUseful && isOpen && selection->hasBranches();
  if (isSeen)
    refreshCount();
  setVisible(isSeen);
}

void SelectionBar::openForText()
{
  isOpen = true;
  refreshVisible();
  where->setFocus(Qt::ShortcutFocusReason);
  where->selectAll();
}

void SelectionBar::close()
{
  where->clear();
  selection->showAll();
  selection->clear();
  isOpen = false;
  refreshVisible();
}

/// While the text is wrong, what was selected stays.
void SelectionBar::takeText(const QString& text)
{
  mistake->forget();
  if (text.trimmed().isEmpty())
    return selection->clear();
  try {
    selection->selectWhere(text.toStdString());
  } catch (const selection::ExpressionError& error) {
    mistake->say(error);
  }
}

/// A selection that was not made by the text takes the text away, and so does the end of one that was. What is being
/// written and selects nothing yet stays.
void SelectionBar::refresh()
{
  const QString expression = QString::fromStdString(selection->expression());
  const bool ended = !std::exchange(shownExpression, expression).isEmpty() && expression.isEmpty();
  const bool isSelected = !selection->choice().selected.isEmpty();
  if (expression != where->text() && (!expression.isEmpty() || isSelected || ended)) {
    where->setText(expression);
    mistake->forget();
  }
  refreshVisible();
}

/// Which needs the figures of all branches: only where it is seen.
void SelectionBar::refreshCount()
{
  count->setText(selection->summary());
  inChosen->setVisible(selection->cells() > 1);
}

/// The bar stays open then: it lists the sets.
void SelectionBar::askForName(const QString& title, void (BranchSelection::*save)(const QString& name))
{
  auto* dialog = new QInputDialog(this);
  dialog->setObjectName(QStringLiteral("setNameDialog"));
  dialog->setWindowTitle(title);
  dialog->setLabelText(tr("Name of the set"));
  dialog->setTextValue(tr("set %1").arg(selection->sets().size() + 1));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QInputDialog::textValueSelected, this, [this, save](const QString& name) {
    (selection->*save)(name);
    isOpen = true;
    refreshVisible();
  });
  dialog->open();
}

} // namespace hinesight::app
