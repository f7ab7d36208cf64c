#include "app/app_fixture.hpp"
#include "app/cells/cell_controller.hpp"
#include "app/projection/projection_controller.hpp"
#include "app/projection/projection_panel.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "tables_fixture.hpp"
#include "test_main.hpp"

#include <QAction>
#include <QDropEvent>
#include <QFileDialog>
#include <QMenu>
#include <QMimeData>
#include <QSlider>
#include <QtTest>

#include <algorithm>

using namespace hinesight;
using namespace hinesight::app;

namespace {

bool areEqual(const projection::WeightTable& a, const projection::WeightTable& b)
{
  return a.offsets == b.offsets && std::ranges::equal(a.destination.span(), b.destination.span()) &&
         std::ranges::equal(a.weight.span(), b.weight.span()) && std::ranges::equal(a.delay.span(), b.delay.span()) &&
         a.constantDelay == b.constantDelay;
}

} // namespace

/// Weight tables that are opened and saved in the real main window.
class TestProjectionTables : public QObject, TablesFixture
{
  Q_OBJECT

private Q_SLOTS:
  void init() { begin(); }
  void cleanup() { end(); }

  void exportsAndOpensEachFormat_data();
  void exportsAndOpensEachFormat();
  void opensADroppedTable();
  void opensATableBetweenPopulationsOfOtherSizes();
  void opensATableBesideNeurons();
  void opensTablesAsConnectionsOfACircuit();
  void showsATableThatIsOpenAlready();
  void readsAChangedTableIntoItsConnection();
  void opensSeveralTablesWithoutASession();
  void putsNeuronsWithoutPositionsOnAGrid();
  void drawsNeuronsWithoutPositionsInRows();
  void saysWhatIsWrongWithATable_data();
  void saysWhatIsWrongWithATable();
  void renamesAPopulationWithoutARun();
  void keepsWhatIsDraggedWhileATableIsRead();
  void keepsWhatIsTypedWhileATableIsRead();
  void opensATableThatWaitedUnseen();
};

void TestProjectionTables::exportsAndOpensEachFormat_data()
{
  QTest::addColumn<QString>("extension");
  for (const char* extension : {"csv", "npy", "h5", "spineml", "xml"})
    QTest::newRow(extension) << extension;
}

/// By the button and the menu, as a person does it.
void TestProjectionTables::exportsAndOpensEachFormat()
{
  QFETCH(QString, extension);
  window.type("projectionSigma0Spin", "2");
  window.type("projectionOffsetPhiSpin", "3");
  QVERIFY(window.waitForTable());
  const auto made = window.outcome().table;
  const QString file = folder.filePath("weights." + extension);
  QTest::mouseClick(find<QPushButton>("projectionExport"), Qt::LeftButton);
  auto* exporting = find<QFileDialog>("exportTableDialog");
  QVERIFY(QTest::qWaitForWindowExposed(exporting));
  emit exporting->fileSelected(file);
  exporting->close();
  QVERIFY(window->jobs().isActive(kTableExport));
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive(kTableExport), kPatience);

  window.type("projectionSigma0Spin", "4");
  window.type("projectionOffsetPhiSpin", "0");
  QVERIFY(window.waitForTable());
  QVERIFY(window.table().rows() != made->rows());
  find<QAction>("openAction")->trigger();
  auto* opening = find<QFileDialog>("openDialog");
  QVERIFY(QTest::qWaitForWindowExposed(opening));
  QVERIFY2(opening->nameFilters().front().contains("*." + extension), qPrintable(opening->nameFilters().front()));
  emit opening->filesSelected({file});
  opening->close();
  QVERIFY(waitForOpening(file));

  QVERIFY(areEqual(window.table(), *made));
  QVERIFY(!find<MessageBanner>("messageBanner")->isVisible());
  QVERIFY(!find<QWidget>("jobPanel")->isVisible());
  // Its parameters and populations are in the panels, and make the same table.
  QCOMPARE(find<QDoubleSpinBox>("projectionSigma0Spin")->value(), 2.0);
  QCOMPARE(find<QDoubleSpinBox>("projectionOffsetPhiSpin")->value(), 3.0);
  QCOMPARE(find<QComboBox>("projectionSource")->currentText(), QStringLiteral("retina"));
  QCOMPARE(find<QComboBox>("projectionDestination")->currentText(), QStringLiteral("colliculus"));
  QCOMPARE(find<QListWidget>("populationList")->count(), 2);
  // It is what is seen.
  const QString headline = find<QLabel>("projectionHeadline")->text();
  QVERIFY2(headline.startsWith("weights." + extension) && headline.contains(describeTable(*made)),
           qPrintable(headline));
  QVERIFY(window.view().table() == window.outcome().table.get());
  QVERIFY(!window.view().contour(0).empty());
  QVERIFY(find<QLabel>("resultLabel")->text().startsWith("Opened weights." + extension));
  find<QAction>("runAction")->trigger();
  QVERIFY(window.waitForTable());
  QVERIFY(window.outcome().file.empty());
  QVERIFY(areEqual(window.table(), *made));
}

