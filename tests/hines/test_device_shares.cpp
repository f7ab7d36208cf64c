#include "hines/shares.hpp"

#include "cancellation.hpp"
#include "core/philox.hpp"
#include "core/shares.hpp"
#include "hines/solvers.hpp"
#include "hines/trees.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::hines;

namespace {

using Batch = std::shared_ptr<const HinesBatch>;

/// So many cells of a shape, one after another.
struct Run
{
  trees::Parents shape;
  std::size_t cells;
};

/// A batch without values: shares do not follow from these.
Batch batchOf(const std::vector<Run>& runs)
{
  auto batch = std::make_shared<HinesBatch>();
  batch->offset = {0};
  for (const Run& run : runs) {
    auto shape = std::make_shared<HinesSystem>();
    shape->parent = run.shape;
    shape->d.resize(run.shape.size());
    for (std::size_t cell = 0; cell < run.cells; ++cell) {
      batch->shapeOf.push_back(static_cast<std::uint32_t>(batch->shapes.size()));
      batch->offset.push_back(batch->offset.back() + run.shape.size());
    }
    batch->shapes.push_back(std::move(shape));
  }
  return batch;
}

const trees::Parents kHuge = trees::comb(40'000);        // 140,000 compartments, deep
const trees::Parents kDeep = trees::comb(4'000);         // 14,000, deep
const trees::Parents kSmall = trees::binaryTree(7, 11);  // 1,397
const trees::Parents kBushy = trees::binaryTree(10, 14); // 14,322

Batch hugeCells()
{
  static const Batch batch = batchOf({{kHuge, 8}, {kSmall, 8'000}});
  return batch;
}

Batch deepCells()
{
  static const Batch batch = batchOf({{kDeep, 400}, {kBushy, 400}});
  return batch;
}

SolveParameters onH200(SolverId solver)
{
  SolveParameters parameters;
  parameters.solver = solver;
  parameters.backend = Backend::Cuda;
  parameters.gpu = Gpu::H200;
  return parameters;
}

std::vector<CellRange> byCompartments(const Batch& batch, std::size_t shares)
{
  const std::vector<std::size_t> cuts =
      cutIntoShares(batch->offset, shares, [](std::size_t, std::size_t) { return 0.0; });
  std::vector<CellRange> ranges;
  for (std::size_t k = 0; k < shares; ++k)
    ranges.push_back({cuts[k], cuts[k + 1]});
  return ranges;
}

double longestOf(ShareTimes& times, const std::vector<CellRange>& shares)
{
  double longest = 0;
  for (const CellRange share : shares)
    longest = std::max(longest, times.of(share));
  return longest;
}

bool areSharesOf(const std::vector<CellRange>& shares, const Batch& batch)
{
  std::size_t next = 0;
  for (const CellRange share : shares) {
    if (share.begin != next || share.end <= share.begin)
      return false;
    next = share.end;
  }
  return next == batch->cells();
}

void addPredictedSolvers()
{
  QTest::addColumn<SolverId>("solver");
  for (const SolverId solver : {kResident, kFine, kCoarse, kEdd})
    QTest::newRow(std::string(solverName(solver)).c_str()) << solver;
}

} // namespace

class TestDeviceShares : public QObject
{
  Q_OBJECT

private slots:
  /// Solvers that nobody modelled.
  void othersAreSharedByCompartments()
  {
    SolveParameters minTrsv = onH200(kEdd);
    minTrsv.of<EddParameters>().method = EddMethod::MinTrsv;
    const Batch batch = batchOf({{trees::chain(3), 50}, {kSmall, 40}, {kDeep, 3}, {trees::chain(40), 70}});
    for (const SolveParameters& parameters : {onH200(kSerial), onH200(kGtsvStrided), minTrsv}) {
      QVERIFY(!ShareTimes(*batch, parameters, 2).arePredicted());
      for (const std::size_t shares : {1, 2, 3, 8}) {
        const std::vector<CellRange> ranges = shareCells(*batch, parameters, shares);
        QCOMPARE(ranges.size(), shares);
        QVERIFY(areSharesOf(ranges, batch));
        for (const CellRange share : ranges)
          QVERIFY(batch->offset[share.end] - batch->offset[share.begin] <=
                  batch->compartments() / shares + kDeep.size() / 2 + 1);
      }
    }
    // One large cell, and small ones behind it; more devices than cells.
    const Batch uneven = batchOf({{trees::chain(1'000), 1}, {trees::chain(2), 2}});
    QCOMPARE(shareCells(*uneven, onH200(kSerial), 2), (std::vector<CellRange>{{0, 1}, {1, 3}}));
    QCOMPARE(shareCells(*uneven, onH200(kSerial), 8), (std::vector<CellRange>{{0, 1}, {1, 2}, {2, 3}}));
  }

  void equalCellsAreSharedByNumber_data() { addPredictedSolvers(); }
  void equalCellsAreSharedByNumber()
  {
    QFETCH(SolverId, solver);
    for (const trees::Parents& shape : {kSmall, kDeep}) {
      QCOMPARE(shareCells(*batchOf({{shape, 1'000}}), onH200(solver), 3),
               (std::vector<CellRange>{{0, 333}, {333, 667}, {667, 1'000}}));
      QCOMPARE(shareCells(*batchOf({{shape, 2}}), onH200(solver), 4), (std::vector<CellRange>{{0, 1}, {1, 2}}));
    }
    const Batch chains = batchOf({{trees::chain(200), 10}});
    QCOMPARE(shareCells(*chains, onH200(kTridiagonal), 3), (std::vector<CellRange>{{0, 3}, {3, 7}, {7, 10}}));
  }

  /// Batches of a few huge cells before many small ones, and of deep cells before bushy ones as large. `ofHuge`,
  /// `ofDeep`: the most that the longest share takes of what it would in shares by compartments.
  void mixedCellsTakeLess_data()
  {
    QTest::addColumn<SolverId>("solver");
    QTest::addColumn<int>("count");
    QTest::addColumn<double>("ofHuge");
    QTest::addColumn<double>("ofDeep");
    const auto row = [](SolverId solver, int count, double ofHuge, double ofDeep) {
      QTest::addRow("%s, %d", std::string(solverName(solver)).c_str(), count) << solver << count << ofHuge << ofDeep;
    };
    row(kResident, 2, 0.6, 1);
    row(kResident, 4, 0.4, 1);
    row(kFine, 2, 0.75, 1);
    row(kFine, 4, 0.6, 0.95);
    row(kCoarse, 2, 0.6, 0.8);
    row(kCoarse, 4, 0.45, 0.8);
    row(kEdd, 2, 0.95, 1);
    row(kEdd, 4, 0.9, 1);
  }
  void mixedCellsTakeLess()
  {
    QFETCH(SolverId, solver);
    QFETCH(int, count);
    QFETCH(double, ofHuge);
    QFETCH(double, ofDeep);
    const auto shares = static_cast<std::size_t>(count);
    for (const auto& [batch, most] : {std::pair{hugeCells(), ofHuge}, {deepCells(), ofDeep}}) {
      ShareTimes times(*batch, onH200(solver), shares);
      const std::vector<CellRange> ranges = shareCells(*batch, onH200(solver), shares);
      QVERIFY(areSharesOf(ranges, batch));
      const double taken = longestOf(times, ranges) / longestOf(times, byCompartments(batch, shares));
      QVERIFY2(taken <= most, qPrintable(QString::number(taken)));
    }
  }

  /// No share is longer than the whole over the shares and than the largest cell, but for what is not shared.
  void theLongestIsNearTheIdeal_data()
  {
    QTest::addColumn<SolverId>("solver");
    QTest::addColumn<int>("count");
    QTest::newRow("resident") << kResident << 2;
    QTest::newRow("edd") << kEdd << 2;
    QTest::newRow("fine") << kFine << 4; // the largest cell alone
    QTest::newRow("coarse") << kCoarse << 4;
  }
  void theLongestIsNearTheIdeal()
  {
    QFETCH(SolverId, solver);
    QFETCH(int, count);
    const auto shares = static_cast<std::size_t>(count);
    const Batch batch = hugeCells();
    ShareTimes times(*batch, onH200(solver), shares);
    const double ideal = std::max(times.of({0, batch->cells()}) / count, times.of({0, 1}));
    const double longest = longestOf(times, shareCells(*batch, onH200(solver), shares));
    QVERIFY2(longest <= 1.05 * ideal, qPrintable(QString::number(longest / ideal)));
    QVERIFY(longestOf(times, byCompartments(batch, shares)) > 1.05 * ideal);
  }

  /// Else the search would miss the best shares.
  void aShareOfMoreCellsTakesNoLess_data() { addPredictedSolvers(); }
  void aShareOfMoreCellsTakesNoLess()
  {
    QFETCH(SolverId, solver);
    const Batch batch = batchOf({{trees::chain(20), 700}, {kBushy, 50}, {kSmall, 300}, {kHuge, 2}, {kSmall, 300}});
    ShareTimes times(*batch, onH200(solver), 3);
    for (std::size_t begin = 0; begin < batch->cells(); begin += 90) {
      double before = 0;
      for (std::size_t end = begin + 1; end <= batch->cells(); ++end) {
        const double now = times.of({begin, end});
        QVERIFY2(now >= before * (1 - 1e-12), qPrintable(QString("%1 to %2").arg(begin).arg(end)));
        before = now;
      }
    }
  }

  void timesDoNotDependOnWhatWasAskedBefore()
  {
    const Batch batch = batchOf({{trees::chain(20), 9}, {kSmall, 5}, {kDeep, 2}, {trees::chain(20), 9}, {kBushy, 3}});
    ShareTimes times(*batch, onH200(kResident), 3);
    for (std::uint64_t k = 0; k < 400; ++k) {
      const auto draw = [&](std::uint32_t what) {
        return static_cast<std::size_t>(randomUniform(1, k, 0, what) * static_cast<double>(batch->cells()));
      };
      const std::size_t a = draw(0), b = draw(1);
      const CellRange range{std::min(a, b), std::max(a, b) + 1};
      QCOMPARE(times.of(range), ShareTimes(*batch, onH200(kResident), 3).of(range));
    }
  }

  /// The GPU and the precision that are planned for count, not the backend.
  void sharesAreOfTheGpuThatIsPlannedFor()
  {
    const Batch batch = hugeCells();
    SolveParameters parameters = onH200(kResident);
    const std::vector<CellRange> ranges = shareCells(*batch, parameters, 3);
    parameters.backend = Backend::Cpu;
    QCOMPARE(shareCells(*batch, parameters, 3), ranges);
    const double onH200 = ShareTimes(*batch, parameters, 3).of({0, 100});
    parameters.gpu = Gpu::T4;
    QVERIFY(ShareTimes(*batch, parameters, 3).of({0, 100}) > onH200);
    QVERIFY(shareCells(*batch, parameters, 3) != ranges);
  }

  void canBeCancelled()
  {
    const Batch batch = hugeCells();
    const tests::Cancellable share = [&](const RunControl& control) {
      shareCells(*batch, onH200(kResident), 4, control);
    };
    QVERIFY(tests::endsWhereCancelled(share, tests::Checkpoints(share).all(), 1));
  }
};

HINESIGHT_TEST(TestDeviceShares)
#include "test_device_shares.moc"
