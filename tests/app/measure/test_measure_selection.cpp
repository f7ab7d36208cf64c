#include "app/measure/measure_table.hpp"
#include "benchmark/window/busy_watch.hpp"
#include "measure_fixture.hpp"
#include "test_main.hpp"
#include "widgets/charts/dendrogram.hpp"
#include "widgets/charts/profile_chart.hpp"

#include <QHelpEvent>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolTip>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;
using study::BranchQuantity;

/// Selects branches in the profiles of the page Measure in the real main window, with mouse and keyboard.
class TestMeasureSelection : public QObject, MeasureFixture
{
  Q_OBJECT

private slots:
  void init();
  void cleanup() { window.reset(); }

  void selectsTheBranchesOfAClass();
  void takesInAndOutWithCtrlAndAddsWithShift();
  void selectsSeveralClassesByADrag();
  void selectsTheBranchesThatFormAnAngle();
  void selectsWhatCrossesASphere();
  void showsWhatIsSelectedElsewhere();
  void actsOnTheNearerOfTwoCells();
  void isUsedByKeyboard();
  void saysWhatAClassHolds();
  void isQuickInALargeCell();

private:
  widgets::ProfileChart& histogram() { return page().histogram(); }
  widgets::ProfileChart& spheres() { return page().spheres(); }
  Numbers inClasses(std::size_t first, std::size_t last, std::size_t cell = 0);
  std::vector<std::size_t> filledClasses();
  void click(widgets::ProfileChart& chart, std::size_t place, Qt::KeyboardModifiers modifiers = {},
             std::size_t curve = 0)
  {
    QTest::mouseClick(&chart, Qt::LeftButton, modifiers, chart.pointOf(curve, place).toPoint());
  }
  void drag(widgets::ProfileChart& chart, std::size_t from, std::size_t to, Qt::KeyboardModifiers modifiers = {});

  QTemporaryDir folder;
};

void TestMeasureSelection::init()
{
  QSettings().clear();
  QVERIFY(showWindow());
}

/// Of the histogram's quantity, between the ends that its table has.
MeasureFixture::Numbers TestMeasureSelection::inClasses(std::size_t first, std::size_t last, std::size_t cell)
{
  const auto* classes = find<QTableView>("measureClasses")->model();
  const auto end = [&](std::size_t row, int column) {
    return classes->index(static_cast<int>(row), column).data(MeasureTable::SortRole).toDouble();
  };
  Numbers numbers;
  for (std::size_t branch = 0; branch < measures(cell).branches.size(); ++branch) {
    const double value = study::valueOf(page().quantity(), measures(cell).branches[branch]);
    if (value >= end(first, 0) && value < end(last, 1))
      numbers.insert(measures(cell).places[branch].number);
  }
  return numbers;
}

/// Those of the first cell with a branch.
std::vector<std::size_t> TestMeasureSelection::filledClasses()
{
  std::vector<std::size_t> filled;
  const std::vector<double>& counts = histogram().curves().front().values;
  for (std::size_t place = 0; place < counts.size(); ++place)
    if (counts[place] > 0)
      filled.push_back(place);
  return filled;
}

void TestMeasureSelection::drag(widgets::ProfileChart& chart, std::size_t from, std::size_t to,
                                Qt::KeyboardModifiers modifiers)
{
  const QPoint begin = chart.pointOf(0, from).toPoint();
  const QPoint end = chart.pointOf(0, to).toPoint();
  QTest::mousePress(&chart, Qt::LeftButton, modifiers, begin);
  for (const QPoint& point : {(begin + end) / 2, end}) {
    QMouseEvent move(QEvent::MouseMove, point, chart.mapToGlobal(point), Qt::NoButton, Qt::LeftButton, modifiers);
    QApplication::sendEvent(&chart, &move);
  }
  QTest::mouseRelease(&chart, Qt::LeftButton, modifiers, end);
}

void TestMeasureSelection::selectsTheBranchesOfAClass()
{
  open({dataFile("stellate.swc")});
  for (const BranchQuantity quantity : {BranchQuantity::Length, BranchQuantity::Diameter, BranchQuantity::Order}) {
    choose("measureQuantity", static_cast<int>(quantity));
    QVERIFY(filledClasses().size() > 2);
    for (const std::size_t place : filledClasses()) {
      click(histogram(), place);
      QCOMPARE(selected(), inClasses(place, place));
      // All of its bar is of selected branches, and no other one is.
      std::vector<double> parts(place + 1, 0);
      parts[place] = histogram().curves().front().values[place];
      QCOMPARE(static_cast<double>(selected().size()), parts[place]);
      QCOMPARE(histogram().selected().front(), parts);
      QCOMPARE(page().dendrogram().outlined().front().size(), selected().size());
    }
  }
  // A branch alone is the current one, in all views.
  choose("measureQuantity", static_cast<int>(BranchQuantity::PathDistance));
  const std::vector<double>& counts = histogram().curves().front().values;
  const auto alone = std::ranges::find(counts, 1.0);
  QVERIFY(alone != counts.end());
  click(histogram(), static_cast<std::size_t>(alone - counts.begin()));
  QCOMPARE(selection().choice().current.branch + 1, *selected().begin());
  // A click beside the plot selects nothing.
  QTest::mouseClick(&histogram(), Qt::LeftButton, {}, {3, 3});
  QVERIFY(selection().choice().selected.isEmpty());
  QVERIFY(histogram().selected().front().empty());
}

