#include "app/app_fixture.hpp"
#include "app/cells/cell_list.hpp"
#include "app/cells/cell_list_model.hpp"
#include "app/cells/cell_texts.hpp"
#include "app/cells/data_panel.hpp"
#include "model/project.hpp"
#include "painted_texts.hpp"
#include "slowness.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/tube_geometry.hpp"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>
#include <QtTest>

#include <algorithm>

using namespace hinesight;
using namespace hinesight::app;

namespace {

std::vector<study::CellReading> readAll(const CellListModel& model)
{
  std::vector<study::CellReading> readings;
  study::CellStudy().run({model.sources(), {}}, {}, {[&](const auto& read) { readings = read; }, {}});
  return readings;
}

std::vector<Error> take(CellListModel& model, const std::vector<study::CellReading>& readings)
{
  std::vector<bool> canBeDrawn;
  for (const study::CellReading& reading : readings)
    canBeDrawn.push_back(!reading.morphology || widgets::canDraw(*reading.morphology));
  return model.takeReadings(readings, canBeDrawn);
}

const QByteArray kNanometres = "1 1 0 0 0 6000 -1\n2 3 0 40000 0 500 1\n3 3 9000 60000 0 500 2\n";

std::vector<double> scalesOf(const CellListModel& model)
{
  std::vector<double> scales;
  for (const study::CellSource& source : model.sources())
    scales.push_back(source.scale);
  return scales;
}

/// A panel with its list, as a person uses it.
struct ListedCells
{
  explicit ListedCells(CellListModel& model) : panel(&model), list(panel.findChild<QAbstractItemView*>("cellList")) {}

  bool show()
  {
    panel.resize(300, 700);
    panel.show();
    panel.activateWindow();
    list->setFocus();
    return QTest::qWaitForWindowActive(&panel);
  }
  QRect rect(int row) const { return list->visualRect(list->model()->index(row, 0)); }
  void click(int row, Qt::KeyboardModifiers modifiers = {})
  {
    QTest::mouseClick(list->viewport(), Qt::LeftButton, modifiers, QPoint(rect(row).center()));
  }
  /// Rows of what is listed.
  std::vector<int> chosen() const
  {
    std::vector<int> rows;
    for (const QModelIndex& index : list->selectionModel()->selectedRows())
      rows.push_back(index.row());
    std::ranges::sort(rows);
    return rows;
  }
  QStringList names() const
  {
    QStringList all;
    for (int row = 0; row < list->model()->rowCount(); ++row)
      all << list->model()->index(row, 0).data().toString();
    return all;
  }

  DataPanel panel;
  QAbstractItemView* list;
};

QStringList namesOf(const CellListModel& model)
{
  QStringList names;
  for (const OpenCell& cell : model.cells())
    names << cell.name;
  return names;
}

} // namespace

class TestCellList : public QObject
{
  Q_OBJECT

private slots:
  void holdsItsPromisesAsModel();
  void readsAPathAgain();
  void tellsFilesOfOneNameApart();
  void aCellHasANameThatASessionTakes();
  void marksWhatCannotBeRead();
  void marksWhatCannotBeDrawn();
  void describesCellsAndWarnings();
  void changesOrderByDragging();
  void togglesEyesByClicking();
  void removesCells();
  void tellsWhichErrorsAreGone();
  void scalesTheChosenCell();
  void scalesAllCellsWithTheSameWarning();
  void takesAnyFactor();
  void keepsTheScaleOfAPath();
  void choosesManyCells();
  void doesToAllChosenCellsWhatIsDoneToOne();
  void choosesAnotherCellWhenTheChosenOnesGo();
  void findsACellWhereverItIs();
  void removesScatteredCellsTogether_data();
  void removesScatteredCellsTogether();
  void manyCellsTakeNoLonger();
  void listsCellsByName();
  void listsCellsWithProblems();
  void aCellThatIsMendedStaysListed();
  void sortingShowsWhatComesFirst();
  void movesCellsInAFilteredList();
  void asksToFitACell();
  void shortensLongNames();
  void tellsCutNamesApart();
  void titlesTakeNoMoreThanTheyNeed();
  void sortsByAClickOnAHeader();
  void showsWholeNumbersAndTheChosenRow();
  void sortsNumbersInNames();
  void dragsSeveralCellsTogether();
  void writesTheTableAsItIsListed();

private:
  QString writeCell(const char* name, const QByteArray& text) const;

  QTemporaryDir folder;
};

/// Returns its path.
QString TestCellList::writeCell(const char* name, const QByteArray& text) const
{
  QFile file(folder.filePath(QLatin1String(name)));
  if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
    qFatal("cannot write %s", name);
  return file.fileName();
}

void TestCellList::holdsItsPromisesAsModel()
{
  CellListModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  model.add({dataFile("stellate.swc").toStdString(), dataFile("bipolar.swc").toStdString()});
  take(model, readAll(model));
  model.setVisible(0, false);
  QVERIFY(model.moveRows({}, 0, 1, {}, 2));
  model.remove(0);
  model.removeAll();
  QCOMPARE(model.rowCount(), 0);
}

void TestCellList::readsAPathAgain()
{
  CellListModel model;
  QSignalSpy changed(&model, &CellListModel::contentChanged);
  model.add({"/a.swc", "/b.swc"});
  model.setVisible(0, false);
  const auto first = model.cells()[0].source.id;
  model.add({"/a.swc"});
  QCOMPARE(model.rowCount(), 2);
  QVERIFY(model.cells()[0].source.id != first);
  QVERIFY(!model.cells()[0].visible);
  QCOMPARE(changed.count(), 2);
}

