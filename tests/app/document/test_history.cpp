#include "app/app_fixture.hpp"
#include "app/document/history.hpp"
#include "app/history_fixture.hpp"
#include "app/projection/population_panel.hpp"
#include "app/projection/projection_panel.hpp"
#include "app/synapses/formation_controller.hpp"
#include "app/synapses/formation_page.hpp"
#include "paths/paths.hpp"
#include "test_main.hpp"
#include "widgets/cells/view.hpp"

#include <QAction>
#include <QLabel>
#include <QListWidget>
#include <QPoint>
#include <QSignalSpy>
#include <QSlider>
#include <QUndoView>
#include <QWheelEvent>
#include <QtTest>

#include <initializer_list>
#include <iterator>
#include <string>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

/// Undoes and redoes a person's steps in the real main window.
class TestHistory : public QObject, HistoryFixture
{
  Q_OBJECT

  std::vector<std::string> stepNames() const
  {
    std::vector<std::string> names;
    for (int k = 0; k < stack().count(); ++k)
      names.push_back(stack().text(k).toStdString());
    return names;
  }

private slots:
  void init() { QVERIFY(newWindow()); }
  void cleanup() { window.reset(); }

  /// Every step names what changed; back to the beginning and forth again, all is as it was.
  void stepsOfAllKindsAreUndoneAndDoneAgain()
  {
    const model::Project atFirst = window->history().project();
    std::vector<model::Project> states = {atFirst};
    const auto keep = [&] {
      settle();
      QCOMPARE(static_cast<std::size_t>(stack().count()), states.size());
      states.push_back(window->history().project());
    };
    open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    keep();
    window->cells().setScale({1}, 0.5);
    keep();
    window->cells().setVisible(0, false);
    keep();
    type("copiesSpin", "3");
    keep();
    window->showView(ViewKind::Projection);
    QVERIFY(waitForJobs());
    type("projectionSigmaMSpin", "20");
    keep();
    window->showView(ViewKind::Synapses);
    QVERIFY(waitForJobs());
    type("formationThetaSpin", "0.2");
    keep();
    window->showView(ViewKind::Plasticity);
    type("plasticityConductanceSpin", "0.05");
    keep();
    window->showView(ViewKind::Morphology);
    window->cells().removeAll();
    keep();
    const std::vector<std::string> names = stepNames();
    QCOMPARE(names.size(), std::size_t{8});
    QCOMPARE(names[0], std::string("Open 2 cells"));
    QCOMPARE(names[1], std::string("bipolar: Unit 1 to 0.5 µm"));
    QCOMPARE(names[2], std::string("Hide stellate"));
    QCOMPARE(names[3], std::string("Copies 1 to 3"));
    QVERIFY2(names[4].find("100 to 20") != std::string::npos, names[4].c_str());
    QCOMPARE(names[5], std::string("Theta 0.3 to 0.2"));
    QVERIFY2(names[6].find("0.03 to 0.05") != std::string::npos, names[6].c_str());
    QCOMPARE(names[7], std::string("Remove 2 cells"));

    for (std::size_t k = states.size() - 1; k-- > 0;) {
      undo();
      QVERIFY2(window->history().project() == states[k], names[k].c_str());
    }
    QCOMPARE(window->cells().rowCount(), 0);
    QVERIFY(!stack().canUndo());
    for (std::size_t k = 1; k < states.size(); ++k) {
      redo();
      QVERIFY2(window->history().project() == states[k], names[k - 1].c_str());
    }
    QVERIFY(!stack().canRedo());
  }

  /// The button asks nothing, so the status bar says how the cells come back, with all that was set of them.
  void allCellsThatWereRemovedComeBack()
  {
    open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    window->cells().setScale({1}, 0.5);
    settle();
    window->cells().setVisible(0, false);
    settle();
    type("copiesSpin", "3");
    settle();
    const model::Project before = window->history().project();
    QTest::mouseClick(find<QPushButton>("removeAllButton"), Qt::LeftButton);
    settle();
    QCOMPARE(window->cells().rowCount(), 0);
    QCOMPARE(find<QLabel>("resultLabel")->text(), QString("Removed 2 cells. Undo brings them back."));
    undo();
    QVERIFY(window->history().project() == before);
    QCOMPARE(window->cells().rowCount(), 2);
  }

