#pragma once

#include "core/error.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hinesight {

class Communicator;
template <typename Body>
void together(Communicator& ranks, Body&& body);

/// How an all-reduce makes one number of those of all ranks.
enum class Reduction
{
  Sum, ///< of whole numbers, modulo 2^64
  Least,
  Most
};

/// Lists of all ranks, one behind the other in the order of ranks.
template <typename T>
struct RankLists
{
  std::vector<T> items;
  std::vector<std::size_t> begin; ///< size ranks + 1: rank r's are [begin[r], begin[r + 1])

  std::span<const T> of(int rank) const
  {
    const auto r = static_cast<std::size_t>(rank);
    return std::span(items).subspan(begin[r], begin[r + 1] - begin[r]);
  }
};

/// The ranks that do one piece of work together, and how they exchange what they know. Every rank has its own
/// communicator object, used by one thread at a time.
///
/// The functions that are const say something of the ranks; all others are collective: every rank calls the same
/// ones in the same order, and none returns before its own part is done. Items are copied as bytes, so that all ranks
/// must be of one program. Where a rank of the group has failed, they throw its error, or what the library below does;
/// the communicator is of no use then. Memory is that of the host.
class Communicator
{
public:
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  virtual int rank() const = 0; ///< from 0 to size() - 1
  virtual int size() const = 0; ///< at least 1
  bool isRoot() const { return rank() == 0; }
  /// Ranks that share the processors that this one may use, itself included.
  virtual int ranksSharing() const { return 1; }
  /// This rank among those of its machine, from 0: which of the machine's GPUs it has.
  virtual int rankOnMachine() const { return 0; }
  /// Whether what one rank points to is there for all: they are threads of one process.
  virtual bool sharesMemory() const { return false; }
  /// Whether another rank has failed, so that the next collective call throws; where an implementation can tell.
  virtual bool hasFailed() const { return false; }

  virtual void barrier() = 0;

  /// Whether any rank has failed; `hasThis`: this one has. Nothing: it has, and waited long in vain for the others,
  /// which work on; the communicator is of no use then.
  virtual std::optional<bool> hasAnyFailed(bool hasThis);

  /// One item of every rank, by rank.
  template <typename T>
  std::vector<T> allGather(const T& mine)
  {
    std::vector<T> all(ranks());
    std::vector<std::size_t> begin(ranks() + 1);
    std::iota(begin.begin(), begin.end(), std::size_t{0});
    gather(std::span(&mine, 1), std::span(all), begin);
    return all;
  }

  /// A list of every rank, each of any length.
  template <typename T>
  RankLists<T> allGather(std::span<const T> mine)
  {
    RankLists<T> lists;
    lists.begin = beginsOf(allGather(mine.size()));
    resizeAlike(lists.items, lists.begin.back());
    gather(mine, std::span(lists.items), lists.begin);
    return lists;
  }

  /// The same where everybody knows the lengths: `begin` as in RankLists, room for all in `all`. `mine` may be this
  /// rank's own place in it.
  template <typename T>
  void allGather(std::span<const T> mine, std::span<T> all, std::span<const std::size_t> begin)
  {
    if (begin.size() != ranks() + 1 || all.size() != begin.back() ||
        mine.size() != begin[ownRank() + 1] - begin[ownRank()])
      throw std::invalid_argument("allGather: lists of other lengths than was said");
    gather(mine, all, begin);
  }

  /// Sends counts[r] items to each rank r: items are those for rank 0, then for rank 1, and so on. Returns what every
  /// rank sent to this one.
  template <typename T>
  RankLists<T> allToAll(std::span<const T> items, std::span<const std::size_t> counts)
  {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::vector<std::size_t> sendBegin = beginsOf(counts);
    if (counts.size() != ranks() || items.size() != sendBegin.back())
      throw std::invalid_argument("allToAll: other items than was said");
    RankLists<T> received;
    received.begin = beginsOf(countsForMe(counts));
    together(*this, [&] { received.items.resize(received.begin.back()); });
    allToAllBytes(std::as_bytes(items).data(), scaled(sendBegin, sizeof(T)), bytesOf(std::span(received.items)),
                  scaled(received.begin, sizeof(T)));
    return received;
  }

