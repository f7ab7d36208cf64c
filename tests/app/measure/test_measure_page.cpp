#include "app/app_fixture.hpp"
#include "app/measure/measure_controller.hpp"
#include "app/measure/measure_page.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/window_fixture.hpp"
#include "morphology/branches.hpp"
#include "morphology/morphometry.hpp"
#include "selection/branch_table.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"
#include "widgets/charts/dendrogram.hpp"
#include "widgets/charts/profile_chart.hpp"
#include "widgets/orbit/vtk_widget.hpp"

#include <QAbstractItemView>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QPointer>
#include <QScrollBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

#include <algorithm>

using namespace hinesight;
using namespace hinesight::app;

/// Measures cells in the real main window with mouse and keyboard.
class TestMeasurePage : public QObject, WindowFixture
{
  Q_OBJECT

private slots:
  void init();
  void cleanup() { window.reset(); }

  void saysWhatIsMissing();
  void measuresTheChosenCell();
  void comparesTwoCells();
  void drawsBothDendrograms();
  void comparesWithTheSameCellWhenOthersGo();
  void listsManyOthersByName();
  void numbersBranchesAsTheViews();
  void followsTheSelection();
  void countsByAnotherQuantity();
  void measuresBetweenTwoPoints();
  void writesItsTables();
  void listsAndWritesTheHistogram();
  void namesAFileOfPathsByTheirCell();
  void showsAllColumnsAndUnits();
  void saysWhyACellCannotBeMeasured();
  void saysWhyAChartIsEmpty();
  void isCopiedAsACommand();

private:
  void open(const QStringList& files);
  MeasurePage& page() { return *find<MeasurePage>("measurePage"); }
  const study::CellMeasures& measures(std::size_t cell = 0) { return page().cells().at(cell).measures; }
  void show()
  {
    QTest::keyClick(window.get(), Qt::Key_9, Qt::ControlModifier);
    QTRY_VERIFY(page().isVisible());
  }
  bool settled()
  {
    return QTest::qWaitFor([this] { return !window->jobs().isActive(kMeasures) && !window->jobs().isActive(); },
                           kPatience);
  }
  QTableView* tab(int place, const char* name)
  {
    find<QTabWidget>("measureTables")->setCurrentIndex(place);
    return find<QTableView>(name);
  }
  widgets::MorphologyView& morphology()
  {
    return static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
  }
  QPoint pixelOf(std::int32_t sample);

  QTemporaryDir folder;
};

void TestMeasurePage::init()
{
  QSettings().clear();
  QVERIFY(showWindow({1280, 720}));
}

void TestMeasurePage::open(const QStringList& files)
{
  QStringList paths;
  for (const QString& file : files)
    paths << dataFile(qPrintable(file));
  window->openFiles(paths);
  QVERIFY(waitForJobs());
}

/// Where a tube that ends at a sample of the first cell is drawn: a little before that end.
QPoint TestMeasurePage::pixelOf(std::int32_t sample)
{
  const widgets::TubeGeometry& tubes = morphology().geometry();
  const auto tube = static_cast<std::size_t>(std::ranges::find(tubes.sampleB, sample) - tubes.sampleB.begin());
  const auto along = [&](std::size_t axis) {
    return 0.2 * static_cast<double>(tubes.endA[3 * tube + axis]) +
           0.8 * static_cast<double>(tubes.endB[3 * tube + axis]);
  };
  const widgets::ScreenPoint point = morphology().camera().project({along(0), along(1), along(2)});
  return QPointF(point.x, point.y).toPoint();
}

void TestMeasurePage::saysWhatIsMissing()
{
  show();
  QVERIFY(find<QLabel>("measureReason")->isVisible());
  QVERIFY(!find<QLabel>("measureReason")->text().isEmpty());
  QVERIFY(!page().dendrogram().isVisible());
}

