#include "core/error.hpp"
#include "model/project_changes.hpp"
#include "model/session_file.hpp"
#include "slowness.hpp"
#include "test_main.hpp"

#include <QtTest>

using namespace hinesight;
using namespace hinesight::model;

/// What is said of a step from one project to the next.
class TestProjectChanges : public QObject
{
  Q_OBJECT

  static Project someProject()
  {
    Project project;
    project.cells = {{"a", "a.swc", {}}, {"b", "b.swc", {}}, {"c", "c.swc", {}}};
    Population e;
    e.placement.name = "E";
    Population i;
    i.placement.name = "I";
    project.populations = {e, i};
    Connection connection;
    connection.name = "EI";
    connection.source = "E";
    connection.target = "I";
    project.connections = {connection};
    project.form.emplace();
    return project;
  }

  static std::vector<Change> after(const std::function<void(Project&)>& change)
  {
    const Project before = someProject();
    Project now = before;
    change(now);
    return changesBetween(before, now);
  }
  static QString words(const std::function<void(Project&)>& change)
  {
    return QString::fromStdString(summarize(after(change)));
  }

private slots:
  void equalProjectsHaveNone()
  {
    QCOMPARE(after([](Project&) {}).size(), std::size_t{0});
  }

  void membersComeAndGo()
  {
    QCOMPARE(words([](Project& p) { p.cells.erase(p.cells.begin()); }), QStringLiteral("Remove a"));
    QCOMPARE(words([](Project& p) { p.cells.clear(); }), QStringLiteral("Remove 3 cells"));
    QCOMPARE(words([](Project& p) { p.cells.push_back({"d", "d.swc", {}}); }), QStringLiteral("Open d"));
    QCOMPARE(words([](Project& p) { std::swap(p.cells[0], p.cells[1]); }), QStringLiteral("Order of the cells"));
    QCOMPARE(words([](Project& p) { p.populations.pop_back(); }), QStringLiteral("Remove the population I"));
    QCOMPARE(words([](Project& p) { p.populations[1].placement.name = "basket"; }),
             QStringLiteral("Rename I to basket"));
  }

  void fieldsAreNamedWithTheirMember()
  {
    const auto changes = after([](Project& p) { p.connections[0].projection.sigmaM = 7; });
    QCOMPARE(changes.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(changes[0].path), QStringLiteral("connections.EI.sigma-m"));
    QVERIFY2(changes[0].words.starts_with("EI: ") && changes[0].words.find(" to 7") != std::string::npos,
             changes[0].words.c_str());
    QCOMPARE(words([](Project& p) { p.solve.batch.copies = 30; }), QStringLiteral("Copies 1 to 30"));
    QCOMPARE(words([](Project& p) { p.populations[0].role = Role::Inhibitory; }),
             QStringLiteral("E: Role Excitatory to Inhibitory"));
  }

  void setsAreKept()
  {
    QCOMPARE(words([](Project& p) { p.selections = {{"axons", "type == axon"}}; }), QStringLiteral("Save set 'axons'"));
    QCOMPARE(words([](Project& p) {
               p.selections = {{"some", "", {"a", "b"}}};
             }),
             QStringLiteral("Save set 'some' (2 cells)"));
    QCOMPARE(words([](Project& p) { p.selections = {{"one", "", {"a"}}}; }), QStringLiteral("Save set 'one' (1 cell)"));
    QCOMPARE(words([](Project& p) {
               p.selections = {{"one", "", {"a"}}, {"axons", "type == axon"}};
             }),
             QStringLiteral("Save 2 sets"));
    Project before = someProject();
    before.selections = {{"some", "", {"a"}}};
    Project now = before;
    now.selections[0].cells.push_back("b");
    QCOMPARE(changesBetween(before, now).front().words, std::string("some: Cells a to a,b"));
    now.selections.clear();
    QCOMPARE(changesBetween(before, now).front().words, std::string("Remove the set some"));
  }

