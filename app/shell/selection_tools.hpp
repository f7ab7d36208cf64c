#pragma once

#include "widgets/selection_outline.hpp"

#include <QAction>
#include <QList>
#include <QObject>

namespace hinesight::app {

class CellViews;
class EscapeKey;
class ExpressionBar;
class Jobs;
class NeuronSelection;
class PageHost;
class SelectionActions;
class StatusPanel;
class ViewArea;
struct WindowCentre;
class WindowTabs;

/// What selects branches and neurons beside a click: the actions of the menu, the bars below the views, and areas that
/// are to be drawn.
class SelectionTools : public QObject
{
  Q_OBJECT

public:
  struct Parts
  {
    WindowCentre* centre;
    CellViews* views;
    WindowTabs* tabs;
    const Jobs* jobs;
    StatusPanel* status;
  };

  SelectionTools(const Parts& parts, QWidget* window);

  const QList<QAction*>& actions() const;
  const EscapeKey* escapeKey() const { return escape; }
  /// The bar of neurons, once there are pages that show them. What the page that is seen shows, branches or neurons, is
  /// what the actions work on.
  void addNeuronBar(NeuronSelection* neurons, const PageHost* host);

private:
  void addBranchBar();
  void addBar(ExpressionBar* bar);
  void awaitArea(widgets::AreaShape shape);
  void takeAreaEnd();

  Parts parts;
  ViewArea* area;
  SelectionActions* ofMenu;
  EscapeKey* escape;
};

} // namespace hinesight::app
