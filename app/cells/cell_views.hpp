#pragma once

#include "app/cells/cell_list_model.hpp"
#include "app/cells/strategy_times.hpp"
#include "app/shell/view_kind.hpp"
#include "study/cells/cell_study.hpp"
#include "widgets/cells/scene.hpp"
#include "widgets/view.hpp"

#include <QObject>
#include <QString>
#include <QTimer>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

namespace hinesight::widgets {
class SplittingView;
}

namespace hinesight::app {

class ViewArea;

/// The views of the cells: what they show, in the same colours, with one selected branch. A scene goes to the views
/// that are seen; a hidden one gets it when it is shown, so that dragging a slider pays for one drawing.
class CellViews : public QObject
{
  Q_OBJECT

public:
  /// Adds the views to `area`. Hidden cells are those of `cells`.
  CellViews(ViewArea* area, CellListModel* cells, QObject* parent);

  /// Not for pages.
  widgets::View& view(ViewKind kind) { return *views[static_cast<std::size_t>(kind)]; }
  /// What the views show; null before anything was opened.
  const std::shared_ptr<const widgets::Scene>& scene() const { return drawn; }
  /// How far what they show has come; of an empty request before anything was opened.
  const study::CellResult& outcome() const { return shown; }
  widgets::BranchId selection() const { return selectedBranch; }
  /// The selected branch in words; empty where there is none.
  QString describeSelection() const;
  void select(widgets::BranchId branch);

  void show(const study::CellResult& outcome);
  /// An outcome that is not complete, unless a better one comes within a moment or `dropPartial` is called.
  void showSoon(const study::CellResult& outcome);
  void showPartial();
  void dropPartial();
  /// What a run measured.
  void addRun(const study::CellResult& outcome);
  void showProgress(const QString& stage, double fraction);
  void endProgress();

  void setColorBy(widgets::ColorBy colorBy);
  void setTimingsShown(bool timingsShown);

signals:
  void sceneChanged();
  void selectionChanged();
  /// A branch was clicked, and is selected.
  void cellPicked(int row);
  void colorByChanged(hinesight::widgets::ColorBy colorBy);
  void openRequested();
  void samplesRequested();
  /// Where the solver cuts, by a drag.
  void cutLengthChosen(hinesight::hines::SolverId solver, double compartments);
  /// One of the solver's ways to cut.
  void cutWayChosen(hinesight::hines::SolverId solver, const QString& name);
  void failed(const QString& sentence);

private:
  void addViews();
  void applyVisibility();
  void refreshSeen();
  void takePick(widgets::BranchId branch);
  widgets::BranchId selectionIn(const study::CellResult& next) const;

  ViewArea* area;
  CellListModel* cells;
  std::array<widgets::View*, kViewCount> views{};
  widgets::SplittingView* splittingView; ///< one of them
  std::array<bool, kViewCount> stale{};  ///< they have an older scene
  study::CellResult shown;
  bool isShowing = false;                      ///< anything was shown
  std::shared_ptr<const widgets::Scene> drawn; ///< of `shown`, without what is hidden; null before anything was opened
  std::optional<study::CellResult> partial;    ///< shown if the run takes long or does not come to its end
  QTimer partialTimer;
  widgets::BranchId selectedBranch;
  StrategyTimes strategyTimes;
  std::pair<std::size_t, std::size_t> timedBatch; ///< cells and compartments of the last run
};

} // namespace hinesight::app