  /// The lists of all ranks on `root`, nothing on the others.
  template <typename T>
  RankLists<T> gatherTo(int root, std::span<const T> mine)
  {
    std::vector<std::size_t> counts(ranks(), 0);
    counts[static_cast<std::size_t>(root)] = mine.size();
    return allToAll(mine, std::span<const std::size_t>(counts));
  }

  /// The same where everybody knows the lengths: `begin` as in RankLists. On `root` the lists go to `all`, where its
  /// own may be already; the others give no room.
  template <typename T>
  void gatherInto(int root, std::span<const T> mine, std::span<T> all, std::span<const std::size_t> begin)
  {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::vector<std::size_t> none(ranks() + 1, 0);
    std::vector<std::size_t> toRoot = none;
    for (auto r = static_cast<std::size_t>(root) + 1; r <= ranks(); ++r)
      toRoot[r] = mine.size() * sizeof(T);
    allToAllBytes(std::as_bytes(mine).data(), toRoot, bytesOf(all), rank() == root ? scaled(begin, sizeof(T)) : none);
  }

  /// Gives each rank its part of a list of `root`: rank r gets [begin[r], begin[r + 1]). Others give no items and any
  /// `begin`.
  template <typename T>
  std::vector<T> scatterFrom(int root, std::span<const T> items, std::span<const std::size_t> begin)
  {
    std::vector<std::size_t> counts(ranks(), 0);
    if (rank() == root)
      for (std::size_t r = 0; r < ranks(); ++r)
        counts[r] = begin[r + 1] - begin[r];
    return allToAll(rank() == root ? items : std::span<const T>(), std::span<const std::size_t>(counts)).items;
  }

  /// Number by number over all ranks; all get the same. Of doubles the least or most, exactly: 0 is above -0, and what
  /// is no number is left out.
  template <typename T>
  void allReduce(std::span<T> values, Reduction reduction)
  {
    reduce(values, reduction);
  }
  template <typename T>
  T allReduce(T value, Reduction reduction)
  {
    reduce(std::span<T>(&value, 1), reduction);
    return value;
  }

  /// Everybody gets what `root` has; lists are of one length.
  template <typename T>
  void broadcast(std::span<T> items, int root)
  {
    static_assert(std::is_trivially_copyable_v<T>);
    broadcastBytes(bytesOf(items), items.size_bytes(), root);
  }
  template <typename T>
  void broadcast(T& item, int root) requires std::is_trivially_copyable_v<T>
  {
    broadcastBytes(bytesOf(std::span<T>(&item, 1)), sizeof(T), root);
  }
  /// The same of a list that only `root` has the length of.
  template <typename T>
  void broadcast(std::vector<T>& items, int root)
  {
    std::uint64_t count = items.size();
    broadcast(count, root);
    resizeAlike(items, count);
    broadcast(std::span<T>(items), root);
  }
  /// The list of `root`, which keeps its own: to the others.
  template <typename T>
  std::vector<T> broadcastFrom(int root, std::span<const T> items)
  {
    std::uint64_t count = items.size();
    broadcast(count, root);
    std::vector<T> received;
    resizeAlike(received, count, rank() != root);
    // What the root has is only read.
    broadcastBytes(rank() == root ? const_cast<std::byte*>(std::as_bytes(items).data()) : bytesOf(std::span(received)),
                   count * sizeof(T), root);
    return received;
  }
  void broadcast(std::string& text, int root)
  {
    std::uint64_t count = text.size();
    broadcast(count, root);
    text.resize(count);
    broadcast(std::span<char>(text), root);
  }

  /// What another library keeps of the ranks, such as a communicator of its own; it goes before they do.
  struct Companion
  {
    virtual ~Companion() = default;
  };
  std::unique_ptr<Companion> companion;

  /// Of rank 0: where it is in the tasks of core/rank_tasks.hpp.
  struct Tasks
  {
    int open = 0;               ///< that have begun and not ended
    bool haveAllFailed = false; ///< what is thrown is thrown on all ranks
    bool areOthersLost = false; ///< they wait in a task that rank 0 has left
    std::exception_ptr lostBy;  ///< null: not known
  };
  Tasks tasks;

protected:
  // What an implementation does, in bytes. Places are as RankLists::begin.

