#include "app/app_fixture.hpp"
#include "app/benchmark/benchmark_controller.hpp"
#include "app/benchmark/benchmark_page.hpp"
#include "app/benchmark/hines_benchmark_panel.hpp"
#include "app/benchmark/projection_benchmark_panel.hpp"
#include "app/cells/run_table_model.hpp"
#include "app/pages/view_area.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/shell/main_window.hpp"
#include "app/typed_path.hpp"
#include "app/window_fixture.hpp"
#include "core/files.hpp"
#include "hines/solvers.hpp"
#include "io/csv.hpp"
#include "test_main.hpp"
#include "widgets/charts/benchmark_plot.hpp"
#include "widgets/charts/projection_benchmark_plot.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QSpinBox>
#include <QSvgRenderer>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

namespace {

constexpr int kLongPatience = 30'000 * tests::kSlowness; // ms

} // namespace

/// Drives the page in the real main window with mouse and keyboard.
class TestBenchmarkPage : public QObject, WindowFixture
{
  Q_OBJECT

private slots:
  void init();
  void cleanup();

  void namesSolversAsTheParametersDo();
  void measuresChosenSolvers();
  void measuresBothPrecisions();
  void isWholeInASmallWindow();
  void loadsAPointIntoTheViews();
  void measuresRandomTrees();
  void refusesWrongNumbersOfCells();
  void marksSettingsThatWereNotMeasured();
  void restoresWhatARunWasMeasuredBy();
  void asksForCellsAndSolvers();
  void cancelsByButtonAndEscape();
  void pausesForAnEdit();
  void savesPlotAndTable();
  void staysOutOfTheGrid();
  void remembersTheBaseline();
  void keepsTheChosenBackendWhenDevicesAreFound();
  void measuresProjections();
  void savesProjectionPlotAndTable();
  void offersWhatTheEngineMeasures();
  void refusesWrongSides();
  void cancelsProjections();
  void letsOneBenchmarkRunAtATime();

private:
  void typeCells(const char* text) { type("benchmarkCells", text); }
  void type(const char* name, const char* text);
  /// The benchmark of projections, with a mouse click on its tab.
  void showProjections();
  void chooseSolvers(const QStringList& names);
  void measure();
  void choosePath(const char* button, const char* dialog, const QString& path);
  widgets::BenchmarkPlot& plot() { return *find<widgets::BenchmarkPlot>("benchmarkPlot"); }
  /// A pixel nearer to a row's point than to any other: two lines may lie upon one another.
  QPoint placeOf(std::size_t row)
  {
    const QPoint point = plot().timePosition(row)->toPoint();
    for (const QPoint beside : {QPoint(0, 0), QPoint(0, -7), QPoint(0, 7), QPoint(-7, 0), QPoint(7, 0)})
      if (plot().pointAt(point + beside) == row)
        return point + beside;
    return point;
  }

  QTemporaryDir folder;
};

void TestBenchmarkPage::init()
{
  QSettings().clear();
  QVERIFY(showWindow());
  QTest::keyClick(window.get(), Qt::Key_5);
  QVERIFY(find<BenchmarkPage>("benchmarkPage")->isVisible());
}

void TestBenchmarkPage::cleanup()
{
  window.reset();
}

void TestBenchmarkPage::type(const char* name, const char* text)
{
  auto* field = find<QLineEdit>(name);
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, QLatin1String(text));
}

void TestBenchmarkPage::chooseSolvers(const QStringList& names)
{
  for (const hines::SolverDefinition* solver : hines::allSolvers()) {
    const QString name = QString::fromStdString(std::string(solver->traits.name()));
    auto* box = find<QCheckBox>(qPrintable(QStringLiteral("benchmarkSolver_") + name));
    if (box->isChecked() != names.contains(name))
      QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
    QCOMPARE(box->isChecked(), names.contains(name));
  }
}

void TestBenchmarkPage::measure()
{
  click("benchmarkRun");
  QVERIFY(window->jobs().isActive(kBenchmark));
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive(), kLongPatience);
}

