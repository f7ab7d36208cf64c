#include "app/plasticity/plasticity_page.hpp"

#include "app/shell/bars/page_header.hpp"
#include "core/files.hpp"
#include "io/runs/history_records.hpp"
#include "io/runs/plasticity_log.hpp"
#include "widgets/charts/step_chart.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/picture_file.hpp"
#include "widgets/theme.hpp"

#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kGap = 1;
constexpr int kMargin = 8;
constexpr std::uint32_t kRateWindow = 10;  ///< steps whose spikes make a point of the rate
constexpr double kStepsPerSecond = 1000;   ///< of the model: a step is 1 ms
constexpr std::size_t kMostKept = 100'000; ///< records; of a longer run every second one is kept, and so on

widgets::StepChart* makeChart(const char* name, const QString& title, const QString& unit,
                              const std::vector<widgets::StepChart::Line>& lines, QWidget* parent)
{
  auto* chart = new widgets::StepChart(title, unit, lines, parent);
  chart->setObjectName(QLatin1String(name));
  return chart;
}

/// Whether the networks differ, and not only where they are computed.
bool growOtherwise(synapse::PlasticityParameters before, const synapse::PlasticityParameters& after)
{
  before.backend = after.backend;
  before.threads = after.threads;
  before.devices = after.devices;
  return before != after;
}

/// Against the rates that RELeARN publishes.
QString describeSpeed(const synapse::PlasticityParameters& model)
{
  const synapse::PlasticityParameters published;
  const double growth = model.axon.rate / published.axon.rate;
  const double calcium = published.calciumDecay / model.calciumDecay;
  if (growth == 1 && calcium == 1)
    return PlasticityPage::tr("Growth and calcium are as fast as published: nothing settles for hundreds of thousands "
                              "of steps.");
  return PlasticityPage::tr("Growth is %1 times and calcium %2 times as fast as published, so that changes can be "
                            "seen. Rates, under Growth, brings the published ones back.")
      .arg(widgets::formatNumber(growth), widgets::formatNumber(calcium));
}

} // namespace

QString PlasticityPage::title()
{
  return tr("Plasticity");
}

PlasticityPage::PlasticityPage(Jobs* jobs, QWidget* parent)
    : QWidget(parent),
      calciumChart(makeChart("calciumChart", tr("Calcium"), tr("of enabled neurons"),
                             {{tr("most"), 0}, {tr("mean"), 2}, {tr("least"), 1}, {tr("target"), 6, true}}, this)),
      elementChart(makeChart("elementChart", tr("Elements"), tr("mean per neuron"),
                             {{tr("axons"), 2}, {tr("exc. dendrites"), 0}, {tr("inh. dendrites"), 1}}, this)),
      synapseChart(makeChart("synapseChart", tr("Synapses"), tr("of the whole network"), {{tr("synapses"), 2}}, this)),
      changeChart(makeChart("changeChart", tr("Changes"), tr("synapses an update"),
                            {{tr("formed"), 2}, {tr("deleted"), 5}}, this)),
      rateChart(makeChart("rateChart", tr("Firing"), tr("spikes a second of a neuron"), {{tr("rate"), 0}}, this)),
      card(new widgets::TimingCard(this)), runner(jobs)
{
  setObjectName(QStringLiteral("plasticityPage"));
  card->showParts(); // the network grows: a step does more, or less, than one before
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeHeader());
  charts = makeCharts();
  auto* scroll = new QScrollArea; // in a small window they keep a size at which they can be read
  scroll->setObjectName(QStringLiteral("plasticityCharts"));
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidget(charts);
  column->addWidget(scroll, 1);
  connect(&runner, &PlasticityRunner::advanced, this, &PlasticityPage::takeProgress);
  connect(&runner, &PlasticityRunner::stopped, this, &PlasticityPage::tellOfRun);
  connect(&runner, &PlasticityRunner::stopped, this, &PlasticityPage::refresh);
  connect(&runner, &PlasticityRunner::opened, this, &PlasticityPage::takeOpened);
  connect(&runner, &PlasticityRunner::refused, this, &PlasticityPage::takeRefusal);
  connect(&runner, &PlasticityRunner::failed, this, [this](const Error& error) {
    stepsDone = 0;
    emit failed(QString::fromUtf8(error.what()));
  });
  refresh();
}

