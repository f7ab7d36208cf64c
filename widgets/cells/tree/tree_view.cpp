#include "widgets/cells/tree/tree_view.hpp"

#include "widgets/choice_box.hpp"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVariantAnimation>

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
constexpr double kLabelMargin = 16;     // pixels beside the names of levels
constexpr double kHeadingMargin = 34;   // pixels
constexpr double kEdgeMargin = 16;      // pixels
constexpr double kMostColumnPixels = 64;
constexpr double kMostCompartmentPixels = 14;
constexpr float kCriticalWidth = 3; // pixels
/// Larger trees change at once: a step of their movement would take longer than a frame.
constexpr std::size_t kMostMovingBranches = 3'000;

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

QString levelName(std::int32_t level)
{
  return QStringLiteral("L%1").arg(level);
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
  headerSwitches()->addWidget(cells);
  connect(cells, &QComboBox::activated, this, &TreeView::showCell);
  morph = new QVariantAnimation(this);
  morph->setDuration(kMorphMilliseconds);
  morph->setStartValue(0.0);
  morph->setEndValue(1.0);
  morph->setEasingCurve(QEasingCurve::InOutCubic);
  connect(morph, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
    arrived = value.toDouble();
    if (arrived >= 1) {
      planned.origin.clear();
    }
    redraw();
  });
}

