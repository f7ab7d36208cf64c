#include "app/app_fixture.hpp"
#include "app/plasticity/plasticity_page.hpp"
#include "app/session_fixture.hpp"
#include "app/shell/screenshot.hpp"
#include "app/shell/sessions/growth_keeper.hpp"
#include "benchmark/window/busy_watch.hpp"
#include "model/session_file.hpp"
#include "synapse/plasticity/plasticity.hpp"
#include "test_main.hpp"

#include <QAction>
#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QtTest>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

using namespace hinesight;
using namespace hinesight::app;

/// How far the network of the page Plasticity has grown is in all that the window writes.
class TestKeptGrowth : public QObject, SessionFixture
{
  Q_OBJECT

private slots:
  void init()
  {
    QSettings().clear();
    QVERIFY(folder.isValid());
    QVERIFY(QDir(path("state")).removeRecursively());
    QVERIFY(showWindow());
  }
  void cleanup() { window.reset(); }

  void isKeptForTheCaseThatTheProgramIsKilled();
  void isKeptWhileItGrows();
  void goesOnAfterAKill_data();
  void goesOnAfterAKill();
  void aChangedRunGoesOnAsACheckpoint();
  void whatIsResetIsNotKept();
  void isInWhatIsExported();

private:
  static constexpr std::uint32_t kSteps = 200;

