#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/device.hpp"
#include "core/parallel.hpp"

namespace hinesight::cli {

namespace {

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
          {"l2Bytes", device.l2Bytes}};
}

Json toJson(const std::vector<DeviceInfo>& devices)
{
  Json array = Json::array();
  for (const DeviceInfo& device : devices)
    array.push_back(toJson(device));
  return {
      {"cpu", {{"name", processorName()}, {"threads", hardwareThreads()}, {"availableBytes", availableMemoryBytes()}}},
      {"cudaCompiled", cudaCompiled()},
      {"cuda", std::move(array)}};
}

void printText(std::ostream& stream, const std::vector<DeviceInfo>& devices)
{
  printField(stream, "cpu",
             processorName() + ", " + std::to_string(hardwareThreads()) + " threads, " +
                 formatBytes(availableMemoryBytes()) + " of memory free");
  if (!cudaCompiled())
    printField(stream, "cuda", "not in this build; it needs nvcc when it is configured");
  else if (devices.empty())
    printField(stream, "cuda", "no device that can be used");
  for (const DeviceInfo& device : devices)
    printField(stream, "cuda " + std::to_string(device.index),
               device.name + ", compute capability " + device.computeCapability + ", " +
                   std::to_string(device.multiprocessors) + " multiprocessors, " + formatBytes(device.freeBytes) +
                   " of " + formatBytes(device.memoryBytes) + " free, CUDA " + device.driver + " driver");
}

int runDevices(Session& session)
{
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
  addCommand(program, session, "devices", "List what solves can run on", [&session] { return runDevices(session); });
}

} // namespace hinesight::cli
