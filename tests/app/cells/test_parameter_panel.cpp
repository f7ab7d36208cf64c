#include "app/app_fixture.hpp"
#include "app/cells/parameter_panel.hpp"
#include "app/forms/parameter_row.hpp"
#include "app/window_fixture.hpp"
#include "hines/solvers.hpp"
#include "test_main.hpp"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QStandardItemModel>
#include <QToolButton>
#include <QToolTip>
#include <QWheelEvent>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

Q_DECLARE_METATYPE(NumberRange)

class TestParameterPanel : public QObject, WidgetDriver
{
  Q_OBJECT

private slots:
  void init();
  void cleanup() { panel.reset(); }

  void showsTheDefaults();
  void writesEveryParameter();
  void showsTheParametersOfTheSolver();
  void offersGpusWhereSchedulesCanBePlannedForThem();
  void saysWhatALowestNumberMeans();
  void remembersThePrecisionThatWasWanted();
  void takesTypedNumbers();
  void refusesNumbersOutOfRange();
  void stepsFromZero_data();
  void stepsFromZero();
  void scrollsPastItsFields();
  void followsTheSlider();
  void resetsByDoubleClick();
  void keepsWhatIsBeingTyped();
  void leavesLettersAndWheelToTheWindow();
  void marksWhatIsNoDefault();
  void enablesWhatMatters();
  void unfoldsItsHelp();
  void keepsBackendAndSolverTogether();
  void saysWhyThereIsNoCuda();
  void resetsEverything();
  void namesAndExplainsEveryEditor();
  void showsFiguresOfThePlan();

private:
  const QWidget& root() const override { return *panel; }
  static void choose(QComboBox* box, hines::SolverId solver);

  std::unique_ptr<ParameterPanel> panel;
};

void TestParameterPanel::choose(QComboBox* box, hines::SolverId solver)
{
  box->setCurrentIndex(static_cast<int>(hines::placeInTable(solver)));
}

void TestParameterPanel::init()
{
  panel = std::make_unique<ParameterPanel>();
  panel->resize(360, 1200);
  panel->show();
  QVERIFY(QTest::qWaitForWindowExposed(panel.get()));
}

void TestParameterPanel::showsTheDefaults()
{
  QVERIFY(panel->parameters() == study::CellParameters());
  QCOMPARE(find<QDoubleSpinBox>("blockSizeSpin")->value(), 128.0);
  QCOMPARE(find<QDoubleSpinBox>("splitLengthSpin")->value(), 16.0);
  QCOMPARE(find<QComboBox>("splitCombo")->currentText(), QStringLiteral("Level average (default)"));
  QVERIFY(find<QCheckBox>("sortCheck")->isChecked());
}

/// Sets every editor to something else and compares all of the parameters.
void TestParameterPanel::writesEveryParameter()
{
  study::CellParameters expected;
  expected.discretization = {cable::DiscretizationPolicy::DLambda, 7, 31, 0.2, 3, 2, 150, 0.001, -70, 0.05, 0.2};
  expected.batch = {study::BatchSource::RandomTrees, 12, -1, 5, {9, 0.25, 33, 44, 0.5, 6}};
  expected.solve.of<hines::PlanParameters>() = {hines::BalanceMeasure::Compartments,
                                                hines::SplitStrategy::FixedLength,
                                                24,
                                                hines::PackStrategy::FirstFit,
                                                256,
                                                false};
  expected.solve.solver = hines::kFine;
  expected.solve.repeat = 8;
  expected.solve.threads = 3;

  const std::map<const char*, int> choices = {{"discretizeCombo", 3}, {"sourceCombo", 1}, {"balanceCombo", 2},
                                              {"splitCombo", 2},      {"packCombo", 1},   {"solverCombo", 2}};
  for (const auto& [name, index] : choices)
    find<QComboBox>(name)->setCurrentIndex(index);
  const std::map<const char*, double> numbers = {{"compartmentsPerBranchSpin", 7},
                                                 {"maxLengthSpin", 31},
                                                 {"dLambdaSpin", 0.2},
                                                 {"resolutionSpin", 3},
                                                 {"membraneCapacitanceSpin", 2},
                                                 {"axialResistivitySpin", 150},
                                                 {"leakConductanceSpin", 0.001},
                                                 {"leakReversalSpin", -70},
                                                 {"timeStepSpin", 0.05},
                                                 {"somaCurrentSpin", 0.2},
                                                 {"copiesSpin", 12},
                                                 {"randomTreesSpin", 5},
                                                 {"treeLevelsSpin", 9},
                                                 {"treeProbabilitySpin", 0.25},
                                                 {"treeCompartmentsSpin", 33},
                                                 {"treeLengthSpin", 44},
                                                 {"treeDecaySpin", 0.5},
                                                 {"seedSpin", 6},
                                                 {"splitLengthSpin", 24},
                                                 {"blockSizeSpin", 256},
                                                 {"repeatSpin", 8},
                                                 {"threadsSpin", 3}};
  for (const auto& [name, value] : numbers)
    find<QDoubleSpinBox>(name)->setValue(value);
  find<QCheckBox>("sortCheck")->setChecked(false);

  QVERIFY(panel->parameters().discretization == expected.discretization);
  QVERIFY(panel->parameters().batch == expected.batch);
  QVERIFY(panel->parameters().solve == expected.solve);

  // And the other way round: a panel that is given them shows them.
  ParameterPanel other;
  other.setParameters(expected);
  for (const auto& [name, value] : numbers)
    QCOMPARE(other.findChild<QDoubleSpinBox*>(name)->value(), value);
  for (const auto& [name, index] : choices)
    QCOMPARE(other.findChild<QComboBox*>(name)->currentIndex(), index);
}

