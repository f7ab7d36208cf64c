#include "app/projection/population_panel.hpp"

#include "app/projection/circuit_list.hpp"
#include "app/projection/population_dialog.hpp"
#include "app/projection/population_texts.hpp"

#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

using projection::PopulationParameters;

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
      makeCircuitButton("removePopulation", tr("Remove"), tr("Remove the chosen population; two are needed"));
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

  PopulationParameters source;
  source.name = "source";
  source.size = {60, 60, 1};
  PopulationParameters destination = source;
  destination.name = "destination";
  setPopulations({source, destination});
}

void PopulationPanel::setPopulations(std::vector<study::PopulationChoice> populations)
{
  const int row = std::max(0, list->currentRow());
  all = std::move(populations);
  for (study::PopulationChoice& population : all)
    if (population.isSomata && !population.given)
      population.given = somataNamed(population.parameters.name);
  list->clear();
  for (const study::PopulationChoice& population : all) {
    auto* item = new QListWidgetItem(QStringLiteral("%1\n%2").arg(QString::fromStdString(population.parameters.name),
                                                                  describePopulation(population)),
                                     list);
    item->setToolTip(describePlacing(population) + QLatin1Char('\n') + tr("Double click to change it."));
  }
  list->setCurrentRow(std::min(row, list->count() - 1));
  refresh();
}

std::shared_ptr<const projection::Population> PopulationPanel::somataNamed(const std::string& name) const
{
  return somata[0].empty() ? nullptr : projection::populationAt(name, somata);
}

void PopulationPanel::setSomata(std::array<std::vector<double>, 3> positions)
{
  if (positions == somata)
    return;
  somata = std::move(positions);
  std::vector<study::PopulationChoice> next = all;
  bool any = false;
  for (study::PopulationChoice& population : next) {
    if (!population.isSomata)
      continue;
    population.given = somataNamed(population.parameters.name);
    any = true;
  }
  if (!any)
    return;
  setPopulations(std::move(next));
  emit somataChanged();
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

void PopulationPanel::ask(int row)
{
  study::PopulationChoice shown;
  shown.parameters.name = "population " + std::to_string(all.size() + 1);
  if (row >= 0)
    shown = all[static_cast<std::size_t>(row)];
  auto* dialog = new PopulationDialog(shown, somataNamed("somata"), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog, row] { take(row, dialog->choice()); });
  dialog->open();
}

void PopulationPanel::take(int row, const study::PopulationChoice& choice)
{
  std::vector<study::PopulationChoice> next = all;
  study::PopulationChoice taken = choice;
  if (taken.isSomata)
    taken.given = somataNamed(taken.parameters.name);
  if (row < 0)
    next.push_back(std::move(taken));
  else {
    study::PopulationChoice& place = next[static_cast<std::size_t>(row)];
    if (place.parameters.name != taken.parameters.name)
      emit renamed(place.parameters.name, taken.parameters.name);
    place = std::move(taken);
  }
  setPopulations(std::move(next));
  emit changed();
}

void PopulationPanel::remove()
{
  std::vector<study::PopulationChoice> next = all;
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
