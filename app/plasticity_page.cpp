#include "app/plasticity_page.hpp"

#include "core/files.hpp"
#include "widgets/elided_label.hpp"
#include "widgets/step_chart.hpp"
#include "widgets/theme.hpp"
#include "widgets/timing_card.hpp"

#include <QBuffer>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace hinesight::app {

namespace {

constexpr int kHeaderHeight = 36;
constexpr int kGap = 1;
constexpr int kCardMargin = 12;
constexpr std::uint32_t kRateWindow = 10; ///< steps whose spikes make a point of the rate
constexpr double kStepsPerSecond = 1000;  ///< of the model: a step is 1 ms

QPushButton* makeButton(const char* name, const QString& text, const QString& tip)
{
  auto* button = new QPushButton(text);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(tip);
  return button;
}

widgets::StepChart* makeChart(const char* name, const QString& title, const QString& unit,
                              const std::vector<widgets::StepChart::Line>& lines, QWidget* parent)
{
  auto* chart = new widgets::StepChart(title, unit, lines, parent);
  chart->setObjectName(QLatin1String(name));
  return chart;
}

} // namespace

QString PlasticityPage::title()
{
  return tr("Plasticity");
}

PlasticityPage::PlasticityPage(QWidget* parent)
    : QWidget(parent),
      calciumChart(makeChart("calciumChart", tr("Calcium"), tr("of all neurons"),
                             {{tr("most"), 0}, {tr("mean"), 2}, {tr("least"), 1}, {tr("target"), 6, true}}, this)),
      elementChart(makeChart("elementChart", tr("Elements"), tr("grown by a neuron, on the mean"),
                             {{tr("axons"), 2}, {tr("exc. dendrites"), 0}, {tr("inh. dendrites"), 1}}, this)),
      synapseChart(makeChart("synapseChart", tr("Synapses"), tr("of the whole network"), {{tr("synapses"), 2}}, this)),
      changeChart(makeChart("changeChart", tr("Changes"), tr("synapses an update"),
                            {{tr("formed"), 2}, {tr("deleted"), 5}}, this)),
      rateChart(makeChart("rateChart", tr("Firing"), tr("spikes a second of a neuron"), {{tr("rate"), 0}}, this)),
      card(new widgets::TimingCard(this))
{
  setObjectName(QStringLiteral("plasticityPage"));
  card->setHistoryOf({});
  auto* cell = new QWidget; // the card keeps its own size
  auto* inCell = new QVBoxLayout(cell);
  inCell->setContentsMargins(kCardMargin, kCardMargin, kCardMargin, kCardMargin);
  inCell->addWidget(card, 0, Qt::AlignTop | Qt::AlignLeft);
  inCell->addStretch(1);
  auto* grid = new QGridLayout;
  grid->setSpacing(kGap);
  grid->addWidget(calciumChart, 0, 0);
  grid->addWidget(elementChart, 0, 1);
  grid->addWidget(synapseChart, 1, 0);
  grid->addWidget(changeChart, 1, 1);
  grid->addWidget(rateChart, 2, 0);
  grid->addWidget(cell, 2, 1);
  for (int line = 0; line < 3; ++line)
    grid->setRowStretch(line, 1);
  for (int line = 0; line < 2; ++line)
    grid->setColumnStretch(line, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeHeader());
  column->addLayout(grid, 1);
  connect(&runner, &PlasticityRunner::advanced, this, &PlasticityPage::takeProgress);
  connect(&runner, &PlasticityRunner::stopped, this, &PlasticityPage::refresh);
  connect(&runner, &PlasticityRunner::failed, this,
          [this](const Error& error) { emit failed(QString::fromUtf8(error.what())); });
  refresh();
}

