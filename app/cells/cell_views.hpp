#pragma once

#include "app/cells/cell_list_model.hpp"
#include "app/cells/strategy_times.hpp"
#include "app/pages/view_kind.hpp"
#include "study/cells/cell_study.hpp"
#include "widgets/background_work.hpp"
#include "widgets/cells/morphology/path_overlay.hpp"
#include "widgets/cells/scene.hpp"
#include "widgets/cells/schedule_view.hpp"
#include "widgets/cells/view.hpp"
#include "widgets/selection_outline.hpp"

#include <QObject>
#include <QString>
#include <QTimer>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace hinesight::widgets {
class MorphologyView;
} // namespace hinesight::widgets

namespace hinesight::app {

class BranchSelection;
class ViewArea;

/// The views of the cells: what they show, in the same colours, with the same selected and hidden branches. A scene
/// goes to the views that are seen; a hidden one gets it when it is shown, so that dragging a slider pays for one
/// drawing. A view of plans gets a large one when its colours are made; until then it keeps its drawing, of which no
/// branch can be picked.
class CellViews : public QObject
{
  Q_OBJECT

public:
  /// Adds the views to `area`. Hidden cells are those of `cells`.
  CellViews(ViewArea* area, CellListModel* cells, QObject* parent);

  /// Not for pages. Of two side by side the left one.
  widgets::View& view(ViewKind kind) { return *panes[static_cast<std::size_t>(kind)].view; }
  /// The same, or that of a copy which is in use.
  widgets::View& currentView(ViewKind kind);
  /// Shows everything, in both views where two are side by side; in a copy that is in use.
  void fit(ViewKind kind);
  /// Waits until what is drawn in the background is there.
  void settle();
  /// Of the view, or of two side by side; of a copy that is in use.
  widgets::Figure figure(ViewKind kind);
  /// The way between two points, in every view of the cells in space.
  void showPath(const std::vector<widgets::SamplePoint>& samples, const QString& text);
  /// What the views show; null before anything was opened.
  const std::shared_ptr<const widgets::Scene>& scene() const { return drawn; }
  /// How far what they show has come; of an empty request before anything was opened.
  const study::CellResult& outcome() const { return shown; }
  /// Which branches are selected and hidden.
  BranchSelection* selected() const { return branches; }
  /// The current one of them.
  widgets::BranchId selection() const;
  /// The figures of the selected branch, or of several together, one "name: value" a line; empty where there is none.
  QString describeSelection() const;
  void select(widgets::BranchId branch);
  /// The next drag with the left button in a view that is seen draws that to select, as one with Shift does: until it
  /// has, others are seen, or forgetArea is called.
  void awaitArea(widgets::AreaShape shape);
  void forgetArea();
  bool awaitsArea() const { return isAreaAwaited; }
  /// The chosen cells, rows of the list: expressions may select in them, and the Morphology view lights them where
  /// there are others beside them.
  void takeChosenCells(const std::vector<int>& rows);
  /// Fits the Morphology view to it. A hidden one is shown.
  void fitToCell(int row);
  /// Selects the branch of a line of its file, and fits the Morphology view to it; to the cell where the line is of its
  /// soma, or no branch is known. What is hidden of these is shown.
  void showLine(int row, std::int64_t line);

  void show(const study::CellResult& outcome);
  /// An outcome that is not complete, unless a better one comes within a moment or `dropPartial` is called.
  void showSoon(const study::CellResult& outcome);
  void showPartial();
  void dropPartial();
  /// What a run measured.
  void addRun(const study::CellResult& outcome);
  /// What the run measured whose solution is seen again.
  void showRunAgain(const study::CellResult& outcome);
  void showProgress(const QString& stage, double fraction);
  void endProgress();

  /// Schedules that a person chose to look at, and that are to be planned for what the views show.
  std::vector<widgets::ScheduleChoice> wantedSchedules() const;
  /// Those, in their order.
  void takeSchedules(const std::vector<std::shared_ptr<const study::PlannedSchedule>>& planned);
  /// They will not come: the views show what ran.
  void dropSchedules();

