#include "app/projection/population_dialog.hpp"

#include "app/files/file_dialogs.hpp"
#include "app/forms/field_form.hpp"
#include "app/forms/help_text.hpp"
#include "app/forms/return_key.hpp"
#include "app/forms/wrapped_label.hpp"
#include "app/projection/circuit_list.hpp"
#include "app/projection/population_texts.hpp"
#include "core/error.hpp"
#include "io/networks/neuron_files.hpp"
#include "widgets/elided_label.hpp"
#include "widgets/theme.hpp"
#include "widgets/theme_scope.hpp"

#include <QCheckBox>
#include <QColorDialog>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace hinesight::app {

namespace {

using projection::PopulationKind;

/// What the dialog offers: the kinds of PopulationKind, of which `Given` are the somata, and neurons that are kept.
constexpr int kKept = static_cast<int>(PopulationKind::Given) + 1;
const QString kFolder = QStringLiteral("neuronFolder"); ///< of dialogs, as on the page Synapses
constexpr int kNumberWidth = 84;
constexpr int kPoolHeight = 96; ///< pixels of a list that scrolls

constexpr int kOfferedColours = 7;

/// Of the colours of categories, in their order.
constexpr const char* kColourNames[] = {
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Orange"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Sky blue"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Green"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Yellow"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Blue"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Red orange"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Pink"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Crimson"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Moss green"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Lime"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Salmon"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Violet"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Dark teal"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Plum"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Khaki"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Turquoise"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Brown"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Red"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Olive"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Leaf green"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Light magenta"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Rust"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Raspberry"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Grey violet"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Dark green"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Bright blue"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Petrol"),
    QT_TRANSLATE_NOOP("hinesight::app::PopulationDialog", "Sand"),
};

/// Of a category as sessions keep it: "#e69f00", whatever the ground is on which it is seen.
QString keptColour(std::size_t category)
{
  const widgets::ThemeScope scope(widgets::ThemeMode::Dark);
  return widgets::categoryColor(static_cast<std::int64_t>(category)).name();
}

/// "Orange"; of one that has no name: "#12ab34".
QString colourName(const QString& colour)
{
  for (std::size_t k = 0; k < std::size(kColourNames); ++k)
    if (keptColour(k) == colour)
      return PopulationDialog::tr(kColourNames[k]);
  return colour;
}

/// The parameter of that name.
BoundField& fieldNamed(std::vector<BoundField>& fields, std::string_view name)
{
  if (BoundField* const field = findField(fields, name))
    return *field;
  qFatal("a population has no parameter %s", std::string(name).c_str());
}

/// What is said of the parameter of that name beside the others.
Field aboutOf(model::Population population, std::string_view name)
{
  std::vector<BoundField> fields = fieldsOf(population);
  return fieldNamed(fields, name).about;
}

/// The number `item` of a series, or the field itself.
BoundField numberOf(BoundField& field, std::size_t item)
{
  return field.kind == FieldKind::Series ? field.item(item).front() : field;
}

/// What it does, with its range; `axis`: of which axis.
QString tipOf(const BoundField& field, const QString& axis = {})
{
  const ParameterText text = parameterTextOf(field, {});
  const QString tip = axis.isEmpty() ? text.help : PopulationDialog::tr("%1: %2").arg(axis, text.help);
  return text.detail.isEmpty() ? tip : tip + QLatin1Char('\n') + text.detail;
}

QString kindName(PopulationKind kind)
{
  return kind == PopulationKind::Given
             ? PopulationDialog::tr("Somata of the open neurons")
             : widgets::inText(projection::kPopulationKinds[static_cast<std::size_t>(kind)].label);
}

} // namespace

PopulationDialog::PopulationDialog(const study::PopulationChoice& shown, const model::Population& ofCircuit,
                                   std::vector<std::string> openCells,
                                   std::shared_ptr<const projection::Population> somata, QWidget* parent)
    : QDialog(parent), before(shown), traits(ofCircuit), cellNames(std::move(openCells)), openSomata(std::move(somata))
{
  setObjectName(QStringLiteral("populationDialog"));
  setWindowTitle(tr("Population"));
  describe(this,
           {windowTitle(), tr("Says what the neurons of a population are, and where."), QStringLiteral("The circuit")});
  traits.placement = before.parameters;
  auto* sides = new QHBoxLayout;
  sides->setSpacing(24);
  sides->addLayout(form = new QFormLayout, 3);
  addPlace();
  sides->addLayout(form = new QFormLayout, 2);
  addTraits();
  note = wrappedLabel(QStringLiteral("populationNote"));
  problem = wrappedLabel(QStringLiteral("populationProblem"));
  for (QLabel* label : {note, problem})
    label->setMinimumWidth(360);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  accept = buttons->button(QDialogButtonBox::Ok);
  accept->setToolTip(tr("Take what the fields say; undo takes it back (Ctrl+Return)"));
  keepReturnInFields(this, accept);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = new QVBoxLayout(this);
  column->addLayout(sides);
  column->addWidget(note);
  column->addWidget(problem);
  column->addWidget(buttons);
  refresh();
}

