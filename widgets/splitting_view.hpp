#pragma once

#include "widgets/planar_canvas_view.hpp"
#include "widgets/splitting_view_ledger.hpp"

#include <optional>

namespace hinesight::widgets {

/// "What did the cut buy?": every branch of the distinct cells as a dot at its level and length, above before the cut
/// (balanced), below after it, with the threshold as a line that can be dragged; right, what it costs and buys.
class SplittingView : public PlanarView
{
  Q_OBJECT

public:
  explicit SplittingView(QWidget* parent = nullptr);

  void setScene(std::shared_ptr<const Scene> scene) override;
  /// Measured times of the strategies, for the ledger.
  void setStrategyTimes(std::vector<StrategyTime> times);

  /// Where a length lies in the panel before (after) the cut, scene y. One level is one unit across.
  double yOf(bool after, double length) const;
  double lengthAt(bool after, double y) const;

signals:
  void strategyChosen(hinesight::hines::SplitStrategy strategy);

protected:
  PlanarDrawing compose(std::vector<BranchId>& branches) override;
  QString describeItem(std::int32_t item) const override;
  void refreshParts() override;

private:
  /// A branch, or a piece of one.
  struct Entry
  {
    std::int32_t level = 0;
    std::int32_t length = 0;
    BranchId branch;
  };

  /// The entries before or after the cut, with the place of their panel.
  struct Panel
  {
    std::vector<Entry> entries; ///< by level, then length
    std::int32_t levels = 0;
    std::int32_t longest = 0;
    double base = 0; ///< scene y of length 1
    std::int32_t firstItem = 0;
  };

  void collect();
  void composePanel(const Panel& panel, PlanarDrawing& drawing) const;
  void composeThreshold(bool after, PlanarDrawing& drawing) const;
  void composeAxes(PlanarDrawing& drawing) const;
  QStringList heading(bool after) const;
  void drag(std::int32_t handle, const QPointF& scene);
  void refreshHeader();

  SplitLedger* ledger = nullptr;
  Panel before;
  Panel afterwards;
  double panelHeight = 1; ///< scene units of the longest branch
  double perSwarm = 8;    ///< branches that lie side by side in a level's width
  bool dragging = false;
  std::optional<double> draggedLength; ///< where the threshold is being dragged to, until the next plan comes
};

} // namespace hinesight::widgets
