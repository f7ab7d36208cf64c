#include "widgets/synapse/octree_view.hpp"

#include "widgets/charts/timing_card.hpp"
#include "widgets/legend_overlay.hpp"
#include "widgets/orbit/frame_quality.hpp"
#include "widgets/orbit/orbit_gestures.hpp"
#include "widgets/orbit/scale_overlay.hpp"
#include "widgets/orbit/vtk_widget.hpp"
#include "widgets/overlay_layout.hpp"
#include "widgets/overlay_room.hpp"
#include "widgets/selection_outline.hpp"
#include "widgets/theme.hpp"

#include <QEvent>
#include <QScopeGuard>
#include <QStringList>
#include <QTimer>
#include <QVBoxLayout>

#include <vtkRenderer.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace hinesight::widgets {

namespace {

constexpr double kLeastShare = 0.5; ///< of its size that the fitted box keeps, or else overlays cover some of it
constexpr int kOverlayMargin = 12;
constexpr int kAttempts = 4; // to move the box to where it is seen
constexpr int kRest = 200;   ///< ms without a move, after which the whole is drawn

} // namespace

class OctreeView::Private final : public OrbitGestures::FittedPicture
{
public:
  explicit Private(OctreeView& owner) : view(owner), canvas(new VtkWidget(&owner)), scene(*canvas->renderer())
  {
    overlay = new OctreeOverlay(scene, canvas);
    overlay->setObjectName(QStringLiteral("octreeOverlay"));
    legend = new LegendOverlay(canvas);
    QObject::connect(legend, &LegendOverlay::changed, legend, [this] { layOut(); });
    QObject::connect(legend, &LegendOverlay::foldToggled, legend, [this] { layOut(); });
    QObject::connect(legend, &LegendOverlay::picked, legend, [this](const QString& names, Qt::KeyboardModifiers keys) {
      takeGroups(names.split(QStringLiteral(" || ")), keys);
    });
    scale = new ScaleOverlay(canvas);
    card = new TimingCard(canvas);
    card->hide();
    overlay->keepBeside(card);
    rest.setSingleShot(true);
    rest.setInterval(kRest);
  }

  /// Those of one colour. What is hidden is shown by any click.
  void takeGroups(const QStringList& names, Qt::KeyboardModifiers keys)
  {
    const std::vector<OctreeGroup>& groups = scene.groups();
    std::vector<std::size_t> taken;
    for (std::size_t group = 0; group < groups.size(); ++group)
      if (names.contains(QString::fromStdString(groups[group].name)))
        taken.push_back(group);
    OctreeGroupLook look = scene.groupLook();
    look.isHidden.resize(groups.size());
    const bool areHidden = std::ranges::any_of(taken, [&](std::size_t group) { return look.isHidden[group]; });
    if (keys.testFlag(Qt::ControlModifier) || areHidden) {
      for (const std::size_t group : taken)
        look.isHidden[group] = !areHidden;
      look.standOut.clear();
    } else {
      look.standOut = look.standOut == taken ? std::vector<std::size_t>() : taken;
    }
    scene.setGroupLook(look);
    drawPicture();
  }

  /// A click beside all neurons, or Escape.
  void deselect()
  {
    if (OctreeGroupLook look = scene.groupLook(); !look.standOut.empty()) {
      look.standOut.clear();
      scene.setGroupLook(look);
      drawPicture();
    }
    emit view.neuronPicked(std::nullopt);
  }

  void refreshLegend()
  {
    std::vector<bool> hidden;
    Legend shown;
    if (scene.formation() && scene.search()) {
      shown.title = OctreeView::tr("probability to be picked first");
      shown.isQuantity = true;
      shown.high = scene.highestProbability();
    } else if (scene.formation() && scene.look().neurons == NeuronLook::Type) {
      shown.title = OctreeView::tr("neurons");
      for (std::size_t group = 0; group < scene.groups().size(); ++group) {
        const auto& [name, color, hasNeurons] = scene.groups()[group];
        if (!hasNeurons)
          continue;
        shown.entries.push_back({color, QString::fromStdString(name), name});
        hidden.push_back(scene.groupLook().hides(group));
      }
    } else if (scene.formation() && scene.look().neurons == NeuronLook::Vacancy) {
      shown.title = OctreeView::tr("vacant elements left");
      shown.isQuantity = true;
      shown.high = scene.mostVacant();
    }
    legend->setLegend(shown);
    legend->setHiddenEntries(hidden);
  }

