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

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

constexpr std::array kPrecisions = {hines::Precision::Double, hines::Precision::Single};

/// By precision; null where it has not been fitted.
Json thresholdsToJson(const DeviceInfo& device)
{
  Json thresholds;
  for (const hines::Precision precision : kPrecisions) {
    const std::optional<hines::EddThreshold> kept = hines::keptEddThreshold(device.model.name, precision);
    thresholds[std::string(hines::precisionName(precision))] =
        kept ? Json{{"a", jsonNumber(kept->a)}, {"b", jsonNumber(kept->b)}} : Json();
  }
  return thresholds;
}

/// What costs the auto solver goes by: "double measured, single built in", on CUDA "predicted" for "built in".
std::string costsOf(Backend backend)
{
  std::string text;
  for (const hines::Precision precision : kPrecisions)
    text += (text.empty() ? "" : ", ") + std::string(hines::precisionName(precision)) + " " +
            (hines::currentCosts(backend, precision).fitted ? "measured"
             : backend == Backend::Cuda                     ? "predicted"
                                                            : "built in");
  return text;
}

Json toJson(const DeviceInfo& device)
{
  return {{"index", device.index},
          {"name", device.model.name},
          {"computeCapability", capabilityText(device.model.capability)},
          {"driver", device.driver},
          {"memoryBytes", device.model.memoryBytes},
          {"freeBytes", device.freeBytes},
          {"multiprocessors", device.model.multiprocessors},
          {"sharedBytesPerBlock", device.model.sharedBytesPerBlock},
          {"l2Bytes", device.model.l2Bytes},
          {"sharedBytesPerMultiprocessor", device.model.sharedBytesPerMultiprocessor},
          {"bandwidth", jsonNumber(device.model.bandwidth)},
          {"clock", jsonNumber(device.model.clock)},
          {"code", device.codeCapability > 0 ? Json(codeText(device)) : Json()},
          {"codeCapability", device.codeCapability > 0 ? Json(capabilityText(device.codeCapability)) : Json()},
          {"paths", pathsText(device)},
          {"predictionsChecked", isPredictionChecked(device.model)},
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
               device.model.name + ", compute capability " + capabilityText(device.model.capability) + ", " +
                   std::to_string(device.model.multiprocessors) + " multiprocessors, " + formatBytes(device.freeBytes) +
                   " of " + formatBytes(device.model.memoryBytes) + " free, CUDA " + device.driver + " driver");
    printField(stream, "", sizesText(device.model));
    printField(stream, "",
               device.codeCapability > 0 ? "runs " + codeText(device) + "; " + pathsText(device) : codeText(device));
    for (const hines::Precision precision : kPrecisions)
      if (const auto kept = hines::keptEddThreshold(device.model.name, precision))
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
    hines::keepEddThreshold(cudaDevices().front().model.name, precision,
                            hines::fitEddThreshold(Backend::Cuda, precision, control).threshold);
}

/// Of the models that can be planned for, those that are known.
std::vector<Gpu> knownGpus()
{
  std::vector<Gpu> gpus;
  for (std::size_t k = 1; k < tableOf(Gpu::Here).size(); ++k)
    gpus.push_back(static_cast<Gpu>(k));
  return gpus;
}

Json knownToJson()
{
  Json array = Json::array();
  for (const Gpu gpu : knownGpus()) {
    const KnownDevice& device = knownDevice(gpu);
    array.push_back({{"gpu", choiceName(gpu)},
                     {"name", device.model.name},
                     {"computeCapability", capabilityText(device.model.capability)},
                     {"multiprocessors", device.model.multiprocessors},
                     {"sharedBytesPerBlock", device.model.sharedBytesPerBlock},
                     {"sharedBytesPerMultiprocessor", device.model.sharedBytesPerMultiprocessor},
                     {"l2Bytes", device.model.l2Bytes},
                     {"memoryBytes", device.model.memoryBytes},
                     {"bandwidth", jsonNumber(device.model.bandwidth)},
                     {"clock", jsonNumber(device.model.clock)},
                     {"paths", pathsText(device.model)},
                     {"source", device.source},
                     {"predictionsChecked", device.isPredictionChecked}});
  }
  return {{"known", std::move(array)}};
}

void printKnown(std::ostream& stream)
{
  for (const Gpu gpu : knownGpus()) {
    const auto& [model, source, isChecked] = knownDevice(gpu);
    printField(stream, std::string(choiceName(gpu)),
               model.name + ", compute capability " + capabilityText(model.capability) + ", " +
                   std::to_string(model.multiprocessors) + " multiprocessors, " + formatNumber(model.clock * 1e-6, 4) +
                   " MHz, " + formatBytes(model.memoryBytes));
    printField(stream, "", sizesText(model));
    printField(stream, "", pathsText(model));
    printField(stream, "", std::string("predictions ") + (isChecked ? "checked" : "not checked") + " against one");
    printField(stream, "", "source: " + std::string(source));
  }
}

int runDevices(bool fitAnew, bool known, Session& session)
{
  if (known) {
    session.json ? printJson(session.results(), knownToJson()) : printKnown(session.results());
    return 0;
  }
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

void addDevicesCommand(Command& program, Session& session)
{
  auto fitAnew = std::make_shared<bool>(false);
  auto known = std::make_shared<bool>(false);
  Command& command = addCommand(program, session, "devices", "List what solves can run on",
                                [fitAnew, known, &session] { return runDevices(*fitAnew, *known, session); });
  command.addFlag("--known", *known,
                  "List the models of GPU that can be planned for, with the sources of their figures");
  command.addFlag("--fit", *fitAnew,
                  "Measure again what the program needs to choose parameters (the threshold of edd), and keep it");
}

} // namespace hinesight::cli
