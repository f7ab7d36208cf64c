#include "app/app_fixture.hpp"
#include "app/field_rows.hpp"
#include "app/files/file_row.hpp"
#include "io/networks/network_files.hpp"
#include "plasticity_fixture.hpp"
#include "test_main.hpp"
#include "widgets/charts/step_chart.hpp"

#include <QComboBox>
#include <QDeadlineTimer>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QThread>
#include <QThreadPool>
#include <QToolButton>
#include <QtTest>

#include <atomic>
#include <cmath>
#include <fstream>
#include <numeric>

using namespace hinesight;
using namespace hinesight::app;

/// What the page of plasticity reads and writes in the real main window: checkpoints, networks, charts.
class TestPlasticityPageFiles : public QObject, PlasticityFixture
{
  Q_OBJECT

private slots:
  void init() { begin(); }
  void cleanup() { window.reset(); }

  void takesFilesOfNeurons();
  void exportsRecordsAndCharts();
  void exportsTheNetworkWhileItRuns();
  void goesOnFromACheckpoint();
  void keepsTheNeuronsOfACheckpoint();
  void asksBeforeACheckpointEndsARun();
  void savesThePageAsTheEndingSays();
  void chartsFromTheStepOfACheckpoint();
  void exportsWhatTheTypedEndingSays();
  void keepsTheModelWhereACheckpointIsDamaged();
  void tellsOfAllStepsWhereACheckpointIsDamaged();
  void keepsTheModelWhereTheNextCheckpointIsDamaged();
  void outdatesAFileThatIsBeingRead();
  void keepsWhatIsEditedWhileAFileIsRead();
  void keepsWhatIsDraggedWhileACheckpointIsRead();
  void doesNotRunWhatIsEditedWhileACheckpointIsRead();
};

/// Files of targets, backgrounds and interrupts are read, taken over, told of, and forgotten.
void TestPlasticityPageFiles::takesFilesOfNeurons()
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
  QVERIFY(open("plasticityCalciumOfRow", "calcium.txt"));
  QCOMPARE(panel().request().model.calciumOf.size(), std::size_t{1});
  QCOMPARE(panel().request().model.calciumTarget, 0.5);
  QVERIFY(open("plasticityBackgroundChangesRow", "background.txt"));
  QCOMPARE(panel().request().model.background, synapse::BackgroundKind::Individual);
  QVERIFY(open("plasticityInterruptsRow", "interrupts.txt"));
  QCOMPARE(edited.size(), 3);
  stepOnce();
  QCOMPARE(page().step(), kPeriod);
  QVERIFY2(find<QLabel>("plasticityHeadline")->text().contains(QStringLiteral("540 neurons (538 enabled)")),
           qPrintable(find<QLabel>("plasticityHeadline")->text()));
  QVERIFY(find<QLabel>("plasticityInterruptsSaid")->text().contains(QStringLiteral("2 interrupts")));
  QVERIFY(open("plasticityInterruptsRow", "wrong.txt"));
  QVERIFY(find<FileRow>("plasticityInterruptsRow")->problem().contains(QStringLiteral("is no interrupt")));
  QCOMPARE(panel().request().model.interrupts.size(), std::size_t{2}); // those before stay
  find<QToolButton>("plasticityInterruptsClear")->click();
  find<QToolButton>("plasticityBackgroundChangesClear")->click();
  QVERIFY(panel().request().model.interrupts.empty());
  QCOMPARE(panel().request().model.background, synapse::BackgroundKind::None);
  QCOMPARE(edited.size(), 5);
}