void TestProjectionTables::opensADroppedTable()
{
  const QString file = path("dropped.npy");
  writeTable(file);
  window->showView(ViewKind::Morphology);
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(file)});
  QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&*window, &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&*window, &drop);
  QVERIFY(waitForOpening(file));
  QVERIFY(window.view().isVisible());
  const QList<QAction*> recent = find<QMenu>("recentMenu")->actions();
  QVERIFY(std::any_of(recent.begin(), recent.end(),
                      [](const QAction* action) { return action->text().contains("dropped.npy"); }));
}

/// In the place of a projection between populations of the same names: no name is there twice.
void TestProjectionTables::opensATableBetweenPopulationsOfOtherSizes()
{
  const QString file = path("small.csv");
  writeText(file, "# hinesight weight table\n# source: retina\n# destination: colliculus\n# sources: 2\n"
                  "# destinations: 6\n# rows: 2\npre,post,weight,delay\n0,1,1,1\n1,5,2,1\n");
  window->openFiles({file});
  QVERIFY(waitForOpening(file));
  QCOMPARE(window.table().rows(), std::uint64_t{2});
  QStringList names;
  const auto* list = find<QListWidget>("populationList");
  for (int row = 0; row < list->count(); ++row)
    names << list->item(row)->text().section(QLatin1Char('\n'), 0, 0);
  QCOMPARE(names, (QStringList{"retina", "colliculus"}));
}

void TestProjectionTables::opensATableBesideNeurons()
{
  const QString file = path("beside.csv");
  const auto made = window.outcome().table;
  writeTable(file);
  window->openFiles({file, dataFile("stellate.swc")});
  QVERIFY(waitForOpening(file));
  QVERIFY(areEqual(window.table(), *made));
  QCOMPARE(window->cells().rowCount(), 1);
  QCOMPARE(window.runsOf(io::RunKind::Solve), 1); // the cell was solved first
}

