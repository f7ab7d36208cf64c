#include "gl_test.hpp"
#include "painted_texts.hpp"
#include "test_main.hpp"
#include "widgets/simulation/raster_chart.hpp"
#include "widgets/simulation/time_axis.hpp"
#include "widgets/simulation/trace_chart.hpp"

#include <QSignalSpy>
#include <QWheelEvent>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

using namespace hinesight;
using namespace hinesight::widgets;
using namespace hinesight::test;

/// Charts over the time of a simulation: traces, spikes, rates.
class TestTimeCharts : public QObject
{
  Q_OBJECT

  std::unique_ptr<TimeAxis> axis;
  std::unique_ptr<TraceChart> traces;
  std::unique_ptr<RasterChart> raster;
  std::unique_ptr<RateChart> rates;

  /// Pixels of that hue in the plot.
  static int colored(const QImage& picture, const QColor& color, const QRectF& area)
  {
    int count = 0;
    for (int y = static_cast<int>(area.top()); y < area.bottom(); ++y)
      for (int x = static_cast<int>(area.left()); x < area.right(); ++x)
        count += distance(picture.pixelColor(x, y), color) < 60 ? 1 : 0;
    return count;
  }

  /// Pixels that are not as the ground.
  static int inked(const QImage& picture, const QRectF& area)
  {
    int count = 0;
    for (int y = static_cast<int>(area.top()); y < area.bottom(); ++y)
      for (int x = static_cast<int>(area.left()); x < area.right(); ++x)
        count += distance(picture.pixelColor(x, y), theme().canvas) > 60 ? 1 : 0;
    return count;
  }

  template <typename Chart>
  static QImage pictureOf(Chart& chart)
  {
    QImage picture(chart.size(), QImage::Format_ARGB32);
    picture.fill(Qt::black);
    chart.render(&picture);
    return picture;
  }

private slots:
  void init()
  {
    axis = std::make_unique<TimeAxis>();
    traces = std::make_unique<TraceChart>(axis.get(), nullptr);
    raster = std::make_unique<RasterChart>(axis.get(), nullptr);
    rates = std::make_unique<RateChart>(raster.get(), axis.get(), nullptr);
    for (QWidget* chart : {static_cast<QWidget*>(traces.get()), static_cast<QWidget*>(raster.get()),
                           static_cast<QWidget*>(rates.get())}) {
      chart->resize(480, 200);
      chart->show();
    }
  }
  void cleanup()
  {
    rates.reset();
    raster.reset();
    traces.reset();
  }

  void theAxisWaitsAndThenFollows()
  {
    axis->follow(200);
    axis->setNow(50);
    QCOMPARE(axis->from(), 0.0);
    QCOMPARE(axis->to(), 200.0);
    axis->setNow(500);
    QCOMPARE(axis->from(), 300.0);
    axis->move(-100); // a person looks elsewhere
    QVERIFY(!axis->isFollowing());
    axis->setNow(700);
    QCOMPARE(axis->from(), 200.0);
    axis->follow(200);
    QCOMPARE(axis->to(), 700.0);
    axis->showAll();
    QCOMPARE(axis->from(), 0.0);
    QCOMPARE(axis->to(), 700.0);
  }

  void theAxisShowsAllOfARunThatStandsStill()
  {
    axis->setRunning(true);
    axis->setNow(3000);
    QCOMPARE(axis->from(), 2500.0);
    QCOMPARE(axis->to(), 3000.0);
    axis->setRunning(false);
    QCOMPARE(axis->from(), 0.0);
    QCOMPARE(axis->to(), 3000.0);
    axis->setRunning(true); // it goes on
    axis->setNow(3100);
    QCOMPARE(axis->from(), 2600.0);
  }

  void theAxisEndsWithTheRun()
  {
    axis->setEnd(200);
    QCOMPARE(axis->to(), 200.0);
    axis->setRunning(true);
    axis->setNow(200);
    QCOMPARE(axis->to(), 200.0);
    axis->setRunning(false);
    QCOMPARE(axis->from(), 0.0);
    QCOMPARE(axis->to(), 200.0);
    axis->setRunning(true);
    axis->setNow(260); // beyond it
    QCOMPARE(axis->from(), 0.0);
    QCOMPARE(axis->to(), 260.0);
    axis->restart();
    QCOMPARE(axis->to(), 200.0);
    axis->setEnd(3000);
    QCOMPARE(axis->to(), 500.0);
  }

