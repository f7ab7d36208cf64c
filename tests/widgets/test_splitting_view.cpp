#include "core/device.hpp"
#include "hines/solvers.hpp"
#include "planar_scenes.hpp"
#include "test_main.hpp"
#include "widgets/cells/splitting/splitting_view.hpp"
#include "widgets/cells/tree/tree_layout.hpp"
#include "widgets/figure/figure.hpp"
#include "widgets/theme_scope.hpp"

#include <QComboBox>
#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <new>

using namespace hinesight;
using namespace hinesight::widgets;
using hinesight::testing::alike;

namespace {

hines::PlanParameters fixedLength(std::int32_t length)
{
  hines::PlanParameters parameters;
  parameters.balance = hines::BalanceMeasure::None;
  parameters.split = hines::SplitStrategy::FixedLength;
  parameters.splitLength = length;
  return parameters;
}

hines::PlanParameters withStrategy(hines::SplitStrategy strategy)
{
  hines::PlanParameters parameters = fixedLength(8);
  parameters.split = strategy;
  return parameters;
}

std::unique_ptr<SplittingView> show(std::shared_ptr<const Scene> scene, const QSize& size = {1100, 700})
{
  auto view = std::make_unique<SplittingView>();
  view->resize(size);
  view->setColorBy(ColorBy::Branch);
  view->setScene(std::move(scene));
  view->show();
  view->settle(); // the cut is made in the background
  view->planarCanvas()->grabPicture();
  return view;
}

QPoint pixelOf(const SplittingView& view, bool after, double level, double length)
{
  return view.planarCanvas()->transform().map(QPointF(level, view.yOf(after, length))).toPoint();
}

QString textOf(const SplittingView& view, const char* name)
{
  const auto* label = view.findChild<QLabel*>(QLatin1String(name));
  return label ? label->text() : QString();
}

bool anyTextContains(const SplittingView& view, const QString& text)
{
  const QStringList texts = view.planarCanvas()->visibleTexts();
  return std::any_of(texts.begin(), texts.end(), [&](const QString& shown) { return shown.contains(text); });
}

QString headerOf(const SplittingView& view)
{
  return view.findChild<QLabel*>(QStringLiteral("viewText"))->text();
}

/// Two cells of several levels, with as many copies, solved.
std::shared_ptr<Scene> solvedScene(hines::SolveParameters parameters, std::int64_t copies = 3)
{
  const auto comb = testing::makeSystem(
      testing::compartmentParents({-1, 0, 0, 2, 2, 4, 4, 6, 6}, {20, 33, 7, 41, 12, 28, 19, 60, 3}));
  auto scene = testing::makeScene({comb, testing::smallCell()}, 2 * copies, fixedLength(4));
  scene->solution = hines::solve(scene->plan->batch, parameters, {}, scene->plan);
  return scene;
}

hines::SolveParameters by(hines::SolverId solver)
{
  hines::SolveParameters parameters;
  parameters.solver = solver;
  return parameters;
}

std::shared_ptr<const study::PlannedSchedule> planFor(const Scene& scene, const hines::SolveParameters& parameters)
{
  return std::make_shared<const study::PlannedSchedule>(study::planSchedule(scene.plan->batch, parameters));
}

/// Rows of each cell that a cut's pieces have, by the branch that they begin in.
std::vector<int> rowsOfCells(const Cut& cut, std::size_t cells)
{
  std::vector<int> rows(cells, 0);
  for (const CutPiece& piece : cut.pieces) {
    rows[piece.branch.cell] += piece.length;
  }
  return rows;
}

} // namespace

class TestSplittingView : public QObject
{
  Q_OBJECT

private slots:
  /// It is not made again meanwhile, whatever of it is hidden.
  void theDrawingStaysUntilTheCutComes()
  {
    const auto view = show(testing::makeScene({testing::smallCell()}, 1, fixedLength(4)));
    const std::vector<PlanarDot>& dots = view->planarCanvas()->drawing().dots;
    const PlanarDot* const before = dots.data();
    QVERIFY(!dots.empty() && !view->branchOfItem(0).isNull());
    view->setScene(testing::makeScene({testing::smallCell()}, 1, fixedLength(2)));
    view->setChoice({{}, {}, BranchIds(std::vector<BranchId>{{0, 1}})});
    QVERIFY(dots.data() == before);
    QVERIFY(view->branchOfItem(0).isNull());
    view->settle();
    QVERIFY(!view->branchOfItem(0).isNull());
  }

  void initTestCase() { setTheme(ThemeMode::Dark); }

