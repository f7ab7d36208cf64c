#pragma once

#include "core/fields.hpp"
#include "core/stage_timings.hpp"

#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace hinesight::io {

/// A finite number as it is; "nan", "inf", "-inf" as text, which JSON has no numbers for.
nlohmann::ordered_json jsonNumber(double value);

/// [{"name": "solve", "milliseconds": 0.25}].
nlohmann::ordered_json jsonStages(const StageTimings& timings);

/// [{"name": "GPU 0", "stages": as jsonStages}].
nlohmann::ordered_json jsonDevices(const StageTimings& timings);

/// {"name": "text"}.
nlohmann::ordered_json jsonSettings(const std::vector<Setting>& settings);

} // namespace hinesight::io
