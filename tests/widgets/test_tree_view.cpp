#include "cell_scenes.hpp"
#include "hines/solvers.hpp"
#include "morphology/swc.hpp"
#include "paths/paths.hpp"
#include "planar_scenes.hpp"
#include "test_main.hpp"
#include "widgets/cells/tree/tree_view.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/figure/figure.hpp"
#include "widgets/legend_overlay.hpp"
#include "widgets/theme.hpp"

#include <QAbstractItemView>
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QVariantAnimation>

#include <algorithm>
#include <cmath>

using namespace hinesight;
using namespace hinesight::widgets;
using hinesight::testing::alike;

namespace {

hines::PlanParameters uncut()
{
  hines::PlanParameters parameters;
  parameters.balance = hines::BalanceMeasure::None;
  parameters.split = hines::SplitStrategy::None;
  return parameters;
}

/// Cut at 4 compartments, root as read.
hines::PlanParameters cutAtFour()
{
  hines::PlanParameters parameters = uncut();
  parameters.split = hines::SplitStrategy::FixedLength;
  parameters.splitLength = 4;
  return parameters;
}

constexpr std::int32_t kLargeBranches = 4'095; ///< of a tree that is drawn on another thread

/// So many branches of 5 compartments, each with two children but for the last ones.
std::shared_ptr<const cable::HinesSystem> binaryCell(std::int32_t branches)
{
  std::vector<std::int32_t> parent;
  for (std::int32_t branch = 0; branch < branches; ++branch)
    parent.push_back(branch == 0 ? -1 : (branch - 1) / 2);
  return testing::makeSystem(testing::compartmentParents(parent, std::vector<std::int32_t>(parent.size(), 5)));
}

std::unique_ptr<TreeView> show(std::shared_ptr<const Scene> scene, const QSize& size = {900, 600})
{
  auto view = std::make_unique<TreeView>();
  view->resize(size);
  view->setColorBy(ColorBy::Branch);
  view->setScene(std::move(scene));
  view->show();
  return view;
}

QPoint pixelOf(const TreeView& view, const QRectF& bar)
{
  return view.planarCanvas()->transform().map(bar).center().toPoint();
}

/// The colour a third across and down a bar, beside the line of the critical path.
QRgb colorIn(const TreeView& view, const QRectF& bar)
{
  const QRectF pixels = view.planarCanvas()->transform().map(bar);
  const QImage picture = view.planarCanvas()->grabPicture();
  return picture.pixel((pixels.topLeft() + QPointF(pixels.width() / 5, pixels.height() / 2)).toPoint());
}

bool anyTextContains(const TreeView& view, const QString& text)
{
  const QStringList texts = view.planarCanvas()->visibleTexts();
  return std::any_of(texts.begin(), texts.end(), [&](const QString& shown) { return shown.contains(text); });
}

} // namespace

class TestTreeView : public QObject
{
  Q_OBJECT

private slots:
  /// What is hidden is left out at once, and comes back to where it was.
  void aSceneComesWithItsChoice()
  {
    const auto scene = testing::makeScene({testing::smallCell()}, 1, uncut());
    const auto view = show(scene);
    const std::vector<PlanarRect> all = view->planarCanvas()->drawing().bars;
    const BranchChoice choice{{}, {}, BranchIds(std::vector<BranchId>{{0, 1}})};
    view->showScene(scene, choice);
    QCOMPARE(view->choice(), choice);
    QCOMPARE(view->planarCanvas()->drawing().bars.size(), all.size() - 2); // one as read, one planned
    view->setChoice({});
    const std::vector<PlanarRect>& again = view->planarCanvas()->drawing().bars;
    QVERIFY(std::ranges::equal(again, all, [](const PlanarRect& a, const PlanarRect& b) {
      return a.left == b.left && a.top == b.top && a.right == b.right && a.bottom == b.bottom && a.item == b.item;
    }));
  }

  void initTestCase() { setTheme(ThemeMode::Dark); }

  void emptyStateOffersToOpen()
  {
    TreeView view;
    view.resize(800, 500);
    view.setScene(nullptr);
    view.show();
    const QSignalSpy opened(&view, &View::openRequested);
    auto* button = view.findChild<QPushButton*>(QStringLiteral("emptyOpen"));
    QVERIFY(button && button->isVisible());
    button->click();
    QCOMPARE(opened.count(), 1);
    QVERIFY(view.planarCanvas()->drawing().bars.empty());
  }

