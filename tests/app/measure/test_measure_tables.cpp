#include "app/measure/measure_table.hpp"
#include "benchmark/window/busy_watch.hpp"
#include "measure_fixture.hpp"
#include "painted_texts.hpp"
#include "test_main.hpp"
#include "widgets/charts/dendrogram.hpp"
#include "widgets/charts/profile_chart.hpp"
#include "widgets/theme.hpp"

#include <QComboBox>
#include <QHeaderView>
#include <QHelpEvent>
#include <QImage>
#include <QLabel>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolTip>
#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

/// Selects branches in the tables of the page Measure in the real main window, with mouse and keyboard.
class TestMeasureTables : public QObject, MeasureFixture
{
  Q_OBJECT

  using Places = std::set<int>; ///< of rows, as they stand in a table
  enum Tab
  {
    Types,
    Branches,
    Spheres,
    Classes
  };

private slots:
  void init();
  void cleanup() { window.reset(); }

  void selectsTheBranchesOfAType();
  void takesTypesInAndOut();
  void selectsWhatCrossesASphere();
  void selectsSeveralSpheres();
  void selectsTheBranchesOfAClass();
  void selectsSeveralBranches();
  void selectsBranchesByKeyboard();
  void selectsBranchesAsTheyAreSorted();
  void goesToWhatIsSelectedElsewhere();
  void selectsInBothCells();
  void saysWhatARowSelects();
  void sortsWhatHasNoValueLast();
  void cutsNamesAndNoNumbers();
  void namesTypesInASmallWindow();
  void namesTypesOfBranchesInASmallWindow();
  void drawsTheArrowOfSortingBesideTheTitle();
  void isQuickInALargeCell();

private:
  QTableView* show(Tab tab);
  QPoint pointOf(QTableView* table, int place);
  void click(QTableView* table, int place, Qt::KeyboardModifiers modifiers = {})
  {
    QTest::mouseClick(table->viewport(), Qt::LeftButton, modifiers, pointOf(table, place));
  }
  void clickTitle(QTableView* table, int column);
  static QString textAt(const QTableView* table, int place, int column)
  {
    return table->model()->index(place, column).data().toString();
  }
  static Places marked(const QTableView* table);
  Numbers numbersAt(const QTableView* table, int first, int last);
  std::vector<Numbers> throughSpheres();
  QString writeCellOfTypes();
  void checkNumbers(const QTableView* table, int step);
  void checkDrawn(const std::vector<std::int32_t>& selected);

  QTemporaryDir folder;
};

void TestMeasureTables::init()
{
  QSettings().clear();
  QVERIFY(showWindow());
}

QTableView* TestMeasureTables::show(Tab tab)
{
  find<QTabWidget>("measureTables")->setCurrentIndex(tab);
  constexpr std::array kNames{"measureTypes", "measureBranches", "measureSholl", "measureClasses"};
  auto* table = find<QTableView>(kNames[tab]);
  [&] { QTRY_VERIFY(table->isVisible() && table->viewport()->height() > table->rowHeight(0)); }();
  return table;
}

/// In a row, which it scrolls to.
QPoint TestMeasureTables::pointOf(QTableView* table, int place)
{
  const QModelIndex index = table->model()->index(place, 0);
  table->scrollTo(index);
  return table->visualRect(index).center();
}

void TestMeasureTables::clickTitle(QTableView* table, int column)
{
  const QHeaderView* header = table->horizontalHeader();
  QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                    {header->sectionViewportPosition(column) + header->sectionSize(column) / 2, header->height() / 2});
}

/// Rows that are shown as selected.
TestMeasureTables::Places TestMeasureTables::marked(const QTableView* table)
{
  Places places;
  for (int place = 0; place < table->model()->rowCount(); ++place)
    if (table->selectionModel()->isRowSelected(place, {}))
      places.insert(place);
  return places;
}

/// Of the table of branches.
MeasureFixture::Numbers TestMeasureTables::numbersAt(const QTableView* table, int first, int last)
{
  Numbers numbers;
  for (int place = first; place <= last; ++place)
    numbers.insert(table->model()->index(place, 0).data(MeasureTable::SortRole).toInt());
  return numbers;
}

std::vector<MeasureFixture::Numbers> TestMeasureTables::throughSpheres()
{
  std::vector<Numbers> all;
  for (std::size_t sphere = 0; sphere < measures().sholl.intersections.size(); ++sphere)
    all.push_back(throughSphere(sphere));
  return all;
}

