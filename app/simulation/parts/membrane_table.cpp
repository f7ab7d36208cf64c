#include "app/simulation/parts/membrane_table.hpp"

#include "cell/mechanism.hpp"
#include "core/text.hpp"
#include "widgets/theme.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <QVBoxLayout>

#include <utility>

namespace hinesight::app {

namespace {

enum Column
{
  OnColumn,
  MechanismColumn,
  ParameterColumn,
  ValueColumn,
  UnitColumn,
  kColumns
};

constexpr int kHeight = 180; // pixels
constexpr int kValueDigits = 12;

/// Of the membrane itself.
struct OwnParameter
{
  const char* name;
  const char* unit;
  double usual;
};
constexpr OwnParameter kOwn[] = {{"cm", "uF/cm2", 1}, {"Ra", "ohm cm", 100}, {"ena", "mV", 50}, {"ek", "mV", -77}};

const cell::Mechanism* mechanismOf(const model::MembraneEntry& line)
{
  const std::int32_t place = cell::mechanismNamed(line.mechanism);
  return place < 0 ? nullptr : &cell::allMechanisms()[static_cast<std::size_t>(place)];
}

/// What a column offers; the first of mechanisms and parameters is an empty name.
QStringList wordsOf(int column, const model::MembraneEntry& line)
{
  QStringList words;
  switch (column) {
  case OnColumn:
    for (const Choice& part : model::kSections)
      words << widgets::inText(part.label);
    break;
  case MechanismColumn:
    words << MembraneTable::tr("(membrane)");
    for (const cell::Mechanism& mechanism : cell::allMechanisms())
      words << QString::fromStdString(mechanism.name);
    break;
  case ParameterColumn:
    if (line.mechanism.empty())
      for (const OwnParameter& own : kOwn)
        words << QLatin1String(own.name);
    else {
      words << MembraneTable::tr("(as usual)");
      if (const cell::Mechanism* const mechanism = mechanismOf(line))
        for (const cell::MechanismParameter& parameter : mechanism->parameters)
          words << QString::fromStdString(parameter.name);
    }
    break;
  default:
    break;
  }
  return words;
}

/// A list that tells keys that step through it from a choice.
class ListEditor : public QComboBox
{
public:
  using QComboBox::QComboBox;

  bool isStepped() const { return stepped; }

protected:
  void keyPressEvent(QKeyEvent* event) override
  {
    stepped = true;
    QComboBox::keyPressEvent(event);
    stepped = false;
  }

private:
  bool stepped = false;
};

/// A list to choose from, where the column has one.
class LineDelegate : public QStyledItemDelegate
{
public:
  LineDelegate(const std::vector<model::MembraneEntry>& ofTable, QObject* parent)
      : QStyledItemDelegate(parent), lines(ofTable)
  {}

  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override
  {
    const QStringList words = wordsOf(index.column(), lines[static_cast<std::size_t>(index.row())]);
    if (words.isEmpty())
      return QStyledItemDelegate::createEditor(parent, option, index);
    auto* combo = new ListEditor(parent);
    combo->addItems(words);
    connect(combo, &QComboBox::activated, this, [this, combo] {
      if (combo->isStepped()) // Return takes it
        return;
      auto* self = const_cast<LineDelegate*>(this);
      emit self->commitData(combo);
      emit self->closeEditor(combo);
    });
    return combo;
  }
  void setEditorData(QWidget* editor, const QModelIndex& index) const override
  {
    if (auto* combo = qobject_cast<QComboBox*>(editor))
      combo->setCurrentText(index.data().toString());
    else
      QStyledItemDelegate::setEditorData(editor, index);
  }
  void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override
  {
    if (const auto* combo = qobject_cast<QComboBox*>(editor))
      model->setData(index, combo->currentText());
    else
      QStyledItemDelegate::setModelData(editor, model, index);
  }

private:
  const std::vector<model::MembraneEntry>& lines;
};

/// The unit of its value, and what the value usually is.
std::pair<QString, double> usualOf(const model::MembraneEntry& line)
{
  if (line.mechanism.empty()) {
    for (const OwnParameter& own : kOwn)
      if (line.parameter == own.name)
        return {QLatin1String(own.unit), own.usual};
  } else if (const cell::Mechanism* const mechanism = mechanismOf(line)) {
    if (const auto place = mechanism->parameterNamed(line.parameter); place && !line.parameter.empty())
      return {QString::fromStdString(mechanism->parameters[*place].unit), mechanism->parameters[*place].usual};
  }
  return {};
}

} // namespace

MembraneTable::MembraneTable(std::vector<model::MembraneEntry> lines, QWidget* parent)
    : QWidget(parent), all(std::move(lines)), table(new QTableWidget(0, kColumns))
{
  setObjectName(QStringLiteral("partMembrane"));
  table->setObjectName(QStringLiteral("membraneTable"));
  table->setToolTip(tr("What the membrane is made of, line by line; the last line that says something counts. A click "
                       "edits; conductances are in S/cm2, potentials in mV"));
  table->setHorizontalHeaderLabels({tr("On"), tr("Mechanism"), tr("Parameter"), tr("Value"), tr("Unit")});
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch); // all are seen, whatever is in them
  table->verticalHeader()->hide();
  table->setMinimumHeight(kHeight);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setEditTriggers(QAbstractItemView::AllEditTriggers);
  table->setItemDelegate(new LineDelegate(all, table));
  auto* addButton = new QPushButton(tr("Add line"));
  addButton->setObjectName(QStringLiteral("membraneAdd"));
  addButton->setToolTip(tr("Add a line below the last one"));
  removeButton = new QPushButton(tr("Remove line"));
  removeButton->setObjectName(QStringLiteral("membraneRemove"));
  removeButton->setToolTip(tr("Remove the chosen line"));
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(addButton);
  buttons->addWidget(removeButton);
  buttons->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(table, 1);
  column->addLayout(buttons);
  connect(addButton, &QPushButton::clicked, this, &MembraneTable::add);
  connect(removeButton, &QPushButton::clicked, this, &MembraneTable::remove);
  connect(table, &QTableWidget::cellChanged, this, &MembraneTable::take);
  show();
}

