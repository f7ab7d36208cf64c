#include "app/synapses/formation_page.hpp"

#include "app/selection/neuron_selection.hpp"
#include "app/shell/bars/page_header.hpp"
#include "core/error.hpp"
#include "io/runs/history_records.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/orbit/scale_overlay.hpp"
#include "widgets/picture_file.hpp"
#include "widgets/synapse/synapse_charts.hpp"
#include "widgets/theme.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kTextMargin = 10;
constexpr std::size_t kMostBundles = 600;
constexpr std::uint32_t kFirstElement = 0; ///< whose descent is shown

QString counted(std::size_t count)
{
  return widgets::formatNumber(static_cast<double>(count));
}

/// " of pyramidal"; empty where all are of one.
QString populationOf(const synapse::NeuronPopulation& neurons, std::size_t neuron)
{
  const std::size_t area = neuron < neurons.area.size() ? neurons.area[neuron] : neurons.areaNames.size();
  return neurons.areaNames.size() < 2 || area >= neurons.areaNames.size()
             ? QString()
             : FormationPage::tr(" of %1").arg(QString::fromStdString(neurons.areaNames[area]));
}

/// The first neuron of a population of the circuit; the neurons lie one population after another.
std::uint64_t beginOf(const synapse::NeuronPopulation& neurons, std::uint32_t area)
{
  return static_cast<std::uint64_t>(std::ranges::lower_bound(neurons.area, area) - neurons.area.begin());
}

/// Of a neuron of the circuit among all; none: it is not there.
std::optional<std::uint32_t> placeOf(const synapse::NeuronPopulation& neurons, const std::string& population,
                                     std::uint64_t index)
{
  const auto name = std::ranges::find(neurons.areaNames, population);
  if (name == neurons.areaNames.end())
    return std::nullopt;
  const auto area = static_cast<std::uint32_t>(name - neurons.areaNames.begin());
  const std::uint64_t place = beginOf(neurons, area) + index;
  return place < beginOf(neurons, area + 1) ? std::optional(static_cast<std::uint32_t>(place)) : std::nullopt;
}

QString probabilityText(double probability)
{
  return QString::number(probability, 'g', 2);
}

} // namespace

QString describeNetwork(const FormationOutcome& outcome)
{
  return FormationPage::tr("%1 synapses of %2 pairs, %3 neurons")
      .arg(counted(outcome.distances.synapses), counted(outcome.formation->network.synapses.size()),
           counted(outcome.formation->population->size()));
}

QString FormationPage::title()
{
  return tr("Synapses");
}

FormationPage::FormationPage(QWidget* parent)
    : QWidget(parent), octree(new widgets::OctreeView(this)), lengths(new widgets::DistanceChart(this))
{
  setObjectName(QStringLiteral("formationPage"));
  lengths->setObjectName(QStringLiteral("distanceChart"));
  octree->timingCard()->setHistoryOf({}); // the whole run, not one of its stages

  neuronText = new QLabel;
  neuronText->setObjectName(QStringLiteral("neuronText"));
  neuronText->setWordWrap(true);
  neuronText->setTextInteractionFlags(Qt::TextSelectableByMouse);
  neuronText->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  neuronText->setMargin(kTextMargin);
  neuronText->setToolTip(tr("The selected neuron: its search and its synapses; distances in \u00b5m"));
  auto* words = new QScrollArea;
  words->setWidgetResizable(true);
  words->setFrameShape(QFrame::NoFrame);
  words->setWidget(neuronText);
  auto* below = new QWidget;
  auto* row = new QHBoxLayout(below);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(1);
  row->addWidget(lengths, 3);
  row->addWidget(words, 2);
  auto* splitter = new QSplitter(Qt::Vertical);
  splitter->setObjectName(QStringLiteral("formationSplitter"));
  splitter->addWidget(octree);
  splitter->addWidget(below);
  splitter->setSizes({480, 190});
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 1);
  splitter->setChildrenCollapsible(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeHeader());
  column->addWidget(splitter, 1);
  octree->setNaming(
      [this](std::uint32_t neuron) { return numberOf(neuron) + populationOf(*shown.formation->population, neuron); });
  connect(octree, &widgets::OctreeView::neuronPicked, this, &FormationPage::select);
  connect(octree, &widgets::OctreeView::neuronsPicked, this, &FormationPage::pickAll);
  refreshHeader();
}