/// As soon as they are opened. What a cell is called stays, whatever becomes of the others.
void TestCellList::tellsFilesOfOneNameApart()
{
  CellListModel model;
  model.add({"/a/cell.swc", "/b/cell.swc"});
  model.add({"/c/cell.swc"});
  QCOMPARE(namesOf(model), (QStringList{"cell", "cell 2", "cell 3"}));
  QVERIFY(model.moveRows({}, 2, 1, {}, 0));
  model.add({"/b/cell.swc"}); // is read again
  QCOMPARE(namesOf(model), (QStringList{"cell 3", "cell", "cell 2"}));
  model.remove(1);
  QCOMPARE(namesOf(model), (QStringList{"cell 3", "cell 2"}));
  model.setCells(model.choices());
  QCOMPARE(namesOf(model), (QStringList{"cell 3", "cell 2"}));
  model.setFile(0, "/d/cell.swc");
  QCOMPARE(namesOf(model), (QStringList{"cell", "cell 2"}));
  model.setPlacedFiles({{0, "/e/placed.swc"}, {1, "/f/placed.swc"}});
  QCOMPARE(namesOf(model), (QStringList{"placed", "placed 2"}));
  // Nor do those that a session named take the name of another one.
  std::vector<CellChoice> choices = model.choices();
  choices[0].name = "placed 3";
  choices[1].name = "placed 3";
  model.setCells(choices);
  QCOMPARE(namesOf(model), (QStringList{"placed 3", "placed 3 2"}));
}

/// Else the session that is written could not be read.
void TestCellList::aCellHasANameThatASessionTakes()
{
  CellListModel model;
  model.add({"/.hidden.swc", "/" + std::string(240, 'x') + "_end.swc", "/plain.txt", "/.swc"});
  QCOMPARE(namesOf(model), (QStringList{"hidden", QString(196, 'x') + "_end", "plain", "cell"}));
  for (const OpenCell& cell : model.cells())
    model::requireName("cell", cell.name.toStdString());
}

void TestCellList::marksWhatCannotBeRead()
{
  CellListModel model;
  model.add({dataFile("broken.swc").toStdString(), dataFile("bipolar.swc").toStdString()});
  QSignalSpy changed(&model, &CellListModel::contentChanged);
  const std::vector<study::CellReading> readings = readAll(model);
  const std::vector<Error> errors = take(model, readings);
  QCOMPARE(errors.size(), 1u);
  QCOMPARE(errors[0].line(), 3);
  QCOMPARE(namesOf(model), (QStringList{"broken", "bipolar"}));
  QCOMPARE(model.index(0).data(CellListModel::ProblemRole).toString(), QStringLiteral("not read"));
  QVERIFY(model.index(0).data(CellListModel::SummaryRole).toString().startsWith("Line 3: "));
  QVERIFY(model.index(0).data(Qt::ToolTipRole).toString().contains("Line 3: "));
  QVERIFY(describeInDetail(model.cells()[0]).contains("Line 3: "));
  QVERIFY(model.index(1).data(CellListModel::ProblemRole).toString().isEmpty());
  // The run that read the files goes on without it: no other one is needed.
  QCOMPARE(changed.count(), 0);
  // It is told of once, and forgotten when the file is opened again.
  QVERIFY(take(model, readings).empty());
  model.add({dataFile("broken.swc").toStdString()});
  QVERIFY(model.index(0).data(CellListModel::ProblemRole).toString().isEmpty());
  QCOMPARE(take(model, readAll(model)).size(), 1u);
}

void TestCellList::marksWhatCannotBeDrawn()
{
  const QString path = folder.filePath("far.swc");
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write("1 1 0 0 0 5 -1\n2 3 1e39 0 0 1 1\n") > 0);
  file.close();
  CellListModel model;
  model.add({path.toStdString(), dataFile("bipolar.swc").toStdString()});
  QVERIFY(take(model, readAll(model)).empty());
  QCOMPARE(model.index(0).data(CellListModel::ProblemRole).toString(), QStringLiteral("not drawn"));
  QVERIFY(describeInDetail(model.cells()[0]).contains("farther than a million km"));
  QVERIFY(model.index(1).data(CellListModel::ProblemRole).toString().isEmpty());
}

void TestCellList::describesCellsAndWarnings()
{
  CellListModel model;
  model.add({dataFile("warned.swc").toStdString()});
  QCOMPARE(model.index(0).data(CellListModel::SummaryRole).toString(), QStringLiteral("not read yet"));
  take(model, readAll(model));
  QCOMPARE(model.index(0).data(CellListModel::SummaryRole).toString(), QStringLiteral("5 samples, 3 branches"));
  QCOMPARE(model.index(0).data(CellListModel::WarningsRole).toInt(), 1);
  const QString tooltip = model.index(0).data(Qt::ToolTipRole).toString();
  QVERIFY2(tooltip.contains("warned.swc") && tooltip.contains("\nLine 3: "), qPrintable(tooltip));
  const QString below = describeInDetail(model.cells().front());
  QVERIFY2(below.contains("Line 3</a>: "), qPrintable(below));
  QVERIFY2(below.indexOf("Bifurcations") > below.indexOf("Line 3"), qPrintable(below)); // what is wrong comes first
}

void TestCellList::changesOrderByDragging()
{
  CellListModel model;
  model.add({"/a.swc", "/b.swc", "/c.swc"});
  QSignalSpy changed(&model, &CellListModel::contentChanged);
  const auto drag = [&](int row, int before) {
    const std::unique_ptr<QMimeData> data(model.mimeData({model.index(row)}));
    model.dropMimeData(data.get(), Qt::MoveAction, before, 0, {});
  };
  drag(0, 3);
  QCOMPARE(namesOf(model), (QStringList{"b", "c", "a"}));
  drag(2, 0);
  QCOMPARE(namesOf(model), (QStringList{"a", "b", "c"}));
  drag(1, 2); // where it is
  QCOMPARE(namesOf(model), (QStringList{"a", "b", "c"}));
  QCOMPARE(changed.count(), 2);
}

