#include "app/selection/selection_bar.hpp"

#include "app/selection/branch_selection.hpp"
#include "app/selection/expression_edit.hpp"
#include "app/selection/selection_actions.hpp"
#include "selection/expression.hpp"
#include "widgets/elided_label.hpp"
#include "widgets/theme.hpp"

#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
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

/// "interneurons (12 cells)", "axons".
QString labelOf(const selection::NamedSelection& set)
{
  const QString name = QString::fromStdString(set.name);
  if (set.cells.empty())
    return name;
  return (set.cells.size() == 1 ? SelectionBar::tr("%1 (%2 cell)") : SelectionBar::tr("%1 (%2 cells)"))
      .arg(name, widgets::formatNumber(static_cast<double>(set.cells.size())));
}

/// The expression, or the first cells.
QString contentOf(const selection::NamedSelection& set)
{
  constexpr std::size_t kMostNamed = 10;
  if (set.cells.empty())
    return QString::fromStdString(set.expression);
  QStringList names;
  for (std::size_t k = 0; k < std::min(set.cells.size(), kMostNamed); ++k)
    names << QFileInfo(QString::fromStdString(set.cells[k])).completeBaseName();
  const QString all = names.join(QStringLiteral(", "));
  return set.cells.size() <= kMostNamed ? all : SelectionBar::tr("%1, …").arg(all);
}

/// The number of characters that so many bytes of UTF-8 are.
int charactersIn(const QByteArray& text, std::size_t bytes)
{
  return static_cast<int>(QString::fromUtf8(text.left(static_cast<qsizetype>(bytes))).size());
}

} // namespace

SelectionBar::SelectionBar(BranchSelection* chosen, SelectionActions* actions, QWidget* parent)
    : QWidget(parent), selection(chosen), where(new ExpressionEdit(this)), count(new widgets::ElidedLabel(this)),
      inChosen(new QToolButton(this)), sets(new QComboBox(this)), mistake(new QLabel(this))
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
  mistake->setWordWrap(true);
  mistake->hide();

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
      showMistake({});
  });
  connect(inChosen, &QToolButton::toggled, selection, &BranchSelection::setInChosenCells);
  connect(selection, &BranchSelection::inChosenChanged, inChosen, &QToolButton::setChecked);
  connect(done, &QToolButton::clicked, this, &SelectionBar::close);
  connect(sets, &QComboBox::activated, this, &SelectionBar::chooseSet);
  connect(actions, &SelectionActions::whereRequested, this, &SelectionBar::openForText);
  connect(actions, &SelectionActions::saveRequested, this,
          [this] { askForName(tr("Save selection as set"), &BranchSelection::saveAs); });
  connect(actions, &SelectionActions::saveCellsRequested, this,
          [this] { askForName(tr("Save chosen cells as set"), &BranchSelection::saveCellsAs); });
  connect(selection, &BranchSelection::changed, this, &SelectionBar::refresh);
  connect(selection, &BranchSelection::sceneChanged, this, &SelectionBar::refreshVisible);
  connect(selection, &BranchSelection::setsChanged, this, &SelectionBar::refreshSets);
  refreshSets();
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
  const QByteArray expression = text.toUtf8();
  where->setMistake({});
  showMistake({});
  if (text.trimmed().isEmpty())
    return selection->clear();
  try {
    selection->selectWhere(expression.toStdString());
  } catch (const selection::ExpressionError& error) {
    where->setMistake(std::pair(charactersIn(expression, error.begin()), charactersIn(expression, error.end())));
    showMistake(QString::fromStdString(error.message()));
  }
}

/// Below the place that it is about, as far as there is room.
void SelectionBar::showMistake(const QString& sentence)
{
  mistake->setText(sentence);
  mistake->setVisible(!sentence.isEmpty());
  if (sentence.isEmpty())
    return where->setMistake({});
  const int room = width() - QFontMetrics(mistake->font()).horizontalAdvance(sentence) - 2 * where->x();
  mistake->setIndent(std::clamp(where->mistakeX(), 0, std::max(0, room)));
  QPalette palette = mistake->palette();
  palette.setColor(QPalette::WindowText, widgets::theme().warning);
  mistake->setPalette(palette);
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
    where->setMistake({});
    showMistake({});
  }
  refreshVisible();
}

