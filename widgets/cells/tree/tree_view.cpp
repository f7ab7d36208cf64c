#include "widgets/cells/tree/tree_view.hpp"

#include "widgets/choice_box.hpp"
#include "widgets/theme_scope.hpp"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVariantAnimation>

#include <algorithm>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr double kLabelMargin = 16;   // pixels beside the names of levels
constexpr double kHeadingMargin = 34; // pixels
constexpr double kEdgeMargin = 16;    // pixels
/// Of larger trees a step of their movement would take longer than a frame.
constexpr std::size_t kMostMovingBranches = 3'000;

/// Where a tree has the compartments of its cell: the middle of the upper edge of each. The tree's left edge is at
/// x = 0.
std::vector<QPointF> placesOf(const PlacedTree& placed)
{
  std::vector<QPointF> places(placed.shape->compartment.size());
  const hines::DependencyTree& tree = placed.shape->tree;
  for (std::size_t branch = 0; branch < tree.branches(); ++branch) {
    const QRectF bar = placed.barOf(static_cast<std::int32_t>(branch));
    for (std::int32_t k = 0; k < tree.length[branch]; ++k) {
      const std::int32_t compartment = placed.shape->compartment[static_cast<std::size_t>(tree.first[branch] + k)];
      places[static_cast<std::size_t>(compartment)] = {bar.center().x() - placed.left, bar.top() + k};
    }
  }
  return places;
}

} // namespace

TreeView::TreeView(QWidget* parent) : PlanarView(tr("Dependency tree"), parent)
{
  setObjectName(QStringLiteral("treeView"));
  cells = new ChoiceBox(this);
  cells->setObjectName(QStringLiteral("treeCell"));
  cells->setToolTip(tr("The cell whose dependency tree is shown"));
  cells->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  cells->setMinimumContentsLength(14);
  cells->hide();
  addSwitch(cells);
  connect(cells, &QComboBox::activated, this, &TreeView::showCell);
  morph = new QVariantAnimation(this);
  morph->setDuration(kMorphMilliseconds);
  morph->setStartValue(0.0);
  morph->setEndValue(1.0);
  morph->setEasingCurve(QEasingCurve::InOutCubic);
  connect(morph, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
    movement.arrived = value.toDouble();
    if (movement.arrived >= 1) {
      movement = {};
    }
    redraw();
  });
  connect(&drawingLater, &BackgroundWork::outOfMemory, this,
          [this] { emit failed(tr("There is not enough memory to draw the dependency tree.")); });
}

void TreeView::setScene(std::shared_ptr<const Scene> scene)
{
  const auto count = scene ? static_cast<std::int32_t>(scene->cells.size()) : 0;
  const bool isOtherPlan = scene && scene->plan && (!currentScene || scene->plan != currentScene->plan);
  const std::shared_ptr<const TreePair> before = isOtherPlan ? trees : nullptr;
  cell = std::clamp(scene ? placeIn(*scene) : cell, 0, std::max(0, count - 1));
  if (isOtherPlan || !scene || !scene->plan) {
    stopMoving();
    trees.reset();
  }
  PlanarView::setScene(std::move(scene));
  refreshCells();
  refreshHeader();
  if (isOtherPlan) {
    morphFrom(before.get());
  }
}

void TreeView::setChoice(const BranchChoice& choice)
{
  const BranchId id = choice.current;
  if (!id.isNull() && id.cell != cell && currentScene &&
      static_cast<std::size_t>(id.cell) < currentScene->cells.size()) {
    showCell(id.cell);
  }
  PlanarView::setChoice(choice);
}

/// The place of the shown cell in a scene that may have its cells in another order: that of the same morphology, or
/// the same place where it is gone. Random trees have no identity but their place.
std::int32_t TreeView::placeIn(const Scene& next) const
{
  const auto morphologyAt = [](const Scene& scene, std::size_t place) -> const morphology::Morphology* {
    const auto& discretization = scene.cells[place].discretization;
    return discretization ? discretization->morphology.get() : nullptr;
  };
  const auto place = static_cast<std::size_t>(cell);
  if (!currentScene || place >= currentScene->cells.size()) {
    return cell;
  }
  const auto* shown = morphologyAt(*currentScene, place);
  const bool isThere = place < next.cells.size() && morphologyAt(next, place) == shown;
  for (std::size_t other = 0; shown && !isThere && other < next.cells.size(); ++other) {
    if (morphologyAt(next, other) == shown) {
      return static_cast<std::int32_t>(other);
    }
  }
  return cell;
}