PageHeader* FormationPage::makeHeader()
{
  QPushButton* formButton = makeHeaderButton("formationForm", tr("Form"), tr("Form synapses once more (F5)"));
  deselectButton = makeHeaderButton("formationDeselect", tr("Deselect"),
                                    tr("Select no neuron; a click on a neuron shows its search"));
  growButton = makeHeaderButton(
      "formationGrow", tr("Grow"),
      tr("Let the plasticity model go on with this network, in steps of 1 ms, with calcium at its target"));
  QPushButton* importButton =
      makeHeaderButton("formationImport", tr("Import…"),
                       tr("Read neurons, with positions in \u00b5m, and form synapses; or read a network"));
  exportButton = makeHeaderButton("formationExport", tr("Export…"),
                                  tr("Write synapses, neurons (\u00b5m), timings (ms) or a picture to a file"));
  saveButton = makeHeaderButton("formationSave", tr("Picture…"),
                                tr("Make a figure of this page: PNG, SVG or PDF (Ctrl+Shift+E)"));
  connect(formButton, &QPushButton::clicked, this, &FormationPage::formRequested);
  connect(deselectButton, &QPushButton::clicked, this, [this] { select(std::nullopt); });
  connect(growButton, &QPushButton::clicked, this, &FormationPage::growRequested);
  connect(importButton, &QPushButton::clicked, this, &FormationPage::importRequested);
  connect(exportButton, &QPushButton::clicked, this, &FormationPage::exportRequested);
  connect(saveButton, &QPushButton::clicked, this, &FormationPage::saveRequested);
  header = new PageHeader(title(), "formationHeadline",
                          {formButton, deselectButton, growButton, importButton, exportButton, saveButton}, this);
  return header;
}

void FormationPage::setOutcome(const FormationOutcome& outcome)
{
  const io::FormationRun run = show(outcome);
  octree->timingCard()->addRun(run.timings, {.of = io::comparedAs(io::recordOf(run, shown.file))});
  if (!shown.stored)
    allRuns.push_back(run);
}

void FormationPage::showAgain(const FormationOutcome& outcome)
{
  const io::FormationRun run = show(outcome);
  octree->timingCard()->showAgain(run.timings, {.of = io::comparedAs(io::recordOf(run, shown.file))});
}

io::FormationRun FormationPage::show(const FormationOutcome& outcome)
{
  const bool sameNeurons = shown.formation && shown.formation->population == outcome.formation->population;
  shown = outcome;
  theta = shown.formation->parameters.search.theta;
  octree->setContent(shown.content, isOfCircuit() ? populationColor : nullptr);
  hiddenThere.forget(); // they have other places
  lengths->setFigure(shown.distances);
  octree->timingCard()->setNote(describeNetwork(shown));
  showSelected(isOfCircuit() || !sameNeurons ? markPicked() : selected);
  bundle();
  expectDistances();
  emit networkChanged();
  return io::summarize(*shown.formation, shown.distances.synapses);
}

void FormationPage::recolor()
{
  octree->recolor();
}

void FormationPage::setLook(const widgets::OctreeLook& newLook)
{
  const bool bundles = newLook.synapses == widgets::SynapseLook::Bundles &&
                       (look.synapses != newLook.synapses || look.bundleLevel != newLook.bundleLevel);
  look = newLook;
  octree->setLook(look);
  if (bundles)
    bundle();
}

void FormationPage::setTheta(double newTheta)
{
  if (std::exchange(theta, newTheta) != newTheta && selected)
    lookUpSearch();
}

void FormationPage::setSelection(NeuronSelection* selection)
{
  ofCircuit = selection;
  connect(ofCircuit, &NeuronSelection::changed, this, &FormationPage::takePicked);
}

bool FormationPage::isOfCircuit() const
{
  return ofCircuit && !shown.joins.empty();
}

std::shared_ptr<selection::NetworkTable> FormationPage::networkShown() const
{
  if (!isOfCircuit())
    return nullptr;
  const auto neurons = shown.formation->population;
  auto made = std::make_shared<selection::NetworkTable>();
  for (std::uint32_t area = 0; area < neurons->areaNames.size(); ++area)
    made->addPopulation(neurons->areaNames[area], beginOf(*neurons, area + 1) - beginOf(*neurons, area));
  made->position = [neurons](std::size_t neuron) {
    const auto& place = neurons->position[neuron];
    return std::array<double, 3>{place[0], place[1], place[2]};
  };
  const auto lists = shown.content.synapses;
  made->offsets = lists->outgoing.offset;
  made->target = lists->outgoing.partner;
  made->weight = [lists](std::size_t synapse) { return static_cast<double>(lists->outgoing.weight[synapse]); };
  made->kept = lists;
  return made;
}

void FormationPage::select(std::optional<std::uint32_t> neuron)
{
  if (!isOfCircuit())
    return showSelected(neuron);
  if (!neuron)
    return ofCircuit->pick({});
  const synapse::NeuronPopulation& all = *shown.formation->population;
  const std::uint32_t area = all.area[*neuron];
  ofCircuit->pick({{all.areaNames[area], *neuron - beginOf(all, area)}});
}