void TestMeasurePage::measuresTheChosenCell()
{
  open({"stellate.swc", "bipolar.swc"});
  show();
  QVERIFY(settled());
  const morphology::Morphology& cell = *window->cells().cells()[0].morphology;
  const auto branches = morphology::measureBranches(cell, morphology::findBranches(cell));
  QCOMPARE(measures().branches.size(), branches.size());
  QCOMPARE(page().dendrogram().cells().at(0).branches.size(), branches.size());
  QCOMPARE(tab(1, "measureBranches")->model()->rowCount(), static_cast<int>(branches.size()));
  const auto sholl = morphology::sholl(cell, morphology::somaCentreOf(cell), 10);
  QCOMPARE(measures().sholl.intersections, sholl.intersections);
  QCOMPARE(page().spheres().curves().front().values.size(), sholl.intersections.size());
  QCOMPARE(tab(0, "measureTypes")->model()->rowCount(), static_cast<int>(measures().types.size()));
  // Other spheres.
  type("shollStep", "25");
  QVERIFY(settled());
  QCOMPARE(measures().sholl.intersections, morphology::sholl(cell, morphology::somaCentreOf(cell), 25).intersections);
  // Another cell.
  auto* list = find<QTreeView>("cellList");
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(1, 0)).center());
  QTRY_COMPARE(page().cells().front().name, window->cells().cells()[1].name);
  QVERIFY(find<QLabel>("measureHeadline")->text().contains(window->cells().cells()[1].name));
  // Closed: the other one is measured.
  window->cells().removeCells({1});
  QVERIFY(settled());
  QTRY_COMPARE(page().cells().front().name, window->cells().cells()[0].name);
}

void TestMeasurePage::comparesTwoCells()
{
  open({"stellate.swc", "bipolar.swc"});
  show();
  QVERIFY(settled());
  choose("measureBeside", 1);
  QVERIFY(settled());
  QCOMPARE(page().cells().size(), std::size_t{2});
  QCOMPARE(page().spheres().curves().size(), std::size_t{2});
  QCOMPARE(page().histogram().curves().size(), std::size_t{2});
  // The axes say what they show; the colours are none of types of neurites.
  QCOMPARE(page().spheres().quantityTitle(), QStringLiteral("distance, µm"));
  QCOMPARE(page().spheres().numberTitle(), QStringLiteral("intersections"));
  QCOMPARE(page().histogram().quantityTitle(), QStringLiteral("length, µm"));
  QVERIFY(widgets::ProfileChart::colorOf(0) != widgets::ProfileChart::colorOf(1));
  for (std::int32_t type = 0; type < 8; ++type)
    for (const std::size_t curve : {0, 1})
      QVERIFY(widgets::ProfileChart::colorOf(curve) != widgets::typeColor(type));
  if (const QString pictures = qEnvironmentVariable("HINESIGHT_PICTURES"); !pictures.isEmpty())
    QVERIFY(window->grab().save(pictures + QStringLiteral("/measure.png")));
  QCOMPARE(tab(0, "measureTypes")->model()->rowCount(),
           static_cast<int>(measures(0).types.size() + measures(1).types.size()));
  QCOMPARE(tab(2, "measureSholl")->model()->columnCount(), 3);
}