void TreeView::setScene(std::shared_ptr<const Scene> scene)
{
  const auto count = scene ? static_cast<std::int32_t>(scene->cells.size()) : 0;
  const bool isOtherPlan = scene && scene->plan && (!currentScene || scene->plan != currentScene->plan);
  const Places before = isOtherPlan ? placesOf(planned) : Places{};
  cell = std::clamp(scene ? placeIn(*scene) : cell, 0, std::max(0, count - 1));
  if (isOtherPlan || !scene || !scene->plan) {
    morph->stop();
    arrived = 1;
    asRead = {};
    planned = {};
  }
  PlanarView::setScene(std::move(scene));
  refreshCells();
  refreshHeader();
  if (isOtherPlan) {
    morphFrom(before);
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
  morph->stop();
  arrived = 1;
  planned.origin.clear();
  redraw();
  fit();
  refreshHeader();
  morphFrom({});
}

void TreeView::settle()
{
  PlanarView::settle();
  if (morph->state() == QAbstractAnimation::Running) {
    morph->stop();
    arrived = 1;
    planned.origin.clear();
    redraw();
  }
}

QImage TreeView::grabPicture()
{
  settle();
  return PlanarView::grabPicture();
}

bool TreeView::Places::suits(const TreeView& view) const
{
  return cell == view.cell && of.size() == view.planned.shape->compartment.size() &&
         name == view.currentScene->cells[static_cast<std::size_t>(cell)].name;
}

TreeView::Places TreeView::placesOf(const Side& side) const
{
  Places places;
  if (!side.shape) {
    return places;
  }
  places.cell = cell;
  places.name = currentScene->cells[static_cast<std::size_t>(cell)].name;
  places.size = {side.layout.width, side.layout.height};
  places.of.resize(side.shape->compartment.size());
  const hines::DependencyTree& tree = side.shape->tree;
  for (std::size_t branch = 0; branch < tree.branches(); ++branch) {
    const QRectF bar = barOf(side, static_cast<std::int32_t>(branch));
    for (std::int32_t k = 0; k < tree.length[branch]; ++k) {
      const std::int32_t compartment = side.shape->compartment[static_cast<std::size_t>(tree.first[branch] + k)];
      places.of[static_cast<std::size_t>(compartment)] = {bar.center().x() - side.left, bar.top() + k};
    }
  }
  return places;
}

void TreeView::morphFrom(const Places& before)
{
  if (!planned.shape || !isVisible() || planned.shape->tree.branches() > kMostMovingBranches) {
    return;
  }
  const Places from = before.suits(*this) ? before : placesOf(asRead);
  const hines::DependencyTree& tree = planned.shape->tree;
  planned.origin.clear();
  bool anyMoves = false;
  for (std::size_t branch = 0; branch < tree.branches(); ++branch) {
    const auto first = static_cast<std::size_t>(tree.first[branch]);
    const auto last = first + static_cast<std::size_t>(tree.length[branch]) - 1;
    const QPointF root = from.of[static_cast<std::size_t>(planned.shape->compartment[first])];
    const QPointF tip = from.of[static_cast<std::size_t>(planned.shape->compartment[last])];
    // A branch that was in pieces before begins where its root end was.
    const double top = root.x() == tip.x() ? std::min(root.y(), tip.y()) : root.y();
    const QRectF bar(planned.left + root.x() - kBarWidth / 2, top, kBarWidth, tree.length[branch]);
    anyMoves = anyMoves || bar.topLeft() != barOf(planned, static_cast<std::int32_t>(branch)).topLeft();
    planned.origin.push_back(bar);
  }
  if (!anyMoves) {
    planned.origin.clear();
    return;
  }
  originSize = {planned.left + from.size.width(), std::max(asRead.layout.height, from.size.height())};
  arrived = 0;
  redraw();
  morph->start();
}

QRectF TreeView::barOf(bool ofPlanned, std::int32_t branch) const
{
  return barOf(ofPlanned ? planned : asRead, branch);
}

PlanarDrawing TreeView::compose(std::vector<BranchId>& branches)
{
  const hines::SolvePlan& plan = *currentScene->plan;
  const std::int32_t index = shapeOfCell(*currentScene, static_cast<std::size_t>(cell));
  PlanarDrawing drawing;
  if (index < 0 || static_cast<std::size_t>(cell) >= currentScene->branchOfCompartment.size()) {
    return drawing;
  }
  const auto& branchOf = currentScene->branchOfCompartment[cell];
  const double rowGap = rowGapFor(plan.asRead[index].tree, plan.shapes[index].tree);
  for (Side* side : {&asRead, &planned}) {
    const hines::PlannedShape* shape = side == &asRead ? &plan.asRead[index] : &plan.shapes[index];
    if (std::exchange(side->shape, shape) != shape)
      side->layout = layOutTree(shape->tree, rowGap);
    side->asReadBranch.clear();
    for (const std::int32_t first : side->shape->tree.first) {
      side->asReadBranch.push_back(
          branchOf[static_cast<std::size_t>(side->shape->compartment[static_cast<std::size_t>(first)])]);
    }
  }
  const double gap = std::max(kLeastSideGap, kSideGapShare * (asRead.layout.width + planned.layout.width));
  asRead.left = 0;
  asRead.firstItem = 0;
  planned.left = asRead.layout.width + gap;
  planned.firstItem = static_cast<std::int32_t>(asRead.asReadBranch.size());

  mergedAway.assign(asRead.asReadBranch.size(), true);
  for (const std::int32_t branch : planned.asReadBranch) {
    mergedAway[static_cast<std::size_t>(branch)] = false;
  }
  for (const Side* side : {&asRead, &planned}) {
    for (const std::int32_t branch : side->asReadBranch) {
      branches.push_back({cell, branch});
    }
    composeSide(*side, drawing);
  }
  QSizeF size(planned.left + planned.layout.width, std::max(asRead.layout.height, planned.layout.height));
  if (!planned.origin.empty()) {
    size = originSize * (1 - arrived) + size * arrived;
  }
  drawing.bounds = QRectF(QPointF(0, 0), size);
  const std::int32_t levels = std::max(asRead.shape->tree.levels(), planned.shape->tree.levels());
  setTextMargins(
      {kLabelMargin + fontMetrics().horizontalAdvance(levelName(levels)), kHeadingMargin, kEdgeMargin, kEdgeMargin});
  drawing.maximumScaleX = kMostColumnPixels;
  drawing.maximumScaleY = kMostCompartmentPixels;
  return drawing;
}

void TreeView::composeSide(const Side& side, PlanarDrawing& drawing) const
{
  // The heading may go on above the gap beside the tree.
  const double room = &side == &asRead ? planned.left - kHeadingGap * (planned.left - asRead.layout.width) : kEndless;
  const QRectF area(side.left, 0, room, side.layout.height);
  const QString name = &side == &asRead  ? tr("As read")
                       : waysToCut() > 1 ? tr("Planned (first of %1 ways)").arg(waysToCut())
                                         : tr("Planned");
  drawing.labels.insert(drawing.labels.begin(), PlanarLabel{heading(name, *side.shape, side.layout), area,
                                                            PlanarLabel::Place::TopMargin, PlanarLabel::Style::Strong});
  composeRows(side, drawing);
  constexpr std::size_t kStrokesOfBranch = 3;
  drawing.bars.reserve(drawing.bars.size() + side.shape->tree.branches());
  drawing.strokes.reserve(drawing.strokes.size() + kStrokesOfBranch * side.shape->tree.branches());
  for (std::int32_t branch = 0; branch < static_cast<std::int32_t>(side.shape->tree.branches()); ++branch) {
    composeBranch(side, branch, drawing);
  }
  composeCriticalPath(side, drawing);
}

void TreeView::composeRows(const Side& side, PlanarDrawing& drawing) const
{
  const TreeLayout& layout = side.layout;
  const QRgb barrier = overCanvas(theme().hairline, 1);
  const double spacing = layout.height / static_cast<double>(std::max<std::size_t>(1, layout.rowTop.size()));
  for (std::size_t level = 0; level < layout.rowTop.size(); ++level) {
    const double top = layout.rowTop[level];
    if (level > 0) {
      const double y = top - kBarrierHeight * layout.rowGap;
      drawing.strokes.push_back({side.left, y, side.left + layout.width, y, barrier, 1, spacing});
    }
  }
  // Where not every row has room for its label, round levels keep theirs.
  const auto levels = static_cast<std::int32_t>(layout.rowTop.size());
  for (const std::int32_t stride : kRoundLevels) {
    for (std::int32_t level = 0; level < levels; level += stride) {
      const auto* rounder = std::find_if(kRoundLevels.begin(), kRoundLevels.end(),
                                         [level](std::int32_t other) { return level % other == 0; });
      if (*rounder == stride) {
        const QRectF row(side.left, layout.rowTop[level], layout.width, layout.rowHeight[level]);
        drawing.labels.push_back({{levelName(level)}, row, PlanarLabel::Place::LeftOf, PlanarLabel::Style::Quiet});
      }
    }
  }
}

void TreeView::composeBranch(const Side& side, std::int32_t branch, PlanarDrawing& drawing) const
{
  const hines::DependencyTree& tree = side.shape->tree;
  const auto index = static_cast<std::size_t>(branch);
  const QColor color = coloring->ofBranch({cell, side.asReadBranch[index]});
  const QRectF bar = movingBarOf(side, branch);
  drawing.bars.push_back({bar.left(), bar.top(), bar.right(), bar.bottom(), color.rgb(), side.firstItem + branch});

  const std::int32_t parent = tree.parent[index];
  if (parent < 0) {
    return;
  }
  const QRectF parentBar = movingBarOf(side, parent);
  const double x = bar.center().x();
  const double parentX = parentBar.center().x();
  if (tree.uncut[index] == tree.uncut[static_cast<std::size_t>(parent)]) {
    if (currentChoice.hidden.has({cell, side.asReadBranch[index]})) {
      return;
    }
    // The neck of a cut: the branch goes on beyond the barrier. An upper piece has no other child than the lower one,
    // which is therefore right below it.
    drawing.backdrop.push_back(
        {x - kNeckWidth / 2, parentBar.bottom(), x + kNeckWidth / 2, bar.top(), overCanvas(color, kNeckOpacity)});
    return;
  }
  const QRgb line = overCanvas(theme().secondaryText, kConnectorOpacity);
  const double elbow = bar.top() - kElbowHeight * side.layout.rowGap;
  drawing.strokes.push_back({parentX, parentBar.bottom(), parentX, elbow, line, 1});
  drawing.strokes.push_back({parentX, elbow, x, elbow, line, 1});
  drawing.strokes.push_back({x, elbow, x, bar.top(), line, 1});
}

void TreeView::composeCriticalPath(const Side& side, PlanarDrawing& drawing) const
{
  const QRgb color = overCanvas(theme().text, 1);
  QRectF above;
  for (const std::int32_t branch : criticalPath(side.shape->tree)) {
    const QRectF bar = movingBarOf(side, branch);
    const double x = bar.center().x();
    if (!above.isNull()) {
      const double elbow = bar.top() - kElbowHeight * side.layout.rowGap;
      drawing.marks.push_back({above.center().x(), above.bottom(), above.center().x(), elbow, color, kCriticalWidth});
      drawing.marks.push_back({above.center().x(), elbow, x, elbow, color, kCriticalWidth});
      drawing.marks.push_back({x, elbow, x, bar.top(), color, kCriticalWidth});
    }
    drawing.marks.push_back({x, bar.top(), x, bar.bottom(), color, kCriticalWidth});
    above = bar;
  }
}

QRectF TreeView::barOf(const Side& side, std::int32_t branch) const
{
  const auto index = static_cast<std::size_t>(branch);
  const double middle = side.left + side.layout.x[index];
  const double top = side.layout.rowTop[static_cast<std::size_t>(side.shape->tree.level[index])];
  return {middle - kBarWidth / 2, top, kBarWidth, static_cast<double>(side.shape->tree.length[index])};
}

QRectF TreeView::movingBarOf(const Side& side, std::int32_t branch) const
{
  const QRectF bar = barOf(side, branch);
  if (side.origin.empty()) {
    return bar;
  }
  const QRectF& from = side.origin[static_cast<std::size_t>(branch)];
  return bar.translated((from.topLeft() - bar.topLeft()) * (1 - arrived));
}

std::ptrdiff_t TreeView::waysToCut() const
{
  const auto& shapes = currentScene->plan->shapes;
  return std::count_if(shapes.begin(), shapes.end(),
                       [&](const hines::PlannedShape& shape) { return shape.batchShape == planned.shape->batchShape; });
}

const TreeView::Side& TreeView::sideOf(std::int32_t item) const
{
  return item < planned.firstItem ? asRead : planned;
}

bool TreeView::shows(std::int32_t item, const BranchMask& chosen) const
{
  if (PlanarView::shows(item, chosen)) {
    return true;
  }
  if (item < planned.firstItem) {
    return false;
  }
  const hines::PlannedShape& shape = *planned.shape;
  const auto index = static_cast<std::size_t>(item - planned.firstItem);
  const auto first = shape.compartment.begin() + shape.tree.first[index];
  const auto& branchOf = currentScene->branchOfCompartment[static_cast<std::size_t>(cell)];
  return std::any_of(first, first + shape.tree.length[index], [&](std::int32_t compartment) {
    const std::int32_t branch = branchOf[static_cast<std::size_t>(compartment)];
    return mergedAway[static_cast<std::size_t>(branch)] && chosen.has({cell, branch});
  });
}

QString TreeView::describeItem(std::int32_t item) const
{
  const Side& side = sideOf(item);
  const hines::DependencyTree& tree = side.shape->tree;
  const auto index = static_cast<std::size_t>(item - side.firstItem);
  if (&side == &asRead) {
    return {};
  }
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
  if (!planned.shape) {
    setHeaderText({});
    return;
  }
  const hines::PlannedShape& before = *asRead.shape;
  const hines::PlannedShape& after = *planned.shape;
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
