#include "app/projection/population_panel.hpp"

#include "app/projection/circuit_list.hpp"
#include "app/projection/population_dialog.hpp"
#include "app/projection/population_texts.hpp"
#include "widgets/theme.hpp"

#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace hinesight::app {

namespace {

using projection::PopulationParameters;

/// The first one that none of them has.
std::uint64_t freeSeed(const auto& parts, const auto& seedOf)
{
  std::uint64_t seed = 1;
  while (std::ranges::any_of(parts, [&](const auto& part) { return seedOf(part) == seed; }))
    ++seed;
  return seed;
}

} // namespace

PopulationPanel::PopulationPanel(QWidget* parent) : QWidget(parent), list(new QListWidget(this))
{
  setObjectName(QStringLiteral("populationPanel"));
  styleCircuitList(list, "populationList");
  list->setToolTip(tr("Populations that a projection can join; double click to change one"));
  QPushButton* addButton =
      makeCircuitButton("addPopulation", tr("Add…"), tr("Add a grid, random positions, a file, or somata"));
  editButton = makeCircuitButton("editPopulation", tr("Change…"), tr("Change the chosen population"));
  removeButton =
      makeCircuitButton("removePopulation", tr("Remove"),
                        tr("Remove the chosen population, and the connections that join it; two populations are "
                           "needed. Undo brings them back"));
  auto* buttons = new QHBoxLayout;
  buttons->setContentsMargins(8, 6, 8, 6);
  buttons->setSpacing(6);
  for (QPushButton* button : {addButton, editButton, removeButton})
    buttons->addWidget(button);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(list, 1);
  column->addLayout(buttons);
  connect(addButton, &QPushButton::clicked, this, [this] { ask(-1); });
  connect(editButton, &QPushButton::clicked, this, [this] { ask(list->currentRow()); });
  connect(removeButton, &QPushButton::clicked, this, &PopulationPanel::remove);
  connect(list, &QListWidget::itemDoubleClicked, this, [this] { ask(list->currentRow()); });
  connect(list, &QListWidget::currentRowChanged, this, &PopulationPanel::refresh);
  connect(this, &PopulationPanel::renamed, this, [this](const std::string& before, const std::string& now) {
    if (auto known = traits.extract(before)) {
      traits.erase(now);
      known.key() = now;
      traits.insert(std::move(known));
    }
  });

  std::vector<study::PopulationChoice> choices;
  for (const PopulationParameters& each : populationsAtStart())
    choices.push_back(each);
  setPopulations(std::move(choices));
}

std::vector<PopulationParameters> PopulationPanel::populationsAtStart()
{
  PopulationParameters source;
  source.name = "source";
  source.size = {60, 60, 1};
  PopulationParameters destination = source;
  destination.name = "destination";
  return {source, destination};
}

void PopulationPanel::setPopulations(std::vector<study::PopulationChoice> populations)
{
  const int row = std::max(0, list->currentRow());
  all = std::move(populations);
  for (study::PopulationChoice& population : all)
    if (population.isSomata && !population.given)
      population.given = somataOf(population.parameters.name, traitsOf(population.parameters.name));
  chooseColours();
  list->clear();
  for (std::size_t place = 0; place < all.size(); ++place)
    new QListWidgetItem(colourMark(colourOf(place)), QString(), list);
  refreshTexts();
  list->setCurrentRow(std::min(row, list->count() - 1));
  refresh();
}

void PopulationPanel::refreshTexts()
{
  for (int row = 0; row < list->count(); ++row) {
    const study::PopulationChoice& population = all[static_cast<std::size_t>(row)];
    const QString text = describe(population);
    list->item(row)->setText(QString::fromStdString(population.parameters.name) + QLatin1Char('\n') + text);
    list->item(row)->setToolTip(text + QLatin1Char('\n') + describePlacing(population) + QLatin1Char('\n') +
                                tr("Double click to change it."));
  }
}

void PopulationPanel::setCount(const study::PopulationChoice& population, std::uint64_t neurons)
{
  if (population.parameters.kind != projection::PopulationKind::File)
    return;
  counts[{population.parameters.file, population.nodes}] = neurons;
  refreshTexts();
}

QColor PopulationPanel::chosenColour(const std::string& name) const
{
  return QColor(QString::fromStdString(traitsOf(name).colour));
}

void PopulationPanel::chooseColours()
{
  std::vector<QColor> chosen;
  for (const study::PopulationChoice& population : all)
    chosen.push_back(chosenColour(population.parameters.name));
  colours = widgets::entryColors(chosen);
}

