#include "app/benchmark_page.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "io/benchmark_report.hpp"
#include "widgets/benchmark_plot.hpp"
#include "widgets/theme.hpp"

#include <QBuffer>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPdfWriter>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSettings>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QStandardPaths>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kControlsWidth = 236;
constexpr int kHeaderHeight = 36;
constexpr int kProgressSteps = 1000;
constexpr std::int64_t kMostCells = 1'000'000;
constexpr double kPictureScale = 2; ///< pixels a point, so that pictures are sharp in print

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
  for (const widgets::SceneCell& cell : scene->cells)
    names.push_back(cell.name);
  return std::make_shared<const hines::BenchmarkSource>(hines::BenchmarkSource{
      describeSources(names), [systems = std::move(systems)](const RunControl&) { return systems; }});
}

QLabel* makeHeading(const QString& text)
{
  auto* label = new QLabel(text);
  QFont font = label->font();
  font.setWeight(QFont::DemiBold);
  label->setFont(font);
  return label;
}

QPushButton* makeButton(const char* name, const QString& text, const QString& tip)
{
  auto* button = new QPushButton(text);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(tip);
  return button;
}

} // namespace

QString BenchmarkPage::title()
{
  return tr("Benchmark");
}

BenchmarkPage::BenchmarkPage(QWidget* parent) : QWidget(parent), chart(new widgets::BenchmarkPlot(this))
{
  setObjectName(QStringLiteral("benchmarkPage"));
  chart->setToolTip(tr("Time of a solve in ms, and speedup, over the number of cells; click a point to load its plan "
                       "into the views"));
  auto* row = new QHBoxLayout;
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(makeControls());
  row->addWidget(chart, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeHeader());
  column->addLayout(row, 1);
  connect(chart, &widgets::BenchmarkPlot::rowChosen, this, &BenchmarkPage::chooseRow);
  refreshSolvers();
  refreshState();
}

// ---- construction ----

QWidget* BenchmarkPage::makeHeader()
{
  auto* header = new QWidget(this);
  header->setFixedHeight(kHeaderHeight);
  headline = new QLabel;
  headline->setObjectName(QStringLiteral("benchmarkHeadline"));
  headline->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  baseline = new QComboBox;
  baseline->setObjectName(QStringLiteral("benchmarkBaseline"));
  baseline->setToolTip(tr("Whose time is divided by the others' in the chart of speedups"));
  baseline->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  permute = new QCheckBox(tr("Permutation"));
  permute->setObjectName(QStringLiteral("benchmarkPermute"));
  permute->setChecked(true);
  permute->setToolTip(tr("Count what bringing the batch into the solver's layout takes, in ms, as Huber 2018 does; a "
                         "simulator that keeps its data in that layout does not pay it"));
  plotButton = makeButton("benchmarkSavePlot", tr("Save plot…"), tr("Write the plot as a PNG picture or a PDF page"));
  tableButton = makeButton("benchmarkSaveTable", tr("Save table…"), tr("Write every row to a CSV or JSON file"));
  auto* row = new QHBoxLayout(header);
  row->setContentsMargins(12, 0, 8, 0);
  row->setSpacing(8);
  row->addWidget(makeHeading(title()));
  row->addWidget(headline, 1);
  row->addWidget(permute);
  row->addWidget(new QLabel(tr("Speedup over")));
  row->addWidget(baseline);
  row->addWidget(plotButton);
  row->addWidget(tableButton);

  connect(baseline, &QComboBox::currentTextChanged, chart, &widgets::BenchmarkPlot::setBaseline);
  connect(permute, &QCheckBox::toggled, chart, &widgets::BenchmarkPlot::setPermuteCounted);
  connect(plotButton, &QPushButton::clicked, this, &BenchmarkPage::askWhereToSavePlot);
  connect(tableButton, &QPushButton::clicked, this, [this] {
    askForFile("benchmarkTableDialog", tr("Save table"), QStringLiteral("benchmark.csv"),
               {tr("CSV table (*.csv)"), tr("JSON (*.json)")}, &BenchmarkPage::saveTable);
  });
  return header;
}

