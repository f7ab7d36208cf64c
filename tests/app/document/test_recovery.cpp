#include "app/app_fixture.hpp"
#include "app/cells/data_panel.hpp"
#include "app/document/autosave.hpp"
#include "app/history_fixture.hpp"
#include "app/measure/measure_page.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "core/files.hpp"
#include "model/project_changes.hpp"
#include "model/session_file.hpp"
#include "test_main.hpp"
#include "widgets/cells/view.hpp"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QMenu>
#include <QtTest>

#include <optional>
#include <string>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

/// What windows had open that were killed or closed is offered in the next one.
class TestRecovery : public QObject, HistoryFixture
{
  Q_OBJECT

  void keepOpen() { window->keepOpenIn(path("state")); }
  void nextWindow()
  {
    QVERIFY(newWindow());
    keepOpen();
  }

private slots:
  void init() { QVERIFY(QDir(path("state")).removeRecursively() && newWindow()); }
  void cleanup() { window.reset(); }

  /// The window of a program that was killed.
  void whatAKilledWindowHadOpenIsOffered()
  {
    keepOpen();
    QVERIFY(!find<QuestionBar>("recoveryBar")->isVisible());
    open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    type("copiesSpin", "4");
    settle();
    const model::Project had = window->history().project();
    const QDir state(path("state"));
    const auto written = [&]() -> std::optional<model::Project> {
      for (const QString& name : state.entryList({QStringLiteral("window-*.hinesight")}, QDir::Files))
        return model::readSession(state.filePath(name).toStdString()).project;
      return std::nullopt;
    };
    QTRY_VERIFY_WITH_TIMEOUT(written() && written()->solve.batch.copies == 4, kPatience);
    const QString file = state.entryList({QStringLiteral("window-*.hinesight")}, QDir::Files).value(0);
    QVERIFY(QFile::copy(state.filePath(file), state.filePath(QStringLiteral("window-1-7.hinesight"))));

    // One that ends as it should leaves no more than the last session.
    window->close();
    QCOMPARE(state.entryList({QStringLiteral("*.hinesight")}, QDir::Files),
             (QStringList{QStringLiteral("last.hinesight"), QStringLiteral("window-1-7.hinesight")}));

    nextWindow();
    auto* bar = find<QuestionBar>("recoveryBar");
    QVERIFY(bar->isVisible());
    // What every window begins with is not counted.
    QVERIFY2(bar->text().endsWith(QStringLiteral(". 2 files of cells were open.")), qPrintable(bar->text()));
    click("recoveryAgree");
    settle();
    QVERIFY(!bar->isVisible());
    const std::string differences = model::summarize(model::changesBetween(had, window->history().project()));
    QVERIFY2(differences.empty(), differences.c_str());
    QVERIFY(window->history().project() == had);
    QCOMPARE(window->runs().runs().back().cells, std::size_t{8});
    QVERIFY(!QFile::exists(state.filePath(QStringLiteral("window-1-7.hinesight"))));
    undo();
    QCOMPARE(window->cells().rowCount(), 0);
    redo();
    window->close();

    nextWindow();
    QVERIFY(!find<QuestionBar>("recoveryBar")->isVisible());
    find<QAction>("lastAction")->trigger();
    settle();
    QVERIFY(window->history().project() == had);
    QCOMPARE(window->windowTitle(), QStringLiteral("stellate, bipolar - Hinesight")); // no file is its own
  }

  /// A button beside Restore loses nothing.
  void whatIsNotRestoredNowIsTheLastSession()
  {
    keepOpen();
    open({dataFile("stellate.swc")});
    const QDir state(path("state"));
    QTRY_VERIFY_WITH_TIMEOUT(!state.entryList({QStringLiteral("window-*.hinesight")}, QDir::Files).isEmpty(),
                             kPatience);
    window->close();
    QVERIFY(QFile::rename(state.filePath(QStringLiteral("last.hinesight")),
                          state.filePath(QStringLiteral("window-1-7.hinesight"))));
    nextWindow();
    QVERIFY(find<QuestionBar>("recoveryBar")->isVisible());
    QVERIFY(!find<QAction>("lastAction")->isEnabled());
    click("recoveryDecline");
    QVERIFY(!find<QuestionBar>("recoveryBar")->isVisible());
    QVERIFY(find<QAction>("lastAction")->isEnabled());
    find<QAction>("lastAction")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(window->cells().rowCount(), 1, kPatience);
    settle();
  }

