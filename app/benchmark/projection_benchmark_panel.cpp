#include "app/benchmark/projection_benchmark_panel.hpp"

#include "io/runs/projection_benchmark_report.hpp"
#include "widgets/charts/projection_benchmark_plot.hpp"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QVBoxLayout>

namespace hinesight::app {

namespace {

constexpr int kLargestSide = 10'000;

QString defaultSides()
{
  QStringList sides;
  for (const std::uint32_t side : projection::BenchmarkParameters().sides)
    sides << QString::number(side);
  return sides.join(u' ');
}

} // namespace

ProjectionBenchmarkPanel::ProjectionBenchmarkPanel(QWidget* parent)
    : ProjectionBenchmarkPanel(new widgets::ProjectionBenchmarkPlot, parent)
{}

ProjectionBenchmarkPanel::ProjectionBenchmarkPanel(widgets::ProjectionBenchmarkPlot* plot, QWidget* parent)
    : BenchmarkPanel(QStringLiteral("projectionBenchmark"), plot, parent), chart(plot),
      sides(new QLineEdit(defaultSides())), cpu(new QCheckBox(tr("CPU, all threads"))), cuda(new QCheckBox(tr("CUDA"))),
      loopSide(new QSpinBox), repetitions(new QSpinBox)
{
  setObjectName(QStringLiteral("projectionBenchmarkPanel"));
  chart->setToolTip(tr("Time of a weight table in ms, and speedup, over the side d of both populations"));
  addOptions();
  for (QCheckBox* box : {cpu, cuda})
    connect(box, &QCheckBox::toggled, this, &ProjectionBenchmarkPanel::refreshState);
  connect(cpu, &QCheckBox::toggled, loopSide, &QWidget::setEnabled);
  connect(sides, &QLineEdit::returnPressed, this, &BenchmarkPanel::run);
  for (QWidget* field : {static_cast<QWidget*>(sides), static_cast<QWidget*>(cpu), static_cast<QWidget*>(cuda),
                         static_cast<QWidget*>(loopSide), static_cast<QWidget*>(repetitions)})
    addSetting(field);
  refreshState();
}

void ProjectionBenchmarkPanel::addOptions()
{
  const projection::BenchmarkParameters defaults;
  auto* what = new QLabel(tr("Weight tables of the widening Gaussian between two square grids of d × d neurons, as in "
                             "James 2021, figures 1B and 1C."));
  what->setObjectName(named("What"));
  what->setWordWrap(true);
  options->addWidget(what);
  sides->setObjectName(named("Sides"));
  sides->setToolTip(tr("Sides d of the populations in neurons, 1 to 10,000 each, with blanks between them"));
  sides->setCursorPosition(0);
  addOption(tr("Sides d"), sides);
  cpu->setObjectName(named("Cpu"));
  cpu->setToolTip(tr("Measure the whole table in main memory, made by the CPU"));
  cpu->setChecked(true);
  cuda->setObjectName(named("Cuda"));
  cuda->setToolTip(tr("No CUDA device was looked for yet"));
  cuda->setEnabled(false);
  options->addSpacing(6);
  options->addWidget(new QLabel(tr("Backends")));
  options->addWidget(cpu);
  options->addWidget(cuda);
  loopSide->setObjectName(named("LoopSide"));
  loopSide->setToolTip(tr("Largest side d for which a plain loop over all pairs, one CPU thread that only counts, is "
                          "timed beside; its time grows with d to the power of four, 4 s at 150"));
  loopSide->setRange(0, kLargestSide);
  loopSide->setSpecialValueText(tr("not timed"));
  loopSide->setValue(static_cast<int>(defaults.loopSide));
  options->addSpacing(6);
  addOption(tr("Loop over all pairs up to d"), loopSide);
  repetitions->setObjectName(named("Repetitions"));
  repetitions->setToolTip(tr("Tables made of each side on each backend; the line is their median, the band their "
                             "quartiles"));
  repetitions->setRange(1, 1'000);
  repetitions->setValue(defaults.repetitions);
  addOption(tr("Runs of each"), repetitions);
  options->addStretch(1);
}

void ProjectionBenchmarkPanel::setDevices(const DeviceReport& report)
{
  const bool usable = report.whyNoCuda.empty();
  cuda->setEnabled(usable);
  cuda->setChecked(usable);
  cuda->setToolTip(usable ? tr("Measure the table made by the GPU: left on the device, and downloaded; beside it "
                               "cub::DeviceSelect over all pairs, up to 2^31 of them")
                          : QString::fromStdString(report.whyNoCuda));
}

QString ProjectionBenchmarkPanel::missing() const
{
  return cpu->isChecked() || cuda->isChecked() ? QString() : tr("Choose at least one backend.");
}

void ProjectionBenchmarkPanel::requestRun()
{
  ProjectionBenchmarkRequest request;
  request.parameters.sides.clear();
  for (const std::int64_t side : numbersOf(sides->text(), kLargestSide, "side", "8 16 32 64"))
    request.parameters.sides.push_back(static_cast<std::uint32_t>(side));
  request.parameters.projection = projection::paperParameters();
  request.parameters.cpu = cpu->isChecked();
  request.parameters.cuda = cuda->isChecked();
  request.parameters.loopSide = static_cast<std::uint32_t>(loopSide->value());
  request.parameters.repetitions = repetitions->value();
  wantedPoints = request.parameters.sides.size();
  chart->setMeasured({});
  refreshBaselines();
  emit runRequested(request);
}

void ProjectionBenchmarkPanel::takePoint(const projection::BenchmarkPoint& point)
{
  chart->addMeasured(point);
  refreshBaselines();
  refreshState();
  QStringList devices;
  for (const std::string& device : {point.cpuDevice, point.cudaDevice})
    if (!device.empty())
      devices << QString::fromStdString(device);
  showHeadline(
      tr("%1 of %2 sides, %3").arg(chart->measured().size()).arg(wantedPoints).arg(devices.join(QStringLiteral("; "))));
}

void ProjectionBenchmarkPanel::saveTable(const QString& path) const
{
  io::writeProjectionBenchmark(chart->measured(), path.toStdString());
}

} // namespace hinesight::app