void TestCellList::togglesEyesByClicking()
{
  CellListModel model;
  DataPanel panel(&model);
  model.add({dataFile("stellate.swc").toStdString(), dataFile("bipolar.swc").toStdString()});
  auto* list = panel.findChild<QAbstractItemView*>("cellList");
  panel.resize(300, 500);
  panel.show();
  QVERIFY(QTest::qWaitForWindowExposed(&panel));
  QSignalSpy toggled(&model, &CellListModel::visibilityChanged);
  QSignalSpy changed(&model, &CellListModel::contentChanged);
  const QRect row = list->visualRect(list->model()->index(1, 0));
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, CellDelegate::eyeRect(row).center());
  QVERIFY(!model.cells()[1].visible);
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, CellDelegate::eyeRect(row).center());
  QVERIFY(model.cells()[1].visible);
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, QPoint(row.right() - 20, row.center().y()));
  QVERIFY(model.cells()[1].visible);
  QCOMPARE(toggled.count(), 2);
  QCOMPARE(changed.count(), 0);
}

void TestCellList::removesCells()
{
  CellListModel model;
  DataPanel panel(&model);
  auto* details = panel.findChild<QLabel*>("cellDetails");
  auto* remove = panel.findChild<QPushButton*>("removeButton");
  auto* removeAll = panel.findChild<QPushButton*>("removeAllButton");
  QVERIFY(!remove->isEnabled() && !removeAll->isEnabled());
  model.add({"/a.swc", "/b.swc", "/c.swc"});
  QVERIFY2(details->text().contains("<b>a</b>"), qPrintable(details->text()));
  QTest::mouseClick(remove, Qt::LeftButton);
  QCOMPARE(namesOf(model), (QStringList{"b", "c"}));
  auto* list = panel.findChild<QAbstractItemView*>("cellList");
  panel.show();
  panel.activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&panel));
  list->setFocus();
  QTest::keyClick(list, Qt::Key_Delete);
  QCOMPARE(model.rowCount(), 1);
  QTest::mouseClick(removeAll, Qt::LeftButton);
  QCOMPARE(model.rowCount(), 0);
}

void TestCellList::tellsWhichErrorsAreGone()
{
  CellListModel model;
  QStringList gone;
  connect(&model, &CellListModel::errorGone, this, [&](const Error& error) { gone << QString(error.what()); });
  const QString broken = dataFile("broken.swc");
  model.add({broken.toStdString(), dataFile("bipolar.swc").toStdString()});
  take(model, readAll(model));
  model.add({broken.toStdString()}); // is read again
  QCOMPARE(gone.size(), 1);
  QVERIFY2(gone[0].startsWith(broken), qPrintable(gone[0]));
  take(model, readAll(model));
  model.remove(1);
  QCOMPARE(gone.size(), 1);
  model.remove(0);
  QCOMPARE(gone.size(), 2);
  model.add({broken.toStdString()});
  take(model, readAll(model));
  model.removeAll();
  QCOMPARE(gone.size(), 3);
}

void TestCellList::scalesTheChosenCell()
{
  CellListModel model;
  DataPanel panel(&model);
  panel.resize(300, 600);
  panel.show();
  QVERIFY(QTest::qWaitForWindowExposed(&panel));
  auto* form = panel.findChild<QWidget*>("unitForm");
  auto* unit = panel.findChild<QComboBox*>("unitChoice");
  auto* suggested = panel.findChild<QPushButton*>("scaleSuggested");
  QVERIFY(!form->isVisible());
  model.add({writeCell("a.swc", kNanometres).toStdString(), dataFile("bipolar.swc").toStdString()});
  take(model, readAll(model));
  QVERIFY(form->isVisible());
  QCOMPARE(unit->currentText(), QStringLiteral("µm"));
  QCOMPARE(suggested->text(), QStringLiteral("This is in nm"));
  QVERIFY(suggested->isVisible());
  QVERIFY(!panel.findChild<QPushButton*>("scaleAlike")->isVisible()); // there is one only
  QCOMPARE(model.index(0).data(CellListModel::WarningsRole).toInt(), 1);

  QSignalSpy changed(&model, &CellListModel::contentChanged);
  QTest::mouseClick(suggested, Qt::LeftButton);
  QCOMPARE(scalesOf(model), (std::vector<double>{0.001, 1}));
  QCOMPARE(changed.count(), 1);
  QCOMPARE(unit->currentText(), QStringLiteral("nm"));
  QVERIFY(!suggested->isVisible());
  take(model, readAll(model));
  QVERIFY(!suggested->isVisible());
  QCOMPARE(model.index(0).data(CellListModel::WarningsRole).toInt(), 0);
  const QString details = panel.findChild<QLabel*>("cellDetails")->text();
  QVERIFY2(details.contains("Unit of the file") && details.contains("Bounding box, µm") &&
               details.contains("9 × 60 × 0<"),
           qPrintable(details));

  panel.chooseCell(1);
  QCOMPARE(unit->currentText(), QStringLiteral("µm"));
  model.removeAll();
  QVERIFY(!form->isVisible());
}

void TestCellList::scalesAllCellsWithTheSameWarning()
{
  CellListModel model;
  DataPanel panel(&model);
  panel.resize(300, 600);
  panel.show();
  QVERIFY(QTest::qWaitForWindowExposed(&panel));
  const QByteArray voxels = "1 1 0 0 0 375 -1\n2 3 0 30000 0 20 1\n";
  model.add({writeCell("a.swc", kNanometres).toStdString(), dataFile("bipolar.swc").toStdString(),
             writeCell("b.swc", voxels).toStdString(), writeCell("c.swc", kNanometres).toStdString()});
  take(model, readAll(model));
  auto* alike = panel.findChild<QPushButton*>("scaleAlike");
  QCOMPARE(alike->text(), QStringLiteral("All 2 with this warning are in nm"));
  QSignalSpy changed(&model, &CellListModel::contentChanged);
  QTest::mouseClick(alike, Qt::LeftButton);
  QCOMPARE(scalesOf(model), (std::vector<double>{0.001, 1, 1, 0.001}));
  QCOMPARE(changed.count(), 1);
  QVERIFY(!alike->isVisible());
  panel.chooseCell(2);
  QCOMPARE(panel.findChild<QPushButton*>("scaleSuggested")->text(), QStringLiteral("This is in 8 nm voxels"));
  QVERIFY(!alike->isVisible());
}

