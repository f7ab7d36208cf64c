#pragma once

#include "widgets/figure/figure_part.hpp"
#include "widgets/pick_mode.hpp"
#include "widgets/synapse/octree_overlay.hpp"

#include <QWidget>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace hinesight::widgets {

class LegendOverlay;
class TimingCard;
class VtkWidget;
enum class AreaShape;

/// "How does the search see space?": the octree's boxes by level, neurons in it, and for a neuron that is clicked the
/// nodes that its search accepted, coloured by their probability, with its descent and its synapses. A drag turns the
/// picture, with the right button it moves it, with Shift it draws a box that selects, with Shift and the right button
/// a loop; the wheel zooms, F fits, Ctrl+click takes a neuron in or out, a click beside all neurons or Escape ends the
/// selection. A click on a population or a type in the legend dims the others, with Ctrl it hides that one.
class OctreeView : public QWidget, public FigurePart
{
  Q_OBJECT

public:
  explicit OctreeView(QWidget* parent = nullptr);
  ~OctreeView() override;

  /// Forgets the search of the selected neuron; who is told by `neuronPicked` brings another.
  /// `populations`: as OctreeScene has them.
  void setContent(const OctreeContent& content, PopulationColors populations = {});
  /// After populations may have got other colours.
  void recolor();
  void setLook(const OctreeLook& look);
  void setSearch(std::optional<SearchPicture> search);
  // As OctreeOverlay has them.
  void setNaming(std::function<QString(std::uint32_t)> names);
  void setMarked(std::vector<std::uint32_t> neurons);
  /// These are not drawn, and not picked.
  void setHidden(const std::vector<std::uint32_t>& neurons);
  void setBundles(std::vector<SynapseBundle> bundles);
  const OctreeScene& scene() const;
  const OctreeOverlay& overlay() const;

  /// Where a neuron is on the canvas, pixels.
  QPointF pixelOf(std::uint32_t neuron) const;
  std::optional<std::uint32_t> neuronAt(const QPointF& pixel) const;

  /// The next drag with the left button draws that; nullopt: it turns the picture.
  void awaitArea(std::optional<AreaShape> shape);

  void fit();
  QImage grabPicture();
  void paintPart(QPainter& painter, const FigureArea& area) override;
  Legend partLegend() const override;
  QString partName() const override { return tr("Neurons in space"); }
  bool hasScaleBar() const override { return true; }
  bool isPerspective() const override { return true; }
  VtkWidget* canvas() const;
  TimingCard* timingCard() const;
  const LegendOverlay& legend() const;
  void setTimingsShown(bool shown);

signals:
  /// Clicked; none: beside all neurons.
  void neuronPicked(std::optional<std::uint32_t> neuron);
  /// Those in a box or a loop, or one with Ctrl.
  void neuronsPicked(const std::vector<std::uint32_t>& neurons, hinesight::widgets::PickMode how);
  /// The one that awaitArea waited for was drawn, or Escape was pressed.
  void areaEnded();

protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  void takeFrame();

  class Private;
  std::unique_ptr<Private> d;
};

} // namespace hinesight::widgets