  static WatchedApplication& application() { return *static_cast<WatchedApplication*>(qApp); }
  void grow(std::uint32_t step);
  std::optional<model::Project> kept() const;
  std::uint32_t stepsKept() const
  {
    const auto project = kept();
    return project && project->grow ? project->grow->steps : 0;
  }
  QStringList networks() const { return QDir(path("state")).entryList({QStringLiteral("*.checkpoint")}, QDir::Files); }
  PlasticityPage* page() const { return find<PlasticityPage>("plasticityPage"); }
  /// A page of a new run in a window that is kept.
  void begin()
  {
    window->keepOpenIn(path("state"));
    window->showView(ViewKind::Plasticity);
    type("plasticityNeuronsSpin", "300");
  }
  /// As though the program had been killed: the next window finds what this one kept.
  void kill()
  {
    newWindow();
    window->keepOpenIn(path("state"));
  }
  QByteArray networkOf(const char* name)
  {
    page()->saveNetwork(path(name));
    const bool isSaved = QTest::qWaitFor([&] { return QFile::exists(path(name)); }, kPatience);
    QFile file(path(name));
    return isSaved && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
};

void TestKeptGrowth::grow(std::uint32_t step)
{
  auto* page = find<PlasticityPage>("plasticityPage");
  page->runTo(step);
  QTRY_VERIFY_WITH_TIMEOUT(page->step() == step && !page->isRunning(), kPatience);
  QVERIFY(waitForJobs());
}

std::optional<model::Project> TestKeptGrowth::kept() const
{
  const QDir state(path("state"));
  const QString name = state.entryList({QStringLiteral("window-*.hinesight")}, QDir::Files).value(0);
  if (name.isEmpty())
    return std::nullopt;
  return model::readSession(state.filePath(name).toStdString()).project;
}

void TestKeptGrowth::isKeptForTheCaseThatTheProgramIsKilled()
{
  begin();
  for (const std::uint32_t step : {kSteps, 2 * kSteps}) {
    grow(step);
    QVERIFY(!QTest::currentTestFailed());
    QTRY_COMPARE_WITH_TIMEOUT(stepsKept(), step, kPatience);
  }
  QCOMPARE(window->project().grow->steps, std::uint32_t{0}); // which are no change of what is open
}

/// Nothing but steps is done: no run ends, and no parameter changes. No event takes longer than a frame for it.
void TestKeptGrowth::isKeptWhileItGrows()
{
  begin();
  constexpr int kPause = 500;   // ms
  constexpr double kFrame = 16; // ms
  window->findChild<GrowthKeeper*>()->setPause(kPause);
  QTest::mouseClick(find<QPushButton>("plasticityRun"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(page()->step() > 0, kPatience);
  std::uint32_t last = 0;
  double busy = std::numeric_limits<double>::infinity(); // other programs take the caches away at times
  for (int time = 0; time < 3; ++time) {
    application().watchAnew();
    QTRY_VERIFY_WITH_TIMEOUT(stepsKept() > last && networks().size() == 1, kPatience);
    busy = std::min(busy, application().times().event);
    last = stepsKept();
    QVERIFY(page()->isRunning());
    QVERIFY(last <= page()->step());
  }
  QVERIFY(runsOf(io::RunKind::Growth) == 0); // which are kept when they are there
  QVERIFY2(busy < kFrame * tests::kSlowness, qPrintable(application().times().slowest));
  QTest::mouseClick(find<QPushButton>("plasticityRun"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(!page()->isRunning(), kPatience);
  QTRY_COMPARE_WITH_TIMEOUT(stepsKept(), page()->step(), kPatience);
}

void TestKeptGrowth::goesOnAfterAKill_data()
{
  QTest::addColumn<bool>("isRestoredAtOnce");
  QTest::newRow("restored") << true;
  QTest::newRow("reopened later") << false;
}

/// To the same network as without the kill.
void TestKeptGrowth::goesOnAfterAKill()
{
  QFETCH(bool, isRestoredAtOnce);
  begin();
  grow(kSteps);
  QVERIFY(!QTest::currentTestFailed());
  QTRY_COMPARE_WITH_TIMEOUT(stepsKept(), kSteps, kPatience);
  QTRY_COMPARE_WITH_TIMEOUT(networks().size(), qsizetype{1}, kPatience);
  kill();
  QTRY_VERIFY(find<QLabel>("recoveryText")->isVisible());
  if (isRestoredAtOnce) {
    click("recoveryAgree");
  } else {
    click("recoveryDecline");
    QTRY_VERIFY(find<QAction>("lastAction")->isEnabled());
    find<QAction>("lastAction")->trigger();
  }
  QTRY_COMPARE_WITH_TIMEOUT(page()->step(), kSteps, kPatience);
  QCOMPARE(page()->neurons(), std::size_t{300});
  QVERIFY(!page()->isChangedMidway());
  QTRY_COMPARE_WITH_TIMEOUT(stepsKept(), kSteps, kPatience);
  grow(2 * kSteps);
  QVERIFY(!QTest::currentTestFailed());
  QVERIFY(!find<QLabel>("mismatchText")->isVisible());
  const QByteArray resumed = networkOf("resumed.csv");

  newWindow();
  window->showView(ViewKind::Plasticity);
  type("plasticityNeuronsSpin", "300");
  grow(2 * kSteps);
  QVERIFY(!QTest::currentTestFailed());
  const QByteArray whole = networkOf("whole.csv");
  QVERIFY(whole.count('\n') > 10);
  QVERIFY(resumed == whole);
  QVERIFY(QFile::remove(path("resumed.csv")) && QFile::remove(path("whole.csv")));
}

/// No session grows it again: how far a session would is not said.
void TestKeptGrowth::aChangedRunGoesOnAsACheckpoint()
{
  begin();
  grow(kSteps);
  QVERIFY(!QTest::currentTestFailed());
  type("plasticityCalciumTargetSpin", "0.5");
  QTRY_VERIFY_WITH_TIMEOUT(page()->isChangedMidway(), kPatience);
  QTRY_COMPARE_WITH_TIMEOUT(stepsKept(), 0U, kPatience);
  const auto targetKept = [this] {
    const QString network = QDir(path("state")).filePath(networks().value(0));
    return synapse::readCheckpoint(network.toStdString(), Backend::Cpu)->parameters().calciumTarget;
  };
  QTRY_COMPARE_WITH_TIMEOUT(networks().size(), qsizetype{1}, kPatience);
  QTRY_COMPARE_WITH_TIMEOUT(targetKept(), 0.5, kPatience);
  kill();
  QTRY_VERIFY(find<QLabel>("recoveryText")->isVisible());
  click("recoveryAgree");
  QTRY_COMPARE_WITH_TIMEOUT(page()->step(), kSteps, kPatience);
  QVERIFY(page()->request().start && page()->request().start->isCheckpoint());
  QCOMPARE(page()->request().model.calciumTarget, 0.5);
}

void TestKeptGrowth::whatIsResetIsNotKept()
{
  begin();
  grow(kSteps);
  QVERIFY(!QTest::currentTestFailed());
  QTRY_COMPARE_WITH_TIMEOUT(networks().size(), qsizetype{1}, kPatience);
  QTest::mouseClick(find<QPushButton>("plasticityReset"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(networks().size(), qsizetype{0}, kPatience);
  QTRY_COMPARE_WITH_TIMEOUT(stepsKept(), 0U, kPatience);
}

void TestKeptGrowth::isInWhatIsExported()
{
  open({dataFile("bipolar.swc")});
  QVERIFY(!QTest::currentTestFailed());
  window->showView(ViewKind::Plasticity);
  type("plasticityNeuronsSpin", "300");
  grow(kSteps);
  QVERIFY(!QTest::currentTestFailed());
  exportEverything(*window, path("export"), {});
  const model::Project written = model::readSession(path("export/session.hinesight").toStdString()).project;
  QVERIFY(written.grow);
  QCOMPARE(written.grow->steps, kSteps);
  QVERIFY(QFile::exists(path("export/plasticity.h5")));
}

static int runWatched(int argc, char** argv)
{
  return runInApplication<WatchedApplication>(argc, argv, [&] {
    TestKeptGrowth test;
    return QTest::qExec(&test, argc, argv);
  });
}

HINESIGHT_TEST_RUN(runWatched)
#include "test_kept_growth.moc"
