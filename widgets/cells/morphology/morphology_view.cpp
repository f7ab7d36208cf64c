#include "widgets/cells/morphology/morphology_view.hpp"

#include "widgets/cells/morphology/tube_actor.hpp"
#include "widgets/cells/morphology/tube_picker.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/icons.hpp"
#include "widgets/legend_overlay.hpp"
#include "widgets/orbit/frame_quality.hpp"
#include "widgets/orbit/orbit_gestures.hpp"
#include "widgets/orbit/scale_overlay.hpp"
#include "widgets/orbit/vtk_widget.hpp"
#include "widgets/overlay_room.hpp"

#include <QAction>
#include <QActionGroup>
#include <QEvent>
#include <QFontMetricsF>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QSignalBlocker>
#include <QTimer>
#include <QToolButton>

#include <vtkNew.h>
#include <vtkRenderer.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace hinesight::widgets {

namespace {

constexpr double kPickTolerance = 4;   // pixels beside a tube that still pick it
constexpr double kClipPerNotch = 0.04; // of the scene's depth
constexpr std::size_t kMostNames = 24; // more cells are not labelled
constexpr int kNameGap = 9;            // below the lowest sample
constexpr int kMargin = 12;
constexpr double kRoomMargin = 1.04;  // around what stands beside overlays
constexpr double kLeastScaling = 0.4; // else overlays cover some of it

constexpr int kHoverDelay = 120; // ms
constexpr int kRestAfter = 180;  // ms without a change after which the next better quality is drawn

} // namespace

class MorphologyView::Private final : public OrbitGestures::Picture
{
public:
  explicit Private(MorphologyView& owner)
      : view(owner), canvas(new VtkWidget), tubes(canvas->renderer()), path(new PathOverlay(canvas))
  {}

  QToolButton* addSwitch(const char* name, Icon icon, const QString& tip, bool checkable)
  {
    auto* button = new QToolButton;
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    button->setCheckable(checkable);
    button->setIconSize({16, 16});
    icons.emplace_back(button, icon);
    view.headerSwitches()->addWidget(button);
    return button;
  }

  /// Each of the places behind the switch of spreading.
  void addPlaces()
  {
    auto* menu = new QMenu(spreadSwitch);
    menu->setObjectName(QStringLiteral("placesMenu"));
    menu->setToolTipsVisible(true);
    placeActions = new QActionGroup(menu);
    for (const Choice& choice : kCellPlaces) {
      QAction* action = placeActions->addAction(inText(choice.label));
      action->setObjectName(QStringLiteral("places-") + inText(choice.name));
      action->setToolTip(inText(choice.help));
      action->setCheckable(true);
      const auto places = static_cast<CellPlaces>(&choice - std::begin(kCellPlaces));
      QObject::connect(action, &QAction::triggered, &view, [this, places] {
        MorphologyLook changed = look;
        changed.places = places;
        view.setLook(changed);
      });
    }
    placeActions->actions().front()->setChecked(true);
    menu->addActions(placeActions->actions());
    spreadSwitch->setMenu(menu);
    spreadSwitch->setPopupMode(QToolButton::MenuButtonPopup);
  }

  const Scene* scene() const { return view.currentScene.get(); }

  /// What the geometry depends on, to tell a new plan from new cells.
  std::vector<const void*> drawnMorphologies() const
  {
    std::vector<const void*> result;
    for (const SceneCell& cell : scene() ? scene()->cells : std::vector<SceneCell>()) {
      result.push_back(cell.visible && cell.discretization ? cell.discretization->morphology.get() : nullptr);
    }
    return result;
  }

  void rebuildGeometry()
  {
    const bool spread =
        look.places == CellPlaces::Suited ? scene() && shouldSpread(*scene()) : look.places == CellPlaces::SideBySide;
    const QSignalBlocker blocker(spreadSwitch);
    spreadSwitch->setChecked(spread);
    placeActions->actions()[static_cast<int>(look.places)]->setChecked(true);
    geometry = scene() ? buildTubes(*scene(), look.places) : TubeGeometry();
    tubes.setGeometry(geometry);
    pickerIsCurrent = false;
    path->setPlaces(geometry);
    nameCells(spread);
  }