namespace {

constexpr std::array kTypes{"axon", "basal dendrite", "apical dendrite"}; // SWC types 2 to 4

} // namespace

/// Of each type a branch that forks into two.
QString TestMeasureTables::writeCellOfTypes()
{
  const QString path = folder.filePath(QStringLiteral("types.swc"));
  QFile file(path);
  [&] { QVERIFY(file.open(QIODevice::WriteOnly)); }();
  QTextStream text(&file);
  text << "1 1 0 0 0 5 -1\n";
  int id = 1;
  const auto addBranch = [&](int type, int parent, double x, double y) {
    for (int k = 1; k <= 3; ++k) {
      text << ++id << ' ' << type << ' ' << x << ' ' << y + 10 * k << ' ' << 20 * type << " 1 " << parent << '\n';
      parent = id;
    }
    return id;
  };
  for (int type = 2; type <= 4; ++type) {
    const int fork = addBranch(type, 1, 0, 0);
    addBranch(type, fork, 12, 30);
    addBranch(type, fork, -12, 30);
  }
  return path;
}

void TestMeasureTables::selectsTheBranchesOfAType()
{
  open({writeCellOfTypes()});
  QTableView* table = show(Types);
  QCOMPARE(table->model()->rowCount(), static_cast<int>(kTypes.size()));
  for (int place = 0; place < table->model()->rowCount(); ++place) {
    const std::string type = kTypes[static_cast<std::size_t>(place)];
    QCOMPARE(textAt(table, place, 0).toStdString(), type);
    selection().selectWhere("type == " + type);
    const Numbers ofType = selected();
    QCOMPARE(ofType.size(), std::size_t{3});
    QCOMPARE(marked(table), Places{place});
    selection().clear();
    QVERIFY(marked(table).empty());
    click(table, place);
    QCOMPARE(selected(), ofType);
    QCOMPARE(marked(table), Places{place});
    QCOMPARE(page().dendrogram().outlined().front().size(), ofType.size());
    // One without which it is not the whole type.
    selection().pick({{0, *ofType.begin() - 1}}, widgets::PickMode::Toggle);
    QVERIFY(marked(table).empty());
  }
}

void TestMeasureTables::takesTypesInAndOut()
{
  open({writeCellOfTypes()});
  QTableView* table = show(Types);
  std::vector<Numbers> ofTypes;
  for (const char* type : kTypes) {
    selection().selectWhere(std::string("type == ") + type);
    ofTypes.push_back(selected());
  }
  const auto joined = [&](std::initializer_list<std::size_t> types) {
    Numbers numbers;
    for (const std::size_t type : types)
      numbers.insert(ofTypes[type].begin(), ofTypes[type].end());
    return numbers;
  };
  click(table, 0);
  click(table, 2, Qt::ControlModifier);
  QCOMPARE(selected(), joined({0, 2}));
  QCOMPARE(marked(table), (Places{0, 2}));
  click(table, 0, Qt::ControlModifier);
  QCOMPARE(selected(), joined({2}));
  QCOMPARE(marked(table), Places{2});
  click(table, 0);
  click(table, 2, Qt::ShiftModifier);
  QCOMPARE(selected(), joined({0, 1, 2}));
  QCOMPARE(marked(table), (Places{0, 1, 2}));
  click(table, 1, Qt::ShiftModifier); // from the first one again
  QCOMPARE(selected(), joined({0, 1}));
  // What is selected beside whole rows stays with Ctrl, and goes without.
  selection().select({0, *ofTypes[1].begin() - 1});
  click(table, 0, Qt::ControlModifier);
  Numbers withOne = ofTypes[0];
  withOne.insert(*ofTypes[1].begin());
  QCOMPARE(selected(), withOne);
  click(table, 1, Qt::ControlModifier); // the whole of it
  QCOMPARE(selected(), joined({0, 1}));
  selection().pick({{0, *ofTypes[2].begin() - 1}}, widgets::PickMode::Add);
  click(table, 1);
  QCOMPARE(selected(), joined({1}));
  // A click below the rows selects nothing.
  const int below = table->rowViewportPosition(2) + 2 * table->rowHeight(2);
  QVERIFY(below < table->viewport()->height());
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, {5, below});
  QVERIFY(selection().choice().selected.isEmpty());
  QVERIFY(marked(table).empty());
}