void PopulationDialog::addRow(std::string_view field, QWidget* editor)
{
  const Field about = aboutOf(traits, field);
  const std::string_view unit = about.unit.empty() ? circuitUnitOf(field) : std::string_view(about.unit);
  form->addRow(unit.empty() ? widgets::inText(about.label)
                            : tr("%1 (%2)").arg(widgets::inText(about.label), widgets::inText(unit)),
               editor);
  rows.push_back({editor, field, form});
}

void PopulationDialog::addPlace()
{
  name = new QLineEdit(QString::fromStdString(before.parameters.name));
  name->setObjectName(QStringLiteral("populationName"));
  std::vector<BoundField> fields = fieldsOf(traits);
  name->setToolTip(tipOf(fieldNamed(fields, "name")));
  name->selectAll(); // to be typed over
  connect(name, &QLineEdit::textChanged, this, &PopulationDialog::refresh);
  addRow("name", name);
  addKind();
  addTriple("size");
  addTriple("spacing");
  addNumber("count");
  addTriple("extent");
  addNumber("radius");
  addTriple("origin");
  addNumber("seed");
  addFile();
  addTriple("moved");
}

void PopulationDialog::addTraits()
{
  addChoice("role");
  addColour();
  addPool();
  addChoice("cells-by");
  addNumber("rotation");
  addTriple("rotation-axis");
  addSwitch("turned");
  addNumber("turn-seed");
}

void PopulationDialog::addNumber(std::string_view field)
{
  addRow(field, makeNumber(field, {}, 0));
}

void PopulationDialog::addSwitch(std::string_view field)
{
  std::vector<BoundField> fields = fieldsOf(traits);
  BoundField& bound = fieldNamed(fields, field);
  auto* box = new QCheckBox;
  box->setObjectName(parameterTextOf(bound, QStringLiteral("population")).id);
  box->setToolTip(tipOf(bound));
  box->setChecked(bound.number() != 0);
  connect(box, &QCheckBox::toggled, this, &PopulationDialog::refresh);
  switches.push_back({box, field});
  addRow(field, box);
}

void PopulationDialog::addChoice(std::string_view parameter)
{
  std::vector<BoundField> fields = fieldsOf(traits);
  const BoundField& field = fieldNamed(fields, parameter);
  auto* combo = new QComboBox;
  combo->setObjectName(parameterTextOf(field, QStringLiteral("population")).id);
  combo->setToolTip(tipOf(field));
  for (const Choice& choice : field.choices) {
    combo->addItem(widgets::inText(choice.label));
    combo->setItemData(combo->count() - 1, widgets::inText(choice.help), Qt::ToolTipRole);
  }
  combo->setCurrentIndex(static_cast<int>(field.number()));
  connect(combo, &QComboBox::currentIndexChanged, this, &PopulationDialog::refresh);
  choices.push_back({combo, field.about.name});
  addRow(field.about.name, combo);
}

void PopulationDialog::addColour()
{
  colour = new QComboBox;
  colour->setObjectName(QStringLiteral("populationColour"));
  colour->setToolTip(tr("The colour of the population's mark in lists and charts; sessions keep it. Colours of other "
                        "populations are not offered"));
  offerColours();
  connect(colour, &QComboBox::activated, this, [this](int index) {
    if (!colour->itemData(index).isValid())
      askForColour();
  });
  connect(colour, &QComboBox::currentIndexChanged, this, &PopulationDialog::refresh);
  addRow("colour", colour);
  sharedColour = wrappedLabel(QStringLiteral("populationSharedColour"));
  form->addRow(QString(), sharedColour);
  rows.push_back({sharedColour, "colour", form});
}