/// Which needs the figures of all branches: only where it is seen.
void SelectionBar::refreshCount()
{
  count->setText(selection->summary());
  inChosen->setVisible(selection->cells() > 1);
}

void SelectionBar::refreshSets()
{
  sets->clear();
  sets->addItem(tr("Sets"));
  for (const selection::NamedSelection& set : selection->sets()) {
    sets->addItem(labelOf(set));
    sets->setItemData(sets->count() - 1, contentOf(set), Qt::ToolTipRole);
  }
  sets->addItem(tr("Rename a set…"));
  sets->addItem(tr("Remove a set…"));
  sets->setVisible(!selection->sets().empty());
}

void SelectionBar::chooseSet(int index)
{
  const int sizeOfSets = static_cast<int>(selection->sets().size());
  if (index == sizeOfSets + 1)
    askWhatToRename();
  else if (index > sizeOfSets)
    askWhatToRemove();
  else if (index > 0)
    selection->selectSet(static_cast<std::size_t>(index - 1));
  sets->setCurrentIndex(0);
}

void SelectionBar::askWhatToRename()
{
  auto* dialog = new QDialog(this);
  dialog->setObjectName(QStringLiteral("renameSetDialog"));
  dialog->setWindowTitle(tr("Rename a set"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  auto* which = new QComboBox(dialog);
  which->setObjectName(QStringLiteral("renamedSet"));
  which->setToolTip(tr("The set that gets another name"));
  for (const selection::NamedSelection& set : selection->sets())
    which->addItem(QString::fromStdString(set.name));
  auto* name = new QLineEdit(which->currentText(), dialog);
  name->setObjectName(QStringLiteral("newSetName"));
  name->setToolTip(tr("Its new name, which no other set has"));
  name->selectAll();
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, dialog);
  QPushButton* rename = buttons->button(QDialogButtonBox::Ok);
  rename->setObjectName(QStringLiteral("renameSet"));
  rename->setText(tr("Rename"));
  rename->setToolTip(tr("Give the set this name; what it selects stays"));
  auto* form = new QFormLayout(dialog);
  form->addRow(tr("Set"), which);
  form->addRow(tr("New name"), name);
  form->addRow(buttons);
  const auto refreshButton = [this, which, name, rename] {
    const std::string wanted = name->text().trimmed().toStdString();
    const auto& all = selection->sets();
    const auto same = std::ranges::find(all, wanted, &selection::NamedSelection::name);
    rename->setEnabled(!wanted.empty() && (same == all.end() || same - all.begin() == which->currentIndex()));
  };
  connect(which, &QComboBox::currentTextChanged, name, &QLineEdit::setText);
  connect(name, &QLineEdit::textChanged, dialog, refreshButton);
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  connect(buttons, &QDialogButtonBox::accepted, dialog, [this, dialog, which, name] {
    selection->renameSet(static_cast<std::size_t>(which->currentIndex()), name->text());
    dialog->accept();
  });
  connect(selection, &BranchSelection::setsChanged, dialog, &QDialog::reject); // the list is another one
  name->setFocus();
  dialog->open();
}

void SelectionBar::askWhatToRemove()
{
  QStringList names;
  for (const selection::NamedSelection& set : selection->sets())
    names << QString::fromStdString(set.name);
  auto* dialog = new QInputDialog(this);
  dialog->setObjectName(QStringLiteral("removeSetDialog"));
  dialog->setWindowTitle(tr("Remove a set"));
  dialog->setLabelText(tr("Set to forget; its branches or cells stay as they are"));
  dialog->setComboBoxItems(names);
  dialog->setOkButtonText(tr("Remove"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QInputDialog::textValueSelected, selection, [this, names](const QString& name) {
    if (const qsizetype set = names.indexOf(name); set >= 0)
      selection->removeSet(static_cast<std::size_t>(set));
  });
  dialog->open();
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