  /// Also one that is wider than the timing card above it.
  void theLegendIsWholeBesideThePlot()
  {
    std::vector<test::Row> rows{{1, 0, 0, 0, 5, -1}};
    for (int type = 2; type < 20; ++type)
      rows.push_back({type, 10.0 * type, 100, 0, 1, 0});
    const auto view = show(test::makeScene({test::makeMorphology("types", rows)}), {868, 583});
    view->setColorBy(ColorBy::Type);
    StageTimings timings;
    timings.add("solve", 1);
    view->timingCard()->addRun(timings);
    const auto* legend = view->findChild<LegendOverlay*>(QStringLiteral("legend"));
    QTRY_VERIFY(legend->isVisible() && view->timingCard()->isVisible());
    const QWidget* body = legend->parentWidget();
    const auto isWhole = [&] {
      const QRect plot(view->planarCanvas()->mapTo(body, QPoint(0, 0)), view->planarCanvas()->size());
      return body->rect().contains(legend->geometry()) && !plot.intersects(legend->geometry()) &&
             plot.width() > body->width() / 3;
    };
    QTRY_VERIFY(isWhole());
    QVERIFY(legend->width() > view->timingCard()->width());
  }

  void withoutAPlanASentenceSaysSo()
  {
    auto scene = std::make_shared<Scene>();
    scene->cells.resize(1);
    const auto view = show(scene);
    auto* text = view->findChild<QLabel*>(QStringLiteral("emptyText"));
    QVERIFY(text && text->isVisible());
    QVERIFY(text->text().contains(QStringLiteral("plan")));
    view->setScene(testing::makeScene({testing::smallCell()}, 1, uncut()));
    QVERIFY(!text->isVisible());
  }

  void barsAreAsHighAsTheirBranches()
  {
    const auto scene = testing::makeScene({testing::smallCell()}, 1, cutAtFour());
    const auto view = show(scene);
    const auto& asRead = scene->plan->asRead[0].tree;
    const auto& planned = scene->plan->shapes[0].tree;
    QCOMPARE(asRead.branches(), std::size_t{5});
    QVERIFY(planned.branches() > asRead.branches());
    QCOMPARE(view->planarCanvas()->drawing().bars.size(), asRead.branches() + planned.branches());
    for (const bool ofPlanned : {false, true}) {
      const auto& tree = ofPlanned ? planned : asRead;
      for (std::size_t branch = 0; branch < tree.branches(); ++branch) {
        const QRectF bar = view->barOf(ofPlanned, static_cast<std::int32_t>(branch));
        QCOMPARE(bar.height(), double(tree.length[branch]));
        if (tree.parent[branch] >= 0) {
          QVERIFY(bar.top() > view->barOf(ofPlanned, tree.parent[branch]).bottom());
        }
        for (std::size_t other = 0; other < branch; ++other) {
          QVERIFY(!bar.intersects(view->barOf(ofPlanned, static_cast<std::int32_t>(other))));
        }
      }
    }
    // Side by side on one ground line, at one scale.
    QCOMPARE(view->barOf(false, 0).top(), view->barOf(true, 0).top());
    QVERIFY(view->barOf(true, 0).left() > view->barOf(false, 0).right());
  }

