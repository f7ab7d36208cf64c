#include "cell_scenes.hpp"
#include "gl_test.hpp"

#include "cable/random_tree.hpp"
#include "morphology/synthetic.hpp"
#include "painted_texts.hpp"
#include "test_main.hpp"
#include "widgets/cells/coloring.hpp"
#include "widgets/legend_overlay.hpp"
#include "widgets/theme_scope.hpp"

#include <QApplication>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

#include <map>
#include <memory>
#include <set>

using namespace hinesight;
using namespace hinesight::widgets;
using test::branchOfSample;
using test::forkedCell;
using test::makeMorphology;
using test::makeScene;

namespace {

std::shared_ptr<const morphology::Morphology> synthetic(const std::string& kind, std::uint64_t seed = 1)
{
  morphology::SyntheticCellParameters parameters;
  std::vector<BoundField> fields = fieldsOf(parameters);
  findField(fields, "kind")->setText(kind);
  parameters.seed = seed;
  return morphology::makeSyntheticCell(parameters);
}

/// A scene of random trees: systems, but no shape in space.
std::shared_ptr<Scene> randomTreeScene()
{
  auto scene = std::make_shared<Scene>();
  std::vector<std::shared_ptr<const cable::HinesSystem>> systems;
  for (std::uint64_t i = 0; i < 2; ++i) {
    systems.push_back(cable::makeRandomTree({}, i));
    scene->cells.emplace_back();
    scene->cells.back().name = "random tree";
  }
  scene->plan = hines::makePlan(hines::makeBatch(systems, 1), {});
  scene->branchOfCompartment = hines::BranchMap(*scene->plan, scene->cells.size());
  return scene;
}

} // namespace

class TestColoring : public QObject
{
  Q_OBJECT

private slots:
  void identifiesEveryCompartment()
  {
    const auto scene = makeScene({synthetic("pyramidal"), synthetic("stellate", 3)});
    for (std::size_t cell = 0; cell < 2; ++cell) {
      const auto& tree = asReadShape(*scene, cell)->tree;
      std::vector<std::int32_t> compartments(tree.branches(), 0);
      for (const std::int32_t branch : scene->branchOfCompartment[cell]) {
        QVERIFY(branch >= 0);
        ++compartments[static_cast<std::size_t>(branch)];
      }
      QCOMPARE(compartments, tree.length);
    }
  }

  /// Compartments of one branch form a chain: the identity agrees with the cell's own parents.
  void branchesAreChains()
  {
    const auto scene = makeScene({synthetic("purkinje")});
    const auto& parent = scene->cells[0].discretization->parent;
    const auto& branchOf = scene->branchOfCompartment[0];
    std::vector<int> inBranch(parent.size(), 0); // children of a compartment within its branch
    std::vector<int> heads(asReadShape(*scene, 0)->tree.branches(), 0);
    for (std::size_t i = 0; i < parent.size(); ++i) {
      if (parent[i] >= 0 && branchOf[static_cast<std::size_t>(parent[i])] == branchOf[i]) {
        QCOMPARE(++inBranch[static_cast<std::size_t>(parent[i])], 1);
      } else {
        ++heads[static_cast<std::size_t>(branchOf[i])];
      }
    }
    QCOMPARE(heads, std::vector<int>(heads.size(), 1));
  }

  void colorsByType()
  {
    const auto scene = makeScene({makeMorphology("fork", forkedCell())});
    const Coloring coloring(*scene, ColorBy::Type);
    QCOMPARE(coloring.ofSample(0, 0), typeColor(morphology::kSoma));
    QCOMPARE(coloring.ofSample(0, 2), typeColor(morphology::kBasalDendrite));
    QCOMPARE(coloring.ofSample(0, 7), typeColor(morphology::kApicalDendrite));
    QCOMPARE(coloring.ofBranch(branchOfSample(*scene, 0, 5)), typeColor(morphology::kApicalDendrite));
    const Legend& legend = coloring.legend();
    QVERIFY(!legend.isQuantity);
    QCOMPARE(legend.entries.size(), std::size_t{3});
    QCOMPARE(legend.entries[0].label, QString::fromStdString(morphology::typeName(morphology::kSoma)));
    QCOMPARE(legend.entries[0].color, typeColor(morphology::kSoma));
  }