void TestParameterPanel::showsTheParametersOfTheSolver()
{
  auto* solver = find<QComboBox>("solverCombo");
  QCOMPARE(solver->count(), static_cast<int>(hines::allSolvers().size()));
  QVERIFY(!find<QWidget>("coarseLayoutRow")->isVisible());
  QVERIFY(!find<QWidget>("eddMethodRow")->isVisible());

  choose(solver, hines::kCoarse);
  QVERIFY(find<QWidget>("coarseLayoutRow")->isVisible());
  QVERIFY(!find<QWidget>("eddMethodRow")->isVisible());
  find<QComboBox>("coarseLayoutCombo")->setCurrentIndex(3);
  find<QComboBox>("coarsePaddingCombo")->setCurrentIndex(1);
  type("coarseBlockSizeSpin", "60"); // becomes whole warps
  QVERIFY(panel->parameters().solve.of<hines::CoarseParameters>() ==
          (hines::CoarseParameters{hines::CoarseLayout::BlockShared, hines::CoarsePadding::Computed, 64}));
  type("coarseBlockSizeSpin", "7"); // and below a warp a power of two
  QCOMPARE(panel->parameters().solve.of<hines::CoarseParameters>().blockSize, 8);

  choose(solver, hines::kEdd);
  QVERIFY(!find<QWidget>("coarseLayoutRow")->isVisible());
  QVERIFY(!find<QWidget>("eddRefinementsRow")->isEnabled());
  find<QDoubleSpinBox>("eddChainLengthSpin")->setValue(24);
  find<QDoubleSpinBox>("eddThresholdSpin")->setValue(500);
  find<QDoubleSpinBox>("eddDepthSpin")->setValue(3);
  QVERIFY(!find<QWidget>("eddThresholdRow")->isEnabled());
  find<QDoubleSpinBox>("eddRhsSpin")->setValue(8);
  find<QCheckBox>("eddKeepFactorsCheck")->setChecked(true);
  find<QComboBox>("eddMethodCombo")->setCurrentIndex(static_cast<int>(hines::EddMethod::MinTrsv));
  find<QDoubleSpinBox>("eddRefinementsSpin")->setValue(2);
  QVERIFY(panel->parameters().solve.of<hines::EddParameters>() ==
          (hines::EddParameters{hines::EddMethod::MinTrsv, 24, 3, 500, 8, true, 2}));
  hines::validate(panel->parameters().solve);
}

/// Without a GPU too: what a solver would do on one can be looked at. A solver of the CPU alone has no such schedule.
void TestParameterPanel::offersGpusWhereSchedulesCanBePlannedForThem()
{
  auto* gpu = find<QComboBox>("gpuCombo");
  QCOMPARE(gpu->count(), 13);
  QVERIFY(find<QWidget>("gpuRow")->isEnabled());
  gpu->setCurrentIndex(static_cast<int>(Gpu::T4));
  QCOMPARE(panel->parameters().solve.gpu, Gpu::T4);
  choose(find<QComboBox>("solverCombo"), hines::kSerial);
  QVERIFY(!find<QWidget>("gpuRow")->isEnabled());
}