  void nameCells(bool spread)
  {
    for (QLabel* name : names) {
      name->deleteLater();
    }
    names.clear();
    if (!spread || geometry.placements.size() < 2 || geometry.placements.size() > kMostNames) {
      return;
    }
    for (const auto& placement : geometry.placements) {
      auto* label =
          new QLabel(QString::fromStdString(scene()->cells[static_cast<std::size_t>(placement.cell)].name), canvas);
      label->setAttribute(Qt::WA_TransparentForMouseEvents);
      label->setAlignment(Qt::AlignCenter);
      names.push_back(label);
    }
    colorNames();
  }

  void colorNames()
  {
    for (QLabel* name : names) {
      QPalette palette = name->palette();
      palette.setColor(QPalette::WindowText, theme().secondaryText);
      name->setPalette(palette);
    }
  }

  /// Ids of branches across cells, for the shaders, and the branch of every tube.
  void relabel()
  {
    firstBranch.assign(scene() ? scene()->cells.size() + 1 : 1, 0);
    branches.assign(geometry.tubes(), -1);
    if (!scene()) {
      return;
    }
    for (std::size_t cell = 0; cell < scene()->cells.size(); ++cell) {
      const hines::PlannedShape* shape = asReadShape(*scene(), cell);
      firstBranch[cell + 1] = firstBranch[cell] + (shape ? static_cast<std::int32_t>(shape->tree.branches()) : 0);
    }
    for (std::size_t tube = 0; tube < branches.size(); ++tube) {
      branches[tube] = idOf(branchOfTube(tube));
    }
    tubes.setBranches(branches);
  }

  BranchId branchOfTube(std::size_t tube) const
  {
    const auto cell = static_cast<std::size_t>(geometry.cell[tube]);
    if (!scene() || cell >= scene()->branchOfCompartment.size() || scene()->branchOfCompartment[cell].empty()) {
      return {};
    }
    const auto& ofSample = scene()->cells[cell].discretization->ofSample;
    const auto compartment = static_cast<std::size_t>(ofSample[static_cast<std::size_t>(geometry.sampleB[tube])]);
    return {geometry.cell[tube], scene()->branchOfCompartment[cell][compartment]};
  }

  std::int32_t idOf(BranchId id) const
  {
    const auto cell = static_cast<std::size_t>(id.cell);
    return id.isNull() || cell + 1 >= firstBranch.size() ? -1 : firstBranch[cell] + id.branch;
  }

  /// By the choice of branches. A tube whose branch is not known is not selected and not hidden.
  void mark()
  {
    std::vector<TubeMark> ofBranch(static_cast<std::size_t>(firstBranch.back()), TubeMark::Plain);
    const auto markAll = [&](const BranchIds& ids, TubeMark with) {
      for (const BranchId id : ids) {
        if (const std::int32_t place = idOf(id); place >= 0 && static_cast<std::size_t>(place) < ofBranch.size()) {
          ofBranch[static_cast<std::size_t>(place)] = with;
        }
      }
    };
    markAll(view.currentChoice.selected, TubeMark::Selected);
    markAll(view.currentChoice.hidden, TubeMark::Hidden);
    marks.assign(geometry.tubes(), TubeMark::Plain);
    hidden.assign(geometry.tubes(), false);
    for (std::size_t tube = 0; tube < marks.size(); ++tube) {
      if (branches[tube] >= 0) {
        marks[tube] = ofBranch[static_cast<std::size_t>(branches[tube])];
        hidden[tube] = marks[tube] == TubeMark::Hidden;
      }
    }
    pickerIsCurrent = false;
  }

  /// Two a tube.
  std::vector<QRgb> tubeColors() const
  {
    const Coloring& coloring = view.coloring;
    std::vector<QRgb> colors(2 * geometry.tubes());
    // Categories end at the sample, quantities run on.
    const bool blends = coloring.legend().isQuantity && coloring.colorBy() != ColorBy::Order;
    for (std::size_t tube = 0; tube < geometry.tubes(); ++tube) {
      const QRgb far = coloring.ofSample(geometry.cell[tube], geometry.sampleB[tube]).rgb();
      const QRgb near = blends ? coloring.ofSample(geometry.cell[tube], geometry.sampleA[tube]).rgb() : far;
      const auto alpha = static_cast<int>(marks[tube]);
      colors[2 * tube] = qRgba(qRed(near), qGreen(near), qBlue(near), alpha);
      colors[2 * tube + 1] = qRgba(qRed(far), qGreen(far), qBlue(far), alpha);
    }
    return colors;
  }

