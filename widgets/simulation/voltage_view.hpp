#pragma once

#include "study/simulation/simulation_model.hpp"
#include "study/simulation/voltage_frames.hpp"
#include "widgets/figure/figure.hpp"
#include "widgets/orbit/orbit_camera.hpp"
#include "widgets/pick_mode.hpp"

#include <QColor>
#include <QImage>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace hinesight::widgets {

enum class AreaShape;

class LegendOverlay;
class TimingCard;
class VoltageOverlay;
class VtkWidget;
struct VoltageTubes;

/// A place on a cell that is simulated.
struct CellNode
{
  std::uint32_t cell = 0;
  std::int32_t node = 0;

  bool operator==(const CellNode&) const = default;
};

/// "Where is the spike now?": the cells of a model in space, coloured by their potentials. A drag turns the picture,
/// with the right button it moves it, the wheel zooms, F fits, R resets the orientation; a click picks a place, with
/// Ctrl a cell; of several cells a drag with Shift picks those in a box, with the right button those in a loop. A frame
/// costs one byte a node to be handed over; what is drawn stays.
class VoltageView : public QWidget
{
  Q_OBJECT

public:
  explicit VoltageView(QWidget* parent = nullptr);
  ~VoltageView() override;

  /// Null: nothing is open. The picture is fitted.
  void setModel(std::shared_ptr<const study::SimulationModel> model);
  /// Null: all cells are at the potential at which they start.
  void setFrame(study::SharedFrame frame);
  const study::SharedFrame& frame() const;
  /// Whether frames follow one another: then each has to be quick.
  void setMoving(bool moves);
  /// Below the clock.
  void setNote(const QString& note);
  struct Mark
  {
    CellNode place;
    QColor color;
    QString label;
  };
  void setMarks(const std::vector<Mark>& marks);
  void setSelectedCells(const std::vector<std::uint32_t>& cells);
  const std::vector<std::uint32_t>& selectedCells() const;
  /// These are not drawn.
  void setHiddenCells(const std::vector<std::uint32_t>& cells);

  /// Of the canvas, pixels; none where there is no cell.
  std::optional<CellNode> nodeAt(const QPointF& pixel) const;
  /// Where the middle of a node is; none where it is not drawn.
  std::optional<QPointF> pixelOf(const CellNode& place) const;

  void fit();
  /// The next drag with the left button draws that, where there are several cells; nullopt: it turns them.
  void awaitArea(std::optional<AreaShape> shape);
  void resetOrientation();
  /// The canvas with what stands over it, in device pixels.
  QImage grabPicture();
  Figure figure();
  /// The same of each of these frames, for any thread.
  std::vector<Figure> figuresOf(const std::vector<study::SharedFrame>& frames);
  VtkWidget* canvas() const;
  TimingCard* timingCard() const;
  const LegendOverlay& legend() const;
  const VoltageOverlay& overlay() const;
  const VoltageTubes& tubes() const;
  const OrbitCamera& camera() const;
  void setTimingsShown(bool shown);
  /// Whether the cells are drawn as lines, since tubes would take too long for a moving picture.
  bool drawsLines() const;
  /// Of the last one, ms.
  double frameMilliseconds() const;

signals:
  /// Clicked.
  void placePicked(hinesight::widgets::CellNode place);
  /// Clicked with Ctrl; none: the background was clicked.
  void cellPicked(std::optional<std::uint32_t> cell);
  /// By a box or a loop.
  void cellsPicked(const std::vector<std::uint32_t>& cells, hinesight::widgets::PickMode how);
  /// The one that awaitArea waited for was drawn, or Escape was pressed.
  void areaEnded();
  /// A frame is on the screen.
  void painted();

protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  class Private;
  std::unique_ptr<Private> d;
};

/// The byte colours of potentials, in the colours of theme(): red, green, blue, nothing, byte by byte.
std::vector<std::uint32_t> voltagePalette();
/// What those colours mean.
Legend voltageLegend();

} // namespace hinesight::widgets