/// The charts, in the last cell what a step takes, and below how fast all goes.
QWidget* PlasticityPage::makeCharts()
{
  speedText = new QLabel;
  speedText->setObjectName(QStringLiteral("plasticitySpeed"));
  speedText->setWordWrap(true);
  speedText->setContentsMargins(kMargin, kMargin / 2, kMargin, kMargin / 2);
  speedText->setToolTip(tr("How fast elements grow and calcium follows the spikes, compared with RELeARN's published "
                           "rates (1e-5 elements a ms; a decay of 10,000 ms)"));
  auto* cell = new QWidget; // the card keeps its own size
  auto* inCell = new QVBoxLayout(cell);
  inCell->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
  inCell->addWidget(card, 0, Qt::AlignTop | Qt::AlignLeft);
  inCell->addStretch(1);
  auto* all = new QWidget;
  auto* grid = new QGridLayout(all);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(kGap);
  grid->addWidget(calciumChart, 0, 0);
  grid->addWidget(elementChart, 0, 1);
  grid->addWidget(synapseChart, 1, 0);
  grid->addWidget(changeChart, 1, 1);
  grid->addWidget(rateChart, 2, 0);
  grid->addWidget(cell, 2, 1);
  grid->addWidget(speedText, 3, 0, 1, 2);
  for (int line = 0; line < 3; ++line)
    grid->setRowStretch(line, 1);
  for (int line = 0; line < 2; ++line)
    grid->setColumnStretch(line, 1);
  return all;
}

PageHeader* PlasticityPage::makeHeader()
{
  runButton = makeHeaderButton("plasticityRun", tr("Run"), tr("Run the model until it is paused (F5); a step is 1 ms"));
  stepButton =
      makeHeaderButton("plasticityStep", tr("Step"), tr("Run to the next update of the network; a step is 1 ms"));
  resetButton =
      makeHeaderButton("plasticityReset", tr("Reset"), tr("Go back to step 0, or to the step of the checkpoint"));
  auto* openButton =
      makeHeaderButton("plasticityOpen", tr("Open…"), tr("Go on from a checkpoint, at its step; a step is 1 ms"));
  exportButton =
      makeHeaderButton("plasticityExport", tr("Export…"),
                       tr("Write the records of the charts (a line every 10 steps of 1 ms, fewer of more than "
                          "1,000,000 steps), the charts, the network as it is, or a checkpoint to a file"));
  auto* saveButton =
      makeHeaderButton("plasticitySave", tr("Picture…"), tr("Write this page as a PNG picture (Ctrl+Shift+E)"));
  runButton->setText(tr("Pause")); // the longer one: the others keep their places
  runButton->setMinimumWidth(runButton->sizeHint().width());
  connect(runButton, &QPushButton::clicked, this, &PlasticityPage::toggle);
  connect(stepButton, &QPushButton::clicked, this, &PlasticityPage::runOneUpdate);
  connect(resetButton, &QPushButton::clicked, this, &PlasticityPage::reset);
  connect(openButton, &QPushButton::clicked, this, &PlasticityPage::openRequested);
  connect(exportButton, &QPushButton::clicked, this, &PlasticityPage::exportRequested);
  connect(saveButton, &QPushButton::clicked, this, &PlasticityPage::saveRequested);
  header = new PageHeader(title(), "plasticityHeadline",
                          {runButton, stepButton, resetButton, openButton, exportButton, saveButton}, this);
  return header;
}

void PlasticityPage::setRequest(const study::GrowthRequest& fields)
{
  runner.dropOpening();
  if (!isBegun()) {
    current = fields;
    return refresh();
  }
  goOnWith(fields);
}

void PlasticityPage::goOnWith(const study::GrowthRequest& fields)
{
  const study::GrowthRequest next = study::goingOn(current, fields);
  if (next == current)
    return refresh();
  try {
    synapse::validate(next.model);
    hasChanged = hasChanged || (last.step > 0 && growOtherwise(current.model, next.model));
    current = next;
    runner.change(current.model);
    stepsOnCard = 0; // steps by other parameters take another time
  } catch (const Error& error) {
    emit failed(QString::fromUtf8(error.what()));
  }
  refresh();
}