void TestMeasureTables::selectsWhatCrossesASphere()
{
  open({dataFile("stellate.swc")});
  QTableView* table = show(Spheres);
  const std::vector<Numbers> through = throughSpheres();
  QCOMPARE(table->model()->rowCount(), static_cast<int>(through.size()));
  std::size_t clicked = 0;
  for (std::size_t sphere = 0; sphere < through.size(); ++sphere) {
    click(table, static_cast<int>(sphere));
    QCOMPARE(selected(), through[sphere]);
    clicked += through[sphere].empty() ? 0 : 1;
    // Rows all of whose branches these are, such as the one that was clicked.
    Places wanted;
    for (std::size_t other = 0; other < through.size(); ++other)
      if (!through[other].empty() && std::ranges::includes(through[sphere], through[other]))
        wanted.insert(static_cast<int>(other));
    QCOMPARE(marked(table), wanted);
    QCOMPARE(wanted.contains(static_cast<int>(sphere)), !through[sphere].empty());
  }
  QVERIFY(clicked > 5);
}

void TestMeasureTables::selectsSeveralSpheres()
{
  open({dataFile("stellate.swc")});
  QTableView* table = show(Spheres);
  const std::vector<Numbers> through = throughSpheres();
  const auto joined = [&](std::size_t first, std::size_t last) {
    Numbers numbers;
    for (std::size_t sphere = first; sphere <= last; ++sphere)
      numbers.insert(through[sphere].begin(), through[sphere].end());
    return numbers;
  };
  const auto first = static_cast<std::size_t>(
      std::ranges::find_if(through, [](const Numbers& numbers) { return !numbers.empty(); }) - through.begin());
  const auto place = static_cast<int>(first);
  click(table, place);
  click(table, place + 3, Qt::ShiftModifier);
  QCOMPARE(selected(), joined(first, first + 3));
  // Out with what crosses the last of them, also where it crosses others.
  click(table, place + 3, Qt::ControlModifier);
  Numbers left;
  std::ranges::set_difference(joined(first, first + 3), through[first + 3], std::inserter(left, left.end()));
  QCOMPARE(selected(), left);
  QVERIFY(!marked(table).contains(place + 3));
  // Each row is the sphere that it says.
  clickTitle(table, 1);
  for (const int sorted : {0, table->model()->rowCount() / 2, table->model()->rowCount() - 1}) {
    const double radius = table->model()->index(sorted, 0).data(MeasureTable::SortRole).toDouble();
    click(table, sorted);
    QCOMPARE(selected(), through[static_cast<std::size_t>(std::lround(radius / measures().sholl.step)) - 1]);
  }
}

void TestMeasureTables::selectsTheBranchesOfAClass()
{
  open({dataFile("stellate.swc")});
  QTableView* table = show(Classes);
  widgets::ProfileChart& chart = page().histogram();
  for (const study::BranchQuantity quantity : {study::BranchQuantity::Length, study::BranchQuantity::LocalAngle}) {
    choose("measureQuantity", static_cast<int>(quantity));
    const std::vector<double>& counts = chart.curves().front().values;
    QCOMPARE(table->model()->rowCount(), static_cast<int>(counts.size()));
    for (std::size_t place = 0; place < counts.size(); ++place) {
      if (!(counts[place] > 0))
        continue;
      const auto row = static_cast<int>(place);
      QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.pointOf(0, place).toPoint());
      const Numbers ofClass = selected();
      QVERIFY(!ofClass.empty());
      QCOMPARE(marked(table), Places{row});
      selection().clear();
      click(table, row);
      QCOMPARE(selected(), ofClass);
      QCOMPARE(marked(table), Places{row});
      QCOMPARE(chart.selected().front()[place], counts[place]);
    }
  }
}

