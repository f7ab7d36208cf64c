#include "widgets/cells/coloring.hpp"

#include "core/parallel.hpp"
#include "selection/branch_table.hpp"
#include "widgets/theme_scope.hpp"

#include <QObject>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace hinesight::widgets {

namespace {

/// A few thick samples must not push all others into the lowest colour: what lies above this quantile is clamped.
constexpr double kHighQuantile = 0.98;
constexpr std::int32_t kColors = 7; // of the categorical palette

std::size_t branchesOf(const Scene& scene, std::size_t cell)
{
  const hines::PlannedShape* shape = asReadShape(scene, cell);
  return shape ? shape->tree.branches() : 0;
}

/// Colours of a tree's nodes, parents first, such that a node differs from its parent and from up to five siblings.
std::vector<QColor> colorTree(const std::vector<std::int32_t>& parent)
{
  std::vector<std::int32_t> color(parent.size());
  std::vector<std::int32_t> children(parent.size() + 1, 0); // the last entry counts roots
  std::vector<QColor> result(parent.size());
  for (std::size_t node = 0; node < parent.size(); ++node) {
    const bool isRoot = parent[node] < 0;
    std::int32_t& sibling = children[isRoot ? parent.size() : static_cast<std::size_t>(parent[node])];
    const std::int32_t before = isRoot ? 0 : color[static_cast<std::size_t>(parent[node])] + 1;
    color[node] = (before + sibling++ % (kColors - 1)) % kColors;
    result[node] = categoryColor(color[node]);
  }
  return result;
}

/// The branch of the plan that a sample of a cell lies on; -1: unknown.
class BranchOfSample
{
public:
  BranchOfSample(const Scene& scene, std::size_t cell)
  {
    if (cell < scene.branchOfCompartment.size() && !scene.branchOfCompartment[cell].empty()) {
      compartmentOf = &scene.cells[cell].discretization->ofSample;
      branchOf = &scene.branchOfCompartment[cell];
    }
  }

  std::int32_t operator()(std::size_t sample) const
  {
    return branchOf ? (*branchOf)[static_cast<std::size_t>((*compartmentOf)[sample])] : -1;
  }

private:
  const std::vector<std::int32_t>* compartmentOf = nullptr;
  const std::vector<std::int32_t>* branchOf = nullptr;
};

/// Branch order of a sample; a root has that of what hangs on it.
double orderOf(const cable::Discretization& cell, std::size_t sample)
{
  const std::int32_t branch = cell.branches->ofSample[sample];
  return branch < 0 ? 0 : cell.branches->order[static_cast<std::size_t>(branch)];
}

QString titleOf(ColorBy rule)
{
  switch (rule) {
  case ColorBy::Type:
    return QObject::tr("SWC type");
  case ColorBy::Branch:
    return QObject::tr("Branch: neighbours differ in colour");
  case ColorBy::Level:
    return QObject::tr("Level (branches from the root)");
  case ColorBy::Order:
    return QObject::tr("Branch order (bifurcations above)");
  case ColorBy::Block:
    return QObject::tr("Block of threads");
  case ColorBy::Radius:
    return QObject::tr("Radius (\u00b5m)");
  case ColorBy::PathDistance:
    return QObject::tr("Path distance from the root (\u00b5m)");
  }
  return {};
}

/// The quantity in an expression; empty for what is none.
std::string figureOf(ColorBy rule)
{
  switch (rule) {
  case ColorBy::Level:
    return "level";
  case ColorBy::Order:
    return "order";
  case ColorBy::Radius:
    return "diameter / 2";
  case ColorBy::PathDistance:
    return "pathDistance";
  default:
    return {};
  }
}

} // namespace

QColor Coloring::unknownColor()
{
  return typeColor(morphology::kUndefined);
}