  void recolor() { tubes.setColors(tubeColors()); }

  TubeStyle tubeStyle() const
  {
    TubeStyle style;
    style.background = theme().canvas;
    style.selection = theme().selection;
    style.anySelected = !view.currentChoice.selected.isEmpty();
    style.hoveredBranch = idOf(hovered);
    if (!style.anySelected && lit >= 0 && static_cast<std::size_t>(lit) + 1 < firstBranch.size()) {
      style.litFirst = firstBranch[static_cast<std::size_t>(lit)];
      style.litEnd = firstBranch[static_cast<std::size_t>(lit) + 1];
    }
    style.clipDepth = clipDepth();
    return style;
  }

  void restyle()
  {
    const TubeStyle style = tubeStyle();
    tubes.setStyle(style);
    canvas->renderer()->SetBackground(style.background.redF(), style.background.greenF(), style.background.blueF());
    quality.pictureChanges();
    draw();
  }

  /// Requests a frame of the current quality, and a better one after a rest.
  void draw()
  {
    tubes.setLines(quality.current() == Quality::Lines);
    canvas->setSupersampling(quality.current() == Quality::Sharp ? 2 : 1);
    canvas->requestRender();
    rest.start(kRestAfter);
  }

  /// The camera that shows in an area at least what the canvas shows.
  OrbitCamera cameraFor(const QSizeF& size) const
  {
    OrbitCamera camera = eye;
    const QSize before = eye.viewport();
    camera.rotate({2 * figureTurns * before.height(), 0});
    camera.setViewport(size.toSize());
    const double wider = size.width() / size.height() * before.height() / before.width();
    if (wider < 1)
      camera.zoomAt(QPointF(size.width(), size.height()) / 2, wider);
    return camera;
  }

  void paintFigure(QPainter& painter, const FigureArea& area)
  {
    const OrbitCamera camera = cameraFor(area.size);
    const vtkNew<vtkRenderer> renderer;
    TubeActor copy(renderer);
    copy.setGeometry(geometry);
    copy.setBranches(branches);
    copy.setColors(tubeColors());
    TubeStyle style = tubeStyle();
    style.hoveredBranch = -1;
    style.litFirst = style.litEnd = 0; // of the pointer and the list of cells, as the outline is
    copy.setStyle(style);
    renderer->SetBackground(style.background.redF(), style.background.greenF(), style.background.blueF());
    renderer->SetBackgroundAlpha(area.isTransparent ? 0 : 1);
    const QSize pixels = (area.size * area.ratio).toSize().expandedTo({1, 1});
    const QImage picture =
        canvas->renderAside(*renderer, pixels, [&](const QRectF& part) { copy.setCamera(camera, part); });
    painter.drawImage(QRectF(QPointF(0, 0), area.size), picture);
    paintNames(painter, camera, area);
    path->paintFor(painter, camera, area.font);
    if (area.hasScaleBar && geometry.tubes() > 0) {
      painter.save();
      paintScale(painter, camera, area.size - QSizeF(kMargin, kMargin / 2.0), area.font);
      painter.restore();
    }
  }