void TestMeasurePage::drawsBothDendrograms()
{
  open({"stellate.swc", "bipolar.swc"});
  show();
  QVERIFY(settled());
  const auto coloredLines = [this](double from, double to) {
    const QImage image = page().dendrogram().grab().toImage();
    int lines = 0;
    for (int y = static_cast<int>(from * image.height()); y < static_cast<int>(to * image.height()); ++y)
      for (int x = 0; x < image.width(); ++x)
        lines += image.pixelColor(x, y).hsvSaturation() > 150 ? 1 : 0;
    return lines;
  };
  choose("measureBeside", 1);
  QVERIFY(settled());
  auto& dendrogram = page().dendrogram();
  QCOMPARE(dendrogram.cells().size(), std::size_t{2});
  QVERIFY(coloredLines(0.1, 0.5) > 100);
  QVERIFY(coloredLines(0.58, 1) > 100);
  // A line of the second one is a branch of that cell.
  QTest::mouseClick(&dendrogram, Qt::LeftButton, {}, dendrogram.middleOf(1, 2).toPoint());
  QCOMPARE(dendrogram.selectedCell(), std::size_t{1});
  const widgets::BranchId picked = window->findChild<BranchSelection*>()->choice().current;
  QCOMPARE(picked.cell, 1);
  QCOMPARE(picked.branch + 1, measures(1).places[static_cast<std::size_t>(dendrogram.selection())].number);
}

void TestMeasurePage::comparesWithTheSameCellWhenOthersGo()
{
  open({"stellate.swc", "bipolar.swc", "warned.swc"});
  show();
  QVERIFY(settled());
  choose("measureBeside", 2);
  QVERIFY(settled());
  const QString compared = page().cells().at(1).name;
  QCOMPARE(compared, window->cells().cells()[2].name);
  window->cells().removeCells({1});
  QVERIFY(settled());
  QCOMPARE(page().cells().size(), std::size_t{2});
  QCOMPARE(page().cells()[1].name, compared);
  QCOMPARE(find<QComboBox>("measureBeside")->currentText(), compared);
  // Once it is closed itself, nothing is compared.
  window->cells().removeCells({1});
  QVERIFY(settled());
  QCOMPARE(page().cells().size(), std::size_t{1});
  QCOMPARE(find<QComboBox>("measureBeside")->currentIndex(), 0);
}

/// Numbers in names count as numbers, and a list that is longer than a screen scrolls.
void TestMeasurePage::listsManyOthersByName()
{
  constexpr int kCells = 30;
  QStringList paths;
  for (int cell = kCells; cell > 0; --cell) {
    paths << folder.filePath(QStringLiteral("other-%1.swc").arg(cell));
    QVERIFY(QFile::copy(dataFile("bipolar.swc"), paths.back()));
  }
  window->openFiles(paths);
  QVERIFY(waitForJobs());
  show();
  QVERIFY(settled());
  auto* beside = find<QComboBox>("measureBeside");
  QCOMPARE(beside->count(), kCells); // of which the first is none
  std::vector<int> numbers;
  for (int entry = 1; entry < beside->count(); ++entry)
    numbers.push_back(beside->itemText(entry).section(u'-', 1).toInt());
  QVERIFY(std::ranges::is_sorted(numbers));
  // What is chosen there is that cell.
  choose("measureBeside", 3);
  QVERIFY(settled());
  QCOMPARE(page().cells().at(1).name, beside->currentText());
  beside->showPopup();
  const QAbstractItemView* list = beside->view();
  QTRY_VERIFY(list->isVisible());
  QTRY_VERIFY(list->verticalScrollBar()->maximum() > 0);
  QVERIFY(list->viewport()->height() < 21 * list->visualRect(list->model()->index(0, 0)).height());
  beside->hidePopup();
}

/// Each number stands for one branch in the table and in the views, which have its figures.
void TestMeasurePage::numbersBranchesAsTheViews()
{
  open({"stellate.swc"});
  show();
  QVERIFY(settled());
  const selection::BranchTable* views = window->findChild<BranchSelection*>()->table();
  QVERIFY(views);
  std::int32_t before = 0;
  for (std::size_t k = 0; k < measures().branches.size(); ++k) {
    const study::BranchPlace& place = measures().places[k];
    QVERIFY(place.number > before);
    before = place.number;
    const auto row = views->rowOf({0, place.number - 1});
    QVERIFY(row);
    const double farthest = views->at(selection::BranchFigure::PathDistance, *row);
    QVERIFY(std::abs(farthest - measures().branches[k].endPath) < 1e-6 * (1 + farthest));
    const std::int64_t parent = views->parent[*row];
    QCOMPARE(place.parent, parent < 0 ? 0 : static_cast<std::int32_t>(parent) + 1);
  }
  // The order of the table is that of the numbers.
  const auto* model = tab(1, "measureBranches")->model();
  for (int row = 0; row < model->rowCount(); ++row)
    QCOMPARE(model->index(row, 0).data().toInt(), measures().places[static_cast<std::size_t>(row)].number);
}