  void aNewPlanMovesThePiecesToTheirPlaces()
  {
    const auto view = show(testing::makeScene({testing::smallCell()}, 1, uncut()));
    QVERIFY(QTest::qWaitForWindowExposed(view.get()));
    const auto barNow = [&](std::size_t item) {
      const auto& bars = view->planarCanvas()->drawing().bars;
      const auto bar =
          std::find_if(bars.begin(), bars.end(), [&](const PlanarRect& b) { return b.item == static_cast<int>(item); });
      return QRectF(QPointF(bar->left, bar->top), QPointF(bar->right, bar->bottom));
    };
    const QRectF oldBranch = view->barOf(true, 1); // of 9 compartments, not cut yet

    const auto cut = testing::makeScene({testing::smallCell()}, 1, cutAtFour());
    view->setScene(cut);
    const auto& planned = cut->plan->shapes[0].tree;
    const std::size_t firstPlanned = cut->plan->asRead[0].tree.branches();
    // The pieces of the branch of 9 lie where it was, one behind the other.
    std::vector<double> tops;
    for (std::size_t piece = 0; piece < planned.branches(); ++piece) {
      if (planned.uncut[piece] == planned.uncut[1]) {
        tops.push_back(barNow(firstPlanned + piece).top());
      }
    }
    QVERIFY(tops.size() > 1);
    QCOMPARE(tops.front(), oldBranch.top());
    for (std::size_t piece = 1; piece < tops.size(); ++piece) {
      QVERIFY(tops[piece] > tops[piece - 1] && tops[piece] < oldBranch.bottom());
    }

    const auto isThere = [&] {
      for (std::size_t piece = 0; piece < planned.branches(); ++piece) {
        if (barNow(firstPlanned + piece) != view->barOf(true, static_cast<std::int32_t>(piece))) {
          return false;
        }
      }
      return true;
    };
    QVERIFY(!isThere());
    // Half of the way in half of the time.
    auto* morph = view->findChild<QVariantAnimation*>();
    QCOMPARE(morph->duration(), TreeView::kMorphMilliseconds);
    QCOMPARE(morph->state(), QAbstractAnimation::Running);
    morph->setCurrentTime(0);
    QVERIFY(!isThere());
    std::vector<QPointF> halfway;
    for (std::size_t piece = 0; piece < planned.branches(); ++piece) {
      const QPointF end = view->barOf(true, static_cast<std::int32_t>(piece)).center();
      halfway.push_back((barNow(firstPlanned + piece).center() + end) / 2);
    }
    morph->setCurrentTime(TreeView::kMorphMilliseconds / 2);
    for (std::size_t piece = 0; piece < planned.branches(); ++piece) {
      const QPointF apart = barNow(firstPlanned + piece).center() - halfway[piece];
      QVERIFY(std::hypot(apart.x(), apart.y()) < 1e-6);
    }
    QTRY_VERIFY(isThere());

    // The same plan again moves nothing; a picture is taken of what is there in the end.
    view->setScene(std::make_shared<Scene>(*cut));
    QVERIFY(isThere());
    view->setScene(testing::makeScene({testing::smallCell()}, 1, uncut()));
    view->setScene(cut);
    QVERIFY(!isThere());
    view->grabPicture();
    QVERIFY(isThere());
  }

  /// What takes longer than a frame is laid out and drawn on another thread: it comes as if it had been drawn at once,
  /// and until then what there was stays, of which no branch can be picked.
  void aLargeTreeComesLater()
  {
    const auto large = testing::makeScene({binaryCell(kLargeBranches)}, 1, cutAtFour());
    const auto view = show(testing::makeScene({testing::smallCell()}, 1, cutAtFour()));
    const std::size_t before = view->planarCanvas()->drawing().bars.size();
    const QPoint bar = pixelOf(*view, view->barOf(false, 0));
    view->setSelection({0, 1});
    const auto& asRead = large->plan->asRead[0].tree;
    const auto& planned = large->plan->shapes[0].tree;
    QCOMPARE(asRead.branches(), std::size_t{kLargeBranches});
    const auto* header = view->findChild<QLabel*>(QStringLiteral("viewText"));

    view->setScene(large);
    QCOMPARE(view->planarCanvas()->drawing().bars.size(), before);
    QVERIFY(view->branchOfItem(0).isNull());
    QVERIFY(view->barOf(false, 0).isNull());
    QVERIFY2(header->text().contains(formatNumber(kLargeBranches)), qPrintable(header->text()));
    QSignalSpy picked(view.get(), &View::branchPicked);
    QTest::mouseClick(view->planarCanvas(), Qt::LeftButton, {}, bar);
    QVERIFY(picked.takeFirst()[0].value<BranchId>().isNull());

    QTRY_COMPARE(view->planarCanvas()->drawing().bars.size(), asRead.branches() + planned.branches());
    QVERIFY(view->branchOfItem(1) == (BranchId{0, 1}));
    const PlanarCanvas* canvas = view->planarCanvas();
    QCOMPARE(canvas->transform().map(canvas->drawing().bounds).toRect().width(), canvas->plotArea().toRect().width());
    for (const bool ofPlanned : {false, true}) {
      const auto& tree = ofPlanned ? planned : asRead;
      for (std::size_t branch = 0; branch < tree.branches(); ++branch) {
        const PlanarRect& drawn = canvas->drawing().bars[branch + (ofPlanned ? asRead.branches() : 0)];
        const QRectF there(QPointF(drawn.left, drawn.top), QPointF(drawn.right, drawn.bottom));
        QCOMPARE(there, view->barOf(ofPlanned, static_cast<std::int32_t>(branch)));
        QCOMPARE(there.height(), double(tree.length[branch]));
      }
    }
    view->grabPicture();
    QVERIFY(anyTextContains(*view, QStringLiteral("As read")));
  }

