#include "app/app_fixture.hpp"
#include "app/field_rows.hpp"
#include "plasticity_fixture.hpp"
#include "test_main.hpp"
#include "widgets/charts/step_chart.hpp"
#include "widgets/charts/timing_card.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSemaphore>
#include <QSignalSpy>
#include <QSlider>
#include <QtTest>

#include <atomic>
#include <cmath>

using namespace hinesight;
using namespace hinesight::app;

/// Drives the page of plasticity in the real main window.
class TestPlasticityPage : public QObject, PlasticityFixture
{
  Q_OBJECT

private slots:
  void init() { begin(); }
  void cleanup() { window.reset(); }

  void stepsToTheNextUpdate();
  void chartsGrowWhileItRuns();
  void timesStepsSinceTheLastUpdate();
  void pausesAndGoesOn();
  void pausesWithoutWaiting();
  void beginsAnewAfterReset();
  void goesOnWithAParameterThatIsEdited();
  void takesATypedNumberWhenItIsFinished();
  void changesParametersWhileItRuns();
  void aStepIsStillOneWithAnotherParameter();
  void goesOnAsFromACheckpointWithOtherParameters();
  void startsAnewOnlyWhenAPersonSaysSo();
  void keepsTheRunAndItsFields();
  void keepsTheRunWhereParametersAreRefused();
  void givesTheSameNetworkHoweverItIsRun();
  void saysWhatIsWrongWithAParameter();
  void normalNoiseWithoutSpreadIsRefused();
  void settlesAtTheTargetWithItsDefaults();
  void bringsThePublishedRatesBack();
  void keepsTargetsWhenTheirDecayIsChosen();
  void everyParameterHasARow();
  void takesStimuli();
  void showsTargetsThatDecay();
  void growsFromTheSynapsesOfTheOtherPage();
  void growsWithTheKernelOfTheOtherPage();
  void keepsTheRunWhenAnotherNetworkIsToGrow();
};

void TestPlasticityPage::stepsToTheNextUpdate()
{
  // It says beforehand how many steps will be run.
  QVERIFY2(headline().startsWith(QStringLiteral("Run goes on until Pause, Step for 20 steps.")),
           qPrintable(headline()));
  QVERIFY(find<QPushButton>("plasticityStep")->toolTip().startsWith(QStringLiteral("Run 20 steps")));
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
  // Its steps are no runs: none is the best, none is compared with one before.
  QVERIFY(page().timingCard().timings().of("electrical") > 0);
  QVERIFY(!page().timingCard().best());
  QVERIFY(page().timingCard().change().isEmpty());
}

/// A pause cuts the last stretch short: its few steps alone would say little.
void TestPlasticityPage::timesStepsSinceTheLastUpdate()
{
  study::GrowthRequest request = panel().request();
  request.model.updatePeriod = 1'000'000; // none in this run: all of its steps count
  panel().setRequest(request);
  page().setRequest(request);
  const QObject here;
  double electrical = 0; // ms of the whole run
  connect(&page(), &PlasticityPage::ran, &here,
          [&](const io::RunRecord& run) { electrical = run.timings.of("electrical"); });
  click("plasticityRun");
  QVERIFY(QTest::qWaitFor([this] { return page().step() > 0; }, kPatience));
  const std::uint32_t first = page().step();
  QVERIFY(QTest::qWaitFor([&] { return page().step() > first; }, kPatience));
  click("plasticityRun");
  QVERIFY(QTest::qWaitFor([this] { return !page().isRunning(); }, kPatience));
  const double mean = electrical / page().step();
  const double shown = page().timingCard().timings().of("electrical");
  QVERIFY(mean > 0);
  QVERIFY2(std::abs(shown - mean) < 1e-6 * mean, qPrintable(QStringLiteral("%1, not %2").arg(shown).arg(mean)));
}