/// The first categories that no other population has, the chosen colour, and any other.
void PopulationDialog::offerColours()
{
  const QSignalBlocker blocker(colour);
  colour->clear();
  colour->addItem(tr("By its place in the list"), QString());
  for (std::size_t k = 0; k < std::size(kColourNames) && colour->count() <= kOfferedColours; ++k) {
    const QColor each = widgets::categoryColor(static_cast<std::int64_t>(k));
    const auto hasIt = [&each](const Other& other) { return widgets::looksAlike(other.colour, each); };
    if (std::ranges::none_of(others, hasIt))
      colour->addItem(colourMark(each), tr(kColourNames[k]), keptColour(k));
  }
  const QString chosen = QString::fromStdString(traits.colour);
  if (colour->findData(chosen) < 0)
    colour->addItem(colourMark(widgets::shownColor(QColor(chosen))), colourName(chosen), chosen);
  colour->setCurrentIndex(colour->findData(chosen));
  colour->insertSeparator(colour->count());
  colour->addItem(tr("Other\u2026"), QVariant());
}

QString PopulationDialog::sharedColourNow() const
{
  const QColor chosen = widgets::shownColor(QColor(colour->currentData().toString()));
  QStringList names;
  for (const Other& other : others)
    if (chosen.isValid() && other.isColourChosen && widgets::looksAlike(other.colour, chosen))
      names << QStringLiteral("\"%1\"").arg(widgets::shortened(QString::fromStdString(other.name)));
  if (names.isEmpty())
    return {};
  return names.size() == 1 ? tr("%1 has this colour too.").arg(names.front())
                           : tr("%1 have this colour too.").arg(names.join(QStringLiteral(", ")));
}

void PopulationDialog::askForColour()
{
  auto* dialog = new QColorDialog(QColor(QString::fromStdString(traits.colour)), this);
  dialog->setObjectName(QStringLiteral("colourDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QColorDialog::colorSelected, this, [this](const QColor& chosen) {
    if (colour->findData(chosen.name()) < 0)
      colour->insertItem(1, colourMark(widgets::shownColor(chosen)), colourName(chosen.name()), chosen.name());
    colour->setCurrentIndex(colour->findData(chosen.name()));
  });
  connect(dialog, &QColorDialog::rejected, this,
          [this] { colour->setCurrentIndex(std::max(0, colour->findData(QString::fromStdString(traits.colour)))); });
  dialog->open();
}

/// The open cells; those that are ticked are the pool.
void PopulationDialog::addPool()
{
  cells = new QListWidget;
  cells->setObjectName(QStringLiteral("populationCells"));
  cells->setToolTip(tr("Cells that the neurons are, taken in turn or by chance; none ticked: the neurons are points. "
                       "Of somata, those that are placed; none ticked: all"));
  cells->setMaximumHeight(kPoolHeight);
  cells->setStyleSheet(QStringLiteral("QListWidget::item { padding: 3px 0px; }"));
  for (const std::string& each : cellNames) {
    auto* item = new QListWidgetItem(QString::fromStdString(each), cells);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    const bool isInPool = std::find(traits.cells.begin(), traits.cells.end(), each) != traits.cells.end();
    item->setCheckState(isInPool ? Qt::Checked : Qt::Unchecked);
  }
  connect(cells, &QListWidget::itemChanged, this, &PopulationDialog::refresh);
  addRow("cells", cells);
}

/// In the order that it had, and then in that of the list.
std::vector<std::string> PopulationDialog::pool() const
{
  std::vector<std::string> ticked;
  for (int row = 0; row < cells->count(); ++row)
    if (cells->item(row)->checkState() == Qt::Checked)
      ticked.push_back(cells->item(row)->text().toStdString());
  const auto placeOf = [this](const std::string& each) {
    return std::find(traits.cells.begin(), traits.cells.end(), each) - traits.cells.begin();
  };
  std::stable_sort(ticked.begin(), ticked.end(),
                   [&](const std::string& a, const std::string& b) { return placeOf(a) < placeOf(b); });
  return ticked;
}

/// x, y and z in a row.
void PopulationDialog::addTriple(std::string_view field)
{
  auto* row = new QWidget;
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(4);
  const char* const axes[] = {"X", "Y", "Z"};
  for (std::size_t item = 0; item < std::size(axes); ++item)
    line->addWidget(makeNumber(field, QLatin1String(axes[item]), item));
  addRow(field, row);
}

NumberSpinBox* PopulationDialog::makeNumber(std::string_view parameter, const QString& axis, std::size_t item)
{
  std::vector<BoundField> fields = fieldsOf(traits);
  BoundField& field = fieldNamed(fields, parameter);
  auto* spin = new NumberSpinBox;
  spin->setObjectName(parameterTextOf(field, QStringLiteral("population")).id + axis);
  spin->setToolTip(tipOf(field, axis.toLower()));
  spin->setNumberRange(numberRangeOf(field));
  spin->setNumber(numberOf(field, item).number());
  spin->setMinimumWidth(kNumberWidth);
  connect(spin, &QDoubleSpinBox::valueChanged, this, &PopulationDialog::refresh);
  numbers.push_back({spin, field.about.name, item, spin->number()});
  return spin;
}