/// Several at once. Of neurons of no circuit one is selected at most.
void FormationPage::pickAll(const std::vector<std::uint32_t>& neurons, widgets::PickMode how)
{
  if (!isOfCircuit()) {
    const bool ends = how == widgets::PickMode::Toggle && !neurons.empty() && selected == neurons.front();
    return showSelected(neurons.empty() || ends ? std::nullopt : std::optional(neurons.front()));
  }
  const synapse::NeuronPopulation& all = *shown.formation->population;
  std::vector<NeuronSet::Numbers> ofAreas(all.areaNames.size());
  for (const std::uint32_t neuron : neurons)
    ofAreas[all.area[neuron]].push_back(static_cast<std::uint32_t>(neuron - beginOf(all, all.area[neuron])));
  NeuronSet picked;
  for (std::size_t area = 0; area < ofAreas.size(); ++area)
    picked.add(all.areaNames[area], ofAreas[area]);
  ofCircuit->pick(picked, how);
}

void FormationPage::takePicked()
{
  if (!isOfCircuit())
    return;
  if (const std::optional<std::uint32_t> newest = markPicked(); newest != selected)
    showSelected(newest);
}

/// In its population of the circuit, as all pages count it.
QString FormationPage::numberOf(std::uint32_t neuron) const
{
  const synapse::NeuronPopulation& all = *shown.formation->population;
  return counted(isOfCircuit() ? neuron - beginOf(all, all.area[neuron]) : neuron);
}

/// Marks what is picked in the circuit but the newest one, which it returns, and leaves out what is hidden there. Of
/// other neurons there is none.
std::optional<std::uint32_t> FormationPage::markPicked()
{
  std::vector<std::uint32_t> others;
  if (isOfCircuit()) {
    const synapse::NeuronPopulation& all = *shown.formation->population;
    for (const CircuitNeuron& neuron : ofCircuit->neurons())
      if (!ofCircuit->hidden().has(neuron.population, neuron.index))
        if (const auto place = placeOf(all, neuron.population, neuron.index))
          others.push_back(*place);
  }
  std::optional<std::uint32_t> newest;
  if (!others.empty()) {
    newest = others.back();
    others.pop_back();
  }
  octree->setMarked(std::move(others));
  takeHidden();
  return newest;
}

void FormationPage::takeHidden()
{
  static const NeuronSet kNone;
  const NeuronSet& now = isOfCircuit() ? ofCircuit->hidden() : kNone;
  if (!hiddenThere.take(now))
    return;
  const synapse::NeuronPopulation& all = *shown.formation->population;
  std::vector<std::uint32_t> hidden;
  for (std::uint32_t area = 0; area < all.areaNames.size(); ++area) {
    const std::uint64_t begin = beginOf(all, area);
    for (const std::uint32_t neuron : firstOf(now, all.areaNames[area], beginOf(all, area + 1) - begin))
      hidden.push_back(static_cast<std::uint32_t>(begin + neuron));
  }
  octree->setHidden(hidden);
}

void FormationPage::showSelected(std::optional<std::uint32_t> neuron)
{
  selected = neuron;
  if (selected) {
    lookUpSearch();
  } else {
    searching.restart();
    octree->setSearch(std::nullopt);
  }
  refreshHeader();
}

void FormationPage::takeProgress(const QString& stage, double fraction)
{
  octree->timingCard()->setProgress(stage, fraction);
}

void FormationPage::takeEnd()
{
  octree->timingCard()->setProgress({}, -1);
}

double FormationPage::lastMilliseconds() const
{
  return shown.formation ? shown.formation->timings.total() : std::numeric_limits<double>::infinity();
}

void FormationPage::setTimingsShown(bool timingsShown)
{
  octree->setTimingsShown(timingsShown);
}

void FormationPage::lookUpSearch()
{
  searching.restart([this, formation = shown.content.formation, seeker = *selected, at = theta](const RunControl&) {
    synapse::SearchParameters parameters = formation->parameters.search;
    parameters.theta = at;
    synapse::validate(parameters); // what forming synapses will say
    const synapse::Channel channel = widgets::seekingChannel(*formation, seeker);
    const auto& sought = formation->sought[channel];
    const auto& positions = formation->population->position;
    widgets::SearchPicture search;
    search.seeker = seeker;
    search.accepted = synapse::acceptedNodes(*formation->tree, positions, sought, seeker, 0, parameters);
    search.descent = synapse::descentOf(*formation->tree, positions, sought, seeker, kFirstElement, channel,
                                        formation->parameters.step, parameters);
    return [this, search] { showSearch(search); };
  });
}

void FormationPage::showSearch(const widgets::SearchPicture& search)
{
  octree->setSearch(search);
  neuronText->setText(describe(search));
}

