#include "app/projection/projection_panel.hpp"

#include "app/forms/machine_rows.hpp"
#include "app/forms/parameter_group.hpp"
#include "app/projection/population_texts.hpp"
#include "widgets/choice_box.hpp"

#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kNoteMargin = 10;  // pixels
constexpr int kLabelWidth = 132; ///< that of the other rows, with their button that explains

/// Where a population that was at `place` is in `next`: the same one, else one of its name, else what is at its place.
int placeOf(const study::PopulationChoice& population, int place, const std::vector<study::PopulationChoice>& next)
{
  const auto find = [&](const auto& suits) {
    if (static_cast<std::size_t>(place) < next.size() && suits(next[static_cast<std::size_t>(place)]))
      return place; // of several that suit
    const auto found = std::find_if(next.begin(), next.end(), suits);
    return found == next.end() ? -1 : static_cast<int>(found - next.begin());
  };
  int found = find([&](const study::PopulationChoice& other) { return study::makeTheSame(other, population); });
  if (found < 0)
    found =
        find([&](const study::PopulationChoice& other) { return other.parameters.name == population.parameters.name; });
  return found < 0 ? place : found;
}

} // namespace

ProjectionPanel::ProjectionPanel(QWidget* parent) : QWidget(parent)
{
  setObjectName(QStringLiteral("projectionPanel"));
  groups = new QVBoxLayout;
  QVBoxLayout* column = scrollInPanel(groups, this, QStringLiteral("projectionScroll"));
  ofFile = new QLabel;
  ofFile->setObjectName(QStringLiteral("projectionFile"));
  ofFile->setToolTip(tr("The table is shown as the file has it; nothing here makes it"));
  ofFile->setWordWrap(true);
  ofFile->setAlignment(Qt::AlignTop);
  ofFile->setMargin(kNoteMargin);
  ofFile->setTextInteractionFlags(Qt::TextSelectableByMouse);
  ofFile->hide();
  column->addWidget(ofFile, 1);
  addPopulations();
  addParameters();
  groups->addStretch(1);
  refresh();
}

void ProjectionPanel::addPopulations()
{
  auto* group = new ParameterGroup(QStringLiteral("projectionPopulations"), tr("Populations"),
                                   tr("The two populations that the projection connects"), this);
  groups->addWidget(group);
  auto* rows = new QWidget;
  auto* layout = new QFormLayout(rows);
  layout->setContentsMargins(0, 2, 0, 2);
  source = new widgets::ChoiceBox;
  source->setObjectName(QStringLiteral("projectionSource"));
  source->setToolTip(tr("The population that the connections come from; its layer is the upper one"));
  destination = new widgets::ChoiceBox;
  destination->setObjectName(QStringLiteral("projectionDestination"));
  destination->setToolTip(tr("The population that the connections go to"));
  for (const auto& [text, combo] : {std::pair(tr("From"), source), std::pair(tr("To"), destination)}) {
    auto* label = new QLabel(text);
    label->setFixedWidth(kLabelWidth);
    label->setBuddy(combo);
    layout->addRow(label, combo);
  }
  for (widgets::ChoiceBox* combo : {source, destination}) {
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(combo, &QComboBox::activated, this, [this] {
      sourceIndex = source->currentIndex();
      destinationIndex = destination->currentIndex();
      refresh();
      emit edited(true);
    });
  }
  group->addRow(rows);
}

void ProjectionPanel::addParameters()
{
  form = new FieldForm(groups, this,
                       [this] {
                         std::vector<BoundField> fields = fieldsOf(current);
                         for (BoundField& field : fields)
                           if (field.about.unit.empty())
                             field.about.unit = circuitUnitOf(field.name);
                         for (BoundField& field : fieldsOf(compute))
                           fields.push_back(std::move(field));
                         return fields;
                       },
                       {.prefix = QStringLiteral("projection"), .without = {"threads"}});
  connect(form, &FieldForm::edited, this, [this](bool settled) {
    refresh();
    emit edited(settled);
  });
  showMachine(*form, nullptr);
}

void ProjectionPanel::refresh()
{
  form->refresh();
  form->row("self-connections")->setVisible(joinsOnePopulation());
}

study::ProjectionRequest ProjectionPanel::request() const
{
  study::ProjectionRequest request;
  request.source = populations[static_cast<std::size_t>(sourceIndex)];
  request.destination = populations[static_cast<std::size_t>(destinationIndex)];
  request.parameters = current;
  request.compute = compute;
  return request;
}

void ProjectionPanel::setParameters(const projection::ProjectionParameters& parameters)
{
  current = parameters;
  refresh();
}

void ProjectionPanel::setBackend(Backend chosen)
{
  compute.backend = chosen;
  refresh();
}

void ProjectionPanel::setCompute(const projection::ComputeParameters& parameters)
{
  compute = parameters;
  refresh();
}

void ProjectionPanel::setPopulations(std::vector<study::PopulationChoice> shown)
{
  const auto placeNow = [&](int place) {
    const auto before = static_cast<std::size_t>(place);
    return before < populations.size() ? placeOf(populations[before], place, shown) : place;
  };
  const int sourcePlace = placeNow(sourceIndex);
  const int destinationPlace = placeNow(destinationIndex);
  populations = std::move(shown);
  std::vector<widgets::ChoiceBox::Entry> entries;
  for (const study::PopulationChoice& population : populations)
    entries.push_back({QString::fromStdString(population.parameters.name),
                       describePopulation(population) + QLatin1Char('\n') + describePlacing(population)});
  for (widgets::ChoiceBox* combo : {source, destination})
    combo->setEntries(entries);
  choosePopulations(sourcePlace, destinationPlace);
}

void ProjectionPanel::choosePopulations(int sourcePlace, int destinationPlace)
{
  const int last = static_cast<int>(populations.size()) - 1;
  sourceIndex = std::clamp(sourcePlace, 0, last);
  destinationIndex = std::clamp(destinationPlace, 0, last);
  source->setCurrentIndex(sourceIndex);
  destination->setCurrentIndex(destinationIndex);
  refresh();
}

/// Only then are there self-connections (projection::leavesSelfOut).
bool ProjectionPanel::joinsOnePopulation() const
{
  return !populations.empty() && study::makeTheSame(populations[static_cast<std::size_t>(sourceIndex)],
                                                    populations[static_cast<std::size_t>(destinationIndex)]);
}

void ProjectionPanel::setFile(const model::Connection* connection)
{
  if (connection)
    ofFile->setText(tr("%1: %2 \u2192 %3, read from the file %4. Its weights are those of the file; no kernel makes "
                       "them.\n\nClick a projection in the list of connections to see its parameters, or Add to make "
                       "one.")
                        .arg(QString::fromStdString(connection->name), QString::fromStdString(connection->source),
                             QString::fromStdString(connection->target),
                             QFileInfo(QString::fromStdString(connection->file)).fileName()));
  ofFile->setVisible(connection);
  findChild<QWidget*>(QStringLiteral("projectionScroll"))->setVisible(!connection);
}

void ProjectionPanel::setDevices(const DeviceReport& report)
{
  showMachine(*form, &report);
}

void ProjectionPanel::resetAll()
{
  if (current == projection::ProjectionParameters() || !ofFile->isHidden())
    return;
  setParameters({});
  emit edited(true);
}

} // namespace hinesight::app