void TestCellList::takesAnyFactor()
{
  CellListModel model;
  DataPanel panel(&model);
  panel.resize(300, 600);
  panel.show();
  panel.activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&panel));
  model.add({dataFile("stellate.swc").toStdString()});
  auto* unit = panel.findChild<QComboBox*>("unitChoice");
  auto* scale = panel.findChild<QDoubleSpinBox*>("unitScale");
  const auto type = [&](const char* text) {
    scale->setFocus();
    scale->selectAll();
    QTest::keyClicks(scale, text);
    QTest::keyClick(scale, Qt::Key_Return);
  };
  type("0.02");
  QCOMPARE(scalesOf(model), std::vector<double>{0.02});
  QCOMPARE(unit->currentText(), QStringLiteral("Other"));
  type("0"); // out of the range
  QCOMPARE(scalesOf(model), std::vector<double>{0.02});
  type("0.008");
  QCOMPARE(unit->currentText(), QStringLiteral("8 nm voxels"));
  unit->setFocus();
  QTest::keyClick(unit, Qt::Key_Up);
  QCOMPARE(scalesOf(model), std::vector<double>{0.001});
  QCOMPARE(scale->value(), 0.001);
}

void TestCellList::keepsTheScaleOfAPath()
{
  CellListModel model;
  model.add({"/a.swc", "/b.swc"});
  model.setScale({1}, 0.001);
  model.add({"/b.swc"});
  QCOMPARE(scalesOf(model), (std::vector<double>{1, 0.001}));
}

void TestCellList::choosesManyCells()
{
  CellListModel model;
  ListedCells cells(model);
  model.add({"/a.swc", "/b.swc", "/c.swc", "/d.swc"});
  QVERIFY(cells.show());
  QCOMPARE(cells.chosen(), std::vector<int>{0});
  QTest::keyClick(cells.list, Qt::Key_A, Qt::ControlModifier);
  QCOMPARE(cells.chosen(), (std::vector<int>{0, 1, 2, 3}));
  QCOMPARE(cells.panel.findChild<QLabel*>("unitLabel")->text(), QStringLiteral("Unit of 4"));
  cells.click(1);
  QCOMPARE(cells.chosen(), std::vector<int>{1});
  cells.click(3, Qt::ShiftModifier);
  QCOMPARE(cells.chosen(), (std::vector<int>{1, 2, 3}));
  QSignalSpy told(&cells.panel, &DataPanel::cellChosen);
  cells.click(2, Qt::ControlModifier);
  QCOMPARE(cells.chosen(), (std::vector<int>{1, 3}));
  QCOMPARE(told.back()[0].toInt(), 3);
}

void TestCellList::doesToAllChosenCellsWhatIsDoneToOne()
{
  CellListModel model;
  ListedCells cells(model);
  model.add({"/a.swc", "/b.swc", "/c.swc", "/d.swc"});
  QVERIFY(cells.show());
  const auto visible = [&] {
    std::vector<bool> eyes;
    for (const OpenCell& cell : model.cells())
      eyes.push_back(cell.visible);
    return eyes;
  };
  cells.click(1);
  cells.click(2, Qt::ShiftModifier);
  QSignalSpy toggled(&model, &CellListModel::visibilityChanged);
  QTest::mouseClick(cells.list->viewport(), Qt::LeftButton, {}, CellDelegate::eyeRect(cells.rect(2)).center());
  QCOMPARE(visible(), (std::vector<bool>{true, false, false, true}));
  QCOMPARE(toggled.count(), 1);
  QCOMPARE(cells.chosen(), (std::vector<int>{1, 2}));
  // The eye of another cell is its own.
  QTest::mouseClick(cells.list->viewport(), Qt::LeftButton, {}, CellDelegate::eyeRect(cells.rect(3)).center());
  QCOMPARE(visible(), (std::vector<bool>{true, false, false, false}));
  QTest::keyClick(cells.list, Qt::Key_A, Qt::ControlModifier);
  cells.panel.findChild<QAction*>("showCellsAction")->trigger();
  QCOMPARE(visible(), (std::vector<bool>{true, true, true, true}));

  cells.click(0);
  cells.click(2, Qt::ControlModifier);
  auto* unit = cells.panel.findChild<QComboBox*>("unitChoice");
  unit->setFocus();
  QTest::keyClick(unit, Qt::Key_Down);
  QCOMPARE(scalesOf(model), (std::vector<double>{0.001, 1, 0.001, 1}));
  cells.click(1, Qt::ControlModifier);
  QCOMPARE(unit->currentIndex(), -1);
  auto* scale = cells.panel.findChild<QDoubleSpinBox*>("unitScale");
  QCOMPARE(scale->text(), QStringLiteral("several"));
  scale->setFocus();
  scale->selectAll();
  QTest::keyClicks(scale, "0.5");
  QTest::keyClick(scale, Qt::Key_Return);
  QCOMPARE(scalesOf(model), (std::vector<double>{0.5, 0.5, 0.5, 1}));

  QSignalSpy changed(&model, &CellListModel::contentChanged);
  cells.list->setFocus();
  QTest::keyClick(cells.list, Qt::Key_Delete);
  QCOMPARE(namesOf(model), QStringList{"d"});
  QCOMPARE(changed.count(), 1);
}

void TestCellList::choosesAnotherCellWhenTheChosenOnesGo()
{
  CellListModel model;
  ListedCells cells(model);
  model.add({"/a.swc", "/b.swc", "/c.swc", "/d.swc"});
  QVERIFY(cells.show());
  cells.click(1);
  QTest::keyClick(cells.list, Qt::Key_Delete);
  QCOMPARE(cells.chosen(), std::vector<int>{1});
  QTest::keyClick(cells.list, Qt::Key_Delete);
  QTest::keyClick(cells.list, Qt::Key_Delete);
  QCOMPARE(namesOf(model), QStringList{"a"});
  QCOMPARE(cells.chosen(), std::vector<int>{0});
}