void PopulationDialog::addKind()
{
  kind = new QComboBox;
  kind->setObjectName(QStringLiteral("populationKind"));
  std::vector<BoundField> fields = fieldsOf(traits);
  kind->setToolTip(tipOf(fieldNamed(fields, "kind")));
  for (const PopulationKind each :
       {PopulationKind::Grid, PopulationKind::Box, PopulationKind::Sphere, PopulationKind::File, PopulationKind::Given})
    kind->addItem(kindName(each), static_cast<int>(each));
  const bool isKept = before.parameters.kind == PopulationKind::Given && !before.isSomata;
  if (isKept)
    kind->addItem(tr("As in the opened table"), kKept);
  kind->setCurrentIndex(kind->findData(isKept ? kKept : static_cast<int>(before.parameters.kind)));
  connect(kind, &QComboBox::currentIndexChanged, this, &PopulationDialog::refresh);
  addRow("kind", kind);
}

void PopulationDialog::addFile()
{
  file = new QLineEdit(QString::fromStdString(before.parameters.file));
  file->setObjectName(QStringLiteral("populationFile"));
  file->setToolTip(tr("A text file with one neuron per line (x, y and optionally z), or RELeARN's positions, packed "
                      "(.gz) or not; or a SONATA file with nodes (.h5)"));
  file->setMinimumWidth(260);
  connect(file, &QLineEdit::textChanged, this, &PopulationDialog::refresh);
  auto* choose = new QPushButton(tr("Choose…"));
  choose->setObjectName(QStringLiteral("populationChooseFile"));
  choose->setToolTip(tr("Choose a file of positions"));
  connect(choose, &QPushButton::clicked, this, &PopulationDialog::askForFile);
  auto* fileRow = new QWidget;
  auto* line = new QHBoxLayout(fileRow);
  line->setContentsMargins(0, 0, 0, 0);
  line->addWidget(file, 1);
  line->addWidget(choose);
  addRow("file", fileRow);
  nodes = new QComboBox;
  nodes->setObjectName(QStringLiteral("populationNodes"));
  nodes->setToolTip(tr("Which population of nodes of the SONATA file"));
  form->addRow(tr("Nodes"), nodes);
  rows.push_back({nodes, "file", form});
}

model::Population PopulationDialog::population() const
{
  const int chosen = kind->currentData().toInt();
  model::Population result = traits;
  result.placement.name = name->text().toStdString();
  result.placement.kind = chosen == kKept ? PopulationKind::Given : static_cast<PopulationKind>(chosen);
  result.placement.file = file->text().toStdString();
  result.colour = colour->currentData().toString().toStdString();
  result.cells = chosen == kKept ? std::vector<std::string>() : pool();
  std::vector<BoundField> fields = fieldsOf(result);
  for (const Switch& each : switches)
    fieldNamed(fields, each.field).setNumber(each.editor->isChecked() ? 1 : 0);
  for (const OneOfFew& each : choices)
    fieldNamed(fields, each.field).setNumber(each.editor->currentIndex());
  for (const Number& number : numbers)
    if (number.editor->number() != number.shown) // else it stays as exact as it was
      numberOf(fieldNamed(fields, number.field), number.item).setNumber(number.editor->number());
  return result;
}

void PopulationDialog::setOthers(std::vector<Other> populations)
{
  others = std::move(populations);
  offerColours();
  refresh();
}

study::PopulationChoice PopulationDialog::choice() const
{
  study::PopulationChoice result(population().placement);
  const bool isKept = kind->currentData().toInt() == kKept;
  result.isSomata = result.parameters.kind == PopulationKind::Given && !isKept;
  if (isKept && before.given)
    result.given =
        projection::populationAt(result.parameters.name, {before.given->coordinates(0), before.given->coordinates(1),
                                                          before.given->coordinates(2)});
  if (result.parameters.kind == PopulationKind::File && io::isSonataFile(result.parameters.file))
    result.nodes = nodes->currentText().toStdString();
  return result;
}

/// The populations of the SONATA file that is named, read once a file, on another thread.
void PopulationDialog::refreshNodes()
{
  const QString path = io::isSonataFile(file->text().toStdString()) ? file->text() : QString();
  if (path == nodesOf)
    return;
  nodesOf = path;
  nodes->clear();
  nodesProblem = path.isEmpty() ? QString() : tr("Reading %1").arg(QFileInfo(path).fileName());
  reading.restart();
  if (path.isEmpty())
    return;
  reading.start([this, path](const RunControl&) -> std::function<void()> {
    QStringList names;
    QString wrong;
    try {
      for (const std::string& each : io::sonataPopulations(path.toStdString()))
        names << QString::fromStdString(each);
    } catch (const std::exception& error) {
      wrong = QString::fromUtf8(error.what());
    }
    return [this, names, wrong] { takeNodes(names, wrong); };
  });
}