  /// Also where several threads colour the cells, as those of a figure for print in a dark window.
  void colorsOfTypesAreThoseOfTheScope()
  {
    constexpr std::int32_t kCells = 64;
    const auto scene = makeScene(
        std::vector<std::shared_ptr<const morphology::Morphology>>(kCells, makeMorphology("fork", forkedCell())));
    const QColor onDark = typeColor(morphology::kApicalDendrite);
    const ThemeScope scope(ThemeMode::Print);
    const QColor inPrint = typeColor(morphology::kApicalDendrite);
    QVERIFY(inPrint != onDark);
    const Coloring coloring(*scene, ColorBy::Type);
    for (std::int32_t cell = 0; cell < kCells; ++cell)
      QCOMPARE(coloring.ofSample(cell, 7), inPrint);
  }

  void neighboursDifferInColor()
  {
    const auto scene = makeScene({synthetic("pyramidal")});
    const Coloring coloring(*scene, ColorBy::Branch);
    const auto& parent = asReadShape(*scene, 0)->tree.parent;
    std::map<std::int32_t, std::multiset<QRgb>> siblings;
    for (std::int32_t branch = 0; branch < static_cast<std::int32_t>(parent.size()); ++branch) {
      const std::int32_t above = parent[static_cast<std::size_t>(branch)];
      const QColor own = coloring.ofBranch({0, branch});
      if (above >= 0) {
        QVERIFY(own != coloring.ofBranch({0, above}));
      }
      siblings[above].insert(own.rgb());
    }
    for (const auto& [above, colors] : siblings) {
      const std::set<QRgb> distinct(colors.begin(), colors.end());
      QVERIFY(distinct.size() >= std::min<std::size_t>(colors.size(), 6));
    }
  }

  void colorsByLevel()
  {
    const auto scene = makeScene({synthetic("pyramidal")});
    const Coloring coloring(*scene, ColorBy::Level);
    const auto& tree = asReadShape(*scene, 0)->tree;
    QCOMPARE(coloring.legend().low, 0.0);
    QCOMPARE(coloring.legend().high, tree.levels() - 1.0);
    QVERIFY(coloring.legend().isQuantity);
    for (std::int32_t branch = 0; branch < static_cast<std::int32_t>(tree.branches()); ++branch) {
      const double fraction = tree.level[static_cast<std::size_t>(branch)] / (tree.levels() - 1.0);
      QCOMPARE(coloring.ofBranch({0, branch}), mapColor(ColorMap::Viridis, fraction));
    }
  }

  void colorsByOrder()
  {
    const auto scene = makeScene({makeMorphology("fork", forkedCell())});
    const Coloring coloring(*scene, ColorBy::Order);
    // The stem up to the bifurcation has order 0, the two branches above it 1.
    QCOMPARE(coloring.legend().high, 1.0);
    QCOMPARE(coloring.ofSample(0, 3), mapColor(ColorMap::Viridis, 0));
    QCOMPARE(coloring.ofSample(0, 5), mapColor(ColorMap::Viridis, 1));
    QCOMPARE(coloring.ofSample(0, 7), mapColor(ColorMap::Viridis, 1));
  }

  void colorsByPathDistance()
  {
    const auto scene = makeScene({makeMorphology("fork", forkedCell())});
    const Coloring coloring(*scene, ColorBy::PathDistance);
    const double toFork = 50;
    const double toTip = toFork + 50 + std::hypot(30, 20);
    QVERIFY(std::abs(coloring.legend().low - 40) < 1e-9); // neurites only: the first basal sample
    QVERIFY(std::abs(coloring.legend().high - toTip) < 1e-9);
    QCOMPARE(coloring.ofSample(0, 3), mapColor(ColorMap::Viridis, (toFork - 40) / (toTip - 40)));
    QCOMPARE(coloring.ofSample(0, 5), mapColor(ColorMap::Viridis, 1));
  }

