#include "core/error.hpp"
#include "core/files.hpp"
#include "core/philox.hpp"
#include "morphology/morphometry.hpp"
#include "morphology/swc.hpp"
#include "paths/paths.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <sstream>
#include <utility>

using namespace hinesight;
using namespace hinesight::morphology;

namespace {

std::shared_ptr<const Morphology> cellOf(const char* text)
{
  return parseSwc(text, "cell.swc");
}

std::vector<BranchMeasures> branchesOf(const Morphology& morphology)
{
  return measureBranches(morphology, findBranches(morphology));
}

/// A root at the origin with a stem along x that ends in two branches at right angles, one of which forks again.
constexpr const char* kTree = "1 3 0 0 0 1 -1\n"
                              "2 3 10 0 0 1 1\n"
                              "3 3 20 0 0 1 2\n"   // fork
                              "4 3 30 10 0 1 3\n"  // tip
                              "5 3 30 -10 0 1 3\n" // fork
                              "6 4 40 -10 0 1 5\n" // tips
                              "7 4 30 -20 0 1 5\n";

struct Row
{
  std::string file;
  double neuriteLength = 0;
  double maxPath = 0;
  int sections = 0; ///< of neurites
  int tips = 0;
  int bifurcations = 0;
  int maxOrder = 0;
};

std::vector<Row> referenceRows()
{
  const std::string path = tests::sharedFile("morphologies/REFERENCE.tsv").toStdString();
  std::vector<Row> rows;
  if (!std::filesystem::exists(path))
    return rows;
  std::istringstream lines(readFile(path));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::vector<std::string> fields;
    std::istringstream of(line);
    for (std::string field; std::getline(of, field, '\t');)
      fields.push_back(field);
    rows.push_back({fields.at(0), std::stod(fields.at(15)), std::stod(fields.at(9)), std::stoi(fields.at(11)),
                    std::stoi(fields.at(12)), std::stoi(fields.at(13)), std::stoi(fields.at(14))});
  }
  return rows;
}

/// Roots of |a + t (b - a)| = r in (0, 1], those at which two halves meet once: what Sholl counts, by algebra.
int crossingsByAlgebra(const std::array<double, 3>& a, const std::array<double, 3>& b, double radius)
{
  double aa = 0, ab = 0, bb = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double along = b[k] - a[k];
    aa += a[k] * a[k];
    ab += a[k] * along;
    bb += along * along;
  }
  const double discriminant = ab * ab - bb * (aa - radius * radius);
  if (!(discriminant > 0) || bb == 0)
    return 0;
  int count = 0;
  for (const double sign : {-1.0, 1.0}) {
    const double t = (-ab + sign * std::sqrt(discriminant)) / bb;
    count += t > 0 && t < 1;
  }
  return count;
}

} // namespace

class TestMorphometry : public QObject
{
  Q_OBJECT

private slots:
  void measuresATreeByHand()
  {
    const auto branches = branchesOf(*cellOf(kTree));
    QCOMPARE(branches.size(), std::size_t{5});
    const double diagonal = std::sqrt(200.0);
    const double lengths[] = {20, diagonal, diagonal, 10, 10};
    const int orders[] = {0, 1, 1, 2, 2};
    const int strahler[] = {2, 1, 2, 1, 1};
    for (std::size_t k = 0; k < branches.size(); ++k) {
      QCOMPARE(branches[k].length, lengths[k]);
      QCOMPARE(branches[k].distance, lengths[k]);
      QCOMPARE(branches[k].contraction(), 1.0);
      QCOMPARE(branches[k].order, orders[k]);
      QCOMPARE(branches[k].strahler, strahler[k]);
      QCOMPARE(branches[k].meanDiameter, 2.0);
      QCOMPARE(branches[k].area, 2 * std::numbers::pi * lengths[k]);
      QCOMPARE(branches[k].volume, std::numbers::pi * lengths[k]);
    }
    QCOMPARE(branches[0].localAngle, 90.0);
    QCOMPARE(branches[2].localAngle, 90.0);
    QVERIFY(std::isnan(branches[1].localAngle) && branches[1].isTip);
    QCOMPARE(branches[3].endPath, 20 + diagonal + 10);
    const auto types = totalsByType(branches);
    QCOMPARE(types.size(), std::size_t{2});
    QCOMPARE(types[0].type, 3);
    QCOMPARE(types[0].bifurcations, 2);
    QCOMPARE(types[0].tips, 1);
    QCOMPARE(types[1].length, 20.0);
    QCOMPARE(types[1].tips, 2);
  }

