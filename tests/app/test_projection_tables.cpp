#include "app/cells/cell_controller.hpp"
#include "app/projection/projection_controller.hpp"
#include "projection_fixture.hpp"

#include "app/projection/connection_panel.hpp"
#include "app/projection/projection_panel.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "io/tables/projection_export.hpp"
#include "test_main.hpp"
#include "widgets/projection/projection_charts.hpp"

#include <QAbstractItemView>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTextStream>

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

void writeText(const QString& path, const char* text)
{
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(text);
}

} // namespace

/// Weight tables that are opened, populations that files and open neurons place, and questions about the size of a
/// table, in the real main window.
class TestProjectionTables : public QObject
{
  Q_OBJECT

private Q_SLOTS:
  /// Small populations, so that a table takes a few milliseconds.
  void init()
  {
    // Letters of a name belong together however slowly they come.
    QApplication::setKeyboardInputInterval(kPatience);
    QVERIFY(window.open(30));
  }
  void cleanup() { window.close(); }

  void exportsAndOpensEachFormat_data();
  void exportsAndOpensEachFormat();
  void opensADroppedTable();
  void opensATableBesideNeurons();
  void opensTablesAsConnectionsOfACircuit();
  void opensSeveralTablesWithoutASession();
  void putsNeuronsWithoutPositionsOnAGrid();
  void renamesAPopulationWithoutARun();
  void drawsNeuronsWithoutPositionsInRows();
  void saysWhatIsWrongWithATable_data();
  void saysWhatIsWrongWithATable();
  void placesAPopulationByATextFile();
  void placesAPopulationBySonataNodes();
  void projectsBetweenTheSomataOfOpenNeurons();
  void needsAnOpenNeuronForSomata();
  void choosesByTypingWhereLettersAreShortcuts();
  void searchesAnOpenListByTyping();
  void keepsAnOpenListWhenCellsAreRead();
  void keepsTheChosenPopulationsWhenAnotherGoes();
  void keepsWhatIsDraggedWhileATableIsRead();
  void keepsWhatIsTypedWhileATableIsRead();
  void opensATableThatWaitedUnseen();
  void asksBeforeATableWithoutACut();
  void goesBackWhenTheSizeIsDeclined();
  void asksBeforeALargeTable();
  void offersSelfConnectionsOfOnePopulation();
  void saysThatProbabilitiesBelowZeroAreNone();
  void namesTheMeanWithItsDigits();
  void mapsOfThinLayersStayReadable();

private:
  template <typename Widget>
  Widget* find(const char* name) const
  {
    return window.find<Widget>(name);
  }
  QString path(const char* name) const { return folder.filePath(QLatin1String(name)); }
  void writeTable(const QString& file) { io::exportTable(window.table(), file.toStdString()); }
  bool waitForOpening(const QString& file)
  {
    return QTest::qWaitFor([&] { return window.outcome().file == file.toStdString() && !window->jobs().isActive(); },
                           kPatience);
  }
  PopulationDialog* addPopulation(const char* name, projection::PopulationKind kind);
  /// In its dialog.
  void renamePopulation(int row, const char* name);
  void openExample();
  void acceptDialog(PopulationDialog& dialog);
  /// By the keyboard.
  void choose(const char* combo, const char* name);

  ProjectionWindow window;
  QTemporaryDir folder;
};

PopulationDialog* TestProjectionTables::addPopulation(const char* name, projection::PopulationKind kind)
{
  QTest::mouseClick(find<QPushButton>("addPopulation"), Qt::LeftButton);
  auto* dialog = find<PopulationDialog>("populationDialog");
  if (!QTest::qWaitForWindowExposed(dialog))
    return nullptr;
  auto* edit = dialog->findChild<QLineEdit*>("populationName");
  edit->selectAll();
  QTest::keyClicks(edit, name);
  auto* combo = dialog->findChild<QComboBox*>("populationKind");
  combo->setCurrentIndex(combo->findData(static_cast<int>(kind)));
  return dialog;
}