  /// Its colours and what is hidden of it change in the drawing that there is, which can be picked until then.
  void aLargeTreeStaysWhileItChanges()
  {
    const auto scene = testing::makeScene({binaryCell(kLargeBranches)}, 1, uncut());
    const auto view = show(scene);
    view->settle();
    const auto bars = [&]() -> const std::vector<PlanarRect>& { return view->planarCanvas()->drawing().bars; };
    const std::size_t all = bars().size();
    const QRectF place = view->barOf(false, 7);
    const QRgb ofBranch = bars()[7].color;
    const auto isHere = [&] { return view->branchOfItem(7) == (BranchId{0, 7}) && view->barOf(false, 7) == place; };

    view->setColorBy(ColorBy::Level);
    QVERIFY(isHere());
    QTRY_VERIFY(bars()[7].color != ofBranch);
    QVERIFY(isHere());
    view->setColorBy(ColorBy::Branch);
    QTRY_COMPARE(bars()[7].color, ofBranch);

    view->setChoice({{}, {}, BranchIds(std::vector<BranchId>{{0, 7}})});
    QVERIFY(isHere());
    QTRY_COMPARE(bars().size(), all - 2); // one as read, one planned
    view->setChoice({});
    view->settle(); // at once
    QCOMPARE(bars().size(), all);
    QVERIFY(isHere());

    const QRgb line = view->planarCanvas()->drawing().strokes.back().color;
    setTheme(ThemeMode::Light);
    view->settle();
    QVERIFY(view->planarCanvas()->drawing().strokes.back().color != line);
    setTheme(ThemeMode::Dark);
    view->settle();
    QCOMPARE(view->planarCanvas()->drawing().strokes.back().color, line);
  }

  /// Only the newest of several cells that are turned to is drawn.
  void aLargeTreeGivesWay()
  {
    const auto cell = binaryCell(kLargeBranches);
    const auto view = show(testing::makeScene({testing::smallCell(), cell}, 1, uncut()));
    view->showCell(1);
    view->showCell(0);
    const std::size_t few = view->planarCanvas()->drawing().bars.size();
    QCOMPARE(few, std::size_t{10});
    QVERIFY(view->branchOfItem(1) == (BranchId{0, 1}));
    view->settle();
    QCOMPARE(view->planarCanvas()->drawing().bars.size(), few);
    view->showCell(1);
    view->setScene(nullptr);
    view->settle();
    QVERIFY(view->planarCanvas()->drawing().bars.empty());
  }

  /// Also one that is asked for before the drawing is there.
  void aFigureOfALargeTreeIsWhole()
  {
    FigureOptions options;
    options.unit = FigureUnit::Pixels;
    options.width = 700;
    options.height = 500;
    options.dotsPerInch = 96;
    options.theme = FigureTheme::Light;
    const auto view = show(testing::makeScene({binaryCell(kLargeBranches)}, 1, uncut()));
    const QImage still = pictureOf(view->figure().still(themeOf(options)), options).pixels();
    view->settle();
    QCOMPARE(still, pictureOf(view->figure(), options).pixels());
    const int background = testing::countPixels(still, still.pixel(0, 0), 1);
    QVERIFY2(background < 0.95 * still.width() * still.height(), qPrintable(QString::number(background)));
  }

