#include "app/shell/sessions/window_history.hpp"

#include "app/cells/cell_list_model.hpp"
#include "app/cells/parameter_panel.hpp"
#include "app/document/document.hpp"
#include "app/document/history.hpp"
#include "app/document/seen_views.hpp"
#include "app/pages/page_host.hpp"
#include "app/projection/population_panel.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/selection/neuron_selection.hpp"
#include "widgets/value_drag.hpp"

#include <QScopedValueRollback>

#include <utility>

namespace hinesight::app {

WindowHistory::WindowHistory(const Parts& ofWindow, QObject* parent) : QObject(parent), parts(ofWindow)
{
  history = new History({.project = [this] { return parts.document->project(); },
                         .aside = [this] { return parts.document->aside(); },
                         .selected =
                             [this] {
                               Selected selected = parts.branches->selected();
                               selected.neurons = parts.neurons->selected();
                               return selected;
                             },
                         .drag = &widgets::ValueDrag::current,
                         .show =
                             [this](const model::Project& wanted, const Aside& aside, const Selected& selected) {
                               const QScopedValueRollback guard(showing, true);
                               parts.document->show(wanted, aside, selected);
                               parts.neurons->restore(selected.neurons);
                             }},
                        this);
  followCells();
  followSelection();
  followPages();
  connect(&history->stack(), &QUndoStack::indexChanged, this,
          [this, before = history->stack().index()](int now) mutable {
            if (now < std::exchange(before, now))
              emit undone();
            history->takeAside();
          });
}

void WindowHistory::changeSoon()
{
  history->takeSoon();
  emit changing();
}

void WindowHistory::followCells()
{
  connect(parts.cells, &CellListModel::changeBegins, this, &WindowHistory::changeSoon);
  connect(parts.cells, &CellListModel::contentChanged, this, &WindowHistory::changeSoon);
  connect(parts.cells, &CellListModel::visibilityChanged, this, &WindowHistory::changeSoon);
  connect(parts.cells, &CellListModel::tagsChanged, this, &WindowHistory::changeSoon);
  connect(parts.parameters, &ParameterPanel::edited, this, &WindowHistory::changeSoon);
}

/// To select is no step, but what is selected when a step is left belongs to it.
void WindowHistory::followSelection()
{
  connect(parts.branches, &BranchSelection::setsChanged, this, &WindowHistory::changeSoon);
  for (const SelectionModel* selection :
       {static_cast<SelectionModel*>(parts.branches), static_cast<SelectionModel*>(parts.neurons)}) {
    connect(selection, &SelectionModel::stepBegins, this, [this] { history->take(); });
    connect(selection, &SelectionModel::stepMade, history, &History::takeHidden);
    connect(selection, &SelectionModel::changed, history, &History::takeSelected);
  }
  connect(parts.branches, &BranchSelection::chosenFilesChanged, history, &History::takeSelected);
  connect(parts.branches, &BranchSelection::inChosenChanged, history, &History::takeSelected);
}

void WindowHistory::followPages()
{
  connect(parts.populations, &PopulationPanel::changed, this, &WindowHistory::changeSoon);
  connect(parts.populations, &PopulationPanel::traitsChanged, this, &WindowHistory::changeSoon);
  connect(parts.document, &Document::changed, this, &WindowHistory::changeSoon);
  connect(parts.document, &Document::tookOver, history, &History::amend);
  connect(parts.document, &Document::formedShown, history, &History::takeAside);
  connect(parts.seen, &SeenViews::changed, history, &History::takeAside);
  connect(parts.host, &PageHost::questionChanged, this, &WindowHistory::changeSoon);
  connect(parts.host, &PageHost::sceneChanged, this, &WindowHistory::changeSoon);
  connect(parts.host, &PageHost::backendChosen, this, &WindowHistory::changeSoon);
}

} // namespace hinesight::app
