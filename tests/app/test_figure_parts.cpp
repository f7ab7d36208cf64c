#include "app/figures/figure_dialog.hpp"
#include "app/measure/measure_controller.hpp"
#include "app/measure/measure_page.hpp"
#include "app/simulation/simulation_page.hpp"
#include "app_fixture.hpp"
#include "cells_fixture.hpp"
#include "test_main.hpp"
#include "widgets/charts/dendrogram.hpp"
#include "widgets/figure/figure.hpp"

#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSet>
#include <QTableView>
#include <QtTest>

#include <algorithm>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

/// Charts of pages as figures of their own, by the dialog of the real main window; drawings are read as text.
class TestFigureParts : public QObject, CellsFixture
{
  Q_OBJECT

private slots:
  void init()
  {
    QSettings().clear();
    show();
  }
  void cleanup() { window.reset(); }

  void aChartAloneHasItsOwnTitleAxesAndLegend();
  void aChartAloneHasTheSizeOfTheFigure();
  void theChartThatWasClickedIsChosenAtFirst();
  void aTableIsAFigureToo();
  void allPagesNameTheirCharts();
  void theCellsOfASimulationAreChosenAtFirst();
  void namesAndColumnsAreWholeOnANarrowPage();

private:
  MeasurePage& page() { return *find<MeasurePage>("measurePage"); }
  void measure(const QStringList& paths)
  {
    window->openFiles(paths);
    waitForResult();
    window->showView(ViewKind::Measure);
    QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive(kMeasures) && page().histogram().isVisible(), kPatience);
  }
  void openDialog()
  {
    press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(find<FigureDialog>("figureDialog")->isVisible());
  }
  QString chosenPart() { return find<QComboBox>("figurePart")->currentText(); }
  void choosePart(const char* name)
  {
    const int place = find<QComboBox>("figurePart")->findText(QLatin1String(name));
    QVERIFY2(place >= 0, name);
    choose("figurePart", place);
  }
  /// By the dialog that is open.
  QString saved(const char* name)
  {
    click("figureSave");
    const QString path = folder.filePath(QLatin1String(name));
    accept(dialog("saveViewDialog"), path);
    [&] { QTRY_VERIFY_WITH_TIMEOUT(!window->findChild<FigureDialog*>(), kPatience); }();
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }
  QString savedPart(const char* part, const char* name)
  {
    openDialog();
    choosePart(part);
    return saved(name);
  }
  /// Without a dialog.
  QString drawn(const widgets::Figure& figure, const widgets::FigureOptions& options)
  {
    const QString path = folder.filePath(QStringLiteral("drawn.svg"));
    widgets::writePicture(widgets::pictureOf(figure, options), path);
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }
  static qsizetype texts(const QString& svg) { return svg.count(QStringLiteral("<text")); }
};

void TestFigureParts::aChartAloneHasItsOwnTitleAxesAndLegend()
{
  measure({dataFile("stellate.swc")});
  const QString whole = savedPart("Whole page", "whole.svg");
  const QString tree = savedPart("Dendrogram", "tree.svg");
  const QString sholl = savedPart("Sholl", "sholl.svg");
  const QString histogram = savedPart("Histogram", "histogram.svg");
  const QString axisOfTree = QStringLiteral("path distance from the root");
  const QString axisOfSholl = page().spheres().numberTitle();
  const QString axisOfHistogram = page().histogram().quantityTitle();
  for (const QString& part : {tree, sholl, histogram}) {
    QVERIFY(part.contains(QStringLiteral("width=\"160mm\" height=\"100mm\"")));
    QVERIFY(!part.contains(QStringLiteral("<image")));
    QVERIFY(texts(part) > 5 && texts(part) < texts(whole));
  }
  QVERIFY(tree.contains(QStringLiteral(">Dendrogram<")) && tree.contains(axisOfTree));
  QVERIFY(tree.contains(QStringLiteral("SWC type")) && tree.contains(QStringLiteral(">axon<")));
  QVERIFY(!tree.contains(axisOfHistogram) && !tree.contains(axisOfSholl) && !tree.contains(QStringLiteral("Types")));
  QVERIFY(sholl.contains(QStringLiteral(">Sholl<")) && sholl.contains(axisOfSholl));
  QVERIFY(!sholl.contains(axisOfTree) && !sholl.contains(axisOfHistogram));
  QVERIFY(histogram.contains(QStringLiteral(">Histogram<")) && histogram.contains(axisOfHistogram));
  QVERIFY(!histogram.contains(axisOfTree) && !histogram.contains(axisOfSholl));
  for (const QString& axis : {axisOfTree, axisOfHistogram})
    QVERIFY2(whole.contains(axis), qPrintable(axis));
}

/// Whatever size it has on the screen, in letters of one size.
void TestFigureParts::aChartAloneHasTheSizeOfTheFigure()
{
  measure({dataFile("stellate.swc")});
  const auto part = [this](const QString& name) {
    const std::vector<widgets::Figure> parts = window->figure().parts;
    const auto found = std::ranges::find(parts, name, &widgets::Figure::name);
    return found == parts.end() ? widgets::Figure() : *found;
  };
  widgets::FigureOptions options;
  const QSize before = page().dendrogram().size();
  const QString large = drawn(part(QStringLiteral("Dendrogram")), options);
  window->resize(1100, 700);
  QTRY_VERIFY(page().dendrogram().size() != before);
  const QString small = drawn(part(QStringLiteral("Dendrogram")), options);
  QVERIFY(large == small);
  // A narrower figure has the same letters.
  const auto sizesOf = [](const QString& svg) {
    QSet<QString> sizes;
    auto found = QRegularExpression(QStringLiteral(R"~(font-size="([0-9.]+)")~")).globalMatch(svg);
    while (found.hasNext())
      sizes.insert(found.next().captured(1));
    return sizes;
  };
  options.width = 85;
  options.height = 60;
  options.hasLegend = false; // whose letters may be smaller
  const QString narrow = drawn(part(QStringLiteral("Dendrogram")), options);
  options.width = 160;
  options.height = 100;
  QCOMPARE(sizesOf(narrow), sizesOf(drawn(part(QStringLiteral("Dendrogram")), options)));
}

