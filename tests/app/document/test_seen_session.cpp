#include "app/app_fixture.hpp"
#include "app/cells/data_panel.hpp"
#include "app/measure/measure_page.hpp"
#include "app/pages/view_area.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/projection/projection_page.hpp"
#include "app/projection/projection_panel.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/session_fixture.hpp"
#include "app/synapses/formation_page.hpp"
#include "core/files.hpp"
#include "paths/paths.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"

#include <QAction>
#include <QComboBox>
#include <QListWidget>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>
#include <QtTest>

#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

/// What a person sees is in the session: pages, what is hidden and chosen, how cells are listed and measured.
class TestSeenSession : public QObject, SessionFixture
{
  Q_OBJECT

private slots:
  void init()
  {
    QVERIFY(folder.isValid());
    QVERIFY(showWindow());
  }
  void cleanup() { window.reset(); }

  /// How cells are listed, seen and measured.
  void keepsTheViewsOfCells()
  {
    open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    find<QTreeView>("cellList")->sortByColumn(CellListModel::LengthColumn, Qt::DescendingOrder);
    window->view(ViewKind::Morphology).findChild<QToolButton*>("parallelProjection")->click();
    window->showView(ViewKind::Measure);
    QVERIFY(waitForJobs());
    const auto page = [&] { return find<MeasurePage>("measurePage"); };
    find<QComboBox>("measureBeside")->setCurrentIndex(1);
    find<QComboBox>("measureQuantity")->setCurrentIndex(static_cast<int>(study::BranchQuantity::Order));
    type("shollStep", "20");
    page()->addPath({{QStringLiteral("stellate"), 3}, {QStringLiteral("stellate"), 9}, 12.5, 10.25});
    page()->addPath({{QStringLiteral("stellate"), 1}, {QStringLiteral("bipolar"), 2}, {}, 100});
    const auto compared = [&] { return window->cells().rowOfKey(page()->beside()); };
    const int before = compared();
    QVERIFY(before >= 0);
    save("views.hinesight");

    newWindow();
    open({path("views.hinesight")});
    QCOMPARE(find<DataPanel>("dataPanel")->sortedBy(), std::string("length"));
    QVERIFY(find<DataPanel>("dataPanel")->isDescending());
    const auto& morphology = static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
    QVERIFY(morphology.look().isParallel);
    QTRY_COMPARE_WITH_TIMEOUT(page()->cells().size(), std::size_t{2}, kPatience);
    QCOMPARE(compared(), before);
    QCOMPARE(page()->quantity(), study::BranchQuantity::Order);
    QCOMPARE(page()->shollStep(), 20.0);
    QCOMPARE(page()->paths().size(), std::size_t{2});
    QCOMPARE(page()->paths()[0].to.id, std::int64_t{9});
    QCOMPARE(page()->paths()[0].length, std::optional(12.5));
    QCOMPARE(page()->paths()[1].to.cell, QStringLiteral("bipolar"));
    QVERIFY(!page()->paths()[1].length);
    QCOMPARE(page()->paths()[1].distance, 100.0);
    save("views again.hinesight");
    QCOMPARE(savedText("views again.hinesight"), savedText("views.hinesight"));
    // Of a session that says nothing of it, nothing of another one is left.
    open({tests::sourceFile("docs/example.hinesight")});
    QVERIFY(page()->paths().empty());
    QCOMPARE(find<DataPanel>("dataPanel")->sortedBy(), std::string());
    // What was measured is there again with its cells.
    find<QAction>("undoAction")->trigger();
    QVERIFY(waitForJobs());
    QCOMPARE(page()->paths().size(), std::size_t{2});
    find<QAction>("redoAction")->trigger();
    QVERIFY(waitForJobs());
    QVERIFY(page()->paths().empty());
  }

  /// The page, branches that are hidden, and where expressions select.
  void keepsWhatAPersonSees()
  {
    open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    auto* selected = window->findChild<BranchSelection*>();
    selected->selectWhere("cell == 2 && branch in {2, 3, 5}");
    find<QAction>("hideBranchesAction")->trigger();
    const widgets::BranchIds hidden = selected->choice().hidden;
    QCOMPARE(hidden.size(), std::size_t{3});
    find<DataPanel>("dataPanel")->chooseCells({1});
    QTest::mouseClick(find<QToolButton>("selectInChosen"), Qt::LeftButton);
    window->showView(ViewKind::Tree);
    save("seen.hinesight");
    QVERIFY2(savedText("seen.hinesight").find("\"2-3,5 of ") != std::string::npos, savedText("seen.hinesight").c_str());

    newWindow();
    open({tests::sourceFile("docs/example.hinesight")}); // which says nothing of it
    QCOMPARE(find<DataPanel>("dataPanel")->chosenRows(), std::vector<int>{0});
    newWindow();
    open({path("seen.hinesight")});
    selected = window->findChild<BranchSelection*>();
    QVERIFY(selected->choice().hidden == hidden);
    QVERIFY(selected->isInChosenCells());
    QVERIFY(find<QToolButton>("selectInChosen")->isChecked());
    QCOMPARE(find<DataPanel>("dataPanel")->chosenRows(), std::vector<int>{1});
    QCOMPARE(window->viewArea().current(), static_cast<int>(ViewKind::Tree));
    save("seen again.hinesight");
    QCOMPARE(savedText("seen again.hinesight"), savedText("seen.hinesight"));
    // Opening it is a step back over which nothing is hidden, and forth again.
    find<QAction>("undoAction")->trigger();
    QVERIFY(waitForJobs());
    find<QAction>("redoAction")->trigger();
    QVERIFY(waitForJobs());
    QCoreApplication::processEvents();
    QVERIFY(selected->choice().hidden == hidden);
  }

