#include "gl_test.hpp"

#include "test_main.hpp"
#include "widgets/charts/timing_card.hpp"

#include <QSignalSpy>

#include <map>
#include <memory>

using namespace hinesight;
using namespace hinesight::widgets;
using hinesight::test::distance;

namespace {

StageTimings timingsOf(const std::vector<Stage>& stages)
{
  StageTimings timings;
  timings.backend = Backend::Cpu;
  timings.device = "test machine";
  timings.stages = stages;
  return timings;
}

QImage paint(TimingCard& card)
{
  card.resize(card.sizeHint());
  return card.grab().toImage();
}

/// Lengths of the runs of one colour along the middle of the stage bar, left to right, pixels.
std::vector<int> segments(TimingCard& card)
{
  const QImage picture = paint(card);
  const QRect bar = card.stageBarRect();
  std::vector<int> lengths;
  QColor before;
  for (int x = bar.left(); x <= bar.right(); ++x) {
    const QColor color = picture.pixelColor(x, bar.center().y());
    if (!lengths.empty() && distance(color, before) <= 2) {
      ++lengths.back();
    } else {
      lengths.push_back(1);
    }
    before = color;
  }
  // Antialiasing gives a border between two stages a pixel of its own.
  std::erase_if(lengths, [](int length) { return length <= 1; });
  return lengths;
}

} // namespace

class TestTimingCard : public QObject
{
  Q_OBJECT

private slots:
  void paintsStagesInProportion()
  {
    TimingCard card;
    card.addRun(timingsOf({{"read", 1}, {"plan", 3}, {"solve", 6}}));
    const std::vector<int> lengths = segments(card);
    QCOMPARE(lengths.size(), std::size_t{3});
    const double unit = card.stageBarRect().width() / 10.0;
    QVERIFY2(std::abs(lengths[0] - unit) <= 2, qPrintable(QString::number(lengths[0])));
    QVERIFY2(std::abs(lengths[1] - 3 * unit) <= 2, qPrintable(QString::number(lengths[1])));
    QVERIFY2(std::abs(lengths[2] - 6 * unit) <= 2, qPrintable(QString::number(lengths[2])));
  }

  void followsTheNewestRun()
  {
    TimingCard card;
    card.addRun(timingsOf({{"plan", 5}, {"solve", 5}}));
    card.addRun(timingsOf({{"plan", 1}, {"solve", 9}}));
    const std::vector<int> lengths = segments(card);
    QCOMPARE(lengths.size(), std::size_t{2});
    QVERIFY(std::abs(lengths[0] - card.stageBarRect().width() / 10.0) <= 2);
    QCOMPARE(card.runs(), 2);
    QCOMPARE(card.timings().of("solve"), 9.0);
  }

  void keepsTheColorOfAStage()
  {
    TimingCard card;
    card.addRun(timingsOf({{"plan", 5}, {"solve", 5}}));
    const QRect bar = card.stageBarRect();
    const QColor solve = paint(card).pixelColor(bar.right() - 5, bar.center().y());
    card.addRun(timingsOf({{"solve", 5}}));
    QVERIFY(distance(paint(card).pixelColor(bar.center()), solve) <= 1);
  }

  void survivesRunsWithoutTime()
  {
    TimingCard card;
    card.addRun(timingsOf({}));
    card.addRun(timingsOf({{"solve", 0}}));
    card.addRun(timingsOf({{"solve", 1}}), {.floorFraction = 0.44});
    QVERIFY(!paint(card).isNull());
    QCOMPARE(card.runs(), 3);
  }

  /// A run that read and solved nothing is shown, and is none of the solves that are compared.
  void comparesSolvesOnly()
  {
    TimingCard card;
    card.addRun(timingsOf({{"read", 4}}));
    QVERIFY(!card.best());
    card.addRun(timingsOf({{"plan", 1}, {"solve", 3}}));
    card.addRun(timingsOf({{"read", 4}}));
    QCOMPARE(card.runs(), 3);
    QCOMPARE(card.best(), std::optional(3.0));
    QVERIFY(!paint(card).isNull());
    card.addRun(timingsOf({{"solve", 2}}));
    QCOMPARE(card.best(), std::optional(2.0));
    card.clear();
    QCOMPARE(card.runs(), 0);
    QVERIFY(!card.best());
  }

