#include "app/app_fixture.hpp"
#include "app/cells/data_panel.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/projection/population_panel.hpp"
#include "app/projection/projection_page.hpp"
#include "app/projection/projection_panel.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/session_fixture.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/synapses/formation_page.hpp"
#include "core/files.hpp"
#include "model/session_file.hpp"
#include "paths/paths.hpp"
#include "study/circuit/circuit_study.hpp"
#include "test_main.hpp"
#include "widgets/projection/circuit_map.hpp"
#include "widgets/projection/projection_view.hpp"

#include <QAction>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QListWidget>
#include <QSettings>
#include <QTabWidget>
#include <QToolButton>
#include <QtTest>

#include <numeric>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

/// Saves and opens sessions in the real main window.
class TestSession : public QObject, SessionFixture
{
  Q_OBJECT

private slots:
  void init()
  {
    QVERIFY(folder.isValid());
    QVERIFY(showWindow());
  }
  void cleanup() { window.reset(); }

  /// What a person has made is there again in the next window.
  void isOpenedAsItWasSaved()
  {
    open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    window->cells().setScale({1}, 0.5);
    type("copiesSpin", "3");
    QVERIFY(waitForJobs());
    window->showView(ViewKind::Projection);
    QVERIFY(waitForJobs());
    type("projectionSigmaMSpin", "20");
    QVERIFY(waitForJobs());
    const auto rows = window->projections().outcome().table->rows();
    save("all.hinesight");
    const model::Project saved = model::readSession(path("all.hinesight").toStdString()).project;
    QCOMPARE(saved.cells.size(), std::size_t{2});
    QCOMPARE(saved.cells[1].scale, 0.5);
    QCOMPARE(saved.cells[1].hash, model::contentHash(dataFile("bipolar.swc").toStdString()));
    QCOMPARE(saved.populations.size(), std::size_t{2});
    QCOMPARE(saved.connections.size(), std::size_t{1});
    QCOMPARE(saved.connections[0].projection.sigmaM, 20.0);
    model::validate(saved);

    newWindow();
    window->showView(ViewKind::Projection);
    QVERIFY(waitForJobs());
    QVERIFY(window->projections().outcome().table);
    open({path("all.hinesight")});
    QCOMPARE(window->cells().rowCount(), 2);
    QCOMPARE(window->cells().cells()[1].source.scale, 0.5);
    QCOMPARE(window->parameters().batch.copies, 3);
    QTRY_COMPARE_WITH_TIMEOUT(window->projections().outcome().table->rows(), rows, kPatience);
    QCOMPARE(newestOf(io::RunKind::Solve).cells, std::size_t{6});
    save("again.hinesight");
    QCOMPARE(savedText("again.hinesight"), savedText("all.hinesight"));
  }

  /// Of branches and of cells, chosen by the keyboard in the next window.
  void keepsSets()
  {
    open({dataFile("stellate.swc"), dataFile("bipolar.swc"), dataFile("warned.swc")});
    auto* selected = window->findChild<BranchSelection*>();
    find<DataPanel>("dataPanel")->chooseCells({1, 2});
    selected->saveCellsAs(QStringLiteral("interneurons"));
    selected->selectWhere("type == axon");
    selected->saveAs(QStringLiteral("axons"));
    save("sets.hinesight");
    const model::Project saved = model::readSession(path("sets.hinesight").toStdString()).project;
    QCOMPARE(saved.selections, (std::vector<selection::NamedSelection>{{"interneurons", "", {"bipolar", "warned"}},
                                                                       {"axons", "type == axon"}}));
    newWindow();
    open({path("sets.hinesight")});
    find<DataPanel>("dataPanel")->chooseCells({0});
    find<QAction>("selectWhereAction")->trigger();
    auto* sets = find<QComboBox>("selectionSets");
    QVERIFY(sets->isVisible());
    sets->setFocus();
    QTest::keyClick(sets, Qt::Key_Down);
    QCOMPARE(find<DataPanel>("dataPanel")->chosenRows(), (std::vector<int>{1, 2}));
    save("sets again.hinesight");
    QVERIFY(model::readSession(path("sets again.hinesight").toStdString()).project.selections == saved.selections);
  }

