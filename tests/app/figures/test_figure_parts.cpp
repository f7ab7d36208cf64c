#include "app/app_fixture.hpp"
#include "app/measure/measure_controller.hpp"
#include "app/measure/measure_page.hpp"
#include "app/simulation/simulation_page.hpp"
#include "figures_fixture.hpp"
#include "test_main.hpp"
#include "widgets/charts/dendrogram.hpp"
#include "widgets/figure/figure.hpp"

#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTableView>
#include <QtTest>

#include <algorithm>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

/// Charts of pages as figures of their own, by the dialog of the real main window; drawings are read as text.
class TestFigureParts : public QObject, FiguresFixture
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
  QString chosenPart() { return find<QComboBox>("figurePart")->currentText(); }
  void choosePart(const char* name)
  {
    const int place = find<QComboBox>("figurePart")->findText(QLatin1String(name));
    QVERIFY2(place >= 0, name);
    choose("figurePart", place);
  }
  QString savedPart(const char* part, const char* name)
  {
    openFigureDialog();
    choosePart(part);
    return savedFigure(name);
  }
  static qsizetype texts(const QString& svg) { return svg.count(QStringLiteral("<text")); }
  /// How often a text stands alone in a drawing.
  static qsizetype places(const QString& svg, const QString& text)
  {
    return svg.count(QLatin1Char('>') + text + QLatin1Char('<'));
  }
  /// How many rows of the table of types a drawing has of each cell; the others are counted in it.
  QMap<QString, int> drawnRows(const QString& svg)
  {
    const QAbstractItemModel& rows = *find<QTableView>("measureTypes")->model();
    const auto more = QRegularExpression(QStringLiteral("and (\\d+) more rows")).match(svg);
    QMap<QString, int> drawn;
    for (int row = 0; row < rows.rowCount() - more.captured(1).toInt(); ++row)
      ++drawn[rows.index(row, 0).data().toString()];
    return drawn;
  }
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
  const QString large = drawnFigure(part(QStringLiteral("Dendrogram")), options);
  window->resize(1100, 700);
  QTRY_VERIFY(page().dendrogram().size() != before);
  const QString small = drawnFigure(part(QStringLiteral("Dendrogram")), options);
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
  const QString narrow = drawnFigure(part(QStringLiteral("Dendrogram")), options);
  options.width = 160;
  options.height = 100;
  QCOMPARE(sizesOf(narrow), sizesOf(drawnFigure(part(QStringLiteral("Dendrogram")), options)));
}

void TestFigureParts::theChartThatWasClickedIsChosenAtFirst()
{
  measure({dataFile("stellate.swc")});
  openFigureDialog();
  QCOMPARE(chosenPart(), QStringLiteral("Whole page"));
  QCOMPARE(find<QLineEdit>("figureName")->text(), QStringLiteral("measure"));
  find<FigureDialog>("figureDialog")->close();
  QTRY_VERIFY(!window->findChild<FigureDialog*>());
  QTest::mouseClick(&page().spheres(), Qt::LeftButton);
  QTest::mouseClick(&page().dendrogram(), Qt::LeftButton);
  openFigureDialog();
  QCOMPARE(chosenPart(), QStringLiteral("Dendrogram"));
  QCOMPARE(find<QLineEdit>("figureName")->text(), QStringLiteral("measure-dendrogram"));
  const QString svg = savedFigure("clicked.svg");
  QVERIFY(svg.contains(QStringLiteral(">Dendrogram<")) && !svg.contains(QStringLiteral(">Sholl<")));
}

void TestFigureParts::aTableIsAFigureToo()
{
  measure({dataFile("stellate.swc")});
  QTest::mouseClick(find<QTableView>("measureTypes")->viewport(), Qt::LeftButton);
  openFigureDialog();
  QCOMPARE(chosenPart(), QStringLiteral("Types"));
  const QString svg = savedFigure("types.svg");
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
  openFigureDialog();
  QCOMPARE(chosenPart(), QStringLiteral("Cells"));
  QVERIFY(find<QWidget>("figure-ParallelRow")->isVisible());
  choosePart("Rate");
  QVERIFY(!window->findChild<QWidget*>(QStringLiteral("figure-ParallelRow")));
  QCOMPARE(find<QLineEdit>("figureName")->text(), QStringLiteral("simulation-rate"));
  const QString svg = savedFigure("rate.svg");
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
  openFigureDialog();
  choosePart("Whole page");
  type("figure-HeightSpin", "200");
  const QString tall = savedFigure("tall.svg");
  for (const QString& name : names) {
    QCOMPARE(places(sholl, name), 1);
    // In the dendrogram, both profiles, and the rows of the table that there is room for.
    for (const QString& drawing : {whole, tall})
      QCOMPARE(places(drawing, name), 3 + drawnRows(drawing)[name]);
    QCOMPARE(drawnRows(tall)[name], 2); // axon and basal dendrite
  }
  QVERIFY(drawnRows(whole)[names.front()] > 0);
  QVERIFY(!whole.contains(QStringLiteral("without its last")));
  for (const char* column : {"Bifurcations", "Volume", "Max"})
    QVERIFY2(whole.contains(QLatin1String(column)), column);
}

HINESIGHT_TEST_RUN(runWindowTest<TestFigureParts>)
#include "test_figure_parts.moc"
