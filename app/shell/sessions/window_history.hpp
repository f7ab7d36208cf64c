#pragma once

#include <QObject>

namespace hinesight::app {

class BranchSelection;
class CellListModel;
class Document;
class History;
class NeuronSelection;
class PageHost;
class ParameterPanel;
class PopulationPanel;
class SeenViews;

/// The history of the window: whoever changes something of what is open is heard here, and steps that are undone or
/// done again are shown.
class WindowHistory : public QObject
{
  Q_OBJECT

public:
  struct Parts
  {
    CellListModel* cells;
    BranchSelection* branches;
    NeuronSelection* neurons;
    ParameterPanel* parameters; ///< of the cells
    PopulationPanel* populations;
    Document* document;
    SeenViews* seen;
    PageHost* host;
  };

  WindowHistory(const Parts& parts, QObject* parent);

  History* steps() const { return history; }
  /// A step is being undone or done again.
  bool isShowing() const { return showing; }

signals:
  /// Something changes, or may have changed, which may become a step.
  void changing();
  /// A step was undone.
  void undone();

private:
  void followCells();
  void followSelection();
  void followPages();
  void changeSoon();

  Parts parts;
  History* history;
  bool showing = false;
};

} // namespace hinesight::app