void TreeView::showCell(std::int32_t index)
{
  cell = index;
  const QSignalBlocker blocker(cells);
  cells->setCurrentIndex(index);
  stopMoving();
  redraw();
  fit();
  refreshHeader();
  morphFrom(nullptr);
}

void TreeView::settle()
{
  PlanarView::settle();
  drawingLater.wait();
  if (morph->state() == QAbstractAnimation::Running) {
    stopMoving();
    redraw();
  }
}

QImage TreeView::grabPicture()
{
  settle();
  return PlanarView::grabPicture();
}

void TreeView::stopMoving()
{
  morph->stop();
  movement = {};
}

void TreeView::morphFrom(const TreePair* before)
{
  if (!hasTrees() || isLarge() || !isVisible()) {
    return;
  }
  const PlacedTree& planned = trees->planned;
  const bool suits = before && before->cell == cell && before->name == trees->name &&
                     before->planned.shape->compartment.size() == planned.shape->compartment.size();
  const PlacedTree& from = suits ? before->planned : trees->asRead;
  const std::vector<QPointF> places = placesOf(from);
  const hines::DependencyTree& tree = planned.shape->tree;
  movement = {};
  bool anyMoves = false;
  for (std::size_t branch = 0; branch < tree.branches(); ++branch) {
    const auto first = static_cast<std::size_t>(tree.first[branch]);
    const auto last = first + static_cast<std::size_t>(tree.length[branch]) - 1;
    const QPointF root = places[static_cast<std::size_t>(planned.shape->compartment[first])];
    const QPointF tip = places[static_cast<std::size_t>(planned.shape->compartment[last])];
    const QRectF there = planned.barOf(static_cast<std::int32_t>(branch));
    // A branch that was in pieces before begins where its root end was.
    const double top = root.x() == tip.x() ? std::min(root.y(), tip.y()) : root.y();
    const QRectF bar(planned.left + root.x() - there.width() / 2, top, there.width(), there.height());
    anyMoves = anyMoves || bar.topLeft() != there.topLeft();
    movement.origin.push_back(bar);
  }
  if (!anyMoves) {
    movement = {};
    return;
  }
  movement.originSize = {planned.left + from.layout.width, std::max(trees->asRead.layout.height, from.layout.height)};
  movement.arrived = 0;
  redraw();
  morph->start();
}

QRectF TreeView::barOf(bool ofPlanned, std::int32_t branch) const
{
  return hasTrees() ? (ofPlanned ? trees->planned : trees->asRead).barOf(branch) : QRectF();
}

std::int32_t TreeView::shownShape() const
{
  const bool isKnown = hasPlan() && static_cast<std::size_t>(cell) < currentScene->branchOfCompartment.size();
  return isKnown ? shapeOfCell(*currentScene, static_cast<std::size_t>(cell)) : -1;
}

bool TreeView::isLarge() const
{
  const std::int32_t shape = shownShape();
  if (shape < 0) {
    return false;
  }
  const hines::SolvePlan& plan = *currentScene->plan;
  const auto index = static_cast<std::size_t>(shape);
  return std::max(plan.asRead[index].tree.branches(), plan.shapes[index].tree.branches()) > kMostMovingBranches;
}

bool TreeView::hasTrees() const
{
  return trees && currentScene && trees->plan == currentScene->plan && trees->cell == cell;
}

QMarginsF TreeView::marginsOfTexts() const
{
  const std::int32_t levels = std::max(trees->asRead.shape->tree.levels(), trees->planned.shape->tree.levels());
  return {kLabelMargin + fontMetrics().horizontalAdvance(levelName(levels)), kHeadingMargin, kEdgeMargin, kEdgeMargin};
}

PlanarDrawing TreeView::compose(std::vector<BranchId>& branches)
{
  if (shownShape() < 0) {
    trees.reset();
    return {};
  }
  if (!hasTrees()) {
    trees = std::make_shared<const TreePair>(*currentScene, cell);
  }
  setTextMargins(marginsOfTexts());
  branches = trees->branches();
  return drawTrees(*trees, movement, *coloring, currentChoice.hidden);
}

