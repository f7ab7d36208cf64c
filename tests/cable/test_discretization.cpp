#include "cable/cable_cells.hpp"

#include "core/error.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>

using namespace hinesight;
using namespace hinesight::cable;
using std::numbers::pi;

namespace {

double sum(const std::vector<double>& values)
{
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// A soma with two stems, one of which bifurcates: tapers, a bend, a zero-length edge and uneven samples.
Cell branchedCell()
{
  CellBuilder cell;
  const auto soma = cell.soma(0, 0, 7);
  const auto a = cell.dendrite(9, 0, 2, soma);
  const auto b = cell.dendrite(30, 4, 1.5, a);
  const auto twin = cell.dendrite(30, 4, 1.2, b);
  const auto fork = cell.dendrite(33, 50, 1, twin);
  cell.dendrite(80, 50, 0.3, cell.dendrite(40, 51, 0.8, fork));
  cell.dendrite(33, 170, 0.5, fork);
  cell.dendrite(-100, 0, 0.6, cell.dendrite(-8, 0, 1, soma));
  return cell.morphology();
}

/// Area of `branchedCell`, written out frustum by frustum.
double branchedCellArea()
{
  const auto frustum = [](double length, double r0, double r1) {
    return pi * (r0 + r1) * std::sqrt(length * length + (r0 - r1) * (r0 - r1));
  };
  return 4 * pi * 49 + frustum(9, 2, 2) + frustum(std::sqrt(21.0 * 21 + 16), 2, 1.5) +
         frustum(std::sqrt(9 + 46.0 * 46), 1.2, 1) + frustum(std::sqrt(50.0), 1, 0.8) +
         frustum(std::sqrt(1601.0), 0.8, 0.3) + frustum(120, 1, 0.5) + frustum(8, 1, 1) + frustum(92, 1, 0.6);
}

double branchedCellLength()
{
  return 14 + 9 + std::sqrt(457.0) + std::sqrt(2125.0) + std::sqrt(50.0) + std::sqrt(1601.0) + 120 + 100;
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

class TestDiscretization : public QObject
{
  Q_OBJECT

private slots:
  void areaAndLengthAreConserved_data();
  void areaAndLengthAreConserved();
  void resistanceIsIntegratedExactly_data();
  void resistanceIsIntegratedExactly();
  void lambdaCounts_data();
  void lambdaCounts();
  void maximumLengthCounts_data();
  void maximumLengthCounts();
  void samplePolicyHasOneCompartmentPerEdge();
  void samplesLieInTheirCompartments();
  void zeroLengthEdgesAddNothing_data();
  void zeroLengthEdgesAddNothing();
  void zeroLengthBranchesMerge();
  void rootsWithoutSoma();
  void forest();
  void onePointSoma();
  void threePointSomaIsOneSphere();
  void contourSomaIsOneSphere();
  void contourOfLoneRootsIsOneSphere();
  void somaOfFrusta();
  void somaBelowNeuriteIsASphere();
  void unknownRadii();
  void extremeShapes();
  void badParameters_data();
  void badParameters();
  void refusesWhatCannotBeNumbered();
  void refusesNumbersOutOfRange();
  void canBeCancelled();
  void isDeterministic();
};

void TestDiscretization::areaAndLengthAreConserved_data()
{
  QTest::addColumn<int>("policy");
  QTest::addColumn<std::int32_t>("resolution");
  for (const int policy : {0, 1, 2, 3}) {
    for (const std::int32_t resolution : {1, 2, 7, 64}) {
      const QString name =
          QString("%1, P = %2").arg(choiceName(static_cast<DiscretizationPolicy>(policy)).data()).arg(resolution);
      QTest::newRow(qPrintable(name)) << policy << resolution;
    }
  }
}

void TestDiscretization::areaAndLengthAreConserved()
{
  QFETCH(int, policy);
  QFETCH(std::int32_t, resolution);
  DiscretizationParameters parameters;
  parameters.policy = static_cast<DiscretizationPolicy>(policy);
  parameters.resolution = resolution;
  parameters.maximumLength = 7.3;
  const auto cells = cut(branchedCell(), parameters);
  QVERIFY(isConsistent(*cells));
  QVERIFY(closeTo(sum(cells->area), branchedCellArea(), 1e-12));
  QVERIFY(closeTo(sum(cells->length), branchedCellLength(), 1e-12));

  parameters.resolution = 1;
  const std::size_t coarse = cut(branchedCell(), parameters)->compartments();
  QCOMPARE(cells->compartments() - 1, (coarse - 1) * static_cast<std::size_t>(resolution));
}

void TestDiscretization::resistanceIsIntegratedExactly_data()
{
  QTest::addColumn<std::int32_t>("compartments");
  QTest::addColumn<double>("rootRadius");
  QTest::newRow("odd") << 7 << 3.0;
  QTest::newRow("even") << 4 << 3.0;
  QTest::newRow("steep") << 3 << 40.0;
  QTest::newRow("cylinder") << 5 << 0.25;
}

void TestDiscretization::resistanceIsIntegratedExactly()
{
  QFETCH(std::int32_t, compartments);
  QFETCH(double, rootRadius);
  CellBuilder cell;
  auto at = cell.dendrite(0, 0, rootRadius, -1);
  at = cell.dendrite(13, 0, 1, at);
  at = cell.dendrite(29, 0, 0.25, at);
  cell.dendrite(100, 0, 2, at);
  const auto radius = [&](double x) {
    return x < 13   ? rootRadius + (1 - rootRadius) * x / 13
           : x < 29 ? 1 - 0.75 * (x - 13) / 16
                    : 0.25 + 1.75 * (x - 29) / 71;
  };
  const auto cells = cut(cell.morphology(), fixedNumber(compartments));
  QCOMPARE(cells->compartments(), static_cast<std::size_t>(compartments));
  for (std::int32_t k = 1; k < compartments; ++k) {
    // Midpoint rule between the middles of two compartments.
    const double from = 100 * (k - 0.5) / compartments, to = 100 * (k + 0.5) / compartments;
    constexpr int kSteps = 200000;
    double resistance = 0;
    for (int step = 0; step < kSteps; ++step) {
      const double r = radius(from + (to - from) * (step + 0.5) / kSteps);
      resistance += 100e-2 * (to - from) / kSteps / (pi * r * r);
    }
    QVERIFY(closeTo(1 / cells->axialConductance[static_cast<std::size_t>(k)], resistance, 1e-6));
  }
}

void TestDiscretization::lambdaCounts_data()
{
  QTest::addColumn<double>("length");
  QTest::addColumn<double>("rootDiameter");
  QTest::addColumn<double>("tipDiameter");
  QTest::addColumn<double>("axialResistivity");
  QTest::addColumn<double>("capacitance");
  QTest::addColumn<double>("dLambda");
  QTest::addColumn<int>("count");
  // lambda at 100 Hz is 282.09 um for d = 1 um, R_a = 100 ohm cm, c_m = 1 uF/cm2; n = 2 floor((L/(x lambda) + 0.9)/2)
  // + 1.
  QTest::newRow("1 mm, 1 um") << 1000.0 << 1.0 << 1.0 << 100.0 << 1.0 << 0.1 << 37; // 35.449 + 0.9 = 2 x 18.17
  QTest::newRow("1 mm, 4 um") << 1000.0 << 4.0 << 4.0 << 100.0 << 1.0 << 0.1 << 19; // 17.725 + 0.9 = 2 x 9.31
  QTest::newRow("mean diameter") << 1000.0 << 6.0 << 2.0 << 100.0 << 1.0 << 0.1 << 19;
  QTest::newRow("short") << 10.0 << 2.0 << 2.0 << 100.0 << 1.0 << 0.1 << 1;          // 0.251 + 0.9 < 2
  QTest::newRow("below two") << 31.0 << 1.0 << 1.0 << 100.0 << 1.0 << 0.1 << 1;      // 1.0989 + 0.9 = 1.9989
  QTest::newRow("above two") << 31.1 << 1.0 << 1.0 << 100.0 << 1.0 << 0.1 << 3;      // 1.1025 + 0.9 = 2.0025
  QTest::newRow("resistivity") << 1000.0 << 1.0 << 1.0 << 35.4 << 1.0 << 0.1 << 21;  // 21.092 + 0.9 = 2 x 10.996
  QTest::newRow("capacitance") << 1000.0 << 1.0 << 1.0 << 100.0 << 2.0 << 0.1 << 51; // 50.133 + 0.9 = 2 x 25.52
  QTest::newRow("coarse") << 1000.0 << 1.0 << 1.0 << 100.0 << 1.0 << 1.0 << 5;       // 3.545 + 0.9 = 2 x 2.22
}

void TestDiscretization::lambdaCounts()
{
  QFETCH(double, length);
  QFETCH(double, rootDiameter);
  QFETCH(double, tipDiameter);
  QFETCH(double, axialResistivity);
  QFETCH(double, capacitance);
  QFETCH(double, dLambda);
  QFETCH(int, count);
  DiscretizationParameters parameters;
  parameters.policy = DiscretizationPolicy::DLambda;
  parameters.axialResistivity = axialResistivity;
  parameters.membraneCapacitance = capacitance;
  parameters.dLambda = dLambda;
  const Cell cell = straightCable(length, rootDiameter / 2, tipDiameter / 2);
  QCOMPARE(static_cast<int>(cut(cell, parameters)->compartments()), count);
  parameters.resolution = 3;
  QCOMPARE(static_cast<int>(cut(cell, parameters)->compartments()), 3 * count);
}

void TestDiscretization::maximumLengthCounts_data()
{
  QTest::addColumn<double>("length");
  QTest::addColumn<int>("edges");
  QTest::addColumn<double>("maximumLength");
  QTest::addColumn<int>("count");
  QTest::newRow("exact") << 100.0 << 1 << 20.0 << 5;
  QTest::newRow("just above") << 100.001 << 1 << 20.0 << 6;
  QTest::newRow("just below") << 99.999 << 1 << 20.0 << 5;
  QTest::newRow("shorter") << 3.0 << 1 << 20.0 << 1;
  for (int edges = 2; edges <= 60; ++edges) // sums of edges of 0.1 um differ from the length by rounding
    QTest::newRow(qPrintable(QString("%1 x 0.1").arg(edges))) << 0.1 * edges << edges << 0.1 << edges;
  QTest::newRow("fine") << 1.0 << 3 << 1e-3 << 1000;
}

void TestDiscretization::maximumLengthCounts()
{
  QFETCH(double, length);
  QFETCH(int, edges);
  QFETCH(double, maximumLength);
  QFETCH(int, count);
  CellBuilder builder;
  auto at = builder.dendrite(0, 0, 1, -1);
  for (int edge = 1; edge <= edges; ++edge)
    at = builder.dendrite(length / edges * edge, 0, 1, at);
  DiscretizationParameters parameters;
  parameters.policy = DiscretizationPolicy::MaximumLength;
  parameters.maximumLength = maximumLength;
  const auto cells = cut(builder.morphology(), parameters);
  QCOMPARE(static_cast<int>(cells->compartments()), count);
  for (const double compartment : cells->length)
    QVERIFY(compartment <= maximumLength * (1 + 1e-11));
}

void TestDiscretization::samplePolicyHasOneCompartmentPerEdge()
{
  const Cell cell = branchedCell();
  const auto cells = cut(cell);
  QCOMPARE(cells->compartments(), cell->samples() - 1); // the twin has none
  QCOMPARE(cells->ofSample, (std::vector<std::int32_t>{0, 1, 2, 2, 3, 4, 5, 6, 7, 8}));
  QCOMPARE(cells->branch, (std::vector<std::int32_t>{-1, 0, 0, 0, 1, 1, 2, 3, 3}));
  QCOMPARE(cells->parent, (std::vector<std::int32_t>{-1, 0, 1, 2, 3, 4, 3, 0, 7}));
}

void TestDiscretization::samplesLieInTheirCompartments()
{
  CellBuilder builder;
  auto at = builder.dendrite(0, 0, 1, -1);
  for (const double x : {10.0, 25.0, 26.0, 50.0, 99.0, 100.0})
    at = builder.dendrite(x, 0, 1, at);
  // Compartments of 25 um: a sample on a boundary belongs to the compartment that ends there.
  QCOMPARE(cut(builder.morphology(), fixedNumber(4))->ofSample, (std::vector<std::int32_t>{0, 0, 0, 1, 1, 3, 3}));
  auto parameters = fixedNumber(2);
  parameters.resolution = 2;
  QCOMPARE(cut(builder.morphology(), parameters)->ofSample, (std::vector<std::int32_t>{0, 0, 0, 1, 1, 3, 3}));

  // Rounding must not move a sample that ends a compartment into the next one.
  for (std::int32_t n = 2; n <= 100; ++n) {
    CellBuilder even;
    at = even.dendrite(0.1, 0, 1, -1);
    std::vector<std::int32_t> expected{0};
    for (std::int32_t edge = 1; edge <= n; ++edge) {
      at = even.dendrite(0.1 + 0.3 * edge, 0, 1, at);
      expected.push_back(edge - 1);
    }
    QCOMPARE(cut(even.morphology(), fixedNumber(n))->ofSample, expected);
  }
}

void TestDiscretization::zeroLengthEdgesAddNothing_data()
{
  QTest::addColumn<int>("policy");
  for (const int policy : {0, 1, 2, 3})
    QTest::newRow(choiceName(static_cast<DiscretizationPolicy>(policy)).data()) << policy;
}

void TestDiscretization::zeroLengthEdgesAddNothing()
{
  QFETCH(int, policy);
  DiscretizationParameters parameters;
  parameters.policy = static_cast<DiscretizationPolicy>(policy);

  const auto build = [](bool withTwins) {
    CellBuilder cell;
    auto at = cell.soma(0, 0, 5);
    for (const double x : {10.0, 40.0, 90.0}) {
      at = cell.dendrite(x, 0, 1, at);
      if (withTwins)
        at = cell.dendrite(x * (1 + 1e-12), 0, 1, cell.dendrite(x, 0, 1, at));
    }
    return cell.morphology();
  };
  const auto plain = cut(build(false), parameters);
  const auto twins = cut(build(true), parameters);
  QCOMPARE(twins->parent, plain->parent);
  QCOMPARE(twins->branch, plain->branch);
  for (std::size_t i = 0; i < plain->compartments(); ++i) {
    QVERIFY(closeTo(twins->area[i], plain->area[i], 1e-11));
    QVERIFY(closeTo(twins->system->d[i], plain->system->d[i], 1e-11));
    QVERIFY(closeTo(twins->system->u[i], plain->system->u[i], 1e-11) || plain->system->u[i] == 0);
  }
  for (std::size_t sample = 1; sample <= 3; ++sample)
    for (std::size_t twin = 0; twin < 3; ++twin)
      QCOMPARE(twins->ofSample[3 * (sample - 1) + 1 + twin], plain->ofSample[sample]);
}

void TestDiscretization::zeroLengthBranchesMerge()
{
  for (const int policy : {0, 1, 2, 3}) {
    DiscretizationParameters parameters;
    parameters.policy = static_cast<DiscretizationPolicy>(policy);
    CellBuilder cell;
    const auto root = cell.dendrite(0, 0, 1, -1);
    const auto fork = cell.dendrite(100, 0, 1, root);
    const auto stub = cell.dendrite(100, 0, 0.5, fork); // a branch without length that forks again
    cell.dendrite(150, 0, 0.5, stub);
    cell.dendrite(100, 50, 0.5, stub);
    const auto tip = cell.dendrite(100, 0, 2, fork); // a tip without length
    const auto cells = cut(cell.morphology(), parameters);
    QVERIFY(isConsistent(*cells));
    QCOMPARE(cells->ofSample[static_cast<std::size_t>(stub)], cells->ofSample[static_cast<std::size_t>(fork)]);
    QCOMPARE(cells->ofSample[static_cast<std::size_t>(tip)], cells->ofSample[static_cast<std::size_t>(fork)]);
    QVERIFY(closeTo(sum(cells->area), 2 * pi * 100 + 2 * pi * 0.5 * 100, 1e-13));
    QCOMPARE(std::count(cells->parent.begin(), cells->parent.end(), -1), 1);

    CellBuilder split; // a branch without length that forks at the root
    const auto origin = split.dendrite(0, 0, 1, -1);
    const auto twin = split.dendrite(0, 0, 1, origin);
    split.dendrite(50, 0, 1, twin);
    split.dendrite(-50, 0, 1, twin);
    const auto joined = cut(split.morphology(), parameters);
    QVERIFY(isConsistent(*joined));
    QCOMPARE(joined->area[0], 0.0);
    QCOMPARE(std::count(joined->parent.begin(), joined->parent.end(), 0), 2);
    QCOMPARE(joined->ofSample[static_cast<std::size_t>(twin)], 0);

    CellBuilder point; // all in one place: nothing but its root
    const auto only = point.dendrite(3, 3, 2, -1);
    point.dendrite(3, 3, 1, point.dendrite(3, 3, 1, only));
    point.dendrite(3, 3, 1, only);
    const auto one = cut(point.morphology(), parameters);
    QCOMPARE(one->compartments(), std::size_t{1});
    QVERIFY(closeTo(one->area[0], 16 * pi, 1e-13));
    QVERIFY(isConsistent(*one));
  }
}

void TestDiscretization::rootsWithoutSoma()
{
  CellBuilder chain;
  chain.dendrite(100, 0, 1, chain.dendrite(50, 0, 1, chain.dendrite(0, 0, 1, -1)));
  const auto single = cut(chain.morphology(), fixedNumber(4));
  QCOMPARE(single->parent, (std::vector<std::int32_t>{-1, 0, 1, 2}));
  QCOMPARE(single->branch, (std::vector<std::int32_t>{0, 0, 0, 0}));
  QVERIFY(single->area[0] > 0);

  CellBuilder pair;
  const auto root = pair.dendrite(0, 0, 1, -1);
  pair.dendrite(40, 0, 1, root);
  pair.dendrite(-40, 0, 1, root);
  const auto joined = cut(pair.morphology(), fixedNumber(2));
  QCOMPARE(joined->parent, (std::vector<std::int32_t>{-1, 0, 1, 0, 3}));
  QCOMPARE(joined->branch, (std::vector<std::int32_t>{-1, 0, 0, 1, 1}));
  QCOMPARE(joined->area[0], 0.0);
  // Half a compartment is 10 um: g = pi / (1e-2 x 100 x 10) uS to each side, no capacitance.
  QVERIFY(closeTo(joined->system->d[0], 2 * pi / 10, 1e-13));
  QVERIFY(closeTo(joined->system->u[1], -pi / 10, 1e-13));
  QVERIFY(closeTo(joined->system->b[0], 0.1, 1e-13));
  QVERIFY(isConsistent(*joined));

  // Symmetric: the same voltage in both halves, and more than rest.
  const auto& s = *joined->system;
  const auto x = solveSerially(s.parent, s.d, s.u, s.b);
  QVERIFY(closeTo(x[1], x[3], 1e-13) && x[0] > x[1] && x[1] > x[2] && x[2] > -65);
}

void TestDiscretization::forest()
{
  CellBuilder cell;
  const auto soma = cell.soma(0, 0, 5);
  cell.dendrite(50, 0, 1, soma);
  const auto other = cell.dendrite(0, 200, 1, -1);
  const auto lone = cell.dendrite(500, 500, 2, -1);
  cell.dendrite(50, 200, 1, other);
  cell.dendrite(-50, 200, 1, other);
  const auto cells = cut(cell.morphology(), fixedNumber(1));
  QVERIFY(isConsistent(*cells));
  QCOMPARE(cells->parent, (std::vector<std::int32_t>{-1, 0, -1, 2, 2, -1}));
  QCOMPARE(cells->ofSample[static_cast<std::size_t>(lone)], 5);
  QVERIFY(closeTo(cells->area[5], 16 * pi, 1e-13)); // a lone sample is a sphere
  for (const std::size_t root : {0u, 2u, 5u})
    QVERIFY(cells->system->b[root] - (cells->area[root] * (1e-5 / 0.025 + 1e-2 / 30000) * -65) > 0.0999999);
}

void TestDiscretization::onePointSoma()
{
  CellBuilder cell;
  cell.soma(1, 2, 6);
  const auto cells = cut(cell.morphology());
  QCOMPARE(cells->compartments(), std::size_t{1});
  QVERIFY(closeTo(cells->area[0], 4 * pi * 36, 1e-13));
  // One backward Euler step of an RC circuit from rest: V = E + I / (C/dt + g).
  const double conductance = 4 * pi * 36 * (1e-5 / 0.025 + 1e-2 / 30000);
  QVERIFY(closeTo(cells->system->b[0] / cells->system->d[0], -65 + 0.1 / conductance, 1e-13));

  CellBuilder two; // two somata: each a sphere of its own
  two.soma(0, 0, 3);
  two.dendrite(90, 0, 1, two.soma(50, 0, 4));
  const auto both = cut(two.morphology());
  QCOMPARE(both->parent, (std::vector<std::int32_t>{-1, -1, 1}));
  QVERIFY(closeTo(both->area[0], 4 * pi * 9, 1e-13));
  QVERIFY(closeTo(both->area[1], 4 * pi * 16, 1e-13));
}

void TestDiscretization::threePointSomaIsOneSphere()
{
  CellBuilder cell;
  const auto centre = cell.soma(0, 0, 6);
  const auto below = cell.soma(0, -6, 6, centre);
  cell.soma(0, 6, 6, centre);
  cell.dendrite(60, 0, 1, cell.dendrite(10, 0, 2, centre));
  cell.dendrite(0, -26, 1.5, below);
  const auto complete = cell.morphology();
  QCOMPARE(static_cast<int>(complete->somaKind), static_cast<int>(morphology::SomaKind::ThreePoint));
  for (const int policy : {0, 1, 2, 3}) {
    DiscretizationParameters parameters;
    parameters.policy = static_cast<DiscretizationPolicy>(policy);
    const auto cells = cut(complete, parameters);
    QVERIFY(isConsistent(*cells));
    QCOMPARE(std::count(cells->branch.begin(), cells->branch.end(), -1), 1);
    QVERIFY(closeTo(cells->area[0], 4 * pi * 36, 1e-13));
    for (std::size_t sample = 0; sample < 3; ++sample)
      QCOMPARE(cells->ofSample[sample], 0);
    const double neurites = 2 * pi * 2 * 10 + pi * 3 * std::sqrt(2501.0) + 2 * pi * 1.5 * 20;
    QVERIFY(closeTo(sum(cells->area), 4 * pi * 36 + neurites, 1e-13));
    QCOMPARE(std::count(cells->parent.begin(), cells->parent.end(), 0), 2);
  }
}

namespace {

/// `samples` points of a ring of radius 10 um around the origin.
void addRing(CellBuilder& cell, int samples, bool separateRoots)
{
  for (int k = 0; k < samples; ++k) {
    const double angle = 2 * pi * k / samples;
    cell.soma(10 * std::cos(angle), 10 * std::sin(angle), 0.1, separateRoots ? -1 : k - 1);
  }
}

} // namespace

void TestDiscretization::contourSomaIsOneSphere()
{
  CellBuilder cell;
  addRing(cell, 16, false);
  cell.dendrite(60, 0, 1, 0);
  cell.dendrite(-60, 0, 1, 8);
  cell.dendrite(0, -60, 1, 15);
  const auto complete = cell.morphology();
  QCOMPARE(static_cast<int>(complete->somaKind), static_cast<int>(morphology::SomaKind::Contour));
  const auto cells = cut(complete, fixedNumber(3));
  QVERIFY(isConsistent(*cells));
  QCOMPARE(cells->compartments(), std::size_t{10});
  QVERIFY(closeTo(cells->area[0], 4 * pi * 100, 1e-12));
  QCOMPARE(cells->parent, (std::vector<std::int32_t>{-1, 0, 1, 2, 0, 4, 5, 0, 7, 8}));
}

void TestDiscretization::contourOfLoneRootsIsOneSphere()
{
  CellBuilder cell;
  addRing(cell, 12, true);
  cell.dendrite(60, 0, 1, 0);
  cell.dendrite(-60, 0, 1, 6);
  const auto complete = cell.morphology();
  QCOMPARE(static_cast<int>(complete->somaKind), static_cast<int>(morphology::SomaKind::Contour));
  const auto cells = cut(complete);
  QVERIFY(isConsistent(*cells));
  QCOMPARE(cells->parent, (std::vector<std::int32_t>{-1, 0, 0}));
  QVERIFY(closeTo(cells->area[0], 4 * pi * 100, 1e-12));
}

void TestDiscretization::somaOfFrusta()
{
  CellBuilder cell;
  const auto first = cell.soma(-10, 0, 4);
  const auto last = cell.soma(10, 0, 6, first);
  cell.dendrite(50, 0, 1, last);
  cell.dendrite(10, 50, 0.5, last);
  const auto complete = cell.morphology();
  QCOMPARE(static_cast<int>(complete->somaKind), static_cast<int>(morphology::SomaKind::Frusta));
  const auto cells = cut(complete);
  QCOMPARE(cells->parent, (std::vector<std::int32_t>{-1, 0, 0}));
  QVERIFY(closeTo(cells->area[0], pi * 10 * std::sqrt(404.0), 1e-13));
  QVERIFY(closeTo(cells->area[1], 2 * pi * 40, 1e-13)); // the neurites do not widen to the soma
  QVERIFY(closeTo(cells->area[2], 2 * pi * 0.5 * 50, 1e-13));
}

void TestDiscretization::somaBelowNeuriteIsASphere()
{
  CellBuilder cell;
  auto at = cell.dendrite(0, 0, 1, -1);
  at = cell.dendrite(50, 0, 1, at);
  const auto soma = cell.soma(100, 0, 8, at);
  at = cell.dendrite(140, 0, 2, soma);
  cell.dendrite(180, 0, 2, at);
  for (const bool twoNeurites : {false, true}) {
    if (twoNeurites)
      cell.dendrite(100, 70, 1, soma);
    const auto cells = cut(cell.morphology(), fixedNumber(2));
    QVERIFY(isConsistent(*cells));
    const auto compartment = static_cast<std::size_t>(cells->ofSample[static_cast<std::size_t>(soma)]);
    QCOMPARE(compartment, std::size_t{2});
    QVERIFY(closeTo(cells->area[compartment], 4 * pi * 64, 1e-13));
    QCOMPARE(cells->parent[3], 2);
    const double cable = 2 * pi * 100 + 2 * pi * 2 * 80 + (twoNeurites ? 2 * pi * 70 : 0);
    QVERIFY(closeTo(sum(cells->area), 4 * pi * 64 + cable, 1e-13));
    // Half a compartment of 50 um with radius 1 um, then half the sphere.
    QVERIFY(closeTo(1 / cells->axialConductance[2], 25 / pi + 8 / (pi * 64), 1e-13));
    QVERIFY(closeTo(1 / cells->axialConductance[3], 8 / (pi * 64) + 20 / (pi * 4), 1e-13));
  }
}

void TestDiscretization::unknownRadii()
{
  CellBuilder cell;
  auto at = cell.dendrite(0, 0, 0, -1);
  at = cell.dendrite(10, 0, 2, at);
  cell.dendrite(30, 0, 0, at);
  QVERIFY(closeTo(sum(cut(cell.morphology())->area), 2 * pi * 2 * 30, 1e-13));

  CellBuilder nowhere;
  nowhere.dendrite(30, 0, 0, nowhere.dendrite(0, 0, 0, -1));
  QVERIFY(closeTo(sum(cut(nowhere.morphology())->area), 2 * pi * 0.5 * 30, 1e-13));
}

void TestDiscretization::extremeShapes()
{
  CellBuilder chain; // deeper than any call stack
  auto at = chain.soma(0, 0, 5);
  for (int k = 1; k <= 300000; ++k)
    at = chain.dendrite(k, 0, 1, at);
  QCOMPARE(cut(chain.morphology())->compartments(), std::size_t{300001});
  QCOMPARE(cut(chain.morphology(), fixedNumber(3))->compartments(), std::size_t{4});

  CellBuilder star;
  const auto soma = star.soma(0, 0, 5);
  for (int k = 0; k < 5000; ++k)
    star.dendrite(100 * std::cos(k), 100 * std::sin(k), 1, soma);
  const auto cells = cut(star.morphology(), fixedNumber(2));
  QCOMPARE(cells->compartments(), std::size_t{10001});
  QVERIFY(isConsistent(*cells));
}

void TestDiscretization::badParameters_data()
{
  QTest::addColumn<double>("value");
  QTest::addColumn<int>("which");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::pair<int, std::vector<double>> bad[] = {
      {0, {0, -1, 100001}},
      {1, {0, 1e-4, -1, 2e9, nan, infinity}},
      {2, {0, 1e-5, 11, nan}},
      {3, {0, -5, 1001}},
      {4, {0, -1, 1001, nan}},
      {5, {0, -1, 2e6, nan, infinity}},
      {6, {-1e-9, 1001, nan}},
      {7, {-1001, 1001, nan}},
      {8, {0, -0.1, 2e6, nan}},
      {9, {-2e6, 2e6, nan, infinity}},
      {10, {-1, 4}},
  };
  for (const auto& [which, values] : bad)
    for (const double value : values)
      QTest::newRow(qPrintable(QString("%1: %2").arg(which).arg(value))) << value << which;
}

void TestDiscretization::badParameters()
{
  QFETCH(double, value);
  QFETCH(int, which);
  DiscretizationParameters p;
  validate(p);
  const auto integer = [&] { return static_cast<std::int32_t>(value); };
  const std::function<void()> set[] = {
      [&] { p.compartmentsPerBranch = integer(); },
      [&] { p.maximumLength = value; },
      [&] { p.dLambda = value; },
      [&] { p.resolution = integer(); },
      [&] { p.membraneCapacitance = value; },
      [&] { p.axialResistivity = value; },
      [&] { p.leakConductance = value; },
      [&] { p.leakReversal = value; },
      [&] { p.timeStep = value; },
      [&] { p.somaCurrent = value; },
      [&] { p.policy = static_cast<DiscretizationPolicy>(integer()); },
  };
  set[which]();
  QCOMPARE(codeOf([&] { validate(p); }), ErrorCode::BadParameter);
  QCOMPARE(codeOf([&] { cut(branchedCell(), p); }), ErrorCode::BadParameter);
}

void TestDiscretization::refusesWhatCannotBeNumbered()
{
  DiscretizationParameters parameters;
  parameters.policy = DiscretizationPolicy::MaximumLength;
  parameters.maximumLength = 1e-3;
  parameters.resolution = 1000;
  const Cell cell = straightCable(1e6, 1, 1); // 1e12 compartments
  QCOMPARE(codeOf([&] { cut(cell, parameters); }), ErrorCode::OutOfMemory);
  const Cell beyondIntegers = straightCable(1e30, 1, 1);
  QCOMPARE(codeOf([&] { cut(beyondIntegers, parameters); }), ErrorCode::OutOfMemory);

  QCOMPARE(codeOf([&] { discretize(nullptr, nullptr, {}); }), ErrorCode::BadParameter);
  QCOMPARE(codeOf([&] { discretize(cell, nullptr, {}); }), ErrorCode::BadParameter);
  const auto others = std::make_shared<const morphology::BranchTree>(morphology::findBranches(*branchedCell()));
  QCOMPARE(codeOf([&] { discretize(cell, others, {}); }), ErrorCode::BadParameter);
}

void TestDiscretization::refusesNumbersOutOfRange()
{
  QCOMPARE(codeOf([] { cut(straightCable(100, 1e-180, 1e-180), fixedNumber(2)); }), ErrorCode::BadParameter);
  QCOMPARE(codeOf([] { cut(straightCable(100, 1e180, 1e180), fixedNumber(2)); }), ErrorCode::BadParameter);
  CellBuilder far;
  far.dendrite(1e308, 1e308, 1, far.dendrite(-1e308, 0, 1, -1));
  QCOMPARE(codeOf([&] { cut(far.morphology()); }), ErrorCode::BadParameter);
}

void TestDiscretization::canBeCancelled()
{
  RunControl early;
  early.cancel();
  QCOMPARE(codeOf([&] { cut(branchedCell(), {}, early); }), ErrorCode::Cancelled);

  int reports = 0;
  std::function<void()> stop;
  const RunControl control([&](std::string_view, double fraction) {
    QVERIFY(fraction >= 0 && fraction <= 1);
    if (++reports == 2)
      stop();
  });
  stop = [&] { control.cancel(); };
  auto parameters = fixedNumber(100000);
  parameters.resolution = 5;
  QCOMPARE(codeOf([&] { cut(straightCable(1000, 1, 1), parameters, control); }), ErrorCode::Cancelled);
  QCOMPARE(reports, 2);
}

void TestDiscretization::isDeterministic()
{
  DiscretizationParameters parameters;
  parameters.policy = DiscretizationPolicy::DLambda;
  const auto first = cut(branchedCell(), parameters);
  const auto second = cut(branchedCell(), parameters);
  QCOMPARE(first->system->d, second->system->d);
  QCOMPARE(first->system->u, second->system->u);
  QCOMPARE(first->system->b, second->system->b);
}

HINESIGHT_TEST(TestDiscretization)
#include "test_discretization.moc"
