#include "core/time_text.hpp"

#include <array>
#include <cstdio>
#include <ctime>
#include <system_error>

namespace hinesight {

std::string timeText(std::chrono::system_clock::time_point time)
{
  const auto second = std::chrono::floor<std::chrono::seconds>(time);
  const auto rest = std::chrono::floor<std::chrono::milliseconds>(time - second);
  const std::time_t seconds = std::chrono::system_clock::to_time_t(second);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 32> day{};
  std::strftime(day.data(), day.size(), "%Y-%m-%dT%H:%M:%S", &utc);
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%s.%03dZ", day.data(), static_cast<int>(rest.count()));
  return text.data();
}

std::string modificationTime(const std::filesystem::path& path)
{
  std::error_code failure;
  const auto time = std::filesystem::last_write_time(path, failure);
  return failure ? std::string() : timeText(std::chrono::file_clock::to_sys(time));
}

} // namespace hinesight