  /// As moveNames places them.
  void paintNames(QPainter& painter, const OrbitCamera& camera, const FigureArea& area) const
  {
    painter.setFont(area.font);
    painter.setPen(theme().secondaryText);
    const QFontMetricsF metrics(area.font);
    std::vector<QRectF> taken;
    if (area.hasScaleBar) {
      taken.emplace_back(QPointF(area.size.width(), area.size.height()) -
                             QPointF(scaleSize().width() + kMargin, scaleSize().height() + kMargin),
                         QSizeF(scaleSize()));
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      const QString text = names[i]->text();
      const QRectF place = placeOfName(i, camera, {metrics.horizontalAdvance(text), metrics.height()});
      const bool isFree =
          QRectF(QPointF(0, 0), area.size).contains(place) &&
          std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(place); });
      if (isFree) {
        painter.drawText(place.topLeft() + QPointF(0, metrics.ascent()), text);
        taken.push_back(place);
      }
    }
  }

  double clipDepth() const { return look.isClipped ? eye.focalDistance() + clipOffset : -1; }

  void cameraChanged()
  {
    pickerIsCurrent = false;
    tubes.setCamera(eye);
    scale->setCamera(eye);
    path->setCamera(eye);
    moveNames();
    restyle();
    emit canvas->viewChanged();
  }

  QRectF placeOfName(std::size_t name, const OrbitCamera& camera, const QSizeF& size) const
  {
    const auto& placement = geometry.placements[name];
    const ScreenPoint foot = camera.project({(placement.lower[0] + placement.upper[0]) / 2, placement.lower[1], 0});
    return {QPointF(foot.x - size.width() / 2, foot.y + kNameGap), size};
  }

  /// Those that are shown.
  std::vector<QRectF> overlays() const
  {
    std::vector<QRectF> places;
    for (const QWidget* overlay : {static_cast<const QWidget*>(view.legendOverlay()),
                                   static_cast<const QWidget*>(view.timingCard()), static_cast<const QWidget*>(scale)})
      if (overlay && !overlay->isHidden())
        places.emplace_back(overlay->geometry());
    return places;
  }

  bool isCovered() const
  {
    return std::ranges::any_of(overlays(), [this](const QRectF& overlay) { return fitted.isUnder(overlay); });
  }

  /// Finds out where what was fitted is, with the names of cells; returns what is around it.
  QRectF traceFitted(const std::vector<float>& points)
  {
    fitted = CoveredParts(eye.viewport());
    QRectF content;
    const auto add = [&](const QRectF& place) { content = content.isNull() ? place : content.united(place); };
    for (std::size_t i = 0; i + 2 < points.size(); i += 3) {
      const ScreenPoint point = eye.project({points[i], points[i + 1], points[i + 2]});
      fitted.add({point.x, point.y});
      add({point.x - 1, point.y - 1, 2, 2});
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      const QRectF place = placeOfName(i, eye, names[i]->sizeHint());
      for (const QPointF& corner : {place.topLeft(), place.center(), place.bottomRight()})
        fitted.add(corner);
      add(place);
    }
    return content;
  }

  /// What was fitted is moved, and made smaller where need be, to where no overlay covers it.
  void leaveOverlays(const std::vector<float>& points)
  {
    const QRectF content = traceFitted(points);
    if (!isCovered())
      return;
    const QRectF room = freeRoom(eye.viewport(), overlays(), content.size());
    const double scaling = std::min(room.width() / content.width(), room.height() / content.height()) / kRoomMargin;
    if (scaling < kLeastScaling)
      return;
    eye.zoomAt(content.center(), std::min(1.0, scaling));
    eye.pan(room.center() - content.center());
    traceFitted(points);
  }

  /// Names go below their cells; one that would cover another's, or an overlay, is left out.
  void moveNames()
  {
    std::vector<QRect> taken;
    for (const QRectF& overlay : overlays())
      taken.push_back(overlay.toRect());
    for (std::size_t i = 0; i < names.size(); ++i) {
      const QRect place = placeOfName(i, eye, names[i]->sizeHint()).toRect();
      const bool isFree =
          canvas->rect().contains(place) &&
          std::none_of(taken.begin(), taken.end(), [&](const QRect& other) { return other.intersects(place); });
      names[i]->setGeometry(place);
      names[i]->setVisible(isFree);
      if (isFree) {
        taken.push_back(place);
      }
    }
  }

  OrbitCamera& camera() override { return eye; }

  void cameraMoved() override
  {
    isFitted = false;
    hovered = {};
    drawMoved();
  }

  void drawMoved()
  {
    cameraChanged();
    quality.cameraMoves();
    draw();
  }

  /// Fits to the tubes for which `wanted` holds; nothing happens where there are none.
  template <typename Predicate>
  void fitTubes(Predicate wanted)
  {
    std::vector<float> points;
    std::vector<float> radii;
    for (std::size_t tube = 0; tube < geometry.tubes(); ++tube) {
      if (wanted(tube)) {
        points.insert(points.end(), &geometry.endA[3 * tube], &geometry.endA[3 * tube] + 3);
        points.insert(points.end(), &geometry.endB[3 * tube], &geometry.endB[3 * tube] + 3);
        radii.insert(radii.end(), {geometry.radiusA[tube], geometry.radiusB[tube]});
      }
    }
    if (!radii.empty()) {
      eye.fit(points, radii);
      leaveOverlays(points);
      clipOffset = 0;
      cameraChanged();
    }
  }

  void refreshPicker()
  {
    if (!pickerIsCurrent) {
      picker.project(geometry, eye, hidden);
      pickerIsCurrent = true;
    }
  }

  TubePicker::Pick pickAt(QPointF position)
  {
    refreshPicker();
    return picker.pick(position, kPickTolerance, clipDepth());
  }

  BranchId branchAt(QPointF position)
  {
    const TubePicker::Pick pick = pickAt(position);
    return pick.tube < 0 ? BranchId() : branchOfTube(static_cast<std::size_t>(pick.tube));
  }

  void fit() override { view.fit(); }
  void click(const QPointF& pixel, Qt::KeyboardModifiers modifiers) override
  {
    if (rulerSwitch->isChecked()) {
      return pickPoint(pointAt(pixel));
    }
    emit view.branchPicked(branchAt(pixel), pickModeOf(modifiers));
  }

  /// The nearer end of the tube there.
  SamplePoint pointAt(const QPointF& pixel)
  {
    const TubePicker::Pick pick = pickAt(pixel);
    if (pick.tube < 0) {
      return {};
    }
    const auto tube = static_cast<std::size_t>(pick.tube);
    const auto awayOf = [&](const std::vector<float>& ends) {
      const ScreenPoint at = eye.project({ends[3 * tube], ends[3 * tube + 1], ends[3 * tube + 2]});
      return std::hypot(at.x - pixel.x(), at.y - pixel.y());
    };
    const bool isA = awayOf(geometry.endA) < awayOf(geometry.endB);
    return {geometry.cell[tube], (isA ? geometry.sampleA : geometry.sampleB)[tube]};
  }

  /// The first of two, or the second; beside all cells: none.
  void pickPoint(SamplePoint point)
  {
    const SamplePoint from = std::exchange(firstPoint, {});
    if (!point.isNull() && !from.isNull()) {
      emit view.pointsPicked(from, point);
      return;
    }
    firstPoint = point;
    showPath(point.isNull() ? std::vector<SamplePoint>() : std::vector<SamplePoint>{point},
             tr("Click the other point"));
  }

  void showPath(std::vector<SamplePoint> samples, const QString& text)
  {
    path->setPath(std::move(samples), text);
    path->setPlaces(geometry);
  }
  bool takesBoxes() const override { return true; }
  void takeBox(const QRectF& box, Qt::KeyboardModifiers modifiers) override
  {
    refreshPicker();
    std::vector<BranchId> found;
    for (const std::size_t tube : picker.inside(box, clipDepth())) {
      if (const BranchId branch = branchOfTube(tube); !branch.isNull()) {
        found.push_back(branch);
      }
    }
    emit view.branchesPicked(found, boxModeOf(modifiers));
  }
  void doubleClick(const QPointF& pixel) override { view.fitTo(branchAt(pixel)); }
  void hover(const QPointF& pixel) override { outline(branchAt(pixel)); }
  void pointerLeft() override { outline({}); }

  void outline(BranchId id)
  {
    if (id == hovered) {
      return;
    }
    hovered = id;
    // Where frames are slow, the outline waits until the mouse rests instead of lagging behind it.
    if (quality.isFluent()) {
      restyle();
    } else {
      hoverDelay.start(kHoverDelay);
    }
  }

  void turnWheel(const QPointF& pixel, double notches, Qt::KeyboardModifiers modifiers) override
  {
    if (modifiers.testFlag(Qt::ShiftModifier) && look.isClipped) {
      clipOffset += notches * kClipPerNotch * eye.focalDistance();
    } else {
      zoom(pixel, notches);
    }
    drawMoved();
  }

  void zoom(const QPointF& pixel, double notches)
  {
    // The plane that one zooms into is that of what one points at; the clipping plane stays where it is.
    if (const TubePicker::Pick pick = pickAt(pixel); notches > 0 && pick.tube >= 0) {
      const double before = eye.focalDistance();
      eye.focusAt(pick.depth);
      clipOffset += before - eye.focalDistance();
    }
    OrbitGestures::zoom(eye, pixel, notches);
  }

  QString summary() const
  {
    const std::size_t cells = geometry.placements.size();
    if (cells == 0) {
      return {};
    }
    const QString segments = tr("%1 segments").arg(formatNumber(static_cast<double>(geometry.tubes())));
    if (cells == 1) {
      const auto only = static_cast<std::size_t>(geometry.placements.front().cell);
      return QString::fromStdString(scene()->cells[only].name) + QStringLiteral(", ") + segments + notSeen();
    }
    return tr("%1 cells, ").arg(formatNumber(static_cast<double>(cells))) + segments + notSeen();
  }

  /// Visible cells with a shape that cannot be drawn.
  std::size_t tooFarOut() const
  {
    const auto& all = scene()->cells;
    const auto shaped = std::count_if(all.begin(), all.end(), [](const SceneCell& cell) {
      return cell.visible && cell.discretization && cell.discretization->morphology->samples() > 0;
    });
    return static_cast<std::size_t>(shaped) - geometry.placements.size();
  }

  /// What is solved and not seen here.
  QString notSeen() const
  {
    const auto& all = scene()->cells;
    const auto unseen = std::count_if(all.begin(), all.end(), [](const SceneCell& cell) { return !cell.visible; });
    QString text;
    if (unseen > 0) {
      text += tr("; %1 more hidden, but solved").arg(formatNumber(static_cast<double>(unseen)));
    }
    if (const std::size_t far = tooFarOut(); far > 0) {
      text += tr("; %1 more too far out to draw, but solved").arg(formatNumber(static_cast<double>(far)));
    }
    return text;
  }

  bool pressKey(int key) override
  {
    if (key != Qt::Key_R) {
      return false;
    }
    view.resetOrientation();
    return true;
  }

  QString describe(const QPointF& pixel) override
  {
    const BranchId id = branchAt(pixel);
    return scene() && !id.isNull() ? QString::fromStdString(describeBranchBriefly(*scene(), id)) : QString();
  }

  MorphologyView& view;
  VtkWidget* canvas;
  TubeActor tubes;
  ScaleOverlay* scale = nullptr;
  PathOverlay* path;
  SamplePoint firstPoint; ///< of two to measure between, while the other one is to be picked
  QToolButton* rulerSwitch = nullptr;
  QToolButton* spreadSwitch = nullptr;
  QActionGroup* placeActions = nullptr;
  QToolButton* clipSwitch = nullptr;
  QToolButton* parallelSwitch = nullptr;
  std::vector<std::pair<QToolButton*, Icon>> icons;
  std::vector<QLabel*> names;

  OrbitCamera eye;
  bool isFitted = false; ///< shows everything, as `fit` did
  CoveredParts fitted;   ///< where what was fitted is
  TubeGeometry geometry;
  TubePicker picker;
  bool pickerIsCurrent = false;
  std::vector<const void*> builtFrom;
  MorphologyLook look;
  std::vector<std::int32_t> firstBranch{0};
  std::vector<std::int32_t> branches;
  std::vector<TubeMark> marks; ///< per tube
  std::vector<bool> hidden;    ///< the same
  BranchId hovered;
  std::int32_t lit = -1;  ///< cell
  double figureTurns = 0; ///< of the camera of a figure
  double clipOffset = 0;  ///< of the clipping plane beyond the focal point, scene units

  FrameQuality quality;
  QTimer rest;
  QTimer hoverDelay;
  OrbitGestures gestures{canvas, *this};
};

