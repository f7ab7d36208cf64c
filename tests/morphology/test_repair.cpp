#include "core/error.hpp"
#include "morphology/repair.hpp"
#include "morphology/swc.hpp"
#include "paths/paths.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QtTest>

#include <algorithm>
#include <sstream>

using namespace hinesight;
using namespace hinesight::morphology;

namespace {

std::shared_ptr<const Morphology> parse(const char* text)
{
  return parseSwc(text, "cell.swc");
}

RepairedCell repairAll(const std::shared_ptr<const Morphology>& cell, const RepairParameters& parameters = {})
{
  return repair(cell, kAllRepairs, parameters);
}

std::vector<Repair> repairsOf(const RepairedCell& repaired)
{
  std::vector<Repair> repairs;
  for (const RepairChange& change : repaired.changes)
    repairs.push_back(change.repair);
  return repairs;
}

} // namespace

class TestRepair : public QObject
{
  Q_OBJECT

private slots:
  void leavesASoundCellAsItIs();
  void scalesToMicrometres();
  void writesAScaledCellInMicrometres();
  void interpolatesUnknownRadii();
  void takesTheMedianOfABranch();
  void joinsSeparatePartsNearestFirst();
  void leavesPartsWithASoma();
  void dropsSeparateParts();
  void writesCountsAsTablesDo();
  void makesASoma();
  void putsParentsBeforeChildren();
  void centresTheSoma();
  void turnsAboutTheSoma();
  void movesTheCell();
  void doesOnlyWhatIsWanted();
  void saysInTheFileWhatWasRepaired();
  void refusesWhatIsOutOfRange();
  void leavesNothingToRepair();
};

void TestRepair::leavesASoundCellAsItIs()
{
  const auto cell = parse("1 1 0 0 0 5 -1\n2 3 0 9 0 1 1\n3 3 0 19 0 1 2\n");
  const RepairedCell repaired = repairAll(cell);
  QVERIFY(repaired.changes.empty());
  QCOMPARE(repaired.morphology.get(), cell.get());
}

void TestRepair::scalesToMicrometres()
{
  const auto cell = parse("1 1 0 0 0 6000 -1\n2 3 0 40000 0 500 1\n");
  const RepairedCell repaired = repairAll(cell);
  QCOMPARE(repairsOf(repaired), std::vector{Repair::Scale});
  QCOMPARE(repaired.changes[0].samples, std::size_t{2});
  QCOMPARE(repaired.morphology->y[1], 40.0);
  QCOMPARE(repaired.morphology->radius[0], 6.0);
  QVERIFY(repaired.morphology->warnings.empty());
  RepairParameters voxels;
  voxels.unit = 0.008;
  QCOMPARE(repairAll(cell, voxels).morphology->radius[0], 48.0);
}

/// A unit that a person gave to the cell already.
void TestRepair::writesAScaledCellInMicrometres()
{
  auto cell = std::make_shared<Morphology>(*parse("1 1 0 0 0 6 -1\n2 3 0 40 0 0.5 1\n"));
  cell->unitScale = 0.001;
  const RepairedCell repaired = repairAll(cell);
  QCOMPARE(repairsOf(repaired), std::vector{Repair::Scale});
  QCOMPARE(repaired.morphology->unitScale, 1.0);
  QCOMPARE(repaired.morphology->y[1], 40.0);
}

void TestRepair::interpolatesUnknownRadii()
{
  // From 2 at 10 um to 1 at 40 um; the tip takes the last known one, and the soma's counts for no neurite.
  const auto cell = parse("1 1 0 0 0 8 -1\n2 3 0 5 0 0 1\n3 3 0 10 0 2 2\n4 3 0 20 0 0 3\n5 3 0 40 0 1 4\n"
                          "6 3 0 50 0 -1 5\n");
  const RepairedCell repaired = repairAll(cell);
  QCOMPARE(repairsOf(repaired), std::vector{Repair::Radius});
  QCOMPARE(repaired.changes[0].samples, std::size_t{3});
  const std::vector<double>& radius = repaired.morphology->radius;
  QCOMPARE(radius[0], 8.0);
  QCOMPARE(radius[1], 2.0);
  QCOMPARE(radius[3], 2 - 1 / 3.0);
  QCOMPARE(radius[5], 1.0);
  QVERIFY(repaired.morphology->warnings.empty());

  const RepairedCell guessed = repairAll(parse("1 1 0 0 0 0 -1\n2 3 0 5 0 0 1\n"));
  QVERIFY(std::ranges::all_of(guessed.morphology->radius, [](double r) { return r == 0.5; }));
  QVERIFY(guessed.changes[0].sentence.find("2 of them") != std::string::npos);
}

