#include "core/communicator.hpp"

#include "cancellation.hpp"
#include "core/error.hpp"
#include "core/rank_tasks.hpp"
#include "core/run_control.hpp"
#include "core/thread_ranks.hpp"
#include "test_main.hpp"

#include <QElapsedTimer>
#include <QTest>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>
#include <numeric>
#include <optional>
#include <thread>

using namespace hinesight;
using hinesight::tests::failureOf;

namespace {

constexpr int kRanks[] = {1, 2, 3, 5, 8};
constexpr qint64 kPromptly = 5000; // ms, on a machine that does much else

/// `length` items that tell who sent them to whom.
std::vector<std::uint32_t> itemsOf(int from, int to, std::size_t length)
{
  std::vector<std::uint32_t> items(length);
  for (std::size_t i = 0; i < length; ++i)
    items[i] = static_cast<std::uint32_t>(from * 1'000'000 + to * 10'000) + static_cast<std::uint32_t>(i);
  return items;
}

/// Lengths of every kind, many of them 0.
std::size_t lengthOf(int from, int to)
{
  return static_cast<std::size_t>((from * 7 + to * 3) % 4 == 0 ? 0 : (from * 31 + to * 17) % 50);
}

/// Checks of all collective calls on one rank; throws where one fails.
void require(bool holds, const char* what)
{
  if (!holds)
    throw Error(ErrorCode::VerificationFailed, what);
}

void exchangeEverything(Communicator& ranks)
{
  const int size = ranks.size(), own = ranks.rank();
  const std::vector<int> all = ranks.allGather(own * own);
  for (int r = 0; r < size; ++r)
    require(all[static_cast<std::size_t>(r)] == r * r, "one item of each");

  const std::vector<std::uint32_t> mine = itemsOf(own, 0, lengthOf(own, 0));
  const auto lists = ranks.allGather(std::span<const std::uint32_t>(mine));
  for (int r = 0; r < size; ++r)
    require(std::ranges::equal(lists.of(r), itemsOf(r, 0, lengthOf(r, 0))), "a list of each");

  std::vector<std::uint32_t> inPlace(lists.items.size());
  const auto place = static_cast<std::ptrdiff_t>(lists.begin[static_cast<std::size_t>(own)]);
  std::ranges::copy(mine, inPlace.begin() + place);
  ranks.allGather(std::span<const std::uint32_t>(inPlace).subspan(static_cast<std::size_t>(place), mine.size()),
                  std::span(inPlace), lists.begin);
  require(inPlace == lists.items, "lists in place");

  std::vector<std::uint32_t> send;
  std::vector<std::size_t> counts;
  for (int r = 0; r < size; ++r) {
    const auto part = itemsOf(own, r, lengthOf(own, r));
    send.insert(send.end(), part.begin(), part.end());
    counts.push_back(part.size());
  }
  const auto received = ranks.allToAll(std::span<const std::uint32_t>(send), std::span<const std::size_t>(counts));
  for (int r = 0; r < size; ++r)
    require(std::ranges::equal(received.of(r), itemsOf(r, own, lengthOf(r, own))), "from each to each");

  const int root = size - 1;
  const auto gathered = ranks.gatherTo(root, std::span<const std::uint32_t>(mine));
  require(gathered.items == (own == root ? lists.items : std::vector<std::uint32_t>()), "to one");
  const auto scattered = ranks.scatterFrom(
      root, own == root ? std::span<const std::uint32_t>(lists.items) : std::span<const std::uint32_t>(), lists.begin);
  require(scattered == mine, "from one");

  std::vector<double> values = own == root ? std::vector<double>{1.5, -2} : std::vector<double>();
  ranks.broadcast(values, root);
  require(values == std::vector<double>{1.5, -2}, "broadcast of a list");
  std::string text = own == root ? "a sentence" : "";
  ranks.broadcast(text, root);
  require(text == "a sentence", "broadcast of a text");
  ranks.barrier();
}

void reduceEverything(Communicator& ranks)
{
  const auto own = static_cast<std::uint64_t>(ranks.rank()), size = static_cast<std::uint64_t>(ranks.size());
  std::vector<std::uint64_t> values = {own + 1, ~std::uint64_t{0}, 40 - own};
  auto reduced = values;
  ranks.allReduce(std::span(reduced), Reduction::Sum);
  require(reduced[0] == size * (size + 1) / 2 && reduced[1] == std::uint64_t{0} - size, "sum, modulo 2^64");
  require(ranks.allReduce(40 - own, Reduction::Least) == 41 - size, "least");
  require(ranks.allReduce(std::int64_t{-3} - ranks.rank(), Reduction::Most) == -3, "most of signed numbers");
  require(ranks.allReduce(std::int64_t{-1}, Reduction::Sum) == -ranks.size(), "sum of signed numbers");

  const double tiny = std::numeric_limits<double>::denorm_min();
  require(ranks.allReduce(static_cast<double>(own) * tiny, Reduction::Most) == static_cast<double>(size - 1) * tiny,
          "most of doubles");
  for (const std::uint64_t negative : {std::uint64_t{0}, size - 1}) {
    const double zero = own == negative ? -0.0 : 0.0;
    require(std::signbit(ranks.allReduce(zero, Reduction::Least)), "-0 is below 0");
    require(std::signbit(ranks.allReduce(zero, Reduction::Most)) == (size == 1), "0 is above -0");
    const double some = own == negative && size > 1 ? std::nan("") : 2.5;
    require(ranks.allReduce(some, Reduction::Least) == 2.5, "what is no number is left out");
  }
}

} // namespace

class TestCommunicator : public QObject
{
  Q_OBJECT

private slots:
  void everythingIsExchanged()
  {
    for (const int ranks : kRanks)
      for (int again = 0; again < 20; ++again)
        runRanks(ranks, exchangeEverything);
    SelfCommunicator self;
    exchangeEverything(self);
  }

