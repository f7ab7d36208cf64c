#include "app/simulation/simulation_panel.hpp"

#include "app/forms/machine_rows.hpp"
#include "app/forms/parameter_group.hpp"
#include "cell/mechanism.hpp"
#include "morphology/morphology.hpp"
#include "study/simulation/channel_table.hpp"
#include "widgets/theme.hpp"

#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

constexpr double kMostFactor = 1000;
constexpr double kSliderFactor = 3;
constexpr int kChannelsHeight = 260; // pixels
constexpr int kChangesHeight = 120;

QString textOfType(std::int32_t type)
{
  switch (type) {
  case morphology::kSoma:
    return SimulationPanel::tr("Soma");
  case morphology::kAxon:
    return SimulationPanel::tr("Axon");
  case morphology::kBasalDendrite:
    return SimulationPanel::tr("Basal dendrites");
  case morphology::kApicalDendrite:
    return SimulationPanel::tr("Apical dendrites");
  default:
    return SimulationPanel::tr("SWC type %1").arg(type);
  }
}

/// As wide as what is in them and their titles; the last one takes the rest.
void fitColumns(QTreeWidget* tree)
{
  for (int column = 0; column < tree->columnCount() - 1; ++column)
    tree->resizeColumnToContents(column);
}

QTreeWidget* makeTree(const char* name, const QStringList& columns, const QString& help, int height)
{
  auto* tree = new QTreeWidget;
  tree->setObjectName(QLatin1String(name));
  tree->setToolTip(help);
  tree->setColumnCount(static_cast<int>(columns.size()));
  tree->setHeaderLabels(columns);
  tree->setMinimumHeight(height);
  tree->setAlternatingRowColors(true);
  tree->setUniformRowHeights(true);
  tree->header()->setStretchLastSection(true);
  fitColumns(tree);
  return tree;
}

QLabel* makeWords(const char* name, const QString& help)
{
  auto* label = new QLabel;
  label->setObjectName(QLatin1String(name));
  label->setToolTip(help);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

} // namespace

SimulationPanel::SimulationPanel(QWidget* parent) : QWidget(parent)
{
  setObjectName(QStringLiteral("simulationPanel"));
  auto* groups = new QVBoxLayout;
  scrollInPanel(groups, this, QStringLiteral("simulationScroll"));
  auto* ofModel = new ParameterGroup(QStringLiteral("simulationModel"), tr("Model"),
                                     tr("What is open, and what of its files is not honoured"), this);
  what = makeWords("simulationWhat", tr("The files that are open to be simulated"));
  notes = makeWords("simulationNotes", tr("What of the files has no effect, or was chosen in their place"));
  ofModel->addRow(what);
  ofModel->addRow(notes);
  groups->addWidget(ofModel);
  liveGroup = new ParameterGroup(QStringLiteral("simulationLive"), tr("While it runs"),
                                 tr("Factors that act within 1 ms of simulated time, and mark the axis of time"), this);
  groups->addWidget(liveGroup);
  form = new FieldForm(groups, this, [this] { return fields(); },
                       {.prefix = QStringLiteral("simulation"), .without = {"file", "morphology"}});
  connect(form, &FieldForm::edited, this, [this](bool settled) {
    refresh();
    if (!settled || current == told)
      return;
    told = current;
    emit edited();
  });
  auto* ofChannels = new ParameterGroup(QStringLiteral("simulationChannels"), tr("Channels"),
                                        tr("What each region of each cell is made of, with units and ranges"), this);
  channels =
      makeTree("simulationChannelTree", {tr("Region, mechanism"), tr("Value"), tr("Possible")},
               tr("Mechanisms and their parameters by region, with their units and the values that are possible"),
               kChannelsHeight);
  ofChannels->addRow(channels);
  groups->addWidget(ofChannels);
  auto* ofChanges =
      new ParameterGroup(QStringLiteral("simulationChanges"), tr("Changes"),
                         tr("What was changed while it ran, and when; a run with them is the same"), this);
  changeList = makeTree("simulationChangeList", {tr("From, ms"), tr("Change")},
                        tr("Each change acts from its time in ms on"), kChangesHeight);
  changeList->setRootIsDecorated(false);
  ofChanges->addRow(changeList);
  groups->addWidget(ofChanges);
  groups->addStretch(1);
  showMachine(*form, nullptr);
  setModel(nullptr);
  refresh();
}