void TestRepair::takesTheMedianOfABranch()
{
  const auto cell =
      parse("1 1 0 0 0 8 -1\n2 3 0 5 0 1 1\n3 3 0 10 0 7 2\n4 3 0 20 0 0 3\n5 3 0 40 0 3 4\n6 3 9 0 0 0 1\n");
  RepairParameters parameters;
  parameters.radii = RadiusRule::BranchMedian;
  const RepairedCell repaired = repairAll(cell, parameters);
  QCOMPARE(repaired.morphology->radius[3], 3.0);
  QVERIFY(repaired.morphology->radius[5] > 0); // its branch has none
}

void TestRepair::joinsSeparatePartsNearestFirst()
{
  // The second part goes on where the first ends.
  const auto cell = parse("1 1 0 0 0 5 -1\n2 3 0 10 0 1 1\n3 3 0 40 0 1 -1\n4 3 0 50 0 1 3\n5 3 0 12 0 1 -1\n"
                          "6 3 0 35 0 1 5\n");
  const RepairedCell repaired = repairAll(cell);
  QCOMPARE(repairsOf(repaired), (std::vector{Repair::Parts, Repair::Order}));
  QCOMPARE(repaired.changes[0].samples, std::size_t{4});
  QVERIFY2(repaired.changes[0].sentence.ends_with("at most 5 µm away"), repaired.changes[0].sentence.c_str());
  QCOMPARE(repaired.morphology->roots.size(), std::size_t{1});
  QCOMPARE(repaired.morphology->y, (std::vector<double>{0, 10, 12, 35, 40, 50}));
  QCOMPARE(repaired.morphology->parent, (std::vector<std::int32_t>{-1, 0, 1, 2, 3, 4}));
}

void TestRepair::leavesPartsWithASoma()
{
  const auto cell = parse("1 1 0 0 0 5 -1\n2 3 0 10 0 1 1\n3 1 90 0 0 5 -1\n4 3 90 10 0 1 3\n");
  QVERIFY(repairAll(cell).changes.empty());
}

void TestRepair::dropsSeparateParts()
{
  RepairParameters parameters;
  parameters.parts = PartRule::Dropped;
  const auto cell = parse("1 3 9 9 0 1 -1\n2 1 0 0 0 5 -1\n3 3 0 10 0 1 2\n4 3 0 40 0 1 3\n");
  const RepairedCell repaired = repairAll(cell, parameters);
  QCOMPARE(repaired.changes[0].sentence, std::string("1 separate part with 1 of 4 samples are left out"));
  QCOMPARE(repaired.morphology->samples(), std::size_t{3});
  QCOMPARE(repaired.morphology->parent, (std::vector<std::int32_t>{-1, 0, 1}));
}

void TestRepair::writesCountsAsTablesDo()
{
  std::string rows = "1 1 0 0 0 5 -1\n";
  for (int id = 2; id <= 1235; ++id)
    rows += std::to_string(id) + " 3 " + std::to_string(id) + " 0 0 0 " + std::to_string(id - 1) + "\n";
  const std::string sentence = repairAll(parse(rows.c_str())).changes[0].sentence;
  QVERIFY2(sentence.starts_with("1,234 unknown radii are "), sentence.c_str());
  QVERIFY2(sentence.find("; 1,234 of them") != std::string::npos, sentence.c_str());
}

void TestRepair::makesASoma()
{
  const auto cell = parse("1 3 0 0 0 2 -1\n2 3 0 9 0 1 1\n");
  const RepairedCell one = repairAll(cell);
  QCOMPARE(one.morphology->type, (std::vector<std::int32_t>{kSoma, 3}));
  QCOMPARE(one.morphology->somaKind, SomaKind::Sphere);
  RepairParameters parameters;
  parameters.soma = SomaRule::ThreePoints;
  parameters.somaRadius = 6;
  const RepairedCell three = repairAll(cell, parameters);
  QCOMPARE(three.morphology->somaKind, SomaKind::ThreePoint);
  QCOMPARE(three.morphology->somaRadius, 6.0);
  QCOMPARE(three.changes[0].samples, std::size_t{3});
  QVERIFY(three.morphology->warnings.empty());
}

void TestRepair::putsParentsBeforeChildren()
{
  const auto cell = parse("9 3 0 20 0 1 5\n5 3 0 10 0 1 2\n2 1 0 0 0 5 -1\n");
  const RepairedCell repaired = repairAll(cell);
  QCOMPARE(repairsOf(repaired), std::vector{Repair::Order});
  QCOMPARE(repaired.morphology->id, (std::vector<std::int64_t>{1, 2, 3}));
  QCOMPARE(repaired.morphology->y, (std::vector<double>{0, 10, 20}));
  QCOMPARE(repaired.morphology->parent, (std::vector<std::int32_t>{-1, 0, 1}));
}