  void measuresCones()
  {
    // Radii 3 and 1 over a length of 4: slant sqrt(20).
    const auto branches = branchesOf(*cellOf("1 3 0 0 0 3 -1\n2 3 4 0 0 1 1\n"));
    QCOMPARE(branches[0].area, std::numbers::pi * 4 * std::sqrt(20.0));
    QCOMPARE(branches[0].volume, std::numbers::pi * 4 / 3 * (9 + 3 + 1));
    QCOMPARE(branches[0].meanDiameter, 4.0);
  }

  void theSegmentToTheSomaIsNoNeurite()
  {
    const auto cell = cellOf("1 1 0 0 0 5 -1\n2 3 6 0 0 1 1\n3 3 16 0 0 1 2\n");
    const auto branches = branchesOf(*cell);
    QCOMPARE(branches[0].length, 10.0);
    QCOMPARE(branches[0].distance, 10.0);
    QCOMPARE(branches[0].endPath, 16.0);
    const ShollProfile profile = sholl(*cell, somaCentreOf(*cell), 2);
    QVERIFY((profile.intersections == std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1, 1, 1}));
    QCOMPARE(profile.reach, 16.0);
    const auto soma = cellOf("1 1 0 0 0 5 -1\n2 3 6 0 0 1 1\n");
    QCOMPARE(sholl(*soma, somaCentreOf(*soma), 2).reach, 0.0);
  }

  void countsIntersectionsWithSpheres()
  {
    // Five straight arms from the centre, and one segment that passes the centre at a distance of 3.
    std::ostringstream text;
    text << "1 3 0 0 0 1 -1\n";
    for (int k = 0; k < 5; ++k)
      text << k + 2 << " 3 " << 10 * std::cos(k) << ' ' << 10 * std::sin(k) << " 0 1 1\n";
    text << "7 3 -4 3 0 1 -1\n8 3 4 3 0 1 7\n";
    const auto cell = cellOf(text.str().c_str());
    const ShollProfile profile = sholl(*cell, {0, 0, 0}, 1);
    // The passing segment reaches from 5 to 3 and back to 5.
    for (std::size_t k = 0; k < 9; ++k)
      QCOMPARE(profile.intersections[k], 5u + (k == 3 || k == 4 ? 2u : 0u));
    QCOMPARE(profile.radius(0), 1.0);
  }

  void crossesAsAlgebraSays()
  {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Morphology cell;
      for (int i = 0; i < 60; ++i) {
        const auto draw = [&](std::uint32_t which) {
          return 100 * randomUniform(seed, static_cast<std::uint64_t>(i), 0, which) - 50;
        };
        cell.id.push_back(i + 1);
        cell.type.push_back(3);
        cell.x.push_back(draw(0));
        cell.y.push_back(draw(1));
        cell.z.push_back(draw(2));
        cell.radius.push_back(1);
        cell.parent.push_back(i == 0 ? -1 : static_cast<std::int32_t>(randomUniform(seed, i, 1, 0) * i));
        cell.line.push_back(i + 1);
      }
      completeMorphology(cell);
      const std::array<double, 3> centre = {3, -2, 1};
      const ShollProfile profile = sholl(cell, centre, 7.3);
      std::vector<std::uint32_t> wanted(profile.intersections.size() + 1, 0);
      std::map<std::pair<std::size_t, std::size_t>, int> ofSegments; // of a sample and a sphere
      for (const ShollCrossing& crossing : profile.crossings)
        for (std::size_t k = crossing.first; k < crossing.end; ++k)
          ++ofSegments[{static_cast<std::size_t>(crossing.sample), k}];
      for (std::size_t i = 1; i < cell.samples(); ++i) {
        const auto p = static_cast<std::size_t>(cell.parent[i]);
        for (std::size_t k = 0; k < wanted.size(); ++k) {
          const int times = crossingsByAlgebra({cell.x[p] - centre[0], cell.y[p] - centre[1], cell.z[p] - centre[2]},
                                               {cell.x[i] - centre[0], cell.y[i] - centre[1], cell.z[i] - centre[2]},
                                               7.3 * static_cast<double>(k + 1));
          wanted[k] += static_cast<std::uint32_t>(times);
          const auto found = ofSegments.find({i, k});
          QCOMPARE(found == ofSegments.end() ? 0 : found->second, times);
        }
      }
      QCOMPARE(wanted.back(), 0u); // nothing reaches farther
      wanted.pop_back();
      QVERIFY2(profile.intersections == wanted, std::to_string(seed).c_str());
    }
  }

  void refusesStepsThatAreNone()
  {
    const auto cell = cellOf(kTree);
    for (const double step : {0.0, -1.0, std::nan(""), 1e-9})
      QVERIFY_EXCEPTION_THROWN(sholl(*cell, {0, 0, 0}, step), Error);
  }

  void measuresTheWayBetweenSamples()
  {
    const auto cell = cellOf((std::string(kTree) + "8 3 90 0 0 1 -1\n").c_str());
    const auto path = pathBetween(*cell, 3, 6); // the ids 4 and 7
    QVERIFY(path);
    QCOMPARE(path->length, 2 * std::sqrt(200.0) + 10);
    QCOMPARE(path->distance, 30.0);
    QVERIFY((path->samples == std::vector<std::int32_t>{3, 2, 4, 6}));
    QCOMPARE(pathBetween(*cell, 5, 5)->length, 0.0);
    QCOMPARE(pathBetween(*cell, 0, 5)->samples.size(), std::size_t{5});
    QVERIFY(!pathBetween(*cell, 0, 7));
  }

  /// MorphIO's and NeuroM's lengths of neurites, ../shared/morphologies/REFERENCE.tsv.
  void agreesWithPublishedLengths()
  {
    const std::vector<Row> rows = referenceRows();
    if (rows.empty())
      QSKIP("the shared morphologies are not here");
    for (const Row& row : rows) {
      const auto cell = readSwc(tests::sharedFile("morphologies/real/").toStdString() + row.file);
      double neurites = 0;
      double longest = 0;
      for (const TypeMeasures& total : totalsByType(branchesOf(*cell))) {
        neurites += total.type == kSoma ? 0 : total.length;
        longest = std::max(longest, total.maxPath);
      }
      QVERIFY2(std::abs(neurites - row.neuriteLength) <= 1e-8 * row.neuriteLength,
               (row.file + " " + std::to_string(neurites) + " " + std::to_string(row.neuriteLength)).c_str());
      QVERIFY2(std::abs(longest - row.maxPath) <= 1e-8 * row.maxPath, row.file.c_str());
    }
  }

  /// The same of their counts. A root of a neurite that forks, or that nothing follows, is a section there.
  void agreesWithPublishedCounts()
  {
    const std::vector<Row> rows = referenceRows();
    if (rows.empty())
      QSKIP("the shared morphologies are not here");
    for (const Row& row : rows) {
      const auto cell = readSwc(tests::sharedFile("morphologies/real/").toStdString() + row.file);
      Row counted;
      std::vector<int> following(cell->samples(), 0);
      for (const std::int32_t parent : cell->parent)
        if (parent >= 0)
          ++following[static_cast<std::size_t>(parent)];
      for (std::size_t k = 0; k < cell->samples(); ++k)
        if (cell->parent[k] < 0 && cell->type[k] != kSoma && following[k] != 1) {
          ++counted.sections;
          counted.tips += following[k] == 0 ? 1 : 0;
          counted.bifurcations += following[k] > 1 ? 1 : 0;
        }
      for (const TypeMeasures& total : totalsByType(branchesOf(*cell)))
        if (total.type != kSoma) {
          counted.sections += total.branches;
          counted.tips += total.tips;
          counted.bifurcations += total.bifurcations;
          counted.maxOrder = std::max(counted.maxOrder, static_cast<int>(total.maxOrder));
        }
      QCOMPARE(counted.sections, row.sections);
      QCOMPARE(counted.tips, row.tips);
      QCOMPARE(counted.bifurcations, row.bifurcations);
      QCOMPARE(counted.maxOrder, row.maxOrder);
    }
  }

  void isLinear()
  {
    std::ostringstream text;
    for (int i = 1; i <= 300'000; ++i)
      text << i << " 3 " << i << " 0 0 1 " << (i == 1 ? -1 : i - 1) << '\n';
    const auto cell = cellOf(text.str().c_str());
    QCOMPARE(branchesOf(*cell)[0].length, 299'999.0);
    QCOMPARE(pathBetween(*cell, 0, 299'999)->length, 299'999.0);
    QCOMPARE(sholl(*cell, {1, 0, 0}, 1000).intersections, std::vector<std::uint32_t>(299, 1));
  }
};

HINESIGHT_TEST(TestMorphometry)

#include "test_morphometry.moc"