  void draw() override
  {
    const QColor background = theme().canvas;
    canvas->renderer()->SetBackground(background.redF(), background.greenF(), background.blueF());
    scene.setCoarse(quality.current() == Quality::Lines);
    canvas->setSupersampling(quality.current() == Quality::Sharp ? 2 : 1);
    scene.setPixelRatio(canvas->pixelRatio());
    scene.applyCamera(*canvas->renderer());
    scale->setCamera(scene.camera());
    canvas->requestRender();
    overlay->update();
    rest.start();
  }

  /// After the scene itself changed.
  void drawPicture()
  {
    quality.pictureChanges();
    refreshLegend();
    draw();
  }

  OrbitCamera& camera() override { return scene.camera(); }

  void cameraMoved() override
  {
    isFitted = false;
    quality.cameraMoves();
    draw();
  }

  void fit() override
  {
    scene.camera().setViewport(canvas->size());
    scene.fit();
    moveBesideOverlays();
    isFitted = true;
    draw();
  }

  void click(const QPointF& pixel, Qt::KeyboardModifiers modifiers) override
  {
    view.noteClick();
    const PickMode how = pickModeOf(modifiers);
    const auto neuron = scene.neuronAt(pixel);
    if (neuron && how == PickMode::Toggle) {
      emit view.neuronsPicked({*neuron}, how);
    } else if (neuron) {
      emit view.neuronPicked(neuron);
    } else if (scene.formation() && how != PickMode::Toggle) {
      deselect();
    }
  }

  bool takesAreas() const override { return true; }

  void takeArea(const DrawnArea& area, Qt::KeyboardModifiers modifiers) override
  {
    emit view.neuronsPicked(scene.neuronsIn(area), areaModeOf(modifiers));
  }

  void awaitedAreaTaken() override { emit view.areaEnded(); }

  bool pressKey(int key) override
  {
    if (key != Qt::Key_Escape) {
      return false;
    }
    deselect();
    return true;
  }

  QString describe(const QPointF& pixel) override
  {
    const auto neuron = scene.neuronAt(pixel);
    if (!neuron) {
      return {};
    }
    const auto& population = *scene.formation()->population;
    const synapse::Position& at = population.position[*neuron];
    return OctreeView::tr("neuron %1, %2, at (%3, %4, %5) \u00b5m: %6 synapses out, %7 in")
        .arg(overlay->nameOf(*neuron),
             population.isInhibitory[*neuron] != 0 ? OctreeView::tr("inhibitory") : OctreeView::tr("excitatory"),
             formatNumber(at[0]), formatNumber(at[1]), formatNumber(at[2]),
             formatNumber(static_cast<double>(degree(synapses->outgoing, *neuron))),
             formatNumber(static_cast<double>(degree(synapses->incoming, *neuron))));
  }

  /// Where overlays are or will be: the card comes with the first run.
  std::vector<QRectF> overlays() const
  {
    std::vector<QRectF> places;
    if (timingsShown) {
      const QSizeF size = card->isHidden() ? card->sizeHint() : card->size();
      places.emplace_back(QPointF(canvas->width() - size.width() - kOverlayMargin, kOverlayMargin), size);
    }
    for (const QWidget* corner : {static_cast<const QWidget*>(legend), static_cast<const QWidget*>(scale)})
      if (!corner->isHidden())
        places.emplace_back(corner->geometry());
    return places;
  }

  /// The fitted box goes to where no overlay covers it, nor notes.
  void moveBesideOverlays()
  {
    std::vector<QRectF> taken = overlays();
    moveBeside(taken);
    if (!overlay->hasNotesIn(scene.pictureOfBox().toAlignedRect()))
      return;
    taken.emplace_back(overlay->areaOfNotes());
    moveBeside(taken);
  }

