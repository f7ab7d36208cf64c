#pragma once

#include "widgets/cells/morphology/morphology_look.hpp"
#include "widgets/cells/morphology/path_overlay.hpp"
#include "widgets/cells/morphology/tube_geometry.hpp"
#include "widgets/cells/view.hpp"
#include "widgets/orbit/frame_quality.hpp"
#include "widgets/orbit/orbit_camera.hpp"

#include <QImage>

#include <memory>

namespace hinesight::widgets {

class VtkWidget;

/// "What does this neuron look like, and where is the work?" The visible cells as tapered tubes in space, the soma as a
/// sphere. Large scenes are made ready on another thread, and drawn in pieces; until then the picture before stays, of
/// which no branch can be picked. Left drag turns, right or middle drag moves, the wheel zooms to the cursor, F fits, R
/// resets the orientation. Left drag with Shift draws a box. Click: picks a branch; with Ctrl: one more or less; double
/// click: fits to it; the branch under the cursor is outlined thinly. With the clipping plane on, Shift and wheel move
/// it. With the ruler on, two clicks pick the points to measure between.
class MorphologyView : public View
{
  Q_OBJECT

public:
  explicit MorphologyView(QWidget* parent = nullptr);
  ~MorphologyView() override;

  void setScene(std::shared_ptr<const Scene> scene) override;
  void setChoice(const BranchChoice& choice) override;
  void fit() override;
  void awaitArea(std::optional<AreaShape> shape) override;
  /// Fits to one branch as soon as the scene is drawn, keeping the orientation; does nothing where the branch has no
  /// place in it.
  void fitTo(BranchId id);
  /// The same of a cell of the scene.
  void fitToCell(std::int32_t cell);
  /// Outlines cells of the scene thinly while no branch is selected, and names them where there are too many cells to
  /// name all of them.
  void setLitCells(std::vector<std::int32_t> cells);
  const std::vector<std::int32_t>& litCells() const;
  void resetOrientation();
  /// Whether clicks pick points to measure between, in place of branches.
  void setMeasuring(bool measures);
  /// Shows the way between two points, until others are picked or there are other cells.
  void showPath(std::vector<SamplePoint> samples, const QString& text);
  const PathOverlay& path() const;
  QImage grabPicture() override;
  void settle() override;
  /// As `figure`, turned about the upward direction of the screen: 1 is a full turn.
  Figure figureTurned(double turns);

  const MorphologyLook& look() const;
  void setLook(const MorphologyLook& look);

  BranchId branchAt(QPointF position) const; ///< of the canvas, logical pixels; null where there is none
  BranchId hoveredBranch() const;
  const OrbitCamera& camera() const;
  void setCamera(const OrbitCamera& camera);
  const TubeGeometry& geometry() const; ///< of what is drawn; another scene has another one
  VtkWidget* canvas() const;
  bool drawsLines() const; ///< the level of detail for a moving camera is on
  /// For the next frame; after a rest the view improves it by itself.
  void setQuality(Quality quality);

signals:
  void pointsPicked(hinesight::widgets::SamplePoint from, hinesight::widgets::SamplePoint to);

protected:
  void paintFigure(QPainter& painter, const FigureArea& area) override;
  StillPainter stillPainter(ThemeMode mode) override;
  void recolor() override;
  void changeEvent(QEvent* event) override;
  void layOutOwnOverlays() override;

private:
  class Private;
  std::unique_ptr<Private> d;
};

} // namespace hinesight::widgets