void TestPlasticityPageFiles::exportsRecordsAndCharts()
{
  stepOnce();
  const QString records = output.filePath(QStringLiteral("records.csv"));
  exportAs(QStringLiteral("Records"), records);
  QFile file(records);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QList<QByteArray> lines = file.readAll().trimmed().split('\n');
  QVERIFY(lines.contains("# parameter neurons=500"));
  QVERIFY(lines.contains("# parameter update-period=" + QByteArray::number(kPeriod)));
  lines.removeIf([](const QByteArray& line) { return line.startsWith('#'); });
  QCOMPARE(lines.size(), qsizetype{1 + kPeriod / 10});
  const QString svg = output.filePath(QStringLiteral("charts.svg"));
  exportAs(QStringLiteral("Charts, SVG"), svg);
  QVERIFY(QSvgRenderer(svg).isValid());
  const QString png = output.filePath(QStringLiteral("charts.png"));
  exportAs(QStringLiteral("Charts, PNG"), png);
  QVERIFY(QImage(png).width() > 400);
}

void TestPlasticityPageFiles::exportsTheNetworkWhileItRuns()
{
  click("plasticityRun");
  QVERIFY(QTest::qWaitFor([this] { return page().step() >= kPeriod; }, kPatience));
  const QString path = output.filePath(QStringLiteral("grown.h5"));
  exportAs(QStringLiteral("Network at this step, SONATA"), path);
  QVERIFY(page().isRunning());
  const io::StoredNetwork stored = io::readNetwork(path.toStdString());
  QVERIFY(stored.step >= kPeriod && stored.step <= page().step());
  QCOMPARE(stored.neurons(), std::size_t{500});
  QVERIFY(!stored.plastic.synapses.empty());
}

void TestPlasticityPageFiles::goesOnFromACheckpoint()
{
  stepOnce();
  const QString path = output.filePath(QStringLiteral("model.checkpoint"));
  exportAs(QStringLiteral("Checkpoint"), path);
  stepOnce();
  const double synapses = page().synapses().lastValue(0);
  const double calcium = page().calcium().lastValue(1);
  openCheckpoint(path);
  QCOMPARE(page().step(), kPeriod);
  QCOMPARE(page().calcium().points(), std::size_t{0});
  QVERIFY(!question()->isVisible());
  QVERIFY(find<QLabel>("plasticityStart")->text().contains(QStringLiteral("model.checkpoint")));
  stepOnce();
  QCOMPARE(page().step(), 2 * kPeriod);
  QCOMPARE(page().synapses().lastValue(0), synapses);
  QCOMPARE(page().calcium().lastValue(1), calcium);
}

/// Neither a parameter nor Reset makes other neurons of it; only a new run at random has those.
void TestPlasticityPageFiles::keepsTheNeuronsOfACheckpoint()
{
  stepOnce();
  const QString path = output.filePath(QStringLiteral("neurons.checkpoint"));
  exportAs(QStringLiteral("Checkpoint"), path);
  panel().resetAll(); // of the next run: 2,000 neurons
  QTRY_VERIFY(question()->isVisible());
  click("mismatchAgree");
  QCOMPARE(page().step(), 0U);
  openCheckpoint(path);
  QCOMPARE(page().step(), kPeriod);
  QVERIFY(!find<QWidget>("plasticityNeuronsSpin")->isVisible());
  type("plasticityConductanceSpin", "0.05");
  QCOMPARE(page().step(), kPeriod);
  stepOnce();
  QVERIFY(page().step() > kPeriod);
  QVERIFY(hasNeurons("500"));
  // It is past its beginning.
  type("plasticitySeedSpin", "7");
  QTRY_VERIFY(question()->isVisible());
  QVERIFY(!find<QPushButton>("mismatchAgree")->isEnabled());
  click("mismatchDecline");
  QTRY_VERIFY(!question()->isVisible());
  click("plasticityReset");
  QCOMPARE(page().step(), kPeriod);
  QVERIFY(hasNeurons("500"));
  stepOnce();
  QVERIFY(hasNeurons("500"));
  QCOMPARE(page().request().model.synapseConductance, 0.05);
  click("plasticityClearStart");
  QTRY_VERIFY(question()->isVisible());
  QVERIFY2(asked().contains(QStringLiteral("at random")), qPrintable(asked()));
  QVERIFY(hasNeurons("500"));
  click("mismatchAgree");
  QCOMPARE(page().step(), 0U);
  stepOnce();
  QVERIFY(hasNeurons("2,000"));
}