  void aTimeThatIsLookedAtIsSeen()
  {
    axis->setNow(3000);
    axis->follow(500); // as a person has zoomed
    axis->setCursor(1301.9);
    QVERIFY(axis->from() < 1301.9 && axis->to() > 1301.9);
    QCOMPARE(axis->span(), 500.0);
    const double from = axis->from();
    axis->setCursor(1400); // is seen already
    QCOMPARE(axis->from(), from);
    axis->setCursor(2900);
    QVERIFY(axis->from() < 2900 && axis->to() > 2900);
    axis->setCursor(std::nullopt); // the newest again
    QCOMPARE(axis->to(), 3000.0);
  }

  void theAxisStandsStillWhileATimeIsLookedAt()
  {
    axis->setRunning(true);
    axis->setNow(800);
    axis->setCursor(100);
    const double from = axis->from();
    QVERIFY(from <= 100);
    axis->setNow(1500);
    QCOMPARE(axis->from(), from);
    axis->setCursor(std::nullopt);
    QCOMPARE(axis->to(), 1500.0);
  }

  void aZoomStaysUntilADoubleClick()
  {
    axis->setRunning(true);
    axis->setNow(3000);
    axis->zoom(0.5, 0.5);
    QCOMPARE(axis->from(), 2750.0);
    QCOMPARE(axis->to(), 3000.0);
    axis->setRunning(false);
    QCOMPARE(axis->from(), 2750.0);
    axis->zoom(0, 0.5); // about where the pointer is
    QCOMPARE(axis->from(), 2750.0);
    QCOMPARE(axis->to(), 2875.0);
    QTest::mouseDClick(traces.get(), Qt::LeftButton, {}, traces->plot().center().toPoint());
    QCOMPARE(axis->from(), 0.0);
    QCOMPARE(axis->to(), 3000.0);
  }

