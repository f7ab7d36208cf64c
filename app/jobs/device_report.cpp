#include "app/jobs/device_report.hpp"

#include "core/error.hpp"
#include "core/parallel.hpp"

namespace hinesight::app {

DeviceReport findDevices()
{
  DeviceReport report;
  report.processor = processorName();
  report.threads = hardwareThreads();
  report.cudaDevices = cudaDevices();
  try {
    requireCudaDevice();
  } catch (const Error& error) {
    report.whyNoCuda = error.message();
  }
  return report;
}

} // namespace hinesight::app
