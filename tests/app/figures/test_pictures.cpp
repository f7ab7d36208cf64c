#include "app/app_fixture.hpp"
#include "app/benchmark/benchmark_page.hpp"
#include "app/benchmark/hines_benchmark_panel.hpp"
#include "app/pages/pages.hpp"
#include "app/pages/view_kind.hpp"
#include "app/plasticity/plasticity_page.hpp"
#include "app/plasticity/plasticity_panel.hpp"
#include "app/simulation/simulation_page.hpp"
#include "app/window_fixture.hpp"
#include "hines/solvers.hpp"
#include "paths/paths.hpp"
#include "structural_similarity.hpp"
#include "test_main.hpp"
#include "widgets/charts/benchmark_plot.hpp"
#include "widgets/charts/step_chart.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/figure/figure.hpp"
#include "widgets/simulation/raster_chart.hpp"
#include "widgets/simulation/voltage_view.hpp"

#include <QAction>
#include <QDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

/// Every view and page on sample data looks as it did: the pictures are in tests/data/pictures. Where a change is
/// wanted, HINESIGHT_WRITE_PICTURES=1 writes them anew; look at them before you keep them.
class TestPictures : public QObject, WindowFixture
{
  Q_OBJECT

  /// Letters of another version of a font, and figures of a time, change less; another cell, curve or colour bar
  /// changes more (see tellsPicturesApart).
  static constexpr double kLeastSimilarity = 0.95;
  static constexpr double kUnchanged = 0.995;
  /// Of the pixels, those that are not ground. A sentence where nothing was run is half of it, the thinnest cells are
  /// more than twice as much.
  static constexpr double kLeastContent = 0.01;
  static constexpr int kSteadyPictures = 10; // longer than a picture takes to become sharp
  static constexpr QSize kSize{800, 500};

  std::map<std::string, QImage> made;

private slots:
  void initTestCase();
  void looksAsItDid_data();
  void looksAsItDid();
  void tellsPicturesApart();
  void cleanupTestCase() { window.reset(); }

private:
  /// The window once nothing in it moves any more.
  QImage steady()
  {
    QImage last;
    int same = 0;
    const auto isSteady = [&] {
      const QImage now = window->grab().toImage();
      same = std::exchange(last, now) == now ? same + 1 : 0;
      return same >= kSteadyPictures;
    };
    [&] { QTRY_VERIFY_WITH_TIMEOUT(isSteady(), kPatience); }();
    return last;
  }
  /// The share of pixels that do not have the most frequent colour.
  static double contentOf(const QImage& picture)
  {
    std::map<QRgb, int> counts;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        ++counts[picture.pixel(x, y)];
    int most = 0;
    for (const auto& [color, count] : counts)
      most = std::max(most, count);
    return 1 - static_cast<double>(most) / (picture.width() * picture.height());
  }
  bool waitUntilIdle()
  {
    return QTest::qWaitFor([this] { return !window->jobs().isActive() && window->jobs().isIdle(); }, kPatience);
  }
  /// Where a page shows nothing until a person runs something: the same on every run and machine.
  void fill(ViewKind page)
  {
    if (page == ViewKind::Benchmark)
      fillBenchmark();
    else if (page == ViewKind::Plasticity)
      growNetwork();
    else if (page == ViewKind::Simulation)
      simulateCell();
  }
  void fillBenchmark();
  void growNetwork();
  void simulateCell();
  QImage paint()
  {
    widgets::FigureOptions options;
    options.unit = widgets::FigureUnit::Pixels;
    options.width = kSize.width();
    options.height = kSize.height();
    options.dotsPerInch = 96;
    return widgets::pictureOf(window->figure(), options).pixels();
  }
  static QString fileOf(std::string_view page)
  {
    return tests::testData("pictures/%1.png").arg(QLatin1String(page.data(), page.size()));
  }
};

void TestPictures::initTestCase()
{
  QSettings().clear();
  QVERIFY(showWindow({1280, 720}));
  if (auto* timings = window->findChild<QAction*>(QStringLiteral("timingsAction")))
    if (timings->isChecked())
      timings->trigger(); // times are others every time
  study::CellParameters parameters = window->parameters();
  parameters.solve.solver = hines::kFine; // whose plan is the same on every machine
  parameters.solve.threads = 2;
  window->setParameters(parameters);
  window->openFiles({dataFile("stellate.swc"), dataFile("bipolar.swc")});
  QVERIFY(waitForJobs());
}

void TestPictures::looksAsItDid_data()
{
  QTest::addColumn<int>("place");
  for (std::size_t place = 0; place < allPages().size(); ++place)
    QTest::newRow(std::string(allPages()[place].name).c_str()) << static_cast<int>(place);
}