void TestPlasticityPageFiles::asksBeforeACheckpointEndsARun()
{
  stepOnce();
  const QString path = output.filePath(QStringLiteral("asked.checkpoint"));
  exportAs(QStringLiteral("Checkpoint"), path);
  stepOnce();
  click("plasticityOpen");
  auto* dialog = find<QFileDialog>("openCheckpointDialog");
  emit dialog->filesSelected({path});
  delete dialog;
  QTRY_VERIFY(question()->isVisible());
  QVERIFY2(asked().contains(QStringLiteral("asked.checkpoint")) && asked().contains(QStringLiteral("step 40")),
           qPrintable(asked()));
  click("mismatchDecline");
  QTRY_VERIFY(!question()->isVisible());
  stepOnce();
  QCOMPARE(page().step(), 3 * kPeriod);
}

void TestPlasticityPageFiles::savesThePageAsTheEndingSays()
{
  stepOnce();
  const QString svg = output.filePath(QStringLiteral("page.svg"));
  page().savePicture(svg);
  QVERIFY(QSvgRenderer(svg).isValid());
  const QString pdf = output.filePath(QStringLiteral("page.pdf"));
  page().savePicture(pdf);
  QFile file(pdf);
  QVERIFY(file.open(QIODevice::ReadOnly) && file.read(4) == "%PDF");
  const QString other = output.filePath(QStringLiteral("page.jpg"));
  QVERIFY_EXCEPTION_THROWN(page().savePicture(other), Error);
  QVERIFY(!QFile::exists(other));
}

/// The charts begin at the checkpoint, and the first rate is that of as many steps as there were.
void TestPlasticityPageFiles::chartsFromTheStepOfACheckpoint()
{
  constexpr std::uint32_t kOddPeriod = 13;
  study::GrowthRequest request = panel().request();
  request.model.updatePeriod = kOddPeriod;
  panel().setRequest(request);
  page().setRequest(request);
  stepOnce();
  const QString path = output.filePath(QStringLiteral("odd.checkpoint"));
  exportAs(QStringLiteral("Checkpoint"), path);
  stepOnce();
  const double rate = page().rate().lastValue(0); // of steps 11 to 20
  QCOMPARE(page().calcium().beginStep(), 0U);
  openCheckpoint(path);
  stepOnce();
  for (const widgets::StepChart* chart : {&page().calcium(), &page().changes(), &page().rate()})
    QCOMPARE(chart->beginStep(), kOddPeriod);
  QCOMPARE(page().rate().points(), std::size_t{1});
  const double ofFewer = page().rate().lastValue(0); // of steps 14 to 20
  QVERIFY2(std::abs(ofFewer / rate - 1) < 0.2, qPrintable(QStringLiteral("%1 %2").arg(ofFewer).arg(rate)));
}

void TestPlasticityPageFiles::exportsWhatTheTypedEndingSays()
{
  stepOnce();
  const QString path = output.filePath(QStringLiteral("typed.svg"));
  exportAs(QStringLiteral("Records"), path);
  QVERIFY(QSvgRenderer(path).isValid());
}

void TestPlasticityPageFiles::keepsTheModelWhereACheckpointIsDamaged()
{
  stepOnce();
  const QString path = output.filePath(QStringLiteral("damaged.checkpoint"));
  std::ofstream(path.toStdString()) << "no checkpoint";
  const QSignalSpy failed(&page(), &PlasticityPage::failed);
  openCheckpoint(path);
  QCOMPARE(failed.count(), 1);
  QVERIFY(failed.front().front().toString().contains(QStringLiteral("damaged.checkpoint")));
  QCOMPARE(page().step(), kPeriod);
  stepOnce();
  QCOMPARE(page().step(), 2 * kPeriod);
}

