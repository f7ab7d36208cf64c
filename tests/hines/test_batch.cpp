#include "cable/cell_builder.hpp"

#include "cable/random_tree.hpp"
#include "core/error.hpp"
#include "hines/batch.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

using namespace hinesight;
using namespace hinesight::hines;

namespace {

using Systems = std::vector<std::shared_ptr<const HinesSystem>>;

Systems threeCells()
{
  cable::RandomTreeParameters p;
  p.levels = 4;
  return {cable::makeRandomTree(p, 0), cable::makeRandomTree(p, 1), cable::makeRandomTree(p, 2)};
}

std::vector<double> slice(const std::vector<double>& values, const HinesBatch& batch, std::size_t cell)
{
  return {values.begin() + static_cast<std::ptrdiff_t>(batch.offset[cell]),
          values.begin() + static_cast<std::ptrdiff_t>(batch.offset[cell + 1])};
}

std::vector<double> solution(const HinesBatch& batch, std::size_t cell)
{
  return solveSerially(batch.shapes[batch.shapeOf[cell]]->parent, slice(batch.d, batch, cell),
                       slice(batch.u, batch, cell), slice(batch.b, batch, cell));
}

ErrorCode codeOf(const std::function<void()>& action)
{
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::VerificationFailed; // which nothing here throws
}

} // namespace

class TestBatch : public QObject
{
  Q_OBJECT

private slots:
  void copiesRoundRobin();
  void copiesMoveEveryVoltageAlike();
  void noTwoCellsAreAlike();
  void sharesShapes();
  void isDeterministic();
  void endsEarlyByNumberOfCells();
  void handlesForests();
  void rejects_data();
  void rejects();
  void refusesWhatDoesNotFit_data();
  void refusesWhatDoesNotFit();
  void canBeCancelled();
};

void TestBatch::copiesRoundRobin()
{
  const Systems systems = threeCells();
  const auto batch = makeBatch(systems, 4);
  QCOMPARE(batch->cells(), std::size_t{12});
  QCOMPARE(batch->offset.size(), std::size_t{13});
  for (std::size_t cell = 0; cell < batch->cells(); ++cell) {
    const HinesSystem& system = *systems[cell % 3];
    QCOMPARE(batch->offset[cell + 1] - batch->offset[cell], system.size());
    QCOMPARE(batch->shapes[batch->shapeOf[cell]]->parent, system.parent);
    QCOMPARE(slice(batch->d, *batch, cell), system.d);
    QCOMPARE(slice(batch->u, *batch, cell), system.u);
    QCOMPARE(slice(batch->b, *batch, cell) == system.b, cell < 3);
  }
  QCOMPARE(batch->d.size(), batch->compartments());
  QCOMPARE(batch->u.size(), batch->compartments());
  QCOMPARE(batch->b.size(), batch->compartments());
}

void TestBatch::copiesMoveEveryVoltageAlike()
{
  const auto batch = makeBatch(threeCells(), 50);
  double least = 0, most = 0;
  for (std::size_t cell = 3; cell < batch->cells(); ++cell) {
    const std::vector<double> first = solution(*batch, cell % 3);
    const std::vector<double> copy = solution(*batch, cell);
    const double shift = copy[0] - first[0];
    QVERIFY(std::abs(shift) <= 10);
    for (std::size_t i = 0; i < copy.size(); ++i)
      QVERIFY(std::abs(copy[i] - first[i] - shift) < 1e-9);
    least = std::min(least, shift);
    most = std::max(most, shift);
  }
  QVERIFY(least < -8 && most > 8); // 147 uniform draws
}

void TestBatch::noTwoCellsAreAlike()
{
  const auto batch = makeBatch(threeCells(), 1000);
  std::set<std::vector<double>> sides;
  for (std::size_t cell = 0; cell < batch->cells(); ++cell)
    sides.insert(slice(batch->b, *batch, cell));
  QCOMPARE(sides.size(), batch->cells());
}

void TestBatch::sharesShapes()
{
  Systems systems = threeCells();
  auto stiffer = std::make_shared<HinesSystem>(*systems[1]); // same shape, another matrix
  for (double& value : stiffer->d)
    value *= 2;
  systems.push_back(stiffer);
  systems.push_back(systems[0]);
  const auto batch = makeBatch(systems, 2);
  QCOMPARE(batch->shapes.size(), std::size_t{3});
  QCOMPARE(batch->shapeOf, (std::vector<std::uint32_t>{0, 1, 2, 1, 0, 0, 1, 2, 1, 0}));
  QCOMPARE(slice(batch->d, *batch, 3), stiffer->d);
  QCOMPARE(slice(batch->d, *batch, 8), stiffer->d);
  // The same cell twice among the systems: both first copies have its right-hand side.
  QCOMPARE(slice(batch->b, *batch, 4), systems[0]->b);
}