void TestPictures::looksAsItDid()
{
  QFETCH(int, place);
  const PageDefinition& page = allPages()[static_cast<std::size_t>(place)];
  window->showView(static_cast<ViewKind>(place));
  QCoreApplication::processEvents();
  QVERIFY(waitUntilIdle());
  fill(static_cast<ViewKind>(place));
  QVERIFY(!QTest::currentTestFailed());
  QCoreApplication::processEvents();
  QVERIFY(waitUntilIdle());
  window->settle();
  QCoreApplication::processEvents();
  const QImage screen = steady();
  const QImage picture = paint();
  QCOMPARE(picture.size(), kSize);
  // A light figure leaves the window dark.
  const double unchanged = tests::structuralSimilarity(steady(), screen);
  QVERIFY2(unchanged > kUnchanged, qPrintable(QString::number(unchanged)));
  made[std::string(page.name)] = picture;
  const double content = contentOf(picture);
  QVERIFY2(content > kLeastContent, qPrintable(QStringLiteral("the picture is empty: %1").arg(content)));
  const QString file = fileOf(page.name);
  if (qEnvironmentVariableIsSet("HINESIGHT_WRITE_PICTURES"))
    QVERIFY(picture.save(file));
  const QImage before(file);
  QVERIFY2(!before.isNull(), qPrintable(file));
  const double similarity = tests::structuralSimilarity(picture, before);
  const QString other = QDir::temp().filePath(QFileInfo(file).fileName());
  if (similarity < kLeastSimilarity)
    picture.save(other);
  QVERIFY2(similarity >= kLeastSimilarity,
           qPrintable(QStringLiteral("%1: %2, see %3").arg(file).arg(similarity).arg(other)));
}

/// Rows that are given instead of measured, since times are others every time.
void TestPictures::fillBenchmark()
{
  auto& page = window->benchmarks();
  QObject::disconnect(&page, &BenchmarkPage::runRequested, nullptr, nullptr);
  page.hines().run(); // the settings are those of the rows
  struct Line
  {
    hines::SolverId solver;
    double first; ///< ms of one cell
    double slope; ///< of the time over the number of cells, both logarithmic
  };
  for (const Line& line : {Line{hines::kSerial, 0.01, 1}, Line{hines::kMulticore, 0.03, 0.7},
                           Line{hines::kFine, 0.05, 0.6}, Line{hines::kResident, 0.04, 0.8}})
    for (const std::size_t cells : {1, 10, 100, 1000}) {
      hines::BenchmarkRow row;
      row.what = "given";
      row.label = std::string(hines::solverName(line.solver));
      row.cells = cells;
      row.compartments = 1000 * cells;
      row.solve.solver = line.solver;
      const double time = line.first * std::pow(static_cast<double>(cells), line.slope);
      row.milliseconds = {0.8 * time, 0.9 * time, time, 1.2 * time, 1.5 * time};
      row.bytesMoved = 32 * row.compartments;
      row.copyBandwidth = 1e10;
      page.hines().takeRow(row);
    }
  QCOMPARE(page.hines().plot().labels().size(), 4);
}

/// The same network however many threads there are.
void TestPictures::growNetwork()
{
  constexpr std::uint32_t kSteps = 400;
  PlasticityPage& page = window->plasticity();
  auto* panel = find<PlasticityPanel>("plasticityPanel");
  study::GrowthRequest request = panel->request();
  request.source.placement.neurons = 500;
  request.model.updatePeriod = 20;
  // Elements from the start, so that the first update forms synapses.
  for (auto* pool : {&request.model.axon, &request.model.excitatoryDendrite, &request.model.inhibitoryDendrite}) {
    pool->initialLeast = 2;
    pool->initialMost = 3;
  }
  panel->setRequest(request);
  page.setRequest(request);
  page.runTo(kSteps);
  QTRY_VERIFY_WITH_TIMEOUT(!page.isRunning(), kPatience);
  QCOMPARE(page.step(), kSteps);
  QVERIFY(page.synapses().lastValue(0) > 0);
  page.timingCard().hide(); // times are others every time, and make room for themselves
}

/// To 100 ms, by then it has spiked.
void TestPictures::simulateCell()
{
  constexpr double kEnd = 100; // ms
  SimulationPage& page = window->simulation();
  click("simulationSample1");
  QTRY_VERIFY_WITH_TIMEOUT(page.model(), kPatience);
  page.setSpeed(SimulationRunner::kAsFastAsItGoes);
  click("simulationMore");
  QTRY_VERIFY_WITH_TIMEOUT(!page.isRunning(), kPatience);
  QCOMPARE(std::round(page.time()), kEnd);
  QVERIFY(!page.raster().store().spikes().empty());
  QVERIFY(page.view().frame());
  QCOMPARE(page.view().frame()->time, page.time()); // the newest
  page.setTimingsShown(false);
}

/// What the comparison is worth: with one of two cells gone it fails.
void TestPictures::tellsPicturesApart()
{
  window->showView(ViewKind::Morphology);
  window->cells().setVisible(1, false);
  QCoreApplication::processEvents();
  const QImage picture = paint();
  QVERIFY(tests::structuralSimilarity(picture, made["morphology"]) < kLeastSimilarity);
  QCOMPARE(tests::structuralSimilarity(picture, picture), 1.0);
  // Nor is a page of one sentence a picture.
  window->showView(ViewKind::Benchmark);
  find<widgets::BenchmarkPlot>("benchmarkPlot")->setRows({});
  QCoreApplication::processEvents();
  QVERIFY(contentOf(paint()) < kLeastContent);
}

HINESIGHT_TEST_RUN(runWindowTest<TestPictures>)
#include "test_pictures.moc"
