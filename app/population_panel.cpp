#include "app/population_panel.hpp"

#include "core/error.hpp"
#include "widgets/theme.hpp"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <limits>

namespace hinesight::app {

namespace {

using projection::PopulationKind;
using projection::PopulationParameters;

constexpr std::array kKinds = {PopulationKind::Grid, PopulationKind::Box, PopulationKind::Sphere, PopulationKind::File};
constexpr std::size_t kFewest = 2;
constexpr int kMostCount = 100'000'000;
constexpr int kMostSide = 100'000;
constexpr double kMostLength = 1e9;

constexpr unsigned bit(PopulationKind kind)
{
  return 1u << static_cast<unsigned>(kind);
}

QString kindName(PopulationKind kind)
{
  switch (kind) {
  case PopulationKind::Grid:
    return PopulationPanel::tr("Grid");
  case PopulationKind::Box:
    return PopulationPanel::tr("Random in a box");
  case PopulationKind::Sphere:
    return PopulationPanel::tr("Random in a sphere");
  case PopulationKind::File:
    return PopulationPanel::tr("From a file");
  case PopulationKind::Given:
    return PopulationPanel::tr("Given");
  }
  return {};
}

QString counted(std::uint64_t count)
{
  return widgets::formatNumber(static_cast<double>(count));
}

/// Three editors in a row.
template <typename Editor>
QWidget* inARow(const std::array<Editor*, 3>& editors)
{
  auto* widget = new QWidget;
  auto* row = new QHBoxLayout(widget);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(4);
  for (Editor* editor : editors)
    row->addWidget(editor);
  return widget;
}

QPushButton* makeButton(const char* name, const QString& text, const QString& tip)
{
  auto* button = new QPushButton(text);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(tip);
  return button;
}

} // namespace

QString describePopulation(const PopulationParameters& parameters)
{
  switch (parameters.kind) {
  case PopulationKind::Grid: {
    QString text = QStringLiteral("%1 \u00d7 %2").arg(counted(parameters.size[0]), counted(parameters.size[1]));
    if (parameters.size[2] > 1)
      text += QStringLiteral(" \u00d7 %1").arg(counted(parameters.size[2]));
    return PopulationPanel::tr("%1 grid").arg(text);
  }
  case PopulationKind::Box:
    return PopulationPanel::tr("%1 in a box").arg(counted(parameters.count));
  case PopulationKind::Sphere:
    return PopulationPanel::tr("%1 in a sphere").arg(counted(parameters.count));
  case PopulationKind::File:
    return QFileInfo(QString::fromStdString(parameters.file)).fileName();
  case PopulationKind::Given:
    return PopulationPanel::tr("given positions");
  }
  return {};
}

PopulationDialog::PopulationDialog(const PopulationParameters& shown, QWidget* parent) : QDialog(parent)
{
  setObjectName(QStringLiteral("populationDialog"));
  setWindowTitle(tr("Population"));
  form = new QFormLayout;
  addFields(*form, shown);
  problem = new QLabel;
  problem->setObjectName(QStringLiteral("populationProblem"));
  problem->setWordWrap(true);
  problem->setMinimumWidth(320);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  accept = buttons->button(QDialogButtonBox::Ok);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = new QVBoxLayout(this);
  column->addLayout(form);
  column->addWidget(problem);
  column->addWidget(buttons);
  refresh();
}

void PopulationDialog::addFields(QFormLayout& rows, const PopulationParameters& shown)
{
  const auto add = [&](const QString& label, QWidget* editor, unsigned kinds) {
    rows.addRow(label, editor);
    fields.push_back({editor, kinds});
  };
  const auto describe = [&](QWidget* editor, const QString& id, const QString& tip) {
    editor->setObjectName(id);
    editor->setToolTip(tip);
  };
  const auto whole = [&](const QString& id, const QString& tip, int least, int most, std::uint64_t value) {
    auto* spin = new QSpinBox;
    describe(spin, id, tip);
    spin->setRange(least, most);
    spin->setGroupSeparatorShown(true);
    spin->setValue(static_cast<int>(std::min<std::uint64_t>(value, static_cast<std::uint64_t>(most))));
    connect(spin, &QSpinBox::valueChanged, this, &PopulationDialog::refresh);
    return spin;
  };
  const auto length = [&](const QString& id, const QString& tip, double least, double value) {
    auto* spin = new QDoubleSpinBox;
    describe(spin, id, tip);
    spin->setDecimals(4);
    spin->setRange(least, kMostLength);
    spin->setValue(value);
    connect(spin, &QDoubleSpinBox::valueChanged, this, &PopulationDialog::refresh);
    return spin;
  };
  constexpr unsigned kAll = ~0u;
  constexpr unsigned kRandom = bit(PopulationKind::Box) | bit(PopulationKind::Sphere);

  name = new QLineEdit(QString::fromStdString(shown.name));
  describe(name, QStringLiteral("populationName"), tr("What the population is called, in views and files"));
  connect(name, &QLineEdit::textChanged, this, &PopulationDialog::refresh);
  add(tr("Name"), name, kAll);
  kind = new QComboBox;
  describe(kind, QStringLiteral("populationKind"), tr("How the neurons lie in space"));
  for (const PopulationKind each : kKinds)
    kind->addItem(kindName(each), static_cast<int>(each));
  kind->setCurrentIndex(kind->findData(static_cast<int>(shown.kind)));
  connect(kind, &QComboBox::currentIndexChanged, this, &PopulationDialog::refresh);
  add(tr("Kind"), kind, kAll);

  const char* const axes[] = {"X", "Y", "Z"};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const QString letter = QLatin1String(axes[axis]);
    size[axis] = whole(QStringLiteral("populationSize") + letter, tr("Neurons along %1").arg(letter.toLower()), 1,
                       kMostSide, shown.size[axis]);
    spacing[axis] = length(QStringLiteral("populationSpacing") + letter,
                           tr("Distance of neighbours along %1, in the unit of the projection").arg(letter.toLower()),
                           1e-4, shown.spacing[axis]);
    origin[axis] = length(QStringLiteral("populationOrigin") + letter,
                          tr("%1 of the first neuron, the lowest corner or the centre").arg(letter.toLower()),
                          -kMostLength, shown.origin[axis]);
    extent[axis] = length(QStringLiteral("populationExtent") + letter,
                          tr("Side of the box along %1").arg(letter.toLower()), 0, shown.extent[axis]);
  }
  add(tr("Neurons along x, y, z"), inARow(size), bit(PopulationKind::Grid));
  add(tr("Spacing"), inARow(spacing), bit(PopulationKind::Grid));
  count = whole(QStringLiteral("populationCount"), tr("Number of neurons"), 1, kMostCount, shown.count);
  add(tr("Neurons"), count, kRandom);
  add(tr("Sides"), inARow(extent), bit(PopulationKind::Box));
  radius = length(QStringLiteral("populationRadius"), tr("Radius of the sphere"), 1e-4, shown.radius);
  add(tr("Radius"), radius, bit(PopulationKind::Sphere));
  add(tr("Origin"), inARow(origin), bit(PopulationKind::Grid) | kRandom);
  seed = whole(QStringLiteral("populationSeed"), tr("The same seed gives the same positions everywhere"), 0,
               std::numeric_limits<int>::max(), shown.seed);
  add(tr("Seed"), seed, kRandom);

