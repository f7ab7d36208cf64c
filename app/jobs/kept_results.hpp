#pragma once

#include "core/device.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <utility>

namespace hinesight::app {

/// Results by what was asked for, so that what a person comes back to is not computed again. Holds the newest ones, so
/// many and at most `mostBytes` of them.
template <typename Request, typename Result, typename Same = std::equal_to<>>
class KeptResults
{
public:
  explicit KeptResults(std::size_t mostResults = 16) : most(mostResults) {}

  /// An eighth of the memory that is available.
  static std::uint64_t mostBytes() { return availableMemoryBytes() / 8; }
  /// In place of what was kept of the same request. `bytes`: what it holds in memory.
  void keep(const Request& request, const Result& result, std::uint64_t bytes)
  {
    std::erase_if(all, [&](const Kept& kept) { return Same()(kept.request, request); });
    all.push_front({request, result, bytes});
    const std::uint64_t bytesAtMost = mostBytes();
    std::uint64_t held = 0;
    const auto isBeyond = [&](const Kept& kept) { return (held += kept.bytes) > bytesAtMost; };
    all.erase(std::ranges::find_if(all, isBeyond), all.end());
    if (all.size() > most)
      all.resize(most);
  }

  /// Null where it is not kept, or not any more.
  const Result* find(const Request& request) const
  {
    const auto found = std::ranges::find_if(all, [&](const Kept& kept) { return Same()(kept.request, request); });
    return found == all.end() ? nullptr : &found->result;
  }

private:
  struct Kept
  {
    Request request;
    Result result;
    std::uint64_t bytes;
  };
  std::size_t most;
  std::list<Kept> all; ///< the newest first
};

} // namespace hinesight::app
