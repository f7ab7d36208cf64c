#include "app/benchmark/hines_benchmark_panel.hpp"

#include "app/cells/solver_texts.hpp"
#include "core/error.hpp"
#include "hines/solvers/definition.hpp"
#include "io/runs/benchmark_report.hpp"
#include "model/study_parameters.hpp"
#include "widgets/charts/benchmark_plot.hpp"
#include "widgets/choice_box.hpp"
#include "widgets/theme.hpp"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

/// The numbers of cells that a batch may have.
BoundField cellsField()
{
  static hines::BenchmarkScope scope;
  return fieldsOf(scope).front();
}

/// How often each batch is solved.
BoundField repetitionsField()
{
  static hines::BenchmarkParameters defaults;
  std::vector<BoundField> fields = fieldsOf(defaults);
  return *findField(fields, "min-repetitions");
}

/// The systems of a scene's cells, in their order.
hines::BenchmarkSource::Systems systemsOf(const widgets::Scene& scene)
{
  hines::BenchmarkSource::Systems systems;
  for (std::size_t i = 0; i < scene.cells.size(); ++i) {
    if (scene.cells[i].discretization)
      systems.push_back(scene.cells[i].discretization->system);
    else if (const std::int32_t shape = widgets::shapeOfCell(scene, i); shape >= 0)
      systems.push_back(scene.plan->batch->shapes[static_cast<std::size_t>(shape)]);
  }
  return systems;
}

std::shared_ptr<const hines::BenchmarkSource> shownCells(const widgets::Scene* scene)
{
  hines::BenchmarkSource::Systems systems = scene ? systemsOf(*scene) : hines::BenchmarkSource::Systems();
  if (systems.empty())
    throw Error(ErrorCode::BadParameter, "There are no cells to measure: open some, or choose synthetic ones.");
  std::vector<std::string> names;
  std::vector<Setting> settings;
  std::vector<double> scales;
  for (const widgets::SceneCell& cell : scene->cells) {
    names.push_back(cell.name);
    if (!cell.discretization)
      continue;
    scales.push_back(cell.discretization->morphology->unitScale);
    if (settings.empty()) // all are discretized alike
      settings = settingsOf(fieldsOf(cell.discretization->parameters));
  }
  if (!scales.empty())
    addMissing(settings, settingsOf(fieldsOf(study::fileParametersOf(scales))));
  return std::make_shared<const hines::BenchmarkSource>(hines::BenchmarkSource{
      study::describeSources(names), [systems = std::move(systems)](const RunControl&) { return systems; },
      std::move(settings)});
}

} // namespace

HinesBenchmarkPanel::HinesBenchmarkPanel(QWidget* parent) : HinesBenchmarkPanel(new widgets::BenchmarkPlot, parent) {}

HinesBenchmarkPanel::HinesBenchmarkPanel(widgets::BenchmarkPlot* plot, QWidget* parent)
    : BenchmarkPanel(QStringLiteral("benchmark"), plot, parent), chart(plot), source(new widgets::ChoiceBox),
      cells(new QLineEdit(QStringLiteral("1 10 100 1000"))), backend(new widgets::ChoiceBox),
      precision(new widgets::ChoiceBox), repetitions(new QSpinBox),
      permute(new QCheckBox(tr("Include the permutation"))), failures(new QLabel)
{
  setObjectName(QStringLiteral("hinesBenchmarkPanel"));
  chart->setToolTip(tr("Time of a solve in ms, and speedup, over the number of cells; click a point to load its plan "
                       "into the views"));
  permute->setObjectName(named("Permute"));
  permute->setChecked(true);
  permute->setToolTip(tr("Add the time to bring the batch into the solver's layout, in ms, as Huber 2018 does. A "
                         "simulator that keeps its data in that layout does not need this time"));
  addOptions();
  failures->setObjectName(named("Failures"));
  failures->setWordWrap(true);
  footer->addWidget(failures);
  connect(permute, &QCheckBox::toggled, chart, &widgets::BenchmarkPlot::setPermuteCounted);
  connect(chart, &widgets::BenchmarkPlot::pointChosen, this, &HinesBenchmarkPanel::chooseRow);
  connect(cells, &QLineEdit::returnPressed, this, &BenchmarkPanel::run);
  connect(backend, &QComboBox::currentIndexChanged, this, &HinesBenchmarkPanel::refreshSolvers);
  connect(backend, &QComboBox::activated, this, [this] { isBackendChosen = true; });
  connect(source, &QComboBox::currentIndexChanged, this, &HinesBenchmarkPanel::refreshState);
  for (QWidget* field : {static_cast<QWidget*>(source), static_cast<QWidget*>(cells), static_cast<QWidget*>(backend),
                         static_cast<QWidget*>(precision), static_cast<QWidget*>(repetitions)})
    addSetting(field);
  for (const SolverBox& entry : solverBoxes)
    addSetting(entry.box, true);
  refreshSolvers();
}

