#include "core/error.hpp"
#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "test_main.hpp"

#include <QTest>

#include <string>
#include <utility>
#include <vector>

using namespace hinesight;

class TestTimings : public QObject
{
  Q_OBJECT

private slots:
  void keepsStagesInTheOrderTheyCame()
  {
    StageTimings timings;
    timings.add("read", 1.5);
    timings.add("plan", 2);
    timings.add("read", 0.25);
    QCOMPARE(timings.stages.size(), std::size_t{2});
    QCOMPARE(timings.stages[0].name, std::string("read"));
    QCOMPARE(timings.stages[0].milliseconds, 1.75);
    QCOMPARE(timings.of("plan"), 2.0);
    QCOMPARE(timings.of("solve"), 0.0);
    QCOMPARE(timings.total(), 3.75);
    QCOMPARE(StageTimings().total(), 0.0);
  }

  void devicesWaitForTheSlowest()
  {
    StageTimings timings;
    timings.devices = {{Backend::Cuda, "GPU 0", {{"wait", 9}, {"search", 3}}},
                       {Backend::Cuda, "GPU 1", {{"search", 5}}}};
    for (int twice = 0; twice < 2; ++twice)
      timings.setWaits();
    QCOMPARE(timings.devices[0].of("wait"), 2.0);
    QCOMPARE(timings.devices[0].total(), 5.0);
    QCOMPARE(timings.devices[1].of("wait"), 0.0);
  }

  void addsRunsOnTheSameDevices()
  {
    StageTimings before{Backend::Cpu, "two", {{"cells", 2}}};
    before.devices = {{Backend::Cpu, "CPU 0", {{"cells", 2}}}, {Backend::Cpu, "CPU 1", {{"cells", 1}, {"wait", 1}}}};
    StageTimings after{Backend::Cpu, "two", {{"cells", 5}, {"events", 1}}};
    after.devices = {{Backend::Cpu, "CPU 0", {{"cells", 4}, {"wait", 1}}},
                     {Backend::Cpu, "CPU 1", {{"cells", 3}, {"wait", 2}}}};
    StageTimings mean;
    mean.add(before, -0.5);
    mean.add(after, 0.5);
    QCOMPARE(mean.device, std::string("two"));
    QCOMPARE(mean.of("cells"), 1.5);
    QCOMPARE(mean.of("events"), 0.5);
    QCOMPARE(mean.devices.size(), std::size_t{2});
    QCOMPARE(mean.devices[1].device, std::string("CPU 1"));
    QCOMPARE(mean.devices[0].of("wait"), 0.5);
    QCOMPARE(mean.devices[1].of("cells"), 1.0);
    QCOMPARE(mean.devices[1].of("wait"), 0.5);
  }

  /// A stage is over when all have done it, also one that some of them have not.
  void waitsForTheSlowestDevice()
  {
    StageTimings timings;
    timings.add("read", 10);
    const std::vector<StageTimings> each = {{Backend::Cuda, "GPU 1", {{"plan", 1}, {"upload", 4}}},
                                            {Backend::Cuda, "GPU 0", {{"plan", 2}, {"upload", 1}, {"choose", 0.5}}}};
    timings.addSideBySide(each);
    timings.addSideBySide(
        std::vector<StageTimings>{{Backend::Cuda, "GPU 1", {}}, {Backend::Cuda, "GPU 0", {{"x", 3}}}});
    QCOMPARE(timings.of("plan"), 2.0);
    QCOMPARE(timings.of("upload"), 4.0);
    QCOMPARE(timings.of("choose"), 0.5);
    QCOMPARE(timings.total(), 10 + 6.5 + 3);
    QCOMPARE(timings.devices[0].device, std::string("GPU 1"));
    QCOMPARE(timings.devices[0].of("upload"), 4.0);
    QCOMPARE(timings.devices[0].of("wait"), 1.5 + 3);
    QCOMPARE(timings.devices[1].of("wait"), 3.0);
    for (const StageTimings& device : timings.devices)
      QCOMPARE(device.total(), 9.5); // not the reading
  }

  void namesDevices()
  {
    QCOMPARE(deviceInShort(Backend::Cuda, 3), std::string("GPU 3"));
    QCOMPARE(deviceInShort(Backend::Cpu, 0), std::string("CPU 0"));
  }

  void namesBackends()
  {
    QCOMPARE(backendName(Backend::Cpu), std::string_view("cpu"));
    QCOMPARE(backendName(Backend::Cuda), std::string_view("cuda"));
  }

  void measuresLaps()
  {
    Stopwatch whole;
    Stopwatch laps;
    double sum = 0;
    for (int lap = 0; lap < 5; ++lap) {
      // Until the clock has moved on.
      while (laps.elapsed() <= 0) {
      }
      const double time = laps.lap();
      QVERIFY(time > 0);
      sum += time;
    }
    QVERIFY(sum <= whole.elapsed());
  }

  void cancelsEveryCopy()
  {
    const RunControl control;
    const RunControl copy = control;
    control.checkpoint();
    copy.cancel();
    QVERIFY(control.isCancelled());
    try {
      control.checkpoint();
      QFAIL("did not throw");
    } catch (const Error& error) {
      QVERIFY(error.code() == ErrorCode::Cancelled);
    }
    QVERIFY(!RunControl().isCancelled());
  }

  void tellsTheListenerBeforeItStops()
  {
    std::vector<std::pair<std::string, double>> heard;
    const RunControl control(
        [&](std::string_view stage, double fraction) { heard.emplace_back(std::string(stage), fraction); });
    control.report("plan", 0.5);
    control.cancel();
    QVERIFY_EXCEPTION_THROWN(control.report("solve", 1), Error);
    const std::vector<std::pair<std::string, double>> expected = {{"plan", 0.5}, {"solve", 1.0}};
    QCOMPARE(heard, expected);
  }

  void everyCheckpointIsWatched()
  {
    int passed = 0;
    const RunControl control(nullptr, [&] { ++passed; });
    control.checkpoint();
    control.report("plan", 0);
    control.part(0, 0.5).report("plan", 1);
    control.silenced().report("plan", 1);
    QCOMPARE(passed, 4);
    control.cancel();
    QVERIFY_EXCEPTION_THROWN(control.checkpoint(), Error);
    QCOMPARE(passed, 5);
  }

  void silencedControlsAreStillCancelled()
  {
    int heard = 0;
    const RunControl control([&](std::string_view, double) { ++heard; });
    const RunControl silenced = control.silenced();
    silenced.report("plan", 0.5);
    QCOMPARE(heard, 0);
    control.report("plan", 0.5);
    QCOMPARE(heard, 1);
    control.cancel();
    QVERIFY_EXCEPTION_THROWN(silenced.checkpoint(), Error);
  }
};

HINESIGHT_TEST(TestTimings)
#include "test_timings.moc"