  /// Not only of the last one: what was never saved is not lost when a second window is closed.
  void whatClosedWindowsHadOpenIsOffered()
  {
    keepOpen();
    auto* earlier = find<QMenu>("earlierMenu");
    const auto fillsMenu = [&] {
      earlier = find<QMenu>("earlierMenu");
      emit earlier->aboutToShow();
      return earlier->isEnabled() ? earlier->actions().size() : qsizetype{0};
    };
    QCOMPARE(fillsMenu(), qsizetype{0});
    const auto closeWith = [&](const char* cell) {
      open({dataFile(cell)});
      window->close();
      nextWindow();
    };
    closeWith("stellate.swc");
    closeWith("bipolar.swc");
    closeWith("bipolar.swc"); // the same once more is no other session
    QVERIFY(!find<QuestionBar>("recoveryBar")->isVisible());
    QCOMPARE(fillsMenu(), qsizetype{1});
    QAction* before = earlier->actions().front();
    QVERIFY2(before->text().endsWith(QStringLiteral("stellate: 1 file of a cell")), qPrintable(before->text()));
    before->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(window->cells().rowCount(), 1, kPatience);
    settle();
    QVERIFY(window->project().cells.front().file.ends_with("stellate.swc"));

    model::Project project = window->project();
    for (int k = 1; k <= Autosave::kMostClosed + 1; ++k) {
      project.solve.batch.copies = k;
      Autosave ofWindow(path("state"));
      ofWindow.write(project, {});
      ofWindow.keepAsClosed();
    }
    QCOMPARE(model::readSession(path("state/last-9.hinesight").toStdString()).project.solve.batch.copies, 2);
    QCOMPARE(fillsMenu(), qsizetype{Autosave::kMostClosed} - 1);
    QCOMPARE(QDir(path("state")).entryList({QStringLiteral("last*")}, QDir::Files).size(),
             qsizetype{Autosave::kMostClosed});
  }