void PlasticityPage::startAnew(const study::GrowthRequest& fields)
{
  try {
    synapse::validate(fields.model);
  } catch (const Error& error) {
    emit failed(QString::fromUtf8(error.what()));
    return refresh();
  }
  const bool ran = runner.isRunning() && !runner.isOpening();
  current = fields;
  reset();
  if (!ran)
    return;
  if (endsAtUpdate)
    runOneUpdate();
  else
    run();
}

/// A checkpoint has begun before it is run.
bool PlasticityPage::isBegun() const
{
  const bool runs = runner.isRunning() && !runner.isOpening();
  return hasModel || runs || (current.start && current.start->isCheckpoint());
}

bool PlasticityPage::hasUnsavedSteps() const
{
  return hasModel && last.step > 0 && savedStep != last.step;
}

void PlasticityPage::toggle()
{
  if (runner.isRunning())
    runner.pause();
  else
    run();
}

void PlasticityPage::run()
{
  endsAtUpdate = false;
  runner.run(current);
  refresh();
}

/// As many steps as lead to the next update.
void PlasticityPage::runOneUpdate()
{
  const std::uint32_t period = current.model.updatePeriod;
  runTo(last.step - last.step % period + period);
}

void PlasticityPage::runTo(std::uint32_t step)
{
  if (step <= last.step)
    return;
  endsAtUpdate = true;
  goal = step;
  runner.run(current, goal - last.step);
  refresh();
}

void PlasticityPage::reset()
{
  runner.reset();
  forget();
  refresh();
}

void PlasticityPage::forget()
{
  const bool isOfCheckpoint = current.start && current.start->isCheckpoint();
  beginAt(isOfCheckpoint ? current.start->step : 0, isOfCheckpoint ? current.start->neurons : 0);
}

void PlasticityPage::beginAt(std::uint32_t step, std::size_t neurons)
{
  last = {};
  last.step = step;
  last.neurons = neurons;
  hasModel = false;
  hasChanged = false;
  savedStep.reset();
  firedSince = 0;
  neuronStepsSince = 0;
  kept.clear();
  keepEvery = kFirstKeepEvery;
  createdSince = 0;
  deletedSince = 0;
  for (widgets::StepChart* each : {calciumChart, elementChart, synapseChart, changeChart, rateChart})
    each->clear(last.step);
  card->clear();
  stepsOnCard = 0;
}

void PlasticityPage::openCheckpoint(const QString& path)
{
  toResume.reset();
  runner.open(path.toStdString(), current.model.backend, current.model.threads, current.model.devices);
  refresh();
}

void PlasticityPage::resume(const QString& path, const study::GrowthRequest& fields)
{
  openCheckpoint(path);
  toResume = fields;
}

void PlasticityPage::takeOpened(const OpenedPlasticity& checkpoint)
{
  if (const auto fields = std::exchange(toResume, std::nullopt))
    return takeResumed(checkpoint, *fields);
  auto start = std::make_shared<study::GrowthStart>();
  start->name = QFileInfo(QString::fromStdString(checkpoint.path)).fileName().toStdString();
  start->checkpoint = checkpoint.path;
  start->step = checkpoint.step;
  start->neurons = checkpoint.neurons;
  current.start = std::move(start);
  current.model = checkpoint.parameters;
  forget();
  hasModel = true;
  savedStep = checkpoint.step;
  emit opened(checkpoint);
  refresh();
}

/// What the fields have otherwise was changed after the checkpoint was written.
void PlasticityPage::takeResumed(const OpenedPlasticity& checkpoint, const study::GrowthRequest& fields)
{
  current = fields;
  current.model = checkpoint.parameters;
  beginAt(checkpoint.step, checkpoint.neurons);
  hasModel = true;
  goOnWith(fields);
  emit resumed(checkpoint.step);
}

void PlasticityPage::takeParameters(const study::GrowthRequest& fields)
{
  current = fields;
  refresh();
}

