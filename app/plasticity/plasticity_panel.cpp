#include "app/plasticity/plasticity_panel.hpp"

#include "app/files/file_row.hpp"
#include "app/forms/panel_rows.hpp"
#include "app/forms/source_row.hpp"
#include "io/networks/plasticity_files.hpp"
#include "widgets/theme.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace hinesight::app {

namespace {

using synapse::BackgroundKind;
using synapse::GrowthParameters;
using synapse::PlasticityParameters;
using synapse::TargetDecay;

constexpr std::uint32_t kDefaultNeurons = 2000;

/// What lets a network settle within 15,000 steps: growth 100 times and calcium 10 times as fast as published, and
/// axons that grow from as little calcium as excitatory dendrites do, for else nobody has a partner at the beginning.
constexpr double kWatchedGrowth = 1e-3; ///< elements per ms
constexpr double kWatchedLeast = 0.1;   ///< calcium
constexpr double kWatchedDecay = 1000;  ///< ms
constexpr double kWatchedSpike = 0.01;  ///< calcium

constexpr std::uint32_t kTargetDecayPeriod = 1000; ///< steps; after the engine's 1 targets would be gone at once

ParameterText text(const QString& id, const QString& label, const QString& help, const QString& detail)
{
  return {QStringLiteral("plasticity") + id, label, help, detail};
}

/// "3 neurons".
QString countOf(std::size_t count, const char* what)
{
  return QString::number(count) + QLatin1Char(' ') + QLatin1String(what) + QLatin1String(count == 1 ? "" : "s");
}

/// Empty: none.
QString summaryOf(std::size_t count, const char* what)
{
  return count > 0 ? countOf(count, what) : QString();
}

void setSpeed(PlasticityParameters& model, GrowthSpeed speed)
{
  const PlasticityParameters published;
  const bool isWatched = speed == GrowthSpeed::Watched;
  for (auto pool : {&PlasticityParameters::axon, &PlasticityParameters::excitatoryDendrite,
                    &PlasticityParameters::inhibitoryDendrite})
    (model.*pool).rate = isWatched ? kWatchedGrowth : (published.*pool).rate;
  model.axon.leastCalcium = isWatched ? kWatchedLeast : published.axon.leastCalcium;
  model.calciumDecay = isWatched ? kWatchedDecay : published.calciumDecay;
  model.calciumPerSpike = isWatched ? kWatchedSpike : published.calciumPerSpike;
}

GrowthSpeed speedOf(const PlasticityParameters& model)
{
  for (const GrowthSpeed speed : {GrowthSpeed::Watched, GrowthSpeed::Published}) {
    PlasticityParameters same = model;
    setSpeed(same, speed);
    if (same == model)
      return speed;
  }
  return GrowthSpeed::Own;
}

} // namespace

PlasticityPanel::Values::Values()
{
  request.source.neurons = kDefaultNeurons;
  request.source.excitatory = 0.8;
  request.model.targetDecayPeriod = kTargetDecayPeriod;
  setSpeed(request.model, speed);
}

void PlasticityPanel::Values::setTargetDecay(const PlasticityParameters& model)
{
  const Values defaults;
  targetLoss = model.targetDecay == TargetDecay::Absolute ? model.targetDecayAmount : defaults.targetLoss;
  targetFactor = model.targetDecay == TargetDecay::Relative ? model.targetDecayAmount : defaults.targetFactor;
}

double PlasticityPanel::Values::targetDecayAmount() const
{
  switch (request.model.targetDecay) {
  case TargetDecay::Absolute:
    return targetLoss;
  case TargetDecay::Relative:
    return targetFactor;
  case TargetDecay::None:
    break;
  }
  return request.model.targetDecayAmount;
}

