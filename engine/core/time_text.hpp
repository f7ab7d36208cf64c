#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace hinesight {

/// ISO 8601, UTC, with milliseconds: "2026-03-01T12:34:56.789Z".
std::string timeText(std::chrono::system_clock::time_point time);

/// When a file was written last, so; empty: that is not known. Never throws.
std::string modificationTime(const std::filesystem::path& path);

} // namespace hinesight