std::vector<BoundField> SimulationPanel::fields()
{
  std::vector<BoundField> all = fieldsOf(current, standard);
  const bool hasCurrent = model && model->isSingleCell;
  for (BoundField& field : all) {
    if (field.name.starts_with("current-"))
      field.about = field.about.onlyWhen(hasCurrent);
    if (field.name == "seed")
      field.about = field.about.onlyWhen(model && !model->isSingleCell && !model->isOfProject());
    if (field.name == "dt")
      field.about.section = {"Numerics", "How a step is taken"};
  }
  return all;
}

void SimulationPanel::setRequest(const study::SimulationRequest& request)
{
  current = request;
  told = request;
  showFactors();
  refresh();
}

void SimulationPanel::setModel(std::shared_ptr<const study::SimulationModel> opened)
{
  model = std::move(opened);
  if (model) {
    standard = model->request;
    standard.run = model->usual;
    current = told = standard;
  }
  live = {};
  QString text = tr("Nothing is open.");
  QStringList said;
  if (model) {
    if (model->isOfProject())
      text = tr("The populations and connections of the session, by their models and stimuli.");
    else
      text = model->request.file.starts_with(':')
                 ? tr("%1, comes with the program").arg(QString::fromStdString(model->title))
                 : QString::fromStdString(model->request.file);
    for (const std::string& note : model->circuit.notes)
      said << QStringLiteral("\u2022 ") + QString::fromStdString(note);
  }
  what->setText(text);
  notes->setText(said.join(QLatin1Char('\n')));
  notes->setVisible(!said.isEmpty());
  addLiveRows();
  showChannels();
  setChanges({});
  refresh();
}

NumberRow* SimulationPanel::addLiveRow(const QString& id, const QString& label, const QString& help, double least,
                                       double greatest, double usual, const QString& unit)
{
  const bool isFactor = unit.isEmpty();
  NumberRange range{.lowest = least,
                    .highest = greatest,
                    .sliderLowest = least,
                    .sliderHighest = isFactor ? kSliderFactor : greatest,
                    .unit = unit.isEmpty() ? QString() : QLatin1Char(' ') + unit};
  auto* row = new NumberRow({id, label, help, {}}, range, usual, liveRows);
  row->setValue(usual);
  connect(row, &NumberRow::valueChanged, this, &SimulationPanel::takeFactors);
  liveRows->layout()->addWidget(row);
  return row;
}

void SimulationPanel::addLiveRows()
{
  delete liveRows;
  liveRows = new QWidget;
  liveRows->setObjectName(QStringLiteral("simulationLiveRows"));
  auto* column = new QVBoxLayout(liveRows);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  conductances.clear();
  stimuli = weights = warmer = nullptr;
  if (model) {
    for (const std::size_t place : study::mechanismsOf(*model)) {
      const cell::Mechanism& mechanism = cell::allMechanisms()[place];
      const bool conducts = std::ranges::any_of(
          mechanism.parameters, [](const cell::MechanismParameter& parameter) { return parameter.unit == "S/cm2"; });
      if (!conducts)
        continue;
      const QString name = QString::fromUtf8(mechanism.name.data(), static_cast<qsizetype>(mechanism.name.size()));
      const QString title = widgets::inText(mechanism.title);
      conductances.emplace_back(place, addLiveRow(QStringLiteral("live") + name, name,
                                                  tr("%1: all conductances of %2, as a factor, 0 to 1000; 1 is what "
                                                     "the files say")
                                                      .arg(title, name),
                                                  0, kMostFactor, 1, {}));
    }
    stimuli = addLiveRow(QStringLiteral("liveStimuli"), tr("Stimuli"),
                         tr("All currents of electrodes, as a factor, 0 to 1000; 1 is what the files say"), 0,
                         kMostFactor, 1, {});
    weights = addLiveRow(QStringLiteral("liveWeights"), tr("Weights"),
                         tr("The weights of all synapses, as a factor, 0 to 1000; 1 is what the files say"), 0,
                         kMostFactor, 1, {});
    weights->setEnabled(!model->circuit.network.synapses.empty());
    constexpr double kMostWarmer = 40;
    warmer = addLiveRow(QStringLiteral("liveWarmer"), tr("Warmer by"),
                        tr("What all cells are above the temperature of Numerics, -40 to 40 °C; channels are faster "
                           "when it is warmer"),
                        -kMostWarmer, kMostWarmer, 0, QStringLiteral("°C"));
  } else {
    auto* nothing = new QLabel(tr("Open a model first."));
    nothing->setEnabled(false);
    column->addWidget(nothing);
  }
  liveGroup->addRow(liveRows);
}

