#include "test_main.hpp"
#include "widgets/theme.hpp"

#include <QApplication>
#include <QTest>

#include <array>
#include <cmath>
#include <limits>
#include <set>

using namespace hinesight::widgets;

namespace {

constexpr double kClearlyDifferent = 15; // by `distance`
constexpr double kLegible = 4.5;         // contrast of texts, WCAG 2

/// Relative luminance (ITU-R BT.709 weights), 0 to 1.
double luminance(const QColor& color)
{
  return 0.2126 * color.redF() + 0.7152 * color.greenF() + 0.0722 * color.blueF();
}

/// Contrast of two colours as WCAG 2 defines it, 1 to 21.
double contrast(const QColor& a, const QColor& b)
{
  const auto linear = [](double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  const auto light = [&](const QColor& c) {
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF()) + 0.05;
  };
  return std::max(light(a), light(b)) / std::min(light(a), light(b));
}

/// CIE 1976 L*a*b* of an sRGB colour under D65.
std::array<double, 3> labOf(const QColor& color)
{
  const auto linear = [](double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  const double r = linear(color.redF());
  const double g = linear(color.greenF());
  const double b = linear(color.blueF());
  const auto root = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const double y = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const double z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

/// How different a colour looks from a reference, after the CIE 1994 formula for graphic arts: about 2 can just be told
/// apart. Unlike the distance in L*a*b* it does not take two vivid pinks for different colours.
double distance(const QColor& reference, const QColor& other)
{
  const auto first = labOf(reference);
  const auto second = labOf(other);
  const double chroma = std::hypot(first[1], first[2]);
  const double chromas = chroma - std::hypot(second[1], second[2]);
  const double plane = std::hypot(first[1] - second[1], first[2] - second[2]);
  const double hues = std::sqrt(std::max(0.0, plane * plane - chromas * chromas));
  return std::hypot(first[0] - second[0], chromas / (1 + 0.045 * chroma), hues / (1 + 0.015 * chroma));
}

} // namespace

class TestTheme : public QObject
{
  Q_OBJECT

private slots:
  void cleanup() { setTheme(ThemeMode::Dark); }

  void writesNumbersWithThreeFigures_data()
  {
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << 0.0 << "0";
    QTest::newRow("whole") << 1510.0 << "1,510";
    QTest::newRow("million") << 1400000.0 << "1,400,000";
    QTest::newRow("negative whole") << -22.0 << "-22";
    QTest::newRow("fraction") << 0.31249 << "0.312";
    QTest::newRow("trailing zero") << 12.40 << "12.4";
    QTest::newRow("rounds") << 123.7 << "124";
    QTest::newRow("carries") << 9.996 << "10";
    QTest::newRow("carries into thousands") << 999.6 << "1,000";
    QTest::newRow("large with fraction") << 1234.5678 << "1,235";
    QTest::newRow("small") << 0.00123456 << "0.00123";
    QTest::newRow("tiny") << 1.2345e-7 << "1.23e-07";
    QTest::newRow("huge") << 1.5e18 << "1.5e+18";
    QTest::newRow("not a number") << std::numeric_limits<double>::quiet_NaN() << "nan";
  }

  void writesNumbersWithThreeFigures()
  {
    QFETCH(double, value);
    QTEST(formatNumber(value), "text");
  }

  void writesTimesInTheUnitThatReadsBest_data()
  {
    QTest::addColumn<double>("milliseconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << 0.0 << "0 ms";
    QTest::newRow("milliseconds") << 0.3121 << "0.312 ms";
    QTest::newRow("tens") << 12.44 << "12.4 ms";
    QTest::newRow("seconds") << 1240.0 << "1.24 s";
    QTest::newRow("almost a second") << 999.7 << "1 s";
    QTest::newRow("microseconds") << 0.0083 << "8.3 \u00b5s";
    QTest::newRow("nanoseconds") << 0.00000721 << "7.21 ns";
    QTest::newRow("long") << 3600000.0 << "3,600 s";
  }

  void writesTimesInTheUnitThatReadsBest()
  {
    QFETCH(double, milliseconds);
    QTEST(formatMilliseconds(milliseconds), "text");
  }

  /// What makes these maps worth using: equal steps read as equal, and grey prints keep the order.
  void sequentialMapsGetSteadilyLighter()
  {
    for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
      setTheme(mode);
      for (const ColorMap map : {ColorMap::Viridis, ColorMap::Cividis}) {
        for (int i = 1; i <= 20; ++i) {
          QVERIFY(luminance(mapColor(map, i / 20.0)) > luminance(mapColor(map, (i - 1) / 20.0)));
        }
        QCOMPARE(mapColor(map, -3), mapColor(map, 0));
        QCOMPARE(mapColor(map, 7), mapColor(map, 1));
      }
    }
  }

  void mapsStayClearOfTheCanvas()
  {
    for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
      setTheme(mode);
      for (const ColorMap map : {ColorMap::Viridis, ColorMap::Cividis}) {
        for (const double end : {0.0, 1.0}) {
          const double ratio = contrast(mapColor(map, end), theme().canvas);
          QVERIFY2(ratio > 1.4, qPrintable(QString::number(ratio)));
        }
      }
    }
  }

  void divergingMapIsNeutralInTheMiddle()
  {
    for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
      setTheme(mode);
      const QColor middle = mapColor(ColorMap::Diverging, 0.5);
      const QColor low = mapColor(ColorMap::Diverging, 0);
      const QColor high = mapColor(ColorMap::Diverging, 1);
      QVERIFY(middle.hsvSaturationF() < 0.03);
      QVERIFY(low.blue() > low.red());
      QVERIFY(high.red() > high.blue());
      // The middle is as near to the canvas as any colour of the map.
      const double nearest = contrast(middle, theme().canvas);
      QVERIFY(nearest < contrast(low, theme().canvas) && nearest < contrast(high, theme().canvas));
    }
  }