void TestBenchmarkPage::namesSolversAsTheParametersDo()
{
  const auto* ofParameters = find<QComboBox>("solverCombo");
  for (const hines::SolverDefinition* solver : hines::allSolvers()) {
    const auto name = QString::fromStdString(std::string(solver->traits.name()));
    const QString shown = find<QCheckBox>(qPrintable(QStringLiteral("benchmarkSolver_") + name))->text();
    QVERIFY2(ofParameters->findText(shown, Qt::MatchStartsWith) >= 0, qPrintable(shown)); // "Automatic (default)"
  }
}

void TestBenchmarkPage::measuresChosenSolvers()
{
  window->openFiles({dataFile("stellate.swc")});
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive() && window->scene(), kLongPatience);
  chooseSolvers({"serial", "fine"});
  typeCells("2, 8");
  measure();
  const auto& rows = plot().rows();
  QCOMPARE(rows.size(), std::size_t{6});
  QCOMPARE(plot().labels(), (QStringList{"Serial", "Fine, as read", "Fine"}));
  for (const hines::BenchmarkRow& row : rows) {
    QVERIFY2(!row.failed(), row.error.c_str());
    QVERIFY(row.repetitions.size() >= 7);
  }
  QCOMPARE(rows[0].cells, std::size_t{2});
  QCOMPARE(rows[3].cells, std::size_t{8});
  QCOMPARE(find<QComboBox>("benchmarkBaseline")->count(), 3);
  QVERIFY(find<QLabel>("benchmarkHeadline")->text().contains("6 of 6"));
  // A solver that is no longer chosen is no longer drawn.
  chooseSolvers({"serial"});
  QVERIFY(!plot().timePosition(2));
  QVERIFY(plot().timePosition(0));
}

void TestBenchmarkPage::measuresBothPrecisions()
{
  window->openFiles({dataFile("stellate.swc")});
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive() && window->scene(), kLongPatience);
  chooseSolvers({"serial", "resident"});
  typeCells("4");
  auto* precision = find<QComboBox>("benchmarkPrecision");
  const auto choosePrecision = [&](HinesBenchmarkPanel::Precisions wanted) {
    precision->setFocus();
    QTest::keyClick(precision, Qt::Key_Home);
    for (int k = 0; k < static_cast<int>(wanted); ++k)
      QTest::keyClick(precision, Qt::Key_Down);
  };
  choosePrecision(HinesBenchmarkPanel::Precisions::Both);
  measure();
  // Serial has double precision only, and is there once.
  QCOMPARE(plot().labels(), (QStringList{"Serial", "Resident", "Resident, single"}));
  QCOMPARE(plot().rows()[1].solve.precision, hines::Precision::Double);
  QCOMPARE(plot().rows()[2].solve.precision, hines::Precision::Single);
  QCOMPARE(plot().rows()[2].bytesMoved * 2, plot().rows()[1].bytesMoved);
  // Its point loads it so.
  QTest::mouseClick(&plot(), Qt::LeftButton, {}, placeOf(2));
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive(), kLongPatience);
  QCOMPARE(window->parameters().solve.precision, hines::Precision::Single);
  choosePrecision(HinesBenchmarkPanel::Precisions::Single);
  measure();
  QCOMPARE(plot().labels(), (QStringList{"Serial", "Resident, single"}));
}

/// In a small window the page scrolls up and down alone, and the plot is seen from side to side.
void TestBenchmarkPage::isWholeInASmallWindow()
{
  auto* scroll = find<QScrollArea>("benchmarkScroll");
  window->resize(1024, 700);
  QTRY_VERIFY(scroll->widget()->width() <= scroll->viewport()->width()); // laid out anew; up and down alone
  auto* kinds = find<QTabBar>("benchmarkKinds");
  auto* run = find<QPushButton>("benchmarkRun");
  auto* save = find<QPushButton>("benchmarkSaveTable");
  for (QWidget* control : {static_cast<QWidget*>(kinds), static_cast<QWidget*>(run), static_cast<QWidget*>(save)}) {
    QVERIFY(control->width() >= control->sizeHint().width());
    scroll->ensureWidgetVisible(control);
    const QRect place(control->mapTo(scroll->viewport(), QPoint(0, 0)), control->size());
    QVERIFY(scroll->viewport()->rect().contains(place));
  }
  const int left = plot().mapTo(scroll->viewport(), QPoint(0, 0)).x();
  QVERIFY(left >= 0 && left + plot().width() <= scroll->viewport()->width());
  QVERIFY(plot().width() >= 280);
}

