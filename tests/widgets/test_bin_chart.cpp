#include "gl_test.hpp"

#include "test_main.hpp"
#include "widgets/charts/bin_chart.hpp"
#include "widgets/theme.hpp"

#include <QtTest>

using namespace hinesight::widgets;

/// Histograms over the same bins, as they are drawn.
class TestBinChart : public QObject
{
  Q_OBJECT

  static int pixelsLike(const QImage& picture, const QColor& colour)
  {
    int count = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) {
        const QColor at = picture.pixelColor(x, y);
        count += std::abs(at.red() - colour.red()) + std::abs(at.green() - colour.green()) +
                     std::abs(at.blue() - colour.blue()) <
                 40;
      }
    return count;
  }

private slots:
  void drawsEachInItsColour()
  {
    BinChart chart("Degrees", "neurons", "degree", nullptr);
    chart.resize(300, 200);
    chart.setHistograms({{"first", {0, 5, 2, 0}}, {"second", {4, 0, 1, 3}}}, 2);
    QCOMPARE(chart.binWidth(), 2.0);
    const QImage both = chart.grab().toImage();
    QVERIFY(pixelsLike(both, categoryColor(0)) > 100);
    QVERIFY(pixelsLike(both, categoryColor(1)) > 50);
    chart.setHistograms({{"first", {0, 5, 2, 0}}}, 2);
    QCOMPARE(pixelsLike(chart.grab().toImage(), categoryColor(1)), 0);
  }

  /// Without bins, with empty ones, and where names have no room.
  void drawsWhatThereIs()
  {
    BinChart chart("By distance", "share", "distance", nullptr);
    chart.resize(chart.minimumSizeHint());
    chart.setHistograms({}, 1, "positions are not known");
    QVERIFY(!chart.grab().isNull());
    QCOMPARE(pixelsLike(chart.grab().toImage(), categoryColor(0)), 0);
    chart.setHistograms({{QString(200, 'n'), {0, 0}}, {"b", {0, 0}}}, 1);
    QVERIFY(!chart.grab().isNull());
  }
};

HINESIGHT_TEST_RUN(hinesight::test::runGlTest<TestBinChart>)
#include "test_bin_chart.moc"