  /// The path is what setByPath takes.
  void pathsCanBeSet()
  {
    Project project = someProject();
    const auto changes = after([](Project& p) {
      p.cells[1].scale = 0.5;
      p.form->formation.search.theta = 0.125;
    });
    QCOMPARE(changes.size(), std::size_t{2});
    setByPath(project, changes[0].path + "=0.5");
    setByPath(project, changes[1].path + "=0.125");
    QCOMPARE(project.cells[1].scale, 0.5);
    QCOMPARE(project.form->formation.search.theta, 0.125);
  }

  void theSameChangeOfManyIsOne()
  {
    QCOMPARE(words([](Project& p) {
               for (Cell& cell : p.cells)
                 cell.scale = 2;
             }),
             QStringLiteral("3 cells: Unit 1 to 2 µm"));
  }

  /// As many comparisons of each as there are cells would be felt at every step.
  void manyCellsTakeNoLonger()
  {
    constexpr std::size_t kCells = 20'000;
    constexpr qint64 kLongest = 5'000 * tests::kSlowness; // ms
    Project before;
    for (std::size_t k = 0; k < kCells; ++k)
      before.cells.push_back({"cell " + std::to_string(k), "cell" + std::to_string(k) + ".swc", {}});
    before.populations.emplace_back().placement.name = "E";
    for (const Cell& cell : before.cells)
      before.populations[0].cells.push_back(cell.name);
    Project moved = before; // each to a place of its own, and one is gone
    for (std::size_t k = 0; k < kCells; ++k) {
      moved.cells[k].place.move[0] = static_cast<double>(k + 1);
      moved.cells[k].isShown = k % 2 == 0;
    }
    moved.cells.pop_back();
    Project saved = before;
    for (Cell& cell : saved.cells) {
      cell.name += "-placed";
      cell.file = "placed/" + cell.name + ".swc";
    }
    QElapsedTimer watch;
    watch.start();
    const std::vector<Change> changes = changesBetween(before, moved);
    QCOMPARE(changes.size(), kCells + 1); // a place each, all eyes, and the cell that is gone
    QCOMPARE(changes.front().words, "Remove cell " + std::to_string(kCells - 1));
    QCOMPARE(std::ranges::count(changes, std::string("cells.shown"), &Change::path), 1);
    QCOMPARE(changesBetween(before, saved).front().words, "Other files of " + std::to_string(kCells) + " cells");
    moved.cells.push_back(before.cells.back());
    const std::vector<std::string> below = {"cells."};
    QCOMPARE(assignmentsBetween(before, moved, below).size(), kCells - 1);
    validate(before);
    QVERIFY2(watch.elapsed() < kLongest, qPrintable(QString::number(watch.elapsed())));
  }

  /// As the commands of the list of cells say it.
  void eyesOfCellsAreShownAndHidden()
  {
    const auto shown = [](std::vector<bool> before, std::vector<bool> now) {
      Project old, changed;
      for (std::size_t k = 0; k < now.size(); ++k) {
        old.cells.push_back({std::string(1, static_cast<char>('a' + k)), "x.swc", {}});
        changed.cells.push_back(old.cells.back());
        old.cells.back().isShown = before[k];
        changed.cells.back().isShown = now[k];
      }
      const std::vector<Change> changes = changesBetween(old, changed);
      return changes.size() == 1 ? QString::fromStdString(changes.front().words) : QStringLiteral("several");
    };
    QCOMPARE(shown({true, true}, {true, false}), QStringLiteral("Hide b"));
    QCOMPARE(shown({true, true, true}, {true, false, false}), QStringLiteral("Show only a"));
    QCOMPARE(shown({true, false, true}, {false, true, true}), QStringLiteral("Show only 2 cells"));
    QCOMPARE(shown({true, false}, {false, true}), QStringLiteral("Show only b"));
    QCOMPARE(shown({true, true, true}, {false, false, false}), QStringLiteral("Hide all cells"));
    QCOMPARE(shown({true, true, true, true}, {false, false, true, true}), QStringLiteral("Hide 2 cells"));
    QCOMPARE(shown({false, false, true}, {true, true, true}), QStringLiteral("Show all cells"));
    QCOMPARE(shown({false, false, false}, {true, true, false}), QStringLiteral("Show 2 cells"));
    QCOMPARE(after([](Project& p) { p.cells[0].isShown = false; }).front().path, std::string("cells.a.shown"));
  }