void TestPlasticityPage::pausesAndGoesOn()
{
  const auto place = [this](const char* button) { return find<QPushButton>(button)->mapTo(window.get(), QPoint()); };
  const QPoint run = place("plasticityRun"), other = place("plasticityExport");
  click("plasticityRun");
  QVERIFY(QTest::qWaitFor([this] { return page().step() > 0; }, kPatience));
  click("plasticityRun");
  QVERIFY(QTest::qWaitFor([this] { return !page().isRunning(); }, kPatience));
  const std::uint32_t paused = page().step();
  // Whatever stands beside them: what was pressed once is pressed again at the same place.
  QCOMPARE(place("plasticityRun"), run);
  QCOMPARE(place("plasticityExport"), other);
  // A pause inside the update of a step leaves that step without its record until the update is done.
  const std::uint32_t charted = page().calcium().lastStep();
  QVERIFY(charted == paused || (paused % kPeriod == 0 && charted == paused - 1));
  stepOnce();
  QCOMPARE(page().step(), (paused / kPeriod + 1) * kPeriod);
}

/// Whatever the worker does just then; and it makes no more steps.
void TestPlasticityPage::pausesWithoutWaiting()
{
  QSemaphore held, released;
  std::atomic<bool> isHeld = false;
  std::uint32_t done = 0;
  std::uint32_t told = 0;
  Jobs jobs;
  PlasticityRunner runner(&jobs);
  connect(&runner, &PlasticityRunner::advanced, this,
          [&](const study::GrowthStretch& progress) { told = progress.step; });
  runner.run(panel().request());
  QVERIFY(QTest::qWaitFor([&] { return told > 0; }, kPatience));
  // The worker is held between two stretches of steps.
  runner.borrow(
      [&](const synapse::PlasticityModel& model, const RunControl&) {
        done = model.step();
        isHeld = true;
        held.release();
        released.tryAcquire(1, kPatience);
        isHeld = false;
      },
      [] {});
  QVERIFY(held.tryAcquire(1, kPatience));
  runner.pause();
  QVERIFY(isHeld);
  released.release();
  QVERIFY(QTest::qWaitFor([&] { return !runner.isRunning(); }, kPatience));
  QCOMPARE(told, done);
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

void TestPlasticityPage::goesOnWithAParameterThatIsEdited()
{
  stepOnce();
  type("plasticityCalciumTargetSpin", "0.9");
  QCOMPARE(page().step(), kPeriod); // nothing is lost
  stepOnce();
  QCOMPARE(page().step(), 2 * kPeriod);
  QCOMPARE(page().calcium().points(), std::size_t{2 * kPeriod});
  QCOMPARE(page().calcium().lastValue(3), 0.9);
  QVERIFY(!question()->isVisible());
}

/// What stands in the field in between is no parameter of the run: here an update at every step, then at every tenth.
void TestPlasticityPage::takesATypedNumberWhenItIsFinished()
{
  stepOnce();
  const QSignalSpy edited(&panel(), &PlasticityPanel::edited);
  auto* box = find<QDoubleSpinBox>("plasticityUpdatePeriodSpin");
  box->setFocus();
  box->selectAll();
  QTest::keyClicks(box, "100");
  QCOMPARE(edited.count(), 0);
  QCOMPARE(page().request().model.updatePeriod, kPeriod);
  QTest::keyClick(box, Qt::Key_Return);
  QCOMPARE(edited.count(), 1);
  QCOMPARE(page().request().model.updatePeriod, 100U);
  // Run again takes it too.
  box->selectAll();
  QTest::keyClicks(box, "50");
  QTest::keyClick(window.get(), Qt::Key_F5);
  QCOMPARE(page().request().model.updatePeriod, 50U);
  QVERIFY(page().isRunning());
}

void TestPlasticityPage::changesParametersWhileItRuns()
{
  click("plasticityRun");
  QVERIFY(QTest::qWaitFor([this] { return page().step() > kPeriod; }, kPatience));
  const std::uint32_t before = page().step();
  type("plasticityCalciumTargetSpin", "0.9");
  QVERIFY(page().isRunning());
  QVERIFY(QTest::qWaitFor([this] { return page().calcium().lastValue(3) == 0.9; }, kPatience));
  QVERIFY(page().isRunning());
  QVERIFY(page().step() >= before);
  QVERIFY(page().timingCard().timings().of("electrical") > 0); // of the steps since
}

void TestPlasticityPage::aStepIsStillOneWithAnotherParameter()
{
  study::GrowthRequest request = panel().request();
  request.model.calciumTarget = 0.9;
  click("plasticityStep");
  page().setRequest(request); // before it is told of
  QVERIFY(page().isRunning());
  QVERIFY(QTest::qWaitFor([this] { return !page().isRunning(); }, kPatience));
  QCOMPARE(page().step(), kPeriod);
  stepOnce();
  QCOMPARE(page().step(), 2 * kPeriod);
  QCOMPARE(page().calcium().lastValue(3), 0.9);
}

/// A run that goes on with another kernel and other rates is the one that the engine continues with them.
void TestPlasticityPage::goesOnAsFromACheckpointWithOtherParameters()
{
  stepOnce();
  const QString path = output.filePath(QStringLiteral("before.checkpoint"));
  exportAs(QStringLiteral("Checkpoint"), path);
  const auto before = synapse::readCheckpoint(path.toStdString(), Backend::Cpu);
  synapse::PlasticityParameters other = before->parameters();
  other.search.kernel.sigma = 60;
  other.axon.rate = 0.02;
  other.updatePeriod = 10;
  const auto expected =
      synapse::continuePlasticityModel(std::make_shared<const synapse::NeuronPopulation>(before->population()), other,
                                       before->staticNetwork(), before->progress());
  std::vector<synapse::StepRecord> records;
  expected->run(10, 0, records);
  type("plasticitySigmaSpin", "60");
  type("plasticityAxonGrowthRateSpin", "0.02");
  type("plasticityUpdatePeriodSpin", "10");
  stepOnce();
  const QString after = output.filePath(QStringLiteral("after.checkpoint"));
  exportAs(QStringLiteral("Checkpoint"), after);
  const auto model = synapse::readCheckpoint(after.toStdString(), Backend::Cpu);
  QCOMPARE(model->step(), kPeriod + 10);
  QVERIFY(model->network().synapses == expected->network().synapses);
  QVERIFY(model->state().calcium == expected->state().calcium);
  QVERIFY(model->network().synapses != before->network().synapses);
}

/// What a run has from its beginning stays as it is while the run goes on, and the fields are marked.
void TestPlasticityPage::startsAnewOnlyWhenAPersonSaysSo()
{
  stepOnce();
  type("plasticityNeuronsSpin", "300");
  QTRY_VERIFY(question()->isVisible());
  QVERIFY2(asked().contains(QStringLiteral("neurons")) && asked().contains(QStringLiteral("step 20, of 500 neurons")),
           qPrintable(asked()));
  QCOMPARE(page().step(), kPeriod);
  stepOnce();
  QCOMPARE(page().step(), 2 * kPeriod);
  QVERIFY(hasNeurons("500"));
  click("mismatchAgree");
  QCOMPARE(page().step(), 0U);
  QTRY_VERIFY(!question()->isVisible());
  stepOnce();
  QCOMPARE(page().step(), kPeriod);
  QVERIFY(hasNeurons("300"));
}

void TestPlasticityPage::keepsTheRunAndItsFields()
{
  stepOnce();
  find<QComboBox>("plasticityModelCombo")->setCurrentIndex(static_cast<int>(synapse::NeuronModel::Izhikevich));
  type("plasticityNeuronsSpin", "300");
  QTRY_VERIFY(question()->isVisible());
  QVERIFY2(asked().contains(QStringLiteral("neurons, model")), qPrintable(asked()));
  click("mismatchDecline");
  QCOMPARE(find<QDoubleSpinBox>("plasticityNeuronsSpin")->value(), 500.0);
  QCOMPARE(panel().request(), page().request());
  QTRY_VERIFY(!question()->isVisible());
  QCOMPARE(page().step(), kPeriod);
}

void TestPlasticityPage::keepsTheRunWhereParametersAreRefused()
{
  stepOnce();
  const QSignalSpy failed(&page(), &PlasticityPage::failed);
  study::GrowthRequest wrong = page().request();
  wrong.model.search.theta = 2;
  page().setRequest(wrong);
  QCOMPARE(failed.count(), 1);
  // What only the model can know of.
  wrong = page().request();
  wrong.model.background = synapse::BackgroundKind::Individual;
  wrong.model.backgroundChanges = {{1, {}, {1'000'000}, {}}};
  page().setRequest(wrong);
  QVERIFY(QTest::qWaitFor([&] { return failed.count() == 2; }, kPatience));
  QCOMPARE(page().request().model.background, synapse::BackgroundKind::None);
  // Not even a new run is one, and the old one is there.
  wrong.model.search.theta = 2;
  page().startAnew(wrong);
  QCOMPARE(failed.count(), 3);
  stepOnce();
  QCOMPARE(page().step(), 2 * kPeriod);
}

void TestPlasticityPage::givesTheSameNetworkHoweverItIsRun()
{
  // Few updates, however many steps a run gets done before it is paused: stepping through them takes a click each.
  study::GrowthRequest request = panel().request();
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
  study::GrowthRequest request = panel().request();
  request.model.search.theta = 2;
  page().setRequest(request);
  stepOnce();
  QCOMPARE(failed.count(), 1);
  QVERIFY(failed.front().front().toString().contains(QStringLiteral("Theta is 2")));
  QCOMPARE(page().step(), 0U);
}

/// As the command line refuses it; nobody gets a spread that was not asked for.
void TestPlasticityPage::normalNoiseWithoutSpreadIsRefused()
{
  const QSignalSpy failed(&page(), &PlasticityPage::failed);
  auto* spread = find<QDoubleSpinBox>("plasticityBackgroundSpreadSpin");
  find<QComboBox>("plasticityBackgroundCombo")->setCurrentIndex(static_cast<int>(synapse::BackgroundKind::Normal));
  QCOMPARE(panel().request().model.backgroundSpread, 0.0);
  QCOMPARE(spread->value(), 0.0);
  stepOnce();
  QCOMPARE(failed.count(), 1);
  QVERIFY(failed.front().front().toString().startsWith(
      QStringLiteral("Standard deviation of the background is 0; choose above 0")));
  QCOMPARE(page().step(), 0U);
  spread->setValue(0.5);
  QCOMPARE(panel().request().model.backgroundSpread, 0.5);
  QVERIFY(spread->minimum() > 0);
  stepOnce();
  QCOMPARE(failed.count(), 1);
  QCOMPARE(page().step(), kPeriod);
  // What is dragged there is refused too, and the run goes on as it was.
  find<QSlider>("plasticityBackgroundSpreadSlider")->setValue(0);
  QCOMPARE(panel().request().model.backgroundSpread, 0.0);
  QCOMPARE(spread->value(), 0.0);
  QCOMPARE(failed.count(), 2);
  QCOMPARE(page().request().model.backgroundSpread, 0.5);
}

/// From no synapse to the target calcium, with as many synapses created as deleted.
void TestPlasticityPage::settlesAtTheTargetWithItsDefaults()
{
  panel().resetAll();
  constexpr std::uint32_t kSettled = 20'000; // steps: 20 s of the model
  click("plasticityRun");
  QVERIFY(QTest::qWaitFor([this] { return page().step() >= kSettled; }, 5 * kPatience));
  click("plasticityRun");
  QVERIFY(QTest::qWaitFor([this] { return !page().isRunning(); }, kPatience));
  const QString path = output.filePath(QStringLiteral("settled.csv"));
  exportAs(QStringLiteral("Records"), path);
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QByteArray columns = file.readLine();
  while (columns.startsWith('#'))
    columns = file.readLine();
  const QList<QByteArray> names = columns.trimmed().split(',');
  const auto column = [&](const char* name) { return names.indexOf(QByteArray(name)); };
  double calcium = 0, created = 0, deleted = 0, rows = 0;
  while (!file.atEnd()) {
    const QList<QByteArray> row = file.readLine().trimmed().split(',');
    if (row.front().toUInt() <= kSettled - 2000)
      continue;
    calcium += row[column("mean calcium")].toDouble();
    created += row[column("created")].toDouble();
    deleted += row[column("deleted")].toDouble();
    ++rows;
  }
  QVERIFY(rows >= 200);
  QVERIFY2(std::abs(calcium / rows - 0.7) < 0.02, std::to_string(calcium / rows).c_str());
  QVERIFY(created > 100);
  QVERIFY2(std::abs(created - deleted) < 0.2 * created, qPrintable(QStringLiteral("%1 %2").arg(created).arg(deleted)));
}

void TestPlasticityPage::bringsThePublishedRatesBack()
{
  QVERIFY(find<QLabel>("plasticitySpeed")->text().contains(QStringLiteral("100 times")));
  auto* speed = find<QComboBox>("plasticitySpeedCombo");
  speed->setCurrentIndex(static_cast<int>(GrowthSpeed::Published));
  const synapse::PlasticityParameters published;
  QCOMPARE(panel().request().model.axon.rate, published.axon.rate);
  QCOMPARE(panel().request().model.axon.leastCalcium, published.axon.leastCalcium);
  QCOMPARE(panel().request().model.calciumDecay, published.calciumDecay);
  QCOMPARE(panel().request().model.calciumPerSpike, published.calciumPerSpike);
  QVERIFY(find<QLabel>("plasticitySpeed")->text().contains(QStringLiteral("as fast as published:")));
  speed->setCurrentIndex(static_cast<int>(GrowthSpeed::Watched));
  QCOMPARE(panel().request().model.axon.rate, 100 * published.axon.rate);
}

/// Either kind begins with an amount that leaves most of a target, and keeps its own.
void TestPlasticityPage::keepsTargetsWhenTheirDecayIsChosen()
{
  panel().resetAll();
  const auto model = [this] { return panel().request().model; };
  auto* kind = find<QComboBox>("plasticityTargetDecayCombo");
  kind->setCurrentIndex(static_cast<int>(synapse::TargetDecay::Relative));
  QCOMPARE(model().targetDecayAmount, 0.999);
  QCOMPARE(model().targetDecayPeriod, 1000U);
  auto* amount = find<QDoubleSpinBox>("plasticityTargetDecayAmountSpin");
  QVERIFY(amount->isVisibleTo(&panel()));
  QCOMPARE(amount->maximum(), 1.0);
  amount->setValue(2);
  QCOMPARE(model().targetDecayAmount, 1.0); // no more than that
  kind->setCurrentIndex(static_cast<int>(synapse::TargetDecay::Absolute));
  QCOMPARE(model().targetDecayAmount, 0.001);
  QVERIFY(amount->maximum() > 1);
  study::GrowthRequest other = panel().request();
  other.model.targetDecay = synapse::TargetDecay::Relative;
  other.model.targetDecayAmount = 0.5;
  panel().setRequest(other);
  QCOMPARE(model().targetDecayAmount, 0.5);
  QCOMPARE(amount->value(), 0.5);
  panel().resetAll();
  kind->setCurrentIndex(static_cast<int>(synapse::TargetDecay::Relative));
  QCOMPARE(model().targetDecayAmount, 0.999);
}

/// What is declared in the engine is shown, and nothing is written by hand.
void TestPlasticityPage::everyParameterHasARow()
{
  const QString prefix = QStringLiteral("plasticity");
  study::GrowthRequest request;
  QCOMPARE(fieldsWithoutRow(panel(), fieldsOf(request.source.placement), prefix), QStringList());
  QCOMPARE(fieldsWithoutRow(panel(), fieldsOf(request.model), prefix), QStringList());
}

void TestPlasticityPage::takesStimuli()
{
  auto* edit = find<QLineEdit>("plasticityStimuliEdit");
  edit->setText(QStringLiteral("5,10,1,2.5; 20,30,2,1"));
  emit edit->editingFinished();
  QVERIFY(panel().request().model.stimuli == (std::vector<synapse::Stimulus>{{5, 10, 1, 2.5, {}}, {20, 30, 2, 1, {}}}));
  edit->setText(QStringLiteral("5,10,0,2.5"));
  emit edit->editingFinished();
  QVERIFY(find<QLabel>("plasticityStimuliProblem")->text().contains(QStringLiteral("Period")));
  QCOMPARE(panel().request().model.stimuli.size(), std::size_t{2});
  stepOnce();
  QCOMPARE(page().step(), kPeriod);
}

/// The target that is charted and told is that of the neurons, not the one that they began with.
void TestPlasticityPage::showsTargetsThatDecay()
{
  study::GrowthRequest request = panel().request();
  request.model.targetDecay = synapse::TargetDecay::Relative;
  request.model.targetDecayAmount = 0.5;
  request.model.targetDecayPeriod = kPeriod / 2;
  panel().setRequest(request);
  page().setRequest(request);
  stepOnce();
  QCOMPARE(page().calcium().lastValue(3), request.model.calciumTarget / 4);
  QVERIFY(find<QLabel>("plasticityHeadline")->text().endsWith(QStringLiteral("of 0.175")));
}

void TestPlasticityPage::growsFromTheSynapsesOfTheOtherPage()
{
  formSynapses(700, 750);
  const auto formed = static_cast<double>(window->synapses().outcome().distances.synapses);
  click("formationGrow");
  QVERIFY(find<QLabel>("plasticityStart")->isVisible());
  QVERIFY(find<QLabel>("plasticityStartNote")->text().endsWith(QStringLiteral("700 neurons")));
  study::GrowthRequest slow = panel().request();
  for (auto* pool : {&slow.model.axon, &slow.model.excitatoryDendrite, &slow.model.inhibitoryDendrite})
    *pool = {0, pool->leastCalcium, 0, 0, 0}; // nothing grows: what was formed stays
  panel().setRequest(slow);
  page().setRequest(slow);
  stepOnce();
  QVERIFY(find<QLabel>("plasticityHeadline")->text().contains(QStringLiteral("700 neurons")));
  QCOMPARE(page().synapses().lastValue(0), formed);
}

void TestPlasticityPage::growsWithTheKernelOfTheOtherPage()
{
  formSynapses(700, 100);
  click("formationGrow");
  QCOMPARE(find<QDoubleSpinBox>("plasticitySigmaSpin")->value(), 100.0);
  QCOMPARE(page().request().model.search, window->synapses().outcome().formation->parameters.search);
  stepOnce();
  const QString path = output.filePath(QStringLiteral("kernel.checkpoint"));
  exportAs(QStringLiteral("Checkpoint"), path);
  const auto model = synapse::readCheckpoint(path.toStdString(), Backend::Cpu);
  QCOMPARE(model->parameters().search.kernel.sigma, 100.0);
}

void TestPlasticityPage::keepsTheRunWhenAnotherNetworkIsToGrow()
{
  stepOnce();
  formSynapses(700, 100);
  click("formationGrow");
  QTRY_VERIFY(question()->isVisible());
  QVERIFY2(asked().contains(QStringLiteral("700 neurons")), qPrintable(asked()));
  QCOMPARE(page().step(), kPeriod);
  QVERIFY(hasNeurons("500"));
  click("mismatchDecline");
  QVERIFY(!find<QLabel>("plasticityStart")->isVisible());
  stepOnce();
  QCOMPARE(page().step(), 2 * kPeriod);
  QVERIFY(hasNeurons("500"));
  window->showView(ViewKind::Synapses);
  click("formationGrow");
  QTRY_VERIFY(question()->isVisible());
  click("mismatchAgree");
  QCOMPARE(page().step(), 0U);
  stepOnce();
  QVERIFY(hasNeurons("700"));
}

HINESIGHT_TEST_RUN(runWindowTest<TestPlasticityPage>)
#include "test_plasticity_page.moc"