void TestMeasureSelection::takesInAndOutWithCtrlAndAddsWithShift()
{
  open({dataFile("stellate.swc")});
  const std::size_t first = filledClasses().front();
  const std::size_t last = filledClasses().back();
  const Numbers ofFirst = inClasses(first, first);
  const Numbers ofLast = inClasses(last, last);
  Numbers both = ofFirst;
  both.insert(ofLast.begin(), ofLast.end());
  click(histogram(), first);
  click(histogram(), last, Qt::ControlModifier);
  QCOMPARE(selected(), both);
  click(histogram(), last, Qt::ControlModifier);
  QCOMPARE(selected(), ofFirst);
  click(histogram(), last, Qt::ShiftModifier);
  QCOMPARE(selected(), both);
  click(histogram(), last, Qt::ShiftModifier);
  QCOMPARE(selected(), both);
  QTest::mouseClick(&histogram(), Qt::LeftButton, Qt::ControlModifier, {3, 3});
  QCOMPARE(selected(), both);
  click(histogram(), last);
  QCOMPARE(selected(), ofLast);
  // A class that is selected in part is taken in as a whole.
  const auto most = std::ranges::max_element(histogram().curves().front().values);
  const auto fullest = static_cast<std::size_t>(most - histogram().curves().front().values.begin());
  const Numbers ofFullest = inClasses(fullest, fullest);
  QVERIFY(ofFullest.size() > 1);
  selection().select({0, *ofFullest.begin() - 1});
  click(histogram(), fullest, Qt::ControlModifier);
  QCOMPARE(selected(), ofFullest);
  click(histogram(), fullest, Qt::ControlModifier);
  QVERIFY(selected().empty());
}

void TestMeasureSelection::selectsSeveralClassesByADrag()
{
  open({dataFile("stellate.swc")});
  const std::vector<std::size_t> filled = filledClasses();
  QVERIFY(filled.size() > 3);
  drag(histogram(), filled[0], filled[2]);
  QCOMPARE(selected(), inClasses(filled[0], filled[2]));
  drag(histogram(), filled.back(), filled[2]);
  const Numbers upper = inClasses(filled[2], filled.back());
  QCOMPARE(selected(), upper);
  drag(histogram(), filled[0], filled[1], Qt::ControlModifier);
  Numbers both = inClasses(filled[0], filled[1]);
  both.insert(upper.begin(), upper.end());
  QCOMPARE(selected(), both);
  drag(histogram(), filled[0], filled[1], Qt::ControlModifier); // adds
  QCOMPARE(selected(), both);
}

/// An angle is of the branch at whose end the two others begin.
void TestMeasureSelection::selectsTheBranchesThatFormAnAngle()
{
  open({dataFile("stellate.swc")});
  std::map<std::int32_t, int> children; // of a number
  for (const study::BranchPlace& place : measures().places)
    ++children[place.parent];
  for (const BranchQuantity quantity : {BranchQuantity::LocalAngle, BranchQuantity::RemoteAngle}) {
    choose("measureQuantity", static_cast<int>(quantity));
    drag(histogram(), filledClasses().front(), filledClasses().back());
    QVERIFY(!selected().empty());
    QCOMPARE(selected(), inClasses(filledClasses().front(), filledClasses().back()));
    for (const study::BranchPlace& place : measures().places)
      QCOMPARE(selected().contains(place.number), children.contains(place.number) && children[place.number] == 2);
  }
}