void TestMeasurePage::followsTheSelection()
{
  open({"stellate.swc"});
  show();
  QVERIFY(settled());
  auto* selection = window->findChild<BranchSelection*>();
  // A row is a branch in all views.
  auto* table = tab(1, "measureBranches");
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(3, 0)).center());
  const widgets::BranchId third = selection->choice().current;
  QVERIFY(!third.isNull());
  QCOMPARE(page().dendrogram().selection(), 3);
  const auto length = measures().branches[3].length;
  // So is a line of the dendrogram.
  QTest::mouseClick(&page().dendrogram(), Qt::LeftButton, {}, page().dendrogram().middleOf(0, 5).toPoint());
  QVERIFY(selection->choice().current != third);
  QCOMPARE(page().dendrogram().selection(), 5);
  QCOMPARE(table->selectionModel()->selectedRows().size(), 1);
  QCOMPARE(table->selectionModel()->selectedRows().front().data().toInt(), measures().places[5].number);
  QCOMPARE(selection->choice().current.branch + 1, measures().places[5].number);
  // And a branch of a view is a row.
  selection->select(third);
  QCOMPARE(page().dendrogram().selection(), 3);
  QCOMPARE(measures().branches[3].length, length);
  // Several are marked together.
  selection->selectWhere("order == 1");
  const auto& chosen = selection->choice().selected;
  QVERIFY(chosen.size() > 2);
  QCOMPARE(page().dendrogram().outlined().front().size(), chosen.size());
  QCOMPARE(table->selectionModel()->selectedRows().size(), static_cast<qsizetype>(chosen.size()));
  for (const QModelIndex& row : table->selectionModel()->selectedRows())
    QVERIFY(chosen.has({0, row.data().toInt() - 1}));
  QCOMPARE(page().dendrogram().selection(), -1);
  selection->clear();
  QCOMPARE(page().dendrogram().selection(), -1);
  QVERIFY(page().dendrogram().outlined().front().empty());
  QVERIFY(!table->selectionModel()->hasSelection());
  // The line for expressions is here too.
  find<QAction>("selectWhereAction")->trigger();
  auto* where = find<QLineEdit>("selectWhere");
  QVERIFY(where->isVisible());
  QTest::keyClicks(where, QStringLiteral("order == 1"));
  QCOMPARE(table->selectionModel()->selectedRows().size(), static_cast<qsizetype>(selection->choice().selected.size()));
}

void TestMeasurePage::countsByAnotherQuantity()
{
  open({"stellate.swc"});
  show();
  QVERIFY(settled());
  choose("measureQuantity", static_cast<int>(study::BranchQuantity::Order));
  std::vector<double> counts;
  for (const morphology::BranchMeasures& branch : measures().branches) {
    counts.resize(std::max(counts.size(), static_cast<std::size_t>(branch.order) + 1));
    ++counts[static_cast<std::size_t>(branch.order)];
  }
  QCOMPARE(page().histogram().curves().front().values, counts);
}