/// Who is told of a change may ask at once.
void TestCellList::findsACellWhereverItIs()
{
  CellListModel model;
  const auto isFound = [&] {
    for (std::size_t row = 0; row < model.cells().size(); ++row) {
      const OpenCell& cell = model.cells()[row];
      if (model.rowOf(cell.source.id) != static_cast<int>(row) || model.rowOfKey(cell.key) != static_cast<int>(row))
        return false;
    }
    return true;
  };
  int told = 0;
  const auto ask = [&] {
    ++told;
    QVERIFY(isFound());
  };
  connect(&model, &QAbstractItemModel::rowsInserted, this, ask);
  connect(&model, &QAbstractItemModel::rowsRemoved, this, ask);
  connect(&model, &QAbstractItemModel::rowsMoved, this, ask);
  connect(&model, &QAbstractItemModel::layoutChanged, this, ask);
  connect(&model, &QAbstractItemModel::dataChanged, this, ask);
  connect(&model, &QAbstractItemModel::modelReset, this, ask);
  model.add({"/a.swc", "/b.swc", "/c.swc", "/d.swc", "/e.swc"});
  const std::uint64_t key = model.cells()[3].key;
  const std::uint64_t before = model.cells()[3].source.id;
  model.add({"/d.swc", "/f.swc"});
  QCOMPARE(model.rowOf(before), -1); // it is read again
  QCOMPARE(model.rowOfKey(key), 3);
  const std::uint64_t shown = model.preview(3, std::make_shared<const std::string>("1 1 0 0 0 5 -1\n"));
  QCOMPARE(model.rowOf(shown), 3);
  model.endPreview(3);
  QCOMPARE(model.rowOf(shown), -1);
  model.setFile(3, "/other.swc");
  QVERIFY(model.moveRows({}, 3, 1, {}, 0));
  QCOMPARE(model.rowOfKey(key), 0);
  const std::unique_ptr<QMimeData> dragged(model.mimeData({model.index(0), model.index(4)}));
  model.dropMimeData(dragged.get(), Qt::MoveAction, 3, 0, {});
  QCOMPARE(model.rowOfKey(key), 2);
  model.removeCells({0, 3});
  QCOMPARE(model.rowOfKey(key), 1);
  std::vector<CellChoice> choices = model.choices();
  std::ranges::reverse(choices);
  model.setCells(choices);
  QCOMPARE(model.rowOfKey(key), 2);
  model.removeAll();
  QCOMPARE(model.rowOfKey(key), -1);
  QVERIFY(told >= 10);
}

void TestCellList::removesScatteredCellsTogether_data()
{
  QTest::addColumn<bool>("isSorted");
  QTest::newRow("as they were opened") << false;
  QTest::newRow("sorted") << true;
}