  /// Of cells or random trees, though the next session has the same ones.
  void anotherSessionHidesNothingOfThis()
  {
    const std::string cell = dataFile("stellate.swc").toStdString();
    const std::vector<std::pair<const char*, std::string>> sessions = {
        {"cells.hinesight", "\"cells\": [{\"name\": \"a\", \"file\": \"" + cell + "\"}]"},
        {"trees.hinesight", "\"solve\": {\"source\": \"random-trees\"}"}};
    for (const auto& [name, content] : sessions) {
      writeFileAtomically(path(name).toStdString(),
                          [&](std::ostream& stream) { stream << "{\"session\": 1, " << content << "}\n"; });
      newWindow();
      open({path(name)});
      auto* selected = window->findChild<BranchSelection*>();
      selected->selectWhere("branch in {2, 3}");
      find<QAction>("hideBranchesAction")->trigger();
      const widgets::BranchIds hidden = selected->choice().hidden;
      QVERIFY2(!hidden.isEmpty(), name);
      open({path(name)});
      QVERIFY2(selected->choice().hidden.isEmpty(), name);
      find<QAction>("undoAction")->trigger();
      QVERIFY(waitForJobs());
      QCoreApplication::processEvents();
      QVERIFY2(selected->choice().hidden == hidden, name);
    }
  }

  void keepsWhichConnectionsAreShown()
  {
    open({tests::sourceFile("docs/example.hinesight")});
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    const auto choose = [&](int row) {
      auto* list = find<QListWidget>("connectionList");
      QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(row)).center());
      QVERIFY(waitForJobs());
    };
    choose(2);
    choose(3);
    QTRY_VERIFY_WITH_TIMEOUT(window->synapses().isVisible(), kPatience);
    save("shown.hinesight");
    newWindow();
    open({path("shown.hinesight")});
    QVERIFY(window->synapses().isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(window->synapses().outcome().formation, kPatience);
    QVERIFY(waitForJobs());
    QCOMPARE(window->synapses().outcome().formation->population->areaNames,
             (std::vector<std::string>{"pyramidal", "basket"}));
    QCOMPARE(find<ConnectionPanel>("connectionPanel")->shown(), std::string("inhibition"));
    QCOMPARE(find<ProjectionPanel>("projectionPanel")->request().parameters.sigma, 60.0);
  }

  /// Of a session that a person or a script wrote.
  void showsTheConnectionThatTheViewNames_data()
  {
    QTest::addColumn<QString>("named");
    QTest::addColumn<QString>("shown");
    QTest::newRow("the first") << "there"
                               << "there";
    QTest::newRow("the second") << "back"
                                << "back";
    QTest::newRow("none") << ""
                          << "there";
    QTest::newRow("a connection that is not there") << "beyond"
                                                    << "there";
    QTest::newRow("synapses that are formed") << "near"
                                              << "there";
  }

  void showsTheConnectionThatTheViewNames()
  {
    QFETCH(QString, named);
    QFETCH(QString, shown);
    writeFileAtomically(path("named.hinesight").toStdString(), [&](std::ostream& stream) {
      stream << R"({"session": 1,
  "populations": [{"name": "E", "kind": "grid", "size": [5, 4, 1]}, {"name": "I", "kind": "grid", "size": [3, 2, 1]}],
  "connections": [
    {"name": "near", "kind": "formed", "between": ["E", "I"]},
    {"name": "there", "source": "E", "target": "I", "kernel": "gaussian", "sigma": 30},
    {"name": "back", "source": "I", "target": "E", "kernel": "gaussian", "sigma": 70}],
  "view": {"page": "projection", "connection": ")"
             << named.toStdString() << R"("}})";
    });
    open({path("named.hinesight")});
    QCOMPARE(find<ConnectionPanel>("connectionPanel")->shown(), shown.toStdString());
    QCOMPARE(find<QListWidget>("connectionList")->currentItem()->text(), shown);
    const bool isBack = shown == QStringLiteral("back");
    QCOMPARE(find<ProjectionPanel>("projectionPanel")->request().parameters.sigma, isBack ? 70.0 : 30.0);
    QTRY_VERIFY_WITH_TIMEOUT(window->projections().outcome().table, kPatience);
    QVERIFY(waitForJobs());
    QCOMPARE(window->projections().outcome().table->projection.source->name(), std::string(isBack ? "I" : "E"));
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestSeenSession>)
#include "test_seen_session.moc"
