#include "widgets/simulation/voltage_view.hpp"

#include "widgets/background_work.hpp"
#include "widgets/cells/morphology/tube_actor.hpp"
#include "widgets/cells/morphology/tube_extent.hpp"
#include "widgets/cells/morphology/tube_picker.hpp"
#include "widgets/cells/morphology/tube_pieces.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/legend_overlay.hpp"
#include "widgets/orbit/frame_quality.hpp"
#include "widgets/orbit/offscreen_graphics.hpp"
#include "widgets/orbit/orbit_gestures.hpp"
#include "widgets/orbit/room_fit.hpp"
#include "widgets/orbit/scale_overlay.hpp"
#include "widgets/orbit/vtk_widget.hpp"
#include "widgets/overlay_layout.hpp"
#include "widgets/selection_outline.hpp"
#include "widgets/simulation/voltage_overlay.hpp"
#include "widgets/simulation/voltage_tubes.hpp"
#include "widgets/theme.hpp"
#include "widgets/theme_scope.hpp"

#include <QEvent>
#include <QFontMetricsF>
#include <QPainter>
#include <QTimer>
#include <QVBoxLayout>

#include <vtkNew.h>
#include <vtkRenderer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr int kMargin = 12;
constexpr int kRest = 250;               // ms without a frame, after which the whole is drawn
constexpr double kMovingFrame = 20;      // ms that a frame of a moving picture may take
constexpr double kExpectedOfTube = 1e-3; // ms to draw one without a graphics card
constexpr std::size_t kLinesAtFirst = 20'000;
constexpr std::size_t kReadyAtOnce = 20'000; // points
constexpr int kLevels = 256;

} // namespace

std::vector<std::uint32_t> voltagePalette()
{
  std::vector<std::uint32_t> palette;
  for (int level = 0; level < kLevels; ++level) {
    const QRgb rgb = mapColor(ColorMap::Viridis, level / (kLevels - 1.0)).rgb();
    palette.push_back(static_cast<std::uint32_t>(qRed(rgb)) | static_cast<std::uint32_t>(qGreen(rgb)) << 8 |
                      static_cast<std::uint32_t>(qBlue(rgb)) << 16);
  }
  return palette;
}

Legend voltageLegend()
{
  Legend legend;
  legend.title = VoltageView::tr("membrane potential, mV");
  legend.isQuantity = true;
  legend.map = ColorMap::Viridis;
  legend.low = study::kLowestShown;
  legend.high = study::kHighestShown;
  return legend;
}

class VoltageView::Private final : public OrbitGestures::FittedPicture
{
public:
  explicit Private(VoltageView& owner)
      : view(owner), canvas(new VtkWidget(&owner)), actor(canvas->renderer()), overlay(new VoltageOverlay(canvas)),
        legend(new LegendOverlay(canvas)), scale(new ScaleOverlay(canvas)), card(new TimingCard(canvas)),
        drawing(std::make_shared<const TubeDrawing>(
            TubeDrawing{std::make_shared<const TubeGeometry>(), {}, {}, {}, {}, {}}))
  {
    card->hide();
    rest.setSingleShot(true);
    rest.setInterval(kRest);
  }

  const TubeGeometry& geometry() const { return *drawing->geometry; }

  /// What is drawn of a model.
  struct Ready
  {
    VoltageTubes tubes;
    std::shared_ptr<const TubeDrawing> drawing;
  };

  /// On any thread.
  static Ready makeReady(const study::SimulationModel* of)
  {
    Ready ready;
    if (of)
      ready.tubes = buildVoltageTubes(*of);
    auto made = std::make_shared<TubeDrawing>();
    made->places = ready.tubes.places();
    made->branches = ready.tubes.geometry.cell;
    made->geometry = std::make_shared<TubeGeometry>(ready.tubes.geometry);
    made->lines = ready.tubes.lines();
    made->box = boxAround(ready.tubes.geometry);
    ready.drawing = std::move(made);
    return ready;
  }

  std::size_t points() const
  {
    std::size_t count = 0;
    if (model)
      for (const std::uint32_t of : model->circuit.network.modelOf)
        for (const cell::Section& section : model->circuit.network.models[of]->cut.sections)
          count += section.points.size();
    return count;
  }