MorphologyView::MorphologyView(QWidget* parent) : View(tr("Morphology"), parent), d(std::make_unique<Private>(*this))
{
  setObjectName(QStringLiteral("morphologyView"));
  d->canvas->setObjectName(QStringLiteral("morphologyCanvas"));
  const std::vector<BoundField> fields = fieldsOf(d->look);
  d->spreadSwitch = d->addSwitch("spreadCells", Icon::Spread, inText(fields[0].about.help), true);
  d->addPlaces();
  d->parallelSwitch = d->addSwitch("parallelProjection", Icon::Parallel, inText(fields[1].about.help), true);
  d->clipSwitch = d->addSwitch("clipPlane", Icon::Clip, inText(fields[2].about.help), true);
  d->rulerSwitch = d->addSwitch("measurePath", Icon::Ruler,
                                tr("Measure between two points: click them, and their distance along the branches and "
                                   "straight is shown in µm"),
                                true);
  QToolButton* fitButton = d->addSwitch("fit", Icon::Fit, tr("Fit all cells into the view (F)"), false);
  d->scale = new ScaleOverlay(d->canvas);
  setCanvas(d->canvas);
  for (const auto& [button, icon] : d->icons) {
    button->setIcon(makeIcon(icon));
  }

  connect(d->spreadSwitch, &QToolButton::toggled, this, [this](bool spread) {
    MorphologyLook look = d->look;
    look.places = spread ? CellPlaces::SideBySide : CellPlaces::AsRead;
    setLook(look);
  });
  connect(d->parallelSwitch, &QToolButton::toggled, this, [this](bool parallel) {
    MorphologyLook look = d->look;
    look.isParallel = parallel;
    setLook(look);
  });
  connect(d->clipSwitch, &QToolButton::toggled, this, [this](bool clipped) {
    MorphologyLook look = d->look;
    look.isClipped = clipped;
    setLook(look);
  });
  connect(d->rulerSwitch, &QToolButton::toggled, this, [this] {
    d->firstPoint = {};
    d->showPath({}, {});
  });
  connect(fitButton, &QToolButton::clicked, this, &MorphologyView::fit);
  d->hoverDelay.setSingleShot(true);
  connect(&d->hoverDelay, &QTimer::timeout, this, [this] { d->restyle(); });
  d->rest.setSingleShot(true);
  connect(&d->rest, &QTimer::timeout, this, [this] {
    if (d->quality.improve()) {
      d->draw();
    }
  });
  connect(d->canvas, &VtkWidget::rendered, this, [this] { d->quality.measured(d->canvas->lastRenderMilliseconds()); });
  d->restyle();
}

