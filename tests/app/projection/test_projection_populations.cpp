#include "app/app_fixture.hpp"
#include "app/projection/projection_panel.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "tables_fixture.hpp"
#include "test_main.hpp"

#include <QAction>
#include <QCheckBox>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// Populations that files and open neurons place, how they are chosen, and questions about the size of a table, in the
/// real main window.
class TestProjectionPopulations : public QObject, TablesFixture
{
  Q_OBJECT

private Q_SLOTS:
  void init() { begin(); }
  void cleanup() { end(); }

  void placesAPopulationByATextFile();
  void placesAPopulationBySonataNodes();
  void projectsBetweenTheSomataOfOpenNeurons();
  void needsAnOpenNeuronForSomata();
  void choosesByTypingWhereLettersAreShortcuts();
  void searchesAnOpenListByTyping();
  void keepsAnOpenListWhenCellsAreRead();
  void keepsTheChosenPopulationsWhenAnotherGoes();
  void asksBeforeATableWithoutACut();
  void goesBackWhenTheSizeIsDeclined();
  void asksBeforeALargeTable();
  void offersSelfConnectionsOfOnePopulation();
  void saysThatProbabilitiesBelowZeroAreNone();
  void namesTheMeanWithItsDigits();
  void mapsOfThinLayersStayReadable();
};

void TestProjectionPopulations::placesAPopulationByATextFile()
{
  writeText(path("three.csv"), "x,y,z\n1,2,3\n20,5,6\n7,18,9\n");
  PopulationDialog* dialog = addPopulation("three", projection::PopulationKind::File);
  QVERIFY(dialog);
  // A file that is not there is refused where it is named.
  dialog->findChild<QLineEdit*>("populationFile")->setText(path("missing.csv"));
  QVERIFY(dialog->findChild<QLabel*>("populationProblem")->text().contains("no file"));
  QVERIFY(!dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->isEnabled());
  dialog->findChild<QLineEdit*>("populationFile")->setText(path("three.csv"));
  QVERIFY(!dialog->findChild<QComboBox*>("populationNodes")->isVisible());
  acceptDialog(*dialog);
  const auto listed = [this] { return find<QListWidget>("populationList")->item(2)->text(); };
  QVERIFY2(listed().endsWith("three.csv"), qPrintable(listed()));
  choose("projectionDestination", "three");
  QTRY_VERIFY2(listed().endsWith("three.csv, 3 neurons"), qPrintable(listed())); // which are read by now
  QCOMPARE(window.table().projection.destination->count(), std::uint64_t{3});
  QCOMPARE(window.table().projection.destination->position(2), (projection::Position{7, 18, 9}));
  QVERIFY(window.table().rows() > 0);
  // The neurons are on the canvas.
  for (const std::uint32_t neuron : {0u, 1u, 2u})
    QVERIFY(window.canvas().rect().contains(window.view().pixelOf(false, neuron).toPoint()));
}

void TestProjectionPopulations::placesAPopulationBySonataNodes()
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

void TestProjectionPopulations::projectsBetweenTheSomataOfOpenNeurons()
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

void TestProjectionPopulations::needsAnOpenNeuronForSomata()
{
  PopulationDialog* dialog = addPopulation("somata", projection::PopulationKind::Given);
  QVERIFY(dialog);
  QVERIFY(!dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->isEnabled());
  QVERIFY(dialog->findChild<QLabel*>("populationProblem")->text().contains("No neuron is open"));
  dialog->reject();
}

/// T shows and hides timings and 1 turns to another page, but not as letters of a name.
void TestProjectionPopulations::choosesByTypingWhereLettersAreShortcuts()
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

void TestProjectionPopulations::searchesAnOpenListByTyping()
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
void TestProjectionPopulations::keepsAnOpenListWhenCellsAreRead()
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
void TestProjectionPopulations::keepsTheChosenPopulationsWhenAnotherGoes()
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

void TestProjectionPopulations::asksBeforeATableWithoutACut()
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

void TestProjectionPopulations::goesBackWhenTheSizeIsDeclined()
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
void TestProjectionPopulations::asksBeforeALargeTable()
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

void TestProjectionPopulations::offersSelfConnectionsOfOnePopulation()
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

void TestProjectionPopulations::saysThatProbabilitiesBelowZeroAreNone()
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

void TestProjectionPopulations::namesTheMeanWithItsDigits()
{
  widgets::FanMap map("Fan-in", nullptr);
  QVERIFY(map.note().isEmpty());
  widgets::FanPicture picture;
  picture.levels = QImage(2, 2, QImage::Format_Indexed8);
  picture.mean = 0.25;
  map.setPicture(picture);
  QCOMPARE(map.note(), QString("mean 0.25"));
}

void TestProjectionPopulations::mapsOfThinLayersStayReadable()
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

HINESIGHT_TEST_RUN(runWindowTest<TestProjectionPopulations>)
#include "test_projection_populations.moc"