void TestMeasureTables::selectsSeveralBranches()
{
  open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
  QTableView* table = show(Branches);
  const auto at = [&](int place) { return *numbersAt(table, place, place).begin(); };
  click(table, 3);
  QCOMPARE(selected(), Numbers{at(3)});
  QCOMPARE(selection().choice().current.branch + 1, at(3));
  click(table, 7, Qt::ControlModifier);
  QCOMPARE(selected(), (Numbers{at(3), at(7)}));
  QCOMPARE(marked(table), (Places{3, 7}));
  QCOMPARE(page().dendrogram().outlined().front(), (std::vector<std::int32_t>{3, 7}));
  click(table, 3, Qt::ControlModifier);
  QCOMPARE(selected(), Numbers{at(7)});
  click(table, 5);
  click(table, 9, Qt::ShiftModifier);
  QCOMPARE(selected(), numbersAt(table, 5, 9));
  QCOMPARE(marked(table), (Places{5, 6, 7, 8, 9}));
  click(table, 11, Qt::ControlModifier);
  click(table, 12, Qt::ControlModifier | Qt::ShiftModifier);
  Numbers more = numbersAt(table, 5, 9);
  more.merge(numbersAt(table, 11, 12));
  QCOMPARE(selected(), more);
  // By a drag.
  const QPoint begin = pointOf(table, 2);
  const QPoint end = table->visualRect(table->model()->index(4, 0)).center();
  QVERIFY(table->viewport()->rect().contains(end));
  QTest::mousePress(table->viewport(), Qt::LeftButton, {}, begin);
  for (const QPoint& point : {(begin + end) / 2, end}) {
    QMouseEvent move(QEvent::MouseMove, point, table->viewport()->mapToGlobal(point), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(table->viewport(), &move);
  }
  QTest::mouseRelease(table->viewport(), Qt::LeftButton, {}, end);
  QCOMPARE(selected(), numbersAt(table, 2, 4));
  // Cells that the table does not have are let alone with Ctrl only.
  selection().select({1, 0});
  click(table, 3, Qt::ControlModifier);
  QCOMPARE(selected(0), Numbers{at(3)});
  QCOMPARE(selected(1), Numbers{1});
  click(table, 3);
  QVERIFY(selected(1).empty());
}

void TestMeasureTables::selectsBranchesByKeyboard()
{
  open({dataFile("stellate.swc")});
  QTableView* table = show(Branches);
  click(table, 5);
  QTest::keyClick(table, Qt::Key_Down);
  QCOMPARE(selected(), numbersAt(table, 6, 6));
  QTest::keyClick(table, Qt::Key_Down, Qt::ShiftModifier);
  QTest::keyClick(table, Qt::Key_Down, Qt::ShiftModifier);
  QCOMPARE(selected(), numbersAt(table, 6, 8));
  QTest::keyClick(table, Qt::Key_Up, Qt::ShiftModifier);
  QCOMPARE(selected(), numbersAt(table, 6, 7));
  QTest::keyClick(table, Qt::Key_Up);
  QCOMPARE(selected(), numbersAt(table, 6, 6));
  // From a branch that was selected elsewhere.
  selection().select({0, *numbersAt(table, 10, 10).begin() - 1});
  QTest::keyClick(table, Qt::Key_Down);
  QCOMPARE(selected(), numbersAt(table, 11, 11));
}

void TestMeasureTables::selectsBranchesAsTheyAreSorted()
{
  open({dataFile("stellate.swc")});
  QTableView* table = show(Branches);
  click(table, 4);
  const Numbers fourth = selected();
  const int length = 5;
  QCOMPARE(table->model()->headerData(length, Qt::Horizontal).toString(), QStringLiteral("Length µm"));
  clickTitle(table, length);
  const auto lengthAt = [&](int place) {
    return table->model()->index(place, length).data(MeasureTable::SortRole).toDouble();
  };
  for (int place = 1; place < table->model()->rowCount(); ++place)
    QVERIFY(lengthAt(place - 1) <= lengthAt(place));
  // The row has gone with its branch.
  const Places places = marked(table);
  QCOMPARE(places.size(), std::size_t{1});
  QCOMPARE(numbersAt(table, *places.begin(), *places.begin()), fourth);
  click(table, 1);
  click(table, 4, Qt::ShiftModifier);
  QCOMPARE(selected(), numbersAt(table, 1, 4));
  QCOMPARE(marked(table), (Places{1, 2, 3, 4}));
}

void TestMeasureTables::goesToWhatIsSelectedElsewhere()
{
  open({dataFile("stellate.swc")});
  QTableView* table = show(Branches);
  const int last = table->model()->rowCount() - 1;
  const auto isSeen = [&] {
    return table->viewport()->rect().contains(table->visualRect(table->model()->index(last, 0)));
  };
  QVERIFY(!isSeen());
  QTest::mouseClick(&page().dendrogram(), Qt::LeftButton, {}, page().dendrogram().middleOf(0, last).toPoint());
  QVERIFY(!selection().choice().current.isNull());
  const Places there = marked(table);
  QCOMPARE(there.size(), std::size_t{1});
  QVERIFY(table->viewport()->rect().intersects(table->visualRect(table->model()->index(*there.begin(), 0))));
  // Also while another table is seen.
  table->verticalScrollBar()->setValue(0);
  selection().clear();
  show(Types);
  selection().select({0, measures().places[static_cast<std::size_t>(last)].number - 1});
  show(Branches);
  QTRY_VERIFY(isSeen());
  QCOMPARE(marked(table), Places{last});
  // A click moves no row away from under the mouse.
  table->verticalScrollBar()->setValue(0);
  const int before = table->verticalScrollBar()->value();
  QTest::mouseClick(table->viewport(), Qt::LeftButton, Qt::ControlModifier,
                    table->visualRect(table->model()->index(1, 0)).center());
  QCOMPARE(selected().size(), std::size_t{2});
  QCOMPARE(table->verticalScrollBar()->value(), before);
}

void TestMeasureTables::selectsInBothCells()
{
  open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
  choose("measureBeside", 1);
  QVERIFY(settled());
  QTableView* table = show(Spheres);
  std::size_t sphere = 0;
  const auto crossed = [&](std::size_t cell) { return measures(cell).sholl.intersections.at(sphere) > 0; };
  while (!crossed(0) || !crossed(1))
    ++sphere;
  click(table, static_cast<int>(sphere));
  for (const std::size_t cell : {0, 1}) {
    QVERIFY(!selected(static_cast<std::int32_t>(cell)).empty());
    QCOMPARE(selected(static_cast<std::int32_t>(cell)), throughSphere(sphere, cell));
  }
  QVERIFY(marked(table).contains(static_cast<int>(sphere)));
  // What crosses it in one cell alone is not the whole row.
  Numbers ofFirst = selected(0);
  std::vector<widgets::BranchId> ids;
  for (const std::int32_t number : ofFirst)
    ids.push_back({0, number - 1});
  selection().pick(ids, widgets::PickMode::Replace);
  QVERIFY(!marked(table).contains(static_cast<int>(sphere)));
  // Branches of both, and a type of one.
  table = show(Branches);
  const auto ofCell = static_cast<int>(measures(0).branches.size());
  click(table, ofCell - 1);
  click(table, ofCell, Qt::ControlModifier);
  QCOMPARE(selected(0), Numbers{measures(0).places.back().number});
  QCOMPARE(selected(1), Numbers{measures(1).places.front().number});
  table = show(Types);
  click(table, table->model()->rowCount() - 1);
  QVERIFY(selected(0).empty() && !selected(1).empty());
}

void TestMeasureTables::saysWhatARowSelects()
{
  open({writeCellOfTypes()});
  const auto tipOf = [this](QTableView* table, int place) {
    const QPoint at = pointOf(table, place);
    QHelpEvent help(QEvent::ToolTip, at, table->viewport()->mapToGlobal(at));
    QApplication::sendEvent(table->viewport(), &help);
    return QToolTip::text();
  };
  const QString name = page().cells().front().name;
  QTableView* table = show(Types);
  const QString length = textAt(table, 1, 5);
  QCOMPARE(tipOf(table, 1), QStringLiteral("basal dendrite\n%1: 3 branches, %2 µm\nA click selects the branches in all "
                                           "views.")
                                .arg(name, length));
  click(table, 1);
  QCOMPARE(tipOf(table, 1), QStringLiteral("basal dendrite\n%1: 3 branches, %2 µm, selected: 3\nA click selects the "
                                           "branches in all views.")
                                .arg(name, length));
  selection().clear();
  table = show(Branches);
  QCOMPARE(tipOf(table, 2), QStringLiteral("branch %1, %2\n%3: 1 branch, %4 µm\nA click selects the branch in all "
                                           "views.")
                                .arg(textAt(table, 2, 0), textAt(table, 2, 2), name, textAt(table, 2, 5)));
  table = show(Spheres);
  click(table, 5);
  const std::size_t found = selected().size();
  QVERIFY(found > 1);
  const QString tip = tipOf(table, 5);
  QVERIFY2(tip.startsWith(QStringLiteral("sphere of 60 µm around the soma\n%1: %2 branches, ").arg(name).arg(found)),
           qPrintable(tip));
  table = show(Classes);
  for (int place = 0; place < table->model()->rowCount(); ++place)
    if (textAt(table, place, 2) == QStringLiteral("0")) {
      QCOMPARE(tipOf(table, place), QStringLiteral("Length: %1 to %2 µm\nNo branch: a click selects nothing.")
                                        .arg(textAt(table, place, 0), textAt(table, place, 1)));
      return;
    }
  QFAIL("all classes have branches");
}

void TestMeasureTables::sortsWhatHasNoValueLast()
{
  open({dataFile("stellate.swc")});
  QTableView* table = show(Branches);
  const int angle = table->model()->columnCount() - 1;
  table->horizontalScrollBar()->setValue(table->horizontalScrollBar()->maximum());
  for (int clicks = 0; clicks < 2; ++clicks) { // one way, and the other
    clickTitle(table, angle);
    QVERIFY(!textAt(table, 0, angle).isEmpty());
    QVERIFY(textAt(table, table->model()->rowCount() - 1, angle).isEmpty());
  }
}

/// As wide as Qt would have them, in every so many rows.
void TestMeasureTables::checkNumbers(const QTableView* table, int step)
{
  const QAbstractItemModel* model = table->model();
  for (int column = 0; column < model->columnCount(); ++column)
    for (int place = 0; place < model->rowCount(); place += step) {
      const QModelIndex index = model->index(place, column);
      if (index.data(Qt::TextAlignmentRole).value<Qt::Alignment>().testFlag(Qt::AlignRight))
        QVERIFY2(table->sizeHintForIndex(index).width() <= table->columnWidth(column),
                 qPrintable(QStringLiteral("%1: \"%2\" needs %3 pixels, has %4")
                                .arg(table->objectName(), index.data().toString())
                                .arg(table->sizeHintForIndex(index).width())
                                .arg(table->columnWidth(column))));
    }
}

/// In the dendrogram: branches that stand apart from others have the colour of their type, or that of the selection,
/// and hang on what they follow.
void TestMeasureTables::checkDrawn(const std::vector<std::int32_t>& selected)
{
  constexpr std::int32_t kHighestOrder = 3;
  widgets::Dendrogram& tree = page().dendrogram();
  const QImage picture = tree.grab().toImage();
  const auto colorAt = [&](const QPointF& at) {
    const QPointF pixel = at * picture.devicePixelRatio();
    return picture.pixel(static_cast<int>(std::floor(pixel.x())), static_cast<int>(std::floor(pixel.y())));
  };
  const std::vector<morphology::BranchMeasures>& branches = measures().branches;
  const auto middleOf = [&](std::int32_t branch) {
    const morphology::BranchMeasures& at = branches[static_cast<std::size_t>(branch)];
    return std::pair(tree.middleOf(0, branch), (at.startPath + at.endPath) / 2);
  };
  const auto [origin, pathOfOrigin] = middleOf(0);
  const QRgb ofSelection = widgets::theme().selection.rgb();
  int found = 0;
  for (const morphology::BranchMeasures& branch : branches) {
    if (branch.order > kHighestOrder || branch.parent < 0)
      continue;
    ++found;
    const QRgb ofType = widgets::typeColor(branch.type).rgb();
    const auto [middle, path] = middleOf(branch.branch);
    const bool isSelected = std::ranges::binary_search(selected, branch.branch);
    QCOMPARE(colorAt(middle), isSelected ? ofSelection : ofType);
    const double pixelsOfPath = (middle.x() - origin.x()) / (path - pathOfOrigin);
    const double begin = origin.x() + (branch.startPath - pathOfOrigin) * pixelsOfPath;
    QCOMPARE(colorAt({begin, (middle.y() + middleOf(branch.parent).first.y()) / 2}), ofType);
  }
  QVERIFY(found > 10);
}

/// In the window of a screen of 1366 x 768 pixels at a ratio of 1.5.
void TestMeasureTables::cutsNamesAndNoNumbers()
{
  QStringList paths;
  for (const char* name : {"stellate.swc", "bipolar.swc"}) {
    paths << folder.filePath(QStringLiteral("a_neuron_whose_name_is_much_longer_than_its_numbers_") + name);
    QVERIFY(QFile::copy(dataFile(name), paths.back()));
  }
  open(paths);
  choose("measureBeside", 1);
  QVERIFY(settled());
  for (const QSize& size : {QSize(910, 512), QSize(1500, 950)}) {
    window->resize(size);
    QTRY_COMPARE(window->size(), size);
    for (const Tab tab : {Types, Branches, Spheres, Classes}) {
      const QTableView* table = show(tab);
      // What has no room is scrolled to.
      const auto spare = [&] { return table->horizontalHeader()->length() - table->viewport()->width(); };
      QTRY_COMPARE(table->horizontalScrollBar()->maximum(), std::max(0, spare()));
      checkNumbers(table, 1);
    }
  }
  window->resize(910, 512);
  QTRY_COMPARE(window->size(), QSize(910, 512));
  const QTableView* table = show(Branches);
  QTRY_VERIFY(table->columnWidth(0) < table->sizeHintForIndex(table->model()->index(0, 0)).width());
  // The name of the other cell has dots in its middle, and its numbers stand before what may be cut.
  auto* beside = find<QComboBox>("measureBeside");
  const test::PaintedTexts ofBeside(*beside, 1);
  QString painted;
  for (const auto& text : ofBeside.texts()) {
    QVERIFY(!text.isCut);
    painted += text.text;
  }
  QVERIFY2(painted.startsWith(u'a') && painted.contains(u'\u2026') && painted.endsWith(QStringLiteral("lar")),
           qPrintable(painted));
  QVERIFY(beside->toolTip().startsWith(beside->currentText() + u'\n'));
  const auto* headline = find<QLabel>("measureHeadline");
  const qsizetype numbers = headline->text().indexOf(QRegularExpression(QStringLiteral("branches, [0-9,.]+ µm of")));
  QVERIFY2(numbers > headline->text().indexOf(QStringLiteral("; beside ")), qPrintable(headline->text()));
  // So has the name of the only cell of the dendrogram.
  choose("measureBeside", 0);
  QVERIFY(settled());
  window->resize(1500, 950);
  QTRY_COMPARE(window->size(), QSize(1500, 950));
  const test::PaintedTexts textsOfTree(page().dendrogram(), 1);
  QString ofTree;
  for (const auto& text : textsOfTree.texts())
    ofTree += text.text;
  QVERIFY2(ofTree.contains(QStringLiteral("by path distance, a_neuron_whos\u2026bers_stellate")), qPrintable(ofTree));
}

/// Titles take two lines before the name of a type is cut, and before a column has to be scrolled to.
void TestMeasureTables::namesTypesInASmallWindow()
{
  open({writeCellOfTypes()});
  QTableView* table = show(Types);
  window->resize(1500, 950);
  QTRY_COMPARE(window->size(), QSize(1500, 950));
  const int inLine = table->horizontalHeader()->height();
  window->resize(1000, 700);
  QTRY_COMPARE(window->size(), QSize(1000, 700));
  QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0);
  checkNumbers(table, 1);
  const QAbstractItemModel* model = table->model();
  for (int place = 0; place < model->rowCount(); ++place)
    QVERIFY2(table->sizeHintForIndex(model->index(place, 0)).width() <= table->columnWidth(0),
             qPrintable(textAt(table, place, 0)));
  QTRY_VERIFY(table->horizontalHeader()->height() > inLine);
  const test::PaintedTexts titles(*table->horizontalHeader()->viewport(), 1);
  for (const auto& fault : titles.faults())
    QFAIL(qPrintable(fault.what + u' ' + fault.where));
  QString painted;
  for (const auto& text : titles.texts())
    painted += text.text + u' ';
  for (int column = 0; column < model->columnCount(); ++column)
    for (const QString& word : model->headerData(column, Qt::Horizontal).toString().split(u' '))
      QVERIFY2(painted.contains(word), qPrintable(word + QStringLiteral(" in ") + painted));
}

