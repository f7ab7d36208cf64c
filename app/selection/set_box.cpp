#include "app/selection/set_box.hpp"

#include "app/selection/branch_selection.hpp"
#include "selection/expression.hpp"
#include "widgets/theme.hpp"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QInputDialog>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>
#include <string>
#include <utility>

namespace hinesight::app {

namespace {

/// "interneurons (12 cells)", "axons".
QString labelOf(const selection::NamedSelection& set)
{
  const QString name = QString::fromStdString(set.name);
  if (set.cells.empty())
    return name;
  return (set.cells.size() == 1 ? SetBox::tr("%1 (%2 cell)") : SetBox::tr("%1 (%2 cells)"))
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
  return set.cells.size() <= kMostNamed ? all : SetBox::tr("%1, …").arg(all);
}

} // namespace

SetBox::SetBox(BranchSelection* chosen, Filter which, QWidget* parent)
    : QComboBox(parent), selection(chosen), lists(std::move(which))
{
  connect(this, &QComboBox::activated, this, &SetBox::choose);
  connect(selection, &BranchSelection::setsChanged, this, &SetBox::refresh);
  refresh();
}

QStringList SetBox::names() const
{
  QStringList all;
  for (const std::size_t place : places)
    all << QString::fromStdString(selection->sets()[place].name);
  return all;
}

void SetBox::refresh()
{
  places.clear();
  for (std::size_t place = 0; place < selection->sets().size(); ++place)
    if (lists(selection->sets()[place]))
      places.push_back(place);
  clear();
  addItem(tr("Sets"));
  for (const std::size_t place : places) {
    addItem(labelOf(selection->sets()[place]));
    setItemData(count() - 1, contentOf(selection->sets()[place]), Qt::ToolTipRole);
  }
  addItem(tr("Rename a set…"));
  addItem(tr("Remove a set…"));
  setVisible(!places.empty());
}

void SetBox::choose(int index)
{
  const int listedSets = static_cast<int>(places.size());
  if (index == listedSets + 1)
    askWhatToRename();
  else if (index > listedSets)
    askWhatToRemove();
  else if (index > 0)
    select(places[static_cast<std::size_t>(index - 1)]);
  setCurrentIndex(0);
}

/// A session may hold any text.
void SetBox::select(std::size_t place)
{
  const QString expression = QString::fromStdString(selection->sets()[place].expression);
  try {
    selection->selectSet(place);
  } catch (const selection::ExpressionError&) {
    emit refused(expression);
  }
}

void SetBox::askWhatToRename()
{
  auto* dialog = new QDialog(this);
  dialog->setObjectName(QStringLiteral("renameSetDialog"));
  dialog->setWindowTitle(tr("Rename a set"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  auto* which = new QComboBox(dialog);
  which->setObjectName(QStringLiteral("renamedSet"));
  which->setToolTip(tr("The set that gets another name"));
  which->addItems(names());
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
    const auto renamed = places[static_cast<std::size_t>(which->currentIndex())];
    rename->setEnabled(!wanted.empty() &&
                       (same == all.end() || static_cast<std::size_t>(same - all.begin()) == renamed));
  };
  connect(which, &QComboBox::currentTextChanged, name, &QLineEdit::setText);
  connect(name, &QLineEdit::textChanged, dialog, refreshButton);
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  connect(buttons, &QDialogButtonBox::accepted, dialog, [this, dialog, which, name] {
    selection->renameSet(places[static_cast<std::size_t>(which->currentIndex())], name->text());
    dialog->accept();
  });
  connect(selection, &BranchSelection::setsChanged, dialog, &QDialog::reject); // the list is another one
  name->setFocus();
  dialog->open();
}

void SetBox::askWhatToRemove()
{
  auto* dialog = new QInputDialog(this);
  dialog->setObjectName(QStringLiteral("removeSetDialog"));
  dialog->setWindowTitle(tr("Remove a set"));
  dialog->setLabelText(tr("Set to forget; its branches or cells stay as they are"));
  dialog->setComboBoxItems(names());
  dialog->setOkButtonText(tr("Remove"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) {
    if (const qsizetype set = names().indexOf(name); set >= 0)
      selection->removeSet(places[static_cast<std::size_t>(set)]);
  });
  dialog->open();
}

} // namespace hinesight::app
