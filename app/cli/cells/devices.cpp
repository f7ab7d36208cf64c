#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/device.hpp"
#include "core/parallel.hpp"
#include "hines/choice/cost_cache.hpp"
#include "hines/solver.hpp"
#include "hines/solvers/edd/edd_threshold.hpp"

#include <array>
#include <memory>
#include <optional>

namespace hinesight::cli {

namespace {

constexpr std::array kPrecisions = {hines::Precision::Double, hines::Precision::Single};

/// By precision; null where it has not been fitted.
Json thresholdsToJson(const DeviceInfo& device)
{
  Json thresholds;
  for (const hines::Precision precision : kPrecisions) {
    const std::optional<hines::EddThreshold> kept = hines::keptEddThreshold(device.name, precision);
    thresholds[std::string(hines::precisionName(precision))] =
        kept ? Json{{"a", jsonNumber(kept->a)}, {"b", jsonNumber(kept->b)}} : Json();
  }
  return thresholds;
}

/// Whether the auto solver goes by costs that were measured on the device, such as "double measured, single built in".
std::string costsOf(Backend backend)
{
  std::string text;
  for (const hines::Precision precision : kPrecisions)
    text += (text.empty() ? "" : ", ") + std::string(hines::precisionName(precision)) + " " +
            (hines::currentCosts(backend, precision).fitted ? "measured" : "built in");
  return text;
}

Json toJson(const DeviceInfo& device)
{
  return {{"index", device.index},
          {"name", device.name},
          {"computeCapability", device.computeCapability},
          {"driver", device.driver},
          {"memoryBytes", device.memoryBytes},
          {"freeBytes", device.freeBytes},
          {"multiprocessors", device.multiprocessors},
          {"sharedBytesPerBlock", device.sharedBytesPerBlock},
          {"l2Bytes", device.l2Bytes},
          {"eddThreshold", thresholdsToJson(device)}};
}

Json toJson(const std::vector<DeviceInfo>& devices)
{
  Json array = Json::array();
  for (const DeviceInfo& device : devices)
    array.push_back(toJson(device));
  return {
      {"cpu", {{"name", processorName()}, {"threads", hardwareThreads()}, {"availableBytes", availableMemoryBytes()}}},
      {"solverCosts", {{"cpu", costsOf(Backend::Cpu)}, {"cuda", costsOf(Backend::Cuda)}}},
      {"cudaCompiled", cudaCompiled()},
      {"cuda", std::move(array)}};
}

/// "12 rows", or "130 rows with one right-hand side, 14 with 64".
std::string thresholdText(const hines::EddThreshold& threshold)
{
  const std::int32_t one = threshold.rows(1);
  const std::int32_t many = threshold.rows(64);
  return std::to_string(one) + " rows" +
         (one == many ? std::string() : " with one right-hand side, " + std::to_string(many) + " with 64");
}

void printText(std::ostream& stream, const std::vector<DeviceInfo>& devices)
{
  printField(stream, "cpu",
             processorName() + ", " + std::to_string(hardwareThreads()) + " threads, " +
                 formatBytes(availableMemoryBytes()) + " of memory free");
  printField(stream, "cpu solver costs", costsOf(Backend::Cpu));
  if (!cudaCompiled())
    printField(stream, "cuda", "not in this build; it needs nvcc when it is configured");
  else if (devices.empty())
    printField(stream, "cuda", "no device that can be used");
  for (const DeviceInfo& device : devices) {
    printField(stream, "cuda " + std::to_string(device.index),
               device.name + ", compute capability " + device.computeCapability + ", " +
                   std::to_string(device.multiprocessors) + " multiprocessors, " + formatBytes(device.freeBytes) +
                   " of " + formatBytes(device.memoryBytes) + " free, CUDA " + device.driver + " driver");
    for (const hines::Precision precision : kPrecisions)
      if (const auto kept = hines::keptEddThreshold(device.name, precision))
        printField(stream, "edd threshold", thresholdText(*kept) + ", " + std::string(hines::precisionName(precision)));
  }
  if (!devices.empty())
    printField(stream, "cuda solver costs", costsOf(Backend::Cuda));
}

/// Anew, also where it has been done before.
void fit(const RunControl& control)
{
  requireCudaDevice();
  for (const hines::Precision precision : kPrecisions)
    hines::keepEddThreshold(cudaDevices().front().name, precision,
                            hines::fitEddThreshold(Backend::Cuda, precision, control).threshold);
}

int runDevices(bool fitAnew, Session& session)
{
  if (fitAnew)
    fit(session.control());
  const std::vector<DeviceInfo> devices = cudaDevices();
  if (session.json)
    printJson(session.results(), toJson(devices));
  else
    printText(session.results(), devices);
  return 0;
}

} // namespace

void addDevicesCommand(CLI::App& program, Session& session)
{
  auto fitAnew = std::make_shared<bool>(false);
  Command& command = addCommand(program, session, "devices", "List what solves can run on",
                                [fitAnew, &session] { return runDevices(*fitAnew, session); });
  command.add_flag("--fit", *fitAnew,
                   "Measure again what the program needs to choose parameters (the threshold of edd), and keep it");
}

} // namespace hinesight::cli