/// Also where what is right of them has to be scrolled to.
void TestMeasureTables::namesTypesOfBranchesInASmallWindow()
{
  open({dataFile("stellate.swc")});
  window->resize(1000, 700);
  QTRY_COMPARE(window->size(), QSize(1000, 700));
  const QTableView* table = show(Branches);
  QTRY_VERIFY(table->horizontalScrollBar()->maximum() > 0);
  std::set<QString> types;
  for (int place = 0; place < table->model()->rowCount(); ++place) {
    const QModelIndex type = table->model()->index(place, 2);
    types.insert(type.data().toString());
    QVERIFY2(table->sizeHintForIndex(type).width() <= table->columnWidth(2), qPrintable(type.data().toString()));
  }
  QVERIFY(types.contains(QStringLiteral("basal dendrite")));
}

namespace {

/// With so many pixels a logical one.
QImage pictureOf(const QHeaderView& header, double ratio)
{
  QImage picture(header.viewport()->size() * ratio, QImage::Format_RGB32);
  picture.setDevicePixelRatio(ratio);
  picture.fill(Qt::black);
  header.viewport()->render(&picture);
  return picture;
}

/// Around all pixels that differ, in logical ones.
QRectF differenceOf(const QImage& a, const QImage& b)
{
  QRect all;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x)
      if (a.pixel(x, y) != b.pixel(x, y))
        all |= QRect(x, y, 1, 1);
  const double ratio = a.devicePixelRatio();
  return {all.x() / ratio, all.y() / ratio, all.width() / ratio, all.height() / ratio};
}

} // namespace

