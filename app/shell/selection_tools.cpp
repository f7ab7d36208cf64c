#include "app/shell/selection_tools.hpp"

#include "app/cells/cell_views.hpp"
#include "app/document/document.hpp"
#include "app/pages/page_host.hpp"
#include "app/pages/view_area.hpp"
#include "app/projection/projection_controller.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/selection/neuron_bar.hpp"
#include "app/selection/neuron_selection.hpp"
#include "app/selection/selection_actions.hpp"
#include "app/selection/selection_bar.hpp"
#include "app/shell/bars/status_panel.hpp"
#include "app/shell/escape_key.hpp"
#include "app/shell/frame/window_tabs.hpp"
#include "app/shell/window_centre.hpp"

#include <algorithm>

namespace hinesight::app {

SelectionTools::SelectionTools(const Parts& ofWindow, QWidget* window)
    : QObject(window), parts(ofWindow), area(parts.centre->area),
      ofMenu(new SelectionActions(parts.views->selected(), this)), escape(new EscapeKey(parts.jobs, window))
{
  connect(ofMenu, &SelectionActions::whereRequested, parts.tabs, &WindowTabs::showBranches);
  connect(ofMenu, &SelectionActions::areaRequested, this, &SelectionTools::awaitArea);
  connect(parts.views, &CellViews::areaEnded, this, &SelectionTools::takeAreaEnd);
  connect(area, &ViewArea::arrangementChanged, escape, &EscapeKey::endArea);
  connect(escape, &EscapeKey::changed, ofMenu,
          [this](bool, bool clearsSelection) { ofMenu->setEscapeClears(clearsSelection); });
  addBranchBar();
}

const QList<QAction*>& SelectionTools::actions() const
{
  return ofMenu->all();
}

void SelectionTools::addBranchBar()
{
  auto* bar = new SelectionBar(parts.views->selected(), ofMenu, parts.centre->column);
  addBar(bar);
  const auto refresh = [this, bar] { bar->setUseful(parts.tabs->seesBranches()); };
  connect(area, &ViewArea::currentChanged, bar, refresh);
  connect(area, &ViewArea::gridChanged, bar, refresh);
}

void SelectionTools::addBar(ExpressionBar* bar)
{
  parts.centre->addBelow(bar);
  connect(bar, &ExpressionBar::setKept, this, [this](const QString& name) {
    parts.status->showDeed(tr("The set %1 is saved: choose it under Sets, below the view.").arg(name));
  });
}

void SelectionTools::addNeuronBar(NeuronSelection* neurons, const PageHost* host)
{
  auto* bar = new NeuronBar(neurons, parts.views->selected(), ofMenu, parts.centre->column);
  addBar(bar);
  const auto refreshPage = [this, bar, neurons] {
    const Tab& tab = parts.tabs->current();
    bar->setPage(tab.page, tab.network, tab.hasNeurons, tab.selection);
    if (parts.tabs->currentView() == ViewKind::Plasticity)
      ofMenu->setSeen(neurons); // it is about neurons, though it draws none
  };
  connect(area, &ViewArea::currentChanged, bar, refreshPage);
  connect(area, &ViewArea::gridChanged, bar, refreshPage);
  refreshPage();
  connect(host, &PageHost::networkChanged, bar, &NeuronBar::takeSelection);
  connect(host, &PageHost::networkChanged, bar, &NeuronBar::takeNetwork, Qt::QueuedConnection);
  connect(host, &PageHost::areaEnded, this, &SelectionTools::takeAreaEnd);
  connect(ofMenu, &SelectionActions::neuronsRequested, bar, [this, bar] {
    if (!parts.tabs->current().network)
      parts.tabs->show(ViewKind::Projection);
    bar->openForText();
  });
  connect(bar, &NeuronBar::connectionWanted, this, [this, bar, host](const QString& name) {
    if (name.isEmpty()) { // pairs of neurons of what is simulated
      parts.tabs->show(ViewKind::Simulation);
      return bar->takeNetwork();
    }
    const model::Project open = host->find<Document>()->project();
    if (std::ranges::find(open.connections, name.toStdString(), &model::Connection::name) == open.connections.end())
      bar->showMistake(tr("The circuit has no connection %1.").arg(name));
    else
      host->find<ProjectionController>()->pick(name.toStdString());
  });
}

/// On the page that is seen, in the views that are seen, or in space where none is.
void SelectionTools::awaitArea(widgets::AreaShape shape)
{
  escape->endArea();
  if (const auto& ofPage = parts.tabs->current().awaitArea) {
    ofPage(shape);
    escape->awaitArea([this, ofPage] {
      ofPage(std::nullopt);
      takeAreaEnd();
    });
  } else {
    if (!area->isGrid() && !parts.tabs->isView())
      parts.tabs->show(ViewKind::Morphology);
    parts.views->awaitArea(shape);
    escape->awaitArea([this] { parts.views->forgetArea(); });
  }
  parts.status->showNotice(
      shape == widgets::AreaShape::Box
          ? tr("Drag a box around branches or neurons with the left button, with Ctrl to add them; Esc ends it.")
          : tr("Drag a loop around branches or neurons with the left button, with Ctrl to add them; Esc ends it."));
}

void SelectionTools::takeAreaEnd()
{
  escape->dropArea();
  parts.status->dropNotice();
}

} // namespace hinesight::app