/// What the steps before the failed opening left is told of: no record is missing.
void TestPlasticityPageFiles::tellsOfAllStepsWhereACheckpointIsDamaged()
{
  const QString path = output.filePath(QStringLiteral("damaged.checkpoint"));
  std::ofstream(path.toStdString()) << "no checkpoint";
  Jobs jobs;
  PlasticityRunner runner(&jobs);
  std::vector<std::uint32_t> steps;
  connect(&runner, &PlasticityRunner::advanced, this, [&](const study::GrowthStretch& progress) {
    for (const synapse::StepRecord& record : progress.records)
      steps.push_back(record.step);
  });
  const auto waitForEnd = [&] { return QTest::qWaitFor([&] { return !runner.isRunning(); }, kPatience); };
  study::GrowthRequest request = panel().request();
  request.model.updatePeriod = 100'000; // a pause inside an update would leave a step without its record
  runner.run(request);
  QVERIFY(QTest::qWaitFor([&] { return steps.size() > 100; }, kPatience));
  runner.open(path.toStdString(), Backend::Cpu, 0);
  QVERIFY(waitForEnd());
  runner.run(request, 5);
  QVERIFY(waitForEnd());
  std::vector<std::uint32_t> all(steps.size());
  std::iota(all.begin(), all.end(), 1U);
  QCOMPARE(steps, all);
}

/// A checkpoint that was read but not yet heard of, when another one was chosen, has not replaced the model.
void TestPlasticityPageFiles::keepsTheModelWhereTheNextCheckpointIsDamaged()
{
  stepOnce();
  const std::string sound = output.filePath(QStringLiteral("sound.checkpoint")).toStdString();
  exportAs(QStringLiteral("Checkpoint"), QString::fromStdString(sound));
  const std::string damaged = output.filePath(QStringLiteral("damaged.checkpoint")).toStdString();
  std::ofstream(damaged) << "no checkpoint";
  Jobs jobs;
  PlasticityRunner runner(&jobs);
  std::uint32_t step = 0;
  connect(&runner, &PlasticityRunner::advanced, this,
          [&](const study::GrowthStretch& progress) { step = progress.step; });
  const QSignalSpy opened(&runner, &PlasticityRunner::opened);
  const auto waitForEnd = [&] { return QTest::qWaitFor([&] { return !runner.isRunning(); }, kPatience); };
  runner.run(panel().request(), 3);
  QVERIFY(waitForEnd());
  // The second order comes when the worker has the first, but before its answer is heard.
  std::atomic<bool> isTaken = false;
  runner.open(sound, Backend::Cpu, 0);
  runner.borrow([&](const synapse::PlasticityModel&, const RunControl&) { isTaken = true; }, [] {});
  QDeadlineTimer deadline(kPatience);
  while (!isTaken && !deadline.hasExpired())
    QThread::yieldCurrentThread();
  runner.open(damaged, Backend::Cpu, 0);
  QVERIFY(waitForEnd());
  QCOMPARE(opened.count(), 0);
  runner.run(panel().request(), 2);
  QVERIFY(waitForEnd());
  QCOMPARE(step, 5U);
}

void TestPlasticityPageFiles::outdatesAFileThatIsBeingRead()
{
  const QString path = output.filePath(QStringLiteral("calcium.txt"));
  std::ofstream(path.toStdString()) << "0 0.25 0.5\n3 0 0.9\n";
  find<FileRow>("plasticityCalciumOfRow")->open(path);
  panel().resetAll();
  QVERIFY(QThreadPool::globalInstance()->waitForDone(kPatience));
  QCoreApplication::sendPostedEvents(); // its answer
  QVERIFY(panel().request().model.calciumOf.empty());
  QVERIFY(find<QLabel>("plasticityCalciumOfSaid")->text().isEmpty());
}