  void everyBranchIsADotAtItsLevelAndLength()
  {
    // Branches of 4, 9, 3, 2 and 5, cut at 4: 9 becomes 4 + 4 + 1 and its children move down.
    const auto scene = testing::makeScene({testing::smallCell()}, 3, fixedLength(4));
    const auto view = show(scene);
    const auto& dots = view->planarCanvas()->drawing().dots;
    const hines::DependencyTree& tree = scene->plan->shapes[0].tree;
    const UncutBranches uncut = joinPieces(tree);
    QCOMPARE(uncut.length.size(), std::size_t{5});
    QCOMPARE(dots.size(), uncut.length.size() + tree.branches()); // distinct cells once, whatever the copies
    std::vector<std::pair<int, int>> expected;
    for (std::size_t k = 0; k < uncut.length.size(); ++k) {
      expected.emplace_back(uncut.level[k], uncut.length[k]);
    }
    std::vector<std::pair<int, int>> drawn;
    for (std::size_t k = 0; k < 5; ++k) {
      drawn.emplace_back(static_cast<int>(std::floor(dots[k].x)),
                         static_cast<int>(std::lround(view->lengthAt(false, dots[k].y))));
    }
    std::sort(expected.begin(), expected.end());
    std::sort(drawn.begin(), drawn.end());
    QCOMPARE(drawn, expected);
    for (std::size_t k = 5; k < dots.size(); ++k) {
      QVERIFY(std::lround(view->lengthAt(true, dots[k].y)) <= 4);
    }
  }

  void branchesAlikeLieSideBySide()
  {
    // Twelve children of 6 compartments each.
    std::vector<std::int32_t> parents(13, 0);
    std::vector<std::int32_t> lengths(13, 6);
    parents[0] = -1;
    const auto view = show(testing::makeScene({testing::makeSystem(testing::compartmentParents(parents, lengths))}, 1,
                                              withStrategy(hines::SplitStrategy::None)));
    std::vector<double> xs;
    for (const PlanarDot& dot : view->planarCanvas()->drawing().dots) {
      if (dot.item < 13 && dot.x > 1) {
        xs.push_back(dot.x);
      }
    }
    QCOMPARE(xs.size(), std::size_t{12});
    std::sort(xs.begin(), xs.end());
    QVERIFY(xs.front() > 1 && xs.back() < 2); // inside their level's width
    QVERIFY(std::abs(xs.front() + xs.back() - 3) < 1e-9);
    for (std::size_t k = 1; k < xs.size(); ++k) {
      QVERIFY(std::abs((xs[k] - xs[k - 1]) - (xs[1] - xs[0])) < 1e-9);
    }
  }

  void draggingTheThresholdSetsALength()
  {
    const auto view = show(testing::makeScene({testing::smallCell()}, 1, fixedLength(4)));
    QSignalSpy dragged(view.get(), &SplittingView::cutLengthDragged);
    testing::dragMouse(*view->planarCanvas(), pixelOf(*view, false, 1.5, 4), pixelOf(*view, false, 1.5, 7));
    QVERIFY(!dragged.isEmpty());
    QVERIFY(dragged.last()[0].value<hines::SolverId>() == hines::kFine);
    QCOMPARE(dragged.last()[1].toDouble(), 7.0);
    view->planarCanvas()->grabPicture();
    QVERIFY(anyTextContains(*view, QStringLiteral("K = 7"))); // stays where it was let go
    view->setScene(testing::makeScene({testing::smallCell()}, 1, fixedLength(2)));
    view->settle();
    view->planarCanvas()->grabPicture();
    QVERIFY(anyTextContains(*view, QStringLiteral("K = 2")));
    // In the panel after the cut too; never below one compartment.
    dragged.clear();
    testing::dragMouse(*view->planarCanvas(), pixelOf(*view, true, 1.5, 2), pixelOf(*view, true, 1.5, 0.6));
    QCOMPARE(dragged.last()[1].toDouble(), 1.0);
  }

  void aPlanThatComesWhileDraggingDoesNotMoveTheLine()
  {
    const auto view = show(testing::makeScene({testing::smallCell()}, 1, fixedLength(4)));
    const QPoint from = pixelOf(*view, false, 1.5, 4);
    const QPoint to = pixelOf(*view, false, 1.5, 7);
    QTest::mousePress(view->planarCanvas(), Qt::LeftButton, {}, from);
    testing::moveMouse(*view->planarCanvas(), to, Qt::LeftButton);
    view->setScene(testing::makeScene({testing::smallCell()}, 1, fixedLength(5)));
    view->settle();
    view->planarCanvas()->grabPicture();
    QVERIFY(anyTextContains(*view, QStringLiteral("K = 7")));
    QTest::mouseRelease(view->planarCanvas(), Qt::LeftButton, {}, to);
    view->setScene(testing::makeScene({testing::smallCell()}, 1, fixedLength(6)));
    view->settle();
    view->planarCanvas()->grabPicture();
    QVERIFY(anyTextContains(*view, QStringLiteral("K = 6")));
  }