  /// One value of 4,000 a pixel is above the others.
  void noSpikeIsLostBetweenPixels()
  {
    constexpr double kDt = 0.025;
    std::vector<float> values(400'000, -70);
    values[123'456] = 30;
    study::Trace trace(kDt);
    trace.append(1, values);
    const QColor color = placeColor(1);
    traces->lines().push_back({QStringLiteral("soma"), color, trace});
    axis->setNow(10'000);
    axis->showAll();
    const QImage picture = pictureOf(*traces);
    const double x = traces->xOf(123'457 * kDt);
    const double top = traces->yOf(0);
    QVERIFY(colored(picture, color, QRectF(x - 3, traces->yOf(29), 6, top - traces->yOf(29))) >= 10);
    QVERIFY(colored(picture, color,
                    QRectF(traces->plot().left(), traces->yOf(29), x - 10 - traces->plot().left(),
                           top - traces->yOf(29))) == 0);
  }

  void whatGoesBeyondTheUsualRangeIsShown()
  {
    study::Trace trace(0.1);
    trace.append(1, std::vector<float>(1000, 75));
    traces->lines().push_back({QStringLiteral("soma"), placeColor(0), trace});
    axis->setNow(100);
    axis->showAll();
    QVERIFY(traces->yOf(75) > traces->plot().top());
    QVERIFY(colored(pictureOf(*traces), placeColor(0), traces->plot()) > 100);
  }

  void aRasterHasATickForEachSpike()
  {
    raster->setGroups({{QStringLiteral("a"), {0, 1, 2, 3}}, {QStringLiteral("b"), {4, 5}}});
    raster->store().append({{1, 50}, {4, 150}});
    axis->setNow(200);
    axis->showAll();
    QCOMPARE(raster->rows(), std::size_t{6});
    const QImage picture = pictureOf(*raster);
    const auto near = [&](double time, std::uint32_t neuron, const QColor& color) {
      return colored(picture, color, QRectF(raster->xOf(time) - 2, raster->yOf(neuron) - 3, 4, 6));
    };
    QVERIFY(near(50, 1, categoryColor(0)) > 0);
    QVERIFY(near(150, 4, categoryColor(1)) > 0);
    QCOMPARE(near(100, 1, categoryColor(0)), 0);
    QCOMPARE(near(150, 5, categoryColor(1)), 0);
    QCOMPARE(*raster->neuronAt(raster->yOf(4)), 4U);
  }

  void aGroupWithoutAColourHasOneOfItsOwn()
  {
    raster->setGroups(
        {{QStringLiteral("a"), {0}}, {QStringLiteral("b"), {1}}, {QStringLiteral("c"), {2}, categoryColor(0)}});
    raster->store().append({{0, 50}, {2, 150}});
    axis->setNow(200);
    axis->showAll();
    QCOMPARE(raster->colorOf(1), categoryColor(1));
    const QImage picture = pictureOf(*raster);
    const auto ticks = [&](double time, std::uint32_t neuron) {
      return colored(picture, categoryColor(0), QRectF(raster->xOf(time) - 2, raster->yOf(neuron) - 5, 4, 10));
    };
    QVERIFY(ticks(150, 2) > 0);
    QCOMPARE(ticks(50, 0), 0);
  }

  /// Where names do not fit, what they have in common goes first.
  void namesOfLinesStayApart()
  {
    for (int neuron : {0, 2})
      traces->lines().push_back({QStringLiteral("pyramidal %1, soma").arg(neuron), placeColor(0), study::Trace()});
    const auto textsAt = [this](int width) {
      traces->resize(width, 200);
      const PaintedTexts painted(*traces, 1);
      QStringList texts;
      for (const PaintedTexts::Text& each : painted.texts())
        texts << each.text;
      return texts;
    };
    int width = 800;
    QVERIFY(textsAt(width).contains(QStringLiteral("pyramidal 2, soma")));
    while (textsAt(width).contains(QStringLiteral("pyramidal 2, soma")))
      width -= 10;
    for (int neuron : {0, 2})
      QVERIFY2(textsAt(width).contains(QStringLiteral("pyramidal %1").arg(neuron)),
               qPrintable(textsAt(width).join(QLatin1Char('|'))));
  }

  /// One neuron among many, and small groups beside each other.
  void everyGroupHasItsName()
  {
    const auto neurons = [](std::uint32_t first, std::uint32_t count) {
      std::vector<std::uint32_t> all(count);
      std::iota(all.begin(), all.end(), first);
      return all;
    };
    raster->setGroups({{QStringLiteral("pyr"), neurons(0, 1)},
                       {QStringLiteral("exc"), neurons(1, 160)},
                       {QStringLiteral("inh"), neurons(161, 40)},
                       {QStringLiteral("a"), neurons(201, 1)},
                       {QStringLiteral("b"), neurons(202, 1)}});
    const std::vector<QRectF> rects = raster->nameRects();
    QCOMPARE(rects.size(), raster->groups().size());
    const QImage picture = pictureOf(*raster);
    double free = raster->plot().top();
    for (const QRectF& rect : rects) {
      QVERIFY(rect.height() >= raster->fontMetrics().height());
      QVERIFY(rect.top() >= free - 1e-9);
      QVERIFY(rect.bottom() <= raster->plot().bottom() + 1e-9);
      QVERIFY(inked(picture, rect) > 0);
      free = rect.bottom();
    }
    // Names stand in the middle of their rows where they have the room.
    const double middle = (raster->yOf(1) + raster->yOf(160)) / 2;
    QVERIFY(std::abs(rects[1].center().y() - middle) < 1);
  }

  /// Of more groups than there is room for, the largest have names.
  void theLargestGroupsHaveTheirNames()
  {
    std::vector<NeuronGroup> groups;
    std::uint32_t next = 0;
    for (int k = 0; k < 100; ++k) {
      NeuronGroup group{QString::number(k), {}};
      for (int neuron = 0; neuron < (k == 50 ? 100 : 1); ++neuron)
        group.neurons.push_back(next++);
      groups.push_back(std::move(group));
    }
    raster->setGroups(groups);
    const std::vector<QRectF> rects = raster->nameRects();
    QVERIFY(!rects[50].isEmpty());
    const auto named = std::ranges::count_if(rects, [](const QRectF& rect) { return !rect.isEmpty(); });
    QVERIFY(named >= 3 && named < 100);
    pictureOf(*raster);
  }

  /// More neurons than pixels: spikes are binned, and many are told apart from one.
  void aRasterOfManyNeuronsIsADensity()
  {
    NeuronGroup all{QStringLiteral("all"), {}};
    for (std::uint32_t neuron = 0; neuron < 20'000; ++neuron)
      all.neurons.push_back(neuron);
    raster->setGroups({all});
    std::vector<simulation::Spike> spikes;
    for (std::uint32_t neuron = 5000; neuron < 5100; ++neuron)
      spikes.push_back({neuron, 50});
    spikes.push_back({15'000, 150});
    raster->store().append(spikes);
    axis->setNow(200);
    axis->showAll();
    const QImage picture = pictureOf(*raster);
    const auto strongest = [&](double time, std::uint32_t neuron) {
      QColor found = theme().canvas;
      for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
          const QColor color =
              picture.pixelColor(static_cast<int>(raster->xOf(time)) + dx, static_cast<int>(raster->yOf(neuron)) + dy);
          if (distance(color, theme().canvas) > distance(found, theme().canvas))
            found = color;
        }
      return found;
    };
    QCOMPARE(strongest(150, 15'000), categoryColor(0));
    QVERIFY(distance(strongest(50, 5050), categoryColor(0)) > 40);
    QVERIFY(distance(strongest(100, 10'000), theme().canvas) < 40);
  }

  /// Two pixels each way, in the colour of its group.
  void aSpikeOfAThinRowIsSeen()
  {
    NeuronGroup all{QStringLiteral("all"), {}};
    for (std::uint32_t neuron = 0; neuron < 400; ++neuron)
      all.neurons.push_back(neuron);
    raster->setGroups({all});
    raster->store().append({{0, 50}, {200, 100}, {399, 199.9}});
    raster->setSelected(all.neurons);
    axis->setNow(200);
    axis->showAll();
    const QImage picture = pictureOf(*raster);
    for (const simulation::Spike& spike : raster->store().spikes()) {
      const QRectF around(raster->xOf(spike.time) - 4, raster->yOf(spike.cell) - 4, 8, 8);
      int inColor = 0;
      for (int y = static_cast<int>(around.top()); y < around.bottom(); ++y)
        for (int x = static_cast<int>(around.left()); x < around.right(); ++x)
          inColor += distance(picture.pixelColor(x, y), categoryColor(0)) < 8 ? 1 : 0;
      QCOMPARE(inColor, 4);
    }
  }

  /// Rows beside each other have one band, the same everywhere; rows between bands have none.
  void theBandOfSelectedRowsIsEven_data()
  {
    QTest::addColumn<int>("neurons");
    for (const int neurons : {20, 90, 900}) // rows of several pixels, of more than one, of a part of one
      QTest::addRow("%d", neurons) << neurons;
  }
  void theBandOfSelectedRowsIsEven()
  {
    QFETCH(int, neurons);
    NeuronGroup all{QStringLiteral("all"), {}};
    std::vector<std::uint32_t> selected;
    for (int neuron = 0; neuron < neurons; ++neuron) {
      all.neurons.push_back(static_cast<std::uint32_t>(neuron));
      if (5 * neuron < 2 * neurons || 5 * neuron >= 3 * neurons)
        selected.push_back(static_cast<std::uint32_t>(neuron));
    }
    std::ranges::reverse(selected); // in any order
    raster->setGroups({all});
    axis->setNow(200);
    axis->showAll();
    const QImage before = pictureOf(*raster);
    raster->setSelected(selected);
    const QImage after = pictureOf(*raster);
    const int x = static_cast<int>(raster->xOf(70)); // beside the lines of the axis
    std::vector<QColor> seen;
    int plain = 0;
    for (int y = static_cast<int>(raster->plot().top()) + 2; y < raster->plot().bottom() - 2; ++y) {
      const QColor color = after.pixelColor(x, y);
      if (color == before.pixelColor(x, y))
        ++plain;
      else if (std::ranges::find(seen, color) == seen.end())
        seen.push_back(color);
    }
    QCOMPARE(seen.size(), std::size_t{1});
    QVERIFY(distance(seen.front(), theme().canvas) > 10); // it is seen
    const double between = raster->plot().height() / 5;
    QVERIFY2(std::abs(plain - between) <= 4, qPrintable(QStringLiteral("%1 of %2").arg(plain).arg(between)));
  }

  void aClickOnARowSelectsItsNeuronAndLooksAtThatTime()
  {
    raster->setGroups({{QStringLiteral("a"), {0, 1, 2}}});
    axis->setNow(100);
    axis->showAll();
    QSignalSpy picked(raster.get(), &RasterChart::neuronPicked);
    QSignalSpy looked(axis.get(), &TimeAxis::cursorMoved);
    const QPoint at(static_cast<int>(raster->xOf(40)), static_cast<int>(raster->yOf(2)));
    QTest::mouseClick(raster.get(), Qt::LeftButton, {}, at);
    QCOMPARE(picked.size(), 1);
    QCOMPARE(picked[0][0].toUInt(), 2U);
    QCOMPARE(looked.size(), 1);
    QVERIFY(std::abs(*axis->cursor() - 40) < 1);
    QTest::mouseDClick(raster.get(), Qt::LeftButton, {}, at);
    QVERIFY(!axis->cursor());
  }

  /// From any time to any other; with Ctrl more.
  void aDragWithShiftSelectsRows()
  {
    raster->setGroups({{QStringLiteral("a"), {0, 1, 2, 3}}, {QStringLiteral("b"), {7, 5}}});
    axis->setNow(100);
    axis->showAll();
    std::vector<std::uint32_t> picked;
    auto how = PickMode::Toggle;
    connect(raster.get(), &RasterChart::neuronsPicked, this,
            [&](const std::vector<std::uint32_t>& neurons, PickMode mode) {
              picked = neurons;
              how = mode;
            });
    const double from = axis->from();
    const auto drag = [&](double first, double last, Qt::KeyboardModifiers modifiers) {
      const int x = static_cast<int>(raster->xOf(40));
      QTest::mousePress(raster.get(), Qt::LeftButton, modifiers, {x, static_cast<int>(first)});
      QTest::mouseMove(raster.get(), {x + 80, static_cast<int>(last)});
      QTest::mouseRelease(raster.get(), Qt::LeftButton, modifiers, {x + 80, static_cast<int>(last)});
    };
    drag(raster->yOf(2), raster->yOf(7), Qt::ShiftModifier);
    QCOMPARE(picked, (std::vector<std::uint32_t>{2, 3, 7}));
    QCOMPARE(how, PickMode::Replace);
    drag(raster->yOf(5), raster->yOf(7), Qt::ShiftModifier | Qt::ControlModifier);
    QCOMPARE(picked, (std::vector<std::uint32_t>{7, 5}));
    QCOMPARE(how, PickMode::Add);
    drag(raster->plot().bottom() + 5, raster->plot().bottom() + 9, Qt::ShiftModifier);
    QVERIFY(picked.empty());
    QCOMPARE(axis->from(), from);
    QVERIFY(!axis->cursor());
  }

  void theWheelZoomsAndADragMoves()
  {
    axis->setNow(1000);
    axis->showAll();
    axis->move(-1); // it does not follow any more where it can move
    const double before = axis->span();
    QWheelEvent wheel(QPointF(240, 100), traces->mapToGlobal(QPointF(240, 100)), {}, {0, 240}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(traces.get(), &wheel);
    QVERIFY(axis->span() < before);
    axis->follow(100);
    QCOMPARE(axis->from(), 900.0);
    QTest::mousePress(traces.get(), Qt::LeftButton, Qt::ShiftModifier, {240, 100});
    QTest::mouseMove(traces.get(), {340, 100});
    QTest::mouseRelease(traces.get(), Qt::LeftButton, Qt::ShiftModifier, {340, 100});
    QVERIFY(axis->from() < 900);
  }

  void changesMarkTheAxis()
  {
    axis->setNow(100);
    axis->showAll();
    const QRectF around(traces->xOf(60) - 1, traces->plot().top(), 3, traces->plot().height());
    QCOMPARE(colored(pictureOf(*traces), theme().warning, around), 0);
    axis->setMarks({{60, QStringLiteral("hh x 0.5")}});
    QVERIFY(colored(pictureOf(*traces), theme().warning, around) > 20);
  }

  void ratesAreOfTheNeuronsOfAGroup()
  {
    raster->setGroups({{QStringLiteral("a"), {0, 1}}});
    std::vector<simulation::Spike> spikes;
    for (int k = 0; k < 100; ++k)
      spikes.push_back({static_cast<std::uint32_t>(k % 2), static_cast<double>(k)});
    raster->store().append(spikes);
    axis->setNow(100);
    axis->showAll();
    // 100 spikes of 2 neurons in 100 ms: 500 a second.
    const QImage picture = pictureOf(*rates);
    QVERIFY(colored(picture, categoryColor(0), rates->plot()) > 100);
    QVERIFY(rates->binWidth() >= 1);
  }

  /// All populations have a name in their colour, also where there is little room.
  void ratesSayWhichPopulationTheyAreOf()
  {
    raster->setGroups({{QStringLiteral("excitatory neurons"), {0, 1}}, {QStringLiteral("inhibitory neurons"), {2}}});
    for (const int width : {480, 320}) {
      rates->resize(width, 200);
      const QImage picture = pictureOf(*rates);
      const QRectF title(0, 0, width, rates->plot().top());
      for (const int group : {0, 1})
        QVERIFY2(colored(picture, categoryColor(group), title) >= 10, qPrintable(QString::number(width)));
    }
  }
};

HINESIGHT_TEST_RUN(hinesight::test::runGlTest<TestTimeCharts>)
#include "test_time_charts.moc"