/// Whatever the title, the order and the ratio of the screen.
void TestMeasureTables::drawsTheArrowOfSortingBesideTheTitle()
{
  open({dataFile("stellate.swc")});
  window->resize(1280, 720);
  QTRY_COMPARE(window->size(), QSize(1280, 720));
  for (const Tab tab : {Types, Branches, Spheres, Classes}) {
    QTableView* table = show(tab);
    const QHeaderView& header = *table->horizontalHeader();
    for (int column = 0; column < table->model()->columnCount(); ++column) {
      const QString title = table->model()->headerData(column, Qt::Horizontal).toString();
      for (const double ratio : {1.0, 1.5, 2.0}) {
        const Qt::SortOrder order = ratio == 1.5 ? Qt::DescendingOrder : Qt::AscendingOrder;
        table->sortByColumn(-1, order);
        table->scrollTo(table->model()->index(0, column));
        const QImage unsorted = pictureOf(header, ratio);
        table->sortByColumn(column, order);
        const QRectF arrow = differenceOf(unsorted, pictureOf(header, ratio));
        const QRectF section(header.sectionViewportPosition(column), 0, header.sectionSize(column), header.height());
        QVERIFY2(arrow.width() > 3 && arrow.height() > 1 && section.adjusted(-1, 0, 1, 0).contains(arrow),
                 qPrintable(title + u' ' + test::PaintedTexts::inWords(arrow)));
        const test::PaintedTexts titles(*header.viewport(), 1);
        QVERIFY(!titles.texts().empty());
        for (const auto& text : titles.texts())
          QVERIFY2(!text.place.intersects(arrow), qPrintable(text.text + u' ' + test::PaintedTexts::inWords(arrow)));
      }
    }
  }
}

