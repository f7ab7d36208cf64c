#include "widgets/projection/projection_view.hpp"

#include "widgets/area_mask.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/legend_overlay.hpp"
#include "widgets/orbit/orbit_gestures.hpp"
#include "widgets/orbit/vtk_widget.hpp"
#include "widgets/overlay_layout.hpp"
#include "widgets/overlay_room.hpp"
#include "widgets/projection/projection_overlay.hpp"
#include "widgets/projection/projection_scene.hpp"
#include "widgets/theme.hpp"

#include <QEvent>
#include <QVBoxLayout>

#include <vtkRenderer.h>

#include <algorithm>
#include <utility>

namespace hinesight::widgets {

namespace {

using projection::Position;

constexpr int kOverlayMargin = 12;

QString counted(std::uint64_t count)
{
  return formatNumber(static_cast<double>(count));
}

} // namespace

class ProjectionView::Private final : public OrbitGestures::FittedPicture
{
public:
  explicit Private(ProjectionView& owner) : view(owner), canvas(new VtkWidget(&owner)), scene(*canvas->renderer())
  {
    overlay = new ProjectionOverlay(scene, canvas);
    legend = new LegendOverlay(canvas);
    QObject::connect(legend, &LegendOverlay::changed, legend, [this] { takeOverlays(); });
    QObject::connect(legend, &LegendOverlay::foldToggled, legend, [this] { takeOverlays(); });
    card = new TimingCard(canvas);
    card->hide();
    canvas->renderWindow();
  }

  void refreshLegend()
  {
    Legend shown;
    if (scene.table() && scene.table()->rows() > 0) {
      shown.title = ProjectionView::tr("weight of the chosen sources");
      shown.isQuantity = true;
      shown.map = scene.isSigned() ? ColorMap::Diverging : ColorMap::Viridis;
      shown.high = scene.highestWeight();
      shown.low = scene.isSigned() ? -shown.high : 0;
    }
    legend->setLegend(shown);
  }

  void draw() override
  {
    const QColor background = theme().canvas;
    canvas->renderer()->SetBackground(background.redF(), background.greenF(), background.blueF());
    scene.setPixelRatio(canvas->pixelRatio());
    scene.applyCamera(*canvas->renderer());
    canvas->requestRender();
    overlay->update();
  }

  void repaint()
  {
    scene.repaint();
    refreshLegend();
    draw();
  }

  void sourcesWereChanged()
  {
    repaint();
    emit view.sourcesChanged();
    emit view.pickedChanged();
  }

  /// The newest one is the last.
  void pick(bool isSource, std::uint32_t neuron)
  {
    std::vector<std::uint32_t> next = scene.picked(isSource);
    std::erase(next, neuron);
    next.push_back(neuron);
    scene.setPicked(isSource, std::move(next));
  }

  /// Ends that where it is picked.
  void toggleDestination(std::uint32_t neuron)
  {
    std::vector<std::uint32_t> next = scene.picked(false);
    if (std::erase(next, neuron) == 0) {
      next.push_back(neuron);
    }
    scene.setPicked(false, std::move(next));
    overlay->update();
    emit view.pickedChanged();
  }

  OrbitCamera& camera() override { return scene.camera(); }

  void cameraMoved() override
  {
    isFitted = false;
    draw();
  }

  void fit() override
  {
    if (!scene.table()) {
      return;
    }
    scene.camera().setViewport(canvas->size());
    const QRectF whole = roomBesideNames();
    scene.fit(whole);
    scene.fit(freeRoomIn(whole, scene.pictureOfLayers().size()));
    isFitted = true;
    draw();
  }

  void click(const QPointF& pixel, Qt::KeyboardModifiers) override
  {
    view.noteClick();
    if (const auto marker = scene.markerAt(pixel)) {
      scene.removeSource(*marker);
      sourcesWereChanged();
      return;
    }
    if (const auto source = scene.neuronAt(scene.sourceLayer(), pixel)) {
      if (scene.addSource(*source)) {
        pick(true, *source);
        sourcesWereChanged();
      }
    } else if (const auto destination = scene.neuronAt(scene.destinationLayer(), pixel)) {
      toggleDestination(*destination);
    }
  }

  /// Markers of chosen sources can be dragged.
  bool grab(const QPointF& pixel) override
  {
    draggedMarker = scene.markerAt(pixel);
    return draggedMarker.has_value();
  }

  void dragGrabbed(const QPointF& pixel) override
  {
    const auto source = scene.neuronAt(scene.sourceLayer(), pixel);
    if (source && scene.replaceSource(*draggedMarker, *source)) {
      pick(true, *source);
      sourcesWereChanged();
    }
  }

  bool takesAreas() const override { return true; }

