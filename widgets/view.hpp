#pragma once

#include "core/stage_timings.hpp"
#include "widgets/coloring.hpp"
#include "widgets/scene.hpp"

#include <QWidget>

#include <memory>

class QHBoxLayout;
class QLabel;

namespace hinesight::widgets {

class LegendOverlay;
class TimingCard;

/// What every view has: a slim header (title, colour-by, its switches, save, maximize), a canvas, a legend bottom left,
/// the timing card top right, an empty state with a button. Views show a Scene and one selected branch.
class View : public QWidget
{
  Q_OBJECT

public:
  explicit View(const QString& title, QWidget* parent = nullptr);
  ~View() override;

  virtual void setScene(std::shared_ptr<const Scene> scene);
  virtual void setSelection(BranchId id);
  virtual void setColorBy(ColorBy colorBy);
  /// Shows everything; for a planar view the whole drawing.
  virtual void fit() = 0;
  /// The canvas with its overlays as an image.
  virtual QImage grabPicture() = 0;

  TimingCard* timingCard() const { return card; }
  const Scene* scene() const { return currentScene.get(); }
  BranchId selection() const { return currentSelection; }
  ColorBy colorBy() const { return currentColorBy; }

signals:
  void branchPicked(hinesight::widgets::BranchId id); ///< clicked; null: the background
  void colorByChanged(hinesight::widgets::ColorBy colorBy);
  void openRequested();   ///< the empty state's "Open SWC files"
  void samplesRequested(); ///< the empty state's "Load sample cells"
  void maximizeToggled();
  void thresholdDragged(double compartments); ///< splitting view: sets the fixed split length

protected:
  /// Below the header; called once by the derived constructor.
  void setCanvas(QWidget* canvas);
  QHBoxLayout* headerSwitches() const; ///< where a view adds its own switches
  void setHeaderText(const QString& text);
  LegendOverlay* legendOverlay() const { return legend; }
  void resizeEvent(QResizeEvent* event) override;

  std::shared_ptr<const Scene> currentScene;
  BranchId currentSelection;
  ColorBy currentColorBy = ColorBy::Type;
  Coloring coloring;

private:
  void layOutOverlays();

  class Private;
  std::unique_ptr<Private> d;
  LegendOverlay* legend = nullptr;
  TimingCard* card = nullptr;
};

} // namespace hinesight::widgets
