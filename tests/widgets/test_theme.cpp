#include "slowness.hpp"
#include "test_main.hpp"
#include "widgets/theme.hpp"

#include <QApplication>
#include <QElapsedTimer>
#include <QListWidget>
#include <QPushButton>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

using namespace hinesight::widgets;

namespace {

constexpr double kClearlyDifferent = 15; // by `distance`
constexpr double kLegible = 4.5;         // contrast of texts, WCAG 2
constexpr double kSeen = 3;              // contrast of graphics, WCAG 2

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

/// The distance in L*a*b* (CIE76).
double labDistance(const QColor& a, const QColor& b)
{
  const auto first = labOf(a);
  const auto second = labOf(b);
  return std::hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
}

using Matrix = std::array<std::array<double, 3>, 3>;

// Machado, Oliveira and Fernandes 2009, severity 1; of linear RGB.
constexpr Matrix kDeuteranopia = {
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kProtanopia = {
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kTritanopia = {
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

/// As a reader sees it whom the matrix describes.
QColor seenBy(const Matrix& reader, const QColor& color)
{
  const auto linear = [](double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  const auto encoded = [](double value) {
    const double inRange = std::clamp(value, 0.0, 1.0);
    return static_cast<float>(inRange <= 0.0031308 ? 12.92 * inRange : 1.055 * std::pow(inRange, 1 / 2.4) - 0.055);
  };
  const std::array<double, 3> rgb = {linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
  std::array<float, 3> seen{};
  for (std::size_t row = 0; row < 3; ++row)
    seen[row] = encoded(std::inner_product(rgb.begin(), rgb.end(), reader[row].begin(), 0.0));
  return QColor::fromRgbF(seen[0], seen[1], seen[2]);
}

std::vector<QColor> seenBy(const Matrix& reader, std::vector<QColor> colors)
{
  for (QColor& color : colors)
    color = seenBy(reader, color);
  return colors;
}

std::vector<QColor> categories(int count)
{
  std::vector<QColor> colors;
  for (int i = 0; i < count; ++i)
    colors.push_back(categoryColor(i));
  return colors;
}

/// Of SWC types, the last one too.
std::vector<QColor> types(int first, int last)
{
  std::vector<QColor> colors;
  for (int type = first; type <= last; ++type)
    colors.push_back(typeColor(type));
  return colors;
}

/// Of any two.
double leastDistance(const std::vector<QColor>& colors)
{
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < colors.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      least = std::min(least, labDistance(colors[i], colors[k]));
  return least;
}

/// The ends of ten equal parts of a map.
std::vector<QColor> partsOf(ColorMap map)
{
  std::vector<QColor> colors;
  for (int i = 0; i <= 10; ++i)
    colors.push_back(mapColor(map, i / 10.0));
  return colors;
}

/// The least and the greatest of what lies between neighbours, by the mean.
template <typename Measure>
std::pair<double, double> evenness(const std::vector<QColor>& colors, Measure measure)
{
  std::vector<double> steps;
  for (std::size_t i = 1; i < colors.size(); ++i)
    steps.push_back(measure(colors[i - 1], colors[i]));
  const double mean = std::accumulate(steps.begin(), steps.end(), 0.0) / static_cast<double>(steps.size());
  const auto [least, most] = std::ranges::minmax(steps);
  return {least / mean, most / mean};
}

double lightnessStep(const QColor& from, const QColor& to)
{
  return labOf(to)[0] - labOf(from)[0];
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

  /// Lightness, which carries small differences, rises by 0.85 to 1.18 of the mean step. Distances in L*a*b*, which
  /// counts vivid yellows and blues for more than the eye does, are 0.5 to 1.6 of their mean.
  void stepsOfSequentialMapsAreEven()
  {
    for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
      setTheme(mode);
      for (const ColorMap map : {ColorMap::Viridis, ColorMap::Cividis}) {
        const auto [leastRise, mostRise] = evenness(partsOf(map), lightnessStep);
        QVERIFY2(leastRise > 0.85, qPrintable(QString::number(leastRise)));
        QVERIFY2(mostRise < 1.18, qPrintable(QString::number(mostRise)));
        const auto [least, most] = evenness(partsOf(map), labDistance);
        QVERIFY2(least > 0.5, qPrintable(QString::number(least)));
        QVERIFY2(most < 1.6, qPrintable(QString::number(most)));
      }
    }
  }

  /// To readers with deuteranopia or protanopia lightness rises steadily, too, and the ends are far apart.
  void sequentialMapsReadWithoutRedOrGreen()
  {
    for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
      setTheme(mode);
      for (const ColorMap map : {ColorMap::Viridis, ColorMap::Cividis})
        for (const Matrix& reader : {kDeuteranopia, kProtanopia}) {
          const std::vector<QColor> seen = seenBy(reader, partsOf(map));
          const auto [least, most] = evenness(seen, lightnessStep);
          QVERIFY2(least > 0.6, qPrintable(QString::number(least)));
          QVERIFY2(most < 1.4, qPrintable(QString::number(most)));
          const double ends = labDistance(seen.front(), seen.back());
          QVERIFY2(ends > 90, qPrintable(QString::number(ends)));
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

  /// What is chosen stays, what is not gives way, and no other entry is moved.
  void noTwoEntriesOfALegendAreAlike()
  {
    const QColor none;
    QCOMPARE(entryColors({none, none, none}), categories(3));
    QCOMPARE(entryColors({none, none, categoryColor(0)}),
             (std::vector<QColor>{categoryColor(2), categoryColor(1), categoryColor(0)}));
    QColor nearly = categoryColor(1);
    nearly.setGreen(nearly.green() + 4);
    QVERIFY(looksAlike(nearly, categoryColor(1)));
    QVERIFY(!looksAlike(categoryColor(0), categoryColor(1)));
    QCOMPARE(entryColors({nearly, none, none, categoryColor(2)}),
             (std::vector<QColor>{nearly, categoryColor(0), categoryColor(3), categoryColor(2)}));
    QCOMPARE(entryColors({nearly, nearly}), (std::vector<QColor>{nearly, nearly}));
  }

  /// A category that was chosen follows the ground, whichever it was chosen on; another colour stays.
  void chosenCategoriesFollowTheGround()
  {
    constexpr int kFollowing = 28;
    const QColor own(1, 2, 3);
    const std::vector<QColor> onDark = categories(kFollowing);
    setTheme(ThemeMode::Light);
    const std::vector<QColor> onLight = categories(kFollowing);
    for (std::size_t k = 0; k < onDark.size(); ++k) {
      QCOMPARE(shownColor(onDark[k]), onLight[k]);
      QCOMPARE(shownColor(onLight[k]), onLight[k]);
    }
    QCOMPARE(shownColor(own), own);
    QVERIFY(!shownColor(QColor()).isValid());
    QCOMPARE(entryColors({QColor(), onDark[0]}), (std::vector<QColor>{onLight[1], onLight[0]}));
    setTheme(ThemeMode::Dark);
    for (std::size_t k = 0; k < onDark.size(); ++k)
      QCOMPARE(shownColor(onLight[k]), onDark[k]);
  }

  void anEntryAtTheEndChangesNoOther()
  {
    constexpr std::size_t kMost = 24;
    // Every third entry then chooses what would be another's.
    std::vector<QColor> chosen;
    std::vector<QColor> before;
    for (std::size_t count = 1; count <= kMost; ++count) {
      chosen.emplace_back();
      const std::vector<QColor> now = entryColors(chosen);
      QVERIFY(std::equal(before.begin(), before.end(), now.begin()));
      QVERIFY2(leastDistance(now) >= 12, qPrintable(QString::number(count)));
      before = now;
      if (count % 3 != 0)
        continue;
      chosen.back() = categoryColor(static_cast<std::int64_t>((count * 7) % kMost));
      before = entryColors(chosen);
      QCOMPARE(before.back(), chosen.back());
      QVERIFY2(leastDistance(before) >= 12, qPrintable(QString::number(count)));
    }
  }

  void categoriesDiffer()
  {
    constexpr std::size_t kMany = 300;
    for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light, ThemeMode::Print}) {
      setTheme(mode);
      const double least = leastDistance(categories(28));
      QVERIFY2(least >= 12, qPrintable(QString::number(least)));
      const double leastOfMore = leastDistance(categories(56));
      QVERIFY2(leastOfMore >= 7, qPrintable(QString::number(leastOfMore)));
      std::set<QRgb> seen;
      for (const QColor& color : categories(kMany))
        seen.insert(color.rgb());
      QCOMPARE(seen.size(), kMany);
      const double seenAt = mode == ThemeMode::Dark ? 1.5 : kSeen;
      for (const QColor& color : categories(kMany))
        QVERIFY2(contrast(color, theme().canvas) >= seenAt, qPrintable(color.name()));
    }
    QCOMPARE(categoryColor(-1), categoryColor(6));
    QCOMPARE(categoryColor(-7), categoryColor(0));
  }

  /// Types are seen on every ground, those without a name, too, and none is taken for another.
  void typesAreSeenAndToldApart()
  {
    for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light, ThemeMode::Print}) {
      setTheme(mode);
      const double least = leastDistance(types(0, 19));
      QVERIFY2(least >= 18, qPrintable(QString::number(least)));
      for (const QColor& type : types(0, 63))
        QVERIFY2(contrast(type, theme().canvas) >= kSeen, qPrintable(type.name()));
      for (const QColor& type : types(0, 19))
        QVERIFY2(labDistance(type, theme().selection) >= 18, qPrintable(type.name()));
    }
  }

  /// Those with a name. On the dark ground, grey stands for no type and is none of those that are told apart.
  void typesDifferWithoutRedGreenOrBlue()
  {
    for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light, ThemeMode::Print}) {
      setTheme(mode);
      for (const Matrix& reader : {kDeuteranopia, kProtanopia, kTritanopia}) {
        const double least = leastDistance(seenBy(reader, types(mode == ThemeMode::Dark ? 1 : 0, 7)));
        QVERIFY2(least >= 12, qPrintable(QString::number(least)));
      }
    }
  }

  /// A file may change its type with each sample, to types without a name, too.
  void colorsOfTypesAreLookedUp()
  {
    constexpr int kSamples = 1'000'000;
    constexpr int kMost = 500 * hinesight::tests::kSlowness; // ms
    QElapsedTimer watch;
    watch.start();
    QRgb all = 0;
    for (int sample = 0; sample < kSamples; ++sample)
      all ^= typeColor(8 + sample % 300).rgb();
    QVERIFY2(watch.elapsed() < kMost, qPrintable(QString::number(watch.elapsed())));
    QCOMPARE(all & 0xff000000U, 0U); // of an even number of opaque colours
    for (const std::int32_t type : {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()})
      QVERIFY(typeColor(type).isValid());
  }

  void categoriesDifferWithoutRedOrGreen()
  {
    for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
      setTheme(mode);
      for (const Matrix& reader : {kDeuteranopia, kProtanopia}) {
        const double least = leastDistance(seenBy(reader, categories(7)));
        QVERIFY2(least >= 12, qPrintable(QString::number(least)));
      }
    }
  }