void TestBenchmarkPage::loadsAPointIntoTheViews()
{
  window->openFiles({dataFile("stellate.swc")});
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive() && window->scene(), kLongPatience);
  chooseSolvers({"fine"});
  typeCells("3 6");
  measure();
  QTest::mouseClick(&plot(), Qt::LeftButton, {}, placeOf(2)); // as read, 6 cells
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive(), kLongPatience);
  QVERIFY(window->parameters().solve.solver == hines::kFine);
  QVERIFY(window->parameters().solve.of<hines::PlanParameters>().split == hines::SplitStrategy::None);
  QCOMPARE(window->parameters().batch.copies, 6);
  QCOMPARE(window->scene()->plan->batch->cells(), std::size_t{6});
  QVERIFY(window->scene()->plan->parameters.balance == hines::BalanceMeasure::None);
}

void TestBenchmarkPage::measuresRandomTrees()
{
  find<QComboBox>("benchmarkSource")->setCurrentIndex(static_cast<int>(HinesBenchmarkPanel::Source::RandomTrees));
  chooseSolvers({"serial", "multicore"});
  typeCells("4");
  measure();
  QCOMPARE(plot().rows().size(), std::size_t{2});
  QVERIFY(!plot().rows()[1].failed());
  QTest::mouseClick(&plot(), Qt::LeftButton, {}, placeOf(1));
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive(), kLongPatience);
  QVERIFY(window->parameters().batch.source == study::BatchSource::RandomTrees);
  QCOMPARE(window->scene()->plan->batch->cells(), std::size_t{4});
}

void TestBenchmarkPage::refusesWrongNumbersOfCells()
{
  find<QComboBox>("benchmarkSource")->setCurrentIndex(static_cast<int>(HinesBenchmarkPanel::Source::Ca1Sized));
  for (const char* text : {"none", "0", "10 -3", "99999999999", " "}) {
    typeCells(text);
    click("benchmarkRun");
    QVERIFY2(!window->jobs().isActive(), text);
    QVERIFY(window->findChild<MessageBanner*>()->isVisible());
  }
  QVERIFY(plot().rows().empty());
}

void TestBenchmarkPage::marksSettingsThatWereNotMeasured()
{
  auto* mark = find<QWidget>("mismatchBar");
  find<QComboBox>("benchmarkSource")->setCurrentIndex(static_cast<int>(HinesBenchmarkPanel::Source::Ca1Sized));
  chooseSolvers({"serial", "multicore"});
  typeCells("2");
  QCoreApplication::processEvents();
  QVERIFY(!mark->isVisible()); // nothing was measured yet
  measure();
  chooseSolvers({"serial"}); // hides a line
  QCoreApplication::processEvents();
  QVERIFY(!mark->isVisible());
  typeCells("none");
  QTRY_VERIFY(mark->isVisible());
  click("benchmarkRun"); // refused
  QVERIFY(!window->jobs().isActive());
  QCOMPARE(plot().rows().size(), std::size_t{2});
  click("mismatchDecline");
  QCOMPARE(find<QLineEdit>("benchmarkCells")->text(), QStringLiteral("2"));
  QTRY_VERIFY(!mark->isVisible());
  chooseSolvers({"serial", "fine"});
  QTRY_VERIFY(mark->isVisible());
  click("mismatchAgree");
  QVERIFY(window->jobs().isActive(kBenchmark));
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive(), kLongPatience);
  QTRY_VERIFY(!mark->isVisible());
  QVERIFY(plot().labels().contains(QStringLiteral("Fine")));
}