  /// Widgets lose their palettes and get them again while all follow a theme: that costs no drawing.
  void onlyAnotherThemeIsDrawnAnew()
  {
    const auto view = show(testing::makeScene({testing::smallCell()}, 1, uncut()));
    const auto lineColor = [&] { return view->planarCanvas()->drawing().strokes.back().color; };
    const QRgb dark = lineColor();
    QSignalSpy fitted(view->planarCanvas(), &VtkWidget::viewChanged); // as each new drawing that is shown whole
    QEvent change(QEvent::PaletteChange);
    QCoreApplication::sendEvent(view.get(), &change);
    QCOMPARE(fitted.count(), 0);
    setTheme(ThemeMode::Light);
    QVERIFY(fitted.count() > 0);
    QVERIFY(lineColor() != dark);
    setTheme(ThemeMode::Dark);
    QCOMPARE(lineColor(), dark);
  }

  void headingsAndLevelsAreNamed()
  {
    const auto view = show(testing::makeScene({testing::smallCell()}, 1, cutAtFour()));
    view->planarCanvas()->grabPicture();
    // Levels of 4, 9 and 5 compartments; the path 4 + 9 + 5.
    QVERIFY(anyTextContains(*view, QStringLiteral("As read: 3 levels, 18 steps, critical path 18")));
    QVERIFY(anyTextContains(*view, QStringLiteral("Planned: ")));
    QVERIFY(view->planarCanvas()->visibleTexts().contains(QStringLiteral("L2")));
  }

  void clickingABarPicksItsBranch()
  {
    const auto scene = testing::makeScene({testing::smallCell()}, 1, cutAtFour());
    const auto view = show(scene);
    QSignalSpy picked(view.get(), &View::branchPicked);
    for (const bool ofPlanned : {false, true}) {
      const auto& shape = ofPlanned ? scene->plan->shapes[0] : scene->plan->asRead[0];
      for (std::size_t branch = 0; branch < shape.tree.branches(); ++branch) {
        QTest::mouseClick(view->planarCanvas(), Qt::LeftButton, {},
                          pixelOf(*view, view->barOf(ofPlanned, static_cast<std::int32_t>(branch))));
        QCOMPARE(picked.count(), 1);
        const auto id = picked.takeFirst()[0].value<BranchId>();
        QCOMPARE(id.cell, 0);
        QCOMPARE(id.branch, scene->branchOfCompartment[0][shape.compartment[shape.tree.first[branch]]]);
      }
    }
    QTest::mouseClick(view->planarCanvas(), Qt::LeftButton, {}, {3, 300});
    QVERIFY(picked.takeFirst()[0].value<BranchId>().isNull());
  }

  void sameBranchSameColourInBothTrees()
  {
    const auto scene = testing::makeScene({testing::smallCell()}, 1, cutAtFour());
    const auto view = show(scene);
    view->setColorBy(ColorBy::Branch);
    const auto& shape = scene->plan->shapes[0];
    for (std::size_t branch = 0; branch < shape.tree.branches(); ++branch) {
      const std::int32_t asRead = scene->branchOfCompartment[0][shape.compartment[shape.tree.first[branch]]];
      QVERIFY(alike(colorIn(*view, view->barOf(true, static_cast<std::int32_t>(branch))),
                    colorIn(*view, view->barOf(false, asRead))));
    }
  }

  void selectionLightsUpInBothTreesAndDimsTheRest()
  {
    const auto scene = testing::makeScene({testing::smallCell()}, 1, cutAtFour());
    const auto view = show(scene);
    const QRgb other = colorIn(*view, view->barOf(false, 2));
    const QRgb chosen = colorIn(*view, view->barOf(false, 1));
    view->setSelection({0, 1});
    QVERIFY(alike(colorIn(*view, view->barOf(false, 1)), chosen));
    QVERIFY(alike(colorIn(*view, view->barOf(false, 2)), overCanvas(QColor(other), 0.35)));
    const auto& shape = scene->plan->shapes[0];
    int pieces = 0;
    for (std::size_t branch = 0; branch < shape.tree.branches(); ++branch) {
      const bool ofChosen = scene->branchOfCompartment[0][shape.compartment[shape.tree.first[branch]]] == 1;
      pieces += ofChosen ? 1 : 0;
      const QRgb color = colorIn(*view, view->barOf(true, static_cast<std::int32_t>(branch)));
      QCOMPARE(alike(color, chosen), ofChosen);
    }
    QCOMPARE(pieces, 3); // 9 compartments at 4 a piece
    const QImage picture = view->grabPicture();
    QVERIFY(testing::countPixels(picture, theme().selection.rgb(), 24) > 100);
    view->setSelection({});
    QVERIFY(alike(colorIn(*view, view->barOf(false, 2)), other));
  }

