#include "morphology/branches.hpp"
#include "morphology/swc_samples.hpp"
#include "morphology/unit_scale.hpp"
#include "paths/paths.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <limits>

using namespace hinesight;
using namespace hinesight::morphology;
using namespace swc_samples;

namespace {

/// The scale that the warnings suggest; 0: none does.
double suggestedScale(const Morphology& morphology)
{
  double scale = 0;
  for (const Warning& warning : morphology.warnings)
    scale = std::max(scale, warning.suggestedScale);
  return scale;
}

} // namespace

class TestUnitScale : public QObject
{
  Q_OBJECT

private slots:
  void scalesEveryLength();
  void leavesMicrometresAlone();
  void keepsTheRadiusOfLastResort();
  void refusesScalesOutOfRange();
  void suggestsTheUnit_data();
  void suggestsTheUnit();
  void warnsOfTheSizeThatTheScaleMakes();
  void suggestsNanometresOfRealFiles();
};

void TestUnitScale::scalesEveryLength()
{
  const std::string text = "1 1 1000 2000 3000 5000 -1\n2 3 1000 12000 3000 500 1\n3 3 1000 12000 43000 0 2\n";
  const auto asRead = parse(text);
  const auto cell = inMicrometres(asRead, 0.001);
  QCOMPARE(cell->unitScale, 0.001);
  QCOMPARE(asRead->unitScale, 1.0);
  QCOMPARE(cell->x[1], 1.0);
  QCOMPARE(cell->y[1], 12.0);
  QCOMPARE(cell->z[2], 43.0);
  QCOMPARE(cell->radius, (std::vector<double>{5, 0.5, 0}));
  QCOMPARE(cell->solvedRadius, (std::vector<double>{5, 0.5, 0.5}));
  QCOMPARE(cell->somaKind, SomaKind::Sphere);
  QCOMPARE(cell->somaRadius, 5.0);
  QCOMPARE(cell->somaCentre, (std::array<double, 3>{1, 2, 3}));
  QCOMPARE(cell->id, asRead->id);
  QCOMPARE(cell->parent, asRead->parent);
  QCOMPARE(cell->order, asRead->order);
  const MorphologyMetrics metrics = measure(*cell, findBranches(*cell));
  QCOMPARE(metrics.totalLength, 50.0);
  QCOMPARE(metrics.maxPathDistance, 50.0);
  QCOMPARE(metrics.upper[2], 43.0);
}

void TestUnitScale::leavesMicrometresAlone()
{
  const auto asRead = parse("1 1 0 0 0 5 -1\n2 3 0 10 0 1 1\n");
  QCOMPARE(inMicrometres(asRead, 1), asRead);
}

/// Half a micrometre, whatever the unit of the file.
void TestUnitScale::keepsTheRadiusOfLastResort()
{
  const auto cell = inMicrometres(parse("1 3 0 0 0 0 -1\n2 3 0 1000 0 0 1\n"), 0.001);
  QCOMPARE(cell->solvedRadius, (std::vector<double>{0.5, 0.5}));
  QCOMPARE(cell->y[1], 1.0);
}

void TestUnitScale::refusesScalesOutOfRange()
{
  const auto asRead = parse("1 1 0 0 0 5 -1\n2 3 0 10 0 1 1\n");
  for (const double scale :
       {0.0, -1.0, 1e-7, 1e7, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    const auto error = errorOf([&] { inMicrometres(asRead, scale); });
    QVERIFY(error);
    QCOMPARE(error->code(), ErrorCode::BadParameter);
  }
}

void TestUnitScale::suggestsTheUnit_data()
{
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<double>("scale");
  const QByteArray stem = "2 3 0 90000 0 150 1\n";
  QTest::newRow("soma of 6 µm in nm") << "1 1 0 0 0 6000 -1\n" + stem << 0.001;
  QTest::newRow("soma of 1.5 µm in nm, a fly's") << "1 1 0 0 0 1500 -1\n" + stem << 0.001;
  QTest::newRow("soma of 3 µm in voxels") << "1 1 0 0 0 375 -1\n" + stem << 0.008;
  QTest::newRow("soma of 5 µm in voxels, a small piece")
      << QByteArray("1 1 0 0 0 625 -1\n2 3 0 9000 0 15 1\n") << 0.008;
  QTest::newRow("unknown radius of the soma") << "1 1 0 0 0 0 -1\n" + stem << 0.001;
  QTest::newRow("no soma") << "1 3 0 0 0 150 -1\n" + stem << 0.001;
  QTest::newRow("a giant cell in µm") << QByteArray("1 1 0 0 0 450 -1\n2 3 0 19000 0 40 1\n") << 0.0;
  QTest::newRow("a small cell in nm, no soma") << QByteArray("1 3 0 0 0 150 -1\n2 3 0 9000 0 150 1\n") << 0.0;
}

void TestUnitScale::suggestsTheUnit()
{
  QFETCH(QByteArray, text);
  QFETCH(double, scale);
  const auto asRead = parse(text.toStdString());
  QCOMPARE(suggestedScale(*asRead), scale);
  if (scale == 0)
    return;
  const auto cell = inMicrometres(asRead, scale);
  QCOMPARE(suggestedScale(*cell), 0.0);
  QCOMPARE(cell->warnings.size(), asRead->warnings.size() - 1);
}

void TestUnitScale::warnsOfTheSizeThatTheScaleMakes()
{
  const auto asRead = parse("1 1 0 0 0 5 -1\n2 3 0 900 0 1 1\n3 3 0 901 0 1 7\n");
  QCOMPARE(asRead->warnings.size(), 2u); // of the missing parent, and of two roots
  const auto cell = inMicrometres(asRead, 1000);
  QCOMPARE(cell->warnings.size(), 3u);
  QVERIFY2(hasWarning(*cell, 1, "spans 901000 µm, more than 20000"), describeWarnings(*cell));
  QVERIFY(std::ranges::is_sorted(cell->warnings, {}, &Warning::line));
  // A smaller unit than nanometres is not to be guessed.
  const auto still = inMicrometres(parse("1 1 0 0 0 5e7 -1\n2 3 0 9e8 0 1 1\n"), 0.001);
  QCOMPARE(suggestedScale(*still), 0.0);
  QVERIFY2(hasWarning(*still, 1, "at the scale 0.001: give the file a smaller one"), describeWarnings(*still));
}

/// FlyWire's cells are in nanometres, all others in micrometres or so.
void TestUnitScale::suggestsNanometresOfRealFiles()
{
  const QDir folder(tests::sharedFile("morphologies/real"));
  if (!folder.exists())
    QSKIP("the shared morphologies are not here");
  int nanometres = 0;
  for (const QString& name : folder.entryList({"*.swc"}, QDir::Files)) {
    std::shared_ptr<const Morphology> asRead;
    if (errorOf([&] { asRead = readSwc(folder.filePath(name).toStdString()); }))
      continue;
    const bool isOfFlyWire = name.contains("_7205759406");
    nanometres += isOfFlyWire ? 1 : 0;
    QVERIFY2(suggestedScale(*asRead) == (isOfFlyWire ? 0.001 : 0), qPrintable(name + '\n' + describeWarnings(*asRead)));
    if (isOfFlyWire)
      QCOMPARE(suggestedScale(*inMicrometres(asRead, 0.001)), 0.0);
  }
  QCOMPARE(nanometres, 4);
}

HINESIGHT_TEST(TestUnitScale)
#include "test_unit_scale.moc"