QWidget* PlasticityPage::makeHeader()
{
  auto* header = new QWidget(this);
  header->setFixedHeight(kHeaderHeight);
  auto* name = new QLabel(title());
  QFont bold = name->font();
  bold.setWeight(QFont::DemiBold);
  name->setFont(bold);
  headline = new widgets::ElidedLabel;
  headline->setObjectName(QStringLiteral("plasticityHeadline"));
  runButton = makeButton("plasticityRun", tr("Run"), tr("Run the model, or pause it (F5); a step is 1 ms"));
  stepButton =
      makeButton("plasticityStep", tr("Step"), tr("Run to the next update of the network, so many steps of 1 ms"));
  resetButton = makeButton("plasticityReset", tr("Reset"), tr("Begin anew, without synapses, at step 0"));
  auto* saveButton = makeButton("plasticitySave", tr("Picture…"), tr("Write this page as a PNG picture (Ctrl+S)"));
  auto* row = new QHBoxLayout(header);
  row->setContentsMargins(12, 0, 8, 0);
  row->setSpacing(8);
  row->addWidget(name);
  row->addWidget(headline, 1);
  for (QPushButton* button : {runButton, stepButton, resetButton, saveButton})
    row->addWidget(button);
  connect(runButton, &QPushButton::clicked, this, &PlasticityPage::toggle);
  connect(stepButton, &QPushButton::clicked, this, &PlasticityPage::runOneUpdate);
  connect(resetButton, &QPushButton::clicked, this, &PlasticityPage::reset);
  connect(saveButton, &QPushButton::clicked, this, &PlasticityPage::saveRequested);
  return header;
}

void PlasticityPage::setRequest(const PlasticityRequest& newRequest)
{
  const bool ran = runner.isRunning();
  request = newRequest;
  reset();
  if (ran)
    run();
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
  runner.run(request);
  refresh();
}

/// As many steps as lead to the next update.
void PlasticityPage::runOneUpdate()
{
  const std::uint32_t period = request.model.updatePeriod;
  runner.run(request, period - last.step % period);
  refresh();
}

void PlasticityPage::reset()
{
  runner.reset();
  last = {};
  firedSince = 0;
  for (widgets::StepChart* each : {calciumChart, elementChart, synapseChart, changeChart, rateChart})
    each->clear();
  card->clear();
  refresh();
}

void PlasticityPage::takeProgress(const PlasticityStretch& progress)
{
  for (const synapse::StepRecord& record : progress.records) {
    last.neurons = progress.neurons;
    chart(record);
  }
  if (!progress.records.empty())
    showTimings(progress);
  last = progress;
  last.records.clear();
  refresh();
}

void PlasticityPage::chart(const synapse::StepRecord& record)
{
  const auto neurons = static_cast<double>(last.neurons);
  calciumChart->append(record.step,
                       {record.calcium.most, record.calcium.mean, record.calcium.least, request.model.calciumTarget});
  elementChart->append(record.step, {record.grown[0] / neurons, record.grown[1] / neurons, record.grown[2] / neurons});
  synapseChart->append(record.step, {static_cast<double>(record.connected[0])});
  if (record.step % request.model.updatePeriod == 0)
    changeChart->append(record.step, {static_cast<double>(record.created), static_cast<double>(record.deleted)});
  firedSince += record.fired;
  if (record.step % kRateWindow == 0) {
    rateChart->append(record.step, {kStepsPerSecond * static_cast<double>(firedSince) / (kRateWindow * neurons)});
    firedSince = 0;
  }
}

/// What the steps of the last stretch took, on the mean.
void PlasticityPage::showTimings(const PlasticityStretch& progress)
{
  const auto steps = static_cast<double>(progress.records.size());
  StageTimings perStep;
  perStep.backend = progress.timings.backend;
  perStep.device = progress.timings.device;
  for (const Stage& stage : progress.timings.stages)
    perStep.add(stage.name, (stage.milliseconds - last.timings.of(stage.name)) / steps);
  if (perStep.total() > 0)
    card->setNote(tr("a step; %1 steps a second").arg(widgets::formatNumber(1000 / perStep.total())));
  card->addRun(perStep);
}

void PlasticityPage::savePicture(const QString& path)
{
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  grab().save(&buffer, "PNG");
  writeFileAtomically(path.toStdString(), [&](std::ostream& stream) { stream.write(bytes.constData(), bytes.size()); });
}

void PlasticityPage::refresh()
{
  const bool runs = runner.isRunning();
  runButton->setText(runs ? tr("Pause") : tr("Run"));
  stepButton->setEnabled(!runs);
  resetButton->setEnabled(runs || last.step > 0);
  headline->setText(last.step > 0 ? tr("Step %1: %2 neurons, %3 synapses, calcium %4 of %5")
                                        .arg(widgets::formatNumber(last.step),
                                             widgets::formatNumber(static_cast<double>(last.neurons)),
                                             widgets::formatNumber(synapseChart->lastValue(0)),
                                             widgets::formatNumber(calciumChart->lastValue(1)),
                                             widgets::formatNumber(request.model.calciumTarget))
                    : runs ? tr("Placing neurons")
                           : tr("Neurons grow towards a calcium target; Run begins without synapses."));
}

} // namespace hinesight::app
