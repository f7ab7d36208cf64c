#include "app/app_fixture.hpp"
#include "session_runs_fixture.hpp"
#include "test_main.hpp"

#include <QtTest>

#include <string>

using namespace hinesight;
using namespace hinesight::app;

/// Runs of every kind in the real main window, saved with their session and restored in the next window.
class TestKindsOfSessionRuns : public QObject, SessionRunsFixture
{
  Q_OBJECT

private slots:
  void init() { begin(); }
  void cleanup() { window.reset(); }

  void restoresWhatASessionKept_data() { addKinds(); }
  /// In the next window: the field says what the run was made by, and not what the session was saved with.
  void restoresWhatASessionKept()
  {
    QFETCH(int, place);
    const Kind& kind = kinds()[static_cast<std::size_t>(place)];
    Done done;
    runAndTypeAnother(kind, done);
    QVERIFY(!QTest::currentTestFailed());
    const std::string name = "kind " + std::to_string(place) + ".hinesight";
    save(name.c_str());
    newWindow();
    QCOMPARE(runs(), 0);
    open({path(name.c_str())});
    QVERIFY(!QTest::currentTestFailed());
    QVERIFY(runs() > done.run);
    restoresFromAnotherPage(kind, done);
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestKindsOfSessionRuns>)
#include "test_kinds_of_session_runs.moc"