// ---- construction ----

void HinesBenchmarkPanel::addOptions()
{
  source->setObjectName(named("Source"));
  source->setToolTip(tr("The cells of the batches, taken in turn"));
  source->addItems({tr("Shown cells"), tr("Random trees"), tr("CA1-sized cell"), tr("Mixed synthetic cells")});
  cells->setObjectName(named("Cells"));
  backend->setObjectName(named("Backend"));
  backend->setToolTip(tr("Where the solvers run. With CUDA, solvers that run on the CPU only are measured there"));
  backend->addItem(tr("CPU"), static_cast<int>(Backend::Cpu));
  backend->addItem(tr("CUDA"), static_cast<int>(Backend::Cuda));
  precision->setObjectName(named("Precision"));
  precision->setToolTip(
      tr("Precision of the numbers: 64 or 32 bits. A solver without single precision is measured in double"));
  precision->addItems({tr("Double"), tr("Single"), tr("Both")});
  repetitions->setObjectName(named("Repetitions"));
  showNumber(repetitions, repetitionsField());
  addOption(tr("Batches are made of"), source);
  addOption(tr("Cells in each batch"), cells);
  cells->setToolTip(tipOf(cellsField()));
  cells->setToolTip(cells->toolTip() + QLatin1Char(' ') + tr("Put blanks between them."));
  addOptionPair(tr("Backend"), backend, tr("Precision"), precision);
  addOption(tr("Repetitions, at least"), repetitions);
  repetitions->setToolTip(tipOf(repetitionsField()));
  options->addWidget(permute);
  options->addSpacing(6);
  auto* heading = new QLabel(tr("Solvers"));
  heading->setToolTip(tr("Layouts, methods, threads and the plan are those of the Parameters panel"));
  QFont font = heading->font();
  font.setWeight(QFont::DemiBold);
  heading->setFont(font);
  options->addWidget(heading);
  options->addWidget(makeSolverList(), 1);
}

QWidget* HinesBenchmarkPanel::makeSolverList()
{
  auto* list = new QWidget;
  auto* column = new QVBoxLayout(list);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(5);
  for (const hines::SolverDefinition* definition : hines::allSolvers()) {
    const hines::SolverTraits& solver = definition->traits;
    const QString name = QString::fromUtf8(solver.name().data(), static_cast<qsizetype>(solver.name().size()));
    auto* box = new QCheckBox(textOf(solver).title);
    box->setObjectName(named("Solver_") + name);
    box->setChecked(!solver.chainsOnly); // cells have branches
    column->addWidget(box);
    solverBoxes.push_back({solver.id, box});
    connect(box, &QCheckBox::toggled, this, [this] {
      refreshHidden();
      refreshState();
    });
  }
  column->addStretch(1);
  return list;
}

// ---- what the window knows ----

void HinesBenchmarkPanel::setScene(std::shared_ptr<const widgets::Scene> shown)
{
  scene = std::move(shown);
  refreshState();
}

void HinesBenchmarkPanel::setParameters(const study::CellParameters& ofWindow)
{
  parameters = ofWindow;
}

void HinesBenchmarkPanel::setDevices(const DeviceReport& report)
{
  const int row = backend->findData(static_cast<int>(Backend::Cuda));
  auto* item = qobject_cast<QStandardItemModel*>(backend->model())->item(row);
  item->setEnabled(report.whyNoCuda.empty());
  item->setToolTip(QString::fromStdString(report.whyNoCuda));
  if (report.whyNoCuda.empty() && !isBackendChosen)
    backend->setCurrentIndex(row);
}

void HinesBenchmarkPanel::setBackend(Backend wanted)
{
  isBackendChosen = true;
  backend->setCurrentIndex(backend->findData(static_cast<int>(wanted)));
}