  /// The box is moved, and made smaller where need be; unless that would make it very small.
  void moveBeside(const std::vector<QRectF>& taken)
  {
    const QRectF whole = scene.pictureOfBox();
    const QSizeF margins(2 * kOverlayMargin, 2 * kOverlayMargin);
    const QRectF room = freeRoom(camera().viewport(), taken, whole.size() + margins)
                            .adjusted(kOverlayMargin, kOverlayMargin, -kOverlayMargin, -kOverlayMargin);
    const auto scaling = [&room](const QRectF& box) {
      return std::min(room.width() / box.width(), room.height() / box.height());
    };
    if (scaling(whole) < kLeastShare)
      return;
    for (int attempt = 0; attempt < kAttempts; ++attempt) { // near corners move farther than the middle
      const QRectF box = scene.pictureOfBox();
      if (attempt > 0 && room.contains(box))
        return;
      const double zoom = std::min(1.0, scaling(box));
      camera().zoomAt(box.center(), zoom);
      camera().pan(middleIn(room, zoom * box.size(), camera().viewport()) - box.center());
    }
  }

  /// Until the camera is what it was. What is fitted is fitted to that projection.
  void lookParallel()
  {
    camera().setParallel(true);
    if (isFitted) {
      scene.fit();
      moveBesideOverlays();
    }
    draw();
  }

  /// Below the notes at the top.
  void placeScale(Corner corner)
  {
    scale->setCorner(corner);
    scale->resize(scale->sizeHint());
    const QSize room = canvas->size() - scale->size() - QSize(kOverlayMargin, kOverlayMargin);
    scale->move(isLeft(corner) ? kOverlayMargin : room.width(),
                isTop(corner) ? std::min(overlay->endOfNotes(), room.height()) : room.height());
  }

  void layOut() override { layout.layOut(); }

  void placeOverlays()
  {
    const QSize size = canvas->size();
    overlay->setGeometry(canvas->rect());
    legend->setMost(size - QSize(2 * kOverlayMargin, 2 * kOverlayMargin));
    legend->move(kOverlayMargin, size.height() - legend->height() - kOverlayMargin);
    placeScale(Corner::BottomRight);
    const int below = scene.formation() ? scale->height() + kOverlayMargin : 0;
    card->setHeightLimit(size.height() - below - 2 * kOverlayMargin);
    const bool hasRoom = card->fitInto(size);
    card->move(size.width() - card->width() - kOverlayMargin, kOverlayMargin);
    card->setVisible(timingsShown && hasRoom && (card->runs() > 0 || card->isRunning()));
    // A very small canvas has room for one of them.
    const auto isFree = [this](const QWidget* corner) {
      const QRect place = corner->geometry();
      const bool isUnderCard = !card->isHidden() && card->geometry().intersects(place);
      return place.left() >= 0 && place.top() >= 0 && !isUnderCard && !overlay->hasNotesIn(place);
    };
    legend->setRoom(isFree(legend));
    const bool isUnderLegend = !legend->isHidden() && legend->geometry().intersects(scale->geometry());
    scale->setVisible(scene.formation() && isFree(scale) && !isUnderLegend);
  }

  OctreeView& view;
  VtkWidget* canvas;
  OctreeScene scene;
  OctreeOverlay* overlay = nullptr;
  LegendOverlay* legend = nullptr;
  ScaleOverlay* scale = nullptr;
  TimingCard* card = nullptr;
  std::shared_ptr<const SynapseLists> synapses;
  FrameQuality quality;
  QTimer rest;
  bool timingsShown = true;
  OverlayLayout layout{[this] { placeOverlays(); }};
  OrbitGestures gestures{canvas, *this};
};