  /// Where the root moves, a branch may become the lower part of another; it must light up all the same.
  void aBranchThatWasMergedStillLightsUp()
  {
    // Root of 1 with two children only: once the root is elsewhere, both are one run.
    hines::PlanParameters parameters = uncut();
    parameters.balance = hines::BalanceMeasure::Compartments;
    const auto scene = testing::makeScene(
        {testing::makeSystem(testing::compartmentParents({-1, 0, 0, 1, 1, 3, 3}, {1, 6, 2, 20, 20, 20, 20}))}, 1,
        parameters);
    const auto view = show(scene);
    for (std::int32_t branch = 0; branch < 7; ++branch) {
      view->setSelection({});
      view->setSelection({0, branch});
      const QImage picture = view->grabPicture();
      bool lit = false;
      const auto& tree = scene->plan->shapes[0].tree;
      for (std::size_t k = 0; k < tree.branches(); ++k) {
        const QRectF pixels = view->planarCanvas()->transform().map(view->barOf(true, static_cast<std::int32_t>(k)));
        const QRectF edge = pixels.adjusted(-1, -1, 1, 1);
        lit = lit || alike(picture.pixel(edge.topLeft().toPoint()), theme().selection.rgb(), 40);
      }
      QVERIFY2(lit, qPrintable(QString::number(branch)));
    }
  }

  void cellsAreChosenByNameAndBySelection()
  {
    const auto big = testing::makeSystem(testing::compartmentParents({-1, 0, 0, 0}, {30, 10, 10, 10}));
    const auto view = show(testing::makeScene({testing::smallCell(), big}, 2, uncut()));
    auto* cells = view->findChild<QComboBox*>(QStringLiteral("treeCell"));
    QVERIFY(cells && cells->isVisible());
    QCOMPARE(cells->count(), 2);
    QCOMPARE(view->barOf(false, 0).height(), 4.0);
    cells->setCurrentIndex(1);
    emit cells->activated(1);
    QCOMPARE(view->barOf(false, 0).height(), 30.0);
    view->setSelection({0, 2});
    QCOMPARE(view->shownCell(), 0);
    QCOMPARE(cells->currentIndex(), 0);
    view->setScene(testing::makeScene({big}, 1, uncut()));
    QVERIFY(!cells->isVisible());
    QCOMPARE(view->barOf(false, 0).height(), 30.0);
  }

  /// A run that ends shows its cells anew: what a person has chosen, or is about to choose, stays.
  void keepsTheChosenCellThroughRuns()
  {
    const auto big = testing::makeSystem(testing::compartmentParents({-1, 0, 0, 0}, {30, 10, 10, 10}));
    const auto named = [](const std::shared_ptr<Scene>& scene, std::vector<std::shared_ptr<cable::Discretization>> of) {
      for (std::size_t k = 0; k < of.size(); ++k) {
        scene->cells[k].discretization = of[k];
      }
      return scene;
    };
    const auto makeCell = [] {
      auto cell = std::make_shared<cable::Discretization>();
      cell->morphology = std::make_shared<const morphology::Morphology>();
      return cell;
    };
    const auto first = makeCell();
    const auto second = makeCell();
    const auto view = show(named(testing::makeScene({testing::smallCell(), big}, 1, uncut()), {first, second}));
    auto* cells = view->findChild<QComboBox*>(QStringLiteral("treeCell"));
    view->showCell(1);
    QCOMPARE(view->barOf(false, 0).height(), 30.0);
    view->setScene(named(testing::makeScene({big, testing::smallCell()}, 1, uncut()), {second, first}));
    QCOMPARE(view->shownCell(), 0);
    QCOMPARE(cells->currentIndex(), 0);
    QCOMPARE(view->barOf(false, 0).height(), 30.0);

    cells->showPopup();
    QVERIFY(QTest::qWaitForWindowExposed(cells->view()->window()));
    QTest::keyClick(cells->view(), Qt::Key_End);
    view->setScene(named(testing::makeScene({big, testing::smallCell()}, 1, cutAtFour()), {second, first}));
    QCOMPARE(cells->view()->currentIndex().row(), 1);
    QTest::keyClick(cells->view(), Qt::Key_Return);
    QCOMPARE(view->shownCell(), 1);
  }