void TreeView::redraw()
{
  drawingLater.restart();
  if (!isLarge()) {
    return PlanarView::redraw();
  }
  if (isWaiting()) {
    PlanarView::redraw(); // what is drawn is another cell's, or another plan's
  }
  drawingLater.start([this, scene = currentScene, place = cell, known = hasTrees() ? trees : nullptr, colors = coloring,
                      hidden = currentChoice.hidden,
                      mode = theme().mode](const RunControl&) -> BackgroundWork::Deliver {
    const ThemeScope scope(mode);
    const auto made = known ? known : std::make_shared<const TreePair>(*scene, place);
    const auto drawing = std::make_shared<PlanarDrawing>(drawTrees(*made, {}, *colors, hidden));
    const auto branches = std::make_shared<std::vector<BranchId>>(made->branches());
    return [this, made, drawing, branches] {
      trees = made;
      setTextMargins(marginsOfTexts());
      showDrawing(std::move(*drawing), std::move(*branches));
    };
  });
}

View::StillPainter TreeView::stillPainter(ThemeMode mode)
{
  settle();
  if (!hasTrees()) {
    return PlanarView::stillPainter(mode);
  }
  return [figure = figureOf({}), drawn = trees,
          hidden = currentChoice.hidden](QPainter& painter, const FigureArea& area, const Coloring& colors) {
    PlanarFigure whole = figure;
    whole.drawing = drawTrees(*drawn, {}, colors, hidden);
    whole.paint(painter, area.size, area.ratio, area.font);
  };
}

bool TreeView::shows(std::int32_t item, const BranchMask& chosen) const
{
  if (PlanarView::shows(item, chosen)) {
    return true;
  }
  const std::int32_t branch = item - trees->planned.firstItem;
  return branch >= 0 && std::ranges::any_of(trees->mergedInto(branch), [&](std::int32_t merged) {
           return chosen.has({trees->cell, merged});
         });
}

QString TreeView::describeItem(std::int32_t item) const
{
  const PlacedTree& planned = trees->planned;
  if (item < planned.firstItem) {
    return {};
  }
  const hines::DependencyTree& tree = planned.shape->tree;
  const auto index = static_cast<std::size_t>(item - planned.firstItem);
  const auto pieces = std::count(tree.uncut.begin(), tree.uncut.end(), tree.uncut[index]);
  QString text =
      tr("planned level: %1\nplanned compartments: %2").arg(tree.level[index]).arg(formatNumber(tree.length[index]));
  if (pieces > 1) {
    const auto piece =
        std::count(tree.uncut.begin(), tree.uncut.begin() + static_cast<std::ptrdiff_t>(index), tree.uncut[index]);
    text += tr("\npiece: %1 of %2").arg(piece + 1).arg(pieces);
  }
  return text;
}

void TreeView::refreshCells()
{
  std::vector<ChoiceBox::Entry> names;
  if (currentScene) {
    for (const SceneCell& sceneCell : currentScene->cells) {
      names.push_back({QString::fromStdString(sceneCell.name), {}});
    }
  }
  cells->setEntries(names);
  cells->setCurrentIndex(cell);
  cells->setVisible(cells->count() > 1);
}

void TreeView::refreshHeader()
{
  const std::int32_t shape = shownShape();
  if (shape < 0) {
    setHeaderText({});
    return;
  }
  const hines::PlannedShape& before = currentScene->plan->asRead[static_cast<std::size_t>(shape)];
  const hines::PlannedShape& after = currentScene->plan->shapes[static_cast<std::size_t>(shape)];
  const QString name = QString::fromStdString(currentScene->cells[static_cast<std::size_t>(cell)].name);
  // Whatever schedule is looked at, the tree is that of the plan of branches.
  const QString ran =
      planHasRun(*currentScene)
          ? tr("run by %1")
                .arg(QString::fromStdString(std::string(hines::solverName(currentScene->solution->parameters.solver))))
          : tr("not run");
  setHeaderText(tr("%1: %2 branches, %3 compartments; plan of branches, %4: levels %5 \u2192 %6, critical path %7 "
                   "\u2192 %8 compartments")
                    .arg(name, formatNumber(static_cast<double>(before.tree.branches())),
                         formatNumber(static_cast<double>(before.compartment.size())), ran,
                         formatNumber(before.tree.levels()), formatNumber(after.tree.levels()),
                         formatNumber(before.criticalPath), formatNumber(after.criticalPath)));
}

} // namespace hinesight::widgets
