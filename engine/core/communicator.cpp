#include "core/communicator.hpp"

#include "core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

namespace hinesight {

namespace {

void copyBytes(const std::byte* from, std::byte* to, std::size_t count)
{
  if (count > 0 && from != to)
    std::memcpy(to, from, count);
}

template <typename T>
T reduced(T a, T b, Reduction reduction)
{
  switch (reduction) {
  case Reduction::Sum:
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  case Reduction::Least:
    return std::min(a, b);
  case Reduction::Most:
    return std::max(a, b);
  }
  return a;
}

/// The order of ranks must not show, not even in the sign of a zero.
double reduced(double a, double b, Reduction reduction)
{
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  if (a == b)
    return std::signbit(a) == (reduction == Reduction::Least) ? a : b;
  return (b < a) == (reduction == Reduction::Least) ? b : a;
}

} // namespace

template <typename T>
void Communicator::reduceGathered(std::span<T> values, Reduction reduction)
{
  const std::vector<T> mine(values.begin(), values.end());
  std::vector<std::size_t> begin(ranks() + 1);
  for (std::size_t r = 0; r <= ranks(); ++r)
    begin[r] = r * values.size();
  std::vector<T> all(begin.back());
  gather(std::span<const T>(mine), std::span(all), begin);
  std::copy_n(all.begin(), values.size(), values.begin());
  for (std::size_t r = 1; r < ranks(); ++r)
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = reduced(values[i], all[begin[r] + i], reduction);
}

void Communicator::reduce(std::span<std::uint64_t> values, Reduction reduction)
{
  reduceGathered(values, reduction);
}

void Communicator::reduce(std::span<std::int64_t> values, Reduction reduction)
{
  reduceGathered(values, reduction);
}

void Communicator::reduce(std::span<double> values, Reduction reduction)
{
  if (reduction == Reduction::Sum)
    throw std::invalid_argument("allReduce: a sum of doubles depends on its order");
  reduceGathered(values, reduction);
}

std::optional<bool> Communicator::hasAnyFailed(bool hasThis)
{
  return allReduce(std::uint64_t{hasThis}, Reduction::Most) != 0;
}

std::vector<std::size_t> Communicator::countsForMe(std::span<const std::size_t> counts)
{
  std::vector<std::size_t> begin(ranks() + 1), forMe(ranks());
  std::iota(begin.begin(), begin.end(), std::size_t{0});
  allToAllBytes(std::as_bytes(counts).data(), scaled(begin, sizeof(std::size_t)), bytesOf(std::span(forMe)),
                scaled(begin, sizeof(std::size_t)));
  return forMe;
}

void SelfCommunicator::allGatherBytes(const std::byte* mine, std::byte* all, std::span<const std::size_t> begin)
{
  copyBytes(mine, all, begin[1]);
}

void SelfCommunicator::allToAllBytes(const std::byte* send, std::span<const std::size_t> sendBegin, std::byte* received,
                                     std::span<const std::size_t>)
{
  copyBytes(send, received, sendBegin[1]);
}

namespace {

constexpr std::int64_t kSound = -1;

/// What of an exception can be told to other ranks.
struct Told
{
  std::int64_t code = kSound; ///< ErrorCode
  std::int64_t line = 0;
  std::string message, file;
};

Told toldOf(const std::exception_ptr& thrown)
{
  if (!thrown)
    return {};
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    return {static_cast<std::int64_t>(error.code()), error.line(), error.message(), error.file()};
  } catch (const std::bad_alloc&) {
    return {static_cast<std::int64_t>(ErrorCode::OutOfMemory),
            0,
            "A rank has not enough memory; use more machines, or choose fewer neurons or synapses.",
            {}};
  } catch (const std::exception& error) {
    return {static_cast<std::int64_t>(ErrorCode::Unexpected), 0, std::string("A rank failed: ") + error.what(), {}};
  } catch (...) {
    return {static_cast<std::int64_t>(ErrorCode::Unexpected), 0, "A rank failed.", {}};
  }
}

} // namespace

void failTogether(Communicator& ranks, const Error& error)
{
  FailedTogether failure(error.code(), error.message(), error.file(), error.line());
  ranks.tasks.haveAllFailed = true;
  throw failure;
}

void throwTogether(Communicator& ranks, const std::exception_ptr& mine)
{
  ranks.tasks.haveAllFailed = false;
  const std::optional<bool> hasAnyFailed = ranks.hasAnyFailed(mine != nullptr);
  if (!hasAnyFailed) {
    ranks.tasks.lostBy = mine;
    std::rethrow_exception(mine);
  }
  if (!*hasAnyFailed)
    return;
  Told told = toldOf(mine);
  const std::vector<std::int64_t> codes = ranks.allGather(told.code);
  const auto failed = std::ranges::find_if(codes, [](std::int64_t code) { return code != kSound; });
  const auto first = static_cast<int>(failed - codes.begin());
  ranks.broadcast(told.line, first);
  ranks.broadcast(told.message, first);
  ranks.broadcast(told.file, first);
  failTogether(ranks, Error(static_cast<ErrorCode>(*failed), told.message, told.file, told.line));
}

int threadsOfRank(const Communicator& ranks, int threads)
{
  const int wanted = threads > 0 ? threads : hardwareThreads();
  return std::max(1, wanted / ranks.ranksSharing());
}

} // namespace hinesight
