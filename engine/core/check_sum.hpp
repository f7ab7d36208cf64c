#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace hinesight {

/// Fowler, Noll and Vo's hash 1a, over words of 8 bytes: it tells damage, and one content from another. `hash`: of what
/// came before.
inline std::uint64_t checkSum(std::string_view bytes, std::uint64_t hash = 0xcbf29ce484222325u)
{
  for (std::size_t at = 0; at < bytes.size(); at += sizeof hash) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
    hash = (hash ^ word) * 0x100000001b3u;
    hash ^= hash >> 32;
  }
  return hash;
}

} // namespace hinesight