  file = new QLineEdit(QString::fromStdString(shown.file));
  describe(file, QStringLiteral("populationFile"), tr("A text file with a neuron a line: x, y and, optional, z"));
  connect(file, &QLineEdit::textChanged, this, &PopulationDialog::refresh);
  QPushButton* choose = makeButton("populationChooseFile", tr("Choose…"), tr("Choose a file of positions"));
  connect(choose, &QPushButton::clicked, this, &PopulationDialog::askForFile);
  auto* fileRow = new QWidget;
  auto* line = new QHBoxLayout(fileRow);
  line->setContentsMargins(0, 0, 0, 0);
  line->addWidget(file, 1);
  line->addWidget(choose);
  add(tr("File"), fileRow, bit(PopulationKind::File));
}

PopulationParameters PopulationDialog::parameters() const
{
  PopulationParameters result;
  result.name = name->text().toStdString();
  result.kind = static_cast<PopulationKind>(kind->currentData().toInt());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    result.size[axis] = static_cast<std::uint32_t>(size[axis]->value());
    result.spacing[axis] = spacing[axis]->value();
    result.origin[axis] = origin[axis]->value();
    result.extent[axis] = extent[axis]->value();
  }
  result.count = static_cast<std::uint64_t>(count->value());
  result.radius = radius->value();
  result.seed = static_cast<std::uint64_t>(seed->value());
  result.file = file->text().toStdString();
  return result;
}

