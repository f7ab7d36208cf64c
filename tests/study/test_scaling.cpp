#include "scaling/scaling.hpp"

#include "cancellation.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/rank_tasks.hpp"
#include "core/thread_ranks.hpp"
#include "io/runs/scaling_report.hpp"
#include "projection/ranks/table_ranks.hpp"
#include "synapse/ranks/rank_tasks.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

using namespace hinesight;
using namespace hinesight::scaling;

namespace {

void onRanks(int ranks, const std::function<void()>& body)
{
  runRanks(ranks, [&](Communicator& communicator) {
    std::vector<RankTask> tasks = synapse::rankTasks({});
    std::ranges::move(projection::rankTasks({}), std::back_inserter(tasks));
    leadTasks(communicator, tasks, body);
  });
}

ScalingParameters small()
{
  ScalingParameters p;
  p.ranks = {3, 2};
  p.cells = 3;
  p.side = 12;
  p.neurons = 300;
  p.stepNeurons = 200;
  p.simulatedCells = 4;
  p.repetitions = 2;
  return p;
}

const ScalingPoint& pointOf(const std::vector<ScalingPoint>& points, ScaledWork work, Growth growth, int ranks)
{
  return *std::ranges::find_if(points, [&](const ScalingPoint& point) {
    return point.work == work && point.growth == growth && point.ranks == ranks;
  });
}

} // namespace

class TestScaling : public QObject
{
  Q_OBJECT

private slots:
  void measuresEveryWorkOnOneRankAndOnSeveral()
  {
    std::size_t heard = 0;
    const std::vector<ScalingPoint> points = runScaling(small(), onRanks, [&](const ScalingPoint&) { ++heard; });
    QCOMPARE(points.size(), std::size_t{5 * 2 * 3}); // one rank besides those that are asked for
    QCOMPARE(heard, points.size());
    for (const ScalingPoint& point : points) {
      QVERIFY(point.milliseconds.median > 0);
      QVERIFY(!point.device.empty());
      QVERIFY(point.isSame);
      const ScalingPoint& one = pointOf(points, point.work, point.growth, 1);
      QCOMPARE(point.oneRank, one.milliseconds.median);
      // Rows of a table do not grow as its neurons do.
      const double grown = point.amount / one.amount;
      if (point.work != ScaledWork::Tables)
        QCOMPARE(grown, point.growth == Growth::Weak ? point.ranks : 1.0);
      QVERIFY(point.growth == Growth::Strong ? grown == 1 : point.ranks == 1 || grown > 1);
      QCOMPARE(point.speedUp(), grown * one.milliseconds.median / point.milliseconds.median);
      QCOMPARE(point.efficiency(), point.speedUp() / point.ranks);
    }
  }

  void workGrowsWithTheRanksWhereItIsWeak()
  {
    ScalingParameters p = small();
    p.ranks = {4};
    const std::vector<ScalingPoint> points = runScaling(p, onRanks);
    const auto size = [&](ScaledWork work, Growth growth, int ranks) {
      return pointOf(points, work, growth, ranks).size;
    };
    QCOMPARE(size(ScaledWork::Solve, Growth::Weak, 4), std::uint64_t{12});
    QCOMPARE(size(ScaledWork::Tables, Growth::Weak, 1), std::uint64_t{144});
    QCOMPARE(size(ScaledWork::Tables, Growth::Weak, 4), std::uint64_t{576});
    QCOMPARE(size(ScaledWork::Update, Growth::Weak, 4), std::uint64_t{1200});
    QCOMPARE(size(ScaledWork::Steps, Growth::Strong, 4), std::uint64_t{200});
    QCOMPARE(size(ScaledWork::Simulation, Growth::Weak, 4), std::uint64_t{16});
  }

  /// Hashes tell results apart: of other work they differ.
  void hashesAreOfTheResults()
  {
    ScalingParameters p = small();
    p.ranks = {1};
    p.growths = {Growth::Strong};
    std::set<std::uint64_t> hashes;
    for (const std::int64_t neurons : {200, 201}) {
      p.cells = neurons - 197;
      p.side = neurons - 190;
      p.neurons = p.stepNeurons = p.simulatedCells = neurons;
      for (const ScalingPoint& point : runScaling(p, onRanks))
        hashes.insert(point.hash);
    }
    QCOMPARE(hashes.size(), std::size_t{10});
  }

  void isWrittenWithItsFigures()
  {
    ScalingParameters p = small();
    p.works = {ScaledWork::Update};
    p.growths = {Growth::Strong};
    p.ranks = {2};
    const std::vector<ScalingPoint> points = runScaling(p, onRanks);
    std::ostringstream text;
    io::writeScalingJson(points, text);
    const auto read = nlohmann::json::parse(text.str()).at("points");
    QCOMPARE(read.size(), std::size_t{2});
    QCOMPARE(read[1].at("work").get<std::string>(), std::string("update"));
    QCOMPARE(read[1].at("ranks").get<int>(), 2);
    QCOMPARE(read[1].at("size").get<int>(), 300);
    QCOMPARE(read[1].at("efficiency").get<double>(), points[1].efficiency());
    QCOMPARE(read[1].at("sameBytes").get<std::string>(), std::string("yes"));
    QVERIFY(read[1].at("hash") == read[0].at("hash"));
  }

  void refusesWhatCannotBeMeasured()
  {
    ScalingParameters p = small();
    p.ranks = {0};
    QCOMPARE(tests::failureOf([&] { runScaling(p, onRanks); }), ErrorCode::BadParameter);
    p = small();
    p.backend = Backend::Cuda;
    if (cudaDevices().empty())
      QCOMPARE(tests::failureOf([&] { runScaling(p, onRanks); }), ErrorCode::NoDevice);
    RunControl cancelled;
    cancelled.cancel();
    QCOMPARE(tests::failureOf([&] { runScaling(small(), onRanks, {}, cancelled); }), ErrorCode::Cancelled);
  }
};

HINESIGHT_TEST(TestScaling)

#include "test_scaling.moc"