/// A double click on a run of the history, from another page and after another benchmark.
void TestBenchmarkPage::restoresWhatARunWasMeasuredBy()
{
  find<QComboBox>("benchmarkSource")->setCurrentIndex(static_cast<int>(HinesBenchmarkPanel::Source::Ca1Sized));
  chooseSolvers({"serial"});
  typeCells("2");
  measure();
  QCOMPARE(window->runs().rowCount(), 1);
  const io::RunRecord& run = window->runs().runs().front();
  QVERIFY(run.repetitions == plot().rows().front().repetitions);
  QVERIFY(timeOf(run).interval); // the history knows how far the time can be trusted
  showProjections();
  window->showView(ViewKind::Morphology);
  find<QComboBox>("benchmarkSource")->setCurrentIndex(static_cast<int>(HinesBenchmarkPanel::Source::RandomTrees));
  find<QLineEdit>("benchmarkCells")->setText(QStringLiteral("5 6"));
  auto* table = find<QTableView>("runTable");
  if (!table->isVisible())
    find<QDockWidget>("timingsDock")->toggleViewAction()->trigger();
  QVERIFY(table->isVisible());
  const QPoint cell = table->visualRect(table->model()->index(0, RunTableModel::Kind)).center();
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell);
  QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, cell);
  QVERIFY(find<QLineEdit>("benchmarkCells")->isVisible());
  QCOMPARE(find<QLineEdit>("benchmarkCells")->text(), QStringLiteral("2"));
  QCOMPARE(find<QComboBox>("benchmarkSource")->currentIndex(), static_cast<int>(HinesBenchmarkPanel::Source::Ca1Sized));
  QVERIFY(!find<QWidget>("mismatchBar")->isVisible()); // these are what the chart shows
}

void TestBenchmarkPage::asksForCellsAndSolvers()
{
  auto* run = find<QPushButton>("benchmarkRun");
  QVERIFY(!run->isEnabled()); // no cells are open
  QVERIFY(find<QLabel>("benchmarkHint")->text().contains("cells"));
  find<QComboBox>("benchmarkSource")->setCurrentIndex(static_cast<int>(HinesBenchmarkPanel::Source::Ca1Sized));
  QVERIFY(run->isEnabled());
  chooseSolvers({});
  QVERIFY(!run->isEnabled());
  QVERIFY(find<QLabel>("benchmarkHint")->text().contains("solver"));
  QVERIFY(!find<QPushButton>("benchmarkSaveTable")->isEnabled());
}

void TestBenchmarkPage::cancelsByButtonAndEscape()
{
  find<QComboBox>("benchmarkSource")->setCurrentIndex(static_cast<int>(HinesBenchmarkPanel::Source::Ca1Sized));
  chooseSolvers({"serial"});
  for (const bool byEscape : {false, true}) {
    typeCells("1 30000");
    click("benchmarkRun");
    QTRY_VERIFY_WITH_TIMEOUT(plot().rows().size() == 1, kLongPatience);
    QVERIFY(window->jobs().isActive(kBenchmark));
    byEscape ? QTest::keyClick(window.get(), Qt::Key_Escape) : click("benchmarkCancel");
    QVERIFY(!window->jobs().isActive());
    QCOMPARE(plot().rows().size(), std::size_t{1});
    QVERIFY(find<QPushButton>("benchmarkRun")->isEnabled());
    QVERIFY(!find<QPushButton>("benchmarkCancel")->isEnabled());
  }
}

/// What an edit leads to is done between two measured solves, and the benchmark goes on.
void TestBenchmarkPage::pausesForAnEdit()
{
  find<QComboBox>("benchmarkSource")->setCurrentIndex(static_cast<int>(HinesBenchmarkPanel::Source::Ca1Sized));
  chooseSolvers({"serial"});
  typeCells("1 30000");
  click("benchmarkRun");
  QTRY_VERIFY_WITH_TIMEOUT(plot().rows().size() == 1, kLongPatience);
  window->openFiles({dataFile("stellate.swc")});
  QTRY_VERIFY_WITH_TIMEOUT(window->scene() && window->scene()->solution, kLongPatience);
  QVERIFY(window->jobs().isActive(kBenchmark));
  QCOMPARE(plot().rows().size(), std::size_t{1});
  click("benchmarkCancel");
  QVERIFY(find<QPushButton>("benchmarkRun")->isEnabled());
}