/// Shows the fields of the kind, and what is wrong with them.
void PopulationDialog::refresh()
{
  if (!accept)
    return; // still being built
  const unsigned chosen = 1u << static_cast<unsigned>(kind->currentData().toInt());
  for (const Field& field : fields) {
    const bool shown = (field.kinds & chosen) != 0;
    field.editor->setVisible(shown);
    form->labelForField(field.editor)->setVisible(shown);
  }
  QString sentence;
  try {
    projection::validate(parameters());
    if (parameters().kind == PopulationKind::File && file->text().isEmpty())
      sentence = tr("Choose a file.");
  } catch (const Error& error) {
    sentence = QString::fromUtf8(error.what());
  }
  problem->setText(sentence);
  accept->setEnabled(sentence.isEmpty());
}

void PopulationDialog::askForFile()
{
  auto* dialog = new QFileDialog(this, tr("Positions"), QFileInfo(file->text()).absolutePath(),
                                 tr("Text tables (*.csv *.txt *.tsv);;All files (*)"));
  dialog->setObjectName(QStringLiteral("positionsDialog"));
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, file, &QLineEdit::setText);
  dialog->open();
}

PopulationPanel::PopulationPanel(QWidget* parent) : QWidget(parent), list(new QListWidget(this))
{
  setObjectName(QStringLiteral("populationPanel"));
  auto* heading = new QLabel(tr("Populations"));
  QFont bold = heading->font();
  bold.setWeight(QFont::DemiBold);
  heading->setFont(bold);
  heading->setContentsMargins(12, 8, 12, 4);
  list->setObjectName(QStringLiteral("populationList"));
  list->setStyleSheet(
      QStringLiteral("QListWidget::item { padding: 4px 0px; border-left: 10px solid transparent; }"
                     "QListWidget::item:selected { background: palette(highlight); color: palette(highlighted-text); "
                     "border-left-color: palette(highlight); }"));
  list->setToolTip(tr("Populations that a projection can join; double click to change one"));
  QPushButton* addButton = makeButton("addPopulation", tr("Add…"), tr("Add a grid, random positions, or a file"));
  editButton = makeButton("editPopulation", tr("Change…"), tr("Change the chosen population"));
  removeButton = makeButton("removePopulation", tr("Remove"), tr("Remove the chosen population; two are needed"));
  auto* buttons = new QHBoxLayout;
  buttons->setContentsMargins(8, 6, 8, 6);
  buttons->setSpacing(6);
  for (QPushButton* button : {addButton, editButton, removeButton})
    buttons->addWidget(button);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(heading);
  column->addWidget(list, 1);
  column->addLayout(buttons);
  connect(addButton, &QPushButton::clicked, this, [this] { ask(-1); });
  connect(editButton, &QPushButton::clicked, this, [this] { ask(list->currentRow()); });
  connect(removeButton, &QPushButton::clicked, this, &PopulationPanel::remove);
  connect(list, &QListWidget::itemDoubleClicked, this, [this] { ask(list->currentRow()); });
  connect(list, &QListWidget::currentRowChanged, this, &PopulationPanel::refresh);

  PopulationParameters source;
  source.name = "source";
  source.size = {60, 60, 1};
  PopulationParameters destination = source;
  destination.name = "destination";
  setPopulations({source, destination});
}

void PopulationPanel::setPopulations(std::vector<PopulationParameters> populations)
{
  const int row = std::max(0, list->currentRow());
  all = std::move(populations);
  list->clear();
  for (const PopulationParameters& population : all)
    list->addItem(
        QStringLiteral("%1\n%2").arg(QString::fromStdString(population.name), describePopulation(population)));
  list->setCurrentRow(std::min(row, list->count() - 1));
  refresh();
}

void PopulationPanel::ask(int row)
{
  PopulationParameters shown;
  shown.name = "population " + std::to_string(all.size() + 1);
  auto* dialog = new PopulationDialog(row < 0 ? shown : all[static_cast<std::size_t>(row)], this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog, row] { take(row, dialog->parameters()); });
  dialog->open();
}

void PopulationPanel::take(int row, const PopulationParameters& parameters)
{
  std::vector<PopulationParameters> next = all;
  if (row < 0)
    next.push_back(parameters);
  else
    next[static_cast<std::size_t>(row)] = parameters;
  setPopulations(std::move(next));
  emit changed();
}

void PopulationPanel::remove()
{
  std::vector<PopulationParameters> next = all;
  next.erase(next.begin() + list->currentRow());
  setPopulations(std::move(next));
  emit changed();
}

void PopulationPanel::refresh()
{
  editButton->setEnabled(list->currentRow() >= 0);
  removeButton->setEnabled(list->currentRow() >= 0 && all.size() > kFewest);
}

} // namespace hinesight::app
