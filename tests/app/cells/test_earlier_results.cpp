#include "app/app_fixture.hpp"
#include "app/cells/run_table_model.hpp"
#include "app/document/history.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/projection/projection_page.hpp"
#include "app/synapses/formation_page.hpp"
#include "app/window_fixture.hpp"
#include "model/session_file.hpp"
#include "paths/paths.hpp"
#include "study/circuit/circuit_study.hpp"
#include "test_main.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/projection/projection_view.hpp"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QListWidget>
#include <QPushButton>
#include <QTabWidget>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// What was computed once is there again when a person comes back to it, in the real main window.
class TestEarlierResults : public QObject, WindowFixture
{
  Q_OBJECT

  QTemporaryDir folder;

  void settle()
  {
    QCoreApplication::processEvents();
    QVERIFY(waitForJobs());
    QCoreApplication::processEvents();
  }
  void open(const QString& path)
  {
    window->openFiles({path});
    QTRY_VERIFY_WITH_TIMEOUT(!window->isOpening(), kPatience);
    settle();
  }
  void undo()
  {
    window->history().stack().undo();
    settle();
  }
  void redo()
  {
    window->history().stack().redo();
    settle();
  }
  void chooseConnection(int row)
  {
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    auto* list = find<QListWidget>("connectionList");
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(row)).center());
    settle();
  }
  int runs() const { return static_cast<int>(window->runs().runs().size()); }
  static QString example() { return tests::sourceFile("docs/example.hinesight"); }