  /// As many as the lists have, also those that every window begins with.
  void whatIsOfferedIsCountedWhole()
  {
    model::Project project = window->project();
    for (const char* name : {"a", "b", "c"}) {
      project.populations.push_back(project.populations.front());
      project.populations.back().placement.name = name;
    }
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("counted")));
    model::writeSession(project, path("counted/window-1-7.hinesight").toStdString());
    window->keepOpenIn(path("counted"));
    const QString said = find<QuestionBar>("recoveryBar")->text();
    QVERIFY2(said.endsWith(QStringLiteral(". 5 populations were open.")), qPrintable(said));
    click("recoveryAgree");
    settle();
    QCOMPARE(window->project().populations.size(), std::size_t{5});
  }

  /// No step is made where a path is measured, and it is recovered all the same.
  void measuredPathsAreKept()
  {
    keepOpen();
    open({dataFile("stellate.swc")});
    find<MeasurePage>("measurePage")->addPath({{QStringLiteral("a"), 1}, {QStringLiteral("a"), 2}, 5, 4});
    const QDir state(path("state"));
    const auto keptPaths = [&] {
      const QString name = state.entryList({QStringLiteral("window-*.hinesight")}, QDir::Files).value(0);
      return name.isEmpty() ? 0 : model::readSession(state.filePath(name).toStdString()).view.paths.size();
    };
    QTRY_COMPARE_WITH_TIMEOUT(keptPaths(), std::size_t{1}, kPatience);
  }

  /// To choose a cell is no step, and is recovered all the same.
  void chosenCellsAreRecovered()
  {
    keepOpen();
    open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    QCOMPARE(find<DataPanel>("dataPanel")->chosenRows(), std::vector<int>{0});
    find<DataPanel>("dataPanel")->chooseCells({1});
    const QDir state(path("state"));
    const auto kept = [&] {
      return state.filePath(state.entryList({QStringLiteral("window-*.hinesight")}, QDir::Files).value(0));
    };
    const auto keptChoice = [&] {
      return QFileInfo(kept()).isFile() ? model::readSession(kept().toStdString()).view.chosenCells
                                        : std::vector<std::string>();
    };
    QTRY_VERIFY_WITH_TIMEOUT(keptChoice() == std::vector<std::string>{"bipolar"}, kPatience);
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("chosen")));
    QVERIFY(QFile::copy(kept(), path("chosen/window-1-7.hinesight")));
    QVERIFY(newWindow());
    window->keepOpenIn(path("chosen"));
    click("recoveryAgree");
    settle();
    QCOMPARE(window->cells().rowCount(), 2);
    QCOMPARE(find<DataPanel>("dataPanel")->chosenRows(), std::vector<int>{1});
  }

  /// Save goes to the file that the killed window had, and the title says so.
  void whatIsRecoveredKnowsItsFile()
  {
    model::SessionView view;
    view.page = "tree";
    view.savedAs = path("mine.hinesight").toStdString();
    model::Project project = window->project();
    project.cells.emplace_back().file = dataFile("stellate.swc").toStdString();
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("left")));
    model::writeSession(project, path("left/window-1-7.hinesight").toStdString(), view);
    window->keepOpenIn(path("left"));
    click("recoveryAgree");
    settle();
    QCOMPARE(window->windowTitle(), QStringLiteral("mine.hinesight[*] - Hinesight"));
    QVERIFY(window->isWindowModified());
    QVERIFY(window->view(ViewKind::Tree).isVisible());
    find<QAction>("saveSessionAction")->trigger();
    settle();
    QVERIFY(!window->isWindowModified());
    const model::ReadSession saved = model::readSession(path("mine.hinesight").toStdString());
    QVERIFY(saved.project.cells.size() == 1);
    QVERIFY(saved.view.savedAs.empty()); // it says so by itself
    // What is kept of it says so again.
    const QDir state(path("left"));
    const auto keptAs = [&] {
      const QString name = state.entryList({QStringLiteral("window-*.hinesight")}, QDir::Files).value(0);
      return name.isEmpty() ? std::string() : model::readSession(state.filePath(name).toStdString()).view.savedAs;
    };
    QTRY_COMPARE_WITH_TIMEOUT(keptAs(), path("mine.hinesight").toStdString(), kPatience);
  }

  /// The same where it was closed.
  void whatIsReopenedKnowsItsFile()
  {
    model::Project project = window->project();
    project.cells.emplace_back().file = dataFile("stellate.swc").toStdString();
    model::writeSession(project, path("mine.hinesight").toStdString());
    keepOpen();
    open({path("mine.hinesight")});
    type("copiesSpin", "4");
    settle();
    window->close();
    nextWindow();
    find<QAction>("lastAction")->trigger();
    settle();
    QCOMPARE(window->windowTitle(), QStringLiteral("mine.hinesight[*] - Hinesight"));
    QVERIFY(window->isWindowModified());
    QCOMPARE(model::readSession(path("mine.hinesight").toStdString()).project.solve.batch.copies, 1);
    find<QAction>("saveSessionAction")->trigger();
    settle();
    QVERIFY(!window->isWindowModified());
    QCOMPARE(model::readSession(path("mine.hinesight").toStdString()).project.solve.batch.copies, 4);
  }

  /// Another window that lives has its own.
  void aWindowThatLivesIsNotRecovered()
  {
    keepOpen();
    open({dataFile("stellate.swc")});
    const QDir state(path("state"));
    QTRY_VERIFY_WITH_TIMEOUT(!state.entryList({QStringLiteral("window-*.hinesight")}, QDir::Files).isEmpty(),
                             kPatience);
    MainWindow other;
    other.keepOpenIn(path("state"));
    other.show();
    QVERIFY(!other.findChild<QuestionBar*>(QStringLiteral("recoveryBar"))->isVisible());
    window->close();
  }

  /// A folder that cannot be written to is said, once, and nothing else happens.
  void aStateFolderThatCannotBeWrittenIsSaid()
  {
    writeFileAtomically(path("file").toStdString(), [](std::ostream& stream) { stream << "no folder"; });
    window->keepOpenIn(path("file"));
    open({dataFile("stellate.swc")});
    QTRY_VERIFY_WITH_TIMEOUT(find<QWidget>("messageBanner")->isVisible(), kPatience);
    type("copiesSpin", "4");
    settle();
    QCOMPARE(window->runs().runs().back().cells, std::size_t{4});
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestRecovery>)
#include "test_recovery.moc"