  void takeArea(const DrawnArea& area, Qt::KeyboardModifiers modifiers) override
  {
    if (!scene.table())
      return;
    const AreaMask mask(area);
    emit view.areaPicked(scene.sourceLayer().inside(camera(), mask), scene.destinationLayer().inside(camera(), mask),
                         areaModeOf(modifiers));
  }

  void awaitedAreaTaken() override { emit view.areaEnded(); }

  void hover(const QPointF& pixel) override
  {
    const auto isOn = [&](const ProjectionLayer& layer) { return scene.neuronAt(layer, pixel).has_value(); };
    canvas->setCursor(scene.markerAt(pixel)                                         ? Qt::OpenHandCursor
                      : isOn(scene.sourceLayer()) || isOn(scene.destinationLayer()) ? Qt::PointingHandCursor
                                                                                    : Qt::ArrowCursor);
  }

  QString describe(const QPointF& pixel) override
  {
    if (const auto source = scene.neuronAt(scene.sourceLayer(), pixel)) {
      const Position at = scene.table()->projection.source->position(*source);
      return ProjectionView::tr("source %1 at (%2, %3, %4): %5 rows")
          .arg(formatNumber(*source), formatNumber(at[0]), formatNumber(at[1]), formatNumber(at[2]),
               counted(scene.summary().fanOut[*source]));
    }
    if (const auto destination = scene.neuronAt(scene.destinationLayer(), pixel)) {
      const float weight = scene.shownWeight(*destination);
      return ProjectionView::tr("destination %1: %2 rows; %3")
          .arg(formatNumber(*destination), counted(scene.summary().fanIn[*destination]),
               weight == 0 ? ProjectionView::tr("none from a chosen source")
                           : ProjectionView::tr("weight %1").arg(formatNumber(static_cast<double>(weight))));
    }
    return {};
  }

  void layOut() override { layout.layOut(); }

  void placeOverlays()
  {
    const QSize size = canvas->size();
    overlay->setGeometry(canvas->rect());
    legend->setMost(size - QSize(2 * kOverlayMargin, 2 * kOverlayMargin));
    legend->move(size.width() - legend->width() - kOverlayMargin, size.height() - legend->height() - kOverlayMargin);
    const bool fits = !legend->legend().title.isEmpty() && legend->x() >= 0 && legend->y() >= 0;
    const int below = fits ? legend->height() + kOverlayMargin : 0;
    card->setHeightLimit(size.height() - below - 2 * kOverlayMargin);
    const bool hasRoom = card->fitInto(size);
    card->move(size.width() - card->width() - kOverlayMargin, kOverlayMargin);
    hasRoomForCard = timingsShown && hasRoom;
    card->setVisible(hasRoomForCard && (card->runs() > 0 || card->isRunning()));
    // A very low canvas has room for one of them.
    legend->setRoom(fits && (card->isHidden() || !card->geometry().intersects(legend->geometry())));
    std::vector<QRectF> taken;
    for (const QWidget* other : {static_cast<QWidget*>(legend), static_cast<QWidget*>(card)}) {
      if (!other->isHidden()) {
        taken.emplace_back(other->geometry());
      }
    }
    overlay->setTaken(std::move(taken));
  }

  /// Where overlays are or will be: the card comes with the first run.
  std::vector<QRectF> overlays() const
  {
    std::vector<QRectF> places;
    if (hasRoomForCard)
      places.emplace_back(card->geometry());
    if (!legend->isHidden())
      places.emplace_back(legend->geometry());
    return places;
  }

  /// An overlay came, went or became larger: layers that were fitted leave them again.
  void takeOverlays()
  {
    layOut();
    const QRectF layers = scene.pictureOfLayers();
    if (isFitted && std::ranges::any_of(overlays(), [&](const QRectF& each) { return each.intersects(layers); }))
      fit();
  }

  /// Above and below the layers, for their names; less in a low canvas.
  double roomOfNames() const
  {
    constexpr double kMostOfHeight = 0.2;
    return std::min<double>(overlay->nameHeight() + kOverlayMargin, kMostOfHeight * canvas->height());
  }

  QRectF roomBesideNames() const
  {
    constexpr double kBeside = 2 * kOverlayMargin;
    return QRectF(canvas->rect()).adjusted(kBeside, roomOfNames(), -kBeside, -roomOfNames());
  }

  /// Where content of that shape is largest beside overlays, with room for names between.
  QRectF freeRoomIn(const QRectF& whole, const QSizeF& content) const
  {
    std::vector<QRectF> taken;
    for (const QRectF& each : overlays())
      taken.push_back(
          each.adjusted(-kOverlayMargin, -roomOfNames(), kOverlayMargin, roomOfNames()).translated(-whole.topLeft()));
    const QRectF room = freeRoom(whole.size(), taken, content);
    return room.isNull() ? whole : room.translated(whole.topLeft());
  }