void TestProjectionTables::renamePopulation(int row, const char* name)
{
  find<QListWidget>("populationList")->setCurrentRow(row);
  find<QPushButton>("editPopulation")->click();
  auto* dialog = find<PopulationDialog>("populationDialog");
  QVERIFY(QTest::qWaitForWindowExposed(dialog));
  dialog->findChild<QLineEdit*>("populationName")->setText(QLatin1String(name));
  QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok), Qt::LeftButton);
  QTRY_VERIFY(!window->findChild<PopulationDialog*>());
  QVERIFY(window.waitForTable());
}

void TestProjectionTables::openExample()
{
  window->openFiles({QStringLiteral(HINESIGHT_TEST_DATA "/../../docs/example.hinesight")});
  QTRY_VERIFY_WITH_TIMEOUT(!window->isOpening(), kPatience);
  QVERIFY(window.waitForTable());
  window->showView(ViewKind::Projection);
  QVERIFY(window.waitForTable());
  QCOMPARE(window->project().connections.size(), std::size_t{4});
}

void TestProjectionTables::acceptDialog(PopulationDialog& dialog)
{
  const int before = find<QListWidget>("populationList")->count();
  QTest::mouseClick(dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok), Qt::LeftButton);
  QTRY_COMPARE(find<QListWidget>("populationList")->count(), before + 1);
  QVERIFY(window.waitForTable());
}

void TestProjectionTables::choose(const char* name, const char* population)
{
  auto* combo = find<QComboBox>(name);
  QVERIFY(window.focus(combo));
  QTest::keyClicks(combo, population);
  QCOMPARE(combo->currentText(), QLatin1String(population));
  QVERIFY(window.waitForTable());
}

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
  // The same file again is another connection between the same populations.
  window->openFiles({ab});
  QVERIFY(waitForOpening(ab));
  QVERIFY(keepsOthers(3));
  QCOMPARE(window->project().connections[6].name, std::string("ab 2"));
  QCOMPARE(window->project().populations.size(), before.populations.size() + 2);
  QTRY_VERIFY(find<QAction>("undoAction")->isEnabled());
  find<QAction>("undoAction")->trigger();
  QVERIFY(window.waitForTable());
  QVERIFY(keepsOthers(2));
  undo();
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

void TestProjectionTables::placesAPopulationByATextFile()
{
  writeText(path("three.csv"), "x,y,z\n1,2,3\n20,5,6\n7,18,9\n");
  PopulationDialog* dialog = addPopulation("three", projection::PopulationKind::File);
  QVERIFY(dialog);
  dialog->findChild<QLineEdit*>("populationFile")->setText(path("three.csv"));
  QVERIFY(!dialog->findChild<QComboBox*>("populationNodes")->isVisible());
  acceptDialog(*dialog);
  choose("projectionDestination", "three");
  QCOMPARE(window.table().projection.destination->count(), std::uint64_t{3});
  QCOMPARE(window.table().projection.destination->position(2), (projection::Position{7, 18, 9}));
  QVERIFY(window.table().rows() > 0);
  // The neurons are on the canvas.
  for (const std::uint32_t neuron : {0u, 1u, 2u})
    QVERIFY(window.canvas().rect().contains(window.view().pixelOf(false, neuron).toPoint()));
}

void TestProjectionTables::placesAPopulationBySonataNodes()
{
  const QString file = path("nodes.h5");
  writeTable(file); // two populations of nodes
  PopulationDialog* dialog = addPopulation("copy", projection::PopulationKind::File);
  QVERIFY(dialog);
  dialog->findChild<QLineEdit*>("populationFile")->setText(file);
  auto* nodes = dialog->findChild<QComboBox*>("populationNodes");
  QTRY_VERIFY_WITH_TIMEOUT(nodes->isVisible(), kPatience);
  QCOMPARE(nodes->count(), 2);
  nodes->setCurrentText("retina");
  QVERIFY(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->isEnabled());
  // A file that is none is refused where it is named.
  writeText(path("none.h5"), "nothing of the kind");
  dialog->findChild<QLineEdit*>("populationFile")->setText(path("none.h5"));
  const auto* problem = dialog->findChild<QLabel*>("populationProblem");
  QTRY_VERIFY_WITH_TIMEOUT(problem->text().contains("no HDF5 file"), kPatience);
  QVERIFY(!dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->isEnabled());
  dialog->findChild<QLineEdit*>("populationFile")->setText(file);
  QTRY_VERIFY_WITH_TIMEOUT(nodes->isVisible(), kPatience);
  nodes->setCurrentText("retina");
  acceptDialog(*dialog);
  choose("projectionDestination", "copy");
  const projection::Population& copy = *window.table().projection.destination;
  QCOMPARE(copy.count(), std::uint64_t{900});
  QCOMPARE(copy.position(31), window.table().projection.source->position(31));
  QCOMPARE(find<PopulationPanel>("populationPanel")->populations().back().nodes, std::string("retina"));
}