  void clampsRareThickRadii()
  {
    // 200 samples of radius 1 to 2 and two of 30: the scale is that of the many.
    std::vector<test::Row> rows{{1, 0, 0, 0, 8, -1}};
    for (std::int32_t i = 0; i < 202; ++i) {
      rows.push_back({3, 10.0 * (i + 1), 0, 0, i < 200 ? 1 + i / 200.0 : 30, i});
    }
    const auto scene = makeScene({makeMorphology("chain", rows)});
    const Coloring coloring(*scene, ColorBy::Radius);
    QCOMPARE(coloring.legend().low, 1.0);
    QVERIFY2(coloring.legend().high <= 2, qPrintable(QString::number(coloring.legend().high)));
    QVERIFY(coloring.legend().clamped);
    QCOMPARE(coloring.ofSample(0, 1), mapColor(ColorMap::Cividis, 0));
    QCOMPARE(coloring.ofSample(0, 202), mapColor(ColorMap::Cividis, 1));
  }

  void colorsByBlock()
  {
    hines::PlanParameters parameters;
    parameters.blockSize = 32;
    // Each of these has more than half of 32 branches on some level: no two fit into one block.
    std::vector<std::shared_ptr<const morphology::Morphology>> cells;
    for (std::int32_t cell = 0; cell < 3; ++cell) {
      std::vector<test::Row> rows{{1, 0, 0, 0, 8, -1}};
      for (std::int32_t stem = 0; stem < 20 + cell; ++stem) {
        rows.push_back({3, 10.0 * (stem + 1), 50, 0, 1, 0});
      }
      cells.push_back(makeMorphology("star", rows));
    }
    const auto scene = makeScene(cells, parameters);
    const Coloring coloring(*scene, ColorBy::Block);
    QCOMPARE(coloring.legend().entries.size(), std::size_t{3});
    std::set<QRgb> colors;
    for (std::int32_t cell = 0; cell < 3; ++cell) {
      colors.insert(coloring.ofSample(cell, 1).rgb());
    }
    QCOMPARE(colors.size(), std::size_t{3});
  }

  /// Two cells with one tree share a shape of the plan, but not their identity.
  void tellsCellsOfOneShapeApart()
  {
    auto rows = forkedCell();
    const auto first = makeMorphology("first", rows);
    rows[1].type = rows[2].type = morphology::kAxon;
    const auto scene = makeScene({first, makeMorphology("second", rows)});
    QCOMPARE(shapeOfCell(*scene, 0), shapeOfCell(*scene, 1));
    const Coloring coloring(*scene, ColorBy::Type);
    QCOMPARE(coloring.ofBranch(branchOfSample(*scene, 0, 2)), typeColor(morphology::kBasalDendrite));
    QCOMPARE(coloring.ofBranch(branchOfSample(*scene, 1, 2)), typeColor(morphology::kAxon));
    QVERIFY(describeBranch(*scene, branchOfSample(*scene, 1, 2)).starts_with("cell: second\n"));
  }

  void describesABranch()
  {
    const auto scene = makeScene({makeMorphology("fork", forkedCell())});
    const std::string text = describeBranch(*scene, branchOfSample(*scene, 0, 5));
    for (const char* line : {"cell: fork", "compartments: 2", "type: apical dendrite", "branch order: 1", "samples: 2",
                             "radius: 1 to 2 \u00b5m", "path distance: 50 to 136 \u00b5m", "block: 1"}) {
      QVERIFY2(text.find(line) != std::string::npos, qPrintable(QString::fromStdString(text)));
    }
    // What joins a neurite with the soma is not its length.
    const std::string basal = describeBranch(*scene, branchOfSample(*scene, 0, 2));
    QVERIFY2(basal.find("\nlength: 50 \u00b5m\nsegment to the soma: 40 \u00b5m\n") != std::string::npos, basal.c_str());
    const BranchId apical = branchOfSample(*scene, 0, 5);
    const std::string number = "\nbranch or root: " + std::to_string(apical.branch + 1) + " of ";
    QVERIFY2(text.find(number) != std::string::npos, text.c_str());
    const auto& tree = asReadShape(*scene, 0)->tree;
    const std::string level = std::to_string(tree.level[static_cast<std::size_t>(apical.branch)]);
    QCOMPARE(describeBranchBriefly(*scene, apical), "fork, branch or root " + std::to_string(apical.branch + 1) +
                                                        " of " + std::to_string(tree.branches()) +
                                                        "\napical dendrite, level " + level + ", 2 compartments");
    for (const BranchId nothing : {BranchId{}, BranchId{0, 999}, BranchId{7, 0}}) {
      QCOMPARE(describeBranch(*scene, nothing), std::string());
      QCOMPARE(describeBranchBriefly(*scene, nothing), std::string());
    }
  }