void TestMeasurePage::measuresBetweenTwoPoints()
{
  open({"stellate.swc"});
  window->showView(ViewKind::Morphology);
  morphology().fit();
  const morphology::Morphology& cell = *window->cells().cells()[0].morphology;
  // The tips of two branches.
  const morphology::BranchTree tree = morphology::findBranches(cell);
  const auto tips = morphology::measureBranches(cell, tree);
  std::vector<std::int32_t> ends;
  for (std::size_t branch = 0; branch < tips.size() && ends.size() < 2; ++branch)
    if (tips[branch].isTip)
      ends.push_back(tree.sample[static_cast<std::size_t>(tree.sampleBegin[branch + 1] - 1)]);
  const auto* header = morphology().findChild<QLabel*>(QStringLiteral("viewText"));
  const QString before = header->text();
  QTest::mouseClick(find<QToolButton>("measurePath"), Qt::LeftButton);
  QCOMPARE(header->text(), QStringLiteral("Click two points of a cell"));
  QTest::mouseClick(morphology().canvas(), Qt::LeftButton, {}, pixelOf(ends[0]));
  QCOMPARE(morphology().path().samples(), (std::vector<widgets::SamplePoint>{{0, ends[0]}}));
  QVERIFY(morphology().selection().isNull()); // a point is no branch
  QTest::mouseClick(morphology().canvas(), Qt::LeftButton, {}, pixelOf(ends[1]));
  const auto expected = morphology::pathBetween(cell, ends[0], ends[1]);
  QCOMPARE(page().paths().size(), std::size_t{1});
  QCOMPARE(*page().paths()[0].length, expected->length);
  QCOMPARE(page().paths()[0].distance, expected->distance);
  QCOMPARE(morphology().path().samples().size(), expected->samples.size());
  QVERIFY(morphology().path().isVisible());
  QVERIFY2(morphology().path().text().startsWith(QStringLiteral("path ")), qPrintable(morphology().path().text()));
  QCOMPARE(tab(4, "measurePaths")->model()->rowCount(), 1);
  // Beside the cell nothing is picked, and the path is gone.
  QTest::mouseClick(morphology().canvas(), Qt::LeftButton, {}, {3, 3});
  QVERIFY(!morphology().path().isVisible());
  // Without the ruler a click picks a branch again.
  QTest::mouseClick(find<QToolButton>("measurePath"), Qt::LeftButton);
  QCOMPARE(header->text(), before);
  QTest::mouseClick(morphology().canvas(), Qt::LeftButton, {}, pixelOf(ends[0]));
  QVERIFY(!morphology().selection().isNull());
}

void TestMeasurePage::writesItsTables()
{
  open({"stellate.swc", "bipolar.swc"});
  show();
  QVERIFY(settled());
  choose("measureBeside", 1);
  QVERIFY(settled());
  // The table that is seen is proposed, under the name of its cell.
  tab(2, "measureSholl");
  QVERIFY(find<QPushButton>("exportMeasures")->toolTip().contains("the table Sholl"));
  click("exportMeasures");
  {
    const QPointer<QFileDialog> dialog = find<QFileDialog>("exportMeasuresDialog");
    QVERIFY(dialog->selectedNameFilter().startsWith("Sholl"));
    const auto proposed = [&dialog] { return QFileInfo(dialog->selectedFiles().value(0)).fileName(); };
    QCOMPARE(proposed(), QStringLiteral("stellate-sholl.csv"));
    auto* types = dialog->findChild<QComboBox*>(QStringLiteral("fileTypeCombo"));
    types->setFocus();
    QTest::keyClick(types, Qt::Key_Up);
    QCOMPARE(proposed(), QStringLiteral("stellate-types.csv"));
    dialog->close();
    QTRY_VERIFY(!dialog);
  }
  const auto linesOf = [&](int filter, const char* name) {
    click("exportMeasures");
    const QString path = folder.filePath(QLatin1String(name));
    const QPointer<QFileDialog> dialog = find<QFileDialog>("exportMeasuresDialog");
    dialog->selectNameFilter(dialog->nameFilters().at(filter));
    emit dialog->fileSelected(path);
    dialog->close();
    [&] { QTRY_VERIFY_WITH_TIMEOUT(!dialog && QFile::exists(path), kPatience); }();
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().split('\n') : QList<QByteArray>();
  };
  const auto rows = [](std::size_t lines) { return static_cast<qsizetype>(lines) + 2; }; // a head and an empty end
  QCOMPARE(linesOf(0, "branches.csv").size(), rows(measures(0).branches.size() + measures(1).branches.size()));
  QCOMPARE(linesOf(1, "types.csv").size(), rows(measures(0).types.size() + measures(1).types.size()));
  const QList<QByteArray> spheres = linesOf(2, "spheres.csv");
  QCOMPARE(spheres.front(), QByteArray("file,radius um,intersections"));
  QCOMPARE(spheres.size(), rows(measures(0).sholl.intersections.size() + measures(1).sholl.intersections.size()));
  std::size_t counted = 0;
  const QList<QByteArray> histogram = linesOf(3, "histogram.csv");
  QCOMPARE(histogram.front(), QByteArray("file,from um,to um,branches"));
  for (const QByteArray& line : histogram.mid(1))
    counted += line.split(',').back().toUInt();
  QCOMPARE(counted, measures(0).branches.size() + measures(1).branches.size());
}