/// What the circuit had stays; one step of undo for what was opened at once.
void TestProjectionTables::opensTablesAsConnectionsOfACircuit()
{
  const auto made = window.outcome().table;
  const QString ab = path("ab.csv");
  const QString more = path("more.h5");
  writeTable(ab);
  writeTable(more);
  openExample();
  const model::Project before = window->project();
  const auto table = window.outcome().table;
  const auto undo = [&] {
    QTRY_VERIFY(find<QAction>("undoAction")->isEnabled());
    find<QAction>("undoAction")->trigger();
    QVERIFY(window.waitForTable());
    QVERIFY(window->project().connections == before.connections);
    QVERIFY(window->project().populations == before.populations);
    QCOMPARE(window.table().rows(), table->rows());
  };
  const auto keepsOthers = [&](std::size_t added) {
    const auto connections = window->project().connections;
    return connections.size() == before.connections.size() + added &&
           std::equal(before.connections.begin(), before.connections.end(), connections.begin());
  };

  window->openFiles({ab});
  QVERIFY(waitForOpening(ab));
  QVERIFY(keepsOthers(1));
  const model::Connection added = window->project().connections.back();
  QCOMPARE(added.name, std::string("ab"));
  QVERIFY(added.kind == model::ConnectionKind::File);
  QCOMPARE(added.file, ab.toStdString());
  QCOMPARE(added.source, std::string("retina"));
  QCOMPARE(added.target, std::string("colliculus"));
  QCOMPARE(window->project().populations.size(), before.populations.size() + 2);
  QVERIFY(areEqual(window.table(), *made));
  QCOMPARE(find<QListWidget>("connectionList")->currentItem()->text(), QStringLiteral("ab"));
  QVERIFY(find<QLabel>("projectionFile")->isVisible());
  const QString headline = find<QLabel>("projectionHeadline")->text();
  QVERIFY2(headline.startsWith(QStringLiteral("ab: retina \u2192 colliculus")), qPrintable(headline));
  QVERIFY(!find<MessageBanner>("messageBanner")->isVisible());
  undo();

  window->openFiles({ab, more});
  QVERIFY(waitForOpening(more));
  QVERIFY(keepsOthers(2));
  QCOMPARE(window->project().connections[4].name, std::string("ab"));
  QCOMPARE(window->project().connections[5].name, std::string("more"));
  QCOMPARE(window->project().populations.size(), before.populations.size() + 2);
  undo();
}

/// By whatever path: it is shown, and the status bar says so. What others are called, and what was renamed, stays.
void TestProjectionTables::showsATableThatIsOpenAlready()
{
  const QString ab = path("ab.csv");
  const QString more = path("more.h5");
  const QString link = path("link.csv");
  writeTable(ab);
  writeTable(more);
  QVERIFY(QFile::link(ab, link));
  openExample();
  window->openFiles({ab});
  QVERIFY(waitForOpening(ab));
  renamePopulation(3, "eye");
  const model::Project before = window->project();
  QCOMPARE(before.connections.back().source, std::string("eye"));
  const auto saysThatItWasOpen = [&](const char* beginning) {
    QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive(), kPatience);
    const QString told = find<QLabel>("resultLabel")->text();
    QVERIFY2(told.startsWith(QLatin1String(beginning)), qPrintable(told));
    QCOMPARE(find<QListWidget>("connectionList")->currentItem()->text().section(QLatin1Char('\n'), 0, 0),
             window->projections().outcome().file == ab.toStdString() ? QStringLiteral("ab") : QStringLiteral("more"));
  };
  for (const QString& file : {ab, link}) {
    find<QLabel>("resultLabel")->clear();
    window->openFiles({file});
    QTRY_VERIFY_WITH_TIMEOUT(!find<QLabel>("resultLabel")->text().isEmpty(), kPatience);
    QVERIFY(waitForOpening(ab));
    saysThatItWasOpen("Open already: ab. Read ab: ");
    QVERIFY(!QTest::currentTestFailed());
    QVERIFY(window->project() == before); // no step
  }
  // Another one at the same time is added, and shown.
  window->openFiles({ab, more});
  QVERIFY(waitForOpening(more));
  saysThatItWasOpen("Open already: ab. Read more: ");
  QVERIFY(!QTest::currentTestFailed());
  QCOMPARE(window->project().connections.size(), before.connections.size() + 1);
}

