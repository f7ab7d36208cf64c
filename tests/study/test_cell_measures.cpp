#include "morphology/swc.hpp"
#include "study/cells/cell_measures.hpp"
#include "test_main.hpp"

#include <QtTest>

#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <sstream>

using namespace hinesight;
using namespace hinesight::study;

class TestCellMeasures : public QObject
{
  Q_OBJECT

  using Counts = std::vector<std::uint32_t>;
  using Branches = std::vector<std::int32_t>;

  /// A dendrite that forks, and an axon, which stands behind all of it in the file.
  static std::shared_ptr<const morphology::Morphology> smallCell()
  {
    return morphology::parseSwc("1 1 0 0 0 5 -1\n2 3 10 0 0 1 1\n3 3 20 0 0 1 2\n4 3 30 5 0 1 3\n"
                                "5 3 30 -5 0 1 3\n6 2 -10 0 0 1 1\n",
                                "small.swc");
  }

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
    const BranchHistogram histogram = histogramOf(std::vector{cell}, BranchQuantity::LocalAngle);
    QCOMPARE(histogram.width, 10.0);
    QCOMPARE(std::accumulate(histogram.counts[0].begin(), histogram.counts[0].end(), 0U), 2U);
    std::ostringstream table;
    writeHistogram(std::vector{cell}, BranchQuantity::LocalAngle, table);
    const QStringList lines = QString::fromStdString(table.str()).split('\n');
    QCOMPARE(lines[0], QStringLiteral("file,from deg,to deg,branches"));
    QCOMPARE(lines[4], QStringLiteral("\"a, b.swc\",30,40,1"));
  }

  /// As the dependency tree does: level by level, the soma first.
  void numbersBranchesAsTheViews()
  {
    const auto cell = smallCell();
    const CellMeasures measures = measureCell("small.swc", *cell, 0);
    std::vector<std::int32_t> numbers, parents, hosts, types;
    for (std::size_t k = 0; k < measures.branches.size(); ++k) {
      numbers.push_back(measures.places[k].number);
      parents.push_back(measures.places[k].parent);
      hosts.push_back(measures.branches[k].parent);
      types.push_back(measures.branches[k].type);
      QCOMPARE(measures.branches[k].branch, static_cast<std::int32_t>(k));
    }
    QCOMPARE(numbers, (std::vector<std::int32_t>{2, 3, 4, 5}));
    QCOMPARE(parents, (std::vector<std::int32_t>{1, 1, 2, 2}));
    QCOMPARE(hosts, (std::vector<std::int32_t>{-1, -1, 0, 0}));
    QCOMPARE(types, (std::vector<std::int32_t>{3, 2, 3, 3}));
    std::ostringstream table;
    writeBranchTable(std::vector{measures}, table);
    const QStringList lines = QString::fromStdString(table.str()).split('\n');
    QVERIFY2(lines[0].contains(QStringLiteral(",length um,straight distance um,contraction,")), qPrintable(lines[0]));
    QVERIFY2(lines[1].startsWith(QStringLiteral("small.swc,2,1,3,")), qPrintable(lines[1]));
  }

  /// In their order here: the dendrite, the axon, the two branches of the fork.
  void findsTheBranchesOfClasses()
  {
    const CellMeasures cell = measureCell("small.swc", *smallCell(), 0);
    const BranchHistogram lengths = histogramOf(std::vector{cell}, BranchQuantity::Length);
    QCOMPARE(lengths.width, 1.0); // of 10, 0, 11.2 and 11.2
    QCOMPARE(branchesInClasses(cell, lengths, 11, 12), (Branches{2, 3}));
    QCOMPARE(branchesInClasses(cell, lengths, 0, 11), (Branches{0, 1}));
    QCOMPARE(branchesInClasses(cell, lengths, 1, 10), Branches());
    QCOMPARE(countInClasses(cell, lengths, Branches{1, 2}), (Counts{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
    QCOMPARE(countInClasses(cell, lengths, {}), Counts());
    // An angle is of the branch that forks.
    const BranchHistogram angles = histogramOf(std::vector{cell}, BranchQuantity::LocalAngle);
    QCOMPARE(branchesInClasses(cell, angles, 0, angles.counts[0].size()), Branches{0});
    QCOMPARE(countInClasses(cell, angles, Branches{1, 2, 3}), Counts());
  }

  void findsWhatCrossesSpheres()
  {
    const CellMeasures cell = measureCell("small.swc", *smallCell(), 5);
    QCOMPARE(cell.sholl.intersections, (Counts{0, 0, 1, 1, 2, 2}));
    QCOMPARE(branchesThroughSpheres(cell, 3, 4), Branches{0});
    QCOMPARE(branchesThroughSpheres(cell, 4, 5), (Branches{2, 3}));
    QCOMPARE(branchesThroughSpheres(cell, 3, 5), (Branches{0, 2, 3}));
    QCOMPARE(branchesThroughSpheres(cell, 0, 2), Branches()); // without the segments to the soma
    QCOMPARE(intersectionsOf(cell, Branches{0, 3}), (Counts{0, 0, 1, 1, 1, 1}));
    QCOMPARE(intersectionsOf(cell, Branches{1}), Counts(6, 0));
    QCOMPARE(intersectionsOf(cell, Branches{0, 1, 2, 3}), cell.sholl.intersections);
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