void TestRepair::centresTheSoma()
{
  const auto cell = parse("1 1 100 200 -30 5 -1\n2 3 100 209 -30 1 1\n");
  RepairParameters parameters;
  parameters.place.isCentred = true;
  const RepairedCell repaired = repairAll(cell, parameters);
  QCOMPARE(repairsOf(repaired), std::vector{Repair::Place});
  QCOMPARE(repaired.morphology->x, (std::vector<double>{0, 0}));
  QCOMPARE(repaired.morphology->y, (std::vector<double>{0, 9}));
  QCOMPARE(repaired.morphology->z, (std::vector<double>{0, 0}));
  QVERIFY(repairAll(repaired.morphology, parameters).changes.empty()); // it is there
}

/// A quarter about z takes x to y, about y z to x, about x y to z; about z comes first.
void TestRepair::turnsAboutTheSoma()
{
  const auto cell = parse("1 1 100 0 0 5 -1\n2 3 109 0 0 1 1\n");
  const auto tipOf = [&](const std::array<double, 3>& turn, bool isCentred) {
    RepairParameters parameters;
    parameters.place.turn = turn;
    parameters.place.isCentred = isCentred;
    const RepairedCell repaired = repairAll(cell, parameters);
    const Morphology& turned = *repaired.morphology;
    return std::array{std::round(turned.x[1] * 1e9) / 1e9, std::round(turned.y[1] * 1e9) / 1e9,
                      std::round(turned.z[1] * 1e9) / 1e9};
  };
  QCOMPARE(tipOf({0, 0, 90}, false), (std::array{100.0, 9.0, 0.0}));
  QCOMPARE(tipOf({0, 0, 90}, true), (std::array{0.0, 9.0, 0.0}));
  QCOMPARE(tipOf({0, 90, 0}, true), (std::array{0.0, 0.0, -9.0}));
  QCOMPARE(tipOf({90, 0, 90}, true), (std::array{0.0, 0.0, 9.0}));
  RepairParameters parameters;
  parameters.place.turn = {10, 20, 30};
  const RepairedCell repaired = repairAll(cell, parameters);
  QVERIFY(std::abs(sampleDistance(*repaired.morphology, 0, 1) - 9) < 1e-12); // as long as before
}

/// After it was centred.
void TestRepair::movesTheCell()
{
  const auto cell = parse("1 1 100 0 0 5 -1\n2 3 109 0 0 1 1\n");
  RepairParameters parameters;
  parameters.place.move = {1, 2, -3};
  const RepairedCell moved = repairAll(cell, parameters);
  QCOMPARE(repairsOf(moved), std::vector{Repair::Place});
  QCOMPARE(moved.morphology->x, (std::vector<double>{101, 110}));
  QCOMPARE(moved.morphology->y, (std::vector<double>{2, 2}));
  QCOMPARE(moved.morphology->z, (std::vector<double>{-3, -3}));
  parameters.place.isCentred = true;
  QCOMPARE(repairAll(cell, parameters).morphology->x, (std::vector<double>{1, 10}));
}

void TestRepair::doesOnlyWhatIsWanted()
{
  const auto cell = parse("4 3 0 0 0 0 -1\n7 3 0 9 0 1 4\n");
  const Repair wanted[] = {Repair::Radius};
  const RepairedCell repaired = repair(cell, wanted);
  QCOMPARE(repairsOf(repaired), std::vector{Repair::Radius});
  QCOMPARE(repaired.morphology->id, (std::vector<std::int64_t>{4, 7}));
  QVERIFY(repair(cell, {}).changes.empty());
}

void TestRepair::saysInTheFileWhatWasRepaired()
{
  const RepairedCell repaired = repairAll(parse("# by hand\n1 1 0 0 0 5 -1\n2 3 0 9 0 0 1\n"));
  std::ostringstream text;
  writeSwc(*repaired.morphology, text);
  QVERIFY2(text.str().starts_with("# by hand\n# Repaired: 1 unknown radius is interpolated along the tree"),
           text.str().c_str());
}

void TestRepair::refusesWhatIsOutOfRange()
{
  RepairParameters parameters;
  parameters.somaRadius = -1;
  QVERIFY_THROWS_EXCEPTION(Error, repairAll(parse("1 1 0 0 0 5 -1\n"), parameters));
}

/// Of all the little files with one quirk each: what was repaired is sound, and reads as it was written.
void TestRepair::leavesNothingToRepair()
{
  const QDir folder(tests::testData("swc/edge"));
  int repairedFiles = 0;
  for (const QString& name : folder.entryList({"*.swc"}, QDir::Files)) {
    std::shared_ptr<const Morphology> cell;
    try {
      cell = readSwc(folder.filePath(name).toStdString());
    } catch (const Error&) {
      continue;
    }
    const RepairedCell once = repairAll(cell);
    repairedFiles += !once.changes.empty();
    const RepairedCell twice = repairAll(once.morphology);
    QVERIFY2(twice.changes.empty(), qPrintable(name));
    QVERIFY2(once.changes.empty() || once.morphology->warnings.size() <= cell->warnings.size(), qPrintable(name));
  }
  QVERIFY(repairedFiles > 10);
}

HINESIGHT_TEST(TestRepair)
#include "test_repair.moc"