  void categoriesDifferAndRepeat()
  {
    std::set<QRgb> seen;
    for (int i = 0; i < 7; ++i) {
      seen.insert(categoryColor(i).rgb());
      QCOMPARE(categoryColor(i), categoryColor(i + 7));
    }
    QCOMPARE(seen.size(), std::size_t{7});
    QCOMPARE(categoryColor(-1), categoryColor(6));
    std::set<QRgb> types;
    for (int type = 0; type <= 7; ++type) {
      types.insert(typeColor(type).rgb());
    }
    QCOMPARE(types.size(), std::size_t{8});
  }

  void selectionIsUsedForNothingElse()
  {
    for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
      setTheme(mode);
      std::vector<QColor> others = {theme().accent, theme().warning, theme().text, theme().secondaryText,
                                    theme().canvas};
      for (int i = 0; i < 7; ++i) {
        others.push_back(categoryColor(i));
      }
      for (const ColorMap map : {ColorMap::Viridis, ColorMap::Cividis, ColorMap::Diverging}) {
        for (int step = 0; step <= 40; ++step) {
          others.push_back(mapColor(map, step / 40.0));
        }
      }
      for (const QColor& other : others) {
        QVERIFY2(distance(theme().selection, other) > kClearlyDifferent, qPrintable(other.name()));
      }
      QVERIFY(contrast(theme().selection, theme().canvas) > kLegible);
    }
  }

  void textIsLegible()
  {
    for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
      setTheme(mode);
      QVERIFY(contrast(theme().text, theme().canvas) > 7);
      QVERIFY(contrast(theme().secondaryText, theme().canvas) > kLegible);
      const QPalette palette = QApplication::palette();
      QVERIFY(contrast(palette.color(QPalette::Text), palette.color(QPalette::Base)) > 7);
      QVERIFY(contrast(palette.color(QPalette::WindowText), palette.color(QPalette::Window)) > 7);
    }
  }

  void namesEveryRule()
  {
    std::set<QString> names;
    for (const ColorBy rule : allColorBys()) {
      QVERIFY(!colorByName(rule).isEmpty());
      names.insert(colorByName(rule));
    }
    QCOMPARE(names.size(), allColorBys().size());
  }
};

HINESIGHT_TEST_RUN(hinesight::tests::runTest<TestTheme, QApplication>)
#include "test_theme.moc"