/// Only solvers that the backend has, or that the CPU has beside CUDA, can be chosen.
void HinesBenchmarkPanel::refreshSolvers()
{
  const bool onCuda = backend->currentData().toInt() == static_cast<int>(Backend::Cuda);
  for (const SolverBox& entry : solverBoxes) {
    const hines::SolverTraits& solver = hines::traitsOf(entry.solver);
    const bool possible = solver.onCpu || onCuda;
    entry.box->setEnabled(possible);
    entry.box->setToolTip(!possible                  ? tr("Runs on CUDA only")
                          : onCuda && !solver.onCuda ? tr("Measure it, on the CPU; its line is shown")
                                                     : tr("Measure it; its line is shown"));
  }
  refreshState();
}

void HinesBenchmarkPanel::refreshHidden()
{
  QStringList hidden;
  for (const hines::BenchmarkRow& row : chart->rows()) {
    const auto entry = std::ranges::find(solverBoxes, row.solve.solver, &SolverBox::solver);
    if (!entry->box->isChecked())
      hidden << widgets::lineName(row);
  }
  chart->setHiddenLabels(hidden);
}

QString HinesBenchmarkPanel::missing() const
{
  if (source->currentIndex() == static_cast<int>(Source::ShownCells) && (!scene || scene->cells.empty()))
    return tr("Open cells, or choose synthetic ones.");
  const bool anySolver = std::ranges::any_of(
      solverBoxes, [](const SolverBox& entry) { return entry.box->isChecked() && entry.box->isEnabled(); });
  return anySolver ? QString() : tr("Choose at least one solver.");
}

void HinesBenchmarkPanel::refreshState()
{
  BenchmarkPanel::refreshState();
  refreshFailures();
}

void HinesBenchmarkPanel::refreshFailures()
{
  std::size_t failed = 0;
  QString sentences;
  for (const hines::BenchmarkRow& row : chart->rows())
    if (row.failed()) {
      ++failed;
      sentences +=
          QStringLiteral("%1, %2: %3\n")
              .arg(widgets::lineName(row), tr("%1 cells").arg(widgets::formatNumber(static_cast<double>(row.cells))),
                   QString::fromStdString(row.error));
    }
  failures->setVisible(failed > 0);
  failures->setText(failed == 1
                        ? tr("1 batch failed:\n") + sentences.trimmed()
                        : tr("%1 batches failed; the first: %2").arg(failed).arg(sentences.section(u'\n', 0, 0)));
  failures->setToolTip(sentences.trimmed());
}

// ---- running ----

std::shared_ptr<const hines::BenchmarkSource> HinesBenchmarkPanel::chosenSource() const
{
  switch (static_cast<Source>(source->currentIndex())) {
  case Source::RandomTrees:
    return hines::ringNetwork(parameters.batch.randomTree, std::ranges::max(chosenCells()));
  case Source::Ca1Sized:
    return hines::ca1SizedCell();
  case Source::Mixed:
    return hines::mixedSyntheticCells();
  case Source::ShownCells:
    break;
  }
  return shownCells(scene.get());
}

std::vector<std::int64_t> HinesBenchmarkPanel::chosenCells() const
{
  return numbersOf(cells->text(), cellsField(), "number of cells", "1 10 100 1000");
}

std::vector<hines::BenchmarkCase>
HinesBenchmarkPanel::casesOf(const std::shared_ptr<const hines::BenchmarkSource>& batchSource, std::int64_t count) const
{
  hines::BenchmarkScope scope;
  scope.backend = static_cast<Backend>(backend->currentData().toInt());
  for (const SolverBox& entry : solverBoxes)
    if (entry.box->isChecked() && entry.box->isEnabled())
      scope.solvers.push_back(entry.solver);
  scope.solve = parameters.solve;
  const auto chosen = static_cast<Precisions>(precision->currentIndex());
  std::vector<hines::BenchmarkCase> cases;
  for (const hines::Precision one : {hines::Precision::Double, hines::Precision::Single}) {
    if (chosen == (one == hines::Precision::Double ? Precisions::Single : Precisions::Double))
      continue;
    scope.solve.precision = one;
    for (hines::BenchmarkCase& made : hines::casesOfBatch("window", batchSource, count, scope)) {
      if (made.solve.precision == hines::Precision::Single)
        made.label += ", single";
      if (chosen != Precisions::Both || made.solve.precision == one)
        cases.push_back(std::move(made));
    }
  }
  return cases;
}

BenchmarkRequest HinesBenchmarkPanel::makeRequest() const
{
  const auto batchSource = chosenSource();
  BenchmarkRequest request;
  request.parameters.minRepetitions = repetitions->value();
  for (const std::int64_t count : chosenCells())
    for (hines::BenchmarkCase& one : casesOf(batchSource, count))
      request.cases.push_back(std::move(one));
  return request;
}

