#include "core/error.hpp"
#include "projection/cut_contour.hpp"
#include "projection/parameters.hpp"
#include "test_main.hpp"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace hinesight;
using namespace hinesight::projection;

namespace {

constexpr std::uint32_t kSide = 60;
constexpr std::uint32_t kSamples = 97;

std::shared_ptr<const Population> grid(std::uint32_t side)
{
  PopulationParameters parameters;
  parameters.size = {side, side, 1};
  return makePopulation(parameters);
}

/// A Gaussian of that width and cut between two grids.
Projection gaussian(double sigma, double cut)
{
  Projection projection{grid(kSide), grid(kSide), {}};
  projection.parameters.kernel = KernelKind::Gaussian;
  projection.parameters.sigma = sigma;
  projection.parameters.cut = cut;
  return projection;
}

constexpr std::uint32_t kSource = 25 * kSide + 31; // at x = 31, y = 25

ContourRegion around(double x, double y, double half)
{
  return {{x - half, y - half}, {x + half, y + half}, 0};
}

/// Where a Gaussian falls to the cut.
double radiusOf(double sigma, double cut)
{
  return sigma * std::sqrt(-2 * std::log(cut));
}

double lengthOf(const std::vector<ContourSegment>& segments)
{
  double length = 0;
  for (const auto& [a, b] : segments)
    length += std::hypot(a[0] - b[0], a[1] - b[1]);
  return length;
}

} // namespace

/// Contours beside the circles, ellipses and squares that the formulas of the kernels say.
class TestCutContour : public QObject
{
  Q_OBJECT

private Q_SLOTS:
  void isACircleForAGaussian();
  void liesAroundTheOffset();
  void widensWithTheSource();
  void isASquareForABox();
  void hasTwoRingsWhereTheKernelHas();
  void closesOverTheEdgeOfATorus();
  void isTheSameForARandomRule();
  void isEmptyWhereThereIsNoBorder();
  void refusesNothingToSample();
};

void TestCutContour::isACircleForAGaussian()
{
  const double radius = radiusOf(4, 0.01);
  const double step = 2 * 15.0 / (kSamples - 1);
  const auto contour = cutContour(gaussian(4, 0.01), kSource, around(31, 25, 15), kSamples);
  for (const ContourSegment& segment : contour)
    for (const Position& at : segment) {
      const double distance = std::hypot(at[0] - 31, at[1] - 25);
      // The kernel is convex beyond sigma, so that the interpolated point is outside by far less than a step.
      QVERIFY2(std::abs(distance - radius) < 0.05 * step, qPrintable(QString::number(distance - radius)));
      QCOMPARE(at[2], 0.0);
    }
  QVERIFY(std::abs(lengthOf(contour) / (2 * std::numbers::pi * radius) - 1) < 0.002);
}

void TestCutContour::liesAroundTheOffset()
{
  Projection projection = gaussian(3, 0.05);
  projection.parameters.offsetX = 7;
  projection.parameters.offsetY = -4;
  const auto contour = cutContour(projection, kSource, around(38, 21, 10), kSamples);
  QVERIFY(!contour.empty());
  for (const ContourSegment& segment : contour)
    QVERIFY(std::abs(std::hypot(segment[0][0] - 38, segment[0][1] - 21) - radiusOf(3, 0.05)) < 0.02);
}

void TestCutContour::widensWithTheSource()
{
  Projection projection = gaussian(1, 0.2);
  projection.parameters.kernel = KernelKind::WideningGaussian;
  const double sigma = wideningSigma(projection.parameters, kSide, 25);
  const auto contour = cutContour(projection, kSource, around(31, 25, 60), 241);
  QVERIFY(!contour.empty());
  for (const ContourSegment& segment : contour)
    QVERIFY(std::abs(std::hypot(segment[0][0] - 31, segment[0][1] - 25) - radiusOf(sigma, 0.2)) < 0.05);
}