/// Also where its populations have other numbers of neurons since.
void TestProjectionTables::readsAChangedTableIntoItsConnection()
{
  const char* header = "# hinesight weight table\n# source: A\n# destination: B\n";
  const QString file = path("changing.csv");
  const auto write = [&](const char* rest) { writeText(file, (QByteArray(header) + rest).constData()); };
  write("# sources: 2\n# destinations: 3\n# rows: 1\npre,post,weight,delay\n0,1,1,1\n");
  openExample();
  const std::size_t before = window->project().connections.size();
  window->openFiles({file});
  QVERIFY(waitForOpening(file));
  const auto opensWith = [&](std::uint64_t rows) {
    find<QLabel>("resultLabel")->clear();
    window->openFiles({file});
    QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>("resultLabel")->text().startsWith("Open already: changing."), kPatience);
    QVERIFY(waitForOpening(file));
    QCOMPARE(window.table().rows(), rows);
    QCOMPARE(window->project().connections.size(), before + 1);
    QCOMPARE(window->project().connections.back().name, std::string("changing"));
  };
  write("# sources: 2\n# destinations: 3\n# rows: 2\npre,post,weight,delay\n0,1,1,1\n1,2,1,1\n");
  opensWith(2);
  QVERIFY(!QTest::currentTestFailed());
  QCOMPARE(window->project().connections.back().target, std::string("B"));

  write("# sources: 2\n# destinations: 4\n# rows: 1\npre,post,weight,delay\n1,3,1,1\n");
  opensWith(1);
  QVERIFY(!QTest::currentTestFailed());
  QCOMPARE(window->project().connections.back().source, std::string("A"));
  QCOMPARE(window->project().connections.back().target, std::string("B 2"));
  QTRY_VERIFY(find<QAction>("undoAction")->isEnabled());
  find<QAction>("undoAction")->trigger();
  QCOMPARE(window->project().connections.back().target, std::string("B"));
}

void TestProjectionTables::opensSeveralTablesWithoutASession()
{
  const QString one = path("one.csv");
  const QString two = path("two.npy");
  writeTable(one);
  writeTable(two);
  window.type("projectionSigma0Spin", "4");
  QVERIFY(window.waitForTable());
  window->openFiles({one, path("none.csv"), two});
  QVERIFY(waitForOpening(two));
  QVERIFY(find<MessageBanner>("messageBanner")->text().contains("none.csv")); // which is not there
  const auto connections = window->project().connections;
  QCOMPARE(connections.size(), std::size_t{3});
  QCOMPARE(connections[0].projection.sigma0, 4.0);
  QCOMPARE(connections[1].name, std::string("one"));
  QCOMPARE(connections[2].name, std::string("two"));
  QCOMPARE(window->project().populations.size(), std::size_t{2});
}

/// A circuit places all of its neurons, wherever they are.
void TestProjectionTables::putsNeuronsWithoutPositionsOnAGrid()
{
  const QString file = path("bare.csv");
  writeText(file, "# hinesight weight table\n# source: A\n# destination: pyramidal\n# sources: 2\n# destinations: 6\n"
                  "# rows: 2\npre,post,weight,delay\n0,1,1,1\n1,5,2,1\n");
  openExample();
  const std::size_t before = window->project().populations.size();
  window->openFiles({file});
  QVERIFY(waitForOpening(file));
  QCOMPARE(window.table().rows(), std::uint64_t{2});
  const model::Project project = window->project();
  QCOMPARE(project.populations.size(), before + 2);
  QCOMPARE(project.connections.back().source, std::string("A"));
  QCOMPARE(project.connections.back().target, std::string("pyramidal 2")); // the circuit's has other neurons
  const auto& placement = project.populations.back().placement;
  QVERIFY(placement.kind == projection::PopulationKind::Grid);
  QCOMPARE(placement.size, (std::array<std::uint32_t, 3>{3, 2, 1}));
  const QString said = find<MessageBanner>("messageBanner")->text();
  QVERIFY2(said.contains("A, pyramidal 2"), qPrintable(said));
}