  /// Large models are made ready on another thread; nothing is drawn meanwhile.
  void setModel(std::shared_ptr<const study::SimulationModel> opened)
  {
    model = std::move(opened);
    work.restart();
    selected.clear();
    hidden.clear();
    marks.clear();
    frame = nullptr;
    if (points() <= kReadyAtOnce)
      return take(makeReady(model.get()));
    take(makeReady(nullptr));
    work.start([this, of = model](const RunControl&) -> BackgroundWork::Deliver {
      auto made = std::make_shared<Ready>(makeReady(of.get()));
      return [this, made] {
        take(std::move(*made));
        view.resetOrientation();
      };
    });
  }

  void take(Ready ready)
  {
    tubes = std::move(ready.tubes);
    drawing = std::move(ready.drawing);
    actor.setDrawing(drawing);
    plainFrame = 0;
    isWarm = false;
    quality.reset(kExpectedOfTube * static_cast<double>(geometry().tubes()));
    lineLevel = -1;
    while (lineCount() > kLinesAtFirst && hasCoarser())
      ++lineLevel;
    hovered = -1;
    drawnEye = {}; // the first picture of these cells is quick
    mark();
    showMarks();
    setFrame(frame);
    legend->setLegend(model ? voltageLegend() : Legend()); // beside the clock of the frame
  }

  /// All cells at the potential at which they start.
  std::vector<std::uint8_t> levelsAtStart() const
  {
    std::vector<std::uint8_t> levels;
    if (model)
      for (const std::uint32_t of : model->circuit.network.modelOf) {
        const cell::CellModel& cell = *model->circuit.network.models[of];
        levels.insert(levels.end(), cell.cut.nodes(), study::levelOf(cell.biophysics.startPotential));
      }
    if (levels.empty())
      levels.push_back(0); // a buffer cannot be empty
    return levels;
  }

  void setFrame(study::SharedFrame shown)
  {
    frame = std::move(shown);
    actor.setValues(frame && frame->levels.size() == tubes.firstPlace.back() ? frame->levels : levelsAtStart());
    tellTime();
    if (moves)
      quality.cameraMoves();
    else
      quality.pictureChanges();
    draw();
  }

  void tellTime()
  {
    if (!model)
      return overlay->setClock({}, {});
    overlay->setClock(clockOf(frame), note);
  }

  QString clockOf(const study::SharedFrame& of) const
  {
    const double time = of ? of->time : 0;
    return model ? QStringLiteral("%1 ms").arg(time, 0, 'f', time < 1000 ? 2 : 1) : QString();
  }

  /// A moving picture has tubes only where they are quick.
  bool takesLines() const { return quality.current() == Quality::Lines || (moves && plainFrame > kMovingFrame); }

  void draw() override
  {
    const QColor background = theme().canvas;
    canvas->renderer()->SetBackground(background.redF(), background.greenF(), background.blueF());
    TubeStyle style;
    style.background = background;
    style.selection = theme().selection;
    style.anySelected = false; // the others keep their colours
    style.hoveredBranch = hovered;
    actor.setStyle(style);
    actor.setCamera(eye);
    if (eye != drawnEye) {
      quality.cameraMoves();
      scale->setCamera(drawnEye = eye);
    }
    overlay->setCamera(eye);
    const bool sharp = !moves && quality.current() == Quality::Sharp;
    canvas->setSupersampling(sharp ? 2 : 1);
    isLines = takesLines();
    if (!quality.isFluent() && (!isLines || actor.hasToUpload())) {
      canvas->requestPieces([this, pieces = TubePieces(actor, geometry().tubes())](double lastTook) mutable {
        if (!isLines || actor.hasToUpload())
          return pieces.next(lastTook);
        actor.showLines(lineLevel);
        return false;
      });
    } else {
      if (isLines)
        actor.showLines(lineLevel);
      else
        actor.showTubes();
      canvas->requestRender();
    }
    rest.start();
  }

  std::size_t lineCount() const
  {
    return lineLevel < 0 ? geometry().tubes() : drawing->lines[static_cast<std::size_t>(lineLevel)].size() / 2;
  }
  bool hasCoarser() const { return lineLevel + 1 < static_cast<int>(drawing->lines.size()); }

  void takeFrame()
  {
    const double took = canvas->lastRenderMilliseconds();
    lastFrame = took;
    if (!isLines && canvas->supersampling() == 1 && std::exchange(isWarm, true))
      plainFrame = plainFrame == 0 || took < plainFrame ? took : 0.8 * plainFrame + 0.2 * took;
    if (!moves || !isLines)
      quality.measured(took);
    if (isLines && took > kMovingFrame && hasCoarser())
      ++lineLevel;
    else if (isLines && took < kMovingFrame / 5 && lineLevel >= 0)
      --lineLevel;
    emit view.painted();
  }