Coloring::Coloring(const Scene& scene, ColorBy colorBy, LegendOf cells, ColorsOf colors)
    : rule(colorBy), colorsOf(colors)
{
  legendOfScene.title = scene.cells.empty() ? QString() : titleOf(rule);
  legendOfScene.figure = figureOf(rule);
  legendOfScene.isWhole = rule == ColorBy::Level || rule == ColorBy::Order;
  branchColor.resize(scene.cells.size());
  sampleColor.resize(scene.cells.size());
  for (std::size_t cell = 0; cell < scene.cells.size(); ++cell) {
    branchColor[cell].assign(branchesOf(scene, cell), unknownColor());
  }
  linkSamples(scene);
  switch (rule) {
  case ColorBy::Type:
    colorTypes(scene, cells);
    break;
  case ColorBy::Branch:
    colorBranches(scene);
    break;
  case ColorBy::Level:
    colorLevels(scene);
    break;
  case ColorBy::Block:
    colorBlocks(scene);
    break;
  case ColorBy::Order:
    colorQuantity(scene, orderOf);
    break;
  case ColorBy::Radius:
    colorQuantity(scene, [](const cable::Discretization& cell, std::size_t sample) {
      return cell.morphology->solvedRadius[sample];
    });
    break;
  case ColorBy::PathDistance:
    colorQuantity(scene, [](const cable::Discretization& cell, std::size_t sample) {
      return cell.branches->pathDistance[sample];
    });
    break;
  }
  // A random tree is lengths and levels, and has nothing else that a colour could show.
  const bool needsMorphology =
      rule == ColorBy::Type || rule == ColorBy::Order || rule == ColorBy::Radius || rule == ColorBy::PathDistance;
  const bool anyTree =
      std::any_of(scene.cells.begin(), scene.cells.end(), [](const SceneCell& cell) { return !cell.discretization; });
  if (needsMorphology && anyTree) {
    legendOfScene.entries.push_back({unknownColor(), QObject::tr("random trees: none")});
  }
}

void Coloring::linkSamples(const Scene& scene)
{
  branchOfSample.resize(scene.cells.size());
  for (std::size_t cell = 0; hasSamples() && cell < scene.cells.size(); ++cell) {
    const auto& discretization = scene.cells[cell].discretization;
    if (!discretization) {
      continue;
    }
    auto& links = branchOfSample[cell];
    links.resize(discretization->morphology->samples());
    const BranchOfSample branchOf(scene, cell);
    for (std::size_t sample = 0; sample < links.size(); ++sample) {
      links[sample] = branchOf(sample);
    }
  }
}