/// A table between populations whose positions nobody knows: of a text file that is gone.
void TestProjectionTables::drawsNeuronsWithoutPositionsInRows()
{
  writeText(path("cells.csv"), "x,y\n0,0\n1,0\n0,1\n2,2\n1,1\n");
  PopulationDialog* dialog = addPopulation("cells", projection::PopulationKind::File);
  QVERIFY(dialog);
  dialog->findChild<QLineEdit*>("populationFile")->setText(path("cells.csv"));
  acceptDialog(*dialog);
  choose("projectionDestination", "cells");
  const auto made = window.outcome().table;
  QCOMPARE(made->projection.destination->count(), std::uint64_t{5});
  const QString file = path("placeless.csv");
  writeTable(file);

  // While the file of positions is there, they are known.
  window->openFiles({file});
  QVERIFY(waitForOpening(file));
  QVERIFY(window.outcome().positionsAreKnown);
  QCOMPARE(window.table().projection.destination->position(3), (projection::Position{2, 2, 0}));
  QCOMPARE(find<QListWidget>("populationList")->count(), 3);

  QVERIFY(QFile::remove(path("cells.csv")));
  QVERIFY(QFile::copy(file, path("again.csv")));
  window->openFiles({path("again.csv")});
  QVERIFY(waitForOpening(path("again.csv")));
  QVERIFY(areEqual(window.table(), *made));
  QVERIFY(!window.outcome().positionsAreKnown);
  QCOMPARE(window.table().projection.destination->position(4), (projection::Position{1, 1, 0}));
  QVERIFY(find<QLabel>("projectionHeadline")->text().contains("drawn in rows"));
  QVERIFY(window.view().contour(0).empty());
  // SONATA would hold them as if they were true.
  QTest::mouseClick(find<QPushButton>("projectionExport"), Qt::LeftButton);
  auto* exporting = find<QFileDialog>("exportTableDialog");
  QVERIFY(QTest::qWaitForWindowExposed(exporting));
  emit exporting->fileSelected(path("invented.h5"));
  exporting->close();
  QVERIFY(find<MessageBanner>("messageBanner")->text().contains("SONATA"));
  QVERIFY(!QFile::exists(path("invented.h5")));
}

void TestProjectionTables::saysWhatIsWrongWithATable_data()
{
  QTest::addColumn<QString>("name");
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QString>("sentence");
  QTest::newRow("no table") << "cells.csv" << QByteArray("x,y\n1,2\n") << "is no weight table";
  QTest::newRow("no order")
      << "order.csv"
      << QByteArray("# hinesight weight table\n# sources: 2\n# destinations: 2\n# rows: 2\npre,post,weight,delay\n"
                    "1,0,1,1\n0,1,1,1\n")
      << "ordered by source";
  QTest::newRow("no array") << "a.npy" << QByteArray("nothing of the kind") << "a.npy";
  QTest::newRow("no HDF5") << "a.h5" << QByteArray("nothing of the kind") << "a.h5";
  QTest::newRow("no XML") << "a.xml" << QByteArray("<SpineML") << "a.xml";
  QTest::newRow("no file") << "none.csv" << QByteArray() << "none.csv";
}

/// One sentence above the views; the table that was shown stays.
void TestProjectionTables::saysWhatIsWrongWithATable()
{
  QFETCH(QString, name);
  QFETCH(QByteArray, text);
  QFETCH(QString, sentence);
  const QString file = folder.filePath(name);
  if (!text.isEmpty())
    writeText(file, text.constData());
  const auto before = window.outcome().table;
  window->openFiles({file});
  auto* banner = find<MessageBanner>("messageBanner");
  QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible(), kPatience);
  QVERIFY2(banner->text().contains(sentence), qPrintable(banner->text()));
  QVERIFY2(banner->text().startsWith(file), qPrintable(banner->text()));
  QCOMPARE(banner->text().count(QLatin1Char('\n')), 0);
  QCOMPARE(window.outcome().table, before);
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive(), kPatience);
  QVERIFY(!window.view().timingCard()->isRunning());
  // The next table is made as ever.
  window.type("projectionSigma0Spin", "5");
  QVERIFY(window.waitForTable());
  QCOMPARE(window.table().projection.parameters.sigma0, 5.0);
}