void TestCellList::removesScatteredCellsTogether()
{
  QFETCH(bool, isSorted);
  CellListModel model;
  ListedCells cells(model);
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  const QAbstractItemModelTester ofList(cells.list->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
  model.add({"/f.swc", "/a.swc", "/e.swc", "/b.swc", "/d.swc", "/c.swc", "/g.swc"});
  QVERIFY(cells.show());
  if (isSorted)
    static_cast<QTreeView*>(cells.list)->sortByColumn(CellListModel::NameColumn, Qt::AscendingOrder);
  const QPersistentModelIndex kept = model.index(4);
  cells.panel.chooseCells({1, 3, 6}); // a, b, g
  QSignalSpy changed(&model, &CellListModel::contentChanged);
  QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
  QTest::keyClick(cells.list, Qt::Key_Delete);
  QCOMPARE(namesOf(model), (QStringList{"f", "e", "d", "c"}));
  QCOMPARE(cells.names(), isSorted ? (QStringList{"c", "d", "e", "f"}) : namesOf(model));
  QCOMPARE(kept.data().toString(), QStringLiteral("d"));
  QCOMPARE(changed.count(), 1);
  QCOMPARE(removed.count(), 1);
  // The choice goes to the cell that follows the first one.
  QCOMPARE(cells.chosen(), std::vector<int>{isSorted ? 0 : 1});
  QCOMPARE(cells.list->currentIndex().row(), isSorted ? 0 : 1);
  QVERIFY(cells.panel.findChild<QPushButton*>("removeButton")->isEnabled());
}

/// As much of each as there are cells would be felt.
void TestCellList::manyCellsTakeNoLonger()
{
  constexpr int kCells = 10'000;
  constexpr qint64 kLongest = 5'000 * tests::kSlowness; // ms
  CellListModel model;
  ListedCells cells(model);
  std::vector<std::string> paths;
  for (int i = 0; i < kCells; ++i)
    paths.push_back(QStringLiteral("/folder/cell%1.swc").arg(i, 5, 10, QLatin1Char('0')).toStdString());
  model.add(paths);
  QVERIFY(cells.show());
  std::vector<int> every;
  for (int row = 1; row < kCells; row += 2)
    every.push_back(row);
  QElapsedTimer watch;
  watch.start();
  cells.panel.chooseCells(every);
  cells.panel.findChild<QAction*>("hideCellsAction")->trigger();
  model.showOnly(every);
  for (const OpenCell& cell : model.cells())
    QVERIFY(model.rowOf(cell.source.id) >= 0 && model.rowOfKey(cell.key) >= 0);
  QVERIFY(!model.cells()[0].visible && model.cells()[1].visible);
  QTest::keyClick(cells.list, Qt::Key_Delete);
  QCOMPARE(model.rowCount(), kCells / 2);
  const std::unique_ptr<QMimeData> dragged([&] {
    QModelIndexList rows;
    for (int row = 1; row < model.rowCount(); row += 2)
      rows << model.index(row);
    return model.mimeData(rows);
  }());
  model.dropMimeData(dragged.get(), Qt::MoveAction, 0, 0, {});
  QCOMPARE(namesOf(model).first(), QStringLiteral("cell00002"));
  QVERIFY2(watch.elapsed() < kLongest, qPrintable(QString::number(watch.elapsed())));
}

void TestCellList::listsCellsByName()
{
  CellListModel model;
  ListedCells cells(model);
  model.add({"/axon 1.swc", "/b.swc", "/c.swc"});
  QVERIFY(cells.show());
  auto* filter = cells.panel.findChild<QLineEdit*>("cellFilter");
  QVERIFY(!filter->isVisible()); // all are seen at once
  model.add({"/d.swc", "/Axon 2.swc", "/f.swc"});
  QVERIFY(filter->isVisible());
  QTest::keyClicks(filter, "axon");
  QCOMPARE(cells.names(), (QStringList{"axon 1", "Axon 2"}));
  cells.list->setFocus();
  QTest::keyClick(cells.list, Qt::Key_A, Qt::ControlModifier);
  QCOMPARE(cells.chosen(), (std::vector<int>{0, 1}));
  // What is not listed is left alone.
  QTest::keyClick(cells.list, Qt::Key_Delete);
  QCOMPARE(namesOf(model), (QStringList{"b", "c", "d", "f"}));
  QVERIFY(cells.names().isEmpty());
  QVERIFY(filter->isVisible()); // as long as it leaves anything out
  filter->clear();
  QCOMPARE(cells.names(), (QStringList{"b", "c", "d", "f"}));
  QCOMPARE(cells.chosen(), std::vector<int>{0});
  QVERIFY(!filter->isVisible());
  // A cell that is chosen elsewhere is listed.
  filter->setText("b");
  cells.panel.chooseCell(3);
  QCOMPARE(cells.names().size(), 4);
  QCOMPARE(cells.chosen(), std::vector<int>{3});
}

void TestCellList::listsCellsWithProblems()
{
  CellListModel model;
  ListedCells cells(model);
  std::vector<std::string> paths;
  for (const char* name : {"stellate.swc", "warned.swc", "bipolar.swc", "broken.swc", "missing.swc"})
    paths.push_back(dataFile(name).toStdString());
  paths.push_back(writeCell("large.swc", kNanometres).toStdString());
  model.add(paths);
  QVERIFY(cells.show());
  cells.panel.findChild<QToolButton*>("problemFilter")->click();
  QVERIFY(cells.names().isEmpty()); // nothing has been read
  take(model, readAll(model));
  QCOMPARE(cells.names(), (QStringList{"warned", "broken", "missing", "large"}));
  model.setScale(model.rowsSuggesting(0.001), 0.001);
  take(model, readAll(model));
  QCOMPARE(cells.names(), (QStringList{"warned", "broken", "missing"}));
}

/// A preview of the repair takes its problems away; the choice must not go to another cell.
void TestCellList::aCellThatIsMendedStaysListed()
{
  CellListModel model;
  ListedCells cells(model);
  model.add({dataFile("stellate.swc").toStdString(), writeCell("large.swc", kNanometres).toStdString(),
             dataFile("warned.swc").toStdString()});
  take(model, readAll(model));
  QVERIFY(cells.show());
  auto* problems = cells.panel.findChild<QToolButton*>("problemFilter");
  problems->click();
  QCOMPARE(cells.names(), (QStringList{"large", "warned"}));
  cells.click(0);
  cells.panel.findChild<QAction*>("repairCellAction")->trigger();
  model.setScale({1}, 0.001);
  take(model, readAll(model));
  QCOMPARE(cells.names(), (QStringList{"large", "warned"}));
  QCOMPARE(cells.panel.chosenRows(), std::vector<int>{1});
  problems->click();
  problems->click();
  QCOMPARE(cells.names(), QStringList{"warned"});
}

void TestCellList::sortingShowsWhatComesFirst()
{
  CellListModel model;
  ListedCells cells(model);
  std::vector<std::string> paths;
  for (int i = 0; i < 90; ++i)
    paths.push_back(QStringLiteral("/cell%1.swc").arg(i, 2, 10, QLatin1Char('0')).toStdString());
  model.add(paths);
  QVERIFY(cells.show());
  cells.panel.chooseCell(40);
  static_cast<QTreeView*>(cells.list)->sortByColumn(CellListModel::NameColumn, Qt::DescendingOrder);
  QCOMPARE(cells.names().front(), QStringLiteral("cell89"));
  QVERIFY(cells.list->viewport()->rect().contains(cells.rect(0).center()));
  QCOMPARE(cells.panel.chosenRows(), std::vector<int>{40});
}

void TestCellList::movesCellsInAFilteredList()
{
  CellListModel model;
  ListedCells cells(model);
  model.add({"/a1.swc", "/b.swc", "/a2.swc", "/c.swc", "/a3.swc", "/d.swc"});
  QVERIFY(cells.show());
  QAbstractItemModel* listed = cells.list->model();
  const QAbstractItemModelTester tester(listed, QAbstractItemModelTester::FailureReportingMode::QtTest);
  cells.panel.findChild<QLineEdit*>("cellFilter")->setText("a");
  QVERIFY(listed->moveRow({}, 2, {}, 0));
  QCOMPARE(cells.names(), (QStringList{"a3", "a1", "a2"}));
  QCOMPARE(namesOf(model), (QStringList{"a3", "a1", "b", "a2", "c", "d"}));
  QVERIFY(listed->moveRow({}, 0, {}, 3));
  QCOMPARE(cells.names(), (QStringList{"a1", "a2", "a3"}));
  QVERIFY(!listed->moveRow({}, 3, {}, 0));
}

void TestCellList::asksToFitACell()
{
  CellListModel model;
  ListedCells cells(model);
  model.add({"/a.swc", "/b.swc", "/c.swc"});
  QVERIFY(cells.show());
  QSignalSpy asked(&cells.panel, &DataPanel::fitRequested);
  cells.click(1);
  QTest::mouseDClick(cells.list->viewport(), Qt::LeftButton, {}, cells.rect(1).center());
  QCOMPARE(asked.count(), 1);
  QCOMPARE(asked.back()[0].toInt(), 1);
  cells.click(2);
  QTest::keyClick(cells.list, Qt::Key_Return);
  QCOMPARE(asked.count(), 2);
  QCOMPARE(asked.back()[0].toInt(), 2);
  // An eye that is clicked twice is as before.
  QTest::mouseDClick(cells.list->viewport(), Qt::LeftButton, {}, CellDelegate::eyeRect(cells.rect(2)).center());
  QCOMPARE(asked.count(), 2);
  QVERIFY(model.cells()[2].visible);
}

/// The numbers stay in the panel.
void TestCellList::shortensLongNames()
{
  CellListModel model;
  ListedCells cells(model);
  const QByteArray name = QByteArray("a").repeated(200) + "_the_end.swc";
  model.add({writeCell(name, kNanometres).toStdString()});
  take(model, readAll(model));
  QVERIFY(cells.show());
  cells.panel.showBranch("Cell: " + QString::fromUtf8(name) + "\nLength: 12 µm");
  const auto* scroll = cells.panel.findChild<QScrollArea*>("detailsScroll");
  const auto* details = cells.panel.findChild<QLabel*>("cellDetails");
  for (const int width : {300, 420, 280}) {
    cells.panel.resize(width, 600);
    QTRY_VERIFY(scroll->widget()->width() <= scroll->viewport()->width());
    QVERIFY2(details->text().contains("…") && details->text().contains("end</b>"), qPrintable(details->text()));
    QVERIFY(cells.panel.findChild<QLabel*>("branchDetails")->text().contains("…"));
  }
}

/// What is cut is what they have in common; the tooltip has all.
void TestCellList::tellsCutNamesApart()
{
  CellListModel model;
  ListedCells cells(model);
  const QStringList layers = {"23", "4", "5a", "5b"};
  std::vector<std::string> files;
  for (const QString& layer : layers) {
    const QString name = QStringLiteral("Morphology_of_a_neuron_of_layer_%1_of_the_barrel_cortex_soma.swc").arg(layer);
    files.push_back(writeCell(qPrintable(name), kNanometres).toStdString());
  }
  model.add(files);
  take(model, readAll(model));
  QVERIFY(cells.show());
  const auto* delegate = dynamic_cast<CellDelegate*>(cells.list->itemDelegate());
  QVERIFY(delegate);
  for (const int width : {300, 400, 280}) {
    cells.panel.resize(width, 700);
    QCoreApplication::processEvents();
    QStringList seen;
    for (int row = 0; row < layers.size(); ++row) {
      const QModelIndex cell = cells.list->model()->index(row, 0);
      seen << delegate->shownName(cell);
      QVERIFY2(seen.back().contains("…") && seen.back().contains(layers[row]), qPrintable(seen.back()));
      QVERIFY(cells.list->fontMetrics().horizontalAdvance(seen.back()) <= cells.rect(row).width());
      QVERIFY(cell.data(Qt::ToolTipRole).toString().contains(cell.data().toString()));
    }
    QCOMPARE(seen.removeDuplicates(), 0);
  }
  // A name that has room is whole, also when the others go.
  model.removeCells({1, 2, 3});
  cells.panel.resize(2400, 700);
  QCoreApplication::processEvents();
  const QModelIndex cell = cells.list->model()->index(0, 0);
  QCOMPARE(delegate->shownName(cell), cell.data().toString());
}

/// The rest is left to the names. A title is whole beside the arrow of sorting.
void TestCellList::titlesTakeNoMoreThanTheyNeed()
{
  CellListModel model;
  ListedCells cells(model);
  model.add({dataFile("bipolar.swc").toStdString()});
  take(model, readAll(model));
  QVERIFY(cells.show());
  cells.panel.resize(900, 700);
  auto* header = cells.panel.findChild<QHeaderView*>();
  for (const int column : {CellListModel::LengthColumn, CellListModel::SamplesColumn, CellListModel::BranchesColumn}) {
    header->setSortIndicator(column, Qt::DescendingOrder);
    const QString title = cells.list->model()->headerData(column, Qt::Horizontal).toString();
    const int beside = header->sectionSize(column) - header->fontMetrics().horizontalAdvance(title);
    QVERIFY2(beside < 30, qPrintable(QStringLiteral("%1: %2").arg(title).arg(beside)));
    const test::PaintedTexts painted(*header->viewport(), 1);
    const auto* text = painted.find(title.first(4));
    QVERIFY2(text && !text->isCut, qPrintable(title));
  }
}

void TestCellList::showsWholeNumbersAndTheChosenRow()
{
  CellListModel model;
  DataPanel panel(&model);
  panel.resize(300, 500);
  panel.show();
  QVERIFY(QTest::qWaitForWindowExposed(&panel));
  std::vector<std::string> files;
  for (int i = 0; i < 40; ++i)
    files.push_back(writeCell(qPrintable(QStringLiteral("c%1.swc").arg(i)),
                              "1 1 0 0 0 5 -1\n2 3 0 10 0 1 1\n3 3 0 " + QByteArray::number(1782600 + i) + " 0 1 2\n")
                        .toStdString());
  model.add(files);
  take(model, readAll(model));
  auto* list = panel.findChild<QTreeView*>("cellList");
  QCOMPARE(list->model()->headerData(CellListModel::LengthColumn, Qt::Horizontal).toString(),
           QStringLiteral("Length, µm"));
  const QString length = list->model()->index(0, CellListModel::LengthColumn).data().toString();
  QVERIFY(length.size() >= 9);
  QVERIFY(list->columnWidth(CellListModel::LengthColumn) >= list->fontMetrics().horizontalAdvance(length) + 12);
  panel.chooseCell(0);
  const auto isSeen = [list] {
    return list->viewport()->rect().contains(list->visualRect(list->currentIndex()).center());
  };
  QVERIFY(isSeen());
  list->sortByColumn(CellListModel::LengthColumn, Qt::DescendingOrder);
  QCOMPARE(list->currentIndex().row(), 39);
  panel.chooseCell(0); // who sorts sees what comes first
  QVERIFY(isSeen());
  // Scaled, it is the longest.
  model.setScale({0}, 100);
  take(model, readAll(model));
  QTRY_COMPARE(list->currentIndex().row(), 0);
  QTRY_VERIFY(isSeen());
  if (const QString pictures = qEnvironmentVariable("HINESIGHT_PICTURES"); !pictures.isEmpty())
    QVERIFY(panel.grab().save(pictures + QStringLiteral("/list.png")));
}

void TestCellList::sortsByAClickOnAHeader()
{
  CellListModel model;
  ListedCells cells(model);
  model.add({dataFile("bipolar.swc").toStdString(), dataFile("broken.swc").toStdString(),
             dataFile("stellate.swc").toStdString(), dataFile("warned.swc").toStdString()});
  take(model, readAll(model));
  QVERIFY(cells.show());
  cells.panel.resize(900, 700);
  QSignalSpy changed(&model, &CellListModel::contentChanged);
  auto* header = cells.panel.findChild<QHeaderView*>();
  const auto click = [&](int column) {
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                      QPoint(header->sectionViewportPosition(column) + 20, header->height() / 2));
  };
  const QStringList inBatch{"bipolar", "broken", "stellate", "warned"};
  click(CellListModel::LengthColumn); // the longest first
  QCOMPARE(cells.names(), (QStringList{"stellate", "bipolar", "warned", "broken"}));
  click(CellListModel::LengthColumn);
  QCOMPARE(cells.names(), (QStringList{"broken", "warned", "bipolar", "stellate"}));
  click(CellListModel::LengthColumn); // and so on
  QCOMPARE(cells.names(), (QStringList{"stellate", "bipolar", "warned", "broken"}));
  auto* asOpened = cells.panel.findChild<QAction*>("asOpenedAction");
  QVERIFY(asOpened->isEnabled() && header->actions().contains(asOpened) && cells.list->actions().contains(asOpened));
  asOpened->trigger();
  QCOMPARE(cells.names(), inBatch);
  QVERIFY(!asOpened->isEnabled());
  click(CellListModel::ProblemsColumn);
  QCOMPARE(cells.names(), (QStringList{"broken", "warned", "bipolar", "stellate"}));
  click(CellListModel::NameColumn);
  QCOMPARE(cells.names(), inBatch);
  QVERIFY(!cells.list->model()->moveRow({}, 0, {}, 3)); // the places are those of the names
  // The choice is of cells and not of places, and the batch is as it was.
  cells.click(2);
  click(CellListModel::LengthColumn);
  QCOMPARE(cells.list->currentIndex().data().toString(), QStringLiteral("stellate"));
  QCOMPARE(cells.chosen(), std::vector<int>{0});
  QCOMPARE(namesOf(model), inBatch);
  QCOMPARE(changed.count(), 0);
}