template <typename Value>
void Coloring::colorQuantity(const Scene& scene, Value value)
{
  const bool anySeen = std::ranges::any_of(scene.cells, &SceneCell::visible);
  const auto forSeenSamples = [&](auto visit) {
    for (const SceneCell& cell : scene.cells)
      if (const auto& discretization = cell.discretization; discretization && (cell.visible || !anySeen))
        for (std::size_t sample = 0; sample < discretization->morphology->samples(); ++sample)
          visit(*discretization, sample, value(*discretization, sample));
  };
  // The range is that of what is seen, in all views alike. The soma's radius is no dendrite's.
  Legend& range = legendOfScene;
  range.map = rule == ColorBy::Radius ? ColorMap::Cividis : ColorMap::Viridis;
  std::vector<double> radii; // of the range's quantile
  forSeenSamples([&](const cable::Discretization& cell, std::size_t sample, double of) {
    if (cell.morphology->type[sample] == morphology::kSoma) {
      return;
    }
    range.low = range.isQuantity ? std::min(range.low, of) : of;
    range.high = range.isQuantity ? std::max(range.high, of) : of;
    range.isQuantity = true;
    if (rule == ColorBy::Radius) {
      radii.push_back(of);
    }
  });
  if (!radii.empty()) {
    const auto rank = static_cast<std::ptrdiff_t>(kHighQuantile * static_cast<double>(radii.size() - 1));
    std::nth_element(radii.begin(), radii.begin() + rank, radii.end());
    range.clamped = radii[static_cast<std::size_t>(rank)] < range.high;
    range.high = radii[static_cast<std::size_t>(rank)];
  }
  const auto color = [&range](double of) {
    const double span = range.high - range.low;
    return mapColor(range.map, span > 0 ? (of - range.low) / span : 0.5);
  };

  for (std::size_t cell = 0; cell < scene.cells.size(); ++cell) {
    const auto& discretization = scene.cells[cell].discretization;
    if (!discretization) {
      continue;
    }
    const std::size_t samples = discretization->morphology->samples();
    const BranchOfSample branchOf(scene, cell);
    std::vector<double> sum(branchColor[cell].size(), 0);
    std::vector<double> count(branchColor[cell].size(), 0);
    sampleColor[cell].resize(hasSamples() ? samples : 0);
    for (std::size_t sample = 0; sample < samples; ++sample) {
      const double of = value(*discretization, sample);
      if (hasSamples()) {
        sampleColor[cell][sample] = color(of);
      }
      if (const std::int32_t branch = branchOf(sample); branch >= 0) {
        sum[static_cast<std::size_t>(branch)] += of;
        count[static_cast<std::size_t>(branch)] += 1;
      }
    }
    for (std::size_t branch = 0; branch < sum.size(); ++branch) {
      if (count[branch] > 0) {
        branchColor[cell][branch] = color(sum[branch] / count[branch]);
      }
    }
  }
}

void Coloring::colorTypes(const Scene& scene, LegendOf cells)
{
  // Each cell by itself, on several cores: the thread of the window waits for the colours of a page.
  constexpr std::size_t kFewCells = 16;
  std::vector<std::set<std::int32_t>> typesOf(scene.cells.size());
  parallelFor(scene.cells.size(), kFewCells, [&, mode = theme().mode](std::size_t begin, std::size_t end) {
    const ThemeScope scope(mode);
    for (std::size_t cell = begin; cell < end; ++cell)
      typesOf[cell] = colorTypesOf(scene, cell);
  });
  std::set<std::int32_t> listed;
  for (std::size_t cell = 0; cell < scene.cells.size(); ++cell)
    if (cells == LegendOf::AllCells || scene.cells[cell].visible)
      listed.merge(typesOf[cell]);
  for (const std::int32_t type : listed)
    legendOfScene.entries.push_back(
        {typeColor(type), QString::fromStdString(morphology::typeName(type)), "type == " + std::to_string(type)});
}

/// The types of its samples.
std::set<std::int32_t> Coloring::colorTypesOf(const Scene& scene, std::size_t cell)
{
  std::set<std::int32_t> present;
  const auto& discretization = scene.cells[cell].discretization;
  if (!discretization)
    return present;
  const auto& types = discretization->morphology->type;
  sampleColor[cell].resize(hasSamples() ? types.size() : 0);
  const BranchOfSample branchOf(scene, cell);
  std::vector<std::optional<std::int32_t>> firstType(branchColor[cell].size());
  // Samples of a type, of branches that have several.
  std::map<std::int32_t, std::map<std::int32_t, std::size_t>> mixed;
  std::optional<std::int32_t> last;
  QColor color;
  for (std::size_t sample = 0; sample < types.size(); ++sample) {
    if (types[sample] != last) {
      last = types[sample];
      color = typeColor(types[sample]);
      present.insert(types[sample]);
    }
    if (hasSamples())
      sampleColor[cell][sample] = color;
    if (const std::int32_t branch = branchOf(sample); branch >= 0) {
      std::optional<std::int32_t>& type = firstType[static_cast<std::size_t>(branch)];
      if (!type) {
        type = last;
        branchColor[cell][static_cast<std::size_t>(branch)] = color;
      } else if (type != last) {
        mixed[branch];
      }
    }
  }
  for (std::size_t sample = 0; !mixed.empty() && sample < types.size(); ++sample)
    if (const auto found = mixed.find(branchOf(sample)); found != mixed.end())
      ++found->second[types[sample]];
  for (const auto& [branch, counts] : mixed) {
    const auto most = std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
    branchColor[cell][static_cast<std::size_t>(branch)] = typeColor(most->first);
  }
  return present;
}

