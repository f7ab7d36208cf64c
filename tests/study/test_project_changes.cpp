#include "core/error.hpp"
#include "model/project_changes.hpp"
#include "model/session_file.hpp"
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
                 cell.isShown = false;
             }),
             QStringLiteral("3 cells: Shown on to off"));
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
