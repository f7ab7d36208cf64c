#include "core/thread_ranks.hpp"

#include "core/error.hpp"
#include "core/parallel.hpp"

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace hinesight {

namespace {

/// Where the ranks of a group wait for each other, until one of them fails.
class Meeting
{
public:
  explicit Meeting(int ranks) : everybody(ranks), spins(ranks <= hardwareThreads() ? kSpins : 0) {}

  /// Returns when all ranks have come; throws what a rank failed with.
  void arrive()
  {
    std::unique_lock lock(mutex);
    if (!failure && gone > 0)
      fail(lonely());
    if (failure)
      std::rethrow_exception(failure);
    if (++waiting == everybody) {
      waiting = 0;
      ++round;
      lock.unlock();
      wake.notify_all();
      return;
    }
    const std::uint64_t mine = round;
    lock.unlock();
    for (int spin = 0; spin < spins && round == mine; ++spin)
      std::this_thread::yield();
    lock.lock();
    wake.wait(lock, [&] { return round != mine || failure; });
    if (round == mine)
      std::rethrow_exception(failure);
  }

  /// A rank has ended, by what it has thrown or soundly.
  void leave(const std::exception_ptr& thrown)
  {
    const std::lock_guard lock(mutex);
    ++gone;
    if (thrown)
      fail(thrown);
    else if (waiting > 0)
      fail(lonely());
  }

  bool hasFailed() const
  {
    const std::lock_guard lock(mutex);
    return failure || gone > 0;
  }

  /// Null: all went well.
  std::exception_ptr thrown() const { return failure; }

private:
  static constexpr int kSpins = 200;

  static std::exception_ptr lonely()
  {
    return std::make_exception_ptr(
        Error(ErrorCode::Unexpected, "A rank ended while others waited for it; please report this as a defect."));
  }

  /// Under the mutex. The first failure counts.
  void fail(const std::exception_ptr& thrown)
  {
    if (!failure)
      failure = thrown;
    wake.notify_all();
  }

  const int everybody, spins;
  mutable std::mutex mutex;
  std::condition_variable wake;
  int waiting = 0, gone = 0; ///< ranks
  std::atomic<std::uint64_t> round{0};
  std::exception_ptr failure;
};

/// What the ranks of a group share: where each has its data during a collective call.
struct ThreadGroup
{
  enum class Call
  {
    AllGather,
    AllToAll,
    Broadcast
  };

  struct Slot
  {
    Call call = Call::AllGather;
    std::size_t size = 0; ///< what all ranks give alike
    const std::byte* bytes = nullptr;
    const std::size_t* begin = nullptr; ///< of the parts for each rank
  };

  explicit ThreadGroup(int ranks) : meeting(ranks), slots(static_cast<std::size_t>(ranks)) {}

  Meeting meeting;
  std::vector<Slot> slots;
};

class ThreadCommunicator final : public Communicator
{
public:
  ThreadCommunicator(ThreadGroup& threadGroup, int rank) : group(threadGroup), own(rank) {}

  int rank() const override { return own; }
  int size() const override { return static_cast<int>(group.slots.size()); }
  int ranksSharing() const override { return size(); }
  int rankOnMachine() const override { return own; }
  bool sharesMemory() const override { return true; }
  bool hasFailed() const override { return group.meeting.hasFailed(); }
  void barrier() override { group.meeting.arrive(); }

protected:
  void allGatherBytes(const std::byte* mine, std::byte* all, std::span<const std::size_t> begin) override
  {
    exchange({ThreadGroup::Call::AllGather, begin.back(), mine, nullptr},
             [&](std::size_t from, const ThreadGroup::Slot& slot) {
               copy(slot.bytes, all + begin[from], begin[from + 1] - begin[from]);
             });
  }

  void allToAllBytes(const std::byte* send, std::span<const std::size_t> sendBegin, std::byte* received,
                     std::span<const std::size_t> receiveBegin) override
  {
    exchange({ThreadGroup::Call::AllToAll, 0, send, sendBegin.data()}, [&](std::size_t from,
                                                                           const ThreadGroup::Slot& slot) {
      copy(slot.bytes + slot.begin[own], received + receiveBegin[from], receiveBegin[from + 1] - receiveBegin[from]);
    });
  }

  void broadcastBytes(std::byte* bytes, std::size_t count, int root) override
  {
    exchange({ThreadGroup::Call::Broadcast, count, bytes, nullptr},
             [&](std::size_t from, const ThreadGroup::Slot& slot) {
               if (from == static_cast<std::size_t>(root))
                 copy(slot.bytes, bytes, count);
             });
  }

private:
  /// Shows what this rank has, and calls take(rank, slot) for all ranks while theirs is there. Between the two meetings
  /// all ranks fail or none does: all see the same slots, and nothing else throws.
  template <typename Take>
  void exchange(const ThreadGroup::Slot& mine, Take take)
  {
    group.slots[static_cast<std::size_t>(own)] = mine;
    group.meeting.arrive();
    for (const ThreadGroup::Slot& slot : group.slots)
      if (slot.call != group.slots.front().call || slot.size != group.slots.front().size)
        throw Error(ErrorCode::Unexpected, "Ranks do different things; please report this as a defect.");
    for (std::size_t from = 0; from < group.slots.size(); ++from)
      take(from, group.slots[from]);
    group.meeting.arrive();
  }

  static void copy(const std::byte* from, std::byte* to, std::size_t count)
  {
    if (count > 0 && from != to)
      std::memcpy(to, from, count);
  }

  ThreadGroup& group;
  const int own;
};

/// The threads of the ranks after the first, which are waited for whatever happens.
class RankThreads
{
public:
  ~RankThreads()
  {
    for (std::thread& thread : threads)
      thread.join();
  }
  template <typename Work>
  void add(Work work)
  {
    threads.emplace_back(std::move(work));
  }

private:
  std::vector<std::thread> threads;
};

/// What the thread of a rank does.
void doRank(ThreadGroup& group, int rank, const std::function<void(Communicator&)>& body)
{
  std::exception_ptr thrown;
  try {
    ThreadCommunicator communicator(group, rank);
    body(communicator);
  } catch (...) {
    thrown = std::current_exception();
  }
  group.meeting.leave(thrown);
}

void requireRanks(int ranks)
{
  if (ranks < 1)
    throw Error(ErrorCode::BadParameter, "There are " + std::to_string(ranks) + " ranks; choose at least 1.");
}

/// Begins the ranks after the first. Where the system gives too few threads for them, those that have begun end.
void beginOthers(RankThreads& threads, ThreadGroup& group, const std::function<void(Communicator&)>& body)
{
  const int ranks = static_cast<int>(group.slots.size());
  try {
    for (int rank = 1; rank < ranks; ++rank)
      threads.add([&group, &body, rank] { doRank(group, rank, body); });
  } catch (const std::system_error&) {
    const Error error(ErrorCode::OutOfMemory,
                      "The system gives no threads for " + std::to_string(ranks) + " ranks; choose fewer.");
    group.meeting.leave(std::make_exception_ptr(error));
    throw error;
  }
}

} // namespace

void runRanks(int ranks, const std::function<void(Communicator&)>& body)
{
  requireRanks(ranks);
  ThreadGroup group(ranks);
  {
    RankThreads threads;
    beginOthers(threads, group, body);
    doRank(group, 0, body);
  }
  if (const std::exception_ptr thrown = group.meeting.thrown())
    std::rethrow_exception(thrown);
}

struct ThreadRanks::State
{
  State(int ranks, std::function<void(Communicator&)> ofOthers) : group(ranks), body(std::move(ofOthers))
  {
    root.emplace(group, 0);
    beginOthers(threads, group, body);
  }

  ThreadGroup group;
  const std::function<void(Communicator&)> body;
  std::optional<ThreadCommunicator> root;
  RankThreads threads; ///< go first
};

ThreadRanks::ThreadRanks(int ranks, const std::function<void(Communicator&)>& body)
{
  requireRanks(ranks);
  state = std::make_unique<State>(ranks, body);
}

ThreadRanks::~ThreadRanks()
{
  state->group.meeting.leave(nullptr);
  state->root.reset();
}

Communicator& ThreadRanks::root() const
{
  return *state->root;
}

} // namespace hinesight