OctreeView::OctreeView(QWidget* parent) : QWidget(parent), d(std::make_unique<Private>(*this))
{
  setObjectName(QStringLiteral("octreeView"));
  d->canvas->setObjectName(QStringLiteral("octreeCanvas"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(d->canvas);
  connect(d->card, &TimingCard::contentChanged, this, [this] { d->layOut(); });
  connect(d->canvas, &VtkWidget::rendered, this, &OctreeView::takeFrame);
  connect(&d->rest, &QTimer::timeout, this, [this] {
    if (d->quality.improve()) {
      d->draw();
    }
  });
  d->draw();
}

OctreeView::~OctreeView() = default;

/// A frame that hands neurons to the device tells nothing about what others cost.
void OctreeView::takeFrame()
{
  if (d->scene.isPainting()) {
    d->scene.paintMore();
    d->canvas->requestRender();
  } else {
    d->quality.measured(d->canvas->lastRenderMilliseconds());
  }
}

void OctreeView::setContent(const OctreeContent& content, PopulationColors populations)
{
  const bool isOther = d->scene.setContent(content, std::move(populations));
  d->synapses = content.synapses;
  d->overlay->setSynapses(content.synapses);
  if (isOther) {
    d->quality.reset();
    d->refreshLegend(); // beside which the picture is fitted
    fit();
  }
  d->drawPicture();
}

void OctreeView::recolor()
{
  if (d->scene.recolor())
    d->drawPicture();
}

void OctreeView::setLook(const OctreeLook& look)
{
  d->scene.setLook(look);
  d->drawPicture();
}

void OctreeView::setSearch(std::optional<SearchPicture> search)
{
  d->scene.setSearch(std::move(search));
  d->drawPicture();
}

void OctreeView::setNaming(std::function<QString(std::uint32_t)> names)
{
  d->overlay->setNaming(std::move(names));
}

void OctreeView::setMarked(std::vector<std::uint32_t> neurons)
{
  d->overlay->setMarked(std::move(neurons));
}

void OctreeView::setHidden(const std::vector<std::uint32_t>& neurons)
{
  if (d->scene.setHidden(neurons))
    d->drawPicture();
}

void OctreeView::awaitArea(std::optional<AreaShape> shape)
{
  if (shape)
    d->canvas->setFocus(Qt::OtherFocusReason); // for Escape
  d->gestures.awaitArea(shape);
}

void OctreeView::setBundles(std::vector<SynapseBundle> bundles)
{
  d->overlay->setBundles(std::move(bundles));
}

const OctreeScene& OctreeView::scene() const
{
  return d->scene;
}

const OctreeOverlay& OctreeView::overlay() const
{
  return *d->overlay;
}

QPointF OctreeView::pixelOf(std::uint32_t neuron) const
{
  return d->scene.pixelOf(d->scene.worldOfNeuron(neuron));
}

std::optional<std::uint32_t> OctreeView::neuronAt(const QPointF& pixel) const
{
  return d->scene.neuronAt(pixel);
}

void OctreeView::fit()
{
  d->fit();
}

QImage OctreeView::grabPicture()
{
  d->scene.paintAll();
  d->overlay->finish();
  d->canvas->grabPicture();
  return grab().toImage();
}

void OctreeView::paintPart(QPainter& painter, const FigureArea& area)
{
  const OrbitCamera before = d->camera();
  const auto atEnd = qScopeGuard([&] {
    d->layOut();
    if (std::exchange(d->camera(), before) != before)
      d->draw();
  });
  if (area.isParallel)
    d->lookParallel();
  grabPicture(); // all must have been drawn before it is painted
  std::vector<QWidget*> without{d->legend, d->card};
  if (!area.hasScaleBar)
    without.push_back(d->scale);
  d->placeScale(area.scaleCorner);
  paintAsPixels(painter, area, *this, without);
}

Legend OctreeView::partLegend() const
{
  return withoutHidden(d->legend->legend(), d->legend->whichAreHidden());
}

VtkWidget* OctreeView::canvas() const
{
  return d->canvas;
}

TimingCard* OctreeView::timingCard() const
{
  return d->card;
}

const LegendOverlay& OctreeView::legend() const
{
  return *d->legend;
}

void OctreeView::setTimingsShown(bool shown)
{
  d->timingsShown = shown;
  d->layOut();
  if (d->isFitted) {
    fit();
  }
}

void OctreeView::resizeEvent(QResizeEvent* event)
{
  QWidget::resizeEvent(event);
  d->layOut();
}

void OctreeView::changeEvent(QEvent* event)
{
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) {
    d->scene.repaint();
    d->drawPicture();
  }
}

} // namespace hinesight::widgets