void TestParameterPanel::saysWhatALowestNumberMeans()
{
  choose(find<QComboBox>("solverCombo"), hines::kEdd);
  const std::map<const char*, QString> words = {{"eddChainLengthSpin", "automatic"},
                                                {"eddDepthSpin", "as needed"},
                                                {"eddThresholdSpin", "as fitted"},
                                                {"repeatSpin", "until stable"},
                                                {"threadsSpin", "all"}};
  for (const auto& [name, word] : words)
    QCOMPARE(find<QDoubleSpinBox>(name)->text(), word);
  type("eddChainLengthSpin", "12");
  QCOMPARE(find<QDoubleSpinBox>("eddChainLengthSpin")->text(), "12 comp.");
  QCOMPARE(panel->parameters().solve.of<hines::EddParameters>().chainLength, 12);
  // Typed as number or as word, it is shown as the word; other words are not taken.
  type("eddChainLengthSpin", "0");
  QCOMPARE(find<QDoubleSpinBox>("eddChainLengthSpin")->text(), "automatic");
  QCOMPARE(panel->parameters().solve.of<hines::EddParameters>().chainLength, 0);
  type("eddChainLengthSpin", "9");
  type("eddChainLengthSpin", "automatic"); // where the field shows a unit
  QCOMPARE(panel->parameters().solve.of<hines::EddParameters>().chainLength, 0);
  type("eddThresholdSpin", "2");
  type("eddThresholdSpin", "as fitted");
  QCOMPARE(panel->parameters().solve.of<hines::EddParameters>().threshold, 0);
  type("threadsSpin", "2");
  type("threadsSpin", "All");
  QCOMPARE(panel->parameters().solve.threads, 0);
  type("threadsSpin", "2");
  type("threadsSpin", "alas");
  QCOMPARE(panel->parameters().solve.threads, 2);
  // A step up from the word, and back.
  auto* depth = find<QDoubleSpinBox>("eddDepthSpin");
  depth->setFocus();
  QTest::keyClick(depth, Qt::Key_Up);
  QCOMPARE(panel->parameters().solve.of<hines::EddParameters>().depth, 0);
  QTest::keyClick(depth, Qt::Key_Down);
  QCOMPARE(panel->parameters().solve.of<hines::EddParameters>().depth, -1);
  QCOMPARE(depth->text(), "as needed");
}

void TestParameterPanel::remembersThePrecisionThatWasWanted()
{
  auto* solver = find<QComboBox>("solverCombo");
  auto* precision = find<QComboBox>("precisionCombo");
  choose(solver, hines::kResident);
  precision->setCurrentIndex(static_cast<int>(hines::Precision::Single));
  choose(solver, hines::kFine); // which has none
  QCOMPARE(panel->parameters().solve.precision, hines::Precision::Double);
  QCOMPARE(precision->currentIndex(), static_cast<int>(hines::Precision::Double));
  choose(solver, hines::kEdd);
  QCOMPARE(panel->parameters().solve.precision, hines::Precision::Single);
  precision->setCurrentIndex(static_cast<int>(hines::Precision::Double));
  choose(solver, hines::kFine);
  choose(solver, hines::kResident);
  QCOMPARE(panel->parameters().solve.precision, hines::Precision::Double);
}

void TestParameterPanel::takesTypedNumbers()
{
  QSignalSpy edited(panel.get(), &ParameterPanel::edited);
  type("copiesSpin", "250");
  QCOMPARE(panel->parameters().batch.copies, 250);
  QCOMPARE(edited.count(), 1);
  type("timeStepSpin", "5e-3");
  QCOMPARE(panel->parameters().discretization.timeStep, 0.005);
  type("blockSizeSpin", "100"); // becomes the nearest multiple of a warp
  QCOMPARE(panel->parameters().solve.of<hines::PlanParameters>().blockSize, 96);
  type("copiesSpin", "250"); // the same again is no edit
  QCOMPARE(edited.count(), 3);
}

void TestParameterPanel::refusesNumbersOutOfRange()
{
  type("copiesSpin", "0");
  QVERIFY(panel->parameters().batch.copies >= 1);
  type("copiesSpin", "99999999");
  QVERIFY(panel->parameters().batch.copies <= 1'000'000);
  type("copiesSpin", "12x");
  QCOMPARE(panel->parameters().batch.copies, 12);
  type("copiesSpin", "0");
  QCOMPARE(QToolTip::text(), QStringLiteral("Give a number from 1 to 1000000; the value stays 12."));
}

