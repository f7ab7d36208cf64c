#include "app/app_fixture.hpp"
#include "app/simulation/simulation_runner.hpp"
#include "app/simulation/simulation_timings.hpp"
#include "test_main.hpp"
#include "widgets/charts/timing_card.hpp"

#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

namespace {

/// As far as the engine tells its stages: half of it.
SimulationStretch stretchOf(double milliseconds, double spent, bool tells = true)
{
  SimulationStretch stretch;
  stretch.milliseconds = milliseconds;
  stretch.spent = spent;
  stretch.compartmentSteps = 1000 * milliseconds;
  if (tells)
    stretch.stages.add("solve", spent / 2);
  return stretch;
}

} // namespace

class TestSimulationTimings : public QObject
{
  Q_OBJECT

private slots:
  void thePieceIsWhatCameSinceTheLastStop()
  {
    widgets::TimingCard card;
    SimulationTimings timings(&card);
    timings.begin("cell");
    timings.add(stretchOf(10, 40));
    timings.add(stretchOf(5, 20));
    SimulationWork piece = timings.endPiece();
    QCOMPARE(piece.milliseconds, 15.0);
    QCOMPARE(piece.stages().of("solve"), 30.0);
    QVERIFY2(card.note().startsWith(QStringLiteral("15 ms at")), qPrintable(card.note()));
    QVERIFY2(!card.note().contains(QStringLiteral("; last")), qPrintable(card.note()));
    timings.add(stretchOf(20, 80));
    piece = timings.endPiece();
    QCOMPARE(piece.milliseconds, 20.0);
    QCOMPARE(piece.stages().of("solve"), 40.0);
    QCOMPARE(card.timings().of("solve"), 70.0); // the whole run
    QVERIFY2(card.note().contains(QStringLiteral("; last 20 ms in")), qPrintable(card.note()));
  }

  /// Such as where only a place was filled in.
  void withoutWorkThereIsNoPiece()
  {
    widgets::TimingCard card;
    SimulationTimings timings(&card);
    timings.begin("cell");
    QCOMPARE(timings.endPiece().milliseconds, 0.0);
    QVERIFY(card.note().isEmpty());
    QVERIFY(card.timings().stages.empty());
  }

  void theCardSaysItFromTimeToTime()
  {
    widgets::TimingCard card;
    SimulationTimings timings(&card);
    timings.begin("cell");
    timings.add(stretchOf(10, 400));
    QVERIFY(card.timings().stages.empty());
    timings.add(stretchOf(10, 400));
    QCOMPARE(card.timings().of("solve"), 400.0);
    timings.add(stretchOf(10, 400));
    QCOMPARE(card.timings().of("solve"), 400.0);
  }

  void anEngineThatTellsNothingHasOneStage()
  {
    widgets::TimingCard card;
    SimulationTimings timings(&card);
    timings.begin("cell");
    timings.add(stretchOf(10, 40, false));
    QCOMPARE(timings.endPiece().stages().of("simulate"), 40.0);
    QCOMPARE(card.timings().of("simulate"), 40.0);
  }

  void beginsAnew()
  {
    widgets::TimingCard card;
    SimulationTimings timings(&card);
    timings.begin("cell");
    timings.add(stretchOf(10, 400));
    timings.begin("another");
    QCOMPARE(timings.endPiece().milliseconds, 0.0);
    timings.add(stretchOf(10, 400)); // none of the earlier one counts
    QVERIFY(card.timings().stages.empty());
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestSimulationTimings>)
#include "test_simulation_timings.moc"