/// As numbers, and in upper and lower case alike.
void TestCellList::sortsNumbersInNames()
{
  CellListModel model;
  ListedCells cells(model);
  model.add({"/cell-10.swc", "/cell-9.swc", "/Cell-1.swc", "/axon.swc", "/cell-100.swc"});
  QVERIFY(cells.show());
  auto* header = cells.panel.findChild<QHeaderView*>();
  QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                    QPoint(header->sectionViewportPosition(CellListModel::NameColumn) + 20, header->height() / 2));
  QCOMPARE(cells.names(), (QStringList{"axon", "Cell-1", "cell-9", "cell-10", "cell-100"}));
}

void TestCellList::dragsSeveralCellsTogether()
{
  CellListModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  model.add({"/a.swc", "/b.swc", "/c.swc", "/d.swc", "/e.swc"});
  QSignalSpy changed(&model, &CellListModel::contentChanged);
  const std::unique_ptr<QMimeData> data(
      model.mimeData({model.index(0), model.index(0, 1), model.index(2), model.index(4)}));
  model.dropMimeData(data.get(), Qt::MoveAction, 2, 0, {});
  QCOMPARE(namesOf(model), (QStringList{"b", "a", "c", "e", "d"}));
  QCOMPARE(changed.count(), 1);
}

