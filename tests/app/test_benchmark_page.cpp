#include "app/benchmark_page.hpp"
#include "app/main_window.hpp"
#include "app/message_banner.hpp"
#include "app/view_area.hpp"
#include "app_fixture.hpp"
#include "core/files.hpp"
#include "io/csv.hpp"
#include "widgets/benchmark_plot.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QToolButton>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

namespace {

constexpr int kPatience = 30'000; // ms

} // namespace

/// Drives the page in the real main window with mouse and keyboard.
class TestBenchmarkPage : public QObject
{
  Q_OBJECT

private slots:
  void init();
  void cleanup();

  void measuresChosenSolvers();
  void loadsAPointIntoTheViews();
  void measuresRandomTrees();
  void refusesWrongNumbersOfCells();
  void asksForCellsAndSolvers();
  void cancelsByButtonAndEscape();
  void yieldsToAnEdit();
  void savesPlotAndTable();
  void staysOutOfTheGrid();

private:
  template <typename Widget>
  Widget* find(const char* name) const
  {
    auto* widget = window->findChild<Widget*>(QLatin1String(name));
    if (!widget)
      qFatal("the window has no %s", name);
    return widget;
  }
  void click(const char* button) { QTest::mouseClick(find<QPushButton>(button), Qt::LeftButton); }
  void typeCells(const char* text);
  void chooseSolvers(const QStringList& names);
  void measure();
  void choosePath(const char* button, const char* dialog, const QString& path);
  widgets::BenchmarkPlot& plot() { return *find<widgets::BenchmarkPlot>("benchmarkPlot"); }
  /// A pixel nearer to a row's point than to any other: two lines may lie upon one another.
  QPoint placeOf(std::size_t row)
  {
    const QPoint point = plot().timePosition(row)->toPoint();
    for (const QPoint beside : {QPoint(0, 0), QPoint(0, -7), QPoint(0, 7), QPoint(-7, 0), QPoint(7, 0)})
      if (plot().rowAt(point + beside) == row)
        return point + beside;
    return point;
  }

  std::unique_ptr<MainWindow> window;
  QTemporaryDir folder;
};

void TestBenchmarkPage::init()
{
  QSettings().clear();
  window = std::make_unique<MainWindow>();
  window->resize(1500, 950);
  window->show();
  window->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(window.get()));
  QTest::keyClick(window.get(), Qt::Key_5);
  QVERIFY(find<BenchmarkPage>("benchmarkPage")->isVisible());
}

void TestBenchmarkPage::cleanup()
{
  window.reset();
}

void TestBenchmarkPage::typeCells(const char* text)
{
  auto* field = find<QLineEdit>("benchmarkCells");
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, QLatin1String(text));
}

void TestBenchmarkPage::chooseSolvers(const QStringList& names)
{
  for (const hines::SolverTraits& solver : hines::allSolvers()) {
    const QString name = QString::fromStdString(std::string(solver.name));
    auto* box = find<QCheckBox>(qPrintable(QStringLiteral("benchmarkSolver_") + name));
    if (box->isChecked() != names.contains(name))
      QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
    QCOMPARE(box->isChecked(), names.contains(name));
  }
}

void TestBenchmarkPage::measure()
{
  click("benchmarkRun");
  QVERIFY(window->jobRunner().isBenchmarking());
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobRunner().isRunning(), kPatience);
}

void TestBenchmarkPage::measuresChosenSolvers()
{
  window->openFiles({dataFile("stellate.swc")});
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobRunner().isRunning() && window->scene(), kPatience);
  chooseSolvers({"serial", "fine"});
  typeCells("2, 8");
  measure();
  const auto& rows = plot().rows();
  QCOMPARE(rows.size(), std::size_t{6});
  QCOMPARE(plot().labels(), (QStringList{"serial", "fine, as read", "fine"}));
  for (const hines::BenchmarkRow& row : rows) {
    QVERIFY2(!row.failed(), row.error.c_str());
    QVERIFY(row.repetitions >= 7);
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

void TestBenchmarkPage::loadsAPointIntoTheViews()
{
  window->openFiles({dataFile("stellate.swc")});
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobRunner().isRunning() && window->scene(), kPatience);
  chooseSolvers({"fine"});
  typeCells("3 6");
  measure();
  QTest::mouseClick(&plot(), Qt::LeftButton, {}, placeOf(2)); // as read, 6 cells
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobRunner().isRunning(), kPatience);
  QVERIFY(window->parameters().solve.solver == hines::SolverKind::Fine);
  QVERIFY(window->parameters().plan.split == hines::SplitStrategy::None);
  QCOMPARE(window->parameters().batch.copies, 6);
  QCOMPARE(window->scene()->plan->batch->cells(), std::size_t{6});
  QVERIFY(window->scene()->plan->parameters.balance == hines::BalanceMeasure::None);
}