/// A file sets rows too: those that a person has edited since it was chosen are newer.
void TestPlasticityPageFiles::keepsWhatIsEditedWhileAFileIsRead()
{
  const QString calcium = output.filePath(QStringLiteral("calcium.txt"));
  std::ofstream(calcium.toStdString()) << "0 0.25 0.5\n3 0 0.9\n";
  const QString backgrounds = output.filePath(QStringLiteral("background.txt"));
  std::ofstream(backgrounds.toStdString()) << "0 normal:0.02,0.01 random\n";
  const auto model = [this] { return panel().request().model; };
  find<FileRow>("plasticityCalciumOfRow")->open(calcium);
  find<FileRow>("plasticityBackgroundChangesRow")->open(backgrounds);
  find<QDoubleSpinBox>("plasticityCalciumTargetSpin")->setValue(0.8);
  auto* kind = find<QComboBox>("plasticityBackgroundCombo");
  const auto chosen = synapse::BackgroundKind::FastNormal;
  QVERIFY(model().background != chosen);
  kind->setCurrentIndex(static_cast<int>(chosen));
  QVERIFY(QThreadPool::globalInstance()->waitForDone(kPatience));
  QCoreApplication::sendPostedEvents(); // their answers
  QCOMPARE(model().calciumOf.size(), std::size_t{1});
  QCOMPARE(model().calciumInitial, 0.25);
  QCOMPARE(model().calciumTarget, 0.8);
  QCOMPARE(model().background, chosen);
  // What the file says of backgrounds can be chosen now.
  kind->setCurrentIndex(static_cast<int>(synapse::BackgroundKind::Individual));
  QCOMPARE(model().backgroundChanges.size(), std::size_t{1});
}

void TestPlasticityPageFiles::keepsWhatIsDraggedWhileACheckpointIsRead()
{
  stepOnce();
  const QString path = output.filePath(QStringLiteral("dragged.checkpoint"));
  exportAs(QStringLiteral("Checkpoint"), path);
  auto* slider = find<QSlider>("plasticityCalciumTargetSlider");
  auto* spin = find<QDoubleSpinBox>("plasticityCalciumTargetSpin");
  const double before = spin->value();
  const QSignalSpy opened(&page(), &PlasticityPage::opened);
  page().openCheckpoint(path);
  slider->setSliderDown(true);
  slider->setSliderPosition(slider->maximum());
  const double dragged = spin->value();
  QVERIFY(dragged > before);
  QVERIFY(!page().isRunning());
  // A file that is written after it was read: the answer would be here by now.
  exportAs(QStringLiteral("Checkpoint"), output.filePath(QStringLiteral("after.checkpoint")));
  QCOMPARE(opened.count(), 0);
  QCOMPARE(spin->value(), dragged);
  slider->setSliderDown(false);
  QCOMPARE(spin->value(), dragged);
  QCOMPARE(panel().request().model.calciumTarget, dragged);
  QCOMPARE(page().step(), kPeriod); // goes on
  stepOnce();
  QCOMPARE(page().step(), 2 * kPeriod);
  QCOMPARE(page().calcium().lastValue(3), dragged);
}

/// Reading is no running that would go on with the new parameters.
void TestPlasticityPageFiles::doesNotRunWhatIsEditedWhileACheckpointIsRead()
{
  stepOnce();
  const QString path = output.filePath(QStringLiteral("edited.checkpoint"));
  exportAs(QStringLiteral("Checkpoint"), path);
  const QSignalSpy opened(&page(), &PlasticityPage::opened);
  page().openCheckpoint(path);
  find<QDoubleSpinBox>("plasticityCalciumTargetSpin")->setValue(0.8);
  QVERIFY(!page().isRunning());
  QCOMPARE(panel().request().model.calciumTarget, 0.8);
  stepOnce();
  QCOMPARE(opened.count(), 0);
  QCOMPARE(page().step(), 2 * kPeriod);
  QCOMPARE(page().calcium().lastValue(3), 0.8);
}

HINESIGHT_TEST_RUN(runWindowTest<TestPlasticityPageFiles>)
#include "test_plasticity_page_files.moc"
