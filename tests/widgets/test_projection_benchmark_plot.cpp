#include "test_main.hpp"
#include "widgets/charts/projection_benchmark_plot.hpp"
#include "widgets/theme.hpp"

#include <QApplication>

#include <QSignalSpy>
#include <QtTest>

#include <cmath>
#include <memory>
#include <set>

using namespace hinesight;

namespace {

Spread around(double median)
{
  return {0.8 * median, 0.9 * median, median, 1.1 * median, 1.3 * median};
}

/// CPU times follow the neurons, those of CUDA have a constant part.
projection::BenchmarkPoint makePoint(std::uint32_t side, double cpu, double cuda, double resident)
{
  projection::BenchmarkPoint point;
  point.side = side;
  point.pairs = std::uint64_t{side} * side * side * side;
  point.rows = 10 * std::uint64_t{side} * side;
  point.bytes = 8 * point.rows;
  point.cpu = around(cpu);
  point.cpuWriteFloor = cpu / 5;
  point.loop = 7 * cpu;
  point.cuda = around(cuda);
  point.resident =
      projection::ResidentTimes{around(resident), resident / 3, resident / 3, resident / 3, resident / 4, 9 * resident};
  return point;
}

std::vector<projection::BenchmarkPoint> threeSides()
{
  return {makePoint(10, 1, 4, 0.5), makePoint(100, 10, 20, 1), makePoint(1'000, 400, 200, 10)};
}

} // namespace

class TestProjectionBenchmarkPlot : public QObject
{
  Q_OBJECT

private slots:
  void init();

  void drawsALineForEveryTime();
  void leavesOutWhatWasNotMeasured();
  void findsTheCrossover();
  void marksTheCrossover();
  void keepsThePointsWhenTheThemeChanges();
  void namesItsChartsInASmallWindow();

private:
  std::size_t pointOf(const QString& label, double x) const;

  std::unique_ptr<widgets::ProjectionBenchmarkPlot> plot;
};

void TestProjectionBenchmarkPlot::init()
{
  plot = std::make_unique<widgets::ProjectionBenchmarkPlot>();
  plot->resize(1000, 700);
  plot->show();
  QVERIFY(QTest::qWaitForWindowExposed(plot.get()));
}

std::size_t TestProjectionBenchmarkPlot::pointOf(const QString& label, double x) const
{
  const auto& points = plot->points();
  for (std::size_t i = 0; i < points.size(); ++i)
    if (points[i].label == label && points[i].x == x)
      return i;
  qFatal("no point of %s", qPrintable(label));
}

void TestProjectionBenchmarkPlot::drawsALineForEveryTime()
{
  plot->setMeasured(threeSides());
  QCOMPARE(plot->labels(), (QStringList{"CPU", "CUDA, downloaded", "CUDA, left on the device",
                                        "all pairs, one CPU thread", "all pairs, DeviceSelect"}));
  QCOMPARE(plot->points().size(), std::size_t{15});
  std::set<QRgb> colors;
  for (const widgets::ChartPoint& point : plot->points())
    colors.insert(point.color.rgb());
  QCOMPARE(colors.size(), std::size_t{5}); // one a line
  QCOMPARE(plot->baseline(), QString("CPU"));
  QCOMPARE(*plot->speedup(pointOf("CUDA, left on the device", 100)), 10.0);
  QCOMPARE(*plot->speedup(pointOf("all pairs, one CPU thread", 10)), 1.0 / 7);
  // Both axes are logarithmic: a factor of ten is the same distance everywhere.
  const QPointF a = *plot->timePosition(pointOf("CPU", 10));
  const QPointF b = *plot->timePosition(pointOf("CPU", 100));
  const QPointF c = *plot->timePosition(pointOf("CPU", 1'000));
  QVERIFY(std::abs((b.x() - a.x()) - (c.x() - b.x())) < 1e-6);
  QVERIFY(std::abs((b.y() - c.y()) / (a.y() - b.y()) - std::log10(40.0)) < 1e-6);
  // A click chooses nothing, since a point of this chart stands for nothing that could be loaded.
  QSignalSpy chosen(plot.get(), &widgets::ProjectionBenchmarkPlot::pointChosen);
  QTest::mouseClick(plot.get(), Qt::LeftButton, {}, b.toPoint());
  QVERIFY(chosen.isEmpty());
}

void TestProjectionBenchmarkPlot::leavesOutWhatWasNotMeasured()
{
  auto point = makePoint(10, 1, 4, 0.5);
  point.cuda.reset();
  point.resident.reset();
  point.loop.reset();
  plot->setMeasured({point});
  QCOMPARE(plot->labels(), QStringList{"CPU"});
  point.cpu.reset();
  plot->setMeasured({point});
  QVERIFY(plot->labels().isEmpty());
}

void TestProjectionBenchmarkPlot::findsTheCrossover()
{
  auto points = threeSides();
  // Four and two times as long, then half as long: half way between the logarithms of 10^8 and 10^12 pairs.
  const auto pairs = projection::crossoverPairs(points);
  QVERIFY(pairs);
  QVERIFY(std::abs(*pairs / 1e10 - 1) < 1e-9);
  QVERIFY(std::abs(widgets::sideOfPairs(*pairs) / std::pow(10, 2.5) - 1) < 1e-9);
  QVERIFY(!projection::residentCrossoverPairs(points)); // faster throughout
  std::swap(points[0], points[2]);
  QCOMPARE(*projection::crossoverPairs(points), *pairs);
  points[2].cuda.reset();
  points[0].cuda.reset();
  QVERIFY(!projection::crossoverPairs(points));
  QVERIFY(!projection::crossoverPairs({}));
}

void TestProjectionBenchmarkPlot::marksTheCrossover()
{
  plot->setMeasured(threeSides());
  const QPointF low = *plot->timePosition(pointOf("CPU", 100));
  const QPointF high = *plot->timePosition(pointOf("CPU", 1'000));
  const int x = static_cast<int>(std::lround((low.x() + high.x()) / 2));
  const auto accented = [&](const QImage& picture) {
    int count = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int dx = -1; dx <= 1; ++dx)
        if (picture.pixelColor(x + dx, y) == widgets::theme().accent) {
          ++count;
          break;
        }
    return count;
  };
  QVERIFY(accented(plot->grab().toImage()) > 100);
  auto slower = threeSides();
  for (auto& point : slower)
    point.cuda = around(1'000);
  plot->setMeasured(slower);
  QCOMPARE(accented(plot->grab().toImage()), 0);
}

void TestProjectionBenchmarkPlot::keepsThePointsWhenTheThemeChanges()
{
  plot->setMeasured(threeSides());
  widgets::setTheme(widgets::ThemeMode::Light);
  const QImage light = plot->grab().toImage();
  QCOMPARE(plot->points().size(), std::size_t{15});
  widgets::setTheme(widgets::ThemeMode::Dark);
  QVERIFY(plot->grab().toImage() != light);
  QCOMPARE(plot->points()[0].color, widgets::categoryColor(0));
}

/// Beside the plot of a window of 1000 x 700 the labels of its lines leave the charts less room than their titles need.
void TestProjectionBenchmarkPlot::namesItsChartsInASmallWindow()
{
  plot->setMeasured(threeSides());
  plot->setBaseline(QStringLiteral("CUDA, left on the device"));
  plot->resize(380, 420);
  const QStringList titles = {QStringLiteral("Time of a weight table"),
                              QStringLiteral("Speedup over CUDA, left on the device"),
                              QStringLiteral("side d of both populations, neurons")};
  const std::vector<QRectF> places = plot->titlePlaces();
  QCOMPARE(places.size(), std::size_t{3});
  for (std::size_t i = 0; i < places.size(); ++i) {
    const QString& title = titles[static_cast<qsizetype>(i)];
    QVERIFY2(places[i].width() >= plot->fontMetrics().horizontalAdvance(title), qPrintable(title));
    QVERIFY2(QRectF(plot->rect()).contains(places[i]), qPrintable(title));
  }
}

HINESIGHT_TEST_RUN(hinesight::tests::runTest<TestProjectionBenchmarkPlot, QApplication>)
#include "test_projection_benchmark_plot.moc"