  void everyStrategyHasALineToDrag_data()
  {
    QTest::addColumn<int>("strategy");
    QTest::newRow("none") << int(hines::SplitStrategy::None);
    QTest::newRow("level average") << int(hines::SplitStrategy::LevelAverage);
    QTest::newRow("block average") << int(hines::SplitStrategy::BlockAverage);
  }

  void everyStrategyHasALineToDrag()
  {
    QFETCH(int, strategy);
    const auto scene =
        testing::makeScene({testing::smallCell()}, 1, withStrategy(static_cast<hines::SplitStrategy>(strategy)));
    const auto view = show(scene);
    QSignalSpy dragged(view.get(), &SplittingView::cutLengthDragged);
    const bool perLevel = !scene->plan->levelThreshold.empty();
    // On level 1: the average of 9 and 3; else the length that is not in force.
    const double threshold = perLevel ? scene->plan->levelThreshold[1] : 8;
    if (perLevel) {
      QCOMPARE(threshold, 6.0);
    }
    testing::dragMouse(*view->planarCanvas(), pixelOf(*view, false, 1.3, threshold), pixelOf(*view, false, 1.3, 3));
    QVERIFY(!dragged.isEmpty());
    QCOMPARE(dragged.last()[1].toDouble(), 3.0);
  }

  void aFigureHasTheLinesOfTheCut_data()
  {
    QTest::addColumn<int>("strategy");
    QTest::newRow("level average") << int(hines::SplitStrategy::LevelAverage);
    QTest::newRow("fixed length") << int(hines::SplitStrategy::FixedLength);
  }

  void aFigureHasTheLinesOfTheCut()
  {
    QFETCH(int, strategy);
    const auto view =
        show(testing::makeScene({testing::smallCell()}, 1, withStrategy(static_cast<hines::SplitStrategy>(strategy))));
    FigureOptions options;
    options.unit = FigureUnit::Pixels;
    options.width = 1400;
    options.height = 1000;
    options.dotsPerInch = 192; // lines of three pixels
    options.theme = FigureTheme::Light;
    const QImage figure = pictureOf(view->figure().still(themeOf(options)), options).pixels();
    const ThemeScope scope(themeOf(options));
    QVERIFY(testing::countPixels(figure, theme().accent.rgb()) > 100);
  }

  /// Beside the plot there is room for the length of a line where one is named, and no more.
  void thePlotHasTheWidthOfItsCanvas()
  {
    const auto rightOf = [](hines::SplitStrategy strategy) {
      const auto view = show(testing::makeScene({testing::smallCell()}, 1, withStrategy(strategy)));
      return view->planarCanvas()->width() - view->planarCanvas()->plotArea().right();
    };
    QVERIFY(rightOf(hines::SplitStrategy::LevelAverage) < 20);
    QVERIFY(rightOf(hines::SplitStrategy::FixedLength) > 60);
  }

  void clickingADotPicksItsBranchAndSelectionDims()
  {
    const auto scene = testing::makeScene({testing::smallCell()}, 1, fixedLength(4));
    const auto view = show(scene);
    QSignalSpy picked(view.get(), &View::branchPicked);
    const auto& dots = view->planarCanvas()->drawing().dots;
    const PlanarDot& longest = *std::min_element(dots.begin(), dots.begin() + 5,
                                                 [](const PlanarDot& a, const PlanarDot& b) { return a.y < b.y; });
    const QPointF pixel = view->planarCanvas()->transform().map(QPointF(longest.x, longest.y));
    QTest::mouseClick(view->planarCanvas(), Qt::LeftButton, {}, pixel.toPoint());
    const auto id = picked.takeFirst()[0].value<BranchId>();
    QCOMPARE(scene->plan->asRead[0].tree.length[id.branch], 9);
    view->setSelection(id);
    const QImage picture = view->planarCanvas()->grabPicture();
    const Coloring coloring(*scene, ColorBy::Branch);
    QVERIFY(alike(picture.pixel(pixel.toPoint()), coloring.ofBranch(id).rgb(), 8));
    int dimmed = 0;
    for (const PlanarDot& dot : dots) {
      const BranchId other = view->branchOfItem(dot.item);
      if (other != id) {
        const QPoint at = view->planarCanvas()->transform().map(QPointF(dot.x, dot.y)).toPoint();
        dimmed += alike(picture.pixel(at), overCanvas(coloring.ofBranch(other), 0.35), 12) ? 1 : 0;
      }
    }
    QVERIFY(dimmed >= 4);
  }

