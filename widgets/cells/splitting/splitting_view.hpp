#pragma once

#include "widgets/canvas/planar_canvas_view.hpp"
#include "widgets/cells/splitting/splitting_view_cut.hpp"
#include "widgets/cells/splitting/splitting_view_ledger.hpp"

#include <optional>

namespace hinesight::widgets {

class Background;

/// "What did the cut buy?": every branch of the distinct cells as a dot at its level and length, above before the cut
/// (balanced), below after it; right, what it costs and buys. The cut is the one of the solver that solved the scene:
/// of the plan of branches, with its threshold as a line that can be dragged, or of the solver's own schedule. There a
/// dot is what a lane does in a round: chains of the edd solver by recursion, pieces and then junctions of the resident
/// one, whole cells where each has one lane; the panels have scales of their own.
class SplittingView : public PlanarView
{
  Q_OBJECT

public:
  explicit SplittingView(QWidget* parent = nullptr);

  void setScene(std::shared_ptr<const Scene> scene) override;
  QImage grabPicture() override;
  /// Waits for a solver's own cut, which is made in the background.
  void settle() override;
  /// Measured times of the strategies, for the ledger.
  void setStrategyTimes(std::vector<StrategyTime> times);

  /// What is drawn in a panel.
  const Cut& cut(bool after) const { return *(after ? afterwards : before).cut; }
  /// Where a length lies in the panel before (after) the cut, scene y.
  double yOf(bool after, double length) const;
  double lengthAt(bool after, double y) const;

signals:
  void strategyChosen(hinesight::hines::SplitStrategy strategy);
  void chainLengthDragged(double compartments); ///< of the edd solver: K

protected:
  PlanarDrawing compose(std::vector<BranchId>& branches) override;
  bool shows(std::int32_t item, BranchId branch) const override;
  QString titleOfItem(std::int32_t item) const override;
  QString describeItem(std::int32_t item) const override;
  void refreshParts() override;

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

  /// Of the solver whose own schedule is drawn; null where that is the plan of branches.
  const hines::Solution* ownSolution() const;
  QString solverName() const;
  /// The solver's own cut is being made.
  bool isWaiting() const;
  void takeCut();
  void takeOwn(std::shared_ptr<const OwnCut> made);
  void giveUp();
  void collect();
  void layOutPanels();
  const CutPiece& pieceOf(std::int32_t item) const;
  bool hasChainLength() const;
  /// K of the edd solver as it is drawn: that of the solve, or where the line is being dragged to.
  double chainLength() const;
  bool isUncut() const;
  void composePanel(const Panel& panel, PlanarDrawing& drawing) const;
  void composeAverages(bool after, PlanarDrawing& drawing) const;
  void composeThreshold(bool after, PlanarDrawing& drawing) const;
  void composeLine(bool after, double length, const QStringList& label, bool inForce, PlanarDrawing& drawing) const;
  void composeAxes(PlanarDrawing& drawing) const;
  QStringList heading(bool after) const;
  void drag(std::int32_t handle, const QPointF& scene);
  void refreshHeader();
  QString plannedRule() const;
  QString ownRule(const hines::SolveParameters& parameters) const;

  SplitLedger* ledger = nullptr;
  Background* background = nullptr;
  std::shared_ptr<const hines::Schedule> ownCharts; ///< that `own` is made from
  std::shared_ptr<const OwnCut> own;                ///< null: the plan's cut is shown, or nothing is known yet
  Panel before;
  Panel afterwards;
  bool dragging = false;
  std::optional<double> draggedLength; ///< where the threshold is being dragged to, until the next plan comes
};

} // namespace hinesight::widgets