  void setColorBy(widgets::ColorBy colorBy);
  void setTimingsShown(bool timingsShown);

signals:
  void sceneChanged();
  void selectionChanged();
  void areaEnded(); ///< none is awaited any more
  /// A branch was clicked, and is selected.
  void cellPicked(int row);
  void colorByChanged(hinesight::widgets::ColorBy colorBy);
  void openRequested();
  void samplesRequested();
  /// By the ruler.
  void pointsPicked(hinesight::widgets::SamplePoint from, hinesight::widgets::SamplePoint to);
  /// There may be schedules to plan.
  void schedulesWanted();
  /// Where the solver cuts, by a drag.
  void cutLengthChosen(hinesight::hines::SolverId solver, std::int32_t compartments);
  /// One of the solver's ways to cut.
  void cutWayChosen(hinesight::hines::SolverId solver, const QString& name);
  void figureRequested(int kind); ///< by the view's header
  void failed(const QString& sentence);

private:
  /// A view, with the page that it is on.
  struct Pane
  {
    widgets::View* view;
    ViewKind kind;
    QWidget* page;             ///< the view itself, or the pair that it is of
    bool isStale = false;      ///< it has an older scene
    std::uint64_t turnsTo = 0; ///< the cell that it shows when it is seen next, if it shows one; 0: as before
  };

  QWidget* makePage(ViewKind kind, QWidget* parent);
  QWidget* makeMorphology(QWidget* parent);
  QWidget* makePair(ViewKind kind, QWidget* parent);
  QWidget* makeCopy(ViewKind kind, QWidget* parent);
  void addPane(widgets::View* view, ViewKind kind, QWidget* page);
  QWidget* currentPage(ViewKind kind) const;
  bool isSeen(const Pane& pane) const;
  std::shared_ptr<const study::PlannedSchedule> plannedFor(const widgets::ScheduleChoice& choice) const;
  void applyVisibility();
  void draw(widgets::BranchChoice choice);
  bool hasColors(const Pane& pane) const;
  void makeColors();
  void refreshSeen();
  bool hasBranchesOf(const widgets::View* view) const;
  void takePick(widgets::BranchId branch, widgets::PickMode how);
  void takeLegendPick(const QString& expression, Qt::KeyboardModifiers modifiers);
  void takeChoice();
  void refreshHiddenEntries(widgets::View* view);
  widgets::MorphologyView& currentMorphology();
  std::int32_t placeOf(std::uint64_t source) const;
  std::vector<std::int32_t> chosenPlaces() const;
  void refreshLight();
  void refreshChosen();
  void turnTrees();
  widgets::BranchChoice choiceIn(const study::CellResult& next) const;

  ViewArea* area;
  CellListModel* cells;
  std::vector<Pane> panes; ///< by ViewKind, then those that stand beside another or are of a copy
  std::vector<std::shared_ptr<const study::PlannedSchedule>> planned; ///< of what is shown:
  std::shared_ptr<const hines::HinesBatch> plannedBatch;
  hines::SolveParameters plannedAs; ///< with whose settings
  study::CellResult shown;
  bool isShowing = false;                      ///< anything was shown
  std::shared_ptr<const widgets::Scene> drawn; ///< of `shown`, without what is hidden; null before anything was opened
  std::optional<study::CellResult> partial;    ///< shown if the run takes long or does not come to its end
  QTimer partialTimer;
  bool isAreaAwaited = false;
  widgets::BackgroundWork colors; ///< of branches
  BranchSelection* branches;
  study::CellResult chosenIn;               ///< the last result with a plan:
  widgets::BranchChoice kept;               ///< what was chosen in it
  widgets::BranchIds hiddenInViews;         ///< that their legends tell of
  std::vector<std::uint64_t> chosenSources; ///< of the chosen cells, ascending
  StrategyTimes strategyTimes;
};

} // namespace hinesight::app