void TestBatch::isDeterministic()
{
  const Systems systems = threeCells();
  const auto first = makeBatch(systems, 20, 5);
  const auto again = makeBatch(systems, 20, 5);
  QCOMPARE(again->d, first->d);
  QCOMPARE(again->u, first->u);
  QCOMPARE(again->b, first->b);
  const auto other = makeBatch(systems, 20, 6);
  QVERIFY(other->b != first->b);
  QCOMPARE(other->d, first->d);
  // A cell's values do not depend on how many follow it.
  const auto longer = makeBatch(systems, 30, 5);
  QVERIFY(std::equal(first->b.begin(), first->b.end(), longer->b.begin()));
}

void TestBatch::endsEarlyByNumberOfCells()
{
  const Systems systems = threeCells();
  const auto seven = makeBatchOfCells(systems, 7);
  const auto nine = makeBatch(systems, 3);
  QCOMPARE(seven->cells(), std::size_t{7});
  QCOMPARE(seven->offset.back(), nine->offset[7]);
  QVERIFY(std::equal(seven->b.begin(), seven->b.end(), nine->b.begin()));
  QCOMPARE(codeOf([&] { makeBatchOfCells(systems, 2); }), ErrorCode::BadParameter);
}

void TestBatch::handlesForests()
{
  const auto forest =
      std::make_shared<const HinesSystem>(HinesSystem{{-1, 0, -1, 2}, {3, 2, 4, 2}, {0, -1, 0, -1}, {1, 2, 3, 4}});
  const auto batch = makeBatch({forest}, 2);
  const std::vector<double> first = solution(*batch, 0);
  const std::vector<double> copy = solution(*batch, 1);
  for (std::size_t i = 1; i < 4; ++i)
    QVERIFY(std::abs((copy[i] - first[i]) - (copy[0] - first[0])) < 1e-12);
  QVERIFY(std::abs(copy[0] - first[0]) > 1e-6);
}

void TestBatch::rejects_data()
{
  QTest::addColumn<int>("which");
  QTest::addColumn<qlonglong>("copies");
  QTest::addColumn<int>("code");
  QTest::newRow("no copies") << 0 << 0ll << static_cast<int>(ErrorCode::BadParameter);
  QTest::newRow("-5 copies") << 0 << -5ll << static_cast<int>(ErrorCode::BadParameter);
  QTest::newRow("least copies") << 0 << std::numeric_limits<qlonglong>::min()
                                << static_cast<int>(ErrorCode::BadParameter);
  QTest::newRow("no systems") << 1 << 1ll << static_cast<int>(ErrorCode::BadParameter);
  QTest::newRow("null system") << 2 << 1ll << static_cast<int>(ErrorCode::BadParameter);
  QTest::newRow("empty system") << 3 << 1ll << static_cast<int>(ErrorCode::BadParameter);
  QTest::newRow("malformed system") << 4 << 1ll << static_cast<int>(ErrorCode::BadFormat);
}

void TestBatch::rejects()
{
  QFETCH(int, which);
  QFETCH(qlonglong, copies);
  QFETCH(int, code);
  Systems systems = threeCells();
  if (which == 1)
    systems.clear();
  if (which == 2)
    systems.push_back(nullptr);
  if (which == 3)
    systems.push_back(std::make_shared<const HinesSystem>());
  if (which == 4)
    systems.push_back(std::make_shared<const HinesSystem>(HinesSystem{{-1, 1}, {1, 1}, {0, 0}, {0, 0}}));
  QCOMPARE(static_cast<int>(codeOf([&] { makeBatch(systems, copies); })), code);
}

void TestBatch::refusesWhatDoesNotFit_data()
{
  QTest::addColumn<qlonglong>("copies");
  QTest::newRow("10^9") << 1'000'000'000ll;
  QTest::newRow("10^15") << 1'000'000'000'000'000ll;
  QTest::newRow("2^62") << (1ll << 62);
  QTest::newRow("2^63 - 1") << std::numeric_limits<qlonglong>::max();
}

void TestBatch::refusesWhatDoesNotFit()
{
  QFETCH(qlonglong, copies);
  const Systems systems = threeCells();
  QVERIFY(systems[0]->size() > 30); // 10^9 copies need more than a terabyte
  QCOMPARE(codeOf([&] { makeBatch(systems, copies); }), ErrorCode::OutOfMemory);
  QCOMPARE(codeOf([&] { makeBatchOfCells(systems, copies); }), ErrorCode::OutOfMemory);
}

void TestBatch::canBeCancelled()
{
  RunControl control;
  control.cancel();
  QCOMPARE(codeOf([&] { makeBatch(threeCells(), 2, 1, control); }), ErrorCode::Cancelled);
}

HINESIGHT_TEST(TestBatch)
#include "test_batch.moc"
