#pragma once

#include "core/device.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <utility>

namespace hinesight::app {

/// Results by what was asked for, so that what a person comes back to is not computed again. Holds the newest ones,
/// and at most `mostBytes` of them.
template <typename Request, typename Result, typename Same = std::equal_to<>>
class KeptResults
{
public:
  /// An eighth of the memory that is available.
  static std::uint64_t mostBytes() { return availableMemoryBytes() / 8; }
  /// In place of what was kept of the same request. `bytes`: what it holds in memory.
  void keep(const Request& request, const Result& result, std::uint64_t bytes)
  {
    std::erase_if(all, [&](const Kept& kept) { return Same()(kept.request, request); });
    all.push_front({request, result, bytes});
    const std::uint64_t most = mostBytes();
    std::uint64_t held = 0;
    const auto isBeyond = [&](const Kept& kept) { return (held += kept.bytes) > most; };
    all.erase(std::ranges::find_if(all, isBeyond), all.end());
    if (all.size() > kMost)
      all.resize(kMost);
  }

  /// Null where it is not kept, or not any more.
  const Result* find(const Request& request) const
  {
    const auto found = std::ranges::find_if(all, [&](const Kept& kept) { return Same()(kept.request, request); });
    return found == all.end() ? nullptr : &found->result;
  }

private:
  static constexpr std::size_t kMost = 64;

  struct Kept
  {
    Request request;
    Result result;
    std::uint64_t bytes;
  };
  std::list<Kept> all; ///< the newest first
};

} // namespace hinesight::app