  void improve()
  {
    if (moves) {
      // No frame came for a while.
      if (isLines && quality.isFluent())
        draw();
      return;
    }
    if (canvas->isInPieces()) // begun anew it would never be whole
      return rest.start();
    if (quality.improve())
      draw();
  }

  // ---- gestures ----

  OrbitCamera& camera() override { return eye; }

  void cameraMoved() override
  {
    isFitted = false;
    isPickerCurrent = false;
    draw();
  }

  void fit() override
  {
    eye.setViewport(canvas->size());
    const Extent extent = extentOfAll(geometry());
    eye.fit(extent.points, extent.radii);
    parallelEye = eye;
    parallelEye.setParallel(true);
    parallelEye.fit(extent.points, extent.radii);
    room.leaveOverlays(eye, extent, overlays());
    isFitted = true;
    isPickerCurrent = false;
    draw();
  }

  /// Where overlays are or will be: the card comes with the first run.
  Overlays overlays() const
  {
    Overlays all;
    if (const QRect clock = overlay->clockRoom(); !clock.isNull())
      all.places.emplace_back(clock);
    if (hasRoomForCard) {
      all.places.emplace_back(card->geometry());
      all.card = card->isFolded() ? Overlays::Card::Folded : Overlays::Card::Whole;
    }
    for (const QWidget* corner : {static_cast<const QWidget*>(legend), static_cast<const QWidget*>(scale)})
      if (!corner->isHidden())
        all.places.emplace_back(corner->geometry());
    return all;
  }

  /// An overlay came or became larger, or the card folded or went: what is fitted leaves them again.
  void takeOverlays()
  {
    layOut();
    if (isFitted && room.isOutdatedBy(overlays()))
      fit();
  }

  void aimPicker()
  {
    if (!isPickerCurrent)
      picker.aim(geometry(), eye, &hiddenTubes);
    isPickerCurrent = true;
  }

  std::optional<CellNode> nodeAt(const QPointF& pixel)
  {
    if (geometry().tubes() == 0)
      return std::nullopt;
    aimPicker();
    const TubePicker::Pick pick = picker.pick(pixel);
    if (pick.tube < 0)
      return std::nullopt;
    const auto tube = static_cast<std::size_t>(pick.tube);
    const auto awayOf = [&](const std::vector<float>& ends) {
      const ScreenPoint at = eye.project({ends[3 * tube], ends[3 * tube + 1], ends[3 * tube + 2]});
      return std::hypot(at.x - pixel.x(), at.y - pixel.y());
    };
    const bool isA = awayOf(geometry().endA) < awayOf(geometry().endB);
    return CellNode{static_cast<std::uint32_t>(geometry().cell[tube]),
                    (isA ? geometry().sampleA : geometry().sampleB)[tube]};
  }

  void click(const QPointF& pixel, Qt::KeyboardModifiers modifiers) override
  {
    const auto place = nodeAt(pixel);
    if (modifiers.testFlag(Qt::ControlModifier) || !place)
      emit view.cellPicked(place ? std::optional(place->cell) : std::nullopt);
    else
      emit view.placePicked(*place);
  }

  bool takesAreas() const override { return tubes.firstPlace.size() > 2; }
  void takeArea(const DrawnArea& area, Qt::KeyboardModifiers modifiers) override
  {
    aimPicker();
    std::set<std::uint32_t> found;
    for (const std::size_t tube : area.isLoop ? picker.inside(area.outline) : picker.inside(area.box()))
      found.insert(static_cast<std::uint32_t>(geometry().cell[tube]));
    emit view.cellsPicked({found.begin(), found.end()}, areaModeOf(modifiers));
  }
  void awaitedAreaTaken() override { emit view.areaEnded(); }

  void hover(const QPointF& pixel) override
  {
    const auto place = moves ? std::nullopt : nodeAt(pixel);
    const std::int32_t cell = place && tubes.firstPlace.size() > 2 ? static_cast<std::int32_t>(place->cell) : -1;
    if (std::exchange(hovered, cell) != cell) {
      quality.pictureChanges();
      draw();
    }
  }
  void pointerLeft() override
  {
    if (std::exchange(hovered, -1) != -1)
      draw();
  }