QColor PopulationPanel::colourOf(std::size_t place) const
{
  return widgets::shownColor(colours[place]);
}

void PopulationPanel::changeEvent(QEvent* event)
{
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    for (int row = 0; row < list->count(); ++row)
      list->item(row)->setIcon(colourMark(colourOf(static_cast<std::size_t>(row))));
}

QColor PopulationPanel::colourNamed(const std::string& name) const
{
  const auto found = std::ranges::find_if(all, [&](const auto& each) { return each.parameters.name == name; });
  return found == all.end() ? QColor() : colourOf(static_cast<std::size_t>(found - all.begin()));
}

QString PopulationPanel::describe(const study::PopulationChoice& population) const
{
  const model::Population ofCircuit = traitsOf(population.parameters.name);
  QString text = describePopulation(population);
  const auto counted = counts.find({population.parameters.file, population.nodes});
  if (population.parameters.kind == projection::PopulationKind::File && counted != counts.end())
    text += counted->second == 1 ? tr(", 1 neuron")
                                 : tr(", %1 neurons").arg(widgets::formatNumber(static_cast<double>(counted->second)));
  if (ofCircuit.role != model::Role::Excitatory)
    text +=
        QStringLiteral(", ") + widgets::inText(model::kRoles[static_cast<std::size_t>(ofCircuit.role)].label).toLower();
  if (!population.isSomata && ofCircuit.cells.size() == 1)
    text += tr(", each %1").arg(QString::fromStdString(ofCircuit.cells.front()));
  else if (!population.isSomata && !ofCircuit.cells.empty())
    text += tr(", a pool of %1 cells").arg(ofCircuit.cells.size());
  return text;
}

void PopulationPanel::setTraits(const std::vector<model::Population>& populations)
{
  traits.clear();
  for (const model::Population& population : populations)
    traits[population.name()] = population;
}

model::Population PopulationPanel::traitsOf(const std::string& name) const
{
  const auto found = traits.find(name);
  return found == traits.end() ? model::Population() : found->second;
}

std::shared_ptr<const projection::Population> PopulationPanel::somataOf(const std::string& name,
                                                                        const model::Population& ofCircuit) const
{
  std::array<std::vector<double>, 3> positions;
  const auto add = [&](const Soma& soma) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      positions[axis].push_back(soma.position[axis] + ofCircuit.moved[axis]);
  };
  if (ofCircuit.cells.empty())
    std::ranges::for_each(somata, add);
  std::unordered_map<std::string_view, const Soma*> somaOfFile;
  for (const Soma& soma : somata)
    somaOfFile.emplace(soma.file, &soma);
  std::unordered_map<std::string_view, const Soma*> somaOfCell;
  for (const NamedCell& cell : cells)
    if (const auto soma = somaOfFile.find(cell.file); soma != somaOfFile.end())
      somaOfCell.emplace(cell.name, soma->second);
  for (const std::string& each : ofCircuit.cells)
    if (const auto soma = somaOfCell.find(each); soma != somaOfCell.end())
      add(*soma->second);
  return positions[0].empty() ? nullptr : projection::populationAt(name, std::move(positions));
}

void PopulationPanel::setSomata(std::vector<Soma> ofOpenCells)
{
  if (ofOpenCells == somata)
    return;
  somata = std::move(ofOpenCells);
  placeSomata();
}

void PopulationPanel::setCells(const std::vector<model::Cell>& openCells)
{
  std::vector<NamedCell> next;
  for (const model::Cell& cell : openCells)
    next.push_back({cell.name, cell.file});
  if (next == cells)
    return;
  cells = std::move(next);
  placeSomata();
}

/// A population whose neurons lie where they lay stays the same one.
void PopulationPanel::placeSomata()
{
  std::vector<study::PopulationChoice> next = all;
  bool any = false;
  for (study::PopulationChoice& population : next) {
    if (!population.isSomata)
      continue;
    const std::string& name = population.parameters.name;
    auto placed = somataOf(name, traitsOf(name));
    if (placed && population.given && isSamePopulation(*placed, *population.given))
      continue;
    any = any || placed || population.given;
    population.given = std::move(placed);
  }
  if (!any)
    return;
  setPopulations(std::move(next));
  emit somataChanged();
}

void PopulationPanel::replaceNamesake(const study::PopulationChoice& population)
{
  std::vector<study::PopulationChoice> next = all;
  const auto namesake = std::ranges::find(next, population.parameters.name,
                                          [](const study::PopulationChoice& each) { return each.parameters.name; });
  if (namesake == next.end() || study::makeTheSame(*namesake, population))
    return;
  *namesake = population;
  setPopulations(std::move(next));
}

