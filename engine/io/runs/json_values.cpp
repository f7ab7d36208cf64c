#include "io/runs/json_values.hpp"

#include "core/text.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

namespace hinesight::io {

nlohmann::ordered_json jsonNumber(double value)
{
  if (std::isfinite(value))
    return value;
  return textOf(value);
}

nlohmann::ordered_json jsonStages(const StageTimings& timings)
{
  auto stages = nlohmann::ordered_json::array();
  for (const Stage& stage : timings.stages)
    stages.push_back({{"name", stage.name}, {"milliseconds", jsonNumber(stage.milliseconds)}});
  return stages;
}

nlohmann::ordered_json jsonDevices(const StageTimings& timings)
{
  auto devices = nlohmann::ordered_json::array();
  for (const StageTimings& device : timings.devices)
    devices.push_back({{"name", device.device}, {"stages", jsonStages(device)}});
  return devices;
}

nlohmann::ordered_json jsonSettings(const std::vector<Setting>& settings)
{
  auto object = nlohmann::ordered_json::object();
  for (const Setting& setting : settings)
    object[setting.name] = setting.text;
  return object;
}

} // namespace hinesight::io