void PopulationDialog::takeNodes(const QStringList& names, const QString& whatIsWrong)
{
  nodes->addItems(names);
  nodes->setCurrentIndex(std::max(0, nodes->findText(QString::fromStdString(before.nodes))));
  nodesProblem = whatIsWrong;
  refresh();
}

QString PopulationDialog::problemNow()
{
  const std::string wanted = name->text().toStdString();
  if (std::ranges::find(others, wanted, &Other::name) != others.end())
    return tr("There is a population \"%1\" already; choose another name.").arg(name->text());
  const int chosen = kind->currentData().toInt();
  try {
    if (chosen == static_cast<int>(PopulationKind::File) && file->text().isEmpty())
      return tr("Choose a file.");
    if (chosen == static_cast<int>(PopulationKind::File) &&
        file->text() != QString::fromStdString(before.parameters.file) && !QFileInfo(file->text()).isFile())
      return tr("There is no file %1.").arg(file->text());
    const model::Population now = population();
    projection::validate(now.placement);
    validateFields(fieldsOf(now));
    if (now.order == model::CellOrder::Type && !now.cells.empty() &&
        !(now.placement.kind == PopulationKind::File && io::isSonataFile(now.placement.file)))
      return tr("Only nodes of a SONATA file have types; take the cells in turn or by chance.");
    if (now.axis == std::array<double, 3>{})
      return tr("The axis of the rotation has no length; give it a direction.");
  } catch (const Error& error) {
    return QString::fromUtf8(error.what());
  }
  if (chosen == static_cast<int>(PopulationKind::Given) && !openSomata)
    return tr("No neuron is open; open SWC files first.");
  return chosen == static_cast<int>(PopulationKind::File) ? nodesProblem : QString();
}

/// Shows the rows of the kind, how it places neurons, and what is wrong.
void PopulationDialog::refresh()
{
  if (!accept)
    return; // still being built
  refreshNodes();
  model::Population now = population();
  if (now.placement.kind == PopulationKind::Given && now.cells.empty())
    now.cells = cellNames;
  study::PopulationChoice placed(now.placement);
  const bool isOfCells = !cellNames.empty() && kind->currentData().toInt() != kKept;
  static constexpr std::array kOfCells = {"cells", "cells-by", "rotation", "rotation-axis", "turned", "turn-seed"};
  sharedColour->setText(sharedColourNow());
  for (const Row& row : rows) {
    const Field about = aboutOf(now, row.field);
    const bool needsCells = std::find(kOfCells.begin(), kOfCells.end(), row.field) != kOfCells.end();
    const bool shown = about.shown && (!needsCells || isOfCells) && (row.editor != nodes || nodes->count() > 0) &&
                       (row.editor != sharedColour || !sharedColour->text().isEmpty());
    row.form->setRowVisible(row.editor, shown);
    row.editor->setEnabled(about.applies);
  }
  placed.isSomata = kind->currentData().toInt() == static_cast<int>(PopulationKind::Given);
  placed.given = placed.isSomata ? openSomata : before.given;
  const std::size_t ticked = pool().size();
  const QString count = ticked == 0   ? describePopulation(placed)
                        : ticked == 1 ? tr("1 soma")
                                      : tr("%1 somata").arg(ticked);
  note->setText(placed.isSomata && openSomata ? tr("%1. %2").arg(count, describePlacing(placed))
                                              : describePlacing(placed));
  const QString sentence = problemNow();
  problem->setText(sentence);
  problem->setVisible(!sentence.isEmpty());
  accept->setEnabled(sentence.isEmpty());
  layout()->activate();
  resize(width(), sizeHint().height());
}

void PopulationDialog::askForFile()
{
  const QString folder = file->text().isEmpty() ? folderToBegin(kFolder) : QFileInfo(file->text()).absolutePath();
  auto* dialog =
      new QFileDialog(this, tr("Positions"), folder, tr("Positions (*.csv *.txt *.tsv *.gz *.h5);;All files (*)"));
  dialog->setObjectName(QStringLiteral("positionsDialog"));
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, file, &QLineEdit::setText);
  connect(dialog, &QFileDialog::fileSelected, this, [](const QString& path) { rememberFolder(kFolder, path); });
  dialog->open();
}

} // namespace hinesight::app
