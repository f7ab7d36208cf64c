#include "synapse/on_ranks.hpp"
#include "synapse/walks_fixture.hpp"

#include "synapse/ranks/tree_on_ranks.hpp"
#include "test_main.hpp"

#include <QTest>

#include <atomic>
#include <mutex>

using namespace hinesight;
using namespace hinesight::tests;

class TestEssentialWalks : public QObject
{
  Q_OBJECT

private slots:
  /// Every element finds something here or goes on at another rank, in the order of places and elements.
  void findsAreInOrder()
  {
    const std::vector<Position> positions = makeRandomPopulation(1'200, 26, 1, 3)->position;
    for (const int ranks : kRanks) {
      std::mutex mutex;
      std::size_t elements = 0, gone = 0, wrong = 0;
      onWalks(ranks, positions, 0.5, [&](const Walked& walked) {
        const auto walks = synapse::detail::makeCpuWalks(walked.placed, walked.tree, 2);
        FirstFinds finds = walks->begin(walked.query, walked.seeking, walked.sought, {});
        const std::lock_guard lock(mutex);
        auto request = finds.requests.begin();
        auto descent = finds.descents.begin();
        for (std::size_t place = 0; place < walked.placed.size(); ++place)
          for (std::uint32_t element = 0; element < walked.seeking[place]; ++element, ++elements) {
            const std::uint32_t neuron = walked.placed.neuron[place];
            if (request != finds.requests.end() && request->seeker == neuron && request->element == element) {
              wrong += request->found == neuron;
              ++request;
            } else if (descent != finds.descents.end() && descent->seeker == neuron && descent->element == element) {
              wrong += descent->owner == walked.ranks.rank() || descent->picks == 0;
              ++descent;
              ++gone;
            } else {
              ++wrong;
            }
          }
        wrong += request != finds.requests.end() || descent != finds.descents.end();
      });
      QCOMPARE(wrong, std::size_t{0});
      QCOMPARE(elements, std::size_t{1'800});
      QVERIFY(ranks == 1 ? gone == 0 : gone > 0);
    }
  }

  /// A walk does not depend on the one before it.
  void walksBeginAnew()
  {
    const std::vector<Position> positions = makeRandomPopulation(600, 26, 1, 3)->position;
    std::atomic<int> same = 0;
    onWalks(3, positions, 0.4, [&](const Walked& walked) {
      const auto walks = synapse::detail::makeCpuWalks(walked.placed, walked.tree, 1);
      const auto once = walked.finish(*walks, walks->begin(walked.query, walked.seeking, walked.sought, {}));
      const auto again = walked.finish(*walks, walks->begin(walked.query, walked.seeking, walked.sought, {}));
      same += !once.empty() && areSame(once, again);
    });
    QCOMPARE(same.load(), 3);
  }

  void treesAreThoseThatSearchesNeed()
  {
    using enum TreeOnRanks;
    for (const SearchKind kind : {SearchKind::BarnesHut, SearchKind::Inverse})
      for (const Backend backend : {Backend::Cpu, Backend::Cuda}) {
        QVERIFY(treeFor(Essential, kind, backend) == Essential);
        QVERIFY(treeFor(Whole, kind, backend) == Whole);
      }
    QVERIFY(treeFor(Essential, SearchKind::Exact, Backend::Cpu) == Essential);
    QVERIFY(treeFor(Essential, SearchKind::Exact, Backend::Cuda) == Whole);
    QVERIFY(treeFor(Essential, SearchKind::Naive, Backend::Cpu) == Whole);
    QVERIFY(treeFor(Essential, SearchKind::Naive, Backend::Cuda) == Whole);
    QCOMPARE(treesOfGpusInWords(Essential, SearchKind::Inverse), std::string(", with essential trees"));
    QCOMPARE(treesOfGpusInWords(Essential, SearchKind::Exact), std::string(", with whole trees: the search is exact"));
    QCOMPARE(treesOfGpusInWords(Whole, SearchKind::Exact), std::string());
  }
};

HINESIGHT_TEST(TestEssentialWalks)
#include "test_essential_walks.moc"
