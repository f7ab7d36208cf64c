#pragma once

#include "model/project.hpp"
#include "model/session_view.hpp"

#include <QObject>

#include <vector>

namespace hinesight::widgets {
class MorphologyView;
} // namespace hinesight::widgets

namespace hinesight::app {

class CellListModel;
class DataPanel;
class MeasurePage;

/// What sessions keep of the views of cells: how their list is sorted, the projection of the page Morphology, what the
/// page Measure compares and counts, and the paths that were measured.
class SeenViews : public QObject
{
  Q_OBJECT

public:
  struct Parts
  {
    CellListModel* cells;
    DataPanel* list; ///< of them
    widgets::MorphologyView* morphology;
    MeasurePage* measure;
  };

  SeenViews(const Parts& parts, QObject* parent);

  /// `open`: the cells of the list, in its order.
  void addTo(model::SessionView& seen, const std::vector<model::Cell>& open) const;
  std::vector<model::SeenPath> paths() const;
  void showPaths(const std::vector<model::SeenPath>& paths);
  /// As addTo. What the session does not say is as a window begins.
  void show(const model::SessionView& seen, const std::vector<model::Cell>& open);

signals:
  /// Any of it, by a person.
  void changed();

private:
  void tellChange();

  Parts parts;
  bool isShowing = false; ///< what changes now is no person's doing
};

} // namespace hinesight::app