void SimulationPanel::takeFactors()
{
  live.conductance.assign(cell::allMechanisms().size(), 1);
  bool areUsual = true;
  for (const auto& [place, row] : conductances) {
    live.conductance[place] = row->value();
    areUsual = areUsual && row->value() == 1;
  }
  if (areUsual)
    live.conductance.clear();
  live.stimuli = stimuli->value();
  live.weights = weights->value();
  live.celsius = warmer->value() == 0 ? std::nullopt : std::optional(current.run.celsius + warmer->value());
  emit adjusted(live);
}

void SimulationPanel::setFactors(const study::LiveFactors& factors)
{
  live = factors;
  showFactors();
}

void SimulationPanel::showFactors()
{
  for (const auto& [place, row] : conductances)
    row->setValue(place < live.conductance.size() ? live.conductance[place] : 1);
  if (!stimuli)
    return;
  stimuli->setValue(live.stimuli);
  weights->setValue(live.weights);
  warmer->setValue(live.celsius ? *live.celsius - current.run.celsius : 0);
}

void SimulationPanel::showChannels()
{
  channels->clear();
  if (!model)
    return;
  const auto addNumber = [](QTreeWidgetItem* under, const study::ChannelNumber& number) {
    const QString value =
        (QString::number(number.value, 'g', 6) + QLatin1Char(' ') + QString::fromStdString(number.unit)).trimmed();
    auto* item =
        new QTreeWidgetItem(under, {QString::fromStdString(number.name), value, QString::fromStdString(number.range)});
    item->setToolTip(0, tr("%1: %2; %3 is possible").arg(item->text(0), item->text(1), item->text(2)));
  };
  const std::vector<study::ModelRow> rows = study::channelTable(*model);
  for (const study::ModelRow& row : rows) {
    auto* ofModel = new QTreeWidgetItem(channels, {QString::fromStdString(row.name)});
    ofModel->setText(1, row.cells == 1 ? tr("1 cell") : tr("%1 cells").arg(row.cells));
    for (const study::RegionRow& region : row.regions) {
      auto* ofRegion = new QTreeWidgetItem(ofModel, {textOfType(region.type)});
      ofRegion->setText(1, region.sections == 1 ? tr("1 section") : tr("%1 sections").arg(region.sections));
      ofRegion->setToolTip(0, tr("%1 sections, %2 compartments, %3 \u00b5m\u00b2 of membrane")
                                  .arg(region.sections)
                                  .arg(region.compartments)
                                  .arg(widgets::formatNumber(region.area)));
      for (const study::ChannelNumber& number : region.numbers)
        addNumber(ofRegion, number);
      for (const study::ChannelRow& channel : region.channels) {
        const cell::Mechanism& mechanism = cell::allMechanisms()[static_cast<std::size_t>(channel.mechanism)];
        auto* ofChannel = new QTreeWidgetItem(ofRegion, {widgets::inText(mechanism.name)});
        ofChannel->setToolTip(
            0, QStringLiteral("%1 (%2)").arg(widgets::inText(mechanism.title), widgets::inText(mechanism.source)));
        for (const study::ChannelNumber& number : channel.numbers)
          addNumber(ofChannel, number);
      }
      ofRegion->setExpanded(rows.size() == 1);
    }
    ofModel->setExpanded(true);
  }
  fitColumns(channels);
}

void SimulationPanel::setChanges(const std::vector<study::LiveChange>& changes)
{
  changeList->clear();
  study::LiveFactors before;
  for (const study::LiveChange& change : changes) {
    new QTreeWidgetItem(changeList, {QString::number(change.time, 'f', 2),
                                     widgets::inText(study::describeChange(before, change.factors))});
    before = change.factors;
  }
  fitColumns(changeList);
  changeList->scrollToBottom();
}

void SimulationPanel::setDevices(const DeviceReport& report)
{
  showMachine(*form, &report);
}

void SimulationPanel::resetAll()
{
  current = standard;
  told = current;
  live = {};
  showFactors();
  refresh();
  emit edited();
  emit adjusted(live);
}

void SimulationPanel::refresh()
{
  form->refresh();
  form->group("Stimulus")->setVisible(model && model->isSingleCell);
}

} // namespace hinesight::app