  /// The name of a cell is that of its file: no person gave it another name.
  void aCellThatIsReadFromAnotherFileIsNotRenamed()
  {
    QCOMPARE(words([](Project& p) {
               p.cells[1].name = "b-repaired";
               p.cells[1].file = "out/b-repaired.swc";
             }),
             QStringLiteral("b: File is b-repaired.swc"));
    QCOMPARE(words([](Project& p) {
               for (Cell& cell : p.cells)
                 cell.name = cell.file = cell.name + "-placed";
             }),
             QStringLiteral("Other files of 3 cells"));
    QCOMPARE(words([](Project& p) { p.cells[1].name = "other"; }), QStringLiteral("Rename b to other"));
  }

  /// One that is named by what it joins.
  void aConnectionThatJoinsOthersIsNotOnlyRenamed()
  {
    QCOMPARE(words([](Project& p) {
               p.connections[0].name = "I_to_I";
               p.connections[0].source = "I";
             }),
             QStringLiteral("I_to_I: From I instead of E"));
    QCOMPARE(words([](Project& p) { p.connections[0].target = "E"; }), QStringLiteral("EI: To E instead of I"));
    QCOMPARE(words([](Project& p) { p.connections[0].name = "other"; }), QStringLiteral("Rename EI to other"));
  }

  /// Until the first change of it, a part of the window has its defaults.
  void aPartThatWasMissingChangesFromItsDefaults()
  {
    const auto changes = after([](Project& p) { p.simulate.emplace().stop = 200; });
    QCOMPARE(changes.size(), std::size_t{1});
    QCOMPARE(changes.front().words, std::string("Until 1000 to 200 ms"));
    QCOMPARE(changes.front().path, std::string("simulate.tstop"));
    QCOMPARE(words([](Project& p) { p.simulate.emplace(); }), QStringLiteral("Add the simulation"));
    QCOMPARE(words([](Project& p) { p.form.reset(); }), QStringLiteral("Remove the formation of synapses"));
  }

  /// Said to the old project one after another, they make the new one of it.
  void assignmentsMakeWhatChanged()
  {
    const Project saved = someProject();
    Project now = saved;
    now.cells[1].scale = 0.001;
    now.cells[1].hash = "abc";
    now.cells[2].isShown = false;
    now.connections[0].projection.sigma = 7;
    now.solve.batch.copies = 4;
    now.grow.emplace().steps = 30;
    const std::vector<std::string> below = {"cells.", "connections.EI.", "grow."};
    const std::vector<std::string> assignments = assignmentsBetween(saved, now, below);
    QVERIFY(
        (assignments == std::vector<std::string>{"cells.b.scale=0.001", "connections.EI.sigma=7", "grow.steps=30"}));
    Project made = saved;
    for (const std::string& assignment : assignments)
      setByPath(made, assignment);
    QVERIFY(assignmentsBetween(made, now, below).empty());
    // Only what is asked for counts, also where parts are others.
    now.populations.pop_back();
    QCOMPARE(assignmentsBetween(saved, now, below).size(), std::size_t{3});
    const std::vector<std::string> populations = {"populations."};
    QVERIFY_EXCEPTION_THROWN(assignmentsBetween(saved, now, populations), Error);
    now = saved;
    now.grow.emplace().model.stimuli.emplace_back();
    QVERIFY_EXCEPTION_THROWN(assignmentsBetween(saved, now, below), Error);
  }

  void theFirstStandsForTheOthers()
  {
    QCOMPARE(words([](Project& p) {
               p.cells.pop_back();
               p.solve.batch.copies = 4;
             }),
             QStringLiteral("Remove c and 1 more"));
  }
};

HINESIGHT_TEST(TestProjectChanges)
#include "test_project_changes.moc"