void TestBenchmarkPage::choosePath(const char* button, const char* name, const QString& path)
{
  click(button);
  QTRY_VERIFY(window->findChild<QFileDialog*>(QLatin1String(name)));
  auto* dialog = window->findChild<QFileDialog*>(QLatin1String(name));
  QTRY_VERIFY(dialog->isVisible());
  QTRY_VERIFY(typedPath(*dialog, path));
  QTest::keyClick(dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit")), Qt::Key_Return);
  QTRY_VERIFY(!window->findChild<QFileDialog*>(QLatin1String(name)));
}

void TestBenchmarkPage::savesPlotAndTable()
{
  find<QComboBox>("benchmarkSource")->setCurrentIndex(static_cast<int>(HinesBenchmarkPanel::Source::Ca1Sized));
  chooseSolvers({"serial"});
  typeCells("1 2");
  measure();
  const QString png = folder.filePath("plot.png");
  choosePath("benchmarkSavePlot", "benchmarkPlotDialog", png);
  const QImage picture(png);
  QCOMPARE(picture.size(), plot().size() * 2);
  const QString svg = folder.filePath("plot.svg");
  choosePath("benchmarkSavePlot", "benchmarkPlotDialog", svg);
  QCOMPARE(QSvgRenderer(svg).viewBox().size(), plot().size());
  const QString pdf = folder.filePath("plot.pdf");
  choosePath("benchmarkSavePlot", "benchmarkPlotDialog", pdf);
  QVERIFY(readFile(pdf.toStdString()).starts_with("%PDF"));
  const QString csv = folder.filePath("rows.csv");
  choosePath("benchmarkSaveTable", "benchmarkTableDialog", csv);
  QCOMPARE(io::parseCsv(readFile(csv.toStdString()), "rows.csv").size(), std::size_t{3});
  choosePath("benchmarkSaveTable", "benchmarkTableDialog", folder.filePath("rows.json"));
  QVERIFY(QFile::exists(folder.filePath("rows.json")));
  QVERIFY_THROWS_EXCEPTION(Error, window->benchmarks().savePlot(folder.filePath("plot.txt")));
  QVERIFY_THROWS_EXCEPTION(Error, window->benchmarks().savePlot(folder.filePath("missing/plot.png")));
}

void TestBenchmarkPage::staysOutOfTheGrid()
{
  QTest::keyClick(window.get(), Qt::Key_G);
  QVERIFY(window->viewArea().isGrid());
  QVERIFY(!window->benchmarks().isVisible());
  QVERIFY(window->view(ViewKind::Splitting).isVisible());
  QVERIFY(window->viewArea().current() < kViewCount);
  QTest::keyClick(window.get(), Qt::Key_5, Qt::ControlModifier);
  QVERIFY(!window->viewArea().isGrid());
  QVERIFY(window->benchmarks().isVisible());
}

void TestBenchmarkPage::remembersTheBaseline()
{
  auto* baseline = find<QComboBox>("benchmarkBaseline");
  QCOMPARE(baseline->count(), 0);
  QVERIFY(!baseline->isEnabled());
  QVERIFY(!baseline->placeholderText().isEmpty());
  find<QComboBox>("benchmarkSource")->setCurrentIndex(static_cast<int>(HinesBenchmarkPanel::Source::Ca1Sized));
  chooseSolvers({"serial", "multicore"});
  typeCells("1");
  measure();
  QCOMPARE(baseline->currentText(), QString("Serial"));
  baseline->setFocus();
  QTest::keyClick(baseline, Qt::Key_Down);
  QCOMPARE(baseline->currentText(), QString("Multicore"));
  QCOMPARE(plot().baseline(), QString("Multicore"));
  measure();
  QCOMPARE(baseline->currentText(), QString("Multicore"));
  QCOMPARE(plot().baseline(), QString("Multicore"));
}

/// Devices are found some time after the window is there: where nobody has chosen, CUDA is.
void TestBenchmarkPage::keepsTheChosenBackendWhenDevicesAreFound()
{
  const DeviceReport withCuda;
  HinesBenchmarkPanel untouched;
  untouched.setDevices(withCuda);
  QCOMPARE(untouched.findChild<QComboBox*>("benchmarkBackend")->currentText(), QString("CUDA"));
  HinesBenchmarkPanel panel;
  auto* backend = panel.findChild<QComboBox*>("benchmarkBackend");
  QTest::keyClick(backend, Qt::Key_End);
  QTest::keyClick(backend, Qt::Key_Home);
  QCOMPARE(backend->currentText(), QString("CPU"));
  panel.setDevices(withCuda);
  QCOMPARE(backend->currentText(), QString("CPU"));
}

void TestBenchmarkPage::showProjections()
{
  auto* kinds = find<QTabBar>("benchmarkKinds");
  QTest::mouseClick(kinds, Qt::LeftButton, {}, kinds->tabRect(1).center());
  QVERIFY(window->benchmarks().projections().isVisible());
  QVERIFY(!window->benchmarks().hines().isVisible());
}

void TestBenchmarkPage::measuresProjections()
{
  showProjections();
  type("projectionBenchmarkSides", "16, 8 24");
  find<QSpinBox>("projectionBenchmarkLoopSide")->setValue(16);
  click("projectionBenchmarkRun");
  QVERIFY(window->jobs().isActive(kBenchmark));
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive(), kLongPatience);
  const widgets::ProjectionBenchmarkPlot& chart = window->benchmarks().projections().plot();
  const auto& measured = chart.measured();
  QCOMPARE(measured.size(), std::size_t{3});
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const std::uint32_t side = std::array<std::uint32_t, 3>{8, 16, 24}[i];
    QCOMPARE(measured[i].side, side);
    QCOMPARE(measured[i].pairs, std::uint64_t{side} * side * side * side);
    QVERIFY(measured[i].cpu && measured[i].cpu->lowerQuartile <= measured[i].cpu->upperQuartile);
    QCOMPARE(measured[i].loop.has_value(), side <= 16);
  }
  QVERIFY(measured[0].rows > 0 && measured[0].rows < measured[2].rows);
  QVERIFY(chart.labels().size() >= 2);
  QCOMPARE(chart.baseline(), QString("CPU"));
  // Both lines are drawn in their colours, where they say that they are. Where this machine was as quick with both, one
  // mark lies upon the other.
  constexpr int kApart = 10; // pixels, more than a mark has
  const auto isAlone = [&](std::size_t i) {
    for (std::size_t other = 0; other < chart.points().size(); ++other)
      if (other != i && (*chart.timePosition(other) - *chart.timePosition(i)).manhattanLength() < kApart)
        return false;
    return true;
  };
  QStringList compared;
  const QImage picture = const_cast<widgets::ProjectionBenchmarkPlot&>(chart).grab().toImage();
  for (std::size_t i = 0; i < chart.points().size(); ++i) {
    const QPoint place = chart.timePosition(i)->toPoint();
    const auto& point = chart.points()[i];
    if (!point.dotted && isAlone(i)) {
      QCOMPARE(picture.pixelColor(place), point.color);
      compared << point.label;
    }
    QVERIFY(chart.speedupPosition(i));
  }
  QVERIFY(compared.contains("CPU")); // of the largest side there is no loop
  QVERIFY(find<QLabel>("projectionBenchmarkHeadline")->text().contains("3 of 3"));
  // The other benchmark has its own rows.
  QVERIFY(plot().rows().empty());
}