  ProjectionView& view;
  VtkWidget* canvas;
  ProjectionScene scene;
  ProjectionOverlay* overlay = nullptr;
  LegendOverlay* legend = nullptr;
  TimingCard* card = nullptr;
  bool timingsShown = true;
  bool hasRoomForCard = false;
  std::optional<std::size_t> draggedMarker;
  OverlayLayout layout{[this] { placeOverlays(); }};
  OrbitGestures gestures{canvas, *this};
};

ProjectionView::ProjectionView(QWidget* parent) : QWidget(parent), d(std::make_unique<Private>(*this))
{
  setObjectName(QStringLiteral("projectionView"));
  d->canvas->setObjectName(QStringLiteral("projectionCanvas"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(d->canvas);
  connect(d->card, &TimingCard::contentChanged, this, [this] { d->takeOverlays(); });
  d->draw();
}

ProjectionView::~ProjectionView() = default;

void ProjectionView::setTable(std::shared_ptr<const projection::WeightTable> table,
                              std::shared_ptr<const projection::TableSummary> summary, bool hasCut)
{
  const bool isOther = d->scene.setTable(std::move(table), std::move(summary), hasCut);
  d->refreshLegend();
  if (isOther) {
    fit();
  } else {
    d->draw();
  }
}

const projection::WeightTable* ProjectionView::table() const
{
  return d->scene.table();
}

void ProjectionView::setCells(std::shared_ptr<const PlacedCellLines> sources,
                              std::shared_ptr<const PlacedCellLines> destinations)
{
  d->scene.setCells(std::move(sources), std::move(destinations));
  if (d->isFitted)
    fit();
  else
    d->draw();
}

const PlacedCellLines* ProjectionView::cells(bool isSource) const
{
  return (isSource ? d->scene.sourceLayer() : d->scene.destinationLayer()).cellLines();
}

void ProjectionView::setSources(const std::vector<std::uint32_t>& sources)
{
  d->scene.setSources(sources);
  d->repaint();
}

std::vector<std::uint32_t> ProjectionView::sources() const
{
  return d->scene.sourceIndices();
}

void ProjectionView::chooseFirstSources()
{
  d->scene.chooseFirstSources();
  d->repaint();
}

void ProjectionView::setPicked(std::vector<std::uint32_t> sources, std::vector<std::uint32_t> destinations)
{
  d->scene.setPicked(true, std::move(sources));
  d->scene.setPicked(false, std::move(destinations));
  d->overlay->update();
}

void ProjectionView::setHidden(std::vector<std::uint32_t> sources, std::vector<std::uint32_t> destinations)
{
  if (d->scene.setHidden(std::move(sources), std::move(destinations)))
    d->draw();
}

void ProjectionView::awaitArea(std::optional<AreaShape> shape)
{
  if (shape)
    d->canvas->setFocus(Qt::OtherFocusReason); // for Escape
  d->gestures.awaitArea(shape);
}

const std::vector<std::uint32_t>& ProjectionView::picked(bool isSource) const
{
  return d->scene.picked(isSource);
}

const std::vector<projection::ContourSegment>& ProjectionView::contour(std::size_t place) const
{
  return d->scene.sources()[place].contour;
}

float ProjectionView::shownWeight(std::uint32_t destination) const
{
  return d->scene.shownWeight(destination);
}

QPointF ProjectionView::pixelOf(bool isSource, std::uint32_t neuron) const
{
  const ProjectionLayer& layer = isSource ? d->scene.sourceLayer() : d->scene.destinationLayer();
  return d->scene.pixelOf(layer.worldOf(neuron));
}

QPointF ProjectionView::pixelOnDestination(const Position& position) const
{
  return d->scene.pixelOf(d->scene.destinationLayer().world(position));
}

std::optional<std::uint32_t> ProjectionView::sourceAt(const QPointF& pixel) const
{
  return d->scene.neuronAt(d->scene.sourceLayer(), pixel);
}

void ProjectionView::fit()
{
  d->fit();
}

QImage ProjectionView::grabPicture()
{
  d->canvas->grabPicture();
  return grab().toImage();
}

void ProjectionView::paintPart(QPainter& painter, const FigureArea& area)
{
  d->canvas->grabPicture(); // it must have drawn before it is painted
  paintAsPixels(painter, area, *this, {d->legend, d->card});
  d->layOut();
}

Legend ProjectionView::partLegend() const
{
  return d->legend->legend();
}

VtkWidget* ProjectionView::canvas() const
{
  return d->canvas;
}

TimingCard* ProjectionView::timingCard() const
{
  return d->card;
}

void ProjectionView::setTimingsShown(bool shown)
{
  d->timingsShown = shown;
  d->layOut();
  if (d->isFitted) {
    fit();
  }
}

void ProjectionView::resizeEvent(QResizeEvent* event)
{
  QWidget::resizeEvent(event);
  d->layOut();
}

void ProjectionView::changeEvent(QEvent* event)
{
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) {
    d->repaint();
  }
}

} // namespace hinesight::widgets