  void numbersAreReducedExactly()
  {
    for (const int ranks : kRanks)
      runRanks(ranks, reduceEverything);
    SelfCommunicator self;
    reduceEverything(self);
  }

  void nothingIsExchanged()
  {
    for (const int ranks : kRanks)
      runRanks(ranks, [](Communicator& c) {
        require(c.allGather(std::span<const double>()).items.empty(), "no list");
        const std::vector<std::size_t> none(static_cast<std::size_t>(c.size()), 0);
        require(c.allToAll(std::span<const double>(), std::span<const std::size_t>(none)).items.empty(), "nothing");
        std::vector<std::uint64_t> empty;
        c.allReduce(std::span(empty), Reduction::Sum);
        c.broadcast(empty, 0);
        require(empty.empty(), "no number");
      });
  }

  void largeListsArrive()
  {
    runRanks(3, [](Communicator& c) {
      std::vector<std::uint64_t> mine(300'000 * static_cast<std::size_t>(c.rank() + 1));
      std::iota(mine.begin(), mine.end(), static_cast<std::uint64_t>(c.rank()) << 40);
      const auto all = c.allGather(std::span<const std::uint64_t>(mine));
      for (int r = 0; r < 3; ++r)
        require(all.of(r).size() == 300'000 * static_cast<std::size_t>(r + 1) &&
                    all.of(r).back() == (static_cast<std::uint64_t>(r) << 40) + all.of(r).size() - 1,
                "large list");
    });
  }

  void ranksAreNumbered()
  {
    for (const int ranks : kRanks) {
      std::atomic<int> sum = 0;
      runRanks(ranks, [&](Communicator& c) {
        require(c.size() == ranks && c.ranksSharing() == ranks && c.isRoot() == (c.rank() == 0), "size");
        sum += c.rank();
      });
      QCOMPARE(sum.load(), ranks * (ranks - 1) / 2);
    }
    QCOMPARE(failureOf([] { runRanks(0, [](Communicator&) {}); }), ErrorCode::BadParameter);
  }

  /// Whichever rank fails, and whatever the others do meanwhile, all end with its error.
  void aFailingRankEndsAll()
  {
    for (const int ranks : {2, 3, 8})
      for (int failing = 0; failing < ranks; ++failing) {
        QElapsedTimer timer;
        timer.start();
        std::atomic<int> ended = 0;
        const auto failure = failureOf([&] {
          runRanks(ranks, [&](Communicator& c) {
            try {
              for (int step = 0;; ++step) {
                if (c.rank() == failing && step == 10)
                  throw Error(ErrorCode::BadFormat, "A bad file.");
                c.allGather(step);
              }
            } catch (const Error& error) {
              require(error.message() == "A bad file.", "the error of the rank that failed");
              ++ended;
              throw;
            }
          });
        });
        QCOMPARE(failure, ErrorCode::BadFormat);
        QCOMPARE(ended.load(), ranks);
        QVERIFY(timer.elapsed() < kPromptly);
      }
  }

  void cancellationEndsAll()
  {
    QElapsedTimer timer;
    timer.start();
    const RunControl control;
    std::thread user([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      control.cancel();
    });
    const auto failure = failureOf([&] {
      runRanks(3, [&](Communicator& c) {
        while (true) {
          if (c.rank() == 1) // the others only wait for it
            control.checkpoint();
          c.barrier();
        }
      });
    });
    user.join();
    QCOMPARE(failure, ErrorCode::Cancelled);
    QVERIFY(timer.elapsed() < kPromptly);
  }

  void aRankThatEndsEarlyLeavesNobodyWaiting()
  {
    for (int early = 0; early < 3; ++early)
      QCOMPARE(failureOf([&] {
                 runRanks(3, [&](Communicator& c) {
                   if (c.rank() != early)
                     c.barrier();
                 });
               }),
               ErrorCode::Unexpected);
  }

  void differentCallsAreRefused()
  {
    QCOMPARE(failureOf([] {
               runRanks(3, [](Communicator& c) {
                 double value = 0;
                 if (c.isRoot())
                   c.broadcast(value, 0);
                 else
                   c.allGather(value);
               });
             }),
             ErrorCode::Unexpected);
  }

  /// The ranks fail together and can go on together.
  void ranksFailTogether()
  {
    for (const int ranks : kRanks)
      for (int first = 0; first < ranks; ++first)
        runRanks(ranks, [&](Communicator& c) {
          const auto attempt = [&](auto body) { return failureOf([&] { together(c, body); }); };
          require(attempt([] {}) == std::nullopt, "nobody fails");
          const auto failing = attempt([&] {
            if (c.rank() >= first)
              throw Error(c.rank() == first ? ErrorCode::NoDevice : ErrorCode::BadFormat, "No.", "file", 3);
          });
          require(failing == ErrorCode::NoDevice, "the error of the first rank that fails");
          const auto memory = attempt([&] {
            if (c.rank() == first)
              throw std::bad_alloc();
          });
          require(memory == ErrorCode::OutOfMemory, "memory");
          exchangeEverything(c);
        });
  }

  /// Rank 0 does the work, the others what they are called for.
  void ranksJoinTasks()
  {
    std::atomic<int> joined = 0;
    const std::vector<RankTask> tasks = {
        {"add", [&](Communicator& c) { joined += static_cast<int>(c.allReduce(std::int64_t{1}, Reduction::Sum)); }},
        {"fail", [](Communicator& c) { together(c, [] { throw Error(ErrorCode::BadFormat, "No."); }); }}};
    runRanks(3, [&](Communicator& c) {
      leadTasks(c, tasks, [&] {
        require(currentRanks() == &c, "the ranks of this thread");
        beginTask(c, "add");
        require(c.allReduce(std::int64_t{1}, Reduction::Sum) == 3, "all have joined");
        beginTask(c, "fail");
        require(failureOf([&] { together(c, [] {}); }) == ErrorCode::BadFormat, "all have failed");
        beginTask(c, "add");
        c.allReduce(std::int64_t{1}, Reduction::Sum);
      });
      require(currentRanks() == nullptr, "no ranks any more");
    });
    QCOMPARE(joined.load(), 2 * 2 * 3);
    QCOMPARE(failureOf([&] {
               runRanks(3, [&](Communicator& c) {
                 leadTasks(c, tasks, [] { throw Error(ErrorCode::BadParameter, "Wrong."); });
               });
             }),
             ErrorCode::BadParameter);
    QCOMPARE(failureOf([&] { runRanks(2, [&](Communicator& c) { leadTasks(c, tasks, [&] { beginTask(c, "?"); }); }); }),
             ErrorCode::Unexpected);
  }

  /// What rank 0 leaves a task by ends all, whatever it does on its way out or goes on with.
  void aTaskThatRankZeroLeavesEndsAll()
  {
    const std::vector<RankTask> tasks = {{"wait", [](Communicator& c) { c.barrier(); }},
                                         {"drop", [](Communicator&) {}}};
    struct Dropped
    {
      ~Dropped()
      {
        failure = failureOf([this] { const TaskScope task(ranks, "drop"); });
      }
      Communicator& ranks;
      std::optional<ErrorCode>& failure;
    };
    for (const bool goesOn : {false, true}) {
      std::optional<ErrorCode> failureOfDrop, left;
      QElapsedTimer timer;
      timer.start();
      const auto failure = failureOf([&] {
        runRanks(3, [&](Communicator& c) {
          leadTasks(c, tasks, [&] {
            left = failureOf([&] {
              const Dropped dropped{c, failureOfDrop};
              const TaskScope task(c, "wait");
              throw Error(ErrorCode::BadFormat, "A bad file.");
            });
            if (!goesOn)
              throw Error(*left, "A bad file.");
          });
        });
      });
      QCOMPARE(left, ErrorCode::BadFormat);
      QCOMPARE(failureOfDrop, ErrorCode::Unexpected);
      QCOMPARE(failure, goesOn ? ErrorCode::Unexpected : ErrorCode::BadFormat);
      QVERIFY(timer.elapsed() < kPromptly);
    }
  }

  /// A task within one that all ranks fail in, such as a destructor begins, is joined, and so is the next.
  void ranksGoOnAfterTasksThatAllFailIn()
  {
    std::atomic<int> joined = 0;
    const std::vector<RankTask> tasks = {
        {"fail", [](Communicator& c) { together(c, [] { throw Error(ErrorCode::BadFormat, "No."); }); }},
        {"drop", [&](Communicator&) { ++joined; }}};
    struct Dropped
    {
      ~Dropped() { const TaskScope task(ranks, "drop"); }
      Communicator& ranks;
    };
    runRanks(3, [&](Communicator& c) {
      leadTasks(c, tasks, [&] {
        for (int again = 0; again < 2; ++again)
          require(failureOf([&] {
                    const TaskScope task(c, "fail");
                    const Dropped dropped{c};
                    together(c, [] {});
                  }) == ErrorCode::BadFormat,
                  "all have failed");
        const TaskScope task(c, "drop");
      });
    });
    QCOMPARE(joined.load(), 2 * 3);
  }

  void wrongCallsAreRefused()
  {
    SelfCommunicator self;
    double value = 1;
    QVERIFY_EXCEPTION_THROWN(self.allReduce(value, Reduction::Sum), std::invalid_argument);
    const std::vector<int> items(3);
    const std::vector<std::size_t> two = {2};
    QVERIFY_EXCEPTION_THROWN(self.allToAll(std::span<const int>(items), std::span<const std::size_t>(two)),
                             std::invalid_argument);
  }

  void threadsAreDivided()
  {
    runRanks(3, [](Communicator& c) {
      require(threadsOfRank(c, 7) == 2 && threadsOfRank(c, 1) == 1 && threadsOfRank(c, 0) >= 1, "threads");
    });
    SelfCommunicator self;
    QCOMPARE(threadsOfRank(self, 7), 7);
  }
};

HINESIGHT_TEST(TestCommunicator)
#include "test_communicator.moc"