  QString describe(const QPointF& pixel) override
  {
    const auto place = nodeAt(pixel);
    if (!place || !model)
      return {};
    const cell::CellModel& cell = *model->circuit.network.models[model->circuit.network.modelOf[place->cell]];
    const std::int32_t section = cell.cut.section[static_cast<std::size_t>(place->node)];
    const std::uint8_t level =
        frame ? frame->levels[tubes.firstPlace[place->cell] + static_cast<std::size_t>(place->node)]
              : study::levelOf(cell.biophysics.startPotential);
    return VoltageView::tr("%1, section %2: %3 mV\nClick: record it. Ctrl and click: select the cell")
        .arg(QString::fromStdString(model->nameOf(place->cell)))
        .arg(section)
        .arg(study::potentialOf(level), 0, 'f', 0);
  }

  bool pressKey(int key) override
  {
    if (key != Qt::Key_R)
      return false;
    view.resetOrientation();
    return true;
  }

  /// Lengths at the focal depth stay as they are, unless all is fitted.
  OrbitCamera cameraInParallel() const
  {
    OrbitCamera camera = isFitted ? parallelEye : eye;
    camera.setParallel(true);
    return camera;
  }

  void mark()
  {
    std::vector<TubeMark> ofCell(tubes.firstPlace.size() - 1, TubeMark::Plain);
    for (const std::uint32_t cell : selected)
      if (cell < ofCell.size())
        ofCell[cell] = TubeMark::Lit;
    for (const std::uint32_t cell : hidden)
      if (cell < ofCell.size())
        ofCell[cell] = TubeMark::Hidden;
    actor.setMarks(ofCell);
    hiddenTubes.clear();
    if (!hidden.empty())
      for (const std::int32_t cell : geometry().cell)
        hiddenTubes.push_back(ofCell[static_cast<std::size_t>(cell)] == TubeMark::Hidden);
    isPickerCurrent = false;
  }

  /// Those of hidden cells are hidden, too.
  void showMarks()
  {
    std::vector<PlaceMark> shown;
    for (const Mark& each : marks)
      if (std::ranges::find(hidden, each.place.cell) == hidden.end())
        if (const auto at = drawnPlaceOf(tubes, each.place.cell, each.place.node))
          shown.push_back({*at, each.color, each.label});
    overlay->setMarks(std::move(shown));
  }

  void layOut() override { layout.layOut(); }

  void placeOverlays()
  {
    const QSize size = canvas->size();
    overlay->setGeometry(canvas->rect());
    legend->setMost(size - QSize(2 * kMargin, 2 * kMargin));
    legend->move(kMargin, size.height() - legend->height() - kMargin);
    scale->resize(scale->sizeHint());
    scale->move(size.width() - scale->width() - kMargin, size.height() - scale->height() - kMargin);
    card->setHeightLimit(size.height() - (model ? scale->height() + kMargin : 0) - 2 * kMargin);
    const bool fits = card->fitInto(size);
    card->move(size.width() - card->width() - kMargin, kMargin);
    hasRoomForCard = timingsShown && fits && !card->geometry().intersects(overlay->clockRect());
    card->setVisible(hasRoomForCard && (card->runs() > 0 || card->isRunning()));
    const auto isFree = [this](const QWidget* corner) {
      const QRect place = corner->geometry();
      return place.left() >= 0 && place.top() >= 0 && (card->isHidden() || !card->geometry().intersects(place));
    };
    legend->setRoom(isFree(legend));
    const bool isUnderLegend = !legend->isHidden() && legend->geometry().intersects(scale->geometry());
    scale->setVisible(model && isFree(scale) && !isUnderLegend);
  }

  VoltageView& view;
  VtkWidget* canvas;
  TubeActor actor;
  VoltageOverlay* overlay;
  LegendOverlay* legend;
  ScaleOverlay* scale;
  TimingCard* card;
  std::shared_ptr<const study::SimulationModel> model;
  VoltageTubes tubes;
  std::shared_ptr<const TubeDrawing> drawing;
  study::SharedFrame frame;
  std::vector<Mark> marks;
  std::vector<std::uint32_t> selected;
  std::vector<std::uint32_t> hidden;
  std::vector<bool> hiddenTubes; ///< empty: none is
  std::int32_t hovered = -1;
  QString note;
  OrbitCamera eye;
  OrbitCamera parallelEye; ///< of a figure in a parallel projection, where all is fitted
  OrbitCamera drawnEye;    ///< of the last picture
  RoomFit room;            ///< of what was fitted
  TubePicker picker;
  bool isPickerCurrent = false;
  FrameQuality quality;
  int lineLevel = -1; ///< of a moving picture
  bool moves = false;
  bool isLines = false;
  bool isWarm = false;
  double plainFrame = 0; ///< ms; 0: not measured
  double lastFrame = 0;
  bool timingsShown = true;
  bool hasRoomForCard = false;
  OverlayLayout layout{[this] { placeOverlays(); }};
  QTimer rest;
  BackgroundWork work; ///< makes ready what is drawn
  OrbitGestures gestures{canvas, *this};
};