/// The wheel scrolls the panel: it neither changes a number nor gives its field the focus, with which the next notch
/// would.
void TestParameterPanel::stepsFromZero_data()
{
  QTest::addColumn<NumberRange>("range");
  QTest::addColumn<double>("step");
  NumberRange linear;
  linear.lowest = -100;
  linear.highest = 100;
  linear.sliderLowest = -40;
  linear.sliderHighest = 40;
  QTest::newRow("linear") << linear << 0.1;
  NumberRange logarithmic;
  logarithmic.highest = 1000;
  logarithmic.sliderLowest = 0.5;
  logarithmic.sliderHighest = 500;
  logarithmic.logarithmic = true;
  QTest::newRow("logarithmic") << logarithmic << 0.1;
}

/// A number of 0 has no second figure to step in: the step is the slider's, and leads back.
void TestParameterPanel::stepsFromZero()
{
  QFETCH(NumberRange, range);
  QFETCH(double, step);
  NumberRow row({"number", "Number", "A number.", "More about it."}, range, 0, nullptr);
  row.show();
  auto* spin = row.findChild<QDoubleSpinBox*>();
  QTest::keyClick(spin, Qt::Key_Up);
  QCOMPARE(row.value(), step);
  QTest::keyClick(spin, Qt::Key_Up);
  QVERIFY(row.value() > step && row.value() < 2 * step);
  QTest::keyClick(spin, Qt::Key_Down);
  QTest::keyClick(spin, Qt::Key_Down);
  QCOMPARE(row.value(), 0.0);
  QTest::keyClick(spin, Qt::Key_Down);
  QCOMPARE(row.value(), std::max(-step, range.lowest));
}

void TestParameterPanel::scrollsPastItsFields()
{
  const study::CellParameters before = panel->parameters();
  for (QDoubleSpinBox* box : panel->findChildren<QDoubleSpinBox*>()) {
    QVERIFY2((box->focusPolicy() & Qt::WheelFocus) != Qt::WheelFocus, qPrintable(box->objectName()));
    const QPointF centre = box->rect().center();
    QWheelEvent wheel(centre, box->mapToGlobal(centre), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(box, &wheel);
  }
  QCOMPARE(panel->parameters(), before);
}

void TestParameterPanel::followsTheSlider()
{
  auto* slider = find<QSlider>("blockSizeSlider");
  slider->setValue(slider->maximum());
  QCOMPARE(panel->parameters().solve.of<hines::PlanParameters>().blockSize, 1024);
  QCOMPARE(find<QDoubleSpinBox>("blockSizeSpin")->value(), 1024.0);
  slider->setValue(slider->minimum());
  QCOMPARE(panel->parameters().solve.of<hines::PlanParameters>().blockSize, 32);
  // A click on the groove goes there at once.
  QTest::mouseClick(slider, Qt::LeftButton, {}, QPoint(slider->width() / 2, slider->height() / 2));
  QVERIFY2(std::abs(panel->parameters().solve.of<hines::PlanParameters>().blockSize - 528) <= 64,
           qPrintable(QString::number(panel->parameters().solve.of<hines::PlanParameters>().blockSize)));
}

void TestParameterPanel::resetsByDoubleClick()
{
  find<QDoubleSpinBox>("repeatSpin")->setValue(50);
  QSignalSpy edited(panel.get(), &ParameterPanel::edited);
  QTest::mouseDClick(find<QLabel>("repeatLabel"), Qt::LeftButton);
  QCOMPARE(panel->parameters().solve.repeat, hines::kUntilStable);
  QCOMPARE(edited.count(), 1);
  QTest::mouseDClick(find<QLabel>("repeatLabel"), Qt::LeftButton);
  QCOMPARE(edited.count(), 1);
}

/// Parameters that come from elsewhere do not take the field from under a person's fingers.
void TestParameterPanel::keepsWhatIsBeingTyped()
{
  panel->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(panel.get()));
  auto* box = find<QDoubleSpinBox>("copiesSpin");
  box->setFocus();
  box->selectAll();
  QTest::keyClicks(box, "12");
  study::CellParameters other;
  other.batch.copies = 77;
  panel->setParameters(other);
  QCOMPARE(box->cleanText(), QStringLiteral("12"));
  QCOMPARE(panel->parameters().batch.copies, 77);
  QTest::keyClicks(box, "3");
  QTest::keyClick(box, Qt::Key_Return);
  QCOMPARE(panel->parameters().batch.copies, 123);
  // A number that is finished follows, and one that is given up for the default is not taken afterwards.
  panel->setParameters(other);
  QCOMPARE(box->cleanText(), QStringLiteral("77"));
  box->selectAll();
  QTest::keyClicks(box, "45");
  QTest::mouseDClick(find<QLabel>("copiesLabel"), Qt::LeftButton);
  box->clearFocus();
  QCOMPARE(panel->parameters().batch.copies, study::CellParameters().batch.copies);
}