void TestCellList::writesTheTableAsItIsListed()
{
  CellListModel model;
  ListedCells cells(model);
  model.add({dataFile("bipolar.swc").toStdString(), dataFile("stellate.swc").toStdString(),
             dataFile("broken.swc").toStdString()});
  take(model, readAll(model));
  static_cast<QTreeView*>(cells.list)->sortByColumn(CellListModel::LengthColumn, Qt::DescendingOrder);
  const QStringList lines = cells.panel.table().split('\n', Qt::SkipEmptyParts);
  QCOMPARE(lines.size(), 4);
  const qsizetype columns = lines[0].count(',');
  QVERIFY2(lines[1].startsWith("stellate,"), qPrintable(lines[1]));
  // The length is that of the neurites, as Measure has it.
  double neurites = 0;
  for (const morphology::TypeMeasures& type : model.cells()[0].types)
    neurites += type.type == morphology::kSoma ? 0 : type.length;
  QCOMPARE(lines[2].section(',', 1, 1).toDouble(), neurites);
  QVERIFY(neurites < model.cells()[0].metrics.totalLength);
  QCOMPARE(lines[2].section(',', 10, 10).toDouble(), model.cells()[0].metrics.totalLength);
  QCOMPARE(cells.list->model()->index(1, CellListModel::LengthColumn).data().toString(),
           QLocale(QLocale::English).toString(std::round(neurites), 'f', 0));
  QVERIFY2(lines[3].startsWith("broken,,,"), qPrintable(lines[3]));
  QVERIFY2(lines[3].contains("Line 3: ") && lines[3].count(',') >= columns, qPrintable(lines[3]));
}

HINESIGHT_TEST_RUN(runWindowTest<TestCellList>)
#include "test_cell_list.moc"
