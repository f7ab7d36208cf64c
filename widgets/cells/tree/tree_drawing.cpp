#include "widgets/cells/tree/tree_drawing.hpp"

#include "widgets/theme.hpp"

#include <QObject>

#include <algorithm>
#include <array>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr double kBarWidth = 0.8;  // of a column
constexpr double kNeckWidth = 0.4; // of a column
constexpr double kNeckOpacity = 0.6;
constexpr double kConnectorOpacity = 0.55;
constexpr double kRowGapShare = 0.4;    // of the mean height of the rows of the tree as read
constexpr double kLeastRowGap = 0.5;    // compartments
constexpr double kBarrierHeight = 0.65; // of the gap, above the next row
constexpr double kElbowHeight = 0.3;    // of the gap, above the next row
constexpr double kSideGapShare = 0.09;  // of the width of both trees
constexpr double kLeastSideGap = 3;     // columns
constexpr double kHeadingGap = 0.2;     // of the gap between the trees
constexpr double kEndless = 1e9;        // columns; cut at the edge of the plot
constexpr double kMostColumnPixels = 64;
constexpr double kMostCompartmentPixels = 14;
constexpr float kCriticalWidth = 3; // pixels

/// Strides of levels from the roundest on.
constexpr std::array<std::int32_t, 9> kRoundLevels = {10'000, 5'000, 1'000, 500, 100, 50, 10, 5, 1};

/// The same for both trees, so that equal rows are drawn equal.
double rowGapFor(const hines::DependencyTree& asRead, const hines::DependencyTree& planned)
{
  double steps = 0;
  double rows = 0;
  for (const hines::DependencyTree* tree : {&asRead, &planned}) {
    for (const std::int32_t row : longestOfLevels(*tree)) {
      steps += row;
      ++rows;
    }
  }
  return rows == 0 ? kLeastRowGap : std::max(kLeastRowGap, kRowGapShare * steps / rows);
}

QString count(std::int64_t number, const QString& one, const QString& many)
{
  return formatNumber(static_cast<double>(number)) + u' ' + (number == 1 ? one : many);
}

QStringList heading(const QString& name, const hines::PlannedShape& shape, const TreeLayout& layout)
{
  const QString levels = count(shape.tree.levels(), QObject::tr("level"), QObject::tr("levels"));
  const QString steps = count(layout.steps(), QObject::tr("step"), QObject::tr("steps"));
  const QString path = QObject::tr("critical path %1").arg(formatNumber(shape.criticalPath));
  return {QObject::tr("%1: %2, %3, %4").arg(name, levels, steps, path),
          QObject::tr("%1: %2, %3").arg(name, levels, path), QObject::tr("%1: %2").arg(name, levels), name};
}

/// Draws one of the trees after the other into one drawing.
class TreePainter
{
public:
  TreePainter(const TreePair& pair, const TreeMovement& onTheWay, const Coloring& colors, const BranchIds& leftOut)
      : trees(pair), movement(onTheWay), coloring(colors), hidden(leftOut)
  {}

  PlanarDrawing draw()
  {
    drawTree(trees.asRead);
    drawTree(trees.planned);
    QSizeF size = trees.size();
    if (!movement.origin.empty()) {
      size = movement.originSize * (1 - movement.arrived) + size * movement.arrived;
    }
    drawing.bounds = QRectF(QPointF(0, 0), size);
    drawing.maximumScaleX = kMostColumnPixels;
    drawing.maximumScaleY = kMostCompartmentPixels;
    return std::move(drawing);
  }

private:
  void drawTree(const PlacedTree& tree);
  void drawRows(const PlacedTree& tree);
  void drawBranch(const PlacedTree& tree, std::int32_t branch);
  void drawCriticalPath(const PlacedTree& tree);
  QString titleOf(const PlacedTree& tree) const;
  /// The bar as it is drawn now: on its way, or there.
  QRectF movingBarOf(const PlacedTree& tree, std::int32_t branch) const;

  const TreePair& trees;
  const TreeMovement& movement;
  const Coloring& coloring;
  const BranchIds& hidden;
  const QRgb connector = overCanvas(theme().secondaryText, kConnectorOpacity);
  PlanarDrawing drawing;
};

QString TreePainter::titleOf(const PlacedTree& tree) const
{
  if (&tree == &trees.asRead) {
    return QObject::tr("As read");
  }
  const std::ptrdiff_t ways = trees.waysToCut();
  return ways > 1 ? QObject::tr("Planned (first of %1 ways)").arg(ways) : QObject::tr("Planned");
}

void TreePainter::drawTree(const PlacedTree& tree)
{
  // The heading may go on above the gap beside the tree.
  const double width = trees.asRead.layout.width;
  const double room =
      &tree == &trees.asRead ? trees.planned.left - kHeadingGap * (trees.planned.left - width) : kEndless;
  const QRectF area(tree.left, 0, room, tree.layout.height);
  drawing.labels.insert(drawing.labels.begin(), PlanarLabel{heading(titleOf(tree), *tree.shape, tree.layout), area,
                                                            PlanarLabel::Place::TopMargin, PlanarLabel::Style::Strong});
  drawRows(tree);
  constexpr std::size_t kStrokesOfBranch = 3;
  const std::size_t branches = tree.shape->tree.branches();
  drawing.bars.reserve(drawing.bars.size() + branches);
  drawing.strokes.reserve(drawing.strokes.size() + kStrokesOfBranch * branches);
  for (std::int32_t branch = 0; branch < static_cast<std::int32_t>(branches); ++branch) {
    drawBranch(tree, branch);
  }
  drawCriticalPath(tree);
}

void TreePainter::drawRows(const PlacedTree& tree)
{
  const TreeLayout& layout = tree.layout;
  const QRgb barrier = overCanvas(theme().hairline, 1);
  const double spacing = layout.height / static_cast<double>(std::max<std::size_t>(1, layout.rowTop.size()));
  for (std::size_t level = 0; level < layout.rowTop.size(); ++level) {
    const double top = layout.rowTop[level];
    if (level > 0) {
      const double y = top - kBarrierHeight * layout.rowGap;
      drawing.strokes.push_back({tree.left, y, tree.left + layout.width, y, barrier, 1, spacing});
    }
  }
  // Where not every row has room for its label, round levels keep theirs.
  const auto levels = static_cast<std::int32_t>(layout.rowTop.size());
  for (const std::int32_t stride : kRoundLevels) {
    for (std::int32_t level = 0; level < levels; level += stride) {
      const auto* rounder = std::find_if(kRoundLevels.begin(), kRoundLevels.end(),
                                         [level](std::int32_t other) { return level % other == 0; });
      if (*rounder == stride) {
        const QRectF row(tree.left, layout.rowTop[level], layout.width, layout.rowHeight[level]);
        drawing.labels.push_back({{levelName(level)}, row, PlanarLabel::Place::LeftOf, PlanarLabel::Style::Quiet});
      }
    }
  }
}

void TreePainter::drawBranch(const PlacedTree& placed, std::int32_t branch)
{
  const hines::DependencyTree& tree = placed.shape->tree;
  const auto index = static_cast<std::size_t>(branch);
  const BranchId id{trees.cell, placed.asReadBranch[index]};
  const QColor color = coloring.ofBranch(id);
  const QRectF bar = movingBarOf(placed, branch);
  const bool isHidden = hidden.has(id);
  if (!isHidden) {
    drawing.bars.push_back({bar.left(), bar.top(), bar.right(), bar.bottom(), color.rgb(), placed.firstItem + branch});
  }

  const std::int32_t parent = tree.parent[index];
  if (parent < 0) {
    return;
  }
  const QRectF parentBar = movingBarOf(placed, parent);
  const double x = bar.center().x();
  const double parentX = parentBar.center().x();
  if (tree.uncut[index] == tree.uncut[static_cast<std::size_t>(parent)]) {
    if (!isHidden) {
      // The neck of a cut: the branch goes on beyond the barrier. An upper piece has no other child than the lower one,
      // which is therefore right below it.
      drawing.backdrop.push_back(
          {x - kNeckWidth / 2, parentBar.bottom(), x + kNeckWidth / 2, bar.top(), overCanvas(color, kNeckOpacity)});
    }
    return;
  }
  const double elbow = bar.top() - kElbowHeight * placed.layout.rowGap;
  drawing.strokes.push_back({parentX, parentBar.bottom(), parentX, elbow, connector, 1});
  drawing.strokes.push_back({parentX, elbow, x, elbow, connector, 1});
  drawing.strokes.push_back({x, elbow, x, bar.top(), connector, 1});
}

void TreePainter::drawCriticalPath(const PlacedTree& tree)
{
  const QRgb color = overCanvas(theme().text, 1);
  QRectF above;
  for (const std::int32_t branch : criticalPath(tree.shape->tree)) {
    const QRectF bar = movingBarOf(tree, branch);
    const double x = bar.center().x();
    if (!above.isNull()) {
      const double elbow = bar.top() - kElbowHeight * tree.layout.rowGap;
      drawing.marks.push_back({above.center().x(), above.bottom(), above.center().x(), elbow, color, kCriticalWidth});
      drawing.marks.push_back({above.center().x(), elbow, x, elbow, color, kCriticalWidth});
      drawing.marks.push_back({x, elbow, x, bar.top(), color, kCriticalWidth});
    }
    drawing.marks.push_back({x, bar.top(), x, bar.bottom(), color, kCriticalWidth});
    above = bar;
  }
}

QRectF TreePainter::movingBarOf(const PlacedTree& tree, std::int32_t branch) const
{
  const QRectF bar = tree.barOf(branch);
  if (&tree == &trees.asRead || movement.origin.empty()) {
    return bar;
  }
  const QRectF& from = movement.origin[static_cast<std::size_t>(branch)];
  return bar.translated((from.topLeft() - bar.topLeft()) * (1 - movement.arrived));
}

} // namespace