void TestCutContour::isASquareForABox()
{
  Projection projection = gaussian(4, 1e-6);
  projection.parameters.boxCut = 1.5; // |dx| and |dy| below 6, where the kernel is far above the cut
  const double step = 2 * 10.0 / (kSamples - 1);
  const auto contour = cutContour(projection, kSource, around(31, 25, 10), kSamples);
  QVERIFY(!contour.empty());
  for (const ContourSegment& segment : contour) {
    const double reach = std::max(std::abs(segment[0][0] - 31), std::abs(segment[0][1] - 25));
    QVERIFY2(std::abs(reach - 6) <= step, qPrintable(QString::number(reach)));
  }
}

void TestCutContour::hasTwoRingsWhereTheKernelHas()
{
  Projection projection = gaussian(1, 0.1);
  projection.parameters.kernel = KernelKind::DifferenceOfGaussians;
  projection.parameters.sigma = 3;
  projection.parameters.surroundSigma = 9;
  projection.parameters.surroundGain = 0.6;
  const auto contour = cutContour(projection, kSource, around(31, 25, 28), 281);
  const auto valueAt = [](double r) { return std::exp(-r * r / 18) - 0.6 * std::exp(-r * r / 162); };
  // Each of the points is on one of the borders, and every border has some: inside of the centre, and both of the
  // surround.
  std::vector<double> distances;
  for (const ContourSegment& segment : contour) {
    const double r = std::hypot(segment[0][0] - 31, segment[0][1] - 25);
    QVERIFY(std::abs(std::abs(valueAt(r)) - 0.1) < 0.002);
    distances.push_back(r);
  }
  const auto between = [&](double low, double high) {
    return std::any_of(distances.begin(), distances.end(), [&](double r) { return r > low && r < high; });
  };
  QVERIFY(between(0, 3.1)); // from 0.4 down to 0.1
  QVERIFY(between(3.1, 8)); // from -0.1 further down
  QVERIFY(between(8, 28));  // and up again
}

void TestCutContour::closesOverTheEdgeOfATorus()
{
  Projection projection = gaussian(4, 0.1);
  projection.parameters.wrap = true;
  const double radius = radiusOf(4, 0.1);
  const auto contour = cutContour(projection, 0, {{-0.5, -0.5}, {kSide - 0.5, kSide - 0.5}, 0}, 240);
  const auto nearest = [](double d) { return d - kSide * std::round(d / kSide); };
  for (const ContourSegment& segment : contour)
    QVERIFY(std::abs(std::hypot(nearest(segment[0][0]), nearest(segment[0][1])) - radius) < 0.02);
  // All of the circle, over the edges too.
  QVERIFY(std::abs(lengthOf(contour) / (2 * std::numbers::pi * radius) - 1) < 0.002);
}

void TestCutContour::isTheSameForARandomRule()
{
  Projection projection = gaussian(4, 0.01);
  const auto weighted = cutContour(projection, kSource, around(31, 25, 15), kSamples);
  projection.parameters.rule = ConnectionRule::Random;
  projection.parameters.selfConnections = false;
  QVERIFY(cutContour(projection, kSource, around(31, 25, 15), kSamples) == weighted);
}

void TestCutContour::isEmptyWhereThereIsNoBorder()
{
  QVERIFY(cutContour(gaussian(4, 0), kSource, around(31, 25, 15), kSamples).empty());
  QVERIFY(cutContour(gaussian(4, 2), kSource, around(31, 25, 15), kSamples).empty()); // the gain is 1
  for (const KernelKind kernel : {KernelKind::OneToOne, KernelKind::Nearest, KernelKind::AllToAll}) {
    Projection projection = gaussian(4, 0.5);
    projection.parameters.kernel = kernel;
    QVERIFY(cutContour(projection, kSource, around(31, 25, 15), kSamples).empty());
  }
}

void TestCutContour::refusesNothingToSample()
{
  QVERIFY_EXCEPTION_THROWN(cutContour(gaussian(4, 0.1), kSource, around(31, 25, 15), 1), Error);
  QVERIFY_EXCEPTION_THROWN(cutContour(gaussian(4, 0.1), kSource, around(31, 25, 0), kSamples), Error);
}

HINESIGHT_TEST(TestCutContour)
#include "test_cut_contour.moc"