void TestBenchmarkPage::savesProjectionPlotAndTable()
{
  showProjections();
  QVERIFY(!find<QPushButton>("projectionBenchmarkSavePlot")->isEnabled());
  type("projectionBenchmarkSides", "8 12");
  find<QSpinBox>("projectionBenchmarkRepetitions")->setValue(1);
  click("projectionBenchmarkRun");
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive(), kLongPatience);
  const QSize size = window->benchmarks().projections().plot().size();
  const auto save = [&](const char* button, const char* dialog, const char* name) {
    const QString path = folder.filePath(name);
    choosePath(button, dialog, path);
    return path;
  };
  QCOMPARE(QImage(save("projectionBenchmarkSavePlot", "projectionBenchmarkPlotDialog", "p.png")).size(), size * 2);
  QCOMPARE(QSvgRenderer(save("projectionBenchmarkSavePlot", "projectionBenchmarkPlotDialog", "p.svg")).viewBox().size(),
           size);
  const QString pdf = save("projectionBenchmarkSavePlot", "projectionBenchmarkPlotDialog", "p.pdf");
  QVERIFY(readFile(pdf.toStdString()).starts_with("%PDF"));
  const QString csv = save("projectionBenchmarkSaveTable", "projectionBenchmarkTableDialog", "p.csv");
  const auto lines = io::parseCsv(readFile(csv.toStdString()), "p.csv");
  QCOMPARE(lines.size(), std::size_t{3});
  QCOMPARE(lines[0].fields[0], std::string("side"));
  QCOMPARE(lines[2].fields[0], std::string("12"));
  QCOMPARE(lines[2].fields[1], std::string("20736"));
  const QString json = save("projectionBenchmarkSaveTable", "projectionBenchmarkTableDialog", "p.json");
  const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(readFile(json.toStdString())));
  QCOMPARE(document.object()["points"].toArray().size(), 2);
  QVERIFY(document.object()["points"].toArray()[1].toObject()["cpuMs"].toDouble() > 0);
}

