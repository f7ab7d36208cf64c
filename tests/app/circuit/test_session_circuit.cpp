#include "app/app_fixture.hpp"
#include "app/document/history.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/projection/population_panel.hpp"
#include "app/projection/projection_page.hpp"
#include "app/projection/projection_panel.hpp"
#include "app/session_fixture.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/synapses/formation_page.hpp"
#include "app/typed_path.hpp"
#include "core/files.hpp"
#include "model/project_changes.hpp"
#include "model/session_file.hpp"
#include "paths/paths.hpp"
#include "study/circuit/circuit_study.hpp"
#include "test_main.hpp"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <QtTest>

#include <ostream>

using namespace hinesight;
using namespace hinesight::app;

/// Makes, changes and exports circuits in the real main window.
class TestSessionCircuit : public QObject, SessionFixture
{
  Q_OBJECT

private slots:
  void init()
  {
    QVERIFY(folder.isValid());
    QVERIFY(showWindow());
  }
  void cleanup() { window.reset(); }

  /// Those that no page shows, too.
  void allPartsFollowTheBackendOfAllPages()
  {
    writeFileAtomically(path("two.hinesight").toStdString(), [](std::ostream& stream) {
      stream << R"({"session": 1,
  "populations": [{"name": "E", "kind": "grid", "size": [5, 4, 1]}, {"name": "I", "kind": "grid", "size": [3, 2, 1]}],
  "connections": [{"name": "first", "kind": "formed", "between": ["E", "I"]},
                  {"name": "second", "kind": "formed", "between": ["E"]}],
  "simulate": {"tstop": 10}})";
    });
    open({path("two.hinesight")});
    const auto areAllOn = [&](Backend backend) {
      const model::Project now = window->project();
      return now.connections.size() == 2 && now.connections[0].formation.backend == backend &&
             now.connections[1].formation.backend == backend && now.simulate &&
             now.simulate->parameters.backend == backend && now.compute.backend == backend;
    };
    QVERIFY(areAllOn(Backend::Cpu));
    const int steps = window->history().stack().count();
    window->setBackend(Backend::Cuda);
    QVERIFY(areAllOn(Backend::Cuda));
    QTRY_COMPARE(window->history().stack().count(), steps + 1);
    find<QAction>("undoAction")->trigger();
    QVERIFY(areAllOn(Backend::Cpu));
    QVERIFY(waitForJobs());
  }

  /// Also those that the page Synapses begins with: they are not at random places then.
  void synapsesStayBetweenAPopulationThatIsRenamed()
  {
    writeFileAtomically(path("own.hinesight").toStdString(), [](std::ostream& stream) {
      stream << R"({"session": 1,
  "populations": [{"name": "E", "kind": "grid", "size": [5, 4, 1]}, {"name": "I", "kind": "grid", "size": [3, 2, 1]}]})";
    });
    open({path("own.hinesight")});
    window->showView(ViewKind::Synapses);
    QVERIFY(waitForJobs());
    const auto areas = [&] {
      const auto& formation = window->synapses().outcome().formation;
      return formation ? formation->population->areaNames : std::vector<std::string>();
    };
    QTRY_COMPARE_WITH_TIMEOUT(areas(), (std::vector<std::string>{"E", "I"}), kPatience);
    auto* panel = find<PopulationPanel>("populationPanel");
    emit panel->renamed("E", "pyramidal");
    std::vector<study::PopulationChoice> renamed = panel->populations();
    renamed[0].parameters.name = "pyramidal";
    panel->setPopulations(renamed);
    emit panel->changed();
    QTRY_COMPARE_WITH_TIMEOUT(areas(), (std::vector<std::string>{"pyramidal", "I"}), kPatience);
    QVERIFY(waitForJobs());
    QCOMPARE(window->project().form->source.populations, (std::vector<std::string>{"pyramidal", "I"}));
    find<QAction>("undoAction")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(areas(), (std::vector<std::string>{"E", "I"}), kPatience);
    QVERIFY(waitForJobs());
  }

  void synapsesAreFormedBetweenPopulations()
  {
    open({tests::sourceFile("docs/example.hinesight")});
    const model::Project before = window->project();
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    auto* list = find<QListWidget>("connectionList");
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(3)).center());
    QTRY_VERIFY_WITH_TIMEOUT(window->synapses().isVisible(), kPatience);
    QVERIFY(waitForJobs());
    const auto formation = [&] { return window->synapses().outcome().formation; };
    QCOMPARE(formation()->population->size(), std::size_t{500});
    QCOMPARE(formation()->population->areaNames, (std::vector<std::string>{"pyramidal", "basket"}));
    QCOMPARE(formation()->parameters.axons, 10);
    QVERIFY(newestOf(io::RunKind::Formation).source.starts_with("local: "));
    window->synapses().select(450); // of the second population
    window->synapses().settle();
    const QString words = find<QLabel>("neuronText")->text();
    QVERIFY2(words.contains("</b> of basket, inhibitory") && words.contains(" boxes as a whole") &&
                 !words.contains("cell"),
             qPrintable(words));
    window->synapses().select(std::nullopt);
    QVERIFY(window->project() == before);
    // What the page says of it is the connection's.
    type("formationThetaSpin", "0.2");
    QVERIFY(waitForJobs());
    QCOMPARE(window->project().connections[3].formation.search.theta, 0.2);
    QVERIFY(window->project().form == before.form);
    const auto shown = formation()->network;
    // Under another name it is the same connection.
    list->item(3)->setText(QStringLiteral("near"));
    QCoreApplication::processEvents();
    QCOMPARE(window->project().connections[3].name, std::string("near"));
    type("formationThetaSpin", "0.25");
    QVERIFY(waitForJobs());
    QCOMPARE(window->project().connections[3].formation.search.theta, 0.25);
    for (int k = 0; k < 2; ++k)
      find<QAction>("undoAction")->trigger();
    QVERIFY(waitForJobs());
    // The circuit is made of the same synapses.
    const study::Circuit circuit = study::makeCircuit(window->project());
    QCOMPARE(circuit.connections[3].rows, shown.synapses.size());
    find<QAction>("undoAction")->trigger();
    QVERIFY(waitForJobs());
    QCOMPARE(formation()->parameters.search.theta, 0.3);
    QCOMPARE(formation()->population->size(), std::size_t{500});
    QVERIFY(window->project() == before);
    // The neurons follow their population.
    auto* panel = find<PopulationPanel>("populationPanel");
    std::vector<study::PopulationChoice> fewer = panel->populations();
    fewer[2].parameters.count = 60;
    panel->setPopulations(fewer);
    emit panel->changed();
    QTRY_COMPARE_WITH_TIMEOUT(formation()->population->size(), std::size_t{460}, kPatience);
    // Another one, between one population.
    click("formConnection");
    QTRY_VERIFY(window->findChild<QDialog*>(QStringLiteral("betweenDialog")));
    for (const char* box : {"between_thalamus", "between_basket"})
      QTest::mouseClick(find<QCheckBox>(box), Qt::LeftButton, {}, {8, find<QCheckBox>(box)->height() / 2});
    QTest::mouseClick(find<QDialog>("betweenDialog")->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok),
                      Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(formation()->population->size(), std::size_t{400}, kPatience);
    QVERIFY(waitForJobs());
    QCOMPARE(window->project().connections[4].between, (std::vector<std::string>{"pyramidal"}));
    model::validate(window->project());
  }

  /// A folder may hold another circuit.
  void asksBeforeItReplacesFiles()
  {
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("mine")));
    QFile mine(path("mine/circuit_config.json"));
    QVERIFY(mine.open(QFile::WriteOnly));
    QVERIFY(mine.write("{}") == 2);
    mine.close();
    open({tests::sourceFile("docs/example.hinesight")});
    find<QAction>("exportCircuitAction")->trigger();
    const QPointer<QFileDialog> dialog = find<QFileDialog>("exportCircuitDialog");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    dialog->setDirectory(folder.path());
    dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(QStringLiteral("mine"));
    bool isAsked = false;
    QTimer answer;
    connect(&answer, &QTimer::timeout, this, [&] {
      if (auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
        isAsked = question->text().contains(QStringLiteral("mine"));
        question->button(QMessageBox::No)->click();
      }
    });
    answer.start(50);
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->buttons().front(), Qt::LeftButton);
    QVERIFY(isAsked);
    QVERIFY(dialog->isVisible());
    dialog->reject();
    QVERIFY(waitForJobs());
    QCOMPARE(QFileInfo(mine).size(), qint64{2});
    QVERIFY(!QFileInfo::exists(path("mine/network")));
  }

  /// Not into one that the list kept chosen when the beginning of the name was typed.
  void aCircuitIsExportedToTheFolderThatIsTyped()
  {
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("c")));
    open({tests::sourceFile("docs/example.hinesight")});
    find<QAction>("exportCircuitAction")->trigger();
    auto* dialog = find<QFileDialog>("exportCircuitDialog");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    QTRY_VERIFY_WITH_TIMEOUT(typedPath(*dialog, path("c")), kPatience);
    auto* list = dialog->findChild<QListView*>(QStringLiteral("listView"));
    QTRY_VERIFY_WITH_TIMEOUT(list->selectionModel()->hasSelection(), kPatience);
    {
      auto* line = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
      const QSignalBlocker unseen(line); // by the list
      line->setText(path("circuit typed"));
    }
    QCOMPARE(dialog->selectedFiles().value(0), QDir::cleanPath(path("c")));
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->buttons().front(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path("circuit typed/circuit_config.json")), kPatience);
    QVERIFY(waitForJobs());
    QVERIFY(QDir(path("c")).isEmpty());
  }

  /// A circuit that is exported by the menu opens again, with the same neurons and edges.
  void aCircuitIsExportedAndOpened()
  {
    open({tests::sourceFile("docs/example.hinesight")});
    find<QAction>("exportCircuitAction")->trigger();
    auto* dialog = find<QFileDialog>("exportCircuitDialog");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    dialog->setDirectory(folder.path()); // in which there is no folder "circuit" yet
    QVERIFY(!QFile::exists(path("circuit")));
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->buttons().front(), Qt::LeftButton);
    const QString config = path("circuit/circuit_config.json");
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(config), kPatience);
    QVERIFY(waitForJobs());
    newWindow();
    open({config});
    const model::Project imported = window->project();
    QCOMPARE(imported.cells.size(), std::size_t{1});
    QCOMPARE(imported.populations.size(), std::size_t{3});
    QCOMPARE(find<PopulationPanel>("populationPanel")->populations().size(), std::size_t{3});
    const study::Circuit circuit = study::makeCircuit(imported);
    const study::Circuit before =
        study::makeCircuit(model::readSession(tests::sourceFile("docs/example.hinesight").toStdString()).project);
    std::uint64_t edges = 0;
    std::uint64_t edgesBefore = 0;
    for (const io::CircuitEdges& each : circuit.edges)
      edges += each.targetOfRow.size();
    for (const io::CircuitEdges& each : before.edges)
      edgesBefore += each.targetOfRow.size();
    QCOMPARE(edges, edgesBefore);
  }

  /// Edges of an exported circuit, whose nodes are in other files, say which circuit to open; the page shows what it
  /// would show without them.
  void edgesWithoutNodesLeadToTheirCircuit()
  {
    const study::Circuit circuit =
        study::makeCircuit(model::readSession(tests::sourceFile("docs/example.hinesight").toStdString()).project);
    study::exportSonata(circuit, path("exported").toStdString());
    open({path("exported/network/feedforward_edges.h5")});
    const auto* banner = find<MessageBanner>("messageBanner");
    QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible(), kPatience);
    const QString config = path("exported/circuit_config.json");
    QVERIFY2(banner->text().contains(QStringLiteral("nodes \"thalamus\" and \"basket\"")) &&
                 banner->text().contains(config),
             qPrintable(banner->text()));
    QCOMPARE(banner->text().count(QLatin1Char('\n')), 0); // it is said once
    QTRY_VERIFY_WITH_TIMEOUT(window->projections().outcome().table, kPatience);
    QVERIFY(waitForJobs());
    QVERIFY(banner->isVisible()); // a table that is made mends nothing
    auto* remedy = find<QToolButton>("messageRemedy");
    QTRY_VERIFY(remedy->isVisible());
    QTest::mouseClick(remedy, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(window->project().populations.size(), std::size_t{3}, kPatience);
    QVERIFY(waitForJobs());
    QVERIFY2(!banner->text().contains(QStringLiteral("feedforward_edges.h5")), qPrintable(banner->text()));
    // Without a circuit that names it, the file says what is missing.
    QVERIFY(QFile::copy(path("exported/network/feedforward_edges.h5"), path("alone.h5")));
    open({path("alone.h5")});
    QTRY_VERIFY2_WITH_TIMEOUT(
        banner->text().contains(QStringLiteral("open the circuit_config.json that names this file")),
        qPrintable(banner->text()), kPatience);
    QTRY_VERIFY(!remedy->isVisible());
  }

  void connectionsAreAddedRenamedAndRemoved()
  {
    open({tests::sourceFile("docs/example.hinesight")});
    const model::Project before = window->project();
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    click("addConnection");
    QVERIFY(waitForJobs());
    auto* list = find<QListWidget>("connectionList");
    QCOMPARE(list->count(), 5);
    QCOMPARE(window->project().connections[4].name, std::string("thalamus_to_pyramidal"));
    QCOMPARE(window->project().connections[4].projection, before.connections[0].projection);
    const QPoint place = list->visualItemRect(list->item(4)).center();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, place);
    QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, place);
    auto* line = list->viewport()->findChild<QLineEdit*>();
    QVERIFY(line);
    QTest::keyClicks(line, QStringLiteral("again"));
    QTest::keyClick(line, Qt::Key_Return);
    QTRY_COMPARE(window->project().connections[4].name, std::string("again"));
    QCoreApplication::processEvents(); // the step is made
    list->setCurrentRow(0);
    click("removeConnection");
    QVERIFY(waitForJobs());
    QCoreApplication::processEvents();
    QCOMPARE(window->project().connections.size(), std::size_t{4});
    QCOMPARE(window->project().connections[0].name, std::string("feedforward"));
    QCOMPARE(find<ProjectionPanel>("projectionPanel")->request().parameters,
             window->project().connections[3].projection);
    // A population's name is that of its connections too.
    auto* panel = find<PopulationPanel>("populationPanel");
    emit panel->renamed("basket", "chandelier");
    std::vector<study::PopulationChoice> renamed = panel->populations();
    renamed[2].parameters.name = "chandelier";
    panel->setPopulations(renamed);
    emit panel->changed();
    QVERIFY(waitForJobs());
    QCoreApplication::processEvents();
    QCOMPARE(window->project().connections.size(), std::size_t{4});
    QCOMPARE(window->project().connections[0].target, std::string("chandelier"));
    QCOMPARE(window->project().populations[2].role, model::Role::Inhibitory);
    QStringList steps;
    for (int k = 1; k < window->history().stack().count(); ++k)
      steps << window->history().stack().text(k);
    QCOMPARE(steps.join(QStringLiteral("; ")),
             QStringLiteral("Add the connection thalamus_to_pyramidal; Rename thalamus_to_pyramidal to again; "
                            "Remove the connection input; Rename basket to chandelier and 3 more"));
    for (int k = 0; k < steps.size(); ++k)
      find<QAction>("undoAction")->trigger();
    QVERIFY(waitForJobs());
    const std::string differences = model::summarize(model::changesBetween(before, window->project()));
    QVERIFY2(differences.empty(), differences.c_str());
  }

  /// Until a person names it. It is the same connection then, and undo brings the name of before back.
  void anAddedConnectionIsNamedByItsEnds()
  {
    open({tests::sourceFile("docs/example.hinesight")});
    window->showView(ViewKind::Projection);
    QVERIFY(waitForJobs());
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    for (int k = 0; k < 2; ++k) {
      click("addConnection");
      QCoreApplication::processEvents(); // a step of its own
      QVERIFY(waitForJobs());
    }
    const auto nameOf = [&](std::size_t place) { return window->project().connections.at(place).name; };
    QCOMPARE(nameOf(4), std::string("thalamus_to_pyramidal"));
    QCOMPARE(nameOf(5), std::string("thalamus_to_pyramidal 2"));
    const auto* panel = find<ConnectionPanel>("connectionPanel");
    const auto joinFrom = [&](const char* population) {
      auto* from = find<QComboBox>("projectionSource");
      from->setCurrentIndex(from->findText(QLatin1String(population)));
      emit from->activated(from->currentIndex());
      QCoreApplication::processEvents(); // the step is made
    };
    joinFrom("basket");
    QVERIFY(waitForJobs());
    QCOMPARE(nameOf(4), std::string("thalamus_to_pyramidal"));
    QCOMPARE(nameOf(5), std::string("basket_to_pyramidal"));
    QCOMPARE(window->project().connections[5].source, std::string("basket"));
    QCOMPARE(panel->shown(), std::string("basket_to_pyramidal"));
    QVERIFY(panel->figuresOf("basket_to_pyramidal"));
    QCOMPARE(window->history().stack().undoText(),
             QStringLiteral("basket_to_pyramidal: From basket instead of thalamus"));
    find<QAction>("undoAction")->trigger();
    QVERIFY(waitForJobs());
    QCOMPARE(nameOf(5), std::string("thalamus_to_pyramidal 2"));
    QCOMPARE(panel->shown(), std::string("thalamus_to_pyramidal 2"));
    QVERIFY(panel->figuresOf("thalamus_to_pyramidal 2"));
    // The name of a population is in it too; what was made stays.
    auto* populations = find<PopulationPanel>("populationPanel");
    emit populations->renamed("thalamus", "relay");
    std::vector<study::PopulationChoice> renamed = populations->populations();
    renamed[0].parameters.name = "relay";
    populations->setPopulations(renamed);
    emit populations->changed();
    QVERIFY(waitForJobs());
    QCOMPARE(nameOf(4), std::string("relay_to_pyramidal"));
    QCOMPARE(nameOf(5), std::string("relay_to_pyramidal 2"));
    QCOMPARE(panel->shown(), std::string("relay_to_pyramidal 2"));
    QVERIFY(panel->figuresOf("relay_to_pyramidal"));
    QCOMPARE(nameOf(0), std::string("input"));
    // A name that a person gave stays.
    find<QListWidget>("connectionList")->item(5)->setText(QStringLiteral("mine"));
    QCoreApplication::processEvents();
    joinFrom("basket");
    QVERIFY(waitForJobs());
    QCOMPARE(nameOf(5), std::string("mine"));
    QCOMPARE(window->project().connections[5].source, std::string("basket"));
  }

  /// Where From and To of the new connection are chosen.
  void addingAConnectionOpensTheParameters()
  {
    auto* parameters = find<QDockWidget>("parametersDock");
    window->showView(ViewKind::Projection);
    if (parameters->isVisible())
      parameters->toggleViewAction()->trigger();
    QVERIFY(!parameters->isVisible());
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    click("addConnection");
    QVERIFY(waitForJobs());
    QVERIFY(parameters->isVisible());
    QVERIFY(find<QComboBox>("projectionSource")->isVisible());
  }

  /// The others stay as they are, also where the one that goes, or goes with a population, is the one that is shown.
  void removingAConnectionChangesNoOther_data()
  {
    QTest::addColumn<QString>("name");
    for (const char* name : {"input", "feedforward", "inhibition"})
      QTest::newRow(name) << QString::fromLatin1(name);
  }

  void removingAConnectionChangesNoOther()
  {
    QFETCH(QString, name);
    open({tests::sourceFile("docs/example.hinesight")});
    auto expected = window->project().connections;
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    auto* list = find<QListWidget>("connectionList");
    const auto items = list->findItems(name, Qt::MatchExactly);
    QCOMPARE(items.size(), qsizetype{1});
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(items.front()).center());
    QVERIFY(waitForJobs());
    const auto* panel = find<ConnectionPanel>("connectionPanel");
    QCOMPARE(panel->shown(), name.toStdString());
    click("removeConnection");
    QVERIFY(waitForJobs());
    QCoreApplication::processEvents();
    std::erase_if(expected, [&](const model::Connection& each) { return each.name == name.toStdString(); });
    QVERIFY(window->project().connections == expected);
    QCOMPARE(list->currentItem()->text().toStdString(), panel->shown());
  }

  /// The page of projections shows one always: a button that brings it back would seem to do nothing.
  void theOnlyProjectionStays()
  {
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    const auto* list = find<QListWidget>("connectionList");
    const auto* remove = find<QPushButton>("removeConnection");
    QCOMPARE(list->count(), 1);
    QVERIFY(!remove->isEnabled());
    click("addConnection");
    QVERIFY(waitForJobs());
    QTRY_COMPARE(list->count(), 2);
    QVERIFY(remove->isEnabled());
    click("removeConnection");
    QVERIFY(waitForJobs());
    QTRY_COMPARE(list->count(), 1);
    QVERIFY(!remove->isEnabled());
  }

  void removingAPopulationChangesNoOtherConnection()
  {
    open({tests::sourceFile("docs/example.hinesight")});
    const auto before = window->project().connections;
    auto* panel = find<PopulationPanel>("populationPanel");
    find<QTabWidget>("circuitTabs")->setCurrentIndex(0);
    auto* list = panel->findChild<QListWidget*>();
    list->setCurrentRow(0); // thalamus, from which the projection that is shown comes
    click("removePopulation");
    QVERIFY(waitForJobs());
    QCoreApplication::processEvents();
    auto expected = before;
    std::erase_if(expected, [](const model::Connection& each) {
      return each.source == "thalamus" || each.target == "thalamus" || std::ranges::count(each.between, "thalamus") > 0;
    });
    QVERIFY(!expected.empty() && expected.size() < before.size());
    QVERIFY(window->project().connections == expected);
    // What went with it is said until it is back.
    const auto* banner = find<MessageBanner>("messageBanner");
    QVERIFY2(banner->text().contains(QStringLiteral("Undo brings")), qPrintable(banner->text()));
    find<QAction>("undoAction")->trigger();
    QVERIFY(waitForJobs());
    QVERIFY(window->project().connections == before);
    QVERIFY2(!banner->text().contains(QStringLiteral("Undo brings")), qPrintable(banner->text()));
  }

  /// Add makes one like the chosen connection, and undo of it names that which is shown again.
  void addsOneLikeTheChosenConnection()
  {
    open({tests::sourceFile("docs/example.hinesight")});
    window->showView(ViewKind::Projection);
    QVERIFY(waitForJobs());
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    const model::Project before = window->project();
    const auto* headline = find<QLabel>("projectionHeadline");
    QTRY_VERIFY2(headline->text().contains(QStringLiteral("input:")), qPrintable(headline->text()));
    click("addConnection");
    QVERIFY(waitForJobs());
    QTRY_VERIFY2(headline->text().contains(QStringLiteral("thalamus_to_pyramidal:")), qPrintable(headline->text()));
    QCoreApplication::processEvents(); // the step is made
    QCOMPARE(window->history().stack().undoText(), QStringLiteral("Add the connection thalamus_to_pyramidal"));
    find<QAction>("undoAction")->trigger();
    QVERIFY(waitForJobs());
    QTRY_VERIFY2(headline->text().contains(QStringLiteral("input:")), qPrintable(headline->text()));
    auto* list = find<QListWidget>("connectionList");
    const auto local = static_cast<int>(std::ranges::find(before.connections, "local", &model::Connection::name) -
                                        before.connections.begin());
    QVERIFY(local < list->count());
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(local)).center());
    QVERIFY(waitForJobs());
    click("addConnection");
    QVERIFY(waitForJobs());
    QTRY_COMPARE(window->project().connections.size(), before.connections.size() + 1);
    model::Connection added = window->project().connections.back();
    added.name = "local";
    QVERIFY(added == before.connections[static_cast<std::size_t>(local)]);
  }

  /// Its synapses are those of before, and the list says so.
  void aFormedConnectionComesBackWithItsResult()
  {
    open({tests::sourceFile("docs/example.hinesight")});
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    click("formConnection");
    QTRY_VERIFY(window->findChild<QDialog*>(QStringLiteral("betweenDialog")));
    QTest::mouseClick(find<QDialog>("betweenDialog")->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok),
                      Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window->synapses().isVisible(), kPatience);
    QVERIFY(waitForJobs());
    auto* panel = find<ConnectionPanel>("connectionPanel");
    QTRY_VERIFY_WITH_TIMEOUT(panel->figuresOf("formed"), kPatience);
    const std::uint64_t synapses = panel->figuresOf("formed")->synapses;
    QVERIFY(synapses > 0);
    const auto shown = window->synapses().outcome().formation;
    window->showView(ViewKind::Projection); // which forms nothing again
    QVERIFY(waitForJobs());
    const int runs = runsOf(io::RunKind::Formation);
    find<QAction>("undoAction")->trigger();
    QVERIFY(waitForJobs());
    auto* list = find<QListWidget>("connectionList");
    QVERIFY(list->findItems(QStringLiteral("formed"), Qt::MatchExactly).isEmpty());
    find<QAction>("redoAction")->trigger();
    QVERIFY(waitForJobs());
    const auto found = list->findItems(QStringLiteral("formed"), Qt::MatchExactly);
    QCOMPARE(found.size(), 1);
    QVERIFY2(found.front()->toolTip().contains(QStringLiteral("synapses of ")), qPrintable(found.front()->toolTip()));
    QVERIFY(panel->figuresOf("formed"));
    QCOMPARE(panel->figuresOf("formed")->synapses, synapses);
    list->scrollToItem(found.front());
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(found.front()).center());
    QTRY_VERIFY_WITH_TIMEOUT(window->synapses().isVisible(), kPatience);
    QVERIFY(waitForJobs());
    QCOMPARE(window->synapses().outcome().formation, shown);
    QCOMPARE(runsOf(io::RunKind::Formation), runs);
  }

  /// What the page shows stays as it is, without a run.
  void anUnusedPopulationComputesNothing()
  {
    open({tests::sourceFile("docs/example.hinesight")});
    window->showView(ViewKind::Projection);
    QVERIFY(waitForJobs());
    const int runs = runsOf(io::RunKind::Table);
    auto* panel = find<PopulationPanel>("populationPanel");
    std::vector<study::PopulationChoice> more = panel->populations();
    more.push_back(more.front());
    more.back().parameters.name = "another";
    panel->setPopulations(more);
    emit panel->changed();
    QVERIFY(waitForJobs());
    QCoreApplication::processEvents();
    QCOMPARE(window->project().populations.size(), more.size());
    QCOMPARE(runsOf(io::RunKind::Table), runs);
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    auto* list = find<QListWidget>("connectionList");
    list->item(1)->setText(QStringLiteral("another name"));
    QVERIFY(waitForJobs());
    QCOMPARE(window->project().connections[1].name, std::string("another name"));
    QCOMPARE(runsOf(io::RunKind::Table), runs);
  }

  /// Names are names of files when the circuit is exported.
  void aNameThatWillNotDoIsRefused()
  {
    open({tests::sourceFile("docs/example.hinesight")});
    const auto before = window->project().connections;
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    auto* list = find<QListWidget>("connectionList");
    auto* banner = find<MessageBanner>("messageBanner");
    for (const char* name : {"a/b", "feedforward"}) {
      list->item(0)->setText(QString::fromLatin1(name));
      QTRY_VERIFY(banner->isVisible());
      QVERIFY2(banner->text().contains(QLatin1Char('"') + QString::fromLatin1(name) + QLatin1Char('"')),
               qPrintable(banner->text()));
      banner->dismiss();
      QCOMPARE(list->item(0)->text(), QStringLiteral("input"));
    }
    QVERIFY(window->project().connections == before);
  }

  /// They are no files, and every program knows them.
  void aCircuitOfSampleCellsIsMadeAndExported()
  {
    window->loadSamples();
    QVERIFY(waitForJobs());
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    click("makeConnections");
    QVERIFY(waitForJobs());
    QVERIFY2(!find<MessageBanner>("messageBanner")->isVisible(),
             qPrintable(find<MessageBanner>("messageBanner")->text()));
    const model::Project project = window->project();
    QCOMPARE(project.cells.size(), std::size_t{4});
    model::writeSession(project, path("with samples.hinesight").toStdString());
    const model::Project again = model::readSession(path("with samples.hinesight").toStdString()).project;
    QVERIFY(again.cells == project.cells);
    study::exportSonata(study::makeCircuit(again), path("of samples").toStdString());
    QVERIFY(QFile::exists(path("of samples/circuit_config.json")));
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestSessionCircuit>)
#include "test_session_circuit.moc"
