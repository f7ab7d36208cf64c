#include "app/jobs/device_report.hpp"

#include "core/error.hpp"
#include "core/parallel.hpp"

#include <QCoreApplication>
#include <QSettings>

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

const QString kChosenGpu = QStringLiteral("devices/gpu");

/// What it is kept by: another one may have its index next time.
QString keyOf(const DeviceInfo& gpu)
{
  return QStringLiteral("%1 ").arg(gpu.index) + QString::fromStdString(gpu.model.name);
}

} // namespace

DeviceReport findDevices()
{
  DeviceReport report;
  report.processor = processorName();
  report.threads = hardwareThreads();
  report.cudaDevices = chosenFirst(cudaDevices());
  if (!report.cudaDevices.empty())
    setMainCudaDevice(report.cudaDevices.front().index);
  try {
    requireCudaDevice();
  } catch (const Error& error) {
    report.whyNoCuda = error.message();
  }
  return report;
}

void keepChosenGpu(const DeviceInfo& gpu)
{
  QSettings().setValue(kChosenGpu, keyOf(gpu));
}

std::vector<DeviceInfo> chosenFirst(std::vector<DeviceInfo> gpus)
{
  const auto chosen = std::ranges::find(gpus, QSettings().value(kChosenGpu).toString(), keyOf);
  return chosen == gpus.end() ? gpus : mainFirst(std::move(gpus), chosen->index);
}

QString gpuInWords(const DeviceInfo& gpu)
{
  return QCoreApplication::translate("DeviceReport", "GPU %1: %2")
      .arg(gpu.index)
      .arg(QString::fromStdString(gpu.model.name));
}

} // namespace hinesight::app
