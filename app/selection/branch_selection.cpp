#include "app/selection/branch_selection.hpp"

#include "selection/expression.hpp"
#include "widgets/theme.hpp"

#include <algorithm>
#include <utility>

namespace hinesight::app {

using selection::BranchSet;
using selection::Expression;
using widgets::BranchChoice;
using widgets::BranchId;
using widgets::BranchIds;
using widgets::PickMode;

namespace {

/// "12.4 mm".
QString lengthText(double micrometres)
{
  constexpr double kMicrometresPerMillimetre = 1000;
  return micrometres < kMicrometresPerMillimetre
             ? BranchSelection::tr("%1 µm").arg(widgets::formatNumber(micrometres))
             : BranchSelection::tr("%1 mm").arg(widgets::formatNumber(micrometres / kMicrometresPerMillimetre));
}

QString number(std::size_t value)
{
  return widgets::formatNumber(static_cast<double>(value));
}

} // namespace

void BranchSelection::setScene(std::shared_ptr<const widgets::Scene> shown, BranchChoice choice)
{
  const auto planBefore = scene ? scene->plan : nullptr;
  scene = std::move(shown);
  if (scene && scene->plan == planBefore)
    return take(std::move(choice), where);
  if (!where.empty() && table()) {
    choice.selected = idsOf(Expression(where).evaluate(branches));
    choice.current = choice.selected.has(choice.current) ? choice.current : BranchId{};
  }
  take(std::move(choice), where);
  emit sceneChanged();
}

const selection::BranchTable* BranchSelection::table() const
{
  if (!scene || !scene->plan)
    return nullptr;
  if (tabled != scene->plan) {
    std::vector<selection::TabledCell> cells;
    for (const widgets::SceneCell& cell : scene->cells)
      cells.push_back({cell.name, cell.discretization.get()});
    branches = selection::makeBranchTable(cells, *scene->plan);
    tabled = scene->plan;
  }
  return &branches;
}

void BranchSelection::take(BranchChoice choice, std::string expression)
{
  const bool isOther = choice != chosen || expression != where;
  chosen = std::move(choice);
  where = std::move(expression);
  if (isOther)
    emit changed();
}

void BranchSelection::select(BranchId branch)
{
  take({branch, BranchIds(branch.isNull() ? std::vector<BranchId>() : std::vector{branch}), chosen.hidden}, {});
}

void BranchSelection::pick(const std::vector<BranchId>& picked, PickMode how)
{
  std::vector<BranchId> ids;
  if (how != PickMode::Replace)
    ids.assign(chosen.selected.begin(), chosen.selected.end());
  BranchId last;
  for (const BranchId id : picked) {
    if (id.isNull())
      continue;
    const auto before = how == PickMode::Toggle ? std::ranges::find(ids, id) : ids.end();
    const bool leaves = before != ids.end();
    if (leaves)
      ids.erase(before);
    else
      ids.push_back(id);
    last = leaves ? BranchId{} : id;
  }
  const bool areMany = std::ranges::any_of(picked, [&](BranchId id) { return id != picked.front(); });
  take({areMany ? BranchId{} : last, BranchIds(std::move(ids)), chosen.hidden}, {});
}

void BranchSelection::selectWhere(const std::string& expression)
{
  const Expression compiled(expression);
  if (table())
    selectSetOf(compiled.evaluate(branches), expression);
}

void BranchSelection::selectSetOf(const BranchSet& set, std::string expression)
{
  const auto row = table()->rowOf(chosen.current);
  const auto rows = set.members();
  const BranchId only = rows.size() == 1 ? table()->idOf(rows.front()) : BranchId{};
  take({row && set.has(*row) ? chosen.current : only, idsOf(set), chosen.hidden}, std::move(expression));
}

bool BranchSelection::isHiddenWhere(const std::string& expression) const
{
  const Expression compiled(expression);
  if (!table())
    return false;
  const BranchSet set = compiled.evaluate(branches);
  return !set.isEmpty() && (set - setOf(chosen.hidden)).isEmpty();
}

void BranchSelection::toggleHiddenWhere(const std::string& expression)
{
  const bool shows = isHiddenWhere(expression);
  if (!table())
    return;
  const BranchSet set = Expression(expression).evaluate(branches);
  BranchChoice next = chosen;
  next.hidden = idsOf(shows ? setOf(chosen.hidden) - set : setOf(chosen.hidden) | set);
  next.selected = idsOf(setOf(chosen.selected) - setOf(next.hidden));
  next.current = next.selected.has(next.current) ? next.current : BranchId{};
  take(std::move(next), next.selected == chosen.selected ? where : std::string());
}

void BranchSelection::invert()
{
  if (table())
    selectSetOf(~setOf(chosen.selected) - setOf(chosen.hidden));
}

void BranchSelection::addSubtrees()
{
  if (table())
    selectSetOf(subtreesOf(branches, setOf(chosen.selected)));
}

void BranchSelection::addPathsToSoma()
{
  if (table())
    selectSetOf(pathsToRoot(branches, setOf(chosen.selected)));
}

void BranchSelection::goToHosts()
{
  if (table())
    selectSetOf(hostsOf(branches, setOf(chosen.selected)));
}

void BranchSelection::hide()
{
  if (table())
    take({{}, {}, idsOf(setOf(chosen.hidden) | setOf(chosen.selected))}, {});
}

void BranchSelection::isolate()
{
  if (table() && !chosen.selected.isEmpty())
    take({chosen.current, chosen.selected, idsOf(~setOf(chosen.selected))}, where);
}

void BranchSelection::showAll()
{
  take({chosen.current, chosen.selected, {}}, where);
}

QString BranchSelection::summary() const
{
  if (!table())
    return {};
  const BranchSet set = setOf(chosen.selected);
  QString text = tr("%1 of %2 branches").arg(number(set.count()), number(branches.rows()));
  if (!set.isEmpty())
    text += QStringLiteral(", ") + lengthText(totalLength(branches, set));
  if (!chosen.hidden.isEmpty())
    text += tr("; %1 hidden").arg(number(chosen.hidden.size()));
  return text;
}

// ---- kept sets ----

void BranchSelection::setSets(std::vector<selection::NamedSelection> sets)
{
  named = std::move(sets);
  emit setsChanged();
}

void BranchSelection::saveAs(const QString& name)
{
  if (!table() || chosen.selected.isEmpty() || name.isEmpty())
    return;
  const selection::NamedSelection saved{name.toStdString(),
                                        where.empty() ? expressionOf(branches, setOf(chosen.selected)) : where};
  const auto same = std::ranges::find(named, saved.name, &selection::NamedSelection::name);
  if (same == named.end())
    named.push_back(saved);
  else
    *same = saved;
  emit setsChanged();
}

void BranchSelection::selectSet(std::size_t set)
{
  selectWhere(named[set].expression);
}

void BranchSelection::removeSet(std::size_t set)
{
  named.erase(named.begin() + static_cast<std::ptrdiff_t>(set));
  emit setsChanged();
}

// ---- ids and rows ----

BranchSet BranchSelection::setOf(const BranchIds& ids) const
{
  BranchSet set(table() ? branches.rows() : 0);
  for (const BranchId id : ids)
    if (const auto row = branches.rowOf(id); row && *row < set.rows())
      set.add(*row);
  return set;
}

BranchIds BranchSelection::idsOf(const BranchSet& set) const
{
  std::vector<BranchId> ids;
  for (const std::size_t row : set.members())
    ids.push_back(branches.idOf(row));
  return BranchIds(std::move(ids));
}

} // namespace hinesight::app