VoltageView::VoltageView(QWidget* parent) : QWidget(parent), d(std::make_unique<Private>(*this))
{
  setObjectName(QStringLiteral("voltageView"));
  d->canvas->setObjectName(QStringLiteral("voltageCanvas"));
  d->legend->setObjectName(QStringLiteral("voltageLegend"));
  d->card->setObjectName(QStringLiteral("simulationCard"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(d->canvas);
  connect(d->card, &TimingCard::contentChanged, this, [this] { d->takeOverlays(); });
  connect(d->legend, &LegendOverlay::changed, this, [this] { d->layOut(); });
  connect(d->legend, &LegendOverlay::foldToggled, this, [this] { d->takeOverlays(); });
  connect(d->canvas, &VtkWidget::rendered, this, [this] { d->takeFrame(); });
  connect(&d->rest, &QTimer::timeout, this, [this] { d->improve(); });
  d->actor.setPalette(voltagePalette());
  d->setModel(nullptr);
}

VoltageView::~VoltageView() = default;

void VoltageView::setModel(std::shared_ptr<const study::SimulationModel> model)
{
  d->setModel(std::move(model));
  resetOrientation();
}

void VoltageView::setFrame(study::SharedFrame frame)
{
  d->setFrame(std::move(frame));
}

const study::SharedFrame& VoltageView::frame() const
{
  return d->frame;
}

void VoltageView::setMoving(bool moves)
{
  if (std::exchange(d->moves, moves) == moves)
    return;
  if (!moves) {
    d->quality.pictureChanges();
    d->draw();
  }
}

void VoltageView::setNote(const QString& note)
{
  d->note = note;
  d->tellTime();
}

void VoltageView::setMarks(const std::vector<Mark>& marks)
{
  d->marks = marks;
  d->showMarks();
}

void VoltageView::setSelectedCells(const std::vector<std::uint32_t>& cells)
{
  d->selected = cells;
  d->mark();
  d->quality.pictureChanges();
  d->draw();
}

void VoltageView::setHiddenCells(const std::vector<std::uint32_t>& cells)
{
  if (d->hidden == cells)
    return;
  d->hidden = cells;
  d->mark();
  d->showMarks();
  d->quality.pictureChanges();
  d->draw();
}

const std::vector<std::uint32_t>& VoltageView::selectedCells() const
{
  return d->selected;
}

std::optional<CellNode> VoltageView::nodeAt(const QPointF& pixel) const
{
  return d->nodeAt(pixel);
}

std::optional<QPointF> VoltageView::pixelOf(const CellNode& place) const
{
  const auto at = drawnPlaceOf(d->tubes, place.cell, place.node);
  if (!at)
    return std::nullopt;
  const ScreenPoint point = d->eye.project(*at);
  return QPointF(point.x, point.y);
}

void VoltageView::fit()
{
  d->fit();
}

void VoltageView::awaitArea(std::optional<AreaShape> shape)
{
  if (shape)
    d->canvas->setFocus(Qt::OtherFocusReason); // for Escape
  d->gestures.awaitArea(shape);
}

void VoltageView::resetOrientation()
{
  d->eye.resetOrientation();
  fit();
}

QImage VoltageView::grabPicture()
{
  d->work.wait();
  d->canvas->setSupersampling(2);
  d->actor.showTubes();
  d->canvas->requestRender();
  return d->canvas->grabPicture();
}

namespace {

/// All that a figure is made of, so that it can be painted on any thread and whatever becomes of the view.
struct StillCells
{
  std::shared_ptr<const TubeDrawing> drawing;
  std::vector<std::uint8_t> levels;
  std::vector<PlaceMark> marks;
  QString clock;
  OrbitCamera eye;
  OrbitCamera parallel; ///< the same in a parallel projection
  std::shared_ptr<const OffscreenGraphics> graphics;

  void paint(QPainter& painter, const FigureArea& area) const
  {
    if (drawing->geometry->tubes() == 0)
      return;
    OrbitCamera fitted = area.isParallel ? parallel : eye;
    const QSize before = fitted.viewport();
    fitted.setViewport(area.size.toSize());
    const double wider = area.size.width() / area.size.height() * before.height() / before.width();
    if (wider < 1)
      fitted.zoomAt(QPointF(area.size.width(), area.size.height()) / 2, wider);
    const vtkNew<vtkRenderer> renderer;
    TubeActor tubes(renderer);
    tubes.setDrawing(drawing);
    tubes.setValues(levels);
    tubes.setPalette(voltagePalette());
    TubeStyle style;
    style.background = theme().canvas;
    style.selection = theme().selection;
    tubes.setStyle(style);
    renderer->SetBackground(style.background.redF(), style.background.greenF(), style.background.blueF());
    renderer->SetBackgroundAlpha(area.isTransparent ? 0 : 1);
    const QSize pixels = (area.size * area.ratio).toSize().expandedTo({1, 1});
    TubePieces pieces(tubes, drawing->geometry->tubes());
    const QImage picture = graphics->render(*renderer, pixels,
                                            {[&](const QRectF& part) { tubes.setCamera(fitted, part); },
                                             [&](double lastTook) { return pieces.next(lastTook); }},
                                            area.control);
    painter.drawImage(QRectF(QPointF(0, 0), area.size), picture);
    VoltageOverlay::paint(painter, fitted, marks, clock, area.font);
    if (area.hasScaleBar)
      paintScaleBesideClock(painter, fitted, area);
  }

private:
  /// Below the clock, whose letters are larger, where it stands at the top too.
  void paintScaleBesideClock(QPainter& painter, const OrbitCamera& fitted, FigureArea area) const
  {
    constexpr int kLinesOfClock = 2;
    const bool isBelow = !clock.isEmpty() && isTop(area.scaleCorner);
    const double top = isBelow ? kMargin + kLinesOfClock * QFontMetricsF(area.font).height() : 0;
    area.size.rheight() = std::max(1.0, area.size.height() - top);
    painter.save();
    painter.translate(0, top);
    paintScale(painter, fitted, area);
    painter.restore();
  }
};

Figure figureOfStill(std::shared_ptr<const StillCells> cells, std::optional<ThemeMode> mode)
{
  Figure made;
  made.title = VoltageView::tr("Simulation");
  made.hasScaleBar = true;
  made.isPerspective = true;
  made.hasPixels = true;
  made.legend = [mode] {
    const ThemeScope scope(mode.value_or(theme().mode));
    return voltageLegend();
  };
  made.paint = [mode, cells](QPainter& painter, const FigureArea& area) {
    const ThemeScope scope(mode.value_or(theme().mode));
    cells->paint(painter, area);
  };
  made.still = [cells](ThemeMode wanted) { return figureOfStill(cells, wanted); };
  return made;
}

} // namespace

Figure VoltageView::figure()
{
  return figuresOf({d->frame}).front();
}

std::vector<Figure> VoltageView::figuresOf(const std::vector<study::SharedFrame>& frames)
{
  const auto graphics = std::make_shared<const OffscreenGraphics>();
  std::vector<Figure> figures;
  for (const study::SharedFrame& each : frames)
    figures.push_back(figureOfStill(std::make_shared<const StillCells>(StillCells{
                                        d->drawing, each ? each->levels : d->levelsAtStart(), d->overlay->marks(),
                                        d->clockOf(each), d->eye, d->cameraInParallel(), graphics}),
                                    std::nullopt));
  return figures;
}

VtkWidget* VoltageView::canvas() const
{
  return d->canvas;
}

TimingCard* VoltageView::timingCard() const
{
  return d->card;
}

const LegendOverlay& VoltageView::legend() const
{
  return *d->legend;
}

const VoltageOverlay& VoltageView::overlay() const
{
  return *d->overlay;
}

const VoltageTubes& VoltageView::tubes() const
{
  return d->tubes;
}

const OrbitCamera& VoltageView::camera() const
{
  return d->eye;
}

void VoltageView::setTimingsShown(bool shown)
{
  d->timingsShown = shown;
  d->takeOverlays();
}

bool VoltageView::drawsLines() const
{
  return d->isLines;
}

double VoltageView::frameMilliseconds() const
{
  return d->lastFrame;
}

void VoltageView::resizeEvent(QResizeEvent* event)
{
  QWidget::resizeEvent(event);
  d->layOut();
}

void VoltageView::changeEvent(QEvent* event)
{
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) {
    d->actor.setPalette(voltagePalette());
    d->quality.pictureChanges();
    d->draw();
  }
}

} // namespace hinesight::widgets
