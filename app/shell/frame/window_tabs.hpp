#pragma once

#include "app/pages/pages.hpp"
#include "app/pages/view_kind.hpp"

#include <QObject>

#include <string>
#include <vector>

namespace hinesight::app {

struct DockedPanels;
class PageHost;
class ViewArea;

/// The views and pages of the window with what its panels, menus and keys mean while each is seen.
class WindowTabs : public QObject
{
  Q_OBJECT

public:
  WindowTabs(ViewArea* area, QObject* parent);

  /// They show what the current tab has; to be said before there is any.
  void setPanels(DockedPanels* ofWindow) { panels = ofWindow; }
  /// Of the cells, in the order of ViewKind; it stands in the area.
  void addView(Tab tab);
  /// Makes all pages, and follows what is seen from then on.
  void addPages(PageHost& host);

  /// In the grid, that of the view under the pointer.
  const Tab& current() const;
  const PageDefinition& currentPage() const;
  /// Whether that is a view of the cells; which one.
  bool isView() const;
  ViewKind currentView() const;
  /// A page whose branches can be selected is seen.
  bool seesBranches() const;
  bool isShown(ViewKind page) const;

  void show(ViewKind page);
  /// Where there is a page of that name.
  void showNamed(const std::string& name);
  /// The cells in space, unless the grid shows them.
  void showCells();
  /// The same, unless branches are seen.
  void showBranches();

private:
  void takeTab();

  ViewArea* area;
  DockedPanels* panels = nullptr;
  std::vector<Tab> tabs; ///< of allPages
};

} // namespace hinesight::app