  void theLedgerSaysWhatChanged()
  {
    // Three forks one behind the other, the root at one end: balancing saves a level, the cut adds some.
    hines::PlanParameters parameters = fixedLength(4);
    parameters.balance = hines::BalanceMeasure::Branches;
    const auto comb = testing::makeSystem(testing::compartmentParents({-1, 0, 0, 2, 2, 4, 4}, {2, 3, 2, 3, 2, 3, 9}));
    const auto scene = testing::makeScene({comb}, 1, parameters);
    const hines::SolvePlan& plan = *scene->plan;
    const hines::ScheduleFigures& before = plan.figuresUncut;
    const hines::ScheduleFigures& after = plan.figures;
    const auto view = show(scene);
    QCOMPARE(textOf(*view, "levels-asRead"), QString::number(plan.figuresAsRead.rounds));
    QCOMPARE(textOf(*view, "levels-uncut"), QString::number(before.rounds));
    QCOMPARE(textOf(*view, "levels-planned"), QString::number(after.rounds));
    QVERIFY(plan.figuresAsRead.rounds > before.rounds); // what balancing does is no merit of the cut
    QVERIFY(after.rounds > before.rounds);
    const auto percent =
        std::lround(100.0 * static_cast<double>(after.rounds - before.rounds) / static_cast<double>(before.rounds));
    QCOMPARE(textOf(*view, "levels-change"), QStringLiteral("+%1 %").arg(percent));
    QCOMPARE(textOf(*view, "steps-planned"), QString::number(after.criticalPath));
    QCOMPARE(textOf(*view, "time-planned"), QStringLiteral("\u2013")); // not solved yet
    auto solved = std::make_shared<Scene>(*scene);
    hines::SolveParameters solve;
    solve.solver = hines::kInterleaved; // which takes as long however branches are cut
    solved->solution = hines::solve(scene->plan->batch, solve, {}, scene->plan);
    view->setScene(solved);
    view->settle();
    QCOMPARE(textOf(*view, "time-planned"), QStringLiteral("\u2013"));
    QCOMPARE(textOf(*view, "time-uncut"), QStringLiteral("\u2013"));
    solved = std::make_shared<Scene>(*scene);
    solve.solver = hines::kMulticore;
    solved->solution = hines::solve(scene->plan->batch, solve, {}, scene->plan);
    view->setScene(solved);
    view->settle();
    const QString time = textOf(*view, "time-planned");
    QCOMPARE(time, formatMilliseconds(solved->solution->timings.of("solve")));
    const double planned = solved->solution->timings.of("solve");
    view->setStrategyTimes({{"none", measuredOf({2 * planned})}});
    QCOMPARE(textOf(*view, "time-uncut"), formatMilliseconds(2 * planned));
    QCOMPARE(textOf(*view, "time-change"), QStringLiteral("\u221250 %"));
    // What was solved once is no verdict, and what cannot be told from noise is the same.
    const auto* change = view->findChild<QLabel*>(QStringLiteral("time-change"));
    const auto colorOf = [&] { return change->palette().color(QPalette::WindowText); };
    QCOMPARE(colorOf(), theme().secondaryText);
    const auto solution = std::make_shared<hines::Solution>(*solved->solution);
    solution->repetitions = std::vector<double>(8, planned);
    solution->others = 0; // whatever else runs here
    solved = std::make_shared<Scene>(*solved);
    solved->solution = solution;
    view->setScene(solved);
    view->settle();
    view->setStrategyTimes({{"none", measuredOf(std::vector<double>(8, 2 * planned))}});
    QCOMPARE(textOf(*view, "time-change"), QStringLiteral("\u221250 %"));
    QCOMPARE(colorOf(), theme().accent);
    view->setStrategyTimes({{"none", measuredOf(std::vector<double>(8, 1.04 * planned))}});
    QCOMPARE(textOf(*view, "time-change"), QStringLiteral("same"));
    QCOMPARE(colorOf(), theme().secondaryText);
  }

  void aSolversOwnCutHasEveryCompartmentOnce_data()
  {
    QTest::addColumn<QString>("solver");
    for (const auto solver : {hines::kResident, hines::kEdd}) {
      QTest::newRow(solver.name.data()) << QString::fromUtf8(solver.name.data());
    }
  }