void TestMeasureTables::isQuickInALargeCell()
{
  const QString path = folder.filePath(QStringLiteral("large.swc"));
  writeLargeCell(path);
  open({path});
  QTableView* table = show(Branches);
  const int rows = table->model()->rowCount();
  QCOMPARE(rows, kBranches);
  checkNumbers(table, 97);
  checkNumbers(table, rows - 1);
  // Every second one, and every other: no two rows side by side.
  std::array<BranchesOfCells, 2> halves{BranchesOfCells(1), BranchesOfCells(1)};
  for (std::int32_t branch = 0; branch < kBranches; ++branch)
    halves[static_cast<std::size_t>(branch % 2)].front().push_back(branch);
  constexpr double kFrame = 16 * tests::kSlowness; // ms
  double marking = 0;
  double drawing = 0;
  for (int run = 0; run < 21; ++run) { // the least of them: other programs take caches and time
    const double begin = threadMilliseconds();
    page().selectBranches(halves[static_cast<std::size_t>(run % 2)]);
    const double middle = threadMilliseconds();
    table->viewport()->repaint();
    const double end = threadMilliseconds();
    marking = run == 0 ? middle - begin : std::min(marking, middle - begin);
    drawing = run == 0 ? end - middle : std::min(drawing, end - middle);
  }
  QVERIFY2(marking < kFrame, qPrintable(QStringLiteral("marking rows: %1 ms").arg(marking)));
  QVERIFY2(drawing < kFrame, qPrintable(QStringLiteral("drawing them: %1 ms").arg(drawing)));
  checkDrawn(halves[0].front());
  page().selectBranches(halves[1]);
  checkDrawn(halves[1].front());
  // They are marked wherever a person scrolls to.
  std::vector<widgets::BranchId> ids;
  for (const std::int32_t branch : halves[0].front())
    ids.push_back({0, measures().places[static_cast<std::size_t>(branch)].number - 1});
  selection().pick(ids, widgets::PickMode::Replace);
  Numbers numbers = selected();
  QVERIFY(numbers.size() > kBranches / 3);
  table->verticalScrollBar()->setValue(table->verticalScrollBar()->maximum() / 2);
  const int first = table->rowAt(0);
  const int last = table->rowAt(table->viewport()->height() - 1);
  QVERIFY(first > rows / 3 && last > first + 3);
  int without = first + 1;
  for (int place = first; place <= last; ++place) {
    const bool isSelected = numbers.contains(*numbersAt(table, place, place).begin());
    QCOMPARE(table->selectionModel()->isRowSelected(place, {}), isSelected);
    if (!isSelected && place > first && place < last)
      without = place;
  }
  click(table, without, Qt::ControlModifier);
  numbers.insert(*numbersAt(table, without, without).begin());
  QCOMPARE(selected(), numbers);
  QVERIFY(table->selectionModel()->isRowSelected(without, {}));
}

HINESIGHT_TEST_RUN(runWindowTest<TestMeasureTables>)
#include "test_measure_tables.moc"
