#include "app/main_window.hpp"

#include "app/file_row.hpp"
#include "app/plasticity_page.hpp"
#include "app/plasticity_panel.hpp"
#include "app_fixture.hpp"
#include "widgets/step_chart.hpp"
#include "widgets/timing_card.hpp"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
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
  void takesFilesOfNeurons();

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
  // Few updates, however many steps a run gets done before it is paused: stepping through them takes a click each.
  PlasticityRequest request = panel().request();
  request.model.updatePeriod = 25 * kPeriod;
  page().setRequest(request);
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

/// Files of targets, backgrounds and interrupts are read, taken over, told of, and forgotten.
void TestPlasticityPage::takesFilesOfNeurons()
{
  QTemporaryDir folder;
  const auto put = [&](const char* name, const char* text) {
    QFile file(folder.filePath(QLatin1String(name)));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) > 0);
  };
  put("calcium.txt", "0 0.25 0.5\n3 0 0.9\n");
  put("background.txt", "0 normal:0.02,0.01 random\n");
  put("interrupts.txt", "5 d 0:1 0:2\n7 c 40\n");
  put("wrong.txt", "5 x 1\n");
  QSignalSpy edited(&panel(), &PlasticityPanel::edited);
  const auto open = [&](const char* row, const char* name) {
    auto* target = find<FileRow>(row);
    QSignalSpy taken(target, &FileRow::taken);
    target->open(folder.filePath(QLatin1String(name)));
    return QTest::qWaitFor([&] { return !taken.isEmpty() || !target->problem().isEmpty(); }, kPatience);
  };
  QVERIFY(open("plasticityCalciumFileRow", "calcium.txt"));
  QCOMPARE(panel().request().model.calciumOf.size(), std::size_t{1});
  QCOMPARE(panel().request().model.calciumTarget, 0.5);
  QVERIFY(open("plasticityBackgroundFileRow", "background.txt"));
  QCOMPARE(panel().request().model.background, synapse::BackgroundKind::Individual);
  QVERIFY(open("plasticityInterruptFileRow", "interrupts.txt"));
  QCOMPARE(edited.size(), 3);
  stepOnce();
  QCOMPARE(page().step(), kPeriod);
  QVERIFY2(find<QLabel>("plasticityHeadline")->text().contains(QStringLiteral("540")),
           qPrintable(find<QLabel>("plasticityHeadline")->text()));
  QVERIFY(find<QLabel>("plasticityInterruptFileSaid")->text().contains(QStringLiteral("2 interrupts")));
  QVERIFY(open("plasticityInterruptFileRow", "wrong.txt"));
  QVERIFY(find<FileRow>("plasticityInterruptFileRow")->problem().contains(QStringLiteral("is no interrupt")));
  QCOMPARE(panel().request().model.interrupts.size(), std::size_t{2}); // those before stay
  find<QToolButton>("plasticityInterruptFileClear")->click();
  find<QToolButton>("plasticityBackgroundFileClear")->click();
  QVERIFY(panel().request().model.interrupts.empty());
  QCOMPARE(panel().request().model.background, synapse::BackgroundKind::None);
  QCOMPARE(edited.size(), 5);
}

int main(int argc, char** argv)
{
  return runWindowTest<TestPlasticityPage>(argc, argv);
}

#include "test_plasticity_page.moc"