private slots:
  void init()
  {
    QVERIFY(folder.isValid());
    window.reset();
    QVERIFY(showWindow());
    window->history().setMergeTime(0);
  }
  void cleanup() { window.reset(); }

  /// The very same table, and no run more.
  void aTableIsNotMadeAgain()
  {
    window->showView(ViewKind::Projection);
    settle();
    const auto tableNow = [this] { return window->projections().outcome().table; };
    const auto atFirst = tableNow();
    QVERIFY(atFirst);
    type("projectionSigmaMSpin", "20");
    settle();
    const auto edited = tableNow();
    QVERIFY(edited != atFirst);
    const int before = runs();
    undo();
    QCOMPARE(tableNow(), atFirst);
    redo();
    QCOMPARE(tableNow(), edited);
    QCOMPARE(runs(), before);
    const auto* panel = find<ConnectionPanel>("connectionPanel");
    QCOMPARE(panel->figuresOf(panel->shown())->rows, edited->rows());
    // A person who asks for it has it made again.
    QTest::keyClick(window.get(), Qt::Key_F5);
    settle();
    QVERIFY(tableNow() != edited);
    QCOMPARE(runs(), before + 1);
  }

  void synapsesAreNotFormedAgain()
  {
    window->showView(ViewKind::Synapses);
    settle();
    const auto networkNow = [this] { return window->synapses().outcome().formation; };
    const auto atFirst = networkNow();
    QVERIFY(atFirst);
    type("formationThetaSpin", "0.2");
    settle();
    const auto edited = networkNow();
    QVERIFY(edited != atFirst);
    const int before = runs();
    undo();
    QCOMPARE(networkNow(), atFirst);
    redo();
    QCOMPARE(networkNow(), edited);
    QCOMPARE(runs(), before);
  }

  /// The card says what that run took, and compares it with none.
  void cellsAreNotSolvedAgain()
  {
    open(dataFile("stellate.swc"));
    const auto* card = window->view(ViewKind::Morphology).timingCard();
    const auto solutionNow = [this] { return window->scene()->solution; };
    const auto atFirst = solutionNow();
    QVERIFY(atFirst);
    const std::size_t compartments = atFirst->x.size();
    const double took = card->timings().of("solve");
    type("copiesSpin", "30");
    settle();
    const auto edited = solutionNow();
    QVERIFY(edited != atFirst);
    const int before = runs();
    undo();
    QCOMPARE(solutionNow(), atFirst);
    QCOMPARE(card->timings().of("solve"), took);
    QCOMPARE(card->change(), QString());
    QCOMPARE(find<QDoubleSpinBox>("copiesSpin")->value(), 1.0);
    redo();
    QCOMPARE(solutionNow(), edited);
    QCOMPARE(runs(), before);
    // The next run begins where the fields say, not where the solver stopped.
    type("copiesSpin", "7");
    settle();
    QCOMPARE(window->scene()->solution->x.size(), 7 * compartments);
    QCOMPARE(runs(), before + 1);
  }

  /// A unit belongs to what was read.
  void anEarlierUnitHasItsOwnFigures()
  {
    open(dataFile("stellate.swc"));
    const double length = window->cells().cells()[0].metrics.totalLength;
    window->cells().setScale({0}, 0.5);
    settle();
    QCOMPARE(window->cells().cells()[0].metrics.totalLength, 0.5 * length);
    undo();
    QCOMPARE(window->cells().cells()[0].metrics.totalLength, length);
    redo();
    QCOMPARE(window->cells().cells()[0].metrics.totalLength, 0.5 * length);
  }

  /// What a page forms stands in the list of connections, as if all had been made.
  void aFormedConnectionHasItsFigures()
  {
    const study::Circuit circuit = study::makeCircuit(model::readSession(example().toStdString()).project);
    open(example());
    chooseConnection(3);
    const auto* panel = find<ConnectionPanel>("connectionPanel");
    QTRY_VERIFY_WITH_TIMEOUT(panel->figuresOf("local"), kPatience);
    const ConnectionFigures& figures = *panel->figuresOf("local");
    QCOMPARE(figures.rows, circuit.connections[3].rows);
    QCOMPARE(figures.synapses, circuit.connections[3].synapses);
    QCOMPARE(figures.joins.size(), circuit.connections[3].joins.size());
    QVERIFY(figures.joins == circuit.connections[3].joins);
    // Another one, and back: nothing is formed again.
    const auto network = window->synapses().outcome().formation;
    const int before = runsOf(io::RunKind::Formation);
    chooseConnection(0);
    chooseConnection(3);
    QTRY_COMPARE(window->synapses().outcome().formation, network);
    QCOMPARE(runsOf(io::RunKind::Formation), before);
  }

  /// Each connection is a run, and a double click on it brings its parameters back.
  void makingAllIsInTheHistory()
  {
    const model::Project project = model::readSession(example().toStdString()).project;
    open(example());
    const int before = runs();
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    click("makeConnections");
    settle();
    QCOMPARE(runs(), before + static_cast<int>(project.connections.size()));
    for (std::size_t k = 0; k < project.connections.size(); ++k) {
      const io::RunRecord& run = window->runs().runs()[static_cast<std::size_t>(before) + k];
      const bool isFormed = project.connections[k].kind == model::ConnectionKind::Formed;
      QCOMPARE(run.kind, isFormed ? io::RunKind::Formation : io::RunKind::Table);
      QVERIFY2(run.source.starts_with(project.connections[k].name + ": "), run.source.c_str());
    }
    chooseConnection(0);
    type("projectionSigmaSpin", "33");
    settle();
    QVERIFY(window->project().connections[0] != project.connections[0]);
    window->runs().restore(before);
    settle();
    QCOMPARE(window->project().connections[0], project.connections[0]);
  }

  /// What "Make all" made is seen without making it again, and it is what the page would make.
  void tablesOfMakingAllAreShownAtOnce()
  {
    const study::Circuit circuit = study::makeCircuit(model::readSession(example().toStdString()).project);
    open(example());
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    click("makeConnections");
    settle();
    const int before = runs();
    for (const int row : {1, 2, 0}) {
      chooseConnection(row);
      const ProjectionOutcome& shown = window->projections().outcome();
      const study::MadeConnection& made = circuit.connections[static_cast<std::size_t>(row)];
      QCOMPARE(runs(), before);
      QCOMPARE(shown.table->projection.source->name(),
               window->project().connections[static_cast<std::size_t>(row)].source);
      QCOMPARE(shown.table->offsets, made.table->offsets);
      QVERIFY(std::ranges::equal(shown.table->weight, made.table->weight));
      QCOMPARE(window->projections().view().timingCard()->timings().total(), shown.timings.total());
    }
  }

  /// Cells that were removed come back as they were read, also where their file is gone.
  void undoOfRemovingAllReadsNothing()
  {
    const QString copy = folder.filePath(QStringLiteral("copy.swc"));
    QVERIFY(QFile::copy(dataFile("stellate.swc"), copy));
    window->openFiles({copy, dataFile("bipolar.swc")});
    QTRY_VERIFY_WITH_TIMEOUT(!window->isOpening(), kPatience);
    settle();
    const auto read = window->cells().cells()[0].morphology;
    const auto solution = window->scene()->solution;
    QVERIFY(read && solution);
    window->cells().removeAll();
    settle();
    QVERIFY(window->cells().cells().empty());
    QVERIFY(QFile::remove(copy));
    const int before = runs();
    undo();
    QCOMPARE(window->cells().cells().size(), std::size_t{2});
    QCOMPARE(window->cells().cells()[0].morphology, read);
    QCOMPARE(window->scene()->solution, solution);
    QCOMPARE(runs(), before);
    type("copiesSpin", "3"); // solved again, of what was read
    settle();
    QVERIFY(!window->cells().cells()[0].error);
    QCOMPARE(window->scene()->solution->x.size(), 3 * solution->x.size());
  }

  void formingIsOneStep()
  {
    open(example());
    const int before = window->history().stack().count();
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    click("formConnection");
    auto* dialog = find<QDialog>("betweenDialog");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok), Qt::LeftButton);
    settle();
    QTRY_COMPARE_WITH_TIMEOUT(find<QListWidget>("connectionList")->count(), 5, kPatience);
    settle();
    settle(); // neurons, then their synapses
    QCOMPARE(window->history().stack().count(), before + 1);
    undo();
    QCOMPARE(find<QListWidget>("connectionList")->count(), 4);
  }

  /// The circuit that was open before is seen as it was.
  void undoingAnImportShowsTheNetworkOfBefore()
  {
    const study::Circuit circuit = study::makeCircuit(model::readSession(example().toStdString()).project);
    const QString exported = folder.filePath(QStringLiteral("circuit"));
    study::exportSonata(circuit, exported.toStdString());
    open(example());
    chooseConnection(3);
    const auto network = window->synapses().outcome().formation;
    QVERIFY(network && network->population->areaNames.size() == 2);
    open(exported + QStringLiteral("/circuit_config.json"));
    undo();
    window->showView(ViewKind::Synapses);
    settle();
    settle();
    QTRY_COMPARE_WITH_TIMEOUT(window->synapses().outcome().formation, network, kPatience);
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestEarlierResults>)

#include "test_earlier_results.moc"