  void workWithoutAPlan()
  {
    Scene scene;
    scene.cells.push_back(test::makeSceneCell(makeMorphology("fork", forkedCell())));
    QVERIFY(scene.branchOfCompartment.empty());
    for (const ColorBy rule : allColorBys()) {
      const Coloring coloring(scene, rule);
      QVERIFY(coloring.ofSample(0, 5).isValid());
      QCOMPARE(coloring.ofBranch({0, 0}), Coloring::unknownColor());
    }
    QCOMPARE(Coloring(scene, ColorBy::Type).ofSample(0, 5), typeColor(morphology::kApicalDendrite));
    QVERIFY(Coloring(scene, ColorBy::Branch).ofSample(0, 5) != Coloring(scene, ColorBy::Branch).ofSample(0, 7));
    QCOMPARE(describeBranch(scene, {0, 0}), std::string());
  }

  void workWithoutMorphology()
  {
    const auto scene = randomTreeScene();
    for (const ColorBy rule : allColorBys()) {
      const Coloring coloring(*scene, rule);
      QVERIFY(coloring.ofBranch({1, 0}).isValid());
      QCOMPARE(coloring.ofSample(0, 0), Coloring::unknownColor());
    }
    QVERIFY(Coloring(*scene, ColorBy::Level).ofBranch({0, 0}) != Coloring::unknownColor());
    QVERIFY(!Coloring(*scene, ColorBy::Radius).legend().isQuantity);
    // What they lack is said.
    for (const ColorBy rule : {ColorBy::Type, ColorBy::Order, ColorBy::Radius, ColorBy::PathDistance}) {
      const Legend legend = Coloring(*scene, rule).legend();
      QCOMPARE(legend.entries.size(), std::size_t{1});
      QCOMPARE(legend.entries[0].color, Coloring::unknownColor());
    }
    const std::string figures = "compartments: " + std::to_string(asReadShape(*scene, 0)->tree.length[0]) + "\nblock:";
    QVERIFY(describeBranch(*scene, {0, 0}).find(figures) != std::string::npos);
  }

  /// Views of branches do without the colours of samples.
  void coloursOfBranchesAreTheSameWithoutSamples()
  {
    const auto scene = makeScene({makeMorphology("fork", forkedCell()), synthetic("pyramidal")});
    for (const ColorBy rule : allColorBys()) {
      const Coloring all(*scene, rule);
      const Coloring ofBranches(*scene, rule, LegendOf::AllCells, ColorsOf::Branches);
      const Legend& legend = ofBranches.legend();
      const Legend& legendOfAll = all.legend();
      QCOMPARE(legend.entries.size(), legendOfAll.entries.size());
      QCOMPARE(legend.isQuantity, legendOfAll.isQuantity);
      QCOMPARE(legend.low, legendOfAll.low);
      QCOMPARE(legend.high, legendOfAll.high);
      int colours = 0;
      for (std::int32_t cell = 0; cell < 2; ++cell)
        for (std::int32_t branch = 0; branch < static_cast<std::int32_t>(asReadShape(*scene, cell)->tree.branches());
             ++branch, ++colours)
          QCOMPARE(ofBranches.ofBranch({cell, branch}), all.ofBranch({cell, branch}));
      QVERIFY(colours > 10);
      QCOMPARE(ofBranches.ofSample(1, 3), Coloring::unknownColor());
    }
  }

