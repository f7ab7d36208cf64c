#include "cable/random_tree.hpp"
#include "core/error.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>

using namespace hinesight;
using namespace hinesight::cable;

namespace {

/// Children of every compartment.
std::vector<int> childCounts(const HinesSystem& tree)
{
  std::vector<int> count(tree.size(), 0);
  for (const std::int32_t parent : tree.parent) {
    if (parent >= 0)
      ++count[static_cast<std::size_t>(parent)];
  }
  return count;
}

std::ptrdiff_t countWith(const std::vector<int>& counts, int children)
{
  return std::count(counts.begin(), counts.end(), children);
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

class TestRandomTree : public QObject
{
  Q_OBJECT

private slots:
  void neverBranching();
  void alwaysBranching();
  void branchesAsOftenAsAsked();
  void isDominant();
  void dependsOnSeedAndIndexAlone();
  void lengthsFallWithLevel();
  void staysFiniteWhereLengthsVanish();
  void badParameters_data();
  void badParameters();
  void refusesAbsurdSizes();
};

void TestRandomTree::neverBranching()
{
  RandomTreeParameters p;
  p.levels = 5;
  p.branchingProbability = 0;
  p.compartmentsPerBranch = 6;
  p.lengthDecay = 1;
  const auto tree = makeRandomTree(p, 0);
  QCOMPARE(tree->size(), std::size_t{1 + 5 * 6});
  for (std::size_t i = 0; i < tree->size(); ++i)
    QCOMPARE(tree->parent[i], static_cast<std::int32_t>(i) - 1);
}

void TestRandomTree::alwaysBranching()
{
  RandomTreeParameters p;
  p.levels = 6;
  p.branchingProbability = 1;
  p.compartmentsPerBranch = 8;
  p.lengthDecay = 0.5;
  const auto tree = makeRandomTree(p, 3);
  // Branches 1, 2, 4, ... of 8, 4, 2, 1, 1, 1 compartments (never none).
  QCOMPARE(tree->size(), std::size_t{1 + 8 + 2 * 4 + 4 * 2 + 8 + 16 + 32});
  const std::vector<int> children = childCounts(*tree);
  QCOMPARE(countWith(children, 2), 31);
  QCOMPARE(countWith(children, 0), 32);
  QCOMPARE(*std::max_element(children.begin(), children.end()), 2);
}

void TestRandomTree::branchesAsOftenAsAsked()
{
  RandomTreeParameters p;
  p.levels = 2;
  p.branchingProbability = 0.3;
  p.compartmentsPerBranch = 1;
  int split = 0;
  constexpr int kTrees = 20000;
  for (int index = 0; index < kTrees; ++index)
    split += makeRandomTree(p, static_cast<std::uint64_t>(index))->size() == 4;
  // Binomial: standard deviation 0.0032 of the share; the draws are fixed by the seed.
  QVERIFY(std::abs(split / double{kTrees} - 0.3) < 0.015);
}

void TestRandomTree::isDominant()
{
  RandomTreeParameters p;
  p.branchingProbability = 0.7;
  for (std::uint64_t index = 0; index < 20; ++index) {
    const auto tree = makeRandomTree(p, index);
    validate(*tree);
    QCOMPARE(std::count(tree->parent.begin(), tree->parent.end(), -1), 1);
    std::vector<double> excess = tree->d;
    for (std::size_t i = 1; i < tree->size(); ++i) {
      QVERIFY(tree->u[i] < 0);
      excess[i] += tree->u[i];
      excess[static_cast<std::size_t>(tree->parent[i])] += tree->u[i];
    }
    QVERIFY(*std::min_element(excess.begin(), excess.end()) > 0);
  }
}

void TestRandomTree::dependsOnSeedAndIndexAlone()
{
  RandomTreeParameters p;
  for (const double probability : {0.0, 0.5, 1.0}) {
    p.branchingProbability = probability;
    p.seed = 1;
    const auto first = makeRandomTree(p, 7);
    const auto again = makeRandomTree(p, 7);
    QCOMPARE(again->parent, first->parent);
    QCOMPARE(again->d, first->d);
    QCOMPARE(again->u, first->u);
    QCOMPARE(again->b, first->b);

    std::set<std::vector<double>> diagonals;
    for (std::uint64_t index = 0; index < 100; ++index)
      diagonals.insert(makeRandomTree(p, index)->d);
    diagonals.insert(makeRandomTree(p, std::uint64_t{1} << 40)->d);
    p.seed = 2;
    diagonals.insert(makeRandomTree(p, 7)->d);
    QCOMPARE(diagonals.size(), std::size_t{102});
  }
}

void TestRandomTree::lengthsFallWithLevel()
{
  // Capacitance is what the rows sum to beyond the couplings: it measures the compartments' areas.
  RandomTreeParameters p;
  p.levels = 2;
  p.branchingProbability = 0;
  p.compartmentsPerBranch = 1;
  p.branchLength = 100;
  p.lengthDecay = 0.25;
  double length[2] = {0, 0};
  constexpr int kTrees = 500;
  for (int index = 0; index < kTrees; ++index) {
    const auto tree = makeRandomTree(p, static_cast<std::uint64_t>(index));
    QCOMPARE(tree->size(), std::size_t{3});
    const double perUm = (1e-5 / 0.025 + 1e-2 / 30000) * 3.14159265358979;
    const double own[2] = {(tree->d[1] + tree->u[1] + tree->u[2]) / perUm, (tree->d[2] + tree->u[2]) / perUm};
    QVERIFY(own[0] > 79.99 && own[0] < 120.01);
    QVERIFY(own[1] > 19.99 && own[1] < 30.01);
    length[0] += own[0] / kTrees;
    length[1] += own[1] / kTrees;
  }
  QVERIFY(std::abs(length[0] - 100) < 3);
  QVERIFY(std::abs(length[1] - 25) < 0.75);
}

void TestRandomTree::staysFiniteWhereLengthsVanish()
{
  RandomTreeParameters p;
  p.levels = 30;
  p.branchingProbability = 0.1;
  p.branchLength = 1e-300;
  p.lengthDecay = 1e-12;
  const auto tree = makeRandomTree(p, 0);
  validate(*tree);
  QVERIFY(*std::min_element(tree->d.begin(), tree->d.end()) > 0);
  QVERIFY(makeRandomTree(p, 1)->d != tree->d);
}

void TestRandomTree::badParameters_data()
{
  QTest::addColumn<int>("which");
  QTest::addColumn<double>("value");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::pair<int, std::vector<double>> bad[] = {{0, {0, -1, 31}},
                                                     {1, {-0.1, 1.1, nan}},
                                                     {2, {0, -4, 10001}},
                                                     {3, {0, -1, nan, std::numeric_limits<double>::infinity()}},
                                                     {4, {0, -1, 1.01, nan}}};
  for (const auto& [which, values] : bad)
    for (const double value : values)
      QTest::newRow(qPrintable(QString("%1: %2").arg(which).arg(value))) << which << value;
}

void TestRandomTree::badParameters()
{
  QFETCH(int, which);
  QFETCH(double, value);
  RandomTreeParameters p;
  validate(p);
  const std::function<void()> set[] = {
      [&] { p.levels = static_cast<std::int32_t>(value); },
      [&] { p.branchingProbability = value; },
      [&] { p.compartmentsPerBranch = static_cast<std::int32_t>(value); },
      [&] { p.branchLength = value; },
      [&] { p.lengthDecay = value; },
  };
  set[which]();
  QCOMPARE(codeOf([&] { validate(p); }), ErrorCode::BadParameter);
  QCOMPARE(codeOf([&] { makeRandomTree(p, 0); }), ErrorCode::BadParameter);
}

void TestRandomTree::refusesAbsurdSizes()
{
  RandomTreeParameters p;
  p.levels = 30;
  p.branchingProbability = 1;
  p.lengthDecay = 1;
  for (const std::int32_t compartments : {10000, 100}) {
    p.compartmentsPerBranch = compartments;
    QCOMPARE(codeOf([&] { makeRandomTree(p, 0); }), ErrorCode::OutOfMemory);
  }
}

HINESIGHT_TEST(TestRandomTree)
#include "test_random_tree.moc"
