#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace hinesight {

// Hashes of Fowler, Noll and Vo (1991): they tell damage, and one content from another.

inline constexpr std::uint64_t kFnvStart = 0xcbf29ce484222325u;
inline constexpr std::uint64_t kFnvPrime = 0x100000001b3u;

/// FNV-1a, 64 bits. `hash`: of what came before.
inline std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash = kFnvStart)
{
  for (const char byte : bytes)
    hash = (hash ^ static_cast<unsigned char>(byte)) * kFnvPrime;
  return hash;
}

/// The same over words of 8 bytes, which is faster; another number. `hash`: of what came before.
inline std::uint64_t checkSum(std::string_view bytes, std::uint64_t hash = kFnvStart)
{
  for (std::size_t at = 0; at < bytes.size(); at += sizeof hash) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
    hash = (hash ^ word) * kFnvPrime;
    hash ^= hash >> 32;
  }
  return hash;
}

} // namespace hinesight