void PlasticityPage::takeRefusal(const Error& error, const synapse::PlasticityParameters& keptParameters)
{
  current.model = keptParameters;
  emit failed(QString::fromUtf8(error.what()));
  refresh();
}

void PlasticityPage::takeProgress(const study::GrowthStretch& progress)
{
  hasModel = true;
  for (const synapse::StepRecord& record : progress.records) {
    last.neurons = progress.neurons;
    enabled = record.enabled;
    chart(record);
    keep(record);
  }
  if (!progress.records.empty())
    showTimings(progress);
  last = progress;
  last.records.clear();
  refresh();
}

bool PlasticityPage::isUpdate(const synapse::StepRecord& record) const
{
  return record.step % current.model.updatePeriod == 0;
}

void PlasticityPage::chart(const synapse::StepRecord& record)
{
  const auto neurons = static_cast<double>(last.neurons);
  calciumChart->append(record.step, {record.calcium.most, record.calcium.mean, record.calcium.least, record.target});
  elementChart->append(record.step, {record.grown[0] / neurons, record.grown[1] / neurons, record.grown[2] / neurons});
  synapseChart->append(record.step, {static_cast<double>(record.connected[0])});
  if (isUpdate(record))
    changeChart->append(record.step, {static_cast<double>(record.created), static_cast<double>(record.deleted)});
  firedSince += record.fired;
  neuronStepsSince += record.enabled;
  if (record.step % kRateWindow == 0) {
    const double chances = std::max(1.0, static_cast<double>(neuronStepsSince));
    rateChart->append(record.step, {kStepsPerSecond * static_cast<double>(firedSince) / chances});
    firedSince = 0;
    neuronStepsSince = 0;
  }
}

/// What a step took on the mean, of the last stretch with an update and of those since: one that a pause cut short has
/// none, and says little by itself.
void PlasticityPage::showTimings(const study::GrowthStretch& progress)
{
  const auto steps = static_cast<std::uint32_t>(progress.records.size());
  stepsDone += steps;
  spent.add(progress.timings);
  if (stepsOnCard == 0 || std::ranges::any_of(progress.records, [this](const auto& each) { return isUpdate(each); })) {
    onCard = {};
    stepsOnCard = 0;
  }
  onCard.add(progress.timings);
  stepsOnCard += steps;
  StageTimings perStep;
  perStep.add(onCard, 1.0 / stepsOnCard);
  if (perStep.total() > 0)
    card->setNote(tr("a step; %1 steps a second").arg(widgets::formatNumber(1000 / perStep.total())));
  card->addRun(perStep, {.of = std::to_string(progress.neurons) + " neurons"});
}

void PlasticityPage::tellOfRun()
{
  const StageTimings timings = std::exchange(spent, {});
  const std::uint32_t steps = std::exchange(stepsDone, 0);
  if (steps > 0)
    emit ran(io::recordOfGrowth(current.model, current.start ? current.start->name : tr("no synapses").toStdString(),
                                last.neurons, steps, timings));
}

/// Every so manieth record, with all that was created and deleted since the one before.
void PlasticityPage::keep(const synapse::StepRecord& record)
{
  createdSince += record.created;
  deletedSince += record.deleted;
  if (record.step % keepEvery != 0)
    return;
  kept.push_back(record);
  kept.back().created = std::exchange(createdSince, 0);
  kept.back().deleted = std::exchange(deletedSince, 0);
  if (kept.size() < kMostKept)
    return;
  keepEvery *= 2;
  for (const synapse::StepRecord& each : std::exchange(kept, {}))
    keep(each);
}

void PlasticityPage::savePicture(const QString& path)
{
  widgets::writePicture(widgets::linesOf(*this), path);
}

void PlasticityPage::saveCharts(const QString& path)
{
  widgets::writePicture(widgets::linesOf(*charts), path);
}

void PlasticityPage::saveRecords(const QString& path)
{
  runner.borrow(
      [file = path.toStdString(), records = std::make_shared<const std::vector<synapse::StepRecord>>(kept),
       start = current.start](const synapse::PlasticityModel& model, const RunControl& control) {
        const std::string network = start && !start->isCheckpoint() ? start->name : std::string();
        writeFileAtomically(file, [&](std::ostream& stream) {
          stream << io::logHead(model, io::recordColumns(), network) << '\n';
          for (const synapse::StepRecord& record : *records) {
            control.checkpoint();
            stream << io::recordRow(record);
          }
        });
      },
      [this, path] { emit saved(path); });
}