MorphologyView::~MorphologyView() = default;

void MorphologyView::setScene(std::shared_ptr<const Scene> scene)
{
  View::setScene(std::move(scene));
  const auto from = d->drawnMorphologies();
  const bool sameCells = from == d->builtFrom;
  if (!sameCells) {
    d->hovered = {};
    d->builtFrom = from;
    d->firstPoint = {};
    d->showPath({}, {});
    d->quality.reset();
    d->rebuildGeometry();
  }
  d->relabel();
  d->mark();
  d->recolor();

  const auto* current = currentScene.get();
  const bool anyVisible = current && std::any_of(current->cells.begin(), current->cells.end(),
                                                 [](const SceneCell& cell) { return cell.visible; });
  if (!current || current->cells.empty() || d->geometry.tubes() > 0) {
    setNotice({});
  } else if (d->tooFarOut() > 0) {
    setNotice(tr(
        "These cells reach farther than a million km from the origin of their files, and are not drawn: their unit is "
        "wrong, or a number is damaged."));
  } else if (anyVisible) {
    setNotice(tr("Random trees have no shape in space. The dependency tree shows how their branches hang together."));
  } else {
    setNotice(tr("All cells are hidden. Show one with the eye beside its name."));
  }
  setHeaderText(d->summary());
  if (!sameCells) {
    fit();
  }
  d->restyle();
}

