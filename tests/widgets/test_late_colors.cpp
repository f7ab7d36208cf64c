#include "morphology_pictures.hpp"
#include "test_main.hpp"

#include "widgets/cells/branch_colors.hpp"
#include "widgets/cells/tree/tree_view.hpp"
#include "widgets/theme_scope.hpp"

#include <memory>

using namespace hinesight;
using namespace hinesight::test;

namespace {

/// Of so many samples that their colours take longer than a frame.
std::shared_ptr<const Scene> largeScene()
{
  const auto scene = makeScene({largeCell(210'000)});
  scene->branchColors = std::make_shared<BranchColors>();
  return scene;
}

QString titleOf(const Scene& scene, ColorBy rule)
{
  return Coloring(scene, rule, LegendOf::AllCells, ColorsOf::Branches).legend().title;
}

/// Whether each bar has the colour of its branch.
bool isColoredBy(const TreeView& view, const Scene& scene, ColorBy rule)
{
  const Coloring coloring(scene, rule, LegendOf::AllCells, ColorsOf::Branches);
  const std::vector<PlanarRect>& bars = view.planarCanvas()->drawing().bars;
  return !bars.empty() && std::ranges::all_of(bars, [&](const PlanarRect& bar) {
    return bar.color == coloring.ofBranch(view.branchOfItem(bar.item)).rgb();
  });
}

} // namespace

class TestLateColors : public QObject
{
  Q_OBJECT

private slots:
  void colorsOfALargeSceneComeLater()
  {
    const auto scene = largeScene();
    TreeView view;
    view.setScene(scene);
    QVERIFY(isColoredBy(view, *scene, ColorBy::Type));
    view.setColorBy(ColorBy::PathDistance);
    QCOMPARE(view.colorBy(), ColorBy::PathDistance);
    QVERIFY(isColoredBy(view, *scene, ColorBy::Type)); // until the others are there
    QTRY_COMPARE(view.shownLegend().title, titleOf(*scene, ColorBy::PathDistance));
    QVERIFY(isColoredBy(view, *scene, ColorBy::PathDistance));
  }

  /// The colours of types have a contrast to the ground, so each theme has its own.
  void colorsFollowTheTheme()
  {
    const auto scene = makeScene({makeMorphology("fork", forkedCell())});
    TreeView view;
    view.setScene(scene);
    const QColor ofSoma = view.shownLegend().entries[0].color;
    setTheme(ThemeMode::Light);
    QVERIFY(isColoredBy(view, *scene, ColorBy::Type));
    QVERIFY(view.shownLegend().entries[0].color != ofSoma);
    setTheme(ThemeMode::Dark);
    QVERIFY(isColoredBy(view, *scene, ColorBy::Type));
    QCOMPARE(view.shownLegend().entries[0].color, ofSoma);
  }

  void colorsThatWereMadeComeAtOnce()
  {
    const auto scene = largeScene();
    scene->branchColors->of(*scene, ColorBy::Order, LegendOf::AllCells);
    QVERIFY(scene->branchColors->has(ColorBy::Order, LegendOf::AllCells));
    QVERIFY(!scene->branchColors->has(ColorBy::Radius, LegendOf::AllCells));
    TreeView view;
    view.setScene(scene);
    view.setColorBy(ColorBy::Order);
    QVERIFY(isColoredBy(view, *scene, ColorBy::Order));
  }

  void colorsOfAFigureAreKeptWithTheScene()
  {
    const auto scene = largeScene();
    TreeView view;
    view.setScene(scene);
    const Figure figure = view.figure();
    const ThemeScope scope(ThemeMode::Print);
    QVERIFY(!scene->branchColors->has(ColorBy::Type, LegendOf::AllCells));
    QCOMPARE(figure.legend().title, titleOf(*scene, ColorBy::Type));
    QVERIFY(scene->branchColors->has(ColorBy::Type, LegendOf::AllCells));
  }

  void onlyTheLastRuleCounts()
  {
    const auto scene = largeScene();
    TreeView view;
    view.setScene(scene);
    view.setColorBy(ColorBy::PathDistance);
    view.setColorBy(ColorBy::Radius);
    view.settle();
    QVERIFY(isColoredBy(view, *scene, ColorBy::Radius));
    QCOMPARE(view.shownLegend().title, titleOf(*scene, ColorBy::Radius));
  }

  void colorsOfASceneThatWasReplacedAreNotTaken()
  {
    TreeView view;
    view.setScene(largeScene());
    view.setColorBy(ColorBy::PathDistance);
    const auto small = makeScene({makeMorphology("fork", forkedCell())});
    view.setScene(small);
    QVERIFY(isColoredBy(view, *small, ColorBy::PathDistance));
    view.settle();
    QVERIFY(isColoredBy(view, *small, ColorBy::PathDistance));
  }

  void aViewMayGoWhileItsColorsAreMade()
  {
    auto scene = largeScene();
    const std::weak_ptr<const Scene> kept = scene;
    auto view = std::make_unique<TreeView>();
    view->setScene(std::move(scene));
    view->setColorBy(ColorBy::PathDistance);
    view.reset();
    QTRY_VERIFY(kept.expired());
  }

  void colorsOfASmallSceneComeAtOnce()
  {
    const auto scene = makeScene({makeMorphology("fork", forkedCell())});
    TreeView view;
    view.setScene(scene);
    view.setColorBy(ColorBy::PathDistance);
    QVERIFY(isColoredBy(view, *scene, ColorBy::PathDistance));
  }
};

HINESIGHT_TEST_RUN(hinesight::test::runGlTest<TestLateColors>)

#include "test_late_colors.moc"