void TestFigureParts::theChartThatWasClickedIsChosenAtFirst()
{
  measure({dataFile("stellate.swc")});
  openDialog();
  QCOMPARE(chosenPart(), QStringLiteral("Whole page"));
  QCOMPARE(find<QLineEdit>("figureName")->text(), QStringLiteral("measure"));
  find<FigureDialog>("figureDialog")->close();
  QTRY_VERIFY(!window->findChild<FigureDialog*>());
  QTest::mouseClick(&page().spheres(), Qt::LeftButton);
  QTest::mouseClick(&page().dendrogram(), Qt::LeftButton);
  openDialog();
  QCOMPARE(chosenPart(), QStringLiteral("Dendrogram"));
  QCOMPARE(find<QLineEdit>("figureName")->text(), QStringLiteral("measure-dendrogram"));
  const QString svg = saved("clicked.svg");
  QVERIFY(svg.contains(QStringLiteral(">Dendrogram<")) && !svg.contains(QStringLiteral(">Sholl<")));
}

void TestFigureParts::aTableIsAFigureToo()
{
  measure({dataFile("stellate.swc")});
  QTest::mouseClick(find<QTableView>("measureTypes")->viewport(), Qt::LeftButton);
  openDialog();
  QCOMPARE(chosenPart(), QStringLiteral("Types"));
  const QString svg = saved("types.svg");
  QVERIFY(svg.contains(QStringLiteral("Bifurcations")) && svg.contains(QStringLiteral(">axon<")));
  QVERIFY(!svg.contains(QStringLiteral("Dendrogram")));
}

void TestFigureParts::allPagesNameTheirCharts()
{
  const auto names = [this] {
    QStringList all;
    for (const widgets::Figure& part : window->figure().parts)
      all << part.name;
    return all;
  };
  window->showView(ViewKind::Synapses);
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive(), kPatience);
  for (const char* name : {"Neurons in space", "Distances"})
    QVERIFY2(names().contains(QLatin1String(name)), name);
  window->showView(ViewKind::Projection);
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive(), kPatience);
  for (const char* name : {"Layers", "Fan-out", "Fan-in", "Weights", "Matrix"})
    QVERIFY2(names().contains(QLatin1String(name)), name);
  window->showView(ViewKind::Plasticity);
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive(), kPatience);
  const QStringList charts = names();
  QVERIFY(charts.size() > 1);
  QCOMPARE(QSet<QString>(charts.begin(), charts.end()).size(), charts.size());
}

/// Also after a click on a chart, which looks at a time.
void TestFigureParts::theCellsOfASimulationAreChosenAtFirst()
{
  window->showView(ViewKind::Simulation);
  click("simulationSample1");
  QTRY_VERIFY_WITH_TIMEOUT(window->simulation().model(), kPatience);
  QTest::mouseClick(find<QWidget>("simulationRates"), Qt::LeftButton);
  openDialog();
  QCOMPARE(chosenPart(), QStringLiteral("Cells"));
  QVERIFY(find<QWidget>("figure-ParallelRow")->isVisible());
  choosePart("Rate");
  QVERIFY(!window->findChild<QWidget*>(QStringLiteral("figure-ParallelRow")));
  QCOMPARE(find<QLineEdit>("figureName")->text(), QStringLiteral("simulation-rate"));
  const QString svg = saved("rate.svg");
  QVERIFY(svg.contains(QStringLiteral(">Rate<")) && svg.contains(QStringLiteral("Hz")));
  QVERIFY(!svg.contains(QStringLiteral("<image")));
}

/// Two cells are compared in a window that has no room for their names.
void TestFigureParts::namesAndColumnsAreWholeOnANarrowPage()
{
  const QStringList names{QStringLiteral("mouse_layer5_cell_01"), QStringLiteral("mouse_layer5_cell_02")};
  QStringList paths;
  for (const QString& name : names) {
    paths << folder.filePath(name + QStringLiteral(".swc"));
    QVERIFY(QFile::copy(dataFile("stellate.swc"), paths.back()));
  }
  window->resize(1000, 650);
  measure(paths);
  choose("measureBeside", 1);
  QTRY_COMPARE_WITH_TIMEOUT(page().cells().size(), 2u, kPatience);
  const QString whole = savedPart("Whole page", "narrow.svg");
  const QString sholl = savedPart("Sholl", "narrow-sholl.svg");
  for (const QString& name : names) {
    QCOMPARE(sholl.count(QLatin1Char('>') + name + QLatin1Char('<')), 1);
    // In both profiles and the table.
    QVERIFY2(whole.count(QLatin1Char('>') + name + QLatin1Char('<')) >= 3, qPrintable(name));
  }
  QVERIFY(!whole.contains(QStringLiteral("without its last")));
  for (const char* column : {"Bifurcations", "Volume", "Max"})
    QVERIFY2(whole.contains(QLatin1String(column)), column);
}

HINESIGHT_TEST_RUN(runWindowTest<TestFigureParts>)
#include "test_figure_parts.moc"