QWidget* BenchmarkPage::makeControls()
{
  source = new QComboBox;
  source->setObjectName(QStringLiteral("benchmarkSource"));
  source->setToolTip(tr("The cells of the batches, taken in turn"));
  source->addItems({tr("Shown cells"), tr("Random trees"), tr("CA1-sized cell"), tr("Mixed synthetic cells")});
  cells = new QLineEdit(QStringLiteral("1 10 100 1000"));
  cells->setObjectName(QStringLiteral("benchmarkCells"));
  cells->setToolTip(tr("Numbers of cells in a batch, 1 to 1,000,000 each, with blanks between them"));
  backend = new QComboBox;
  backend->setObjectName(QStringLiteral("benchmarkBackend"));
  backend->setToolTip(tr("Where the solvers run; those of the CPU only run there beside CUDA's"));
  backend->addItem(tr("CPU"), static_cast<int>(Backend::Cpu));
  backend->addItem(tr("CUDA"), static_cast<int>(Backend::Cuda));
  repetitions = new QSpinBox;
  repetitions->setObjectName(QStringLiteral("benchmarkRepetitions"));
  repetitions->setToolTip(
      tr("Measured solves of each batch, at least; the line is their median, the band their quartiles"));
  repetitions->setRange(7, 1'000);
  runButton = makeButton("benchmarkRun", tr("Run"), tr("Measure the chosen solvers on the chosen batches"));
  runButton->setProperty("primary", true);
  cancelButton = makeButton("benchmarkCancel", tr("Cancel"), tr("Stop measuring; what was measured stays (Esc)"));
  progress = new QProgressBar;
  progress->setObjectName(QStringLiteral("benchmarkProgress"));
  progress->setToolTip(tr("Share of the batches that is measured"));
  progress->setRange(0, kProgressSteps);
  progress->setTextVisible(false);
  stage = new QLabel;
  hint = new QLabel;
  failures = new QLabel;
  stage->setObjectName(QStringLiteral("benchmarkStage"));
  hint->setObjectName(QStringLiteral("benchmarkHint"));
  failures->setObjectName(QStringLiteral("benchmarkFailures"));
  for (QLabel* label : {stage, hint, failures})
    label->setWordWrap(true);

  auto* controls = new QWidget(this);
  controls->setFixedWidth(kControlsWidth);
  auto* column = new QVBoxLayout(controls);
  column->setContentsMargins(12, 10, 12, 12);
  column->setSpacing(6);
  const auto addLabelled = [column](const QString& text, QWidget* widget) {
    auto* label = new QLabel(text);
    label->setBuddy(widget);
    column->addWidget(label);
    column->addWidget(widget);
  };
  addLabelled(tr("Cells of the batches"), source);
  addLabelled(tr("Numbers of cells"), cells);
  addLabelled(tr("Backend"), backend);
  addLabelled(tr("Solves of each, at least"), repetitions);
  column->addSpacing(6);
  column->addWidget(makeHeading(tr("Solvers")));
  column->addWidget(makeSolverList(), 1);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(runButton, 1);
  buttons->addWidget(cancelButton, 1);
  column->addLayout(buttons);
  column->addWidget(hint);
  column->addWidget(progress);
  column->addWidget(stage);
  column->addWidget(failures);

  connect(runButton, &QPushButton::clicked, this, &BenchmarkPage::run);
  connect(cancelButton, &QPushButton::clicked, this, &BenchmarkPage::cancelRequested);
  connect(cells, &QLineEdit::returnPressed, this, &BenchmarkPage::run);
  connect(backend, &QComboBox::currentIndexChanged, this, &BenchmarkPage::refreshSolvers);
  connect(source, &QComboBox::currentIndexChanged, this, &BenchmarkPage::refreshState);
  return controls;
}

QWidget* BenchmarkPage::makeSolverList()
{
  auto* list = new QWidget;
  auto* column = new QVBoxLayout(list);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(5);
  for (const hines::SolverTraits& solver : hines::allSolvers()) {
    const QString name = QString::fromUtf8(solver.name.data(), static_cast<qsizetype>(solver.name.size()));
    auto* box = new QCheckBox(name);
    box->setObjectName(QStringLiteral("benchmarkSolver_") + name);
    box->setChecked(!solver.chainsOnly); // cells have branches
    column->addWidget(box);
    solverBoxes.push_back({solver.kind, box});
    connect(box, &QCheckBox::toggled, this, [this] {
      refreshHidden();
      refreshState();
    });
  }
  column->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setObjectName(QStringLiteral("benchmarkSolvers"));
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(list);
  scroll->setMinimumHeight(90);
  return scroll;
}

// ---- what the window knows ----

void BenchmarkPage::setScene(std::shared_ptr<const widgets::Scene> shown)
{
  scene = std::move(shown);
  refreshState();
}

void BenchmarkPage::setParameters(const PipelineParameters& ofWindow)
{
  parameters = ofWindow;
}

void BenchmarkPage::setDevices(const DeviceReport& report)
{
  devices = report;
  const int row = backend->findData(static_cast<int>(Backend::Cuda));
  auto* item = qobject_cast<QStandardItemModel*>(backend->model())->item(row);
  item->setEnabled(devices.whyNoCuda.empty());
  item->setToolTip(QString::fromStdString(devices.whyNoCuda));
  if (devices.whyNoCuda.empty())
    backend->setCurrentIndex(row);
}

void BenchmarkPage::setBusy(bool isBusy)
{
  busy = isBusy;
  refreshState();
}

/// Only solvers that the backend has, or that the CPU has beside CUDA, can be chosen.
void BenchmarkPage::refreshSolvers()
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

void BenchmarkPage::refreshHidden()
{
  QStringList hidden;
  for (const hines::BenchmarkRow& row : chart->rows()) {
    const auto entry = std::ranges::find(solverBoxes, row.solve.solver, &SolverBox::solver);
    if (!entry->box->isChecked())
      hidden << QString::fromStdString(row.label);
  }
  chart->setHiddenLabels(hidden);
}

void BenchmarkPage::refreshBaselines()
{
  const QStringList labels = chart->labels();
  for (const QString& label : labels)
    if (baseline->findText(label) < 0)
      baseline->addItem(label);
}

void BenchmarkPage::refreshState()
{
  const bool anySolver = std::ranges::any_of(
      solverBoxes, [](const SolverBox& entry) { return entry.box->isChecked() && entry.box->isEnabled(); });
  const bool anyCells =
      source->currentIndex() != static_cast<int>(Source::ShownCells) || (scene && !scene->cells.empty());
  hint->setText(running      ? QString()
                : busy       ? tr("Measuring waits until the running job has ended.")
                : !anyCells  ? tr("Open cells, or choose synthetic ones.")
                : !anySolver ? tr("Choose at least one solver.")
                             : QString());
  hint->setVisible(!hint->text().isEmpty());
  runButton->setEnabled(!running && !busy && anySolver && anyCells);
  cancelButton->setEnabled(running);
  progress->setVisible(running);
  stage->setVisible(running);
  const bool hasRows = !chart->rows().empty();
  plotButton->setEnabled(!chart->labels().isEmpty());
  tableButton->setEnabled(hasRows);
  baseline->setEnabled(baseline->count() > 0);
  std::size_t failed = 0;
  QString sentences;
  for (const hines::BenchmarkRow& row : chart->rows())
    if (row.failed()) {
      ++failed;
      sentences += QStringLiteral("%1, %2: %3\n")
                       .arg(QString::fromStdString(row.label),
                            tr("%1 cells").arg(widgets::formatNumber(static_cast<double>(row.cells))),
                            QString::fromStdString(row.error));
    }
  failures->setVisible(failed > 0);
  failures->setText(failed == 1
                        ? tr("1 batch failed:\n") + sentences.trimmed()
                        : tr("%1 batches failed; the first: %2").arg(failed).arg(sentences.section(u'\n', 0, 0)));
  failures->setToolTip(sentences.trimmed());
}

// ---- running ----

std::shared_ptr<const hines::BenchmarkSource> BenchmarkPage::chosenSource() const
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

std::vector<std::int64_t> BenchmarkPage::chosenCells() const
{
  std::vector<std::int64_t> counts;
  static const QRegularExpression kBlanks(QStringLiteral("[\\s;,]+"));
  for (const QString& word : cells->text().split(kBlanks, Qt::SkipEmptyParts)) {
    bool isNumber = false;
    const qlonglong count = word.toLongLong(&isNumber);
    if (!isNumber || count < 1 || count > kMostCells)
      throw Error(ErrorCode::BadParameter,
                  "'" + word.toStdString() + "' is no number of cells; give whole numbers from 1 to 1000000.");
    counts.push_back(count);
  }
  if (counts.empty())
    throw Error(ErrorCode::BadParameter, "There is no number of cells; give some, such as 1 10 100 1000.");
  std::ranges::sort(counts);
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

BenchmarkRequest BenchmarkPage::makeRequest() const
{
  hines::BenchmarkScope scope;
  scope.backend = static_cast<Backend>(backend->currentData().toInt());
  for (const SolverBox& entry : solverBoxes)
    if (entry.box->isChecked() && entry.box->isEnabled())
      scope.solvers.push_back(entry.solver);
  scope.plan = parameters.plan;
  scope.solve = parameters.solve;
  const auto batchSource = chosenSource();
  BenchmarkRequest request;
  request.parameters.minRepetitions = repetitions->value();
  for (const std::int64_t count : chosenCells())
    for (hines::BenchmarkCase& one : hines::casesOfBatch("window", batchSource, count, scope))
      request.cases.push_back(std::move(one));
  return request;
}

void BenchmarkPage::run()
{
  if (!runButton->isEnabled())
    return;
  try {
    const BenchmarkRequest request = makeRequest();
    measured = static_cast<Source>(source->currentIndex());
    wantedRows = request.cases.size();
    chart->setRows({});
    const QSignalBlocker blocker(baseline);
    baseline->clear();
    emit runRequested(request);
  } catch (const Error& error) {
    emit failed(QString::fromUtf8(error.what()));
  }
}

void BenchmarkPage::takeStarted()
{
  running = true;
  takeProgress({}, 0);
  refreshHidden();
  refreshState();
}

void BenchmarkPage::takeProgress(const QString& name, double fraction)
{
  progress->setValue(static_cast<int>(fraction * kProgressSteps));
  stage->setText(name);
}

void BenchmarkPage::takeRow(const hines::BenchmarkRow& row)
{
  chart->addRow(row);
  refreshBaselines();
  refreshHidden();
  refreshState();
  headline->setText(tr("%1: %2 of %3 batches, %4")
                        .arg(QString::fromStdString(row.what))
                        .arg(chart->rows().size())
                        .arg(wantedRows)
                        .arg(QString::fromStdString(row.device)));
  headline->setToolTip(headline->text());
}

void BenchmarkPage::takeEnd()
{
  running = false;
  refreshState();
}

/// Copies and trees so that the window solves a batch of about the row's size.
void BenchmarkPage::chooseRow(std::size_t index)
{
  const hines::BenchmarkRow& row = chart->rows()[index];
  PipelineParameters chosen = parameters;
  chosen.plan = row.plan;
  const std::int32_t repeat = chosen.solve.repeat;
  chosen.solve = row.solve;
  chosen.solve.repeat = repeat;
  const auto wanted = static_cast<std::int32_t>(row.cells);
  if (measured == Source::ShownCells && scene && !scene->cells.empty()) {
    const auto shown = static_cast<std::int32_t>(scene->cells.size());
    chosen.batch.copies = std::max(1, wanted / shown);
  } else if (measured == Source::RandomTrees) {
    constexpr std::int32_t kMostTrees = 256; // of the window's batch
    chosen.batch.source = BatchSource::RandomTrees;
    chosen.batch.distinctTrees = std::min(wanted, kMostTrees);
    chosen.batch.copies = std::max(1, wanted / chosen.batch.distinctTrees);
  }
  emit parametersChosen(chosen, tr("%1, %2 cells").arg(QString::fromStdString(row.label)).arg(row.cells));
}

// ---- export ----

void BenchmarkPage::askWhereToSavePlot()
{
  if (plotButton->isEnabled())
    askForFile("benchmarkPlotDialog", tr("Save plot"), QStringLiteral("benchmark.png"),
               {tr("PNG picture (*.png)"), tr("PDF page (*.pdf)")}, &BenchmarkPage::savePlot);
}

void BenchmarkPage::savePlot(const QString& path) const
{
  const QString extension = QFileInfo(path).suffix().toLower();
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  const QRectF area(QPointF(0, 0), QSizeF(chart->size()));
  if (extension == QLatin1String("png")) {
    QImage image((area.size() * kPictureScale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(kPictureScale);
    QPainter painter(&image);
    painter.setFont(chart->font());
    chart->paint(painter, area);
    painter.end();
    image.save(&buffer, "PNG");
  } else if (extension == QLatin1String("pdf")) {
    QPdfWriter writer(&buffer);
    writer.setTitle(tr("Hinesight benchmark"));
    const int dotsPerInch = chart->logicalDpiX();
    writer.setResolution(dotsPerInch); // one unit is a pixel of the screen
    writer.setPageSize(QPageSize(area.size() * 72.0 / dotsPerInch, QPageSize::Point));
    writer.setPageMargins({});
    QPainter painter(&writer);
    painter.setFont(chart->font());
    chart->paint(painter, area);
  } else {
    throw Error(ErrorCode::BadParameter, "plots are written as .png or .pdf; give the file such a name",
                path.toStdString());
  }
  writeFileAtomically(path.toStdString(), [&](std::ostream& stream) { stream.write(bytes.constData(), bytes.size()); });
}

void BenchmarkPage::saveTable(const QString& path) const
{
  io::writeBenchmark(chart->rows(), path.toStdString());
}

void BenchmarkPage::askForFile(const char* name, const QString& title, const QString& proposal,
                               const QStringList& filters, void (BenchmarkPage::*save)(const QString&) const)
{
  static const QString kFolderKey = QStringLiteral("exportFolder");
  const QString home = QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
  auto* dialog = new QFileDialog(this, title, QSettings().value(kFolderKey, home).toString());
  dialog->setObjectName(QLatin1String(name));
  dialog->setNameFilters(filters);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QFileInfo(proposal).suffix());
  dialog->selectFile(proposal);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
    dialog->setDefaultSuffix(filter.section(QStringLiteral("*."), 1).chopped(1));
  });
  connect(dialog, &QFileDialog::fileSelected, this, [this, save](const QString& path) {
    QSettings().setValue(kFolderKey, QFileInfo(path).absolutePath());
    try {
      (this->*save)(path);
      emit saved(path);
    } catch (const Error& error) {
      emit failed(QString::fromUtf8(error.what()));
    }
  });
  dialog->open();
}

} // namespace hinesight::app