/// The table and the chart are the same, and the table that is seen is the one that is written.
void TestMeasurePage::listsAndWritesTheHistogram()
{
  open({"stellate.swc"});
  show();
  QVERIFY(settled());
  choose("measureQuantity", static_cast<int>(study::BranchQuantity::LocalAngle));
  const auto* model = tab(3, "measureClasses")->model();
  const auto& counts = page().histogram().curves().front().values;
  QCOMPARE(model->rowCount(), static_cast<int>(counts.size()));
  for (int row = 0; row < model->rowCount(); ++row)
    QCOMPARE(model->index(row, 2).data(Qt::UserRole).toDouble(), counts[static_cast<std::size_t>(row)]);
  QCOMPARE(model->headerData(0, Qt::Horizontal).toString(), QStringLiteral("From °"));
  QCOMPARE(page().histogram().quantityTitle(), QStringLiteral("local angle, °"));
  QVERIFY(find<QPushButton>("exportMeasures")->toolTip().contains("the table Histogram"));
  click("exportMeasures");
  const QPointer<QFileDialog> dialog = find<QFileDialog>("exportMeasuresDialog");
  QVERIFY(dialog->selectedNameFilter().startsWith("Histogram"));
  QCOMPARE(QFileInfo(dialog->selectedFiles().value(0)).fileName(), QStringLiteral("stellate-histogram.csv"));
  dialog->close();
  QTRY_VERIFY(!dialog);
}

/// Whatever cell the page measures.
void TestMeasurePage::namesAFileOfPathsByTheirCell()
{
  open({"stellate.swc", "bipolar.swc"});
  show();
  QVERIFY(settled());
  tab(4, "measurePaths");
  const auto proposed = [this] {
    click("exportMeasures");
    const QPointer<QFileDialog> dialog = find<QFileDialog>("exportMeasuresDialog");
    const QString name = QFileInfo(dialog->selectedFiles().value(0)).fileName();
    dialog->close();
    [&] { QTRY_VERIFY(!dialog); }();
    return name;
  };
  const MeasuredPath::End first{QStringLiteral("bipolar"), 1};
  const MeasuredPath::End second{QStringLiteral("bipolar"), 5};
  page().addPath({first, second, 10, 8});
  QCOMPARE(page().cells().front().name, QStringLiteral("stellate"));
  QVERIFY(find<QPushButton>("exportMeasures")->toolTip().contains("the table Paths"));
  QCOMPARE(proposed(), QStringLiteral("bipolar-paths.csv"));
  page().addPath({first, {QStringLiteral("stellate"), 1}, {}, 8});
  QCOMPARE(proposed(), QStringLiteral("cells-paths.csv"));
}