void MorphologyView::setChoice(const BranchChoice& choice)
{
  View::setChoice(choice);
  d->hovered = {};
  d->mark();
  d->recolor();
  d->restyle();
}

void MorphologyView::setColorBy(ColorBy colorBy)
{
  View::setColorBy(colorBy);
  d->recolor();
  d->restyle();
}

void MorphologyView::fit()
{
  d->fitTubes([this](std::size_t tube) { return !d->hidden[tube]; });
  d->isFitted = true;
}

void MorphologyView::fitTo(BranchId id)
{
  d->isFitted = false;
  const std::int32_t wanted = d->idOf(id);
  d->fitTubes([this, wanted](std::size_t tube) { return wanted >= 0 && d->branches[tube] == wanted; });
}

void MorphologyView::fitToCell(std::int32_t cell)
{
  d->isFitted = false;
  d->fitTubes([this, cell](std::size_t tube) { return d->geometry.cell[tube] == cell && !d->hidden[tube]; });
}

void MorphologyView::setLitCell(std::int32_t cell)
{
  if (std::exchange(d->lit, cell) != cell) {
    d->restyle();
  }
}

std::int32_t MorphologyView::litCell() const
{
  return d->lit;
}

void MorphologyView::setMeasuring(bool measures)
{
  d->rulerSwitch->setChecked(measures);
}