  void remembersFiftyRuns()
  {
    TimingCard card;
    for (int run = 1; run <= 60; ++run) {
      card.addRun(timingsOf({{"solve", static_cast<double>(run)}}));
    }
    QCOMPARE(card.runs(), 50);
    QVERIFY(!paint(card).isNull());
    QCOMPARE(card.best(), std::optional(1.0)); // a best time gets no worse
    card.addRun(timingsOf({{"solve", 5}}), {.of = "another batch"});
    QCOMPARE(card.best(), std::optional(5.0));
  }

  /// Steps of a network that grows are no runs that could be compared.
  void comparesNoParts()
  {
    TimingCard card;
    card.showParts();
    for (const double time : {5.4, 5.7, 3.0})
      card.addRun(timingsOf({{"electrical", time}, {"growth", 1}}));
    QCOMPARE(card.timings().of("electrical"), 3.0);
    QVERIFY(!card.best());
    QVERIFY(card.change().isEmpty());
    QVERIFY(!paint(card).isNull());
  }

  void fadesOldFiguresWhileRunning()
  {
    TimingCard card;
    card.addRun(timingsOf({{"solve", 5}}));
    const QRect bar = card.stageBarRect();
    const QColor vivid = paint(card).pixelColor(bar.center());
    const int idleHeight = card.sizeHint().height();
    QVERIFY(!card.isRunning());
    card.setProgress(QStringLiteral("plan"), 0.5);
    QVERIFY(card.isRunning());
    QVERIFY(card.sizeHint().height() > idleHeight);
    QVERIFY(distance(paint(card).pixelColor(bar.center()), vivid) > 40);
    QCOMPARE(card.timings().of("solve"), 5.0);
    card.addRun(timingsOf({{"solve", 4}}));
    QVERIFY(!card.isRunning());
    QVERIFY(distance(paint(card).pixelColor(bar.center()), vivid) <= 1);
  }

  void showsProgressInProportion()
  {
    TimingCard card;
    const auto filled = [&card](double fraction) {
      card.setProgress(QStringLiteral("solve"), fraction);
      const QImage picture = paint(card);
      int pixels = 0;
      for (int y = 0; y < picture.height(); ++y) {
        int inRow = 0;
        for (int x = 0; x < picture.width(); ++x) {
          inRow += distance(picture.pixelColor(x, y), theme().accent) <= 1;
        }
        pixels = std::max(pixels, inRow);
      }
      return pixels;
    };
    const int half = filled(0.5);
    QVERIFY2(half > 50, qPrintable(QString::number(half)));
    QVERIFY(std::abs(filled(0.25) - half / 2) <= 1);
    QVERIFY(std::abs(filled(1.0) - half * 2) <= 1);
    card.setProgress({}, -1);
    QVERIFY(!card.isRunning());
  }

