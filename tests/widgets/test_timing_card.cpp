#include "gl_test.hpp"

#include "painted_texts.hpp"
#include "test_main.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/theme_scope.hpp"

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

/// So many GPUs: each solves while the others wait, the later the longer.
StageTimings timingsOfGpus(std::size_t count)
{
  StageTimings timings = timingsOf({{"plan", 4}, {"solve", 6}});
  for (std::size_t k = 0; k < count; ++k) {
    const double solve = 6 * static_cast<double>(k + 1) / static_cast<double>(count);
    timings.devices.push_back(
        {Backend::Cuda, deviceInShort(Backend::Cuda, k), {{"wait", 6 - solve}, {"solve", solve}}});
  }
  return timings;
}

/// Lengths of the runs of one colour along the middle of a bar, left to right, pixels.
std::vector<int> segments(TimingCard& card, const QRect& bar)
{
  const QImage picture = paint(card);
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

std::vector<int> segments(TimingCard& card)
{
  return segments(card, card.stageBarRect());
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

  /// A bar of each below that of the total, at its scale.
  void paintsWhatEachDeviceDid()
  {
    TimingCard card;
    card.addRun(timingsOf({{"plan", 4}, {"solve", 6}}));
    const int withoutDevices = card.height();
    QVERIFY(card.deviceBarRects().empty());
    card.addRun(timingsOfGpus(2), {.of = "on two"});
    const QRect whole = card.stageBarRect();
    const std::vector<QRect> bars = card.deviceBarRects();
    QCOMPARE(bars.size(), std::size_t{2});
    QVERIFY(card.height() > withoutDevices);
    const double unit = whole.width() / 10.0;
    const auto isAbout = [&](int length, double milliseconds) { return std::abs(length - milliseconds * unit) <= 2; };
    const QImage picture = paint(card);
    for (std::size_t k = 0; k < 2; ++k) {
      const QRect& bar = bars[k];
      QCOMPARE(bar.left(), whole.left());
      QCOMPARE(bar.width(), whole.width());
      QVERIFY(bar.top() > (k == 0 ? whole : bars[k - 1]).bottom());
      QVERIFY(card.rect().contains(bar));
      const std::vector<int> lengths = segments(card, bar);
      QCOMPARE(lengths.size(), k == 0 ? std::size_t{3} : std::size_t{2}); // the last one is empty
      QVERIFY(isAbout(lengths[0], k == 0 ? 3 : 6));
      QVERIFY(isAbout(lengths[1], k == 0 ? 3 : 4));
      const auto colorAt = [&](double milliseconds) {
        return picture.pixelColor(bar.left() + static_cast<int>(milliseconds * unit), bar.center().y());
      };
      QVERIFY(distance(colorAt(1.5), stageColor("solve")) <= 1);
      QVERIFY(distance(colorAt(4.5), stageColor(k == 0 ? "wait" : "solve")) <= 1);
    }
    const test::PaintedTexts texts(card, 1);
    for (const auto& [name, bar] : {std::pair("all", whole), {"GPU 0", bars[0]}, {"GPU 1", bars[1]}}) {
      const auto* text = texts.find(name);
      QVERIFY2(text, name);
      QVERIFY(text->place.right() < bar.left());
      QVERIFY(std::abs(text->place.center().y() - bar.center().y()) < 4);
    }
    QVERIFY(texts.find("wait"));
    QVERIFY(texts.find(QStringLiteral("\u2264 3 ms"))); // the most of any
  }

  void countsDevicesThatHaveNoBar()
  {
    TimingCard card;
    card.addRun(timingsOfGpus(8));
    QCOMPARE(card.deviceBarRects().size(), std::size_t{8});
    QVERIFY(!test::PaintedTexts(card, 1).find("and "));
    const int ofEight = card.height();
    card.addRun(timingsOfGpus(12), {.of = "on more"});
    QCOMPARE(card.deviceBarRects().size(), std::size_t{8});
    const test::PaintedTexts texts(card, 1);
    const auto* more = texts.find("and 4 more");
    QVERIFY(more && more->place.top() > card.deviceBarRects().back().bottom());
    QVERIFY(!texts.find("GPU 8"));
    QVERIFY(card.height() > ofEight);
    QVERIFY(card.height() < 400); // in a window of 1280 x 720
  }

  /// What devices wait for and tell each other is taken for nothing else.
  void colorsWaitingAndExchange()
  {
    const std::vector<std::string> stages = {
        "solve",  "plan",   "discretize", "read",  "upload", "permute", "download", "forward",    "positions",
        "bin",    "count",  "scan",       "tree",  "vacant", "search",  "resolve",  "edges",      "electrical",
        "growth", "delete", "cells",      "batch", "events", "compact", "summary",  "another one"};
    QVERIFY(!looksAlike(stageColor("wait"), stageColor("exchange")));
    for (const std::string& stage : stages) {
      QVERIFY2(!looksAlike(stageColor(stage), stageColor("wait")), stage.c_str());
      QVERIFY2(!looksAlike(stageColor(stage), stageColor("exchange")), stage.c_str());
    }
    QVERIFY(!looksAlike(stageColor("cells"), stageColor("events")));
  }

  /// Farther from the ground than what it follows, whichever that is.
  void batchIsSeenBesideDiscretize()
  {
    for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
      const ThemeScope scope(mode);
      const int batch = stageColor("batch").lightness();
      const int before = stageColor("discretize").lightness();
      QVERIFY(mode == ThemeMode::Dark ? batch > before : batch < before);
      QVERIFY(!looksAlike(stageColor("batch"), stageColor("discretize")));
    }
  }

  void leavesOutDevicesBeforeNames()
  {
    TimingCard card;
    card.addRun(timingsOfGpus(2));
    card.addRun(timingsOfGpus(2));
    const int whole = card.height();
    card.setHeightLimit(whole - 1);
    const int withoutHistory = card.height();
    QVERIFY(withoutHistory < whole);
    QCOMPARE(card.deviceBarRects().size(), std::size_t{2});
    card.setHeightLimit(withoutHistory - 1);
    QVERIFY(card.deviceBarRects().empty());
    const test::PaintedTexts texts(card, 1);
    QVERIFY(texts.find("solve") && !texts.find("wait") && !texts.find("GPU 0"));
    card.setHeightLimit(whole);
    QCOMPARE(card.deviceBarRects().size(), std::size_t{2});
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

  /// However long they are.
  void keepsItsTextsApart()
  {
    for (const double time : {0.000'123, 0.0123, 312.0, 12'345'678.0}) {
      TimingCard card;
      card.setHistoryOf("discretize");
      card.setNote(QStringLiteral("22,208,750 rows and a note that is longer than the card is wide, 178 MB"));
      for (const double factor : {1.0, 2.0})
        card.addRun(timingsOf({{"discretize", factor * time}, {"electrical", time}, {"positions", time}}));
      card.setProgress(QStringLiteral("a stage that has a name which is longer than the card is wide"), 0.5);
      card.resize(card.sizeHint());
      const test::PaintedTexts texts(card, 1);
      QVERIFY(texts.find("running") && texts.find("best"));
      for (const auto& fault : texts.faults())
        QVERIFY2(false, qPrintable(fault.what + QStringLiteral(": ") + fault.where));
    }
  }

  /// On a small canvas, where the card is a line.
  void keepsANoteThatStaysWhereItIsFolded()
  {
    TimingCard card;
    card.addRun(timingsOf({{"solve", 0.6}}));
    card.setNote(QStringLiteral("22 rows"));
    QVERIFY(card.fitInto({500, 300}) && card.isFolded());
    const int line = card.height();
    QVERIFY(!test::PaintedTexts(card, 1).find("22 rows"));
    card.setNote(QStringLiteral("Plan of a GPU: 0.21 ms predicted on a GPU of a name that is longer than the card"),
                 true);
    QVERIFY(card.isFolded() && card.height() > line && card.height() < 3 * line);
    const test::PaintedTexts texts(card, 1);
    QVERIFY(texts.find("Plan of a GPU: 0.21 ms predicted") && texts.find("solve"));
    for (const auto& fault : texts.faults())
      QVERIFY2(false, qPrintable(fault.what + QStringLiteral(": ") + fault.where));
    card.setNote({}, true);
    QCOMPARE(card.height(), line);
  }

  /// A line leaves its canvas to what is drawn there, and stays as it is while a run goes on.
  void isAsNarrowAsItsLineWhereItIsFolded()
  {
    TimingCard card;
    card.setHistoryOf({});
    card.addRun(timingsOf({{"count", 0.6}, {"scan", 0.2}}));
    const int whole = card.width();
    QVERIFY(card.fitInto({500, 300}) && card.isFolded());
    const int line = card.width();
    QVERIFY2(3 * line <= 2 * whole, qPrintable(QString::number(line)));
    card.setProgress(QStringLiteral("compact"), 0.5);
    QCOMPARE(card.width(), line);
    card.setProgress({}, -1);
    card.addRun(timingsOf({{"count", 0.7}, {"scan", 0.2}}));
    QCOMPARE(card.width(), line);
    const test::PaintedTexts texts(card, 1);
    for (const auto& fault : texts.faults())
      QVERIFY2(false, qPrintable(fault.what + QStringLiteral(": ") + fault.where));
    // There is more to say beside the total.
    card.setHistoryOf("discretize");
    card.addRun(timingsOf({{"read", 22.5}, {"discretize", 0.312}}), {.time = measuredOf({0.311, 0.312, 0.313, 0.312})});
    QVERIFY(card.width() > line);
    QVERIFY(test::PaintedTexts(card, 1).find("discretize 0.312 ms"));
  }

  /// What lies around it is laid out anew only where it changes its size.
  void progressIsNoOtherSize()
  {
    TimingCard card;
    card.addRun(timingsOf({{"solve", 5}}));
    QSignalSpy changed(&card, &TimingCard::contentChanged);
    for (const double fraction : {0.1, 0.5, 0.9})
      card.setProgress(QStringLiteral("plan"), fraction);
    QCOMPARE(changed.size(), 1);
    card.setProgress({}, -1);
    QCOMPARE(changed.size(), 2);
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
