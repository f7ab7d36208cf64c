#pragma once

#include "hines/solvers/definition.hpp"
#include "widgets/cells/schedule_view.hpp"
#include "widgets/cells/splitting/splitting_view_cut.hpp"
#include "widgets/cells/splitting/splitting_view_ledger.hpp"

#include <optional>
#include <vector>

namespace hinesight::widgets {

class BackgroundWork;

/// "What did splitting gain?": every branch of the distinct cells as a dot at its level and length, above before the
/// cut (balanced), below what the drawn schedule makes of it; right, what it costs and buys. Below, a dot is what a
/// lane does in a round: a piece of a branch by level; chains of the edd solver by recursion, pieces and then junctions
/// of the resident one, whole cells where each has one lane. Where rounds are no levels, the panels have scales of
/// their own. Where the solver cuts at a length, that is a line to drag.
class SplittingView : public ScheduleView
{
  Q_OBJECT

public:
  explicit SplittingView(QWidget* parent = nullptr);

  void setScene(std::shared_ptr<const Scene> scene) override;
  QImage grabPicture() override;
  /// Waits for the cut, which is made in the background.
  void settle() override;
  /// Measured times of the strategies, for the ledger.
  void setStrategyTimes(std::vector<StrategyTime> times);

  /// What is drawn in a panel.
  const Cut& cut(bool after) const { return *(after ? afterwards : before).cut; }
  /// Where a length lies in the panel before (after) the cut, scene y.
  double yOf(bool after, double length) const;
  double lengthAt(bool after, double y) const;

signals:
  /// Of the solver whose schedule is drawn, for SolverDefinition::setCutLength.
  void cutLengthDragged(hinesight::hines::SolverId solver, std::int32_t compartments);
  /// For SolverDefinition::chooseCut.
  void cutWayChosen(hinesight::hines::SolverId solver, const QString& name);

protected:
  PlanarDrawing compose(std::vector<BranchId>& branches) override;
  bool isWholeCell(std::int32_t item) const override;
  /// For the cut.
  bool isWaiting() const override;
  QString titleOfItem(std::int32_t item) const override;
  QString describeItem(std::int32_t item) const override;
  void refreshParts() override;
  void layOutOwnOverlays() override;

private:
  /// A cut with the place of its panel.
  struct Panel
  {
    std::shared_ptr<const Cut> cut = std::make_shared<const Cut>();
    double base = 0;     ///< scene y of length 1
    double height = 1;   ///< scene units: of the longest piece, and some room
    double column = 1;   ///< scene units of a level
    double perSwarm = 8; ///< pieces that lie side by side in a level's width
    std::int32_t firstItem = 0;
  };

  /// The schedule that is drawn below, and how its solver cuts.
  struct Drawn
  {
    std::shared_ptr<const hines::Schedule> schedule; ///< null: nothing is drawn
    hines::SolverId solver;
    QString name;         ///< the solver's
    QString rounds;       ///< what the rounds are: "level"
    bool inLevels = true; ///< as the branches before the cut
    std::vector<hines::CutWay> ways;
    std::vector<hines::CutLength> lengths;
  };

  static Drawn drawnOf(const Scene& scene, std::shared_ptr<const hines::Schedule> schedule);
  void takeSchedule();
  void takeCut(std::shared_ptr<const ScheduleCut> cut);
  void giveUp();
  void collect();
  double gapOfPanels() const;
  void layOutPanels();
  const CutPiece& pieceOf(std::int32_t item) const;
  /// The length at which all is cut, or would be; where the line is being dragged to. None where there is none.
  std::optional<double> lengthOfAll() const;
  bool isUncut() const;
  void composePanel(const Panel& panel, PlanarDrawing& drawing) const;
  void composeThreshold(bool after, PlanarDrawing& drawing) const;
  void composeLine(bool after, double length, const QStringList& label, bool inForce, PlanarDrawing& drawing) const;
  void composeAxes(PlanarDrawing& drawing) const;
  QStringList heading(bool after) const;
  void drag(std::int32_t handle, const QPointF& scene);
  std::optional<LedgerEntry> ledgerEntry() const;
  void refreshHeader();
  QString rule() const;

  SplitLedger* ledger = nullptr;
  BackgroundWork* background = nullptr;
  Drawn drawn;
  std::shared_ptr<const ScheduleCut> made; ///< of the schedule; null: not made yet, or not known
  std::shared_ptr<const Cut> uncut;        ///< branches before the cut; null: not made yet
  std::shared_ptr<const hines::SolvePlan> uncutOf;
  bool isUnknown = false; ///< there is no memory for it
  Panel before;
  Panel afterwards;
  double gap = 0; ///< between them, scene units
  bool dragging = false;
  std::optional<double> draggedLength; ///< where the threshold is being dragged to, until the next plan comes
};

} // namespace hinesight::widgets