PlasticityPanel::PlasticityPanel(QWidget* parent)
    : QWidget(parent), form(new QVBoxLayout, this, [this](bool settled) { takeEdit(settled); })
{
  setObjectName(QStringLiteral("plasticityPanel"));
  scrollInPanel(form.layout(), this, QStringLiteral("plasticityScroll"));
  form.takeTypedNumbersWhole(); // a run goes on with what they say
  addNeurons();
  addActivity();
  addCalcium();
  addGrowth();
  addSearchRows(
      form, QStringLiteral("plasticity"), [](Values & values) -> auto& { return values.search; });
  addFiles();
  addCompute();
  form.layout()->addStretch(1);
  form.refresh();
  told = request();
}

void PlasticityPanel::addNeurons()
{
  form.addGroup(QStringLiteral("plasticityNeurons"), tr("Neurons"), tr("Who grows; a run keeps its neurons"));
  addStart();
  constexpr double kMostOfSlider = 1e5; // neurons
  addPlacementRows(
      form, QStringLiteral("plasticity"), kMostOfSlider, [](Values & values) -> auto& { return values.request.source; },
      [](const Values& values) { return values.request.start == nullptr; });
}

void PlasticityPanel::addActivity()
{
  form.addGroup(QStringLiteral("plasticityActivity"), tr("Activity"), tr("When neurons fire; a step is 1 ms"));
  form.addChoice(
      text(QStringLiteral("Model"), tr("Model"), tr("What makes a neuron fire, from the beginning of a run on."),
           tr("Poisson's probability rises with the input; the others are differential equations.")),
      {{tr("Poisson"), tr("Fires at random, with a probability that follows the input")},
       {tr("Izhikevich"), tr("Two equations, fast spiking by default")},
       {tr("FitzHugh-Nagumo"), tr("Two equations of a relaxation oscillator")},
       {tr("Adaptive exponential"), tr("Exponential integrate and fire with adaptation")}},
      [](Values & values) -> auto& { return values.request.model.model; });
  form.addNumber(
      text(QStringLiteral("Integration"), tr("Substeps"), tr("Euler steps in each step of 1 ms, 1 to 10,000."),
           tr("The input stays the same within a step.")),
      {1, 10'000, 1, 1000, 1, true, {}},
      [](Values & values) -> auto& { return values.request.model.integrationSteps; });
  form.addNumber(
      text(QStringLiteral("Conductance"), tr("Conductance"), tr("Input of one spike through one synapse."),
           tr("In the unit of the model's input; RELeARN has 0.03.")),
      {0, 1000, 0, 1, 0, false, {}}, [](Values & values) -> auto& { return values.request.model.synapseConductance; });
  background = form.addChoice(
      text(QStringLiteral("Background"), tr("Background"), tr("Input from outside, in each step."),
           tr("Without it only Poisson neurons fire on their own.")),
      {{tr("None"), tr("No input from outside")},
       {tr("Constant"), tr("The same for all, always")},
       {tr("Normal"), tr("A random number for each neuron and step")},
       {tr("Fast normal"), tr("RELeARN's: each step takes a window of a row of 1,000 numbers a neuron")},
       {tr("File"), tr("Each neuron has its own, see Files")}},
      [](Values & values) -> auto& { return values.request.model.background; });
  const auto add = [this](BackgroundKind kind, const ParameterText& info, const NumberRange& range, auto member) {
    form.showWhen(form.addNumber(info, range, member), [kind](const Values& values) {
      const BackgroundKind chosen = values.request.model.background;
      return kind == (chosen == BackgroundKind::FastNormal ? BackgroundKind::Normal : chosen);
    });
  };
  add(
      BackgroundKind::Constant,
      text(QStringLiteral("BackgroundBase"), tr("Level"), tr("Constant input, in the model's unit."), {}),
      {-1000, 1000, 0, 20, 0, false, {}}, [](Values & values) -> auto& { return values.request.model.backgroundBase; });
  add(
      BackgroundKind::Normal,
      text(QStringLiteral("BackgroundMean"), tr("Mean"), tr("Mean of the random input, in the model's unit."), {}),
      {-1000, 1000, 0, 20, 0, false, {}}, [](Values & values) -> auto& { return values.request.model.backgroundMean; });
  add(
      BackgroundKind::Normal,
      text(QStringLiteral("BackgroundSpread"), tr("Spread"), tr("Its standard deviation, above 0."), {}),
      {0, 1000, 0, 10, 0, false, {}}, [](Values & values) -> auto& { return values.request.model.backgroundSpread; });
}

void PlasticityPanel::addCalcium()
{
  form.addGroup(QStringLiteral("plasticityCalcium"), tr("Calcium"), tr("What each neuron remembers of its activity"));
  form.addNumber(
      text(QStringLiteral("CalciumTarget"), tr("Target"), tr("Calcium that neurons grow towards, above 0."),
           tr("Below it they grow elements, above it they lose them (Butz and van Ooyen 2013).")),
      {0, 1000, 0, 2, 0, false, {}}, [](Values & values) -> auto& { return values.request.model.calciumTarget; });
  form.addNumber(
      text(QStringLiteral("CalciumInitial"), tr("Initial"), tr("Calcium at the start."), {}),
      {0, 1000, 0, 2, 0, false, {}}, [](Values & values) -> auto& { return values.request.model.calciumInitial; });
  form.addNumber(
      text(QStringLiteral("CalciumDecay"), tr("Decay"), tr("Time constant of its decay, ms."),
           tr("At a constant rate calcium is this times the calcium per spike times the rate.")),
      {1, 1e9, 100, 1e5, 0, true, QStringLiteral(" ms")},
      [](Values & values) -> auto& { return values.request.model.calciumDecay; });
  form.addNumber(
      text(QStringLiteral("CalciumPerSpike"), tr("Per spike"), tr("Calcium of a spike."), {}),
      {1e-9, 100, 1e-4, 0.1, 0, true, {}},
      [](Values & values) -> auto& { return values.request.model.calciumPerSpike; });
  addTargetDecay();
}

void PlasticityPanel::addTargetDecay()
{
  form.addChoice(
      text(QStringLiteral("TargetDecay"), tr("Target decay"), tr("How the targets change while the model runs."),
           tr("Those of disabled neurons wait.")),
      {{tr("None"), tr("Targets stay")},
       {tr("Absolute"), tr("So much is taken off")},
       {tr("Relative"), tr("Times a factor")}},
      [](Values & values) -> auto& { return values.request.model.targetDecay; });
  form.showWhen(form.addNumber(
                    text(QStringLiteral("TargetDecayLoss"), tr("By"), tr("Calcium that is taken off targets."), {}),
                    {0, 1000, 0, 0.1, 0, false, {}}, [](Values & values) -> auto& { return values.targetLoss; }),
                [](const Values& values) { return values.request.model.targetDecay == TargetDecay::Absolute; });
  form.showWhen(form.addNumber(
                    text(QStringLiteral("TargetDecayFactor"), tr("Times"), tr("Factor of the targets, 0 to 1."),
                         tr("At 0 they are 0 from the first decay on.")),
                    {0, 1, 0.9, 1, 0, false, {}}, [](Values & values) -> auto& { return values.targetFactor; }),
                [](const Values& values) { return values.request.model.targetDecay == TargetDecay::Relative; });
  form.showWhen(
      form.addNumber(
          text(QStringLiteral("TargetDecayPeriod"), tr("Every"), tr("Steps of 1 ms from one decay to the next."), {}),
          {1, 1e9, 1, 1e5, 1, true, QStringLiteral(" steps")},
          [](Values & values) -> auto& { return values.request.model.targetDecayPeriod; }),
      [](const Values& values) { return values.request.model.targetDecay != TargetDecay::None; });
}

void PlasticityPanel::addFiles()
{
  form.addGroup(QStringLiteral("plasticityFiles"), tr("Files"), tr("What single neurons have, as RELeARN's files say"));
  constexpr double kUnsaid = std::numeric_limits<double>::quiet_NaN();
  calciumFile = addFile(
      text(QStringLiteral("CalciumFile"), tr("Calcium"), tr("Calcium at the start and target of each neuron."),
           tr("Lines \"id initial target\"; ids count from 1, id 0 is everyone else.")),
      [this](const std::string& path) -> FileContent {
        auto read = std::make_shared<PlasticityParameters>();
        read->calciumInitial = read->calciumTarget = kUnsaid;
        io::readCalcium(path, *read);
        const auto takeNumber = [](double& shown, double whenChosen, double number) {
          shown = std::isnan(number) || shown != whenChosen ? shown : number;
        };
        const auto take = [this, read, takeNumber](PlasticityParameters& model) {
          model.calciumOf = read->calciumOf;
          takeNumber(model.calciumInitial, initialWhenChosen, read->calciumInitial);
          takeNumber(model.calciumTarget, targetWhenChosen, read->calciumTarget);
        };
        return {[this, take] { change(take); }, countOf(read->calciumOf.size(), "neuron").toStdString()};
      },
      [](PlasticityParameters& model) { model.calciumOf.clear(); });
  backgroundFile = addFile(
      text(QStringLiteral("BackgroundFile"), tr("Background"), tr("Background of neurons and areas from a step on."),
           tr("Lines \"step KIND id...\": null, constant:VALUE, normal:MEAN,SPREAD, fastnormal:MEAN,SPREAD.")),
      [this](const std::string& path) -> FileContent {
        auto read = std::make_shared<std::vector<synapse::BackgroundChange>>(io::readBackgrounds(path));
        const auto take = [this, read](PlasticityParameters& model) {
          model.backgroundChanges = *read;
          if (model.background == kindWhenChosen)
            model.background = BackgroundKind::Individual;
        };
        return {[this, take] { change(take); }, countOf(read->size(), "change").toStdString()};
      },
      [](PlasticityParameters& model) {
        model.backgroundChanges.clear();
        if (model.background == BackgroundKind::Individual)
          model.background = BackgroundKind::None;
      });
  interruptFile = addFile(
      text(QStringLiteral("InterruptFile"), tr("Interrupts"),
           tr("Neurons that are disabled, enabled, created at steps."),
           tr("Lines \"step d id...\", \"step e id...\", \"step c count\".")),
      [this](const std::string& path) -> FileContent {
        auto read = std::make_shared<std::vector<synapse::Interrupt>>(io::readInterrupts(path));
        const auto take = [read](PlasticityParameters& model) { model.interrupts = *read; };
        return {[this, take] { change(take); }, countOf(read->size(), "interrupt").toStdString()};
      },
      [](PlasticityParameters& model) { model.interrupts.clear(); });
  connect(calciumFile, &FileRow::chosen, this, [this] {
    initialWhenChosen = form.values().request.model.calciumInitial;
    targetWhenChosen = form.values().request.model.calciumTarget;
  });
  connect(backgroundFile, &FileRow::chosen, this, [this] { kindWhenChosen = form.values().request.model.background; });
  showFiles();
}

FileRow* PlasticityPanel::addFile(const ParameterText& text, std::function<FileContent(const std::string& path)> read,
                                  std::function<void(PlasticityParameters&)> forget)
{
  auto* row = new FileRow(text, std::move(read), this);
  connect(row, &FileRow::cleared, this, [this, forget = std::move(forget)] { change(forget); });
  form.group()->addRow(row);
  return row;
}

void PlasticityPanel::change(const std::function<void(PlasticityParameters&)>& how)
{
  Values values = form.values();
  how(values.request.model);
  form.setValues(values);
  offerBackgroundFile();
  takeEdit(true);
}

void PlasticityPanel::offerBackgroundFile()
{
  const bool isThere = !form.values().request.model.backgroundChanges.empty();
  background->setUnavailable(static_cast<int>(BackgroundKind::Individual),
                             isThere ? QString() : tr("Choose a file of backgrounds below first."));
}

void PlasticityPanel::showFiles()
{
  const PlasticityParameters& model = form.values().request.model;
  calciumFile->showSummary(summaryOf(model.calciumOf.size(), "neuron"));
  backgroundFile->showSummary(summaryOf(model.backgroundChanges.size(), "change"));
  interruptFile->showSummary(summaryOf(model.interrupts.size(), "interrupt"));
  offerBackgroundFile();
}

void PlasticityPanel::addGrowth()
{
  form.addGroup(QStringLiteral("plasticityGrowth"), tr("Growth"), tr("How axons and dendrites grow elements"));
  form.addNumber(
      text(QStringLiteral("UpdatePeriod"), tr("Update every"),
           tr("Steps of 1 ms between changes of the network, 1 to 100,000."),
           tr("Elements grow in every step; synapses are deleted and formed at an update.")),
      {1, 1e5, 10, 1000, 1, true, QStringLiteral(" steps")},
      [](Values & values) -> auto& { return values.request.model.updatePeriod; });
  form.addChoice(
      text(QStringLiteral("Speed"), tr("Rates"), tr("How fast elements grow and calcium follows the spikes."),
           tr("By the published rates nothing settles for hundreds of thousands of steps (Rinke et al. 2018).")),
      {{tr("To be watched"),
        tr("Growth 100 times, calcium 10 times as fast as published; axons grow from calcium 0.1")},
       {tr("Published"), tr("1e-5 elements a ms, a decay of 10,000 ms, 0.001 a spike; axons grow from calcium 0.4")},
       {tr("Own"), tr("As the rows below and those of calcium say")}},
      [](Values & values) -> auto& { return values.speed; });
  addElements(QStringLiteral("Axon"), tr("axons"), &PlasticityParameters::axon);
  addElements(QStringLiteral("Excitatory"), tr("excitatory dendrites"), &PlasticityParameters::excitatoryDendrite);
  addElements(QStringLiteral("Inhibitory"), tr("inhibitory dendrites"), &PlasticityParameters::inhibitoryDendrite);
}

void PlasticityPanel::addElements(const QString& id, const QString& who, GrowthParameters PlasticityParameters::*pool)
{
  form.addGroup(QStringLiteral("plasticityGrowth") + id, tr("Growth: %1").arg(who),
                tr("Fastest midway between the least calcium and the target"))
      ->setFolded(pool != &PlasticityParameters::axon);
  form.addNumber(
      text(id + QStringLiteral("Rate"), tr("Rate"), tr("Greatest growth, elements per ms."),
           tr("RELeARN has 1e-5, with which nothing is seen for 100,000 steps.")),
      {0, 1, 1e-6, 0.1, 0, true, {}}, [pool](Values & values) -> auto& { return (values.request.model.*pool).rate; });
  form.addNumber(
      text(id + QStringLiteral("Least"), tr("Least calcium"), tr("Calcium at which growth begins."), {}),
      {0, 1000, 0, 2, 0, false, {}}, [pool](Values & values) -> auto& {
        return (values.request.model.*pool).leastCalcium;
      });
  form.addNumber(
      text(id + QStringLiteral("InitialLeast"), tr("Initial from"), tr("Fewest elements of a neuron at the start."),
           {}),
      {0, 1000, 0, 20, 0, false, {}}, [pool](Values & values) -> auto& {
        return (values.request.model.*pool).initialLeast;
      });
  form.addNumber(
      text(id + QStringLiteral("InitialMost"), tr("Initial to"), tr("Most elements of a neuron at the start."), {}),
      {0, 1000, 0, 20, 0, false, {}}, [pool](Values & values) -> auto& {
        return (values.request.model.*pool).initialMost;
      });
  form.addNumber(
      text(id + QStringLiteral("Retract"), tr("Retract"), tr("Share of vacant elements lost at each update, 0 to 1."),
           {}),
      {0, 1, 0, 1, 0, false, {}}, [pool](Values & values) -> auto& {
        return (values.request.model.*pool).retractRatio;
      });
}

void PlasticityPanel::addCompute()
{
  backend = addComputeRows(
      form, QStringLiteral("plasticity"), tr("Where the model is stepped"),
      [](auto& values) -> auto& { return values.request.model; });
}

study::GrowthRequest PlasticityPanel::request() const
{
  study::GrowthRequest request = form.values().request;
  request.model.search = form.values().search.search();
  request.source.seed = request.model.search.seed;
  request.model.targetDecayAmount = form.values().targetDecayAmount();
  // Those that were read stay for when they are chosen again.
  if (request.model.background != BackgroundKind::Individual)
    request.model.backgroundChanges.clear();
  return request;
}

void PlasticityPanel::setRequest(const study::GrowthRequest& request)
{
  Values values = form.values();
  values.request = request;
  values.search.setSearch(request.model.search);
  values.setTargetDecay(request.model);
  values.speed = shownSpeed = speedOf(request.model);
  form.setValues(values);
  showFiles();
  showStartOf(request);
  told = this->request();
}

/// In place of the rows of random neurons: what the model begins with.
void PlasticityPanel::addStart()
{
  start = new SourceRow(QStringLiteral("plasticityStart"), QStringLiteral("plasticityClearStart"), tr("At random"),
                        tr("Begin with neurons at random places, without synapses; spacing in \u00b5m"), this);
  connect(start, &SourceRow::cleared, this, [this] { setStart(nullptr); });
  form.group()->addRow(start);
  start->hide();
}

void PlasticityPanel::showStartOf(const study::GrowthRequest& request)
{
  start->setVisible(request.start != nullptr);
  if (!request.start)
    return;
  const QString name = QString::fromStdString(request.start->name);
  const bool isCheckpoint = request.start->isCheckpoint();
  const QString text = isCheckpoint ? tr("Goes on from %1").arg(name) : tr("Begins with a network");
  const auto count = [](double number) { return widgets::formatNumber(number); };
  const QString note = isCheckpoint
                           ? tr("Step %1 of %2 neurons")
                                 .arg(count(request.start->step), count(static_cast<double>(request.start->neurons)))
                           : name;
  start->say(text, note, text);
}

void PlasticityPanel::setStart(std::shared_ptr<const study::GrowthStart> newStart)
{
  study::GrowthRequest edit = request();
  // Neurons that begin without calcium lose elements at once, and all synapses with them.
  edit.model.calciumInitial = newStart ? edit.model.calciumTarget : PlasticityParameters().calciumInitial;
  if (newStart)
    edit.model.search = newStart->formation->parameters.search;
  edit.start = std::move(newStart);
  setRequest(edit);
  emit edited();
}

/// Another speed brings its rates; other rates are another speed.
void PlasticityPanel::takeSpeed()
{
  Values values = form.values();
  if (values.speed != shownSpeed && values.speed != GrowthSpeed::Own)
    setSpeed(values.request.model, values.speed);
  values.speed = shownSpeed = speedOf(values.request.model);
  form.setValues(values);
}

void PlasticityPanel::setDevices(const DeviceReport& report)
{
  backend->setUnavailable(static_cast<int>(Backend::Cuda), QString::fromStdString(report.whyNoCuda));
}

void PlasticityPanel::resetAll()
{
  setRequest(Values().request);
  emit edited();
}

void PlasticityPanel::takeEdit(bool settled)
{
  if (!settled) {
    emit dragged();
    return;
  }
  takeSpeed();
  if (request() == told)
    return;
  showStartOf(request());
  told = request();
  emit edited();
}

} // namespace hinesight::app