void TestMeasureSelection::selectsWhatCrossesASphere()
{
  open({dataFile("stellate.swc")});
  const std::vector<double>& counts = spheres().curves().front().values;
  std::size_t crossed = 0;
  for (std::size_t sphere = 0; sphere < counts.size(); ++sphere) {
    if (!(counts[sphere] > 0))
      continue;
    ++crossed;
    click(spheres(), sphere);
    const Numbers through = throughSphere(sphere);
    QVERIFY(!through.empty());
    QCOMPARE(selected(), through);
    // All intersections of this sphere are of selected branches, others are where these reach.
    const std::vector<double>& parts = spheres().selected().front();
    QCOMPARE(parts.size(), counts.size());
    for (std::size_t other = 0; other < counts.size(); ++other)
      QCOMPARE(static_cast<std::size_t>(parts[other]), crossingsOf(through, other));
    QCOMPARE(parts[sphere], counts[sphere]);
  }
  QVERIFY(crossed > 5);
  // Several spheres, and one more.
  const auto begin =
      static_cast<std::size_t>(std::ranges::find_if(counts, [](double count) { return count > 0; }) - counts.begin());
  drag(spheres(), begin, begin + 2);
  Numbers wanted;
  for (std::size_t sphere = begin; sphere < begin + 3; ++sphere)
    wanted.merge(throughSphere(sphere));
  QCOMPARE(selected(), wanted);
  click(spheres(), counts.size() - 2, Qt::ShiftModifier);
  wanted.merge(throughSphere(counts.size() - 2));
  QCOMPARE(selected(), wanted);
}

void TestMeasureSelection::showsWhatIsSelectedElsewhere()
{
  open({dataFile("stellate.swc")});
  const int alone = histogram().height();
  selection().selectWhere("order == 2"); // opens the bar of the selection, which takes room and stays
  auto* bar = find<QWidget>("selectionBar");
  QTRY_VERIFY(bar->isVisible() && histogram().height() <= alone - bar->height());
  selection().clear();
  const QImage without = histogram().grab().toImage();
  const QImage withoutLine = spheres().grab().toImage();
  selection().selectWhere("order == 1");
  const Numbers numbers = selected();
  QVERIFY(!numbers.empty());
  const auto check = [&] {
    std::vector<double> parts;
    for (const std::size_t place : filledClasses()) {
      parts.resize(place + 1, 0);
      for (const std::int32_t number : inClasses(place, place))
        parts[place] += numbers.contains(number) ? 1 : 0;
    }
    while (!parts.empty() && parts.back() == 0)
      parts.pop_back();
    QCOMPARE(histogram().selected().front(), parts);
  };
  check();
  QCOMPARE(histogram().grab().toImage().size(), without.size());
  QVERIFY(histogram().grab().toImage() != without);
  QVERIFY(spheres().grab().toImage() != withoutLine);
  for (std::size_t sphere = 0; sphere < spheres().selected().front().size(); ++sphere)
    QCOMPARE(static_cast<std::size_t>(spheres().selected().front()[sphere]), crossingsOf(numbers, sphere));
  // By another quantity, too.
  choose("measureQuantity", static_cast<int>(BranchQuantity::PathDistance));
  check();
  choose("measureQuantity", static_cast<int>(BranchQuantity::Length));
  // With other spheres, too.
  type("shollStep", "25");
  QVERIFY(settled());
  QVERIFY(!spheres().selected().front().empty());
  for (std::size_t sphere = 0; sphere < spheres().selected().front().size(); ++sphere)
    QCOMPARE(static_cast<std::size_t>(spheres().selected().front()[sphere]), crossingsOf(numbers, sphere));
  selection().clear();
  QCOMPARE(histogram().grab().toImage(), without);
  QVERIFY(spheres().selected().front().empty());
}

void TestMeasureSelection::actsOnTheNearerOfTwoCells()
{
  open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
  choose("measureBeside", 1);
  QVERIFY(settled());
  QCOMPARE(page().cells().size(), std::size_t{2});
  std::size_t farthest = 0; // class where their bars end farthest from each other
  double most = 0;
  const auto& curves = histogram().curves();
  for (std::size_t place = 0; place < std::min(curves[0].values.size(), curves[1].values.size()); ++place) {
    const double away = std::abs(curves[0].values[place] - curves[1].values[place]);
    if (curves[0].values[place] > 0 && curves[1].values[place] > 0 && away > most) {
      most = away;
      farthest = place;
    }
  }
  QVERIFY(most > 0);
  for (const std::size_t cell : {0, 1}) {
    click(histogram(), farthest, {}, cell);
    QCOMPARE(selected(static_cast<std::int32_t>(cell)), inClasses(farthest, farthest, cell));
    QVERIFY(selected(static_cast<std::int32_t>(1 - cell)).empty());
    QVERIFY(histogram().selected()[1 - cell].empty());
  }
  click(histogram(), farthest, Qt::ControlModifier, 0);
  for (const std::size_t cell : {0, 1})
    QCOMPARE(selected(static_cast<std::int32_t>(cell)), inClasses(farthest, farthest, cell));
  if (const QString pictures = qEnvironmentVariable("HINESIGHT_PICTURES"); !pictures.isEmpty())
    QVERIFY(window->grab().save(pictures + QStringLiteral("/measure_selection.png")));
}