void PlasticityPage::saveNetwork(const QString& path)
{
  runner.borrow([file = path.toStdString()](const synapse::PlasticityModel& model,
                                            const RunControl& control) { study::exportNetwork(model, file, control); },
                [this, path] { emit saved(path); });
}

void PlasticityPage::borrowNetwork(std::function<void(study::ComparedNetwork)> take)
{
  auto network = std::make_shared<study::ComparedNetwork>();
  runner.borrow(
      [network](const synapse::PlasticityModel& model, const RunControl&) { *network = study::comparedNetwork(model); },
      [network, take = std::move(take)] { take(std::move(*network)); });
}

void PlasticityPage::saveCheckpoint(const QString& path)
{
  auto step = std::make_shared<std::uint32_t>(0);
  runner.borrow(
      [file = path.toStdString(), step](const synapse::PlasticityModel& model, const RunControl&) {
        synapse::writeCheckpoint(model, file);
        *step = model.step();
      },
      [this, path, step] {
        savedStep = *step;
        emit saved(path);
      });
}

void PlasticityPage::keepNetwork(const QString& path, std::function<void(const KeptNetwork&)> done)
{
  auto written = std::make_shared<KeptNetwork>();
  runner.borrow(
      [file = path.toStdString(), written](const synapse::PlasticityModel& model, const RunControl&) {
        const Stopwatch watch;
        try {
          synapse::writeCheckpoint(model, file);
        } catch (const Error& error) {
          written->problem = QString::fromUtf8(error.what());
        }
        written->step = model.step();
        written->milliseconds = watch.elapsed();
      },
      [written, done = std::move(done)] { done(*written); });
}

/// "2,000 neurons", and how many of them are enabled where some are not.
QString PlasticityPage::countNeurons() const
{
  const QString all = tr("%1 neurons").arg(widgets::formatNumber(static_cast<double>(last.neurons)));
  if (enabled == last.neurons)
    return all;
  return tr("%1 (%2 enabled)").arg(all, widgets::formatNumber(static_cast<double>(enabled)));
}

void PlasticityPage::refresh()
{
  const bool runs = runner.isRunning();
  runButton->setText(runs ? tr("Pause") : tr("Run"));
  stepButton->setEnabled(!runs);
  resetButton->setEnabled(runs || hasModel);
  exportButton->setEnabled(hasModel && last.step > 0);
  const auto count = [](double number) { return widgets::formatNumber(number); };
  const std::uint32_t period = std::max(1U, current.model.updatePeriod);
  const std::uint32_t toUpdate = period - last.step % period;
  stepButton->setToolTip(tr("Run %1 steps of 1 ms, to the next update of the network").arg(count(toUpdate)));
  const QString till = !runs ? QString() : endsAtUpdate ? tr(" of %1").arg(count(goal)) : tr(", on until Pause");
  QString text;
  if (calciumChart->lastStep() > 0)
    text = tr("Step %1: %2, %3 synapses, calcium %4 of %5")
               .arg(count(last.step) + till, countNeurons(), count(synapseChart->lastValue(0)),
                    count(calciumChart->lastValue(1)), count(calciumChart->lastValue(3)));
  else if (last.step > 0)
    text = tr("Step %1 of %2 neurons, from a checkpoint; Run goes on.")
               .arg(count(last.step), count(static_cast<double>(last.neurons)));
  else if (runs)
    text = tr("Placing neurons");
  else
    text = current.start
               ? tr("Run goes on until Pause, Step for %1 steps. Neurons begin with %2.")
                     .arg(count(toUpdate), QString::fromStdString(current.start->name))
               : tr("Run goes on until Pause, Step for %1 steps. Neurons begin without synapses.").arg(count(toUpdate));
  header->setHeadline(text);
  speedText->setText(describeSpeed(current.model));
  emit changed();
}

} // namespace hinesight::app