  /// There is nothing before what the program was started with.
  void whatWasOpenedAtTheStartIsNoStep()
  {
    window->openAtStart({dataFile("stellate.swc"), dataFile("bipolar.swc")}, false);
    QTRY_VERIFY_WITH_TIMEOUT(!window->isOpening(), kPatience);
    settle();
    QCOMPARE(window->cells().rowCount(), 2);
    QCOMPARE(stack().count(), 0);
    type("copiesSpin", "3");
    settle();
    undo();
    undo();
    QCOMPARE(window->parameters().batch.copies, 1);
    QCOMPARE(window->cells().rowCount(), 2);
    QVERIFY(newWindow());
    window->openAtStart({tests::sourceFile("docs/example.hinesight")}, false);
    settle();
    QCOMPARE(window->cells().rowCount(), 1);
    QCOMPARE(stack().count(), 0);
    QVERIFY(!window->isWindowModified());
    open({dataFile("bipolar.swc")});
    QCOMPARE(stack().count(), 1); // what comes later is one
  }

  /// What is undone is what the views show, too.
  void theViewsFollow()
  {
    open({dataFile("stellate.swc")});
    type("copiesSpin", "7");
    settle();
    QCOMPARE(window->runs().runs().back().cells, std::size_t{7});
    const std::size_t compartments = window->scene()->solution->x.size();
    undo(); // the field of the number has the focus
    QCOMPARE(window->scene()->solution->x.size() * 7, compartments);
    window->cells().setScale({0}, 0.5);
    settle();
    const double half = window->cells().cells()[0].metrics.totalLength;
    undo();
    QVERIFY(window->cells().cells()[0].metrics.totalLength > 1.9 * half);
    window->showView(ViewKind::Synapses);
    settle();
    type("formationNeuronsSpin", "500");
    settle();
    QCOMPARE(window->synapses().outcome().formation->population->size(), std::size_t{500});
    undo();
    QCOMPARE(window->synapses().outcome().formation->population->size(), std::size_t{10000});
  }

  /// A population that is removed takes what joined it along, and comes back with it.
  void populationsComeBack()
  {
    window->showView(ViewKind::Projection);
    settle();
    auto* panel = find<PopulationPanel>("populationPanel");
    std::vector<study::PopulationChoice> three = panel->populations();
    three.push_back(three.back());
    three.back().parameters.name = "third";
    panel->setPopulations(three);
    emit panel->changed();
    settle();
    QCOMPARE(QString::fromStdString(stepNames().back()), QStringLiteral("Add the population third"));
    find<QListWidget>("populationList")->setCurrentRow(0);
    click("removePopulation");
    settle();
    QCOMPARE(panel->populations().size(), std::size_t{2});
    undo();
    QCOMPARE(panel->populations().size(), std::size_t{3});
    QCOMPARE(panel->populations()[0].parameters.name, std::string("source"));
    QCOMPARE(find<ProjectionPanel>("projectionPanel")->request().source.parameters.name, std::string("source"));
  }

  /// A slider that is dragged is one step.
  void changesOfOneFieldThatFollowEachOtherAreOneStep()
  {
    open({dataFile("stellate.swc")});
    window->history().setMergeTime(kPatience);
    for (const char* copies : {"5", "6", "9"}) {
      type("copiesSpin", copies);
      settle();
    }
    QCOMPARE(stack().count(), 2);
    QCOMPARE(stack().undoText(), QStringLiteral("Copies 1 to 9"));
    type("copiesSpin", "1");
    settle();
    QCOMPARE(stack().count(), 1); // nothing is left of it
  }

