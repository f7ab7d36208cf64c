#include "app/benchmark/projection_benchmark_panel.hpp"

#include "app/forms/field_form.hpp"
#include "io/runs/projection_benchmark_report.hpp"
#include "widgets/charts/projection_benchmark_plot.hpp"
#include "widgets/theme.hpp"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QVBoxLayout>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hinesight::app {

namespace {

/// That the panel begins with.
std::vector<BoundField> defaultFields()
{
  static projection::BenchmarkParameters defaults;
  return fieldsOf(defaults);
}

BoundField fieldNamed(std::string_view name)
{
  std::vector<BoundField> fields = defaultFields();
  if (const BoundField* field = findField(fields, name))
    return *field;
  qFatal("a benchmark of projections has no parameter %s", std::string(name).c_str());
}

} // namespace

ProjectionBenchmarkPanel::ProjectionBenchmarkPanel(QWidget* parent)
    : ProjectionBenchmarkPanel(new widgets::ProjectionBenchmarkPlot, parent)
{}

ProjectionBenchmarkPanel::ProjectionBenchmarkPanel(widgets::ProjectionBenchmarkPlot* plot, QWidget* parent)
    : BenchmarkPanel(QStringLiteral("projectionBenchmark"), plot, parent), chart(plot), sides(new QLineEdit),
      cpu(new QCheckBox), cuda(new QCheckBox), loopSide(new QSpinBox), repetitions(new QSpinBox)
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
  auto* what = new QLabel(tr("Weight tables of the widening Gaussian between two square grids of d × d neurons, as in "
                             "James 2021, figures 1B and 1C."));
  what->setObjectName(named("What"));
  what->setWordWrap(true);
  options->addWidget(what);
  sides->setObjectName(named("Sides"));
  const BoundField sidesField = fieldNamed("sides");
  sides->setText(QString::fromStdString(sidesField.text()).replace(QLatin1Char(','), QLatin1Char(' ')));
  sides->setCursorPosition(0);
  addOption(sidesField, sides);
  sides->setToolTip(sides->toolTip() + QLatin1Char(' ') + tr("Put blanks between them."));
  cpu->setObjectName(named("Cpu"));
  const BoundField backendsField = fieldNamed("backend");
  for (const auto& [box, backend] : {std::pair(cpu, Backend::Cpu), std::pair(cuda, Backend::Cuda)})
    box->setText(widgets::inText(tableOf(backend)[static_cast<std::size_t>(backend)].label));
  cpu->setToolTip(tipOf(backendsField));
  cpu->setChecked(true);
  cuda->setObjectName(named("Cuda"));
  cuda->setToolTip(tr("The search for CUDA devices has not ended yet"));
  cuda->setEnabled(false);
  options->addSpacing(6);
  options->addWidget(new QLabel(widgets::inText(backendsField.about.label)));
  options->addWidget(cpu);
  options->addWidget(cuda);
  loopSide->setObjectName(named("LoopSide"));
  showNumber(loopSide, fieldNamed("loop-side"));
  options->addSpacing(6);
  addOption(fieldNamed("loop-side"), loopSide);
  repetitions->setObjectName(named("Repetitions"));
  showNumber(repetitions, fieldNamed("repetitions"));
  addOption(fieldNamed("repetitions"), repetitions);
  options->addStretch(1);
}

void ProjectionBenchmarkPanel::setDevices(const DeviceReport& report)
{
  const bool usable = report.whyNoCuda.empty();
  cuda->setEnabled(usable);
  cuda->setChecked(usable);
  cuda->setToolTip(usable ? tipOf(fieldNamed("backend")) : QString::fromStdString(report.whyNoCuda));
}

QString ProjectionBenchmarkPanel::missing() const
{
  return cpu->isChecked() || cuda->isChecked() ? QString() : tr("Choose at least one backend.");
}

projection::BenchmarkParameters ProjectionBenchmarkPanel::chosen() const
{
  projection::BenchmarkParameters parameters;
  parameters.sides.clear();
  for (const std::int64_t side : numbersOf(sides->text(), fieldNamed("sides"), "side", "8 16 32 64"))
    parameters.sides.push_back(static_cast<std::uint32_t>(side));
  parameters.backends.clear();
  for (const auto& [box, backend] : {std::pair(cpu, Backend::Cpu), std::pair(cuda, Backend::Cuda)})
    if (box->isChecked())
      parameters.backends.push_back(backend);
  parameters.loopSide = static_cast<std::uint32_t>(loopSide->value());
  parameters.repetitions = repetitions->value();
  return parameters;
}

void ProjectionBenchmarkPanel::show(const projection::BenchmarkParameters& wanted)
{
  QStringList texts;
  for (const std::uint32_t side : wanted.sides)
    texts << QString::number(side);
  sides->setText(texts.join(QLatin1Char(' ')));
  cpu->setChecked(wanted.measures(Backend::Cpu));
  cuda->setChecked(wanted.measures(Backend::Cuda));
  loopSide->setValue(static_cast<int>(wanted.loopSide));
  repetitions->setValue(wanted.repetitions);
}

void ProjectionBenchmarkPanel::requestRun()
{
  const ProjectionBenchmarkRequest request{chosen()};
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