  void aSolversOwnCutHasEveryCompartmentOnce()
  {
    QFETCH(QString, solver);
    const auto scene = solvedScene(by(hines::solverNamed(solver.toStdString())));
    const auto view = show(scene);
    view->settle();
    // Of each distinct cell, whatever the copies: each row is eliminated by one lane on one level.
    QCOMPARE(rowsOfCells(view->cut(true), 2), (std::vector<int>{223, 23}));
    QCOMPARE(rowsOfCells(view->cut(false), 2), (std::vector<int>{223, 23}));
    QCOMPARE(view->planarCanvas()->drawing().dots.size(),
             view->cut(false).pieces.size() + view->cut(true).pieces.size());
    const QImage picture = view->grabPicture();
    QVERIFY(anyTextContains(*view, QLatin1String(hines::solverName(scene->solution->parameters.solver).data())));
    QVERIFY(anyTextContains(*view, QStringLiteral("steps")));
    // A dot is on the canvas where its level and length are.
    const CutPiece& first = view->cut(true).pieces.front();
    const PlanarDot& dot = view->planarCanvas()->drawing().dots[view->cut(false).pieces.size()];
    const PlanarAxis& rounds = view->planarCanvas()->drawing().axes.back();
    QCOMPARE(static_cast<int>(std::lround(rounds.toValue(dot.x))), first.level);
    QCOMPARE(static_cast<int>(std::lround(view->lengthAt(true, dot.y))), first.length);
    const QPoint pixel = view->planarCanvas()->transform().map(QPointF(dot.x, dot.y)).toPoint();
    QVERIFY(alike(view->planarCanvas()->grabPicture().pixel(pixel), dot.color, 8));
    QVERIFY(!picture.isNull());
  }

  /// A lane a cell shows nothing of the cell.
  void whereLanesTakeWholeCellsThePlanOfBranchesIsDrawn()
  {
    for (const auto solver : {hines::kSerial, hines::kCoarse, hines::kInterleaved}) {
      const auto view = show(solvedScene(by(solver)));
      view->settle();
      QVERIFY(headerOf(*view).contains(QStringLiteral("has not run (the %1 solver did)").arg(solver.name.data())));
      QVERIFY(view->cut(true).longest <= 4);
      QCOMPARE(rowsOfCells(view->cut(true), 2), (std::vector<int>{223, 23}));
      QCOMPARE(textOf(*view, "heading-planned"), QStringLiteral("planned"));
      QCOMPARE(textOf(*view, "time-planned"), QStringLiteral("\u2013")); // the plan took none
      QVERIFY(view->findChild<QToolButton*>(QStringLiteral("strategy-fixed"))->isEnabled());
    }
  }

  void residentHasPiecesThenJunctionsRoundByRound()
  {
    const auto view = show(solvedScene(by(hines::kResident)));
    view->settle();
    const Cut& cut = view->cut(true);
    QVERIFY(cut.levels > 2);
    QVERIFY(cut.longest <= 32);
    for (const CutPiece& piece : cut.pieces) {
      QCOMPARE(piece.kind == CutPiece::Kind::Junction, piece.level > 0);
      QVERIFY(piece.level == 0 || piece.length == 1);
    }
    // Of the ledger: fewer steps than the longest block of uncut branches, which is what it is for.
    QCOMPARE(textOf(*view, "heading-planned"), QStringLiteral("resident"));
    QCOMPARE(textOf(*view, "levels-planned"), QString::number(cut.levels));
    QVERIFY(textOf(*view, "steps-planned").toInt() > 0);
    QVERIFY(textOf(*view, "steps-planned").toInt() < textOf(*view, "steps-uncut").toInt());
    QVERIFY(textOf(*view, "steps-change").startsWith(QChar(0x2212)));
    const auto figures = view->scene()->solution->schedule->summary();
    QCOMPARE(textOf(*view, "padding-planned"), QString::fromStdString(formatBytes(figures->paddingBytes)));
    QCOMPARE(textOf(*view, "bytes-planned"), QString::fromStdString(formatBytes(figures->bytesMoved)));
    QVERIFY(textOf(*view, "time-planned") != QStringLiteral("\u2013"));
    QVERIFY(!view->findChild<QToolButton*>(QStringLiteral("strategy-fixed"))->isEnabled());
    // And back: the plan's own cut, as dots, ledger and buttons.
    view->setScene(solvedScene(by(hines::kMulticore)));
    view->settle();
    QCOMPARE(textOf(*view, "heading-planned"), QStringLiteral("planned"));
    QVERIFY(view->findChild<QToolButton*>(QStringLiteral("strategy-fixed"))->isEnabled());
    QVERIFY(view->cut(true).longest <= 4);
    QCOMPARE(rowsOfCells(view->cut(true), 2), (std::vector<int>{223, 23}));
  }