QRectF PlacedTree::barOf(std::int32_t branch) const
{
  const auto index = static_cast<std::size_t>(branch);
  const double middle = left + layout.x[index];
  const double top = layout.rowTop[static_cast<std::size_t>(shape->tree.level[index])];
  return {middle - kBarWidth / 2, top, kBarWidth, static_cast<double>(shape->tree.length[index])};
}

TreePair::TreePair(const Scene& scene, std::int32_t cellOfScene)
    : plan(scene.plan), cell(cellOfScene), name(scene.cells[static_cast<std::size_t>(cellOfScene)].name)
{
  const auto index = static_cast<std::size_t>(shapeOfCell(scene, static_cast<std::size_t>(cell)));
  const auto& branchOf = scene.branchOfCompartment[static_cast<std::size_t>(cell)];
  asRead.shape = &plan->asRead[index];
  planned.shape = &plan->shapes[index];
  const double rowGap = rowGapFor(asRead.shape->tree, planned.shape->tree);
  const auto branchAt = [&](const hines::PlannedShape& shape, std::int32_t compartment) {
    return branchOf[static_cast<std::size_t>(shape.compartment[static_cast<std::size_t>(compartment)])];
  };
  for (PlacedTree* tree : {&asRead, &planned}) {
    tree->layout = layOutTree(tree->shape->tree, rowGap);
    tree->asReadBranch.reserve(tree->shape->tree.branches());
    for (const std::int32_t first : tree->shape->tree.first) {
      tree->asReadBranch.push_back(branchAt(*tree->shape, first));
    }
  }
  planned.left =
      asRead.layout.width + std::max(kLeastSideGap, kSideGapShare * (asRead.layout.width + planned.layout.width));
  planned.firstItem = static_cast<std::int32_t>(asRead.asReadBranch.size());

  std::vector<bool> isMerged(asRead.asReadBranch.size(), true); // into another branch
  for (const std::int32_t branch : planned.asReadBranch) {
    isMerged[static_cast<std::size_t>(branch)] = false;
  }
  const hines::DependencyTree& tree = planned.shape->tree;
  mergedBegin.reserve(tree.branches() + 1);
  for (std::size_t branch = 0; branch < tree.branches(); ++branch) {
    mergedBegin.push_back(static_cast<std::int32_t>(merged.size()));
    std::int32_t last = -1;
    for (std::int32_t k = 0; k < tree.length[branch]; ++k) {
      const std::int32_t part = branchAt(*planned.shape, tree.first[branch] + k);
      if (isMerged[static_cast<std::size_t>(part)] && part != std::exchange(last, part)) {
        merged.push_back(part);
      }
    }
  }
  mergedBegin.push_back(static_cast<std::int32_t>(merged.size()));
}