  /// `mine` goes to the place of this rank, and may be there already.
  virtual void allGatherBytes(const std::byte* mine, std::byte* all, std::span<const std::size_t> begin) = 0;
  virtual void allToAllBytes(const std::byte* send, std::span<const std::size_t> sendBegin, std::byte* received,
                             std::span<const std::size_t> receiveBegin) = 0;
  /// On the root the bytes are only read.
  virtual void broadcastBytes(std::byte* bytes, std::size_t count, int root) = 0;
  // By default all ranks' numbers are gathered, and everybody reduces them in the order of ranks.
  virtual void reduce(std::span<std::uint64_t> values, Reduction reduction);
  virtual void reduce(std::span<std::int64_t> values, Reduction reduction);
  virtual void reduce(std::span<double> values, Reduction reduction);

private:
  std::size_t ranks() const { return static_cast<std::size_t>(size()); }
  std::size_t ownRank() const { return static_cast<std::size_t>(rank()); }

  /// Makes room for a list that is as long on every rank, or fails on all of them where it is large. `isHere`: this
  /// rank needs it.
  template <typename T>
  void resizeAlike(std::vector<T>& items, std::uint64_t count, bool isHere = true)
  {
    constexpr std::uint64_t kLarge = std::uint64_t{1} << 20; // bytes
    const auto resize = [&] { items.resize(isHere ? count : items.size()); };
    if (count < kLarge / sizeof(T))
      resize();
    else
      together(*this, resize);
  }

  template <typename T>
  static std::byte* bytesOf(std::span<T> items)
  {
    return std::as_writable_bytes(items).data();
  }
  static std::vector<std::size_t> scaled(std::span<const std::size_t> begin, std::size_t factor)
  {
    std::vector<std::size_t> bytes(begin.begin(), begin.end());
    for (std::size_t& place : bytes)
      place *= factor;
    return bytes;
  }
  static std::vector<std::size_t> beginsOf(std::span<const std::size_t> counts)
  {
    std::vector<std::size_t> begin(counts.size() + 1, 0);
    std::partial_sum(counts.begin(), counts.end(), begin.begin() + 1);
    return begin;
  }
  template <typename T>
  void gather(std::span<const T> mine, std::span<T> all, std::span<const std::size_t> begin)
  {
    static_assert(std::is_trivially_copyable_v<T>);
    allGatherBytes(std::as_bytes(mine).data(), bytesOf(all), scaled(begin, sizeof(T)));
  }
  template <typename T>
  void reduceGathered(std::span<T> values, Reduction reduction);
  /// How many items each rank sends to this one.
  std::vector<std::size_t> countsForMe(std::span<const std::size_t> counts);
};

/// The only rank there is.
class SelfCommunicator final : public Communicator
{
public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void barrier() override {}

protected:
  void allGatherBytes(const std::byte* mine, std::byte* all, std::span<const std::size_t> begin) override;
  void allToAllBytes(const std::byte* send, std::span<const std::size_t> sendBegin, std::byte* received,
                     std::span<const std::size_t> receiveBegin) override;
  void broadcastBytes(std::byte*, std::size_t, int) override {}
};

/// What all ranks have failed with together: they can go on together.
class FailedTogether : public Error
{
public:
  using Error::Error;
};

/// Throws what every rank throws at this place, as each knows without telling the others.
[[noreturn]] void failTogether(Communicator& ranks, const Error& error);

/// Throws FailedTogether on every rank where any rank has thrown something, `mine` on this one (null: nothing): the
/// error of the first rank that has, the same everywhere. Where others work on for long, this rank throws `mine` alone.
/// Collective.
void throwTogether(Communicator& ranks, const std::exception_ptr& mine);

/// Does this rank's part of something that every rank does, then throws as throwTogether: the ranks go on together or
/// fail together, and the communicator stays of use. `body` is not collective.
template <typename Body>
void together(Communicator& ranks, Body&& body)
{
  std::exception_ptr thrown;
  try {
    std::forward<Body>(body)();
  } catch (...) {
    thrown = std::current_exception();
  }
  throwTogether(ranks, thrown);
}

/// Threads that this rank may use of so many that are asked for (0: all of the machine): ranks that share processors
/// divide them, and each has at least one.
int threadsOfRank(const Communicator& ranks, int threads);

} // namespace hinesight
