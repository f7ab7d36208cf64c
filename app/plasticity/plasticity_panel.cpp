#include "app/plasticity/plasticity_panel.hpp"

#include "app/files/file_row.hpp"
#include "app/forms/machine_rows.hpp"
#include "app/forms/parameter_group.hpp"
#include "app/forms/source_row.hpp"
#include "io/networks/plasticity_files.hpp"
#include "widgets/theme.hpp"

#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>

namespace hinesight::app {

namespace {

using synapse::BackgroundKind;
using synapse::PlasticityParameters;
using synapse::TargetDecay;

constexpr std::uint32_t kDefaultNeurons = 2000;
constexpr double kDefaultExcitatory = 0.8; ///< share

/// What lets a network settle within 15,000 steps: growth 100 times and calcium 10 times as fast as published, and
/// axons that grow from as little calcium as excitatory dendrites do, for else nobody has a partner at the beginning.
constexpr double kWatchedGrowth = 1e-3; ///< elements per ms
constexpr double kWatchedLeast = 0.1;   ///< calcium
constexpr double kWatchedDecay = 1000;  ///< ms
constexpr double kWatchedSpike = 0.01;  ///< calcium

constexpr std::uint32_t kTargetDecayPeriod = 1000; ///< steps; after the engine's 1 targets would be gone at once

/// What each kind of target decay begins with: little is taken off.
constexpr std::array<double, 3> kDecayAmounts = {0, 0.001, 0.999};

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

/// Of the panel: a network that settles while one looks on.
const study::GrowthRequest& defaults()
{
  static const study::GrowthRequest request = [] {
    study::GrowthRequest made;
    made.source.placement.neurons = kDefaultNeurons;
    made.source.placement.excitatory = kDefaultExcitatory;
    made.model.targetDecayPeriod = kTargetDecayPeriod;
    setSpeed(made.model, GrowthSpeed::Watched);
    return made;
  }();
  return request;
}

double& amountOf(std::array<double, 3>& amounts, TargetDecay kind)
{
  return amounts[static_cast<std::size_t>(kind)];
}

} // namespace

PlasticityPanel::PlasticityPanel(QWidget* parent)
    : QWidget(parent), current(defaults()), standard(defaults().model), decayAmounts(kDecayAmounts)
{
  setObjectName(QStringLiteral("plasticityPanel"));
  auto* groups = new QVBoxLayout;
  scrollInPanel(groups, this, QStringLiteral("plasticityScroll"));
  form = new FieldForm(
      groups, this, [this] { return fields(); },
      {.prefix = QStringLiteral("plasticity"),
       .makeRow = [this](const BoundField& field, const ParameterText& text) { return makeListRow(field, text); }});
  connect(form, &FieldForm::edited, this, &PlasticityPanel::takeEdit);
  background = qobject_cast<ChoiceRow*>(form->row("background"));
  showMachine(*form, nullptr);
  addStart();
  groups->addStretch(1);
  refresh();
  told = request();
}

std::vector<BoundField> PlasticityPanel::fields()
{
  std::vector<BoundField> all = fieldsOf(current.source.placement, defaults().source.placement);
  for (BoundField& field : all)
    field.about = field.about.onlyWhen(!current.start && current.source.populations.empty());
  const auto add = [&](std::vector<BoundField> others) {
    all.insert(all.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
  };
  standard.targetDecayAmount = kDecayAmounts[static_cast<std::size_t>(current.model.targetDecay)];
  add(fieldsOf(current.model, standard));
  findField(all, "background-changes")->about.applies = true; // a file of them makes them apply
  add(fieldsOf(preset));
  return all;
}

/// Lists of neurons are read from files.
QWidget* PlasticityPanel::makeListRow(const BoundField& field, ParameterText text)
{
  if (field.name == "calcium-of") {
    text.detail = tr("Lines \"id initial target\"; ids count from 1, id 0 is everyone else.");
    return calciumFile = addCalciumFile(text);
  }
  if (field.name == "background-changes") {
    text.detail = tr("Lines \"step KIND id...\": null, constant:VALUE, normal:MEAN,SPREAD, fastnormal:MEAN,SPREAD.");
    return backgroundFile = addBackgroundFile(text);
  }
  if (field.name == "interrupts") {
    text.detail = tr("Lines \"step d id...\", \"step e id...\", \"step c count\".");
    return interruptFile = addInterruptFile(text);
  }
  if (field.name == "stimuli") {
    text.detail = tr("BEGIN,END,PERIOD,INTENSITY or BEGIN,END,PERIOD,INTENSITY,AREA; a semicolon stands between two.");
    return new TextRow(text, {}, this);
  }
  return nullptr;
}

FileRow* PlasticityPanel::addCalciumFile(const ParameterText& text)
{
  constexpr double kUnsaid = std::numeric_limits<double>::quiet_NaN();
  FileRow* row = addFile(
      text,
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
  connect(row, &FileRow::chosen, this, [this] {
    initialWhenChosen = current.model.calciumInitial;
    targetWhenChosen = current.model.calciumTarget;
  });
  return row;
}

FileRow* PlasticityPanel::addBackgroundFile(const ParameterText& text)
{
  FileRow* row = addFile(
      text,
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
  connect(row, &FileRow::chosen, this, [this] { kindWhenChosen = current.model.background; });
  return row;
}

FileRow* PlasticityPanel::addInterruptFile(const ParameterText& text)
{
  return addFile(
      text,
      [this](const std::string& path) -> FileContent {
        auto read = std::make_shared<std::vector<synapse::Interrupt>>(io::readInterrupts(path));
        const auto take = [read](PlasticityParameters& model) { model.interrupts = *read; };
        return {[this, take] { change(take); }, countOf(read->size(), "interrupt").toStdString()};
      },
      [](PlasticityParameters& model) { model.interrupts.clear(); });
}

FileRow* PlasticityPanel::addFile(const ParameterText& text, std::function<FileContent(const std::string& path)> read,
                                  std::function<void(PlasticityParameters&)> forget)
{
  auto* row = new FileRow(text, std::move(read), this);
  connect(row, &FileRow::cleared, this, [this, forget = std::move(forget)] { change(forget); });
  return row;
}

void PlasticityPanel::change(const std::function<void(PlasticityParameters&)>& how)
{
  how(current.model);
  takeEdit(true);
}

void PlasticityPanel::refresh()
{
  form->refresh();
  background->setUnavailable(static_cast<int>(BackgroundKind::Individual),
                             current.model.backgroundChanges.empty() ? tr("Choose a file of backgrounds below first.")
                                                                     : QString());
}

void PlasticityPanel::showFiles()
{
  const PlasticityParameters& model = current.model;
  calciumFile->showSummary(summaryOf(model.calciumOf.size(), "neuron"));
  backgroundFile->showSummary(summaryOf(model.backgroundChanges.size(), "change"));
  interruptFile->showSummary(summaryOf(model.interrupts.size(), "interrupt"));
}

study::GrowthRequest PlasticityPanel::request() const
{
  study::GrowthRequest request = current;
  request.source.seed = request.model.search.seed;
  // Those that were read stay for when they are chosen again.
  if (request.model.background != BackgroundKind::Individual)
    request.model.backgroundChanges.clear();
  return request;
}

void PlasticityPanel::setRequest(const study::GrowthRequest& request)
{
  current = request;
  decayAmounts = kDecayAmounts;
  amountOf(decayAmounts, current.model.targetDecay) = current.model.targetDecayAmount;
  preset.speed = shownSpeed = speedOf(current.model);
  refresh();
  showFiles();
  showStartOf(request);
  told = this->request();
}

/// In place of the rows of random neurons: what the model begins with.
void PlasticityPanel::addStart()
{
  start = new SourceRow(QStringLiteral("plasticityStart"), QStringLiteral("plasticityClearStart"), tr("At random"),
                        tr("Begin with neurons at random places, without synapses; spacing in \u00b5m"), this);
  connect(start, &SourceRow::cleared, this, [this] {
    current.source.populations.clear();
    current.source.given = nullptr;
    setStart(nullptr);
  });
  auto* choose = new QPushButton(tr("Populations\u2026"));
  choose->setObjectName(QStringLiteral("plasticityPopulations"));
  choose->setToolTip(tr("Grow the neurons of populations of the circuit, without synapses; positions in \u00b5m"));
  connect(choose, &QPushButton::clicked, this, &PlasticityPanel::populationsWanted);
  form->group("Neurons")->addFirstRow(choose);
  form->group("Neurons")->addFirstRow(start);
  start->hide();
}

void PlasticityPanel::showStartOf(const study::GrowthRequest& request)
{
  const QString populations = QString::fromStdString(study::populationsInWords(request.source));
  start->setVisible(request.start || !populations.isEmpty());
  if (!request.start)
    return start->say(tr("Neurons: %1").arg(populations), {},
                      tr("The neurons of these populations of the circuit grow, without synapses at the beginning; "
                         "positions in \u00b5m: %1")
                          .arg(populations));
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
  if (preset.speed != shownSpeed && preset.speed != GrowthSpeed::Own)
    setSpeed(current.model, preset.speed);
  preset.speed = shownSpeed = speedOf(current.model);
}

/// Another kind of decay brings its own amount.
void PlasticityPanel::takeTargetDecay()
{
  PlasticityParameters& model = current.model;
  double& amount = amountOf(decayAmounts, model.targetDecay);
  if (model.targetDecay != told.model.targetDecay)
    model.targetDecayAmount = amount;
  else
    amount = model.targetDecayAmount;
}

void PlasticityPanel::setDevices(const DeviceReport& report)
{
  showMachine(*form, &report);
}

void PlasticityPanel::resetAll()
{
  setRequest(defaults());
  emit edited();
}

void PlasticityPanel::takeEdit(bool settled)
{
  if (!settled) {
    emit dragged();
    return;
  }
  takeSpeed();
  takeTargetDecay();
  refresh();
  if (request() == told)
    return;
  showStartOf(request());
  told = request();
  emit edited();
}

} // namespace hinesight::app
