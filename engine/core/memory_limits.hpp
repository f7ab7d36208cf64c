#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace hinesight {

/// No limit.
inline constexpr std::size_t kUnlimited = static_cast<std::size_t>(-1);

/// Bytes for which nobody looks how many are free: that takes longer than to take them.
inline constexpr std::size_t kLittle = std::size_t{1} << 20;

/// Bytes that control groups leave to their processes: the least of the group and all groups around it. What a group
/// keeps of files that nobody used lately counts as free. kUnlimited where no group has a limit that can be read.
/// `groups` is the text of /proc/self/cgroup, `root` the folder of the groups; of both versions (Linux kernel,
/// admin-guide/cgroup-v2 and cgroup-v1/memory).
std::size_t memoryLeftInGroups(const std::string& groups, const std::filesystem::path& root);

/// Bytes of addresses that this process may still map (RLIMIT_AS). kUnlimited without such a limit.
std::size_t addressesLeft();

} // namespace hinesight