  void eddHasRecursionsAndItsKCanBeDragged()
  {
    hines::SolveParameters parameters = by(hines::kEdd);
    parameters.of<hines::EddParameters>().chainLength = 10;
    parameters.of<hines::EddParameters>().depth = 2;
    const auto view = show(solvedScene(parameters));
    view->settle();
    view->planarCanvas()->grabPicture();
    const Cut& cut = view->cut(true);
    QCOMPARE(cut.levels, 3); // two recursions and the rest
    for (const CutPiece& piece : cut.pieces) {
      QCOMPARE(piece.kind == CutPiece::Kind::Junction, piece.level > 0);
      QVERIFY(piece.level > 0 || piece.length <= 10);
      QCOMPARE(piece.ofAnyBranch, piece.level == 2);
    }
    QVERIFY(anyTextContains(*view, QStringLiteral("K = 10")));
    QSignalSpy dragged(view.get(), &SplittingView::cutLengthDragged);
    testing::dragMouse(*view->planarCanvas(), pixelOf(*view, true, 2.5, 10), pixelOf(*view, true, 2.5, 5));
    QVERIFY(!dragged.isEmpty());
    QVERIFY(dragged.last()[0].value<hines::SolverId>() == hines::kEdd);
    QCOMPARE(dragged.last()[1].toDouble(), 5.0);
    // Where K follows from the number of cells, and where it has no say, that is said.
    for (const auto method : {hines::EddMethod::Fine, hines::EddMethod::MinTpt}) {
      parameters.of<hines::EddParameters>().chainLength = 0;
      parameters.of<hines::EddParameters>().method = method;
      view->setScene(solvedScene(parameters));
      view->settle();
      const auto& handles = view->planarCanvas()->drawing().handles;
      QCOMPARE(handles.size(), std::size_t{2});
      QCOMPARE(handles[0].inForce, method == hines::EddMethod::Fine);
      QCOMPARE(std::lround(view->lengthAt(false, handles[0].y)), 6L);
      view->planarCanvas()->grabPicture();
      QVERIFY(anyTextContains(*view, QStringLiteral("K = 6\n") + (handles[0].inForce ? "automatic" : "not used")));
    }
    // Without recursion nothing is cut, whatever K: the plan of branches is drawn.
    parameters.of<hines::EddParameters>().method = hines::EddMethod::Fine;
    parameters.of<hines::EddParameters>().depth = 0;
    view->setScene(solvedScene(parameters));
    view->settle();
    QVERIFY(view->cut(true).pieces.size() > 2);
    QVERIFY(headerOf(*view).contains(QStringLiteral("has not run (the edd solver did)")));
  }

  void kStaysUnderTheMouseWhileSolutionsCome()
  {
    hines::SolveParameters parameters = by(hines::kEdd);
    parameters.of<hines::EddParameters>().chainLength = 5;
    const auto view = show(solvedScene(parameters));
    view->settle();
    view->planarCanvas()->grabPicture();
    const QPoint from = pixelOf(*view, false, 0.5, 5);
    const QPoint to = pixelOf(*view, false, 0.5, 40);
    QTest::mousePress(view->planarCanvas(), Qt::LeftButton, {}, from);
    testing::moveMouse(*view->planarCanvas(), to, Qt::LeftButton);
    parameters.of<hines::EddParameters>().chainLength = 40; // whose chains want a higher panel
    view->setScene(solvedScene(parameters));
    view->settle();
    view->planarCanvas()->grabPicture();
    QVERIFY(view->cut(true).longest > 20);
    QVERIFY(std::abs(pixelOf(*view, false, 0.5, 40).y() - to.y()) <= 1);
    const double base = view->yOf(true, 1);
    QTest::mouseRelease(view->planarCanvas(), Qt::LeftButton, {}, to);
    QVERIFY(view->yOf(true, 1) > base); // then there is room for them
    QVERIFY(anyTextContains(*view, QStringLiteral("K = 40")));
  }

  void tridiagonalPiecesMeetInCyclicReduction()
  {
    const auto chain = testing::makeSystem(testing::compartmentParents({-1}, {64}));
    auto scene = testing::makeScene({chain}, 4, fixedLength(64));
    hines::SolveParameters parameters = by(hines::kTridiagonal);
    parameters.of<hines::TridiagonalParameters>().lanes = 8;
    scene->solution = hines::solve(scene->plan->batch, parameters, {}, scene->plan);
    const auto view = show(scene);
    view->settle();
    // 64 rows in lanes of 9 (odd): 8 lanes, of which all but the junction is eliminated; then 3 reductions and the
    // rest.
    int first = 0;
    for (const CutPiece& piece : view->cut(true).pieces) {
      first += piece.level == 0 ? piece.length : 0;
      QVERIFY(piece.level == 0 || piece.length == 1);
    }
    QCOMPARE(first, 64 - 8);
    QCOMPARE(view->cut(true).levels, 5);
  }