void TestProjectionTables::projectsBetweenTheSomataOfOpenNeurons()
{
  window->openFiles({dataFile("stellate.swc")});
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive() && window.runsOf(io::RunKind::Solve) == 1, kPatience);
  PopulationDialog* dialog = addPopulation("somata", projection::PopulationKind::Given);
  QVERIFY(dialog);
  const QString note = dialog->findChild<QLabel*>("populationNote")->text();
  QVERIFY2(note.startsWith("1 soma.") && note.contains("centre of its soma"), qPrintable(note));
  acceptDialog(*dialog);
  const QListWidgetItem* item = find<QListWidget>("populationList")->item(2);
  QVERIFY2(item->text().contains("1 soma"), qPrintable(item->text()));
  QVERIFY2(item->toolTip().contains("centre of its soma"), qPrintable(item->toolTip()));
  choose("projectionDestination", "somata");
  QCOMPARE(window.table().projection.destination->count(), std::uint64_t{1});
  const auto& soma = window->cells().cells().front().morphology->somaCentre;
  QCOMPARE(window.table().projection.destination->position(0), (projection::Position{soma[0], soma[1], soma[2]}));

  // Another neuron that is opened is in the population, one that is closed is not; each time the table is made anew.
  writeText(path("far.swc"), "1 1 30 20 10 5 -1\n2 3 40 20 10 1 1\n3 3 60 20 10 1 2\n");
  window->openFiles({path("far.swc")});
  QTRY_COMPARE_WITH_TIMEOUT(window.table().projection.destination->count(), std::uint64_t{2}, kPatience);
  QCOMPARE(window.table().projection.destination->position(1), (projection::Position{30, 20, 10}));
  QVERIFY(find<QListWidget>("populationList")->item(2)->text().contains("2 somata"));
  // Not while something else is looked at, but when the page is shown again.
  window->showView(ViewKind::Morphology);
  window->cells().remove(0);
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive(), kPatience);
  QCOMPARE(window.table().projection.destination->count(), std::uint64_t{2});
  window->showView(ViewKind::Projection);
  QTRY_COMPARE_WITH_TIMEOUT(window.table().projection.destination->count(), std::uint64_t{1}, kPatience);
  QCOMPARE(window.table().projection.destination->position(0), (projection::Position{30, 20, 10}));

  // Without an open neuron there is no population, which is said.
  window->cells().removeAll();
  QTRY_VERIFY_WITH_TIMEOUT(find<MessageBanner>("messageBanner")->isVisible(), kPatience);
  QVERIFY2(find<MessageBanner>("messageBanner")->text().contains("no neuron is open"),
           qPrintable(find<MessageBanner>("messageBanner")->text()));
}

void TestProjectionTables::needsAnOpenNeuronForSomata()
{
  PopulationDialog* dialog = addPopulation("somata", projection::PopulationKind::Given);
  QVERIFY(dialog);
  QVERIFY(!dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->isEnabled());
  QVERIFY(dialog->findChild<QLabel*>("populationProblem")->text().contains("No neuron is open"));
  dialog->reject();
}