  void legendShowsEntriesAndBars()
  {
    LegendOverlay overlay;
    QVERIFY(overlay.isHidden());
    const auto scene = makeScene({makeMorphology("fork", forkedCell())});
    const Coloring types(*scene, ColorBy::Type);
    overlay.setLegend(types.legend());
    QVERIFY(overlay.isHidden()); // until there is known to be room
    overlay.setRoom(true);
    QVERIFY(!overlay.isHidden());
    QImage picture = overlay.grab().toImage();
    for (const auto& entry : types.legend().entries) {
      int pixels = 0;
      for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
          pixels += test::distance(picture.pixelColor(x, y), entry.color) <= 2;
        }
      }
      QVERIFY2(pixels > 40, qPrintable(entry.label));
    }
    const Coloring levels(*scene, ColorBy::Level);
    overlay.setLegend(levels.legend());
    picture = overlay.grab().toImage();
    // Somewhere in the bar a row runs from the map's first to its last colour.
    bool found = false;
    for (int y = 0; y < picture.height() && !found; ++y) {
      found = test::distance(picture.pixelColor(16, y), mapColor(ColorMap::Viridis, 6 / 168.0)) <= 4 &&
              test::distance(picture.pixelColor(10 + 162, y), mapColor(ColorMap::Viridis, 162 / 168.0)) <= 4;
    }
    QVERIFY(found);
    overlay.setLegend({});
    overlay.setRoom(true); // for nothing
    QVERIFY(overlay.isHidden());
  }

  /// A colour never stands for two things in two lines; the tooltip says all that it stands for.
  void entriesOfOneColourShareALine()
  {
    constexpr int colors = 7;
    Legend legend;
    legend.title = QStringLiteral("Blocks");
    const auto withBlocks = [&](int blocks) {
      legend.entries.clear();
      for (int block = 0; block < blocks; ++block) {
        legend.entries.push_back({categoryColor(block % colors), QStringLiteral("block %1").arg(block),
                                  "block == " + std::to_string(block)});
      }
      auto overlay = std::make_unique<LegendOverlay>();
      overlay->setLegend(legend);
      return overlay;
    };
    QVERIFY(withBlocks(colors)->sizeHint().height() > withBlocks(3)->sizeHint().height());
    const auto overlay = withBlocks(500);
    QCOMPARE(overlay->sizeHint().height(), withBlocks(colors)->sizeHint().height());
    QCOMPARE(overlay->rectOfEntry(0), overlay->rectOfEntry(static_cast<std::size_t>(colors)));
    QVERIFY(overlay->rectOfEntry(0) != overlay->rectOfEntry(1));

    // A click selects all of them.
    const auto two = withBlocks(colors + 1);
    two->show();
    QSignalSpy picked(two.get(), &LegendOverlay::picked);
    QTest::mouseClick(two.get(), Qt::LeftButton, {}, two->rectOfEntry(0).center());
    QCOMPARE(picked.count(), 1);
    QCOMPARE(picked[0][0].toString(), QStringLiteral("block == 0 || block == %1").arg(colors));
  }

  void theLastLineOfALegendListsWhatHasNoRoom()
  {
    Legend legend;
    legend.title = QStringLiteral("type");
    constexpr int kEntries = 12;
    for (int type = 0; type < kEntries; ++type)
      legend.entries.push_back({QColor::fromHsv(20 * type, 200, 200), QStringLiteral("type %1").arg(type),
                                "type == " + std::to_string(type)});
    LegendOverlay overlay;
    overlay.setMost({90, 120});
    overlay.setLegend(legend);
    overlay.show();
    QSignalSpy picked(&overlay, &LegendOverlay::picked);
    const QRect rest = overlay.rectOfEntry(kEntries - 1);
    QVERIFY(rest.isValid() && rest == overlay.rectOfEntry(kEntries - 2));
    QTest::mouseClick(&overlay, Qt::LeftButton, {}, rest.center());
    QCOMPARE(picked.count(), 0);
    auto* list = overlay.findChild<QMenu*>("legendRest");
    QVERIFY(list && list->isVisible());
    QTest::keyClick(list, Qt::Key_Up); // the last one
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(picked.count(), 1);
    QCOMPARE(picked[0][0].toString(), QStringLiteral("type == %1").arg(kEntries - 1));
  }

  void anEntryOfWhatIsHiddenSaysSo()
  {
    Legend legend;
    legend.title = QStringLiteral("type");
    for (const int type : {1, 2})
      legend.entries.push_back(
          {typeColor(type), QStringLiteral("type %1").arg(type), "type == " + std::to_string(type)});
    LegendOverlay overlay;
    overlay.setLegend(legend);
    overlay.show();
    const auto tipOf = [&](std::size_t entry) {
      const QPoint place = overlay.rectOfEntry(entry).center();
      QHelpEvent help(QEvent::ToolTip, place, overlay.mapToGlobal(place));
      QApplication::sendEvent(&overlay, &help);
      return QToolTip::text();
    };
    const QImage before = overlay.grab().toImage();
    overlay.setHiddenEntries({false, true});
    QVERIFY(tipOf(0).contains(QStringLiteral("select")));
    QCOMPARE(tipOf(1), QStringLiteral("Hidden. Click: show"));
    const QImage after = overlay.grab().toImage();
    const QRect first = overlay.rectOfEntry(0);
    const QRect second = overlay.rectOfEntry(1);
    QVERIFY(after.copy(first) == before.copy(first));
    QVERIFY(after.copy(second) != before.copy(second));
    QCOMPARE(withoutHidden(legend, {false, true}).entries.size(), std::size_t{1});
    QVERIFY(withoutHidden(legend, {true, true}).title.isEmpty());
  }

  void aLegendIsNoWiderThanItMayBe()
  {
    Legend legend;
    legend.title = QStringLiteral("Cells");
    legend.entries = {{Qt::red, QStringLiteral("a cell with a name that is much too long for a legend"), "cell == 1"}};
    LegendOverlay overlay;
    overlay.setLegend(legend);
    QVERIFY(overlay.width() > 200);
    overlay.setMost({150, 200});
    QVERIFY(overlay.width() <= 150);
    const QPoint place = overlay.rectOfEntry(0).center();
    QHelpEvent help(QEvent::ToolTip, place, overlay.mapToGlobal(place));
    QApplication::sendEvent(&overlay, &help);
    QVERIFY(QToolTip::text().contains(legend.entries[0].label));
  }

  /// Its numbers are whole.
  void aTitleAndAColourBarAreNoWiderThanTheyMayBe()
  {
    Legend legend;
    legend.title = QStringLiteral("path distance from the root along the branches, µm");
    legend.isQuantity = true;
    legend.high = 1234;
    LegendOverlay overlay;
    overlay.setLegend(legend);
    const int whole = overlay.rectOfBar().width();
    QVERIFY(overlay.width() > 200);
    overlay.setMost({120, 200});
    QVERIFY2(overlay.width() <= 120, qPrintable(QString::number(overlay.width())));
    QVERIFY(overlay.rectOfBar().width() < whole && overlay.rect().contains(overlay.rectOfBar()));
    const test::PaintedTexts painted(overlay, 1);
    QVERIFY(painted.faults().empty());
    QVERIFY(painted.find(QStringLiteral("0")) && painted.find(QStringLiteral("1,234")));
    QVERIFY(!painted.find(legend.title));
    const QPoint place = overlay.rectOfTitle().center();
    QHelpEvent help(QEvent::ToolTip, place, overlay.mapToGlobal(place));
    QApplication::sendEvent(&overlay, &help);
    QVERIFY(QToolTip::text().startsWith(legend.title));
  }

  void aLegendLeavesTheMouseToTheCanvasWhereItCannotBeClicked()
  {
    Legend legend;
    legend.title = QStringLiteral("Cells");
    legend.entries = {{Qt::red, QStringLiteral("a")}};
    LegendOverlay overlay;
    const auto takes = [&](const QPoint& place) {
      QMouseEvent press(QEvent::MouseButtonPress, QPointF(place), overlay.mapToGlobal(QPointF(place)), Qt::LeftButton,
                        Qt::LeftButton, {});
      QApplication::sendEvent(&overlay, &press);
      return press.isAccepted();
    };
    overlay.setLegend(legend);
    QVERIFY(takes(overlay.rectOfTitle().center()));
    QVERIFY(!takes(overlay.rectOfEntry(0).center()));
    legend.entries[0].expression = "cell == 1";
    overlay.setLegend(legend);
    QVERIFY(takes(overlay.rectOfEntry(0).center()));
  }
};

HINESIGHT_TEST_RUN(hinesight::test::runGlTest<TestColoring>)

#include "test_coloring.moc"