int PopulationPanel::placeOf(const study::PopulationChoice& population)
{
  const auto found = std::find_if(all.begin(), all.end(), [&](const study::PopulationChoice& each) {
    return study::makeTheSame(each, population);
  });
  const auto place = static_cast<int>(found - all.begin());
  if (found == all.end()) {
    std::vector<study::PopulationChoice> next = all;
    next.push_back(population);
    setPopulations(std::move(next));
  }
  return place;
}

/// As the chosen population is placed, or the last one where none is chosen, with a seed of its own; neurons of files
/// and of cells are not to be twice.
projection::PopulationParameters PopulationPanel::placementOfNew() const
{
  const int chosen = list->currentRow();
  PopulationParameters placement;
  if (!all.empty())
    placement = (chosen < 0 ? all.back() : all[static_cast<std::size_t>(chosen)]).parameters;
  if (placement.kind == projection::PopulationKind::File || placement.kind == projection::PopulationKind::Given)
    placement = {};
  placement.seed = freeSeed(all, [](const study::PopulationChoice& each) { return each.parameters.seed; });
  return placement;
}

model::Population PopulationPanel::traitsOfNew() const
{
  model::Population ofCircuit;
  ofCircuit.seed =
      freeSeed(all, [this](const study::PopulationChoice& each) { return traitsOf(each.parameters.name).seed; });
  return ofCircuit;
}

void PopulationPanel::ask(int row)
{
  study::PopulationChoice shown;
  if (row < 0)
    shown.parameters = placementOfNew();
  std::vector<PopulationDialog::Other> others;
  for (std::size_t place = 0; place < all.size(); ++place)
    if (const std::string& name = all[place].parameters.name; static_cast<int>(place) != row)
      others.push_back({name, colourOf(place), chosenColour(name).isValid()});
  for (std::size_t number = 1; row < 0; ++number) {
    shown.parameters.name = "population " + std::to_string(number);
    if (std::ranges::find(others, shown.parameters.name, &PopulationDialog::Other::name) == others.end())
      break;
  }
  if (row >= 0)
    shown = all[static_cast<std::size_t>(row)];
  const model::Population ofCircuit = row >= 0 ? traitsOf(shown.parameters.name) : traitsOfNew();
  std::vector<std::string> names;
  for (const NamedCell& cell : cells)
    names.push_back(cell.name);
  auto* dialog = new PopulationDialog(shown, ofCircuit, std::move(names), somataOf("somata", {}), this);
  dialog->setOthers(std::move(others));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog, row] { take(row, dialog->choice(), dialog->population()); });
  dialog->open();
}

void PopulationPanel::take(int row, const study::PopulationChoice& choice, const model::Population& ofCircuit)
{
  const std::string& name = choice.parameters.name;
  const study::PopulationChoice before = row < 0 ? study::PopulationChoice() : all[static_cast<std::size_t>(row)];
  const bool isRenamed = row >= 0 && before.parameters.name != name;
  if (isRenamed)
    emit renamed(before.parameters.name, name);
  traits[name] = ofCircuit;
  study::PopulationChoice taken = choice;
  if (taken.isSomata) {
    taken.given = somataOf(name, ofCircuit);
    if (taken.given && before.given && isSamePopulation(*taken.given, *before.given))
      taken.given = before.given;
  }
  const bool isOther = row < 0 || !study::makeTheSame(before, taken);
  std::vector<study::PopulationChoice> next = all;
  if (row < 0)
    next.push_back(std::move(taken));
  else
    next[static_cast<std::size_t>(row)] = std::move(taken);
  setPopulations(std::move(next));
  if (row < 0)
    list->setCurrentRow(list->count() - 1); // it is what the buttons are for next
  if (isOther)
    emit changed();
  else
    emit traitsChanged();
}

void PopulationPanel::remove()
{
  std::vector<study::PopulationChoice> next = all;
  const std::string name = next[static_cast<std::size_t>(list->currentRow())].parameters.name;
  next.erase(next.begin() + list->currentRow());
  setPopulations(std::move(next));
  emit removed(name);
  emit changed();
}

void PopulationPanel::refresh()
{
  editButton->setEnabled(list->currentRow() >= 0);
  removeButton->setEnabled(list->currentRow() >= 0 && all.size() > kFewest);
}

} // namespace hinesight::app