/// A combo box that a mouse has chosen from takes no key, and none is changed by scrolling over it.
void TestParameterPanel::leavesLettersAndWheelToTheWindow()
{
  panel->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(panel.get()));
  auto* combo = find<QComboBox>("splitCombo");
  const int before = combo->currentIndex();
  const auto scroll = [&] {
    QWheelEvent event(combo->rect().center(), combo->mapToGlobal(combo->rect().center()), {}, {0, -120}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(combo, &event);
  };
  scroll();
  QCOMPARE(combo->currentIndex(), before);
  QTest::mouseClick(combo, Qt::LeftButton);
  QVERIFY(QTest::qWaitForWindowExposed(combo->view()->window()));
  QTest::keyClick(combo->view(), Qt::Key_Home);
  QTest::keyClick(combo->view(), Qt::Key_Return);
  QCOMPARE(combo->currentIndex(), 0);
  QVERIFY(!combo->hasFocus());
  scroll();
  QCOMPARE(combo->currentIndex(), 0);
}

void TestParameterPanel::marksWhatIsNoDefault()
{
  auto* label = find<QLabel>("repeatLabel");
  const QColor accent = widgets::theme().accent;
  QVERIFY(label->palette().color(QPalette::WindowText) != accent);
  find<QDoubleSpinBox>("repeatSpin")->setValue(2);
  QCOMPARE(label->palette().color(QPalette::WindowText), accent);
  find<QDoubleSpinBox>("repeatSpin")->setValue(hines::kUntilStable);
  QVERIFY(label->palette().color(QPalette::WindowText) != accent);
  // A default that no spin box can hold exactly is still the default.
  QVERIFY(find<QLabel>("leakConductanceLabel")->palette().color(QPalette::WindowText) != accent);
}

void TestParameterPanel::enablesWhatMatters()
{
  QVERIFY(!find<QDoubleSpinBox>("splitLengthSpin")->isEnabled());
  find<QComboBox>("splitCombo")->setCurrentIndex(2);
  QVERIFY(find<QDoubleSpinBox>("splitLengthSpin")->isEnabled());
  QVERIFY(find<QSlider>("splitLengthSlider")->isEnabled());

  QVERIFY(!find<QDoubleSpinBox>("maxLengthSpin")->isEnabled());
  find<QComboBox>("discretizeCombo")->setCurrentIndex(2);
  QVERIFY(find<QDoubleSpinBox>("maxLengthSpin")->isEnabled());
  QVERIFY(!find<QDoubleSpinBox>("dLambdaSpin")->isEnabled());

  QVERIFY(!find<QDoubleSpinBox>("treeLevelsSpin")->isVisible());
  find<QComboBox>("sourceCombo")->setCurrentIndex(1);
  QVERIFY(find<QDoubleSpinBox>("treeLevelsSpin")->isVisible());

  QVERIFY(find<QDoubleSpinBox>("threadsSpin")->isEnabled());
  find<QComboBox>("solverCombo")->setCurrentIndex(0);
  QVERIFY(!find<QDoubleSpinBox>("threadsSpin")->isEnabled());
}

void TestParameterPanel::unfoldsItsHelp()
{
  auto* detail = find<QLabel>("splitDetail");
  QVERIFY(!detail->isVisible());
  QTest::mouseClick(find<QToolButton>("splitUnfold"), Qt::LeftButton);
  QVERIFY(detail->isVisible());
  QVERIFY(detail->text().contains("Huber 2018"));
  QTest::mouseClick(find<QToolButton>("splitUnfold"), Qt::LeftButton);
  QVERIFY(!detail->isVisible());
}