  void aCutTooLargeForTheMemoryIsSaidToBe()
  {
    /// Of a batch that nobody has the memory for.
    class NoMemory : public hines::Schedule
    {
    public:
      std::string_view unitName() const override { return "unit"; }
      std::size_t unitCount() const override { return 1; }
      hines::LaneChart chart(std::size_t, hines::LaneOrder) const override { throw std::bad_alloc(); }
      std::optional<std::size_t> unitOfCell(std::size_t) const override { return 0; }
      bool dividesCells() const override { return true; }

    protected:
      std::size_t bytesMoved() const override { return 0; }
    };
    auto scene = testing::makeScene({testing::smallCell()}, 1, fixedLength(4));
    auto solution = std::make_shared<hines::Solution>();
    solution->parameters.solver = hines::kResident;
    solution->schedule = std::make_shared<const NoMemory>();
    scene->solution = solution;
    SplittingView view;
    QSignalSpy failed(&view, &View::failed);
    view.resize(1100, 700);
    view.setScene(scene);
    view.show();
    view.settle();
    QCOMPARE(failed.count(), 1);
    view.grabPicture();
    QCOMPARE(view.planarCanvas()->drawing().dots.size(), view.cut(false).pieces.size());
    QVERIFY(!view.cut(false).pieces.empty());
    QVERIFY(anyTextContains(view, QStringLiteral("not known")));
  }

  void whereTheScheduleIsNotKnownThePlanOfBranchesIsDrawn()
  {
    auto scene = testing::makeScene({testing::smallCell()}, 1, fixedLength(4));
    auto solution = std::make_shared<hines::Solution>();
    solution->parameters.solver = hines::kGtsvStrided; // runs where there is a GPU
    solution->schedule = std::make_shared<hines::UnknownSchedule>(scene->plan->batch, "cuSPARSE");
    scene->solution = solution;
    const auto view = show(scene);
    view->grabPicture();
    QVERIFY(!view->cut(true).pieces.empty());
    QVERIFY(headerOf(*view).contains(QStringLiteral("has not run (the gtsv2-strided solver did)")));
  }

  void strategiesCanBeChosen()
  {
    const auto view = show(testing::makeScene({testing::smallCell()}, 1, fixedLength(4)));
    auto* fixed = view->findChild<QToolButton*>(QStringLiteral("strategy-fixed"));
    auto* average = view->findChild<QToolButton*>(QStringLiteral("strategy-level-average"));
    QVERIFY(fixed && average);
    QVERIFY(fixed->isChecked() && fixed->text().contains(QStringLiteral("K = 4")));
    view->setStrategyTimes({{"level-average", measuredOf({0.25})}});
    QVERIFY(average->text().contains(formatMilliseconds(0.25)));
    for (const auto solver : {hines::kEdd, hines::kResident, hines::kCoarse}) { // whose time it is not
      view->setScene(solvedScene(by(solver)));
      view->settle();
      const auto buttons = view->findChildren<QToolButton*>(QRegularExpression(QStringLiteral("^strategy-")));
      QVERIFY(!buttons.isEmpty());
      for (const QToolButton* button : buttons) {
        QVERIFY(!button->text().contains(formatMilliseconds(0.25)));
      }
    }
    view->setScene(testing::makeScene({testing::smallCell()}, 1, fixedLength(4)));
    view->settle();
    average = view->findChild<QToolButton*>(QStringLiteral("strategy-level-average"));
    QVERIFY(average->text().contains(formatMilliseconds(0.25)));
    QSignalSpy chosen(view.get(), &SplittingView::cutWayChosen);
    average->click();
    QCOMPARE(chosen.count(), 1);
    QVERIFY(chosen[0][0].value<hines::SolverId>() == hines::kFine);
    QCOMPARE(chosen[0][1].toString(), QStringLiteral("level-average"));
    view->setScene(nullptr);
    view->settle();
    QVERIFY(!average->isEnabled());
    QCOMPARE(average->text(), QStringLiteral("Level average"));
  }