  /// However long a person thinks while the button is down.
  void aSliderThatIsDraggedIsOneStep()
  {
    open({dataFile("stellate.swc")});
    auto* slider = find<QSlider>("copiesSlider");
    const auto drag = [&](std::initializer_list<double> shares) {
      const auto at = [&](double share) {
        return QPoint(static_cast<int>(share * slider->width()), slider->height() / 2);
      };
      QTest::mousePress(slider, Qt::LeftButton, {}, at(*shares.begin()));
      settle();
      for (const double share : shares) {
        QTest::mouseMove(slider, at(share));
        settle();
      }
      QTest::mouseRelease(slider, Qt::LeftButton, {}, at(*std::prev(shares.end())));
      settle();
    };
    const int opened = stack().count();
    drag({0.1, 0.2, 0.3});
    QCOMPARE(stack().count(), opened + 1);
    const int copies = window->parameters().batch.copies;
    QVERIFY(copies > 1);
    drag({0.3, 0.15});
    QCOMPARE(stack().count(), opened + 2);
    undo();
    QCOMPARE(window->parameters().batch.copies, copies);
    undo();
    QCOMPARE(window->parameters().batch.copies, 1);
  }

  void aWheelThatIsTurnedIsOneStep()
  {
    open({dataFile("stellate.swc")});
    window->history().setMergeTime(kPatience);
    auto* spin = find<QDoubleSpinBox>("copiesSpin");
    spin->setFocus();
    const int opened = stack().count();
    for (int notch = 0; notch < 3; ++notch) {
      const QPoint centre = spin->rect().center();
      QWheelEvent event(centre, spin->mapToGlobal(centre), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                        Qt::NoScrollPhase, false);
      QCoreApplication::sendEvent(spin, &event);
      settle();
    }
    QVERIFY(window->parameters().batch.copies > 2);
    QCOMPARE(stack().count(), opened + 1);
  }

  /// A button that is held where nothing is dragged joins no steps.
  void aPressElsewhereJoinsNoSteps()
  {
    open({dataFile("stellate.swc")});
    window->history().setMergeTime(0);
    const int opened = stack().count();
    auto* elsewhere = find<QLabel>("resultLabel");
    QTest::mousePress(elsewhere, Qt::LeftButton);
    for (const char* copies : {"5", "6"}) {
      type("copiesSpin", copies);
      settle();
    }
    QTest::mouseRelease(elsewhere, Qt::LeftButton);
    QCOMPARE(stack().count(), opened + 2);
  }

  void theHistoryPanelNamesStepsAndGoesToThem()
  {
    open({dataFile("stellate.swc")});
    type("copiesSpin", "2");
    settle();
    type("copiesSpin", "3");
    settle();
    find<QAction>("historyDockAction")->trigger();
    auto* list = find<QUndoView>("historyList");
    QTRY_VERIFY(list->isVisible());
    QCOMPARE(list->model()->rowCount(), 4);
    const QModelIndex second = list->model()->index(2, 0);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(second).center());
    settle();
    QCOMPARE(window->parameters().batch.copies, 2);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(0, 0)).center());
    settle();
    QCOMPARE(window->cells().rowCount(), 0);
    // Over many steps at once, each state keeps what it is, and the window shows the last one only.
    const QSignalSpy changed(&window->history(), &History::changed);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(3, 0)).center());
    QCOMPARE(changed.count(), 1);
    settle();
    QCOMPARE(window->parameters().batch.copies, 3);
    QCOMPARE(window->cells().rowCount(), 1);
    find<QAction>("undoAction")->trigger();
    settle();
    QCOMPARE(window->parameters().batch.copies, 2);
    QCOMPARE(window->cells().rowCount(), 1);
  }

  /// A session is a step like any other.
  void openingASessionIsUndone()
  {
    open({dataFile("stellate.swc")});
    const model::Project before = window->history().project();
    open({tests::sourceFile("docs/example.hinesight")});
    QCOMPARE(stack().undoText(), QStringLiteral("Open example.hinesight"));
    QVERIFY(window->windowTitle().startsWith(QStringLiteral("example.hinesight")));
    QVERIFY(!window->isWindowModified());
    const model::Project opened = window->history().project();
    QCOMPARE(opened.populations.size(), std::size_t{3});
    type("copiesSpin", "3");
    settle();
    QVERIFY(window->isWindowModified());
    undo();
    undo();
    QVERIFY(window->history().project() == before);
    redo();
    QVERIFY(window->history().project() == opened);
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestHistory>)
#include "test_history.moc"