void TestParameterPanel::keepsBackendAndSolverTogether()
{
  DeviceReport withCuda;
  panel->setDevices(withCuda);
  auto* solver = find<QComboBox>("solverCombo");
  auto* backend = find<QComboBox>("backendCombo");
  QCOMPARE(panel->parameters().solve.solver, hines::kAuto); // which is at home everywhere
  backend->setCurrentIndex(1);
  QCOMPARE(panel->parameters().solve.solver, hines::kAuto);
  backend->setCurrentIndex(0);
  choose(solver, hines::kMulticore);
  backend->setCurrentIndex(1);
  QCOMPARE(panel->parameters().solve.backend, Backend::Cuda);
  QCOMPARE(panel->parameters().solve.solver, hines::kResident);
  QCOMPARE(solver->currentIndex(), static_cast<int>(hines::placeInTable(hines::kResident)));
  choose(solver, hines::kFine);
  QCOMPARE(panel->parameters().solve.backend, Backend::Cuda);
  choose(solver, hines::kSerial);
  QCOMPARE(panel->parameters().solve.backend, Backend::Cpu);
  QCOMPARE(backend->currentIndex(), 0);
}

void TestParameterPanel::saysWhyThereIsNoCuda()
{
  auto* backend = find<QComboBox>("backendCombo");
  auto* item = qobject_cast<QStandardItemModel*>(backend->model())->item(1);
  QVERIFY(!item->isEnabled()); // until the devices are known
  DeviceReport report;
  report.whyNoCuda = "There is no CUDA device here.";
  panel->setDevices(report);
  QVERIFY(!item->isEnabled());
  QCOMPARE(backend->itemData(1, Qt::ToolTipRole).toString(), QStringLiteral("There is no CUDA device here."));
  panel->setDevices({});
  QVERIFY(item->isEnabled());
}

void TestParameterPanel::resetsEverything()
{
  find<QComboBox>("splitCombo")->setCurrentIndex(2);
  find<QDoubleSpinBox>("copiesSpin")->setValue(40);
  QSignalSpy edited(panel.get(), &ParameterPanel::edited);
  panel->resetAll();
  QVERIFY(panel->parameters() == study::CellParameters());
  QCOMPARE(find<QComboBox>("splitCombo")->currentIndex(), 1);
  QCOMPARE(edited.count(), 1);
  panel->resetAll();
  QCOMPARE(edited.count(), 1);
}

void TestParameterPanel::namesAndExplainsEveryEditor()
{
  int editors = 0;
  for (QWidget* widget : panel->findChildren<QWidget*>()) {
    const bool isEditor = qobject_cast<QDoubleSpinBox*>(widget) || qobject_cast<QSlider*>(widget) ||
                          qobject_cast<QComboBox*>(widget) || qobject_cast<QCheckBox*>(widget) ||
                          qobject_cast<QToolButton*>(widget);
    if (!isEditor)
      continue;
    ++editors;
    QVERIFY2(!widget->objectName().isEmpty(), widget->metaObject()->className());
    QVERIFY2(!widget->toolTip().isEmpty(), qPrintable(widget->objectName()));
  }
  QVERIFY(editors > 60);
}

void TestParameterPanel::showsFiguresOfThePlan()
{
  auto* summary = find<QLabel>("planSummary");
  QVERIFY(!summary->isVisible());
  hines::SolvePlan plan;
  plan.figures.rounds = 1234;
  plan.figuresAsRead.criticalPath = 5678;
  plan.figuresUncut.barriers = 4321;
  plan.figures.occupancy = 0.256;
  panel->showPlan(&plan, nullptr);
  QVERIFY(summary->isVisible());
  for (const char* figure : {"1,234", "5,678", "4,321", "25.6 %"})
    QVERIFY2(summary->text().contains(figure), figure);
  // Whose plan it is not, is said.
  hines::Solution solution;
  solution.parameters.solver = hines::kMulticore;
  solution.schedule = std::make_shared<const hines::SolvePlan>(plan);
  panel->showPlan(static_cast<const hines::SolvePlan*>(solution.schedule.get()), &solution);
  QVERIFY(!summary->text().contains("Packing"));
  solution.parameters.solver = hines::kResident;
  panel->showPlan(&plan, &solution);
  QVERIFY(summary->text().contains("The views Packing and Splitting show what Resident does"));
  panel->showPlan(nullptr, nullptr);
  QVERIFY(!summary->isVisible());
}

HINESIGHT_TEST_RUN(runWindowTest<TestParameterPanel>)
#include "test_parameter_panel.moc"