  /// How the drawn schedule's solver cuts is what can be chosen and dragged.
  void aChosenScheduleIsDrawnWithItsOwnWaysToCut()
  {
    const auto scene = testing::makeScene({testing::smallCell()}, 3, fixedLength(4));
    const auto view = show(scene);
    QTest::keyClick(view->findChild<QComboBox*>(QStringLiteral("scheduleChoice")), Qt::Key_End);
    QVERIFY(view->scheduleChoice().has_value());
    QVERIFY(view->cut(true).longest <= 4); // until there is a scene with it
    hines::SolveParameters edd = by(hines::kEdd);
    edd.backend = Backend::Cuda;
    edd.of<hines::EddParameters>().chainLength = 3;
    edd.of<hines::EddParameters>().depth = 1;
    const auto chosen = std::make_shared<Scene>(*scene);
    chosen->planned = planFor(*scene, edd);
    QVERIFY2(chosen->planned->schedule, chosen->planned->problem.c_str());
    view->setScene(chosen);
    view->settle();
    QVERIFY(headerOf(*view).startsWith(QStringLiteral("Not run: ")));
    QCOMPARE(rowsOfCells(view->cut(true), 1), (std::vector<int>{23}));
    QCOMPARE(textOf(*view, "heading-planned"), QStringLiteral("edd"));
    QCOMPARE(textOf(*view, "time-planned"), QStringLiteral("\u2013"));
    QVERIFY(!view->findChild<QToolButton*>(QStringLiteral("strategy-fixed")));
    auto* atForks = view->findChild<QToolButton*>(QStringLiteral("strategy-min-tpt"));
    const auto* everyK = view->findChild<QToolButton*>(QStringLiteral("strategy-fine"));
    QVERIFY(atForks && everyK && everyK->isChecked() && everyK->text().contains(QStringLiteral("K = 3")));
    QSignalSpy way(view.get(), &SplittingView::cutWayChosen);
    atForks->click();
    QCOMPARE(way.count(), 1);
    QVERIFY(way[0][0].value<hines::SolverId>() == hines::kEdd);
    QCOMPARE(way[0][1].toString(), QStringLiteral("min-tpt"));
    // Where lanes take whole cells there is nothing to choose.
    chosen->planned = planFor(*scene, by(hines::kCoarse));
    view->setScene(std::make_shared<Scene>(*chosen));
    view->settle();
    QCOMPARE(view->cut(true).pieces.size(), std::size_t{1});
    QCOMPARE(view->cut(true).pieces.front().kind, CutPiece::Kind::Cell);
    QVERIFY(!view->findChild<QToolButton*>(QStringLiteral("strategy-fixed"))->isEnabled());
    // And back.
    view->setScene(scene);
    view->settle();
    QVERIFY(view->findChild<QToolButton*>(QStringLiteral("strategy-fixed"))->isEnabled());
    QVERIFY(view->cut(true).longest <= 4);
  }

  void whatCannotBePlannedIsSaidInThePlaceOfTheDrawing()
  {
    const auto scene = testing::makeScene({testing::smallCell()}, 3, fixedLength(4));
    const auto view = show(scene);
    const auto chosen = std::make_shared<Scene>(*scene);
    chosen->planned = planFor(*scene, by(hines::kTridiagonal));
    view->setScene(chosen);
    view->settle();
    const auto* notice = view->findChild<QLabel*>(QStringLiteral("emptyText"));
    QVERIFY(notice->isVisible());
    QCOMPARE(notice->text(), QString::fromStdString(chosen->planned->problem));
    QVERIFY(view->planarCanvas()->drawing().dots.empty());
  }

  void emptySceneShowsTheEmptyState()
  {
    SplittingView view;
    view.setScene(nullptr);
    view.show();
    QVERIFY(view.findChild<QWidget*>(QStringLiteral("emptyOpen"))->isVisible());
    QVERIFY(view.planarCanvas()->drawing().dots.empty());
    QCOMPARE(textOf(view, "levels-planned"), QStringLiteral("\u2013"));
  }

  void textsKeepTheirDistance_data()
  {
    QTest::addColumn<QSize>("size");
    QTest::newRow("large") << QSize(1600, 1000);
    QTest::newRow("small") << QSize(700, 450);
  }

  void textsKeepTheirDistance()
  {
    QFETCH(QSize, size);
    const auto view = show(testing::makeScene({testing::smallCell()}, 1, fixedLength(4)), size);
    const std::vector<QRectF> rects = view->planarCanvas()->visibleTextRects();
    QVERIFY(rects.size() >= 8);
    for (std::size_t a = 0; a < rects.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        QVERIFY(!rects[a].intersects(rects[b]));
      }
    }
    QVERIFY(anyTextContains(*view, QStringLiteral("Before")));
    QVERIFY(anyTextContains(*view, QStringLiteral("After")));
    QVERIFY(anyTextContains(*view, QStringLiteral("compartments")));
    QVERIFY(anyTextContains(*view, QStringLiteral("level")));
  }

  /// However low the panels become.
  void theHeadingBetweenThePanelsCoversNoBranch()
  {
    constexpr double kDot = 3; // radius, pixels
    const auto view = show(solvedScene(by(hines::kFine)));
    for (const int height : {700, 400, 330}) {
      view->resize(1100, height);
      view->planarCanvas()->grabPicture();
      const QStringList texts = view->planarCanvas()->visibleTexts();
      const auto heading =
          std::ranges::find_if(texts, [](const QString& text) { return text.startsWith(QStringLiteral("After")); });
      QVERIFY(heading != texts.end());
      const QRectF place = view->planarCanvas()->visibleTextRects()[static_cast<std::size_t>(heading - texts.begin())];
      const double lowest = view->planarCanvas()->transform().y(view->yOf(false, 1)) + kDot;
      QVERIFY2(place.top() >= lowest,
               qPrintable(QStringLiteral("%1: %2 < %3").arg(height).arg(place.top()).arg(lowest)));
    }
  }
};

HINESIGHT_TEST_RUN(testing::runWidgetTest<TestSplittingView>)

#include "test_splitting_view.moc"
