#include "app/shell/frame/window_tabs.hpp"

#include "app/cells/parameter_panel.hpp"
#include "app/cells/timings_panel.hpp"
#include "app/pages/page_host.hpp"
#include "app/pages/view_area.hpp"
#include "app/shell/frame/docked_panels.hpp"

#include <QStackedWidget>

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

/// Where updates are on, a stack tells each widget of all its panels, thousands of them, that they are off, and then
/// that they are on again.
void showPanel(QStackedWidget* stack, QWidget* panel)
{
  if (stack->currentWidget() == panel)
    return;
  stack->setAttribute(Qt::WA_UpdatesDisabled, true);
  stack->setCurrentWidget(panel);
  stack->setAttribute(Qt::WA_UpdatesDisabled, false);
  stack->update();
}

} // namespace

WindowTabs::WindowTabs(ViewArea* ofWindow, QObject* parent) : QObject(parent), area(ofWindow) {}

void WindowTabs::addView(Tab tab)
{
  tab.parameters = panels->ofCells;
  tab.resetParameters = [this] { panels->ofCells->resetAll(); };
  tabs.push_back(std::move(tab));
}

void WindowTabs::addPages(PageHost& host)
{
  for (const PageDefinition& page : allPages().subspan(kViewCount)) {
    Tab tab = page.make(host);
    if (!tab.parameters)
      tab.parameters = panels->ofCells;
    if (!tab.resetParameters)
      tab.resetParameters = [this] { panels->ofCells->resetAll(); };
    if (!tab.figure)
      tab.figure = [widget = tab.page] { return widgets::figureOf(*widget); };
    if (panels->parameters->indexOf(tab.parameters) < 0) // those of the cells stay where they are, and seen
      panels->parameters->addWidget(tab.parameters);
    app::describe(tab.page, page);
    area->addPage(tab.page, titleOf(page), helpOf(static_cast<int>(tabs.size())));
    tabs.push_back(std::move(tab));
  }
  connect(area, &ViewArea::currentChanged, this, &WindowTabs::takeTab);
  connect(area, &ViewArea::gridChanged, this, &WindowTabs::takeTab);
  connect(area, &ViewArea::appeared, this, [this](int index) {
    if (const auto& seen = tabs[static_cast<std::size_t>(index)].seen)
      seen();
  });
}

const Tab& WindowTabs::current() const
{
  return tabs[static_cast<std::size_t>(area->current())];
}

const PageDefinition& WindowTabs::currentPage() const
{
  return allPages()[static_cast<std::size_t>(area->current())];
}

bool WindowTabs::isView() const
{
  return area->current() < kViewCount;
}

ViewKind WindowTabs::currentView() const
{
  return static_cast<ViewKind>(area->current());
}

bool WindowTabs::seesBranches() const
{
  return area->isGrid() || isView() || currentView() == ViewKind::Measure;
}

bool WindowTabs::isShown(ViewKind page) const
{
  return area->isSeen(static_cast<int>(page));
}

void WindowTabs::show(ViewKind page)
{
  area->showView(static_cast<int>(page));
}

void WindowTabs::showNamed(const std::string& name)
{
  const auto pages = allPages();
  const auto found = std::ranges::find(pages, name, &PageDefinition::name);
  if (found != pages.end())
    area->showView(static_cast<int>(found - pages.begin()));
}

void WindowTabs::showCells()
{
  if (!area->isGrid())
    show(ViewKind::Morphology);
}

void WindowTabs::showBranches()
{
  if (!seesBranches())
    show(ViewKind::Morphology);
}

void WindowTabs::takeTab()
{
  showPanel(panels->parameters, current().parameters);
  panels->timings->setPage(current().runs);
}

} // namespace hinesight::app