  /// A dot of the accent where the shortest of the runs is.
  void marksTheBestRun()
  {
    const auto markedAt = [](const std::vector<double>& totals) {
      TimingCard card;
      for (const double total : totals) {
        card.addRun(timingsOf({{"solve", total}}));
      }
      const QImage picture = paint(card);
      double sum = 0;
      int count = 0;
      // The label "best" to the right of the curve has the same colour: only the curve's half is looked at.
      for (int y = card.stageBarRect().bottom() + 1; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width() / 2 + 20; ++x) {
          if (distance(picture.pixelColor(x, y), theme().accent) <= 1) {
            sum += x;
            ++count;
          }
        }
      }
      return count > 0 ? sum / count : -1;
    };
    const double first = markedAt({1, 4, 5, 3, 4});
    const double second = markedAt({4, 1, 5, 3, 4});
    QVERIFY2(first > 0 && second > first + 10, qPrintable(QStringLiteral("%1 %2").arg(first).arg(second)));
  }

  void comparesWithNothingBeforeAnotherBatch()
  {
    TimingCard card;
    card.addRun(timingsOf({{"solve", 1}}), {.of = "10 cells"});
    card.addRun(timingsOf({{"solve", 5}}), {.of = "50 cells"});
    QCOMPARE(card.runs(), 1);
    QCOMPARE(card.timings().of("solve"), 5.0);
    QCOMPARE(card.best(), std::optional(5.0));
    QVERIFY(card.change().isEmpty());
    card.addRun(timingsOf({{"solve", 5}}), {.of = "50 cells"});
    QCOMPARE(card.runs(), 2);
    QVERIFY(!card.change().isEmpty());
  }

  /// Runs of one batch on a busy machine.
  void tellsNoVerdictFromNoise()
  {
    TimingCard card;
    const auto add = [&](double median, double apart) {
      std::vector<double> samples;
      for (int i = -10; i <= 10; ++i) {
        samples.push_back(median * (1 + apart * i));
      }
      card.addRun(timingsOf({{"solve", median}}), {.time = measuredOf(samples)});
    };
    for (const double median : {1.0, 0.97, 1.02, 0.96}) {
      add(median, 0.015);
      QVERIFY(card.runs() == 1 || card.verdict() == Verdict::Same);
    }
    QCOMPARE(card.change(), QStringLiteral("no difference"));
    for (const double median : {1.0, 0.8, 1.2, 0.9}) {
      add(median, 0.09);
      QCOMPARE(card.verdict(), Verdict::Unknown);
    }
    QCOMPARE(card.change(), QStringLiteral("\u221225 %, times vary"));
    Measured busy = measuredOf(std::vector<double>(10, 1.8));
    busy.others = 1;
    card.addRun(timingsOf({{"solve", 1.8}}), {.time = measuredOf(std::vector<double>(10, 0.9))});
    card.addRun(timingsOf({{"solve", 1.8}}), {.time = busy});
    QCOMPARE(card.verdict(), Verdict::Unknown);
    QCOMPARE(card.change(), QStringLiteral("+100 %, busy machine"));
    for (const double once : {1.0, 0.48, 1.4, 0.94, 2.8}) {
      card.addRun(timingsOf({{"solve", once}}));
      QCOMPARE(card.verdict(), Verdict::Unknown);
    }
  }

  /// Only what can be told apart has the colour of a verdict.
  void colorsAVerdict()
  {
    const auto has = [](TimingCard& card, const QColor& color) {
      const QImage picture = paint(card);
      for (int y = 0; y < card.stageBarRect().top(); ++y) {
        for (int x = picture.width() / 2; x < picture.width(); ++x) {
          if (test::hueDistance(picture.pixelColor(x, y), color) <= 12 &&
              picture.pixelColor(x, y).hsvSaturation() > 90) {
            return true;
          }
        }
      }
      return false;
    };
    const auto after = [](double second, std::size_t samples) {
      auto card = std::make_unique<TimingCard>();
      for (const double time : {1.0, second}) {
        card->addRun(timingsOf({{"solve", time}}), {.time = measuredOf(std::vector<double>(samples, time))});
      }
      return card;
    };
    QVERIFY(has(*after(0.5, 8), theme().accent));
    QVERIFY(has(*after(2, 8), theme().warning));
    for (const auto& [time, samples] : {std::pair(0.5, std::size_t(1)), {2.0, 5}, {1.04, 8}, {0.97, 8}}) {
      const auto card = after(time, samples);
      QVERIFY(!has(*card, theme().accent));
      QVERIFY(!has(*card, theme().warning));
    }
    QCOMPARE(after(0.5, 1)->change(), QStringLiteral("\u221250 %, one run"));
  }

  void leavesOutWhatHasNoRoom()
  {
    TimingCard card;
    card.addRun(timingsOf({{"plan", 1}, {"upload", 1}, {"solve", 1}}));
    card.addRun(timingsOf({{"plan", 1}, {"upload", 1}, {"solve", 2}}));
    const int whole = card.height();
    card.setHeightLimit(whole);
    QCOMPARE(card.height(), whole);
    card.setHeightLimit(whole - 1);
    const int withoutHistory = card.height();
    QVERIFY(withoutHistory < whole);
    card.setHeightLimit(withoutHistory - 1);
    QVERIFY(card.height() < withoutHistory);
    QVERIFY(card.rect().contains(card.stageBarRect()));
    QCOMPARE(segments(card).size(), std::size_t(3));
    card.setHeightLimit(whole);
    QCOMPARE(card.height(), whole);
  }

  void forgetsAndTells()
  {
    TimingCard card;
    QSignalSpy changed(&card, &TimingCard::contentChanged);
    card.addRun(timingsOf({{"solve", 5}}));
    card.clear();
    QCOMPARE(card.runs(), 0);
    QVERIFY(card.timings().stages.empty());
    QCOMPARE(changed.size(), 2);
    QVERIFY(!paint(card).isNull());
  }
};

HINESIGHT_TEST_RUN(hinesight::test::runGlTest<TestTimingCard>)

#include "test_timing_card.moc"