void MembraneTable::add()
{
  all.push_back({model::Sections::All, "pas", {}, 0});
  show();
  table->setCurrentCell(table->rowCount() - 1, MechanismColumn);
  emit edited();
}

void MembraneTable::remove()
{
  const int row = table->currentRow();
  if (row < 0)
    return;
  all.erase(all.begin() + row);
  show();
  emit edited();
}

void MembraneTable::take(int row, int column)
{
  if (isShowing)
    return;
  model::MembraneEntry& line = all[static_cast<std::size_t>(row)];
  const QString text = table->item(row, column)->text().trimmed();
  const auto place = wordsOf(column, line).indexOf(text);
  switch (column) {
  case OnColumn:
    if (place >= 0)
      line.on = static_cast<model::Sections>(place);
    break;
  case MechanismColumn:
    line.mechanism = place > 0 ? text.toStdString() : std::string();
    line.parameter = line.mechanism.empty() ? kOwn[0].name : "";
    line.value = usualOf(line).second;
    break;
  case ParameterColumn:
    line.parameter = place > 0 || line.mechanism.empty() ? text.toStdString() : std::string();
    line.value = usualOf(line).second;
    break;
  case ValueColumn: {
    bool isNumber = false;
    const double value = text.toDouble(&isNumber);
    if (isNumber)
      line.value = value;
    break;
  }
  default:
    break;
  }
  showLine(row); // what cannot be taken is as it was
  emit edited();
}

void MembraneTable::show()
{
  isShowing = true;
  table->setRowCount(static_cast<int>(all.size()));
  for (int row = 0; row < table->rowCount(); ++row)
    for (int column = 0; column < kColumns; ++column)
      if (!table->item(row, column))
        table->setItem(row, column, new QTableWidgetItem);
  isShowing = false;
  for (int row = 0; row < table->rowCount(); ++row)
    showLine(row);
  removeButton->setEnabled(!all.empty());
}

void MembraneTable::showLine(int row)
{
  isShowing = true;
  const model::MembraneEntry& line = all[static_cast<std::size_t>(row)];
  const bool hasValue = !line.parameter.empty();
  const auto [unit, usual] = usualOf(line);
  const QString texts[kColumns] = {
      widgets::inText(model::kSections[static_cast<std::size_t>(line.on)].label),
      line.mechanism.empty() ? tr("(membrane)") : QString::fromStdString(line.mechanism),
      hasValue ? QString::fromStdString(line.parameter) : tr("(as usual)"),
      hasValue ? QString::number(line.value, 'g', kValueDigits) : QString(),
      unit,
  };
  for (int column = 0; column < kColumns; ++column) {
    QTableWidgetItem* const item = table->item(row, column);
    item->setText(texts[column]);
    const bool isEditable = column < ValueColumn || (column == ValueColumn && hasValue);
    item->setFlags(isEditable ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable
                              : Qt::ItemIsEnabled | Qt::ItemIsSelectable);
  }
  isShowing = false;
}

} // namespace hinesight::app