/// The table that is shown has the new name, whether it was made, opened or is a connection of a file.
void TestProjectionTables::renamesAPopulationWithoutARun()
{
  const auto made = window.outcome().table;
  const QString file = path("names.npy");
  const auto* headline = find<QLabel>("projectionHeadline");
  int runs = window.runs();
  renamePopulation(0, "eye");
  QCOMPARE(window.runs(), runs);
  QCOMPARE(window.table().projection.source->name(), std::string("eye"));
  QVERIFY(areEqual(window.table(), *made));
  QVERIFY2(headline->text().contains(QStringLiteral("eye \u2192 colliculus")), qPrintable(headline->text()));

  writeTable(file);
  window->openFiles({file});
  QVERIFY(waitForOpening(file));
  runs = window.runs();
  renamePopulation(1, "tectum");
  QCOMPARE(window.runs(), runs);
  QCOMPARE(window.outcome().file, file.toStdString());
  QCOMPARE(window.table().projection.destination->name(), std::string("tectum"));
  QVERIFY(areEqual(window.table(), *made));

  openExample();
  window->openFiles({file});
  QVERIFY(waitForOpening(file));
  QCoreApplication::processEvents();
  const QString told = find<QLabel>("resultLabel")->text();
  QVERIFY2(told.startsWith("Read names"), qPrintable(told));
  find<QLabel>("resultLabel")->clear();
  renamePopulation(3, "retina");
  QCoreApplication::processEvents();
  QVERIFY(window.waitForTable());
  QVERIFY(find<QLabel>("resultLabel")->text().isEmpty()); // it was not read again
  QCOMPARE(window->project().connections.back().source, std::string("retina"));
  QCOMPARE(window.table().projection.source->name(), std::string("retina"));
  QVERIFY(areEqual(window.table(), *made));
}

/// The table's parameters come when its file is read; what a person has begun to choose since is newer.
void TestProjectionTables::keepsWhatIsDraggedWhileATableIsRead()
{
  window.type("projectionSigma0Spin", "2");
  QVERIFY(window.waitForTable());
  const QString file = path("while-dragging.npy");
  writeTable(file);
  window->openFiles({file});
  QVERIFY(waitForOpening(file)); // tables from files are not made anew while a slider is dragged
  auto* slider = find<QSlider>("projectionSigma0Slider");
  auto* spin = find<QDoubleSpinBox>("projectionSigma0Spin");
  window->openFiles({file});
  slider->setSliderDown(true);
  slider->setSliderPosition(slider->maximum());
  const double dragged = spin->value();
  QVERIFY(dragged > 2);
  QVERIFY(window.waitForTable()); // what was asked for last has come
  QCOMPARE(spin->value(), dragged);
  slider->setSliderDown(false);
  QVERIFY(window.waitForTable());
  QCOMPARE(spin->value(), dragged);
  QCOMPARE(window.table().projection.parameters.sigma0, dragged);
}

void TestProjectionTables::keepsWhatIsTypedWhileATableIsRead()
{
  window.type("projectionSigma0Spin", "2");
  QVERIFY(window.waitForTable());
  const QString file = path("while-typing.npy");
  writeTable(file);
  window.type("projectionSigma0Spin", "3");
  QVERIFY(window.waitForTable());
  auto* spin = find<QDoubleSpinBox>("projectionSigma0Spin");
  QVERIFY(window.focus(spin));
  window->openFiles({file});
  spin->selectAll();
  QTest::keyClicks(spin, "4.");
  QVERIFY(waitForOpening(file));
  QCOMPARE(spin->cleanText(), QStringLiteral("4."));
  QTest::keyClicks(spin, "5");
  QTest::keyClick(spin, Qt::Key_Return);
  QVERIFY(window.waitForTable());
  QCOMPARE(spin->value(), 4.5);
  QCOMPARE(window.table().projection.parameters.sigma0, 4.5);
}

/// What waits until the cells are solved is not forgotten where another page is seen at that moment.
void TestProjectionTables::opensATableThatWaitedUnseen()
{
  const QString file = path("waits.csv");
  writeTable(file);
  window->openFiles({file, dataFile("stellate.swc")});
  QVERIFY(window->jobs().isActive(kCells));
  window->showView(ViewKind::Morphology);
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive(), kPatience);
  QVERIFY(window->scene() && window->scene()->solution);
  QCOMPARE(window.outcome().file, file.toStdString());
}

HINESIGHT_TEST_RUN(runWindowTest<TestProjectionTables>)
#include "test_projection_tables.moc"
