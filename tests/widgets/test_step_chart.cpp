#include "figure_drawing.hpp"
#include "gl_test.hpp"
#include "test_main.hpp"
#include "widgets/charts/step_chart.hpp"

#include <QRegularExpression>
#include <QtTest>

#include <memory>

using namespace hinesight;
using namespace hinesight::widgets;

/// Lines over the steps of a simulation, and their names.
class TestStepChart : public QObject
{
  Q_OBJECT

  static constexpr double kValue = 0.123;

  static std::unique_ptr<StepChart> chartOf(const QStringList& names)
  {
    std::vector<StepChart::Line> lines;
    for (const QString& name : names)
      lines.push_back({name, static_cast<int>(lines.size())});
    auto chart = std::make_unique<StepChart>("Calcium", "of enabled neurons", std::move(lines), nullptr);
    chart->append(100, std::vector<double>(static_cast<std::size_t>(names.size()), kValue));
    return chart;
  }

  /// Each in the chart and beside, or below, the one before, as wide as its text.
  static bool areWhole(const StepChart& chart)
  {
    QRectF before;
    for (const StepChart::PaintedName& name : chart.paintedNames()) {
      const bool isApart = name.place.top() >= before.bottom() || name.place.left() > before.right();
      const bool isWide = name.place.width() >= QFontMetrics(chart.font()).horizontalAdvance(name.text);
      if (!QRectF(chart.rect()).contains(name.place) || !isApart || !isWide)
        return false;
      before = name.place;
    }
    return true;
  }

private slots:
  void cutsNoName()
  {
    const QStringList shortNames = {"most", "mean", "least", "target"};
    const QStringList longNames = {"exc. dendrites", "inh. dendrites", QString(60, 'n'), "axons", "b"};
    for (const QStringList& names : {shortNames, longNames}) {
      const auto chart = chartOf(names);
      // The lines of five names alone are wider than the least chart.
      const int least = chart->minimumSizeHint().width() + (names == longNames ? 70 : 0);
      for (int width = least; width < 900; width += 7) {
        chart->resize(width, chart->minimumSizeHint().height());
        QCOMPARE(chart->paintedNames().size(), static_cast<std::size_t>(names.size()));
        QVERIFY2(areWhole(*chart), qPrintable(QString::number(width)));
      }
    }
  }

  /// In a row with their values, in a row, in two rows, and only then shortened.
  void namesTakeTheRoomThereIs()
  {
    const auto chart = chartOf({"most", "mean", "least", "target"});
    const int height = chart->minimumSizeHint().height();
    const auto name = [&](std::size_t line) { return chart->paintedNames()[line]; };
    chart->resize(900, height);
    QCOMPARE(name(3).text, QStringLiteral("target 0.123"));
    QCOMPARE(name(3).place.top(), name(0).place.top());
    int width = 900;
    const auto narrowWhile = [&](const auto& holds) {
      while (width > 0 && holds())
        chart->resize(--width, height);
    };
    narrowWhile([&] { return name(3).text != QStringLiteral("target"); });
    QCOMPARE(name(3).place.top(), name(0).place.top());
    narrowWhile([&] { return name(3).place.top() == name(0).place.top(); });
    QCOMPARE(name(2).place.top(), name(3).place.top());
    QCOMPARE(name(3).text, QStringLiteral("target"));
    QCOMPARE(name(1).text, QStringLiteral("mean"));
    QVERIFY(width > chart->minimumSizeHint().width());
    narrowWhile([&] { return name(3).text == QStringLiteral("target"); });
    QVERIFY(!name(3).text.contains("get") || name(3).text.contains(QChar(0x2026)));
    QVERIFY(!chart->grab().isNull());
  }

  /// In as many rows as they need.
  void aFigureNamesAllLines()
  {
    QStringList names;
    for (int line = 0; line < 12; ++line)
      names << QStringLiteral("population of layer %1").arg(line);
    const QString drawn = test::drawingOf(*chartOf(names), {500, 300});
    for (const QString& name : names)
      QCOMPARE(drawn.count(name + QLatin1Char('<')), 1);
    QVERIFY(!drawn.contains(QStringLiteral("more<")));
  }

  /// In the middle, where that makes room for all of them.
  void aFigureCutsNamesRatherThanLeaveThemOut()
  {
    constexpr int kNames = 30;
    QStringList names;
    for (int line = 0; line < kNames; ++line)
      names << QStringLiteral("population of the layer whose number is %1").arg(300 + line);
    const QString drawn = test::drawingOf(*chartOf(names), {500, 300});
    for (int line = 0; line < kNames; ++line)
      QCOMPARE(drawn.count(QStringLiteral("%1<").arg(300 + line)), 1);
    QVERIFY(drawn.contains(QChar(0x2026)) && !drawn.contains(QStringLiteral("more<")));
  }

  /// What no letters that can be read have room for is counted.
  void aFigureCountsNamesThatHaveNoRoom()
  {
    constexpr int kNames = 1000;
    QStringList names;
    for (int line = 0; line < kNames; ++line)
      names << QStringLiteral("n%1").arg(1000 + line);
    const QString drawn = test::drawingOf(*chartOf(names), {300, 200});
    const auto listed = static_cast<int>(drawn.count(QRegularExpression(QStringLiteral("n1\\d{3}<"))));
    QVERIFY(listed > 0 && listed < kNames);
    QVERIFY(drawn.contains(QStringLiteral("and %1 more<").arg(formatNumber(static_cast<double>(kNames - listed)))));
  }

  void drawsWithoutLines()
  {
    StepChart chart("Calcium", QString(), {}, nullptr);
    chart.resize(chart.minimumSizeHint());
    QVERIFY(chart.paintedNames().empty());
    QVERIFY(!chart.grab().isNull());
  }
};

HINESIGHT_TEST_RUN(hinesight::test::runGlTest<TestStepChart>)
#include "test_step_chart.moc"