void MorphologyView::showPath(std::vector<SamplePoint> samples, const QString& text)
{
  d->showPath(std::move(samples), text);
}

const PathOverlay& MorphologyView::path() const
{
  return *d->path;
}

void MorphologyView::resetOrientation()
{
  d->eye.resetOrientation();
  fit();
}

QImage MorphologyView::grabPicture()
{
  setQuality(Quality::Sharp);
  return d->canvas->grabPicture();
}

Figure MorphologyView::figureTurned(double turns)
{
  Figure turned = figure();
  turned.paint = [this, turns, paint = std::move(turned.paint)](QPainter& painter, const FigureArea& area) {
    d->figureTurns = turns;
    paint(painter, area);
    d->figureTurns = 0;
  };
  return turned;
}

void MorphologyView::paintFigure(QPainter& painter, const FigureArea& area)
{
  d->paintFigure(painter, area);
}

const MorphologyLook& MorphologyView::look() const
{
  return d->look;
}

void MorphologyView::setLook(const MorphologyLook& look)
{
  const MorphologyLook before = std::exchange(d->look, look);
  {
    const QSignalBlocker blockers[] = {QSignalBlocker(d->parallelSwitch), QSignalBlocker(d->clipSwitch)};
    d->parallelSwitch->setChecked(look.isParallel);
    d->clipSwitch->setChecked(look.isClipped);
  }
  if (look.isParallel != before.isParallel) {
    d->eye.setParallel(look.isParallel);
    d->cameraChanged();
  }
  if (look.isClipped != before.isClipped) {
    d->clipOffset = 0;
    d->restyle();
  }
  if (look.places != before.places) {
    d->rebuildGeometry();
    d->relabel();
    d->mark();
    d->recolor();
    fit();
  }
}

BranchId MorphologyView::branchAt(QPointF position) const
{
  return d->branchAt(position);
}

BranchId MorphologyView::hoveredBranch() const
{
  return d->hovered;
}

const OrbitCamera& MorphologyView::camera() const
{
  return d->eye;
}

void MorphologyView::setCamera(const OrbitCamera& camera)
{
  d->isFitted = false;
  d->eye = camera;
  d->eye.setViewport(d->canvas->size());
  d->cameraChanged();
}

const TubeGeometry& MorphologyView::geometry() const
{
  return d->geometry;
}

VtkWidget* MorphologyView::canvas() const
{
  return d->canvas;
}

bool MorphologyView::drawsLines() const
{
  return d->quality.current() == Quality::Lines;
}

void MorphologyView::setQuality(Quality quality)
{
  d->quality.force(quality);
  d->draw();
}

void MorphologyView::changeEvent(QEvent* event)
{
  if (event->type() == QEvent::PaletteChange) {
    for (const auto& [button, icon] : d->icons) {
      button->setIcon(makeIcon(icon));
    }
    d->colorNames();
    d->restyle();
  }
  View::changeEvent(event);
}

void MorphologyView::layOutOwnOverlays()
{
  const QSize area = d->canvas->size();
  d->scale->move(area.width() - d->scale->width() - kMargin, area.height() - d->scale->height() - kMargin / 2);
  // A small canvas has room for one of them.
  bool hasRoom = d->scale->y() >= 0;
  for (const QWidget* other : {static_cast<const QWidget*>(legendOverlay()), static_cast<const QWidget*>(timingCard())})
    hasRoom = hasRoom && (other->isHidden() || !other->geometry().intersects(d->scale->geometry()));
  d->scale->setVisible(d->geometry.tubes() > 0 && hasRoom);
  const bool isResized = area != d->eye.viewport();
  d->eye.setViewport(area);
  if (d->isFitted && (isResized || d->isCovered())) {
    fit();
  } else if (isResized) {
    d->cameraChanged();
  } else {
    d->moveNames();
  }
}

} // namespace hinesight::widgets