model::SolverBenchmark HinesBenchmarkPanel::chosen() const
{
  model::SolverBenchmark wanted;
  wanted.cells = static_cast<model::BenchmarkCells>(source->currentIndex()); // in the same order
  wanted.counts = chosenCells();
  for (const SolverBox& entry : solverBoxes)
    if (entry.box->isChecked() && entry.box->isEnabled())
      wanted.solvers.emplace_back(hines::traitsOf(entry.solver).name());
  wanted.precision = static_cast<model::BenchmarkPrecision>(precision->currentIndex());
  wanted.backend = static_cast<Backend>(backend->currentData().toInt());
  wanted.measurement.minRepetitions = repetitions->value();
  return wanted;
}

void HinesBenchmarkPanel::show(const model::SolverBenchmark& wanted)
{
  QStringList counts;
  for (const std::int64_t count : wanted.counts)
    counts << QString::number(count);
  if (wanted.cells != model::BenchmarkCells::Tables)
    source->setCurrentIndex(static_cast<int>(wanted.cells)); // in the same order
  cells->setText(counts.join(QLatin1Char(' ')));
  setBackend(wanted.backend);
  precision->setCurrentIndex(static_cast<int>(wanted.precision));
  repetitions->setValue(wanted.measurement.minRepetitions);
  for (const SolverBox& entry : solverBoxes)
    entry.box->setChecked(std::ranges::find(wanted.solvers, hines::traitsOf(entry.solver).name()) !=
                          wanted.solvers.end());
}

SessionWork HinesBenchmarkPanel::work() const
{
  model::SolverBenchmark wanted = chosen();
  SessionWork work{.study = "benchmark", .connections = {}, .assignments = {}, .dependsOn = {"cells.", "solve."}};
  for (const char* const name : {"of", "cells", "solvers", "precision", "backend", "min-repetitions"}) {
    std::vector<BoundField> fields = fieldsOf(wanted);
    work.assignments.push_back("bench-hines." + std::string(name) + "=" + findField(fields, name)->text());
  }
  return work;
}

void HinesBenchmarkPanel::requestRun()
{
  const BenchmarkRequest request = makeRequest();
  measured = static_cast<Source>(source->currentIndex());
  wantedRows = request.cases.size();
  chart->setRows({});
  refreshBaselines();
  refreshHidden();
  emit runRequested(request);
}

void HinesBenchmarkPanel::takeRow(const hines::BenchmarkRow& row)
{
  chart->addRow(row);
  refreshBaselines();
  refreshHidden();
  refreshState();
  showHeadline(tr("%1: %2 of %3 batches, %4")
                   .arg(QString::fromStdString(row.what))
                   .arg(chart->rows().size())
                   .arg(wantedRows)
                   .arg(QString::fromStdString(row.device)));
}

/// Copies and trees so that the window solves a batch of about the row's size.
void HinesBenchmarkPanel::chooseRow(std::size_t index)
{
  const hines::BenchmarkRow& row = chart->rows()[index];
  study::CellParameters chosen = parameters;
  const std::int32_t repeat = chosen.solve.repeat;
  chosen.solve = row.solve;
  chosen.solve.repeat = repeat;
  const auto wanted = static_cast<std::int32_t>(row.cells);
  std::int32_t loaded = wanted; // the views repeat all their cells alike
  if (measured == Source::ShownCells && scene && !scene->cells.empty()) {
    const auto shown = static_cast<std::int32_t>(scene->cells.size());
    chosen.batch.copies = std::max(1, wanted / shown);
    loaded = chosen.batch.copies * shown;
  } else if (measured == Source::RandomTrees) {
    constexpr std::int32_t kMostTrees = 256; // of the window's batch
    chosen.batch.source = study::BatchSource::RandomTrees;
    chosen.batch.distinctTrees = std::min(wanted, kMostTrees);
    chosen.batch.copies = std::max(1, wanted / chosen.batch.distinctTrees);
    loaded = chosen.batch.copies * chosen.batch.distinctTrees;
  }
  const QString label = widgets::lineName(row);
  emit parametersChosen(chosen, loaded == wanted
                                    ? tr("%1, %2 cells").arg(label).arg(wanted)
                                    : tr("%1, %2 cells (measured: %3)").arg(label).arg(loaded).arg(wanted));
}

void HinesBenchmarkPanel::saveTable(const QString& path) const
{
  io::writeBenchmark(chart->rows(), path.toStdString());
}

} // namespace hinesight::app