void TestMeasureSelection::isUsedByKeyboard()
{
  open({dataFile("stellate.swc")});
  const std::vector<std::size_t> filled = filledClasses();
  find<QComboBox>("measureQuantity")->setFocus();
  constexpr int kMost = 200; // keys
  for (int k = 0; k < kMost && !histogram().hasFocus(); ++k)
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  QVERIFY(histogram().hasFocus());
  QTest::keyClick(&histogram(), Qt::Key_Space);
  QCOMPARE(selected(), inClasses(filled[0], filled[0]));
  for (std::size_t place = filled[0]; place < filled[1]; ++place)
    QTest::keyClick(&histogram(), Qt::Key_Right);
  QTest::keyClick(&histogram(), Qt::Key_Return);
  QCOMPARE(selected(), inClasses(filled[1], filled[1]));
  QTest::keyClick(&histogram(), Qt::Key_Home);
  for (std::size_t place = 0; place < filled[0]; ++place)
    QTest::keyClick(&histogram(), Qt::Key_Right);
  Numbers both = inClasses(filled[1], filled[1]);
  both.merge(inClasses(filled[0], filled[0]));
  QTest::keyClick(&histogram(), Qt::Key_Space, Qt::ControlModifier);
  QCOMPARE(selected(), both);
  QTest::keyClick(&histogram(), Qt::Key_Space, Qt::ControlModifier);
  QCOMPARE(selected(), inClasses(filled[1], filled[1]));
  // And on, to no trap.
  QTest::keyClick(&histogram(), Qt::Key_Tab);
  QVERIFY(!histogram().hasFocus());
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab, Qt::ShiftModifier);
  QVERIFY(histogram().hasFocus());
}

void TestMeasureSelection::saysWhatAClassHolds()
{
  open({dataFile("stellate.swc")});
  const auto tipAt = [](widgets::ProfileChart& chart, const QPoint& at) {
    QHelpEvent help(QEvent::ToolTip, at, chart.mapToGlobal(at));
    QApplication::sendEvent(&chart, &help);
    return QToolTip::text();
  };
  const std::size_t place = filledClasses().front();
  click(histogram(), place);
  const auto* classes = find<QTableView>("measureClasses")->model();
  const auto row = static_cast<int>(place);
  QCOMPARE(tipAt(histogram(), histogram().pointOf(0, place).toPoint()),
           QStringLiteral("%1 to %2 µm\n%3, branches: %4, selected: %4")
               .arg(classes->index(row, 0).data().toString(), classes->index(row, 1).data().toString(),
                    page().cells().front().name, classes->index(row, 2).data().toString()));
  for (widgets::ProfileChart* chart : {&histogram(), &spheres()})
    QCOMPARE(tipAt(*chart, {3, 3}), chart->toolTip());
}

/// A click is done with within what a person does not notice.
void TestMeasureSelection::isQuickInALargeCell()
{
  const QString path = folder.filePath(QStringLiteral("large.swc"));
  writeLargeCell(path);
  open({path});
  QCOMPARE(measures().branches.size(), static_cast<std::size_t>(kBranches));
  // Two, one after the other: what is selected already would take no time.
  const auto fastest = [this](widgets::ProfileChart& chart, std::size_t first, std::size_t second) {
    double least = 0;
    for (int run = 0; run < 5; ++run) {
      const double begin = threadMilliseconds();
      click(chart, first);
      click(chart, second);
      const double took = (threadMilliseconds() - begin) / 2;
      least = run == 0 ? took : std::min(least, took);
    }
    return least;
  };
  constexpr double kMost = kSilent * tests::kSlowness;
  const auto& counts = histogram().curves().front().values;
  const auto fullest = static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
  const double byClass = fastest(histogram(), fullest - 1, fullest);
  QCOMPARE(selected(), inClasses(fullest, fullest));
  QVERIFY(selected().size() > 100);
  QVERIFY2(byClass < kMost, qPrintable(QStringLiteral("a class: %1 ms").arg(byClass)));
  const std::size_t middle = spheres().curves().front().values.size() / 2;
  const double bySphere = fastest(spheres(), middle - 1, middle);
  QCOMPARE(selected(), throughSphere(middle));
  QVERIFY(selected().size() > 100);
  QVERIFY2(bySphere < kMost, qPrintable(QStringLiteral("a sphere: %1 ms").arg(bySphere)));
}

HINESIGHT_TEST_RUN(runWindowTest<TestMeasureSelection>)
#include "test_measure_selection.moc"