void TestMeasurePage::showsAllColumnsAndUnits()
{
  open({"stellate.swc"});
  show();
  QVERIFY(settled());
  const auto* table = tab(0, "measureTypes");
  QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0);
  // Titles are whole.
  for (int column = 0; column < table->model()->columnCount(); ++column) {
    const QString title = table->model()->headerData(column, Qt::Horizontal).toString();
    QVERIFY(table->columnWidth(column) > table->horizontalHeader()->fontMetrics().horizontalAdvance(title));
  }
  window->resize(1000, 700);
  const auto& chart = page().spheres();
  QTRY_VERIFY(window->width() == 1000 &&
              chart.fontMetrics().horizontalAdvance(chart.quantityTitle()) < chart.size().width() / 2);
}

void TestMeasurePage::saysWhyACellCannotBeMeasured()
{
  open({"stellate.swc"});
  window->cells().setScale({0}, 1e6);
  QVERIFY(waitForJobs());
  show();
  QVERIFY(settled());
  type("shollStep", "0.001");
  QVERIFY(settled());
  QTRY_VERIFY(find<QLabel>("measureReason")->isVisible());
  QVERIFY2(find<QLabel>("measureReason")->text().contains("spheres"),
           qPrintable(find<QLabel>("measureReason")->text()));
  // It is measured again with a step that is of use.
  type("shollStep", "1000000");
  QVERIFY(settled());
  QTRY_VERIFY(page().dendrogram().isVisible());
}

void TestMeasurePage::saysWhyAChartIsEmpty()
{
  // A line of 5 to 105 µm from the soma, which has no branch points.
  const QString line = folder.filePath(QStringLiteral("line.swc"));
  QFile file(line);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("1 1 0 0 0 5 -1\n2 3 5 0 0 1 1\n3 3 105 0 0 1 2\n");
  file.close();
  window->openFiles({line});
  QVERIFY(waitForJobs());
  show();
  QVERIFY(settled());
  const auto& spheres = page().spheres();
  const auto& histogram = page().histogram();
  QCOMPARE(spheres.notice(), QString());
  QCOMPARE(histogram.notice(), QString());
  type("shollStep", "500");
  QVERIFY(settled());
  QCOMPARE(spheres.notice(), QStringLiteral("No sphere is crossed: the first has a radius of 500 µm, and no neurite "
                                            "reaches farther than 105 µm from its soma."));
  type("shollStep", "105");
  QVERIFY(settled());
  QCOMPARE(spheres.notice(), QString());
  choose("measureQuantity", static_cast<int>(study::BranchQuantity::LocalAngle));
  QCOMPARE(histogram.notice(), QStringLiteral("There are no angles: no branch ends where exactly two others begin."));
  // Beside a cell that has them there is something to draw.
  open({"stellate.swc"});
  choose("measureBeside", 1);
  QVERIFY(settled());
  QTRY_COMPARE(page().cells().size(), std::size_t{2});
  QCOMPARE(histogram.notice(), QString());
  // A soma alone.
  study::CellMeasures ofSoma;
  ofSoma.sholl.step = 10;
  page().setCells(std::make_shared<const MeasuredCells>(MeasuredCells{{QStringLiteral("soma"), ofSoma}}));
  QCOMPARE(spheres.notice(), QStringLiteral("There are no neurites that spheres could cross."));
  choose("measureQuantity", static_cast<int>(study::BranchQuantity::Length));
  QCOMPARE(histogram.notice(), QStringLiteral("There are no branches of neurites."));
}

void TestMeasurePage::isCopiedAsACommand()
{
  open({"stellate.swc"});
  show();
  QVERIFY(settled());
  QTest::keyClick(window.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY2(QGuiApplication::clipboard()->text().contains("measure"), qPrintable(QGuiApplication::clipboard()->text()));
  QVERIFY(QGuiApplication::clipboard()->text().endsWith("--sholl 10"));
}

HINESIGHT_TEST_RUN(runWindowTest<TestMeasurePage>)
#include "test_measure_page.moc"