void Coloring::colorBranches(const Scene& scene)
{
  for (std::size_t cell = 0; cell < scene.cells.size(); ++cell) {
    if (branchesOf(scene, cell) > 0) {
      branchColor[cell] = colorTree(asReadShape(scene, cell)->tree.parent);
    } else if (const auto& discretization = scene.cells[cell].discretization; discretization && hasSamples()) {
      // Before there is a plan, the branches of the morphology stand in.
      const std::vector<QColor> colors = colorTree(discretization->branches->parent);
      const auto& chains = discretization->branches->ofSample;
      sampleColor[cell].resize(chains.size(), unknownColor());
      for (std::size_t sample = 0; sample < chains.size(); ++sample) {
        if (chains[sample] >= 0) {
          sampleColor[cell][sample] = colors[static_cast<std::size_t>(chains[sample])];
        }
      }
    }
  }
}

void Coloring::colorLevels(const Scene& scene)
{
  std::int32_t levels = 0;
  for (std::size_t cell = 0; cell < scene.cells.size(); ++cell) {
    if (branchesOf(scene, cell) > 0) {
      levels = std::max(levels, asReadShape(scene, cell)->tree.levels());
    }
  }
  legendOfScene.isQuantity = levels > 0;
  legendOfScene.high = std::max(0, levels - 1);
  for (std::size_t cell = 0; cell < scene.cells.size(); ++cell) {
    for (std::size_t branch = 0; branch < branchesOf(scene, cell); ++branch) {
      const double level = asReadShape(scene, cell)->tree.level[branch];
      branchColor[cell][branch] = mapColor(ColorMap::Viridis, levels > 1 ? level / (levels - 1) : 0.5);
    }
  }
}

void Coloring::colorBlocks(const Scene& scene)
{
  if (!scene.plan) {
    return;
  }
  const std::vector<std::int32_t> blocks = selection::blockOfShape(*scene.plan);
  std::map<std::int32_t, bool> seen;
  for (std::size_t cell = 0; cell < scene.cells.size(); ++cell) {
    const std::int32_t shape = shapeOfCell(scene, cell);
    if (shape < 0) {
      continue;
    }
    const std::int32_t block = blocks[static_cast<std::size_t>(shape)];
    branchColor[cell].assign(branchColor[cell].size(), categoryColor(block));
    seen[block] = true;
  }
  for (const auto& [block, present] : seen) {
    legendOfScene.entries.push_back({categoryColor(block), QObject::tr("block %1").arg(formatNumber(block + 1)),
                                     "block == " + std::to_string(block + 1)});
  }
}

QColor Coloring::ofBranch(BranchId id) const
{
  const auto cell = static_cast<std::size_t>(id.cell);
  const auto branch = static_cast<std::size_t>(id.branch);
  const bool known = !id.isNull() && cell < branchColor.size() && branch < branchColor[cell].size();
  return known ? branchColor[cell][branch] : unknownColor();
}

QColor Coloring::ofSample(std::int32_t cell, std::int32_t sample) const
{
  const auto c = static_cast<std::size_t>(cell);
  const auto s = static_cast<std::size_t>(sample);
  if (cell < 0 || sample < 0 || c >= sampleColor.size()) {
    return unknownColor();
  }
  if (s < sampleColor[c].size()) {
    return sampleColor[c][s];
  }
  return s < branchOfSample[c].size() ? ofBranch({cell, branchOfSample[c][s]}) : unknownColor();
}

} // namespace hinesight::widgets