QSizeF TreePair::size() const
{
  return {planned.left + planned.layout.width, std::max(asRead.layout.height, planned.layout.height)};
}

std::vector<BranchId> TreePair::branches() const
{
  std::vector<BranchId> ofItem;
  ofItem.reserve(asRead.asReadBranch.size() + planned.asReadBranch.size());
  for (const PlacedTree* tree : {&asRead, &planned}) {
    for (const std::int32_t branch : tree->asReadBranch) {
      ofItem.push_back({cell, branch});
    }
  }
  return ofItem;
}

std::span<const std::int32_t> TreePair::mergedInto(std::int32_t plannedBranch) const
{
  const auto begin = static_cast<std::size_t>(mergedBegin[static_cast<std::size_t>(plannedBranch)]);
  const auto end = static_cast<std::size_t>(mergedBegin[static_cast<std::size_t>(plannedBranch) + 1]);
  return std::span(merged).subspan(begin, end - begin);
}

std::ptrdiff_t TreePair::waysToCut() const
{
  return std::ranges::count(plan->shapes, planned.shape->batchShape, &hines::PlannedShape::batchShape);
}

PlanarDrawing drawTrees(const TreePair& trees, const TreeMovement& movement, const Coloring& coloring,
                        const BranchIds& hidden)
{
  return TreePainter(trees, movement, coloring, hidden).draw();
}

QString levelName(std::int32_t level)
{
  return QStringLiteral("L%1").arg(level);
}

} // namespace hinesight::widgets