void TestBenchmarkPage::measuresRandomTrees()
{
  find<QComboBox>("benchmarkSource")->setCurrentIndex(static_cast<int>(BenchmarkPage::Source::RandomTrees));
  chooseSolvers({"serial", "multicore"});
  typeCells("4");
  measure();
  QCOMPARE(plot().rows().size(), std::size_t{2});
  QVERIFY(!plot().rows()[1].failed());
  QTest::mouseClick(&plot(), Qt::LeftButton, {}, placeOf(1));
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobRunner().isRunning(), kPatience);
  QVERIFY(window->parameters().batch.source == BatchSource::RandomTrees);
  QCOMPARE(window->scene()->plan->batch->cells(), std::size_t{4});
}

void TestBenchmarkPage::refusesWrongNumbersOfCells()
{
  find<QComboBox>("benchmarkSource")->setCurrentIndex(static_cast<int>(BenchmarkPage::Source::Ca1Sized));
  for (const char* text : {"none", "0", "10 -3", "99999999999", " "}) {
    typeCells(text);
    click("benchmarkRun");
    QVERIFY2(!window->jobRunner().isRunning(), text);
    QVERIFY(window->findChild<MessageBanner*>()->isVisible());
  }
  QVERIFY(plot().rows().empty());
}

void TestBenchmarkPage::asksForCellsAndSolvers()
{
  auto* run = find<QPushButton>("benchmarkRun");
  QVERIFY(!run->isEnabled()); // no cells are open
  QVERIFY(find<QLabel>("benchmarkHint")->text().contains("cells"));
  find<QComboBox>("benchmarkSource")->setCurrentIndex(static_cast<int>(BenchmarkPage::Source::Ca1Sized));
  QVERIFY(run->isEnabled());
  chooseSolvers({});
  QVERIFY(!run->isEnabled());
  QVERIFY(find<QLabel>("benchmarkHint")->text().contains("solver"));
  QVERIFY(!find<QPushButton>("benchmarkSaveTable")->isEnabled());
}

void TestBenchmarkPage::cancelsByButtonAndEscape()
{
  find<QComboBox>("benchmarkSource")->setCurrentIndex(static_cast<int>(BenchmarkPage::Source::Ca1Sized));
  chooseSolvers({"serial"});
  for (const bool byEscape : {false, true}) {
    typeCells("1 100000");
    click("benchmarkRun");
    QTRY_VERIFY_WITH_TIMEOUT(plot().rows().size() == 1, kPatience);
    QVERIFY(window->jobRunner().isBenchmarking());
    byEscape ? QTest::keyClick(window.get(), Qt::Key_Escape) : click("benchmarkCancel");
    QVERIFY(!window->jobRunner().isRunning());
    QCOMPARE(plot().rows().size(), std::size_t{1});
    QVERIFY(find<QPushButton>("benchmarkRun")->isEnabled());
    QVERIFY(!find<QPushButton>("benchmarkCancel")->isEnabled());
  }
}

/// An edit runs the pipeline, which ends the benchmark; what was measured stays.
void TestBenchmarkPage::yieldsToAnEdit()
{
  find<QComboBox>("benchmarkSource")->setCurrentIndex(static_cast<int>(BenchmarkPage::Source::Ca1Sized));
  chooseSolvers({"serial"});
  typeCells("1 100000");
  click("benchmarkRun");
  QTRY_VERIFY_WITH_TIMEOUT(plot().rows().size() == 1, kPatience);
  window->openFiles({dataFile("stellate.swc")});
  QVERIFY(!window->jobRunner().isBenchmarking());
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobRunner().isRunning(), kPatience);
  QCOMPARE(plot().rows().size(), std::size_t{1});
  QVERIFY(window->scene() && window->scene()->solution);
  QVERIFY(find<QPushButton>("benchmarkRun")->isEnabled());
}

void TestBenchmarkPage::choosePath(const char* button, const char* name, const QString& path)
{
  click(button);
  QTRY_VERIFY(window->findChild<QFileDialog*>(QLatin1String(name)));
  auto* dialog = window->findChild<QFileDialog*>(QLatin1String(name));
  QTRY_VERIFY(dialog->isVisible());
  auto* field = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
  field->setText(path);
  QTest::keyClick(field, Qt::Key_Return);
  QTRY_VERIFY(!window->findChild<QFileDialog*>(QLatin1String(name)));
}

void TestBenchmarkPage::savesPlotAndTable()
{
  find<QComboBox>("benchmarkSource")->setCurrentIndex(static_cast<int>(BenchmarkPage::Source::Ca1Sized));
  chooseSolvers({"serial"});
  typeCells("1 2");
  measure();
  const QString png = folder.filePath("plot.png");
  choosePath("benchmarkSavePlot", "benchmarkPlotDialog", png);
  const QImage picture(png);
  QCOMPARE(picture.size(), plot().size() * 2);
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

int main(int argc, char** argv)
{
  return runWindowTest<TestBenchmarkPage>(argc, argv);
}
#include "test_benchmark_page.moc"
