#include "app/document/seen_views.hpp"

#include "app/cells/cell_list_model.hpp"
#include "app/cells/data_panel.hpp"
#include "app/measure/measure_page.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"

#include <QScopedValueRollback>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace hinesight::app {

namespace {

model::SeenPath seenOf(const MeasuredPath& path)
{
  return {path.from.cell.toStdString(),     path.from.id, path.to.cell.toStdString(), path.to.id,
          path.length.value_or(kBoundless), path.distance};
}

MeasuredPath measuredOf(const model::SeenPath& seen)
{
  MeasuredPath path{{QString::fromStdString(seen.from), seen.fromSample},
                    {QString::fromStdString(seen.to), seen.toSample},
                    {},
                    seen.distance};
  if (seen.length < kBoundless)
    path.length = seen.length;
  return path;
}

/// The first one where none has that name.
study::BranchQuantity quantityNamed(const std::string& name)
{
  const auto found = std::ranges::find(study::kBranchQuantities, name, &Choice::name);
  return found == std::end(study::kBranchQuantities)
             ? study::BranchQuantity()
             : static_cast<study::BranchQuantity>(found - std::begin(study::kBranchQuantities));
}

} // namespace

SeenViews::SeenViews(const Parts& ofParts, QObject* parent) : QObject(parent), parts(ofParts)
{
  connect(parts.list, &DataPanel::sorted, this, &SeenViews::tellChange);
  connect(parts.measure, &MeasurePage::questionsChanged, this, &SeenViews::tellChange);
  if (auto* projection = parts.morphology->findChild<QToolButton*>(QStringLiteral("parallelProjection")))
    connect(projection, &QToolButton::toggled, this, &SeenViews::tellChange);
}

void SeenViews::tellChange()
{
  if (!isShowing)
    emit changed();
}

void SeenViews::addTo(model::SessionView& seen, const std::vector<model::Cell>& open) const
{
  seen.sortBy = parts.list->sortedBy();
  seen.isDescending = !seen.sortBy.empty() && parts.list->isDescending();
  seen.isParallel = parts.morphology->look().isParallel;
  const int beside = parts.cells->rowOfKey(parts.measure->wantedBeside());
  if (beside >= 0 && static_cast<std::size_t>(beside) < open.size())
    seen.measureBeside = open[static_cast<std::size_t>(beside)].name;
  if (const study::BranchQuantity quantity = parts.measure->quantity(); quantity != study::BranchQuantity())
    seen.histogramOf = choiceName(quantity);
  seen.shollStep = parts.measure->shollStep();
  seen.paths = paths();
}

std::vector<model::SeenPath> SeenViews::paths() const
{
  std::vector<model::SeenPath> seen;
  for (const MeasuredPath& path : parts.measure->paths())
    seen.push_back(seenOf(path));
  return seen;
}

void SeenViews::showPaths(const std::vector<model::SeenPath>& seen)
{
  const QScopedValueRollback guard(isShowing, true);
  std::vector<MeasuredPath> measured;
  for (const model::SeenPath& path : seen)
    measured.push_back(measuredOf(path));
  parts.measure->setPaths(std::move(measured));
}

void SeenViews::show(const model::SessionView& seen, const std::vector<model::Cell>& open)
{
  const QScopedValueRollback guard(isShowing, true);
  parts.list->sortBy(seen.sortBy, seen.isDescending);
  widgets::MorphologyLook look = parts.morphology->look();
  look.isParallel = seen.isParallel;
  parts.morphology->setLook(look);
  const auto beside = std::ranges::find(open, seen.measureBeside, &model::Cell::name);
  const auto row = static_cast<std::size_t>(beside - open.begin());
  const bool isThere = beside != open.end() && row < parts.cells->cells().size();
  parts.measure->compareWith(isThere ? parts.cells->cells()[row].key : 0);
  parts.measure->setQuantity(quantityNamed(seen.histogramOf));
  if (seen.shollStep > 0 && std::isfinite(seen.shollStep)) // a file may say anything
    parts.measure->setShollStep(seen.shollStep);
  showPaths(seen.paths);
}

} // namespace hinesight::app
