#include "gl_test.hpp"
#include "hines/solvers.hpp"
#include "painted_texts.hpp"
#include "test_main.hpp"
#include "widgets/charts/benchmark_plot.hpp"
#include "widgets/charts/bin_chart.hpp"
#include "widgets/charts/dendrogram.hpp"
#include "widgets/charts/profile_chart.hpp"
#include "widgets/charts/projection_benchmark_plot.hpp"
#include "widgets/charts/step_chart.hpp"
#include "widgets/legend_overlay.hpp"
#include "widgets/theme.hpp"

#include <QImage>
#include <QtTest>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::widgets;
using Text = test::PaintedTexts::Text;

namespace {

constexpr double kFarthest = 2.5; ///< text heights from an axis label to the numbers of its axis, or to the plot
constexpr double kHighest = 92.7; ///< so that a line with a number is at the top of a plot from 0

/// A chart, and how the texts begin that say what its axes show.
struct Charted
{
  std::unique_ptr<QWidget> chart;
  QString below = {};     ///< of the horizontal axis
  QString beside = {};    ///< of the vertical axis, along it
  QStringList above = {}; ///< of vertical axes, above their plots
};

Charted bins()
{
  auto chart = std::make_unique<BinChart>("By distance", "share of pairs", "distance, µm", nullptr);
  chart->setHistograms({{"first", {kHighest, 40, 12}}, {"second", {30, 60, 5}}}, 250);
  return {.chart = std::move(chart), .below = "distance, µm", .above = {"share of pairs"}};
}

Charted profile()
{
  auto chart = std::make_unique<ProfileChart>("Sholl", nullptr);
  chart->setCurves({{"cell", {10, kHighest, 40, 12}}}, 50, "µm", false);
  chart->setAxisTitles("distance, µm", "intersections");
  return {.chart = std::move(chart), .below = "distance, µm", .beside = "intersections"};
}

Charted steps()
{
  auto chart = std::make_unique<StepChart>("Calcium", "of enabled neurons",
                                           std::vector<StepChart::Line>{{"most", 0}, {"mean", 1}}, nullptr);
  chart->append(100, {kHighest, 40});
  chart->append(5'000, {80, 50});
  return {.chart = std::move(chart), .below = "step 5,000", .above = {"of enabled neurons"}};
}

Charted dendrogram()
{
  auto chart = std::make_unique<Dendrogram>(nullptr);
  chart->setCells({{"cell",
                    {{.number = 1, .type = 3, .end = 200},
                     {.parent = 0, .number = 2, .type = 3, .start = 200, .end = 430},
                     {.parent = 0, .number = 3, .type = 3, .start = 200, .end = 300}}}});
  return {.chart = std::move(chart), .below = "400 µm", .above = {"by path distance"}};
}

Spread around(double milliseconds)
{
  return {0.8 * milliseconds, 0.9 * milliseconds, milliseconds, 1.1 * milliseconds, 1.2 * milliseconds};
}

/// `ratio`: of the times of each to those of the one before.
std::unique_ptr<BenchmarkPlot> plotOf(const std::vector<hines::SolverId>& solvers, double ratio)
{
  std::vector<hines::BenchmarkRow> rows;
  double factor = 0.01;
  for (const hines::SolverId solver : solvers) {
    for (const std::size_t cells : {1, 100, 1'000}) {
      hines::BenchmarkRow row;
      row.label = hines::solverName(solver);
      row.solve.solver = solver;
      row.cells = cells;
      row.milliseconds = around(factor * static_cast<double>(cells));
      rows.push_back(row);
    }
    factor *= ratio;
  }
  auto chart = std::make_unique<BenchmarkPlot>();
  chart->setRows(std::move(rows));
  return chart;
}

Charted solves()
{
  return {.chart = plotOf({hines::kSerial, hines::kMulticore}, 0.3),
          .below = "cells",
          .above = {"Time of a solve", "Speedup over Serial"}};
}

Charted projections()
{
  std::vector<projection::BenchmarkPoint> points;
  for (const std::uint32_t side : {10, 100, 1'000}) {
    projection::BenchmarkPoint point;
    point.side = side;
    point.cpu = around(side);
    point.loop = 7.0 * side;
    points.push_back(point);
  }
  auto chart = std::make_unique<ProjectionBenchmarkPlot>();
  chart->setMeasured(std::move(points));
  return {.chart = std::move(chart),
          .below = "side d of both populations",
          .above = {"Time of a weight table", "Speedup over CPU"}};
}

constexpr std::pair<const char*, Charted (*)()> kCharts[] = {{"bins", bins},     {"profile", profile},
                                                             {"steps", steps},   {"dendrogram", dendrogram},
                                                             {"solves", solves}, {"projections", projections}};

/// Between two stretches of a line; 0: they have something in common.
double gap(double begin, double end, double otherBegin, double otherEnd)
{
  return std::max({0.0, otherBegin - end, begin - otherEnd});
}

QImage pictureOf(QWidget& chart, int ratio)
{
  QImage picture(chart.size() * ratio, QImage::Format_ARGB32_Premultiplied);
  picture.setDevicePixelRatio(ratio);
  picture.fill(theme().canvas);
  chart.render(&picture, {}, {}, {});
  return picture;
}

/// Whether a picture has a text there, at least a pixel a letter.
bool isInked(const QImage& picture, const Text& label)
{
  const double ratio = picture.devicePixelRatio();
  const QRect area = QRectF(label.place.topLeft() * ratio, label.place.size() * ratio).toAlignedRect();
  int inked = 0;
  for (int y = area.top(); y <= area.bottom(); ++y)
    for (int x = area.left(); x <= area.right(); ++x)
      inked += picture.valid(x, y) && test::distance(picture.pixelColor(x, y), theme().canvas) > 60 ? 1 : 0;
  return inked >= label.text.size();
}

QString faultsIn(const test::PaintedTexts& painted)
{
  QStringList faults;
  for (const test::PaintedTexts::Fault& fault : painted.faults())
    faults << fault.what + QStringLiteral(": ") + fault.where;
  return faults.join(u'\n');
}

} // namespace

/// What says what an axis shows stands by the axis.
class TestAxisLabels : public QObject
{
  Q_OBJECT

  /// The numbers of an axis together; empty: there are none.
  template <typename IsOfAxis>
  static QRectF numbersOf(const test::PaintedTexts& painted, const Text& label, IsOfAxis isOfAxis)
  {
    QRectF numbers;
    for (const Text& each : painted.texts())
      if (&each != &label && each.text.front().isDigit() && isOfAxis(each.place))
        numbers |= each.place;
    return numbers;
  }

  /// Whole, seen in the picture, over no other text and no line.
  static void checkAlone(const test::PaintedTexts& painted, const Text& label, QWidget& chart, int ratio)
  {
    QVERIFY2(QRectF(chart.rect()).contains(label.place), qPrintable(label.text));
    QVERIFY2(isInked(pictureOf(chart, ratio), label), qPrintable(label.text));
    for (const Text& other : painted.texts())
      QVERIFY2(&other == &label || !other.place.intersects(label.place),
               qPrintable(QStringLiteral("%1 lies over %2").arg(label.text, other.text)));
    for (const QRectF& line : painted.lines())
      QVERIFY2(!line.adjusted(-0.5, -0.5, 0.5, 0.5).intersects(label.place), qPrintable(label.text));
  }

  static void checkBelow(const test::PaintedTexts& painted, const Text& label, double most)
  {
    const QRectF plot = painted.plot();
    const QRectF numbers =
        numbersOf(painted, label, [&plot](const QRectF& place) { return place.top() > plot.bottom(); });
    QVERIFY2(!numbers.isEmpty(), qPrintable(label.text));
    QVERIFY(label.place.top() > plot.bottom());
    QVERIFY(numbers.top() - plot.bottom() <= most);
    const double away = gap(label.place.top(), label.place.bottom(), numbers.top(), numbers.bottom());
    QVERIFY2(away <= most, qPrintable(QStringLiteral("%1 is %2 px away").arg(label.text).arg(away)));
  }

  static void checkBeside(const test::PaintedTexts& painted, const Text& label, double most)
  {
    const QRectF plot = painted.plot();
    const QRectF numbers = numbersOf(painted, label, [&plot](const QRectF& place) {
      return place.right() <= plot.left() && place.top() <= plot.bottom();
    });
    QVERIFY2(!numbers.isEmpty(), qPrintable(label.text));
    QVERIFY(label.place.height() > label.place.width()); // it stands along the axis
    QVERIFY(plot.left() - numbers.right() <= most);
    QVERIFY(label.place.right() < numbers.left());
    const double away = numbers.left() - label.place.right();
    QVERIFY2(away <= most, qPrintable(QStringLiteral("%1 is %2 px away").arg(label.text).arg(away)));
  }

  /// The first line below it is the top of its plot.
  static void checkAbove(const test::PaintedTexts& painted, const Text& label, double most)
  {
    double away = most + 1;
    for (const QRectF& line : painted.lines())
      if (line.top() >= label.place.bottom())
        away = std::min(away, line.top() - label.place.bottom());
    QVERIFY2(away <= most, qPrintable(QStringLiteral("%1 is %2 px away").arg(label.text).arg(away)));
  }

private slots:
  void standByTheNumbersOfTheirAxis_data()
  {
    QTest::addColumn<int>("place");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("ratio");
    for (int place = 0; place < static_cast<int>(std::size(kCharts)); ++place)
      for (const QSize& size : {QSize(320, 240), QSize(640, 400), QSize(1200, 800)})
        for (const int ratio : {1, 2})
          QTest::addRow("%s in %d x %d at %d", kCharts[place].first, size.width(), size.height(), ratio)
              << place << size << ratio;
  }

  void standByTheNumbersOfTheirAxis()
  {
    QFETCH(int, place);
    QFETCH(QSize, size);
    QFETCH(int, ratio);
    const Charted charted = kCharts[place].second();
    QWidget& chart = *charted.chart;
    chart.resize(size); // or as large as it is at least
    const test::PaintedTexts painted(chart, ratio);
    const double most = kFarthest * chart.fontMetrics().height();
    QVERIFY(!painted.plot().isEmpty());
    const auto check = [&](const QString& beginning, const auto& ofItsPlace) {
      if (beginning.isEmpty() || QTest::currentTestFailed())
        return;
      const Text* label = painted.find(beginning);
      QVERIFY2(label, qPrintable(beginning));
      checkAlone(painted, *label, chart, ratio);
      ofItsPlace(painted, *label, most);
    };
    check(charted.below, checkBelow);
    check(charted.beside, checkBeside);
    for (const QString& title : charted.above)
      check(title, checkAbove);
  }

  void keepApartInASmallChart_data()
  {
    QTest::addColumn<int>("place");
    QTest::addColumn<QSize>("size");
    for (int place = 0; place < static_cast<int>(std::size(kCharts)); ++place)
      for (const QSize& size : {QSize(150, 150), QSize(150, 116), QSize(220, 90)})
        QTest::addRow("%s in %d x %d", kCharts[place].first, size.width(), size.height()) << place << size;
  }

  /// As small as a chart may become, or smaller.
  void keepApartInASmallChart()
  {
    QFETCH(int, place);
    QFETCH(QSize, size);
    const Charted charted = kCharts[place].second();
    charted.chart->resize(size); // or as large as it is at least
    const test::PaintedTexts painted(*charted.chart, 1);
    QVERIFY(painted.texts().size() > 2);
    QVERIFY2(painted.faults().empty(), qPrintable(faultsIn(painted)));
  }

  /// In a chart in which there is no room for all of them beside the times.
  void nameManyLines()
  {
    std::vector<hines::SolverId> solvers;
    for (const hines::SolverDefinition* solver : hines::allSolvers())
      solvers.push_back(solver->traits.id);
    const auto chart = plotOf(solvers, 0.9);
    chart->resize(chart->minimumSize());
    const test::PaintedTexts painted(*chart, 1);
    QVERIFY2(painted.faults().empty(), qPrintable(faultsIn(painted)));
    const auto beginsAlike = [](const QString& name) {
      return [beginning = name.left(3)](const Text& text) { return text.text.startsWith(beginning); };
    };
    for (const hines::SolverId solver : solvers) {
      const QString name = widgets::inText(hines::traitsOf(solver).title);
      QVERIFY2(std::ranges::any_of(painted.texts(), beginsAlike(name)), qPrintable(name));
    }
  }

  /// The middle one goes first.
  void keepApartBelowTheColorsOfALegend()
  {
    LegendOverlay overlay;
    Legend legend;
    legend.title = QStringLiteral("Length");
    legend.isQuantity = true;
    legend.high = 10;
    overlay.setLegend(legend);
    for (const char* number : {"0", "5", "10"})
      QVERIFY2(test::PaintedTexts(overlay, 1).find(number), number);
    legend.low = 1'234'000;
    legend.high = 1'234'567;
    legend.clamped = true;
    overlay.setLegend(legend);
    const test::PaintedTexts painted(overlay, 1);
    QVERIFY2(painted.faults().empty(), qPrintable(faultsIn(painted)));
    QVERIFY(painted.find("1,234,000") && painted.find(QStringLiteral("\u2265 1,234,567")));
  }
};

HINESIGHT_TEST_RUN(hinesight::test::runGlTest<TestAxisLabels>)
#include "test_axis_labels.moc"