/// T shows and hides timings and 1 turns to another page, but not as letters of a name.
void TestProjectionTables::choosesByTypingWhereLettersAreShortcuts()
{
  window.usePopulations({gridPopulation("retina", 8), gridPopulation("v1", 9), gridPopulation("three", 10)});
  QVERIFY(window.waitForTable());
  choose("projectionDestination", "three");
  QVERIFY(find<QAction>("overlayAction")->isChecked());
  QCOMPARE(window.table().projection.destination->name(), std::string("three"));
  choose("projectionSource", "v1");
  QVERIFY(window->projections().isVisible());
  QCOMPARE(window.table().projection.source->name(), std::string("v1"));
  // A letter that no name begins with is a shortcut as ever.
  const widgets::ThemeMode before = widgets::theme().mode;
  QApplication::setKeyboardInputInterval(0);
  QTest::keyClick(find<QComboBox>("projectionSource"), Qt::Key_D);
  QVERIFY(widgets::theme().mode != before);
  QCOMPARE(find<QComboBox>("projectionSource")->currentText(), QStringLiteral("v1"));
}

void TestProjectionTables::searchesAnOpenListByTyping()
{
  window.usePopulations({gridPopulation("retina", 8), gridPopulation("colliculus", 9), gridPopulation("three", 10)});
  QVERIFY(window.waitForTable());
  auto* combo = find<QComboBox>("projectionDestination");
  QVERIFY(window.focus(combo));
  combo->showPopup();
  QVERIFY(QTest::qWaitForWindowExposed(combo->view()->window()));
  const widgets::ThemeMode before = widgets::theme().mode;
  QTest::keyClick(combo->view(), Qt::Key_D); // no name
  QVERIFY(widgets::theme().mode == before);
  combo->view()->keyboardSearch({});
  QTest::keyClicks(combo->view(), "three");
  QVERIFY(find<QAction>("overlayAction")->isChecked());
  QTest::keyClick(combo->view(), Qt::Key_Return);
  QCOMPARE(combo->currentText(), QStringLiteral("three"));
  QVERIFY(window.waitForTable());
  QCOMPARE(window.table().projection.destination->name(), std::string("three"));
}

/// Cells come when their files are read, which is no reason to forget how far a person has come in a list.
void TestProjectionTables::keepsAnOpenListWhenCellsAreRead()
{
  study::PopulationChoice somata;
  somata.parameters.name = "somata";
  somata.parameters.kind = projection::PopulationKind::Given;
  somata.isSomata = true;
  auto* panel = find<PopulationPanel>("populationPanel");
  panel->setSomata({{"a.swc", {1, 2, 3}}});
  window.usePopulations({gridPopulation("retina", 8), gridPopulation("colliculus", 9), somata});
  QVERIFY(window.waitForTable());
  auto* combo = find<QComboBox>("projectionDestination");
  QVERIFY(window.focus(combo));
  combo->showPopup();
  QVERIFY(QTest::qWaitForWindowExposed(combo->view()->window()));
  QTest::keyClick(combo->view(), Qt::Key_End);
  panel->setSomata({{"a.swc", {1, 2, 3}}, {"b.swc", {4, 5, 6}}});
  QVERIFY(combo->itemData(2, Qt::ToolTipRole).toString().contains("2 somata"));
  QCOMPARE(combo->view()->currentIndex().row(), 2);
  QTest::keyClick(combo->view(), Qt::Key_Return);
  QCOMPARE(combo->currentText(), QStringLiteral("somata"));
}

