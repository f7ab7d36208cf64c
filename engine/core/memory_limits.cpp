#include "core/memory_limits.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

namespace hinesight {

namespace {

namespace fs = std::filesystem;

/// What a version of control groups calls its files.
struct GroupFiles
{
  const char* limit;
  const char* used;
  const char* unusedFiles; ///< in memory.stat, of the group and those within it
};

constexpr GroupFiles kFirstVersion{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
constexpr GroupFiles kSecondVersion{"memory.max", "memory.current", "inactive_file"};

/// The number that the file begins with; nullopt where there is none, as in "max".
std::optional<std::size_t> numberIn(const fs::path& path)
{
  std::ifstream file(path);
  std::size_t number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

std::size_t numberAfter(const std::string& key, const fs::path& path)
{
  std::ifstream file(path);
  std::string word;
  for (std::size_t number = 0; file >> word >> number;) {
    if (word == key)
      return number;
  }
  return 0;
}

std::size_t leftIn(const fs::path& group, const GroupFiles& names)
{
  const auto limit = numberIn(group / names.limit);
  const auto used = numberIn(group / names.used);
  if (!limit || !used)
    return kUnlimited;
  const std::size_t held = *used - std::min(*used, numberAfter(names.unusedFiles, group / "memory.stat"));
  return *limit - std::min(*limit, held);
}

} // namespace

std::size_t memoryLeftInGroups(const std::string& groups, const fs::path& root)
{
  std::size_t left = kUnlimited;
  std::istringstream lines(groups);
  for (std::string line; std::getline(lines, line);) { // "4:memory:/path", "0::/path"
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool isSecondVersion = controllers == ",,";
    if (!isSecondVersion && controllers.find(",memory,") == std::string::npos)
      continue;
    const GroupFiles& names = isSecondVersion ? kSecondVersion : kFirstVersion;
    const fs::path top = isSecondVersion ? root : root / "memory";
    // In a container the groups around it cannot be seen, and its own is the top one: the path may lead nowhere.
    for (fs::path path = fs::path(line.substr(second + 1)).relative_path(); !path.empty(); path = path.parent_path())
      left = std::min(left, leftIn(top / path, names));
    left = std::min(left, leftIn(top, names));
  }
  return left;
}

std::size_t addressesLeft()
{
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return kUnlimited;
  const auto pages = numberIn("/proc/self/statm");
  const std::size_t mapped = pages.value_or(0) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return limit.rlim_cur - std::min<std::size_t>(limit.rlim_cur, mapped);
}

} // namespace hinesight