  void theCriticalPathIsBold()
  {
    const auto view = show(testing::makeScene({testing::smallCell()}, 1, uncut()));
    const QImage picture = view->planarCanvas()->grabPicture();
    // The path runs through branches 0, 1 and 4 (of 5 compartments), not through 3.
    const auto middle = [&](std::int32_t branch) { return picture.pixel(pixelOf(*view, view->barOf(false, branch))); };
    for (const std::int32_t branch : {0, 1, 4}) {
      QVERIFY(alike(middle(branch), theme().text.rgb()));
    }
    QVERIFY(!alike(middle(3), theme().text.rgb()));
  }

  void timingCardAndLegendCoverNoBranch()
  {
    const auto view = show(testing::makeScene({testing::smallCell()}, 1, uncut()), {1200, 700});
    StageTimings timings;
    timings.add("solve", 1);
    view->timingCard()->addRun(timings);
    QTRY_VERIFY(view->timingCard()->isVisible());
    const PlanarCanvas* canvas = view->planarCanvas();
    const QRectF drawing = canvas->transform().map(canvas->drawing().bounds);
    QTRY_VERIFY(!view->timingCard()->geometry().intersects(
        canvas->transform().map(canvas->drawing().bounds).toRect().translated(canvas->pos())));
    QVERIFY(!drawing.isEmpty());
  }

  void theHeaderSaysWhetherThePlanRan()
  {
    const auto scene = testing::makeScene({testing::smallCell()}, 1, cutAtFour());
    const auto view = show(scene);
    const auto* header = view->findChild<QLabel*>(QStringLiteral("viewText"));
    QVERIFY2(header->text().contains(QStringLiteral("plan of branches, not run: levels")), qPrintable(header->text()));
    const auto solvedBy = [&](hines::SolverId solver) {
      auto solved = std::make_shared<Scene>(*scene);
      hines::SolveParameters parameters;
      parameters.solver = solver;
      solved->solution = hines::solve(scene->plan->batch, parameters, {}, scene->plan);
      return solved;
    };
    view->setScene(solvedBy(hines::kMulticore));
    QVERIFY2(header->text().contains(QStringLiteral("plan of branches, run by multicore: levels")),
             qPrintable(header->text()));
    view->setScene(solvedBy(hines::kResident));
    QVERIFY2(header->text().contains(QStringLiteral("plan of branches, not run: levels")), qPrintable(header->text()));
  }

  void drawsRealCells_data()
  {
    QTest::addColumn<QString>("file");
    for (const char* name : {"nrn__c91662.swc", "jaxley__morph_l5pc_with_axon.swc", "swc2vtk__300000.swc"}) {
      QTest::newRow(name) << tests::sharedFile("morphologies/real/") + QLatin1String(name);
    }
  }

  void drawsRealCells()
  {
    QFETCH(QString, file);
    if (!QFileInfo::exists(file)) {
      QSKIP("shared morphologies are not here");
    }
    const auto morphology = morphology::readSwc(file.toStdString());
    const auto branches = std::make_shared<morphology::BranchTree>(morphology::findBranches(*morphology));
    const auto cell = cable::discretize(morphology, branches, {});
    const auto scene = testing::makeScene({cell->system}, 1, {});
    const auto view = show(scene, {1600, 1000});
    const QImage picture = view->grabPicture();
    // Texts keep their distance, and the drawing is not empty.
    const std::vector<QRectF> rects = view->planarCanvas()->visibleTextRects();
    QVERIFY(rects.size() > 10);
    for (std::size_t a = 0; a < rects.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        QVERIFY(!rects[a].intersects(rects[b]));
      }
    }
    const int background = testing::countPixels(picture, theme().canvas.rgb(), 1);
    QVERIFY(background < 0.99 * picture.width() * picture.height());
  }
};

HINESIGHT_TEST_RUN(testing::runWidgetTest<TestTreeView>)

#include "test_tree_view.moc"
