#include "app/selection/branch_selection.hpp"
#include "test_main.hpp"
#include "widgets/morphology_pictures.hpp"

#include <QSignalSpy>
#include <QtTest>

#include <memory>
#include <string>

using namespace hinesight;
using namespace hinesight::app;
using widgets::PickMode;

namespace {

/// Whose table of branches takes longer than a frame.
std::shared_ptr<const widgets::Scene> largeScene(std::int32_t samples = 210'000)
{
  return test::makeScene({test::largeCell(samples)});
}

std::shared_ptr<const widgets::Scene> smallScene()
{
  return test::makeScene({test::makeMorphology("fork", test::forkedCell())});
}

const QString kLengthUnit = QStringLiteral("µm");

} // namespace

/// The thread of the window waits for no figures of many branches, unless a command needs them.
class TestLateFigures : public QObject
{
  Q_OBJECT

private slots:
  void figuresOfManyBranchesComeLater()
  {
    BranchSelection selection;
    const QSignalSpy made(&selection, &BranchSelection::tableMade);
    selection.setScene(largeScene(), {}, {"a.swc"});
    selection.pick({{0, 1}, {0, 2}}, PickMode::Replace);
    QVERIFY(!selection.hasTable());
    QVERIFY2(selection.summary().startsWith(QStringLiteral("2 of ")), qPrintable(selection.summary()));
    QVERIFY2(!selection.summary().contains(kLengthUnit), qPrintable(selection.summary()));
    QVERIFY(!selection.figures().contains(kLengthUnit));
    QTRY_COMPARE(made.count(), 1);
    QVERIFY(selection.hasTable());
    QVERIFY2(selection.summary().contains(kLengthUnit), qPrintable(selection.summary()));
    QVERIFY(selection.figures().contains(kLengthUnit));
  }

  void hidingNeedsNoFigures()
  {
    BranchSelection selection;
    selection.setScene(largeScene(), {}, {"a.swc"});
    selection.select({0, 3});
    selection.addSubtrees();
    selection.hide();
    const HiddenByFile hidden = selection.hiddenByFile();
    QVERIFY(hidden.contains("a.swc"));
    const widgets::BranchIds ids = selection.choice().hidden;
    QVERIFY(ids.has({0, 3}));
    selection.showAll();
    QVERIFY(selection.choice().hidden.isEmpty());
    selection.hideByFile(hidden);
    QCOMPARE(selection.choice().hidden, ids);
    QVERIFY(!selection.hasTable());
  }

  void anExpressionSelectsAnewOnceThereAreFigures()
  {
    BranchSelection selection;
    selection.setScene(largeScene(), {}, {"a.swc"});
    selection.selectWhere("branch <= 5");
    QVERIFY(selection.hasTable()); // the command needed them
    QCOMPARE(selection.choice().selected.size(), std::size_t{5});
    selection.setScene(largeScene(220'000), {}, {"a.swc"});
    QVERIFY(!selection.hasTable());
    QCOMPARE(selection.expression(), std::string("branch <= 5"));
    QTRY_COMPARE(selection.choice().selected.size(), std::size_t{5});
    QVERIFY(selection.hasTable());
  }

  void branchesThatComeBackHaveTheirFigures()
  {
    BranchSelection selection;
    const auto large = largeScene();
    selection.setScene(large, {}, {"a.swc"});
    const std::size_t rows = selection.table()->rows();
    selection.setScene(smallScene(), {}, {"b.swc"});
    selection.select({0, 1});
    selection.hide();
    selection.setScene(large, {}, {"a.swc"});
    QCOMPARE(selection.table()->rows(), rows);
    QCOMPARE(selection.table()->figures.front().size(), rows);
  }

  void figuresOfFewBranchesComeAtOnce()
  {
    BranchSelection selection;
    selection.setScene(smallScene(), {}, {"a.swc"});
    QVERIFY(selection.hasTable());
    selection.pick({{0, 1}, {0, 2}}, PickMode::Replace);
    QVERIFY2(selection.summary().contains(kLengthUnit), qPrintable(selection.summary()));
  }
};

HINESIGHT_TEST(TestLateFigures)

#include "test_late_figures.moc"