/// Not what stands at their places afterwards.
void TestProjectionTables::keepsTheChosenPopulationsWhenAnotherGoes()
{
  window.usePopulations({gridPopulation("first", 8), gridPopulation("retina", 9), gridPopulation("colliculus", 10),
                         gridPopulation("last", 11)});
  QVERIFY(window.waitForTable());
  choose("projectionSource", "retina");
  choose("projectionDestination", "colliculus");
  find<QListWidget>("populationList")->setCurrentRow(0);
  QTest::mouseClick(find<QPushButton>("removePopulation"), Qt::LeftButton);
  QVERIFY(window.waitForTable());
  QCOMPARE(find<QComboBox>("projectionSource")->currentText(), QStringLiteral("retina"));
  QCOMPARE(find<QComboBox>("projectionDestination")->currentText(), QStringLiteral("colliculus"));
  QCOMPARE(window.table().projection.source->count(), std::uint64_t{81});
  QCOMPARE(window.table().projection.destination->count(), std::uint64_t{100});
  // Another name makes it no other one.
  std::vector<study::PopulationChoice> renamed = find<PopulationPanel>("populationPanel")->populations();
  renamed[1].parameters.name = "tectum";
  window.usePopulations(renamed);
  QVERIFY(window.waitForTable());
  QCOMPARE(find<QComboBox>("projectionDestination")->currentText(), QStringLiteral("tectum"));
  QCOMPARE(find<QComboBox>("projectionSource")->currentText(), QStringLiteral("retina"));
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

void TestProjectionTables::asksBeforeATableWithoutACut()
{
  const auto before = window.outcome().table;
  window.type("projectionCutSpin", "0");
  auto* question = find<QuestionBar>("questionBar");
  QTRY_VERIFY_WITH_TIMEOUT(question->isVisible(), kPatience);
  QVERIFY(!find<MessageBanner>("messageBanner")->isVisible());
  QCOMPARE(window.outcome().table, before);
  QVERIFY(!window->jobs().isActive());
  QVERIFY(!find<QWidget>("jobPanel")->isVisible());
  // Every pair: 30 x 30 neurons are nearer to one another than the kernel underflows.
  QVERIFY2(question->text().contains(widgets::formatNumber(900.0 * 900.0) + " rows"), qPrintable(question->text()));
  QVERIFY2(question->text().contains("6.49 MB"), qPrintable(question->text()));
  QTest::mouseClick(find<QPushButton>("questionAgree"), Qt::LeftButton);
  QVERIFY(window.waitForTable());
  QVERIFY(!question->isVisible());
  QCOMPARE(window.table().rows(), std::uint64_t{900 * 900});
  // What was agreed to is not asked again, what is larger is.
  window.type("projectionSigma0Spin", "4");
  QVERIFY(window.waitForTable());
  QCOMPARE(window.table().projection.parameters.sigma0, 4.0);
  QVERIFY(!question->isVisible());
  window.usePopulations(35);
  QTRY_VERIFY_WITH_TIMEOUT(question->isVisible(), kPatience);
  QVERIFY(question->text().contains(widgets::formatNumber(1225.0 * 1225.0)));
  // A cut answers it too.
  window.type("projectionCutSpin", "0.01");
  QVERIFY(window.waitForTable());
  QVERIFY(!question->isVisible());
  QCOMPARE(window.table().projection.parameters.cut, 0.01);
}

void TestProjectionTables::goesBackWhenTheSizeIsDeclined()
{
  const auto before = window.outcome().table;
  window.type("projectionCutSpin", "0");
  auto* question = find<QuestionBar>("questionBar");
  QTRY_VERIFY_WITH_TIMEOUT(question->isVisible(), kPatience);
  QTest::mouseClick(find<QPushButton>("questionDecline"), Qt::LeftButton);
  QVERIFY(!question->isVisible());
  QCOMPARE(find<QDoubleSpinBox>("projectionCutSpin")->value(), before->projection.parameters.cut);
  QCOMPARE(window.outcome().table, before);
  // So many pairs are not counted before the question.
  window.usePopulations(2000);
  window.type("projectionCutSpin", "0");
  QTRY_VERIFY_WITH_TIMEOUT(question->isVisible(), kPatience);
  QVERIFY2(question->text().contains("16,000,000,000,000 pairs"), qPrintable(question->text()));
  QVERIFY(!find<QPushButton>("questionAgree")->isEnabled()); // 128 TB
}

/// Whatever the kernel and its cut.
void TestProjectionTables::asksBeforeALargeTable()
{
  const auto before = window.outcome().table;
  auto* panel = find<ProjectionPanel>("projectionPanel");
  projection::ProjectionParameters parameters;
  parameters.kernel = projection::KernelKind::AllToAll;
  panel->setParameters(parameters);
  window.usePopulations(200);
  auto* question = find<QuestionBar>("questionBar");
  QTRY_VERIFY_WITH_TIMEOUT(question->isVisible(), kPatience);
  QVERIFY2(question->text().startsWith("The table has 1,600,000,000 rows (12.8 GB)."), qPrintable(question->text()));
  QCOMPARE(window.outcome().table, before);
  // A small one of the same kernel is made unasked.
  window.usePopulations(20);
  QVERIFY(window.waitForTable());
  QVERIFY(!question->isVisible());
  QCOMPARE(window.table().rows(), std::uint64_t{160'000});
  // Too many to count.
  window.usePopulations(2000);
  QTRY_VERIFY_WITH_TIMEOUT(question->isVisible(), kPatience);
  QVERIFY2(question->text().startsWith("All of the 16,000,000,000,000 pairs have a row (128 TB)."),
           qPrintable(question->text()));
  QVERIFY2(question->text().endsWith("choose a higher weight threshold or smaller populations."),
           qPrintable(question->text()));
}

void TestProjectionTables::offersSelfConnectionsOfOnePopulation()
{
  auto* self = find<QCheckBox>("projectionSelfConnectionsCheck");
  QVERIFY(!self->isVisibleTo(find<ProjectionPanel>("projectionPanel")));
  choose("projectionDestination", "retina");
  QVERIFY(window.waitForTable());
  QVERIFY(self->isVisibleTo(find<ProjectionPanel>("projectionPanel")));
  const auto rows = window.table().rows();
  self->click();
  QVERIFY(window.waitForTable());
  QCOMPARE(window.table().rows(), rows - 900);
  // Between two populations nothing is left out.
  auto* destination = find<QComboBox>("projectionDestination");
  const int other = destination->findText("colliculus");
  destination->setCurrentIndex(other);
  emit destination->activated(other);
  QVERIFY(window.waitForTable());
  QCOMPARE(window.table().rows(), rows);
  QVERIFY(!self->isVisibleTo(find<ProjectionPanel>("projectionPanel")));
}

void TestProjectionTables::saysThatProbabilitiesBelowZeroAreNone()
{
  const auto* headline = find<QLabel>("projectionHeadline");
  QVERIFY(!headline->text().contains("below 0"));
  auto* panel = find<ProjectionPanel>("projectionPanel");
  projection::ProjectionParameters parameters;
  parameters.kernel = projection::KernelKind::Gabor;
  parameters.rule = projection::ConnectionRule::Random;
  panel->setParameters(parameters);
  emit panel->edited(true);
  QVERIFY(window.waitForTable());
  QVERIFY2(headline->text().contains("The gabor is below 0 for "), qPrintable(headline->text()));
}

void TestProjectionTables::namesTheMeanWithItsDigits()
{
  widgets::FanMap map("Fan-in", nullptr);
  QVERIFY(map.note().isEmpty());
  widgets::FanPicture picture;
  picture.levels = QImage(2, 2, QImage::Format_Indexed8);
  picture.mean = 0.25;
  map.setPicture(picture);
  QCOMPARE(map.note(), QString("mean 0.25"));
}

void TestProjectionTables::mapsOfThinLayersStayReadable()
{
  widgets::FanMap map("Fan-in", nullptr);
  widgets::FanPicture picture;
  picture.highest = 247;
  const double line = map.fontMetrics().height();
  for (const QSize& pixels : {QSize(96, 1), QSize(1, 96), QSize(40, 40)}) {
    picture.levels = QImage(pixels, QImage::Format_Indexed8);
    picture.levels.fill(0);
    map.setPicture(picture);
    for (const QSize& size : {QSize(300, 240), QSize(150, 150)}) {
      map.resize(size);
      const QRectF place = map.pictureRect();
      QVERIFY(place.height() >= 2 * line && place.width() >= 2 * line);
      QVERIFY(map.labelsBothEnds());
      QVERIFY(QRectF(map.rect()).contains(place) && QRectF(map.rect()).contains(map.barRect()));
      QVERIFY(place.bottom() + line <= map.height()); // the name of the axis has room
    }
  }
  map.resize(150, static_cast<int>(3 * line)); // no room for two labels
  QVERIFY(!map.labelsBothEnds());
  QVERIFY(map.toolTip().contains("along z"));
}

HINESIGHT_TEST_RUN(runWindowTest<TestProjectionTables>)
#include "test_projection_tables.moc"
