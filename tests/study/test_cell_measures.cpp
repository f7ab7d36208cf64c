#include "study/cells/cell_measures.hpp"
#include "test_main.hpp"

#include <QtTest>

#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>

using namespace hinesight;
using namespace hinesight::study;

class TestCellMeasures : public QObject
{
  Q_OBJECT

private slots:
  /// Classes are as wide as a person would make them, the same for all cells, and hold each branch once.
  void countsInRoundClasses()
  {
    CellMeasures one{"one.swc", {}, {}, {}};
    CellMeasures other{"other.swc", {}, {}, {}};
    for (const double length : {0.0, 3.9, 4.0, 39.0, 71.0})
      one.branches.push_back({.length = length});
    other.branches.push_back({.length = 10});
    const BranchHistogram histogram = histogramOf(std::vector{one, other}, BranchQuantity::Length);
    QCOMPARE(histogram.width, 5.0); // 71 / 20 = 3.55
    QCOMPARE(histogram.counts.size(), std::size_t{2});
    QCOMPARE(histogram.counts[0].size(), std::size_t{15}); // to 75
    QCOMPARE(histogram.counts[0][0], 3U);
    QCOMPARE(histogram.counts[0][7], 1U);
    QCOMPARE(histogram.counts[0][14], 1U);
    QCOMPARE(histogram.counts[1], (std::vector<std::uint32_t>{0, 0, 1}));
  }

  /// A branch that has no angle is in no class.
  void leavesOutWhatABranchHasNot()
  {
    CellMeasures cell{"a, b.swc", {}, {}, {}};
    for (const double angle : {std::numeric_limits<double>::quiet_NaN(), 30.0, 180.0})
      cell.branches.push_back({.localAngle = angle});
    const BranchHistogram histogram = histogramOf(std::vector{cell}, BranchQuantity::Angle);
    QCOMPARE(histogram.width, 10.0);
    QCOMPARE(std::accumulate(histogram.counts[0].begin(), histogram.counts[0].end(), 0U), 2U);
    std::ostringstream table;
    writeHistogram(std::vector{cell}, BranchQuantity::Angle, table);
    const QStringList lines = QString::fromStdString(table.str()).split('\n');
    QCOMPARE(lines[0], QStringLiteral("file,from deg,to deg,branches"));
    QCOMPARE(lines[4], QStringLiteral("\"a, b.swc\",30,40,1"));
  }

  void countsNothingOfNothing()
  {
    const BranchHistogram histogram = histogramOf(std::vector{CellMeasures()}, BranchQuantity::Length);
    QCOMPARE(histogram.width, 1.0);
    QVERIFY(histogram.counts[0].empty());
  }
};

HINESIGHT_TEST(TestCellMeasures)
#include "test_cell_measures.moc"
