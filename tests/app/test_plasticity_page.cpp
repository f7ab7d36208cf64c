#include "app/main_window.hpp"

#include "app/plasticity_page.hpp"
#include "app/plasticity_panel.hpp"
#include "app_fixture.hpp"
#include "widgets/step_chart.hpp"
#include "widgets/timing_card.hpp"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

namespace {

constexpr int kPatience = 20'000;    // ms; on a busy machine
constexpr double kMostToPause = 100; // ms
constexpr std::uint32_t kPeriod = 20;

} // namespace

/// Drives the page of plasticity in the real main window.
class TestPlasticityPage : public QObject
{
  Q_OBJECT

private slots:
  void init()
  {
    QSettings().clear();
    window = std::make_unique<MainWindow>();
    window->resize(1400, 900);
    PlasticityRequest request = panel().request();
    request.source.neurons = 500;
    request.model.updatePeriod = kPeriod;
    // Elements from the start, so that the first update forms synapses.
    for (auto* pool : {&request.model.axon, &request.model.excitatoryDendrite, &request.model.inhibitoryDendrite}) {
      pool->initialLeast = 2;
      pool->initialMost = 3;
    }
    panel().setRequest(request);
    page().setRequest(request);
    window->showView(ViewKind::Plasticity);
    window->show();
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
  }
  void cleanup() { window.reset(); }

  void stepsToTheNextUpdate();
  void chartsGrowWhileItRuns();
  void pausesAndGoesOn();
  void beginsAnewAfterReset();
  void beginsAnewWithAnotherParameter();
  void givesTheSameNetworkHoweverItIsRun();
  void saysWhatIsWrongWithAParameter();

private:
  template <typename Widget>
  Widget* find(const char* name) const
  {
    auto* widget = window->findChild<Widget*>(QLatin1String(name));
    if (!widget)
      qFatal("the window has no %s", name);
    return widget;
  }
  PlasticityPage& page() const { return window->plasticity(); }
  PlasticityPanel& panel() const { return *find<PlasticityPanel>("plasticityPanel"); }
  void click(const char* button) { QTest::mouseClick(find<QPushButton>(button), Qt::LeftButton); }
  void stepOnce()
  {
    click("plasticityStep");
    QVERIFY(QTest::qWaitFor([this] { return !page().isRunning(); }, kPatience));
  }

  std::unique_ptr<MainWindow> window;
};

void TestPlasticityPage::stepsToTheNextUpdate()
{
  stepOnce();
  QCOMPARE(page().step(), kPeriod);
  QCOMPARE(page().calcium().lastStep(), kPeriod);
  QCOMPARE(page().calcium().points(), std::size_t{kPeriod});
  QCOMPARE(page().changes().points(), std::size_t{1});
  QVERIFY(page().changes().lastValue(0) > 0); // formed
  QVERIFY(page().synapses().lastValue(0) == page().changes().lastValue(0) - page().changes().lastValue(1));
  const double elements = page().elements().lastValue(0);
  QVERIFY2(elements > 1.9 && elements < 3.1, std::to_string(elements).c_str());
  QVERIFY(page().timingCard().timings().of("electrical") > 0);
  QVERIFY(find<QLabel>("plasticityHeadline")->text().startsWith(QStringLiteral("Step 20")));
}

void TestPlasticityPage::chartsGrowWhileItRuns()
{
  click("plasticityRun");
  QCOMPARE(find<QPushButton>("plasticityRun")->text(), QStringLiteral("Pause"));
  QVERIFY(QTest::qWaitFor([this] { return page().step() >= 5 * kPeriod; }, kPatience));
  QVERIFY(page().isRunning());
  QVERIFY(page().rate().points() >= 5 * kPeriod / 10);
  QVERIFY(page().calcium().lastValue(0) >= page().calcium().lastValue(1)); // most, mean
  QVERIFY(page().calcium().lastValue(1) >= page().calcium().lastValue(2)); // least
  QCOMPARE(page().calcium().lastValue(3), panel().request().model.calciumTarget);
}

void TestPlasticityPage::pausesAndGoesOn()
{
  click("plasticityRun");
  QVERIFY(QTest::qWaitFor([this] { return page().step() > 0; }, kPatience));
  const Stopwatch watch;
  click("plasticityRun");
  QVERIFY(QTest::qWaitFor([this] { return !page().isRunning(); }, kPatience));
  QVERIFY2(watch.elapsed() < 10 * kMostToPause, "a busy machine may take longer than 100 ms, but not this");
  const std::uint32_t paused = page().step();
  QCOMPARE(page().calcium().lastStep(), paused);
  stepOnce();
  QCOMPARE(page().step(), (paused / kPeriod + 1) * kPeriod);
}

void TestPlasticityPage::beginsAnewAfterReset()
{
  stepOnce();
  click("plasticityReset");
  QCOMPARE(page().step(), 0U);
  QCOMPARE(page().calcium().points(), std::size_t{0});
  stepOnce();
  QCOMPARE(page().step(), kPeriod);
}

void TestPlasticityPage::beginsAnewWithAnotherParameter()
{
  stepOnce();
  auto* box = find<QDoubleSpinBox>("plasticityCalciumTargetSpin");
  box->setFocus();
  box->selectAll();
  QTest::keyClicks(box, "0.9");
  QTest::keyClick(box, Qt::Key_Return);
  QCOMPARE(page().step(), 0U);
  stepOnce();
  QCOMPARE(page().calcium().lastValue(3), 0.9);
}

void TestPlasticityPage::givesTheSameNetworkHoweverItIsRun()
{
  click("plasticityRun");
  QVERIFY(QTest::qWaitFor([this] { return page().step() > 0; }, kPatience));
  click("plasticityRun");
  QVERIFY(QTest::qWaitFor([this] { return !page().isRunning(); }, kPatience));
  stepOnce();
  const std::uint32_t steps = page().step();
  const double synapses = page().synapses().lastValue(0);
  const double calcium = page().calcium().lastValue(1);
  click("plasticityReset");
  while (page().step() < steps)
    stepOnce();
  QCOMPARE(page().step(), steps);
  QCOMPARE(page().synapses().lastValue(0), synapses);
  QCOMPARE(page().calcium().lastValue(1), calcium);
}

void TestPlasticityPage::saysWhatIsWrongWithAParameter()
{
  const QSignalSpy failed(&page(), &PlasticityPage::failed);
  PlasticityRequest request = panel().request();
  request.model.search.theta = 2;
  page().setRequest(request);
  stepOnce();
  QCOMPARE(failed.count(), 1);
  QVERIFY(failed.front().front().toString().contains(QStringLiteral("theta")));
  QCOMPARE(page().step(), 0U);
}

int main(int argc, char** argv)
{
  return runWindowTest<TestPlasticityPage>(argc, argv);
}

#include "test_plasticity_page.moc"