void FormationPage::bundle()
{
  if (look.synapses != widgets::SynapseLook::Bundles || !shown.formation)
    return;
  bundling.restart([this, formation = shown.content.formation, level = look.bundleLevel](const RunControl& control) {
    return [this, bundles = widgets::bundleSynapses(*formation, level, kMostBundles, control)] {
      octree->setBundles(bundles);
    };
  });
}

void FormationPage::expectDistances()
{
  expecting.restart([this, formation = shown.content.formation, figure = shown.distances](const RunControl& control) {
    widgets::DistanceFigure whole = figure;
    widgets::addExpectation(whole, *formation, control);
    return [this, whole] { lengths->setFigure(whole); };
  });
}

void FormationPage::settle()
{
  for (widgets::BackgroundWork* each : {&searching, &bundling, &expecting})
    each->wait();
}

void FormationPage::savePicture(const QString& path)
{
  settle();
  octree->grabPicture(); // the canvas must have drawn before its parent is grabbed
  widgets::writePicture(widgets::pixelsOf(*this), path);
}

widgets::Figure FormationPage::figure()
{
  return widgets::figureOf(*this, [this] { settle(); });
}

QString FormationPage::describe(const widgets::SearchPicture& search) const
{
  const synapse::Formation& formation = *shown.formation;
  const synapse::Octree& tree = *formation.tree;
  const auto& positions = formation.population->position;
  const synapse::Position& here = positions[search.seeker];
  const auto distanceTo = [&](const synapse::Position& there) {
    return widgets::formatLength(std::hypot(there[0] - here[0], there[1] - here[1], there[2] - here[2]));
  };
  std::size_t whole = 0;
  for (const synapse::AcceptedNode& each : search.accepted)
    whole += tree.isLeaf(each.node) ? 0 : 1;
  QString html =
      tr("<b>Neuron %1</b>%2, %3, at (%4, %5, %6) \u00b5m<br>")
          .arg(numberOf(search.seeker), populationOf(*formation.population, search.seeker).toHtmlEscaped(),
               formation.population->isInhibitory[search.seeker] != 0 ? tr("inhibitory") : tr("excitatory"),
               widgets::formatNumber(here[0]), widgets::formatNumber(here[1]), widgets::formatNumber(here[2]));
  html += tr("At theta %1 it weighs %2 nodes: %3 boxes as a whole and %4 neurons, of %5 neurons.<br>")
              .arg(widgets::formatNumber(theta), counted(search.accepted.size()), counted(whole),
                   counted(search.accepted.size() - whole), counted(positions.size()));
  if (search.descent.empty())
    return html + tr("Its first element found no target.");
  html += tr("The descent of its first element: ");
  QStringList steps;
  for (const std::uint32_t node : search.descent) {
    if (tree.isLeaf(node)) {
      const std::uint32_t target = tree.order[tree.leafBegin[node]];
      steps << tr("<b>neuron %1</b>%2, %3 away")
                   .arg(numberOf(target), populationOf(*formation.population, target).toHtmlEscaped(),
                        distanceTo(positions[target]));
    } else {
      steps << tr("a box of level %1 with %2 neurons")
                   .arg(tree.level[node])
                   .arg(counted(tree.leafEnd(node) - tree.leafBegin[node]));
    }
  }
  html += steps.join(QStringLiteral(" \u2192 "));
  for (const synapse::AcceptedNode& each : search.accepted)
    if (each.node == search.descent.front())
      html += tr(".<br>The first pick had the probability %1.").arg(probabilityText(each.probability));
  return html;
}

void FormationPage::refreshHeader()
{
  deselectButton->setEnabled(selected.has_value());
  saveButton->setEnabled(shown.formation != nullptr);
  exportButton->setEnabled(shown.formation != nullptr);
  growButton->setEnabled(shown.formation != nullptr);
  if (!selected)
    neuronText->setText(tr("Click a neuron: the boxes and neurons that its search weighed are drawn, coloured by their "
                           "probability, with the way down to its target and its synapses."));
  if (!shown.formation) {
    header->setHeadline(tr("No synapses to show yet."));
    return;
  }
  QString network = tr("%1, mean length %2").arg(describeNetwork(shown), widgets::formatLength(shown.distances.mean));
  if (!shown.warning.empty())
    network += tr("; %1").arg(QString::fromStdString(shown.warning));
  if (!shown.stored)
    return header->setHeadline(network);
  // Lengths mean nothing where the file does not say where its neurons are.
  const QString sentence = shown.isRandom ? tr("%1: %2, neurons at random places") : tr("%1: %2");
  header->setHeadline(sentence.arg(QFileInfo(QString::fromStdString(shown.file)).fileName(), network));
}

} // namespace hinesight::app
