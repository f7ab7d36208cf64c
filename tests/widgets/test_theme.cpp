#include "widgets/theme.hpp"

#include <QApplication>
#include <QTest>

#include <cmath>
#include <limits>
#include <set>

using namespace hinesight::widgets;

namespace {

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
    QVERIFY(mapColor(ColorMap::Diverging, 0.5).hsvSaturationF() < 0.03);
    const QColor low = mapColor(ColorMap::Diverging, 0);
    const QColor high = mapColor(ColorMap::Diverging, 1);
    QVERIFY(low.blue() > low.red());
    QVERIFY(high.red() > high.blue());
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
      for (const QColor& other : {theme().accent, theme().warning, theme().text, theme().canvas}) {
        QVERIFY(other != theme().selection);
      }
      for (int i = 0; i < 7; ++i) {
        QVERIFY(categoryColor(i) != theme().selection);
      }
    }
  }

  void textIsLegible()
  {
    for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
      setTheme(mode);
      QVERIFY(contrast(theme().text, theme().canvas) > 7);
      QVERIFY(contrast(theme().secondaryText, theme().canvas) > 4.5);
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

QTEST_MAIN(TestTheme)
#include "test_theme.moc"
