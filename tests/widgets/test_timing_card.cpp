#include "gl_test.hpp"

#include "test_main.hpp"
#include "widgets/charts/timing_card.hpp"

#include <QSignalSpy>

#include <map>

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
    card.addRun(timingsOf({{"solve", 1}}), 0.44);
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
    card.startHistory();
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
    card.addRun(timingsOf({{"solve", 1}}));
    card.startHistory();
    card.addRun(timingsOf({{"solve", 5}}));
    QCOMPARE(card.runs(), 1);
    QCOMPARE(card.timings().of("solve"), 5.0);
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
