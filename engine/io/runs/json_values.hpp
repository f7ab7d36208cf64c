#pragma once

#include "core/fields.hpp"
#include "core/stage_timings.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace hinesight::io {

struct RunRecord;

/// A finite number as it is; "nan", "inf", "-inf" as text, which JSON has no numbers for.
nlohmann::ordered_json jsonNumber(double value);

/// [{"name": "solve", "milliseconds": 0.25}].
nlohmann::ordered_json jsonStages(const StageTimings& timings);

/// [{"name": "GPU 0", "stages": as jsonStages}].
nlohmann::ordered_json jsonDevices(const StageTimings& timings);

/// {"name": "text"}.
nlohmann::ordered_json jsonSettings(const std::vector<Setting>& settings);

/// As writeTimingsJson has one of its runs.
nlohmann::ordered_json jsonRun(const RunRecord& run);
/// Of what jsonRun made, now or in earlier versions: the run of that number in the file. Throws Error(BadFormat) that
/// says what is wrong with it.
RunRecord runOfJson(const nlohmann::ordered_json& json, std::size_t number, const std::string& file);

} // namespace hinesight::io
