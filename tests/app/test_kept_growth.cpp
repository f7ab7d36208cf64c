#include "app/plasticity/plasticity_page.hpp"
#include "app/shell/screenshot.hpp"
#include "app_fixture.hpp"
#include "model/session_file.hpp"
#include "session_fixture.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QFile>
#include <QSettings>
#include <QtTest>

#include <cstdint>
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
  void isInWhatIsExported();

private:
  static constexpr std::uint32_t kSteps = 200;

  void grow(std::uint32_t step);
  std::optional<model::Project> kept() const;
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
  window->keepOpenIn(path("state"));
  window->showView(ViewKind::Plasticity);
  type("plasticityNeuronsSpin", "300");
  const auto steps = [this] {
    const auto project = kept();
    return project && project->grow ? project->grow->steps : 0;
  };
  for (const std::uint32_t step : {kSteps, 2 * kSteps}) {
    grow(step);
    QVERIFY(!QTest::currentTestFailed());
    QTRY_COMPARE_WITH_TIMEOUT(steps(), step, kPatience);
  }
  QCOMPARE(window->project().grow->steps, std::uint32_t{0}); // which are no change of what is open
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

HINESIGHT_TEST_RUN(runWindowTest<TestKeptGrowth>)
#include "test_kept_growth.moc"