  void selectionIsUsedForNothingElse()
  {
    for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
      setTheme(mode);
      std::vector<QColor> others = {theme().accent, theme().warning, theme().text, theme().secondaryText,
                                    theme().canvas};
      std::ranges::copy(categories(28), std::back_inserter(others));
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

  /// White on the fill of rows that are chosen, and of the button that Return presses.
  void whatIsChosenIsLegible()
  {
    for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
      setTheme(mode);
      const QPalette palette = QApplication::palette();
      QVERIFY(contrast(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) > kLegible);
      QListWidget list;
      list.addItem(QStringLiteral("chosen"));
      list.setCurrentRow(0);
      list.resize(200, 60);
      const int y = list.visualItemRect(list.item(0)).center().y();
      const QColor fill = list.viewport()->grab().toImage().pixelColor(150, y); // right of the text
      QVERIFY(distance(fill, palette.color(QPalette::Base)) > kClearlyDifferent);
      QVERIFY2(contrast(fill, Qt::white) > kLegible, qPrintable(fill.name()));
      QPushButton button;
      button.setProperty("primary", true);
      button.resize(80, 30);
      const QColor face = button.grab().toImage().pixelColor(40, 15); // it has no text
      QVERIFY2(contrast(face, Qt::white) > kLegible, qPrintable(face.name()));
    }
  }

  /// Units are written as they are shown: no word of a name becomes another one.
  void showsTextsAsTheyAre()
  {
    for (const char* text : {"axon 34degC.swc", "°C", "µm"})
      QCOMPARE(inText(text), QString::fromUtf8(text));
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