  void aSetOfUnknownCellsIsWarnedOf()
  {
    const std::string cell = dataFile("stellate.swc").toStdString();
    writeFileAtomically(path("odd sets.hinesight").toStdString(), [&](std::ostream& stream) {
      stream << R"({"session": 1, "cells": [{"name": "a", "file": ")" << cell
             << R"("}], "selections": [{"name": "pair", "cells": ["a", "b"]}]})";
    });
    open({path("odd sets.hinesight")});
    const QString told = find<MessageBanner>("messageBanner")->text();
    QVERIFY2(told.contains(QStringLiteral("The set \"pair\" names the cell \"b\", which the session has not")),
             qPrintable(told));
    QCOMPARE(window->project().selections.at(0).cells, std::vector<std::string>{"a"});
  }

  /// The window shows one projection; the others, roles and pools are not lost.
  void keepsWhatTheWindowDoesNotShow()
  {
    const QString example = tests::sourceFile("docs/example.hinesight");
    open({example});
    QCOMPARE(window->cells().rowCount(), 1);
    QCOMPARE(find<PopulationPanel>("populationPanel")->populations().size(), std::size_t{3});
    save("example.hinesight");
    model::Project before = model::readSession(example.toStdString()).project;
    const model::Project after = model::readSession(path("example.hinesight").toStdString()).project;
    QVERIFY(after.populations == before.populations);
    QVERIFY(after.connections == before.connections);
    QVERIFY(after.solve == before.solve);
    QVERIFY(std::filesystem::equivalent(after.cells[0].file, before.cells[0].file));
    // A change of the shown projection is the only one.
    window->showView(ViewKind::Projection);
    QVERIFY(waitForJobs());
    type("projectionSigmaSpin", "90");
    QVERIFY(waitForJobs());
    save("changed.hinesight");
    const model::Project changed = model::readSession(path("changed.hinesight").toStdString()).project;
    QCOMPARE(changed.connections[0].projection.sigma, 90.0);
    before.connections[0].projection.sigma = 90;
    QVERIFY(changed.connections == before.connections);
  }

  /// Each connection of a session can be seen, and the list says what each came to.
  void showsEveryProjection()
  {
    open({tests::sourceFile("docs/example.hinesight")});
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    auto* list = find<QListWidget>("connectionList");
    const auto click = [&](int row) {
      QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(row)).center());
      QCoreApplication::processEvents();
      QVERIFY(waitForJobs());
    };
    const auto describes = [&](int row, const QString& part) {
      return list->item(row)->data(Qt::UserRole).toString().contains(part);
    };
    QCOMPARE(list->count(), 4);
    QVERIFY(describes(3, QStringLiteral("formed between pyramidal, basket")));
    const model::Project before = window->project();
    click(2);
    QVERIFY(window->projections().isVisible());
    const auto shown = [&] { return find<ProjectionPanel>("projectionPanel")->request(); };
    QCOMPARE(shown().source.parameters.name, std::string("basket"));
    QCOMPARE(shown().parameters.sigma, 60.0);
    const auto inhibition = window->projections().outcome().table->rows();
    QVERIFY(newestOf(io::RunKind::Table).source.starts_with("inhibition: basket")); // the list of runs says which
    QVERIFY(describes(2, QString::fromStdString(std::to_string(inhibition / 1000))));
    QVERIFY(window->project() == before); // to look at something changes nothing
    click(1);
    QCOMPARE(shown().destination.parameters.name, std::string("basket"));
    QVERIFY(describes(2, QStringLiteral("rows"))); // it is known still
    type("projectionDecaySpin", "90");
    QVERIFY(waitForJobs());
    QCOMPARE(window->project().connections[1].projection.decay, 90.0);
    QVERIFY(window->project().connections[2] == before.connections[2]);
    // All of them are made, the formed one too.
    this->click("makeConnections");
    QVERIFY(waitForJobs());
    for (int row = 0; row < 4; ++row)
      QVERIFY2(describes(row, row == 3 ? QStringLiteral("synapses of") : QStringLiteral("rows")),
               qPrintable(list->item(row)->text()));
    QVERIFY(describes(2, QString::fromStdString(std::to_string(inhibition / 1000))));
  }

  /// Populations of the circuit form synapses on the page Synapses.
  /// All connections are in one picture, with what each comes to; a click leads to one of them.
  void showsAllConnectionsTogether()
  {
    open({tests::sourceFile("docs/example.hinesight")});
    window->showView(ViewKind::Projection);
    QVERIFY(waitForJobs());
    auto* map = find<widgets::CircuitMap>("circuitMap");
    QVERIFY(!map->isVisible());
    const model::Project before = window->project();
    QTest::keyClick(window.get(), Qt::Key_A);
    QVERIFY(map->isVisible());
    QVERIFY(!window->projections().view().isVisible());
    QCOMPARE(map->picture().populations.size(), std::size_t{3});
    const auto joinsOf = [&](const char* name) {
      std::vector<widgets::CircuitPicture::Join> joins;
      for (const widgets::CircuitPicture::Join& join : map->picture().joins)
        if (join.connection == QLatin1String(name))
          joins.push_back(join);
      return joins;
    };
    QCOMPARE(joinsOf("input").size(), std::size_t{1});
    QVERIFY(joinsOf("input")[0].rows);                 // the page has made it
    QCOMPARE(joinsOf("local").size(), std::size_t{4}); // from two populations to two
    QVERIFY(waitForJobs());                            // the others, too
    QTest::mouseClick(find<QPushButton>("makeTogether"), Qt::LeftButton);
    QVERIFY(waitForJobs());
    QVERIFY(window->project() == before); // to look at something changes nothing
    const study::Circuit circuit = study::makeCircuit(before);
    for (const study::MadeConnection& made : circuit.connections) {
      const auto joins = joinsOf(made.name.c_str());
      QCOMPARE(joins.size(), made.edgesEnd - made.edgesBegin);
      for (std::size_t k = 0; k < joins.size(); ++k) {
        const io::CircuitEdges& edges = circuit.edges[made.edgesBegin + k];
        QCOMPARE(*joins[k].rows, static_cast<double>(edges.rows()));
        QCOMPARE(*joins[k].weight, std::accumulate(edges.weight.begin(), edges.weight.end(), 0.0));
        QCOMPARE(map->picture().populations[joins[k].source].name.toStdString(), edges.source);
        QCOMPARE(map->picture().populations[joins[k].target].name.toStdString(), edges.target);
      }
    }
    QVERIFY(*joinsOf("input")[0].weight > 0);
    QVERIFY(*joinsOf("inhibition")[0].weight < 0);
    // A session keeps it.
    save("together.hinesight");
    newWindow();
    open({path("together.hinesight")});
    map = find<widgets::CircuitMap>("circuitMap");
    QTRY_VERIFY(map->isVisible());
    // An arrow leads to its connection.
    const auto& joins = map->picture().joins;
    const auto place =
        std::ranges::find(joins, QStringLiteral("inhibition"), &widgets::CircuitPicture::Join::connection);
    QVERIFY(place != joins.end());
    QTest::mouseClick(map, Qt::LeftButton, {},
                      map->middleOf(static_cast<std::size_t>(place - joins.begin())).toPoint());
    QVERIFY(waitForJobs());
    QVERIFY(!map->isVisible());
    QCOMPARE(find<ConnectionPanel>("connectionPanel")->shown(), std::string("inhibition"));
    QCOMPARE(find<ProjectionPanel>("projectionPanel")->request().parameters.sigma, 60.0);
    // Names follow; a connection that is edited is made anew, with its new figures.
    QTest::keyClick(window.get(), Qt::Key_A);
    const double had = *joinsOf("inhibition")[0].rows;
    type("projectionSigmaSpin", "30");
    QVERIFY(waitForJobs());
    // A slow table waits for the end of the typing.
    QTRY_VERIFY_WITH_TIMEOUT(joinsOf("inhibition")[0].weight.value_or(0) < 0, kPatience);
    QVERIFY(*joinsOf("inhibition")[0].rows < had);
  }

  /// A file that was moved is found beside the session, else where a person says.
  void findsFilesThatWereMoved()
  {
    const auto copy = [&](const char* name, const QString& to) {
      QVERIFY(QDir().mkpath(QFileInfo(to).path()));
      QVERIFY(QFile::copy(dataFile(name), to));
    };
    copy("stellate.swc", path("moved/cells/stellate.swc"));
    copy("bipolar.swc", path("moved/cells/bipolar.swc"));
    open({path("moved/cells/stellate.swc"), path("moved/cells/bipolar.swc")});
    QVERIFY(QDir().mkpath(path("moved/work")));
    save("moved/work/moved.hinesight");
    // One lies beside the session now, the other one in another folder, beside one of its name.
    QVERIFY(QFile::rename(path("moved/cells/stellate.swc"), path("moved/work/stellate.swc")));
    QVERIFY(QDir().mkpath(path("moved/archive/of 2020")));
    QVERIFY(QFile::rename(path("moved/cells/bipolar.swc"), path("moved/archive/of 2020/bipolar.swc")));
    copy("warned.swc", path("moved/archive/bipolar.swc"));
    newWindow();
    open({path("moved/work/moved.hinesight")});
    QCOMPARE(window->cells().cells()[0].source.path, path("moved/work/stellate.swc").toStdString());
    QVERIFY(window->cells().cells()[0].morphology && !window->cells().cells()[1].morphology);
    QVERIFY(find<QLabel>("missingText")->isVisible());
    QVERIFY(find<QLabel>("missingText")->text().contains(QStringLiteral("bipolar.swc")));
    // What is missing is no reason to lose the rest.
    save("moved/work/again.hinesight");
    const auto again = model::readSession(path("moved/work/again.hinesight").toStdString());
    QCOMPARE(again.project.cells[1].hash, model::contentHash(path("moved/archive/of 2020/bipolar.swc").toStdString()));
    QCOMPARE(again.missing, std::vector<std::string>{path("moved/cells/bipolar.swc").toStdString()});

    click("missingAgree");
    auto* dialog = find<QFileDialog>("locateDialog");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    QTRY_VERIFY_WITH_TIMEOUT(typedPath(*dialog, path("moved/archive")), kPatience);
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->buttons().front(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!find<QLabel>("missingText")->isVisible(), kPatience);
    QVERIFY(waitForJobs());
    QCOMPARE(window->cells().cells()[1].source.path, path("moved/archive/of 2020/bipolar.swc").toStdString());
    QVERIFY(window->cells().cells()[1].morphology);
    find<QAction>("undoAction")->trigger();
    QVERIFY(waitForJobs());
    QVERIFY(!window->cells().cells()[1].morphology);
  }

  /// Before anything is saved, Save begins where a file was opened last, also by other means than a dialog.
  void dialogsBeginInTheFolderOfWhatWasOpened()
  {
    open({dataFile("stellate.swc")});
    QCOMPARE(find<QAction>("saveSessionAction")->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_S));
    QCOMPARE(find<QAction>("saveSessionAsAction")->shortcut(), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S));
    for (const char* kept : {"sessionFolder", "saveFolder"})
      QSettings().remove(QLatin1String(kept));
    find<QAction>("saveSessionAction")->trigger(); // it has no file yet
    auto* dialog = find<QFileDialog>("saveSessionDialog");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    QCOMPARE(dialog->directory(), QFileInfo(dataFile("stellate.swc")).dir());
    dialog->reject();
  }

  /// Whatever folder its text is saved in.
  void aCopiedSessionOpensFromAnyFolder()
  {
    open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    find<QAction>("copySessionAction")->trigger();
    QVERIFY(waitForJobs());
    const std::string text = QGuiApplication::clipboard()->text().toStdString();
    const QString other = path("another folder");
    QVERIFY(QDir().mkpath(other));
    const QString pasted = other + QStringLiteral("/pasted.hinesight");
    writeFileAtomically(pasted.toStdString(), [&](std::ostream& stream) { stream << text; });
    newWindow();
    open({pasted});
    QVERIFY2(!find<MessageBanner>("messageBanner")->isVisible(),
             qPrintable(find<MessageBanner>("messageBanner")->text()));
    QCOMPARE(window->cells().rowCount(), 2);
    for (const OpenCell& cell : window->cells().cells())
      QVERIFY(cell.morphology);
  }

  /// It says so once, however often it is asked for.
  void aCommandThatNeedsASessionSaysSo()
  {
    open({dataFile("stellate.swc")});
    auto* copy = find<QAction>("copyCommandAction");
    copy->trigger();
    const QString done = find<QLabel>("resultLabel")->text();
    window->showView(ViewKind::Benchmark);
    copy->trigger();
    auto* banner = find<MessageBanner>("messageBanner");
    const QString refusal = banner->text();
    QVERIFY2(refusal.contains(QStringLiteral("Save the session")), qPrintable(refusal));
    QVERIFY(find<QLabel>("resultLabel")->text() != done);
    banner->show(MessageBanner::Severity::Warning, QStringLiteral("Something else."));
    copy->trigger();
    QCOMPARE(banner->text().count(QStringLiteral("Save the session")), 1);
  }

  /// Once that is done, there is nothing to say any more.
  void aCommandThatNeedsASessionOffersToSaveIt()
  {
    open({dataFile("stellate.swc")});
    window->showView(ViewKind::Benchmark);
    find<QAction>("copyCommandAction")->trigger();
    auto* remedy = find<QToolButton>("messageRemedy");
    QTRY_VERIFY(remedy->isVisible());
    QTest::mouseClick(remedy, Qt::LeftButton);
    auto* dialog = find<QFileDialog>("saveSessionDialog");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    QTRY_VERIFY_WITH_TIMEOUT(typedPath(*dialog, path("offered.hinesight")), kPatience);
    auto* button = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save);
    QTRY_VERIFY(button->isEnabled());
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path("offered.hinesight")), kPatience);
    QVERIFY(waitForJobs());
    QTRY_VERIFY(!find<MessageBanner>("messageBanner")->isVisible());
    find<QAction>("copyCommandAction")->trigger();
    QVERIFY2(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("hinesight-cli run")),
             qPrintable(QGuiApplication::clipboard()->text()));
  }

  void opensCellsBesideASession()
  {
    open({dataFile("stellate.swc"), tests::sourceFile("docs/example.hinesight"), dataFile("bipolar.swc")});
    QCOMPARE(window->cells().rowCount(), 3);
    QVERIFY(window->cells().cells()[0].source.path.ends_with("synthetic_stellate.swc"));
    QCOMPARE(newestOf(io::RunKind::Solve).cells, std::size_t{300});
  }

  /// Into its circuit, in a step of its own.
  void opensATableBesideASession()
  {
    writeFileAtomically(path("bare.csv").toStdString(), [](std::ostream& stream) {
      stream << "# hinesight weight table\n# source: A\n# destination: B\n# sources: 2\n# destinations: 6\n# rows: 2\n"
                "pre,post,weight,delay\n0,1,1,1\n1,5,2,1\n";
    });
    open({path("bare.csv"), tests::sourceFile("docs/example.hinesight")});
    QTRY_COMPARE_WITH_TIMEOUT(window->project().connections.size(), std::size_t{5}, kPatience);
    QCOMPARE(window->project().connections.back().name, std::string("bare"));
    QVERIFY(waitForJobs());
    QCOMPARE(window->projections().outcome().table->rows(), std::uint64_t{2});
    find<QAction>("undoAction")->trigger();
    QVERIFY(waitForJobs());
    QCOMPARE(window->project().connections.size(), std::size_t{4});
    QCOMPARE(window->project().populations.size(), std::size_t{3});
  }

  /// Also where the page makes its projection in its place.
  void aTableThatIsRefusedIsNamed()
  {
    writeFileAtomically(path("slash.csv").toStdString(), [](std::ostream& stream) {
      stream
          << "# hinesight weight table\n# source: a/b\n# destination: B\n# sources: 2\n# destinations: 6\n# rows: 2\n"
             "pre,post,weight,delay\n0,1,1,1\n1,5,2,1\n";
    });
    open({path("slash.csv")});
    QTRY_VERIFY_WITH_TIMEOUT(window->projections().outcome().table, kPatience);
    QVERIFY(waitForJobs());
    const QString said = find<MessageBanner>("messageBanner")->text();
    QVERIFY2(said.contains(QStringLiteral("slash.csv")) && said.contains(QStringLiteral("needs a name")),
             qPrintable(said));
  }

  void aBrokenSessionLeavesWhatIsOpen()
  {
    open({dataFile("stellate.swc")});
    writeFileAtomically(path("broken.hinesight").toStdString(),
                        [](std::ostream& stream) { stream << "{\"session\":"; });
    open({path("broken.hinesight")});
    QVERIFY(find<MessageBanner>("messageBanner")->isVisible());
    QCOMPARE(window->cells().rowCount(), 1);
    writeFileAtomically(path("odd.hinesight").toStdString(), [](std::ostream& stream) {
      stream << R"({"session": 1, "rooms": [], "cells": [{"name": "gone", "file": "gone.swc"}]})";
    });
    open({path("odd.hinesight")});
    QCOMPARE(window->cells().rowCount(), 1);
    QVERIFY(window->cells().cells()[0].error); // marked, until the file is there
  }

  /// What was wrong with what was open is not told of what takes its place; what is wrong with the files that are
  /// opened is.
  void errorsEndWithWhatTheyAreOf()
  {
    const auto* banner = find<MessageBanner>("messageBanner");
    QFile broken(path("broken.npy"));
    QVERIFY(broken.open(QFile::WriteOnly) && broken.write("no table") > 0);
    broken.close();
    open({path("broken.npy")});
    QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible(), kPatience);
    QVERIFY(banner->text().contains(QStringLiteral("broken.npy")));
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("nothing")));
    const QString example = tests::sourceFile("docs/example.hinesight");
    open({path("nothing"), example});
    QVERIFY(banner->isVisible());
    QVERIFY2(!banner->text().contains(QStringLiteral("broken.npy")), qPrintable(banner->text()));
    QVERIFY2(banner->text().contains(QStringLiteral("is an empty folder")), qPrintable(banner->text()));
    open({example});
    QVERIFY2(!banner->isVisible(), qPrintable(banner->text()));
  }

  /// One name everywhere: that of the session, also where the file is closed and opened again.
  void cellsHaveTheNamesOfTheirSession()
  {
    open({tests::sourceFile("docs/example.hinesight")});
    const auto name = [&] { return window->cells().index(0).data().toString(); };
    QCOMPARE(name(), QStringLiteral("stellate"));
    const QString tip = window->cells().index(0).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(QStringLiteral("synthetic_stellate.swc")), qPrintable(tip));
    QVERIFY(window->scene() && !window->scene()->cells.empty());
    QCOMPARE(window->scene()->cells.front().name, std::string("stellate"));
    const QString file = QString::fromStdString(window->cells().cells().front().source.path);
    window->cells().remove(0);
    QCoreApplication::processEvents();
    open({file});
    QCOMPARE(name(), QStringLiteral("stellate"));
    QCOMPARE(window->project().cells.front().name, std::string("stellate"));
    // A cell of no session has that of its file.
    open({dataFile("bipolar.swc")});
    QCOMPARE(window->cells().index(1).data().toString(), QStringLiteral("bipolar"));
  }

  /// Two files of one name, and one whose name a session does not take, are called the same in the list and in the
  /// session.
  void cellsAreCalledAsTheListCallsThem()
  {
    QVERIFY(QDir(path("b")).mkpath(QStringLiteral(".")));
    const QStringList files{dataFile("stellate.swc"), path("b/stellate.swc"), path(".hidden.swc")};
    QVERIFY(QFile::copy(dataFile("bipolar.swc"), files[1]) && QFile::copy(dataFile("bipolar.swc"), files[2]));
    open(files);
    const QStringList names{QStringLiteral("stellate"), QStringLiteral("stellate 2"), QStringLiteral("hidden")};
    const auto areCalled = [&] {
      for (int row = 0; row < names.size(); ++row)
        if (window->cells().index(row).data().toString() != names[row] ||
            QString::fromStdString(window->project().cells[static_cast<std::size_t>(row)].name) != names[row])
          return false;
      return true;
    };
    QVERIFY(areCalled());
    save("names.hinesight");
    newWindow();
    open({path("names.hinesight")});
    QCOMPARE(window->cells().rowCount(), 3);
    QVERIFY(areCalled());
    window->cells().remove(0); // the others keep their names
    QCOMPARE(window->cells().index(0).data().toString(), names[1]);
    QCOMPARE(window->project().cells.front().name, names[1].toStdString());
  }

  /// The list has a file once.
  void aSecondCellOfAFileIsWarnedOf()
  {
    const std::string file = dataFile("stellate.swc").toStdString();
    writeFileAtomically(path("twice.hinesight").toStdString(), [&](std::ostream& stream) {
      stream << R"({"session": 1, "cells": [{"name": "left", "file": ")" << file << R"("},
  {"name": "right", "file": ")"
             << file << R"(", "move": [100, 0, 0]}],
  "populations": [{"name": "pair", "kind": "grid", "size": [2, 1, 1], "cells": ["left", "right"]}]})";
    });
    open({path("twice.hinesight")});
    QCOMPARE(window->cells().rowCount(), 1);
    const QString said = find<MessageBanner>("messageBanner")->text();
    QVERIFY2(said.contains(QStringLiteral("The cell right is left out, also of populations and of what is saved")),
             qPrintable(said));
    const model::Project opened = window->project();
    const model::Population* pair = model::findPopulation(opened, "pair");
    QVERIFY(pair);
    QCOMPARE(pair->cells, std::vector<std::string>{"left"});
  }

  void isOpenedUnderTheNameOfAnotherJsonFile()
  {
    open({dataFile("stellate.swc")});
    save("kept.json");
    newWindow();
    open({path("kept.json")});
    QCOMPARE(window->cells().rowCount(), 1);
    QVERIFY(window->cells().cells()[0].morphology);
  }

  /// Samples are no files; a session with one opens again.
  void samplesAreKept()
  {
    window->loadSamples();
    QTRY_COMPARE_WITH_TIMEOUT(window->cells().rowCount(), 4, kPatience);
    QVERIFY(waitForJobs());
    save("samples.hinesight");
    newWindow();
    open({path("samples.hinesight")});
    QCOMPARE(window->cells().rowCount(), 4);
    for (const OpenCell& cell : window->cells().cells())
      QVERIFY(cell.morphology);
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestSession>)
#include "test_session.moc"