/// What is declared in the engine is what can be chosen, and what is said of it.
void TestBenchmarkPage::offersWhatTheEngineMeasures()
{
  projection::BenchmarkParameters projections;
  hines::BenchmarkParameters solvers;
  const auto isOffered = [this](std::vector<BoundField> fields, const char* name, const char* box) {
    const BoundField& field = *findField(fields, name);
    const auto* spin = find<QSpinBox>(box);
    const std::string_view help = field.about.help;
    return spin->minimum() == field.about.range.least && spin->maximum() == field.about.range.greatest &&
           spin->value() == field.number() &&
           spin->toolTip().startsWith(QString::fromUtf8(help.data(), static_cast<qsizetype>(help.size())));
  };
  QVERIFY(isOffered(fieldsOf(projections), "repetitions", "projectionBenchmarkRepetitions"));
  QVERIFY(isOffered(fieldsOf(projections), "loop-side", "projectionBenchmarkLoopSide"));
  QVERIFY(isOffered(fieldsOf(solvers), "min-repetitions", "benchmarkRepetitions"));
}

void TestBenchmarkPage::refusesWrongSides()
{
  showProjections();
  for (const char* text : {"none", "0", "8 -3", "99999", " "}) {
    type("projectionBenchmarkSides", text);
    click("projectionBenchmarkRun");
    QVERIFY2(!window->jobs().isActive(), text);
    QVERIFY(window->findChild<MessageBanner*>()->isVisible());
  }
  auto* cpu = find<QCheckBox>("projectionBenchmarkCpu");
  auto* cuda = find<QCheckBox>("projectionBenchmarkCuda");
  cpu->setChecked(false);
  cuda->setChecked(false);
  QVERIFY(!find<QPushButton>("projectionBenchmarkRun")->isEnabled());
  QVERIFY(find<QLabel>("projectionBenchmarkHint")->text().contains("backend"));
}

void TestBenchmarkPage::cancelsProjections()
{
  showProjections();
  find<QSpinBox>("projectionBenchmarkRepetitions")->setValue(1000);
  for (const bool byEscape : {false, true}) {
    type("projectionBenchmarkSides", "4 300");
    click("projectionBenchmarkRun");
    const auto& measured = window->benchmarks().projections().plot().measured();
    QTRY_VERIFY_WITH_TIMEOUT(measured.size() == 1, kLongPatience);
    QVERIFY(find<QPushButton>("projectionBenchmarkCancel")->isEnabled());
    byEscape ? QTest::keyClick(window.get(), Qt::Key_Escape) : click("projectionBenchmarkCancel");
    QVERIFY(!window->jobs().isActive());
    QCOMPARE(measured.size(), std::size_t{1});
    QVERIFY(find<QPushButton>("projectionBenchmarkRun")->isEnabled());
  }
}

void TestBenchmarkPage::letsOneBenchmarkRunAtATime()
{
  find<QComboBox>("benchmarkSource")->setCurrentIndex(static_cast<int>(HinesBenchmarkPanel::Source::Ca1Sized));
  chooseSolvers({"serial"});
  showProjections();
  find<QSpinBox>("projectionBenchmarkRepetitions")->setValue(1000);
  type("projectionBenchmarkSides", "300");
  click("projectionBenchmarkRun");
  QVERIFY(window->jobs().isActive(kBenchmark));
  QVERIFY(!find<QPushButton>("benchmarkRun")->isEnabled());
  QVERIFY(!find<QPushButton>("benchmarkCancel")->isEnabled());
  click("projectionBenchmarkCancel");
  QVERIFY(find<QPushButton>("benchmarkRun")->isEnabled());
}

HINESIGHT_TEST_RUN(runWindowTest<TestBenchmarkPage>)
#include "test_benchmark_page.moc"
