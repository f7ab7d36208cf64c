#include "widgets/cells/morphology/morphology_view.hpp"

#include "widgets/background_work.hpp"
#include "widgets/cells/morphology/line_levels.hpp"
#include "widgets/cells/morphology/morphology_figure.hpp"
#include "widgets/cells/morphology/tube_actor.hpp"
#include "widgets/cells/morphology/tube_colors.hpp"
#include "widgets/cells/morphology/tube_extent.hpp"
#include "widgets/cells/morphology/tube_picker.hpp"
#include "widgets/cells/morphology/tube_pieces.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/elided_texts.hpp"
#include "widgets/icons.hpp"
#include "widgets/legend_overlay.hpp"
#include "widgets/orbit/frame_quality.hpp"
#include "widgets/orbit/orbit_gestures.hpp"
#include "widgets/orbit/room_fit.hpp"
#include "widgets/orbit/scale_overlay.hpp"
#include "widgets/orbit/vtk_widget.hpp"
#include "widgets/selection_outline.hpp"
#include "widgets/theme_scope.hpp"

#include <QAction>
#include <QActionGroup>
#include <QElapsedTimer>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QScopeGuard>
#include <QSignalBlocker>
#include <QStringList>
#include <QTimer>
#include <QToolButton>

#include <vtkNew.h>
#include <vtkRenderer.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace hinesight::widgets {

namespace {

constexpr double kPickTolerance = 4;   // pixels beside a tube that still pick it
constexpr double kClipPerNotch = 0.04; // of the scene's depth
constexpr std::size_t kMostNames = 24; // of more cells, those alone that are lit are labelled
constexpr int kMostNameWidth = 200;    // pixels; a longer one would lie over the cells beside its own
constexpr int kMargin = 12;
constexpr int kHoverDelay = 120; // ms
constexpr int kRestAfter = 180;  // ms without a change after which the next better quality is drawn

constexpr std::size_t kReadyAtOnce = 20'000; // samples that are made ready in a frame's time
constexpr double kExpectedOfTube = 1e-3;     // ms to draw one without a graphics card
constexpr std::size_t kLinesAtFirst = 200'000;
constexpr int kPatientFor = 500; // ms of a picture in pieces after which it says how much of it is drawn

/// What is to be drawn.
struct Wanted
{
  std::shared_ptr<const Scene> scene;
  CellPlaces places = CellPlaces::Suited;
  ColorBy colorBy = ColorBy::Type;
  ThemeMode theme = ThemeMode::Dark;
  OrbitCamera camera;                        ///< to be fitted
  std::shared_ptr<const TubeDrawing> before; ///< of the same cells; null: they are others
};

/// That, ready to be drawn.
struct Ready
{
  std::shared_ptr<const Scene> scene;
  std::shared_ptr<const Coloring> coloring = std::make_shared<const Coloring>();
  std::shared_ptr<const TubeDrawing> drawing;
  std::vector<std::int32_t> firstBranch{0}; ///< the id of each cell's first branch, and the number of all
  bool isSpread = false;
  OrbitCamera camera;                ///< that was wanted
  OrbitCamera fitted;                ///< the same, fitted to all tubes
  OrbitCamera parallel;              ///< the same in a parallel projection
  std::shared_ptr<const Extent> all; ///< tubes; null: of those before

  const TubeGeometry& geometry() const { return *drawing->geometry; }

  BranchId branchOfTube(std::size_t tube) const
  {
    const auto cell = static_cast<std::size_t>(geometry().cell[tube]);
    if (!scene || cell >= scene->branchOfCompartment.size() || scene->branchOfCompartment[cell].empty()) {
      return {};
    }
    const auto& ofSample = scene->cells[cell].discretization->ofSample;
    const auto compartment = static_cast<std::size_t>(ofSample[static_cast<std::size_t>(geometry().sampleB[tube])]);
    return {geometry().cell[tube], scene->branchOfCompartment[cell][compartment]};
  }

  /// Across cells, for the shaders.
  std::int32_t idOf(BranchId id) const
  {
    const auto cell = static_cast<std::size_t>(id.cell);
    return id.isNull() || cell + 1 >= firstBranch.size() ? -1 : firstBranch[cell] + id.branch;
  }
};

OrbitCamera fittedInParallel(OrbitCamera camera, const Extent& extent)
{
  camera.setParallel(true);
  camera.fit(extent.points, extent.radii);
  return camera;
}

/// On any thread. Throws Error(Cancelled).
Ready makeReady(const Wanted& wanted, const RunControl& control = {})
{
  const ThemeScope scope(wanted.theme);
  Ready ready;
  ready.scene = wanted.scene;
  auto drawing = std::make_shared<TubeDrawing>();
  const Scene* scene = wanted.scene.get();
  const bool suitsSpread = scene && wanted.places == CellPlaces::Suited && shouldSpread(*scene);
  ready.isSpread = wanted.places == CellPlaces::Suited ? suitsSpread : wanted.places == CellPlaces::SideBySide;
  if (wanted.before) {
    drawing->geometry = wanted.before->geometry;
    drawing->lines = wanted.before->lines;
    drawing->box = wanted.before->box;
  } else {
    const CellPlaces suited = suitsSpread ? CellPlaces::SideBySide : CellPlaces::AsRead;
    auto geometry = std::make_shared<TubeGeometry>();
    if (scene)
      *geometry = buildTubes(*scene, wanted.places == CellPlaces::Suited ? suited : wanted.places);
    control.checkpoint();
    drawing->lines = lineLevels(*geometry);
    drawing->box = boxAround(*geometry);
    ready.camera = ready.fitted = wanted.camera;
    ready.all = std::make_shared<const Extent>(extentOfAll(*geometry));
    ready.fitted.fit(ready.all->points, ready.all->radii);
    ready.parallel = fittedInParallel(ready.fitted, *ready.all);
    drawing->geometry = std::move(geometry);
  }
  control.checkpoint();
  if (scene)
    ready.coloring = std::make_shared<const Coloring>(*scene, wanted.colorBy, LegendOf::VisibleCells);
  control.checkpoint();
  drawing->colors = tubeColors(*drawing->geometry, *ready.coloring);
  ready.drawing = drawing;
  ready.firstBranch.assign(scene ? scene->cells.size() + 1 : 1, 0);
  for (std::size_t cell = 0; scene && cell < scene->cells.size(); ++cell) {
    const hines::PlannedShape* shape = asReadShape(*scene, cell);
    ready.firstBranch[cell + 1] =
        ready.firstBranch[cell] + (shape ? static_cast<std::int32_t>(shape->tree.branches()) : 0);
  }
  drawing->branches.resize(ready.geometry().tubes());
  for (std::size_t tube = 0; tube < drawing->branches.size(); ++tube)
    drawing->branches[tube] = ready.idOf(ready.branchOfTube(tube));
  return ready;
}

Ready nothingReady()
{
  return makeReady({});
}

/// Whether what is drawn is of the same cells, at about the same place and of about the same size, as a cell and its
/// repair are: who looked at the one looks at the other. One cell may have another name, as its saved repair has, where
/// all lie in the same box. Hiding a cell moves others only where they lie side by side.
bool looksAlike(const Ready& before, const Ready& after)
{
  const auto isLikeCell = [&](const SceneCell& a, const SceneCell& b) {
    return (a.visible == b.visible || !before.isSpread) &&
           (a.discretization != nullptr) == (b.discretization != nullptr);
  };
  if (!before.scene || !after.scene || before.geometry().tubes() == 0 || before.isSpread != after.isSpread ||
      !std::ranges::equal(before.scene->cells, after.scene->cells, isLikeCell))
    return false;
  std::size_t renamed = 0;
  for (std::size_t cell = 0; cell < before.scene->cells.size(); ++cell)
    renamed += before.scene->cells[cell].name != after.scene->cells[cell].name ? 1 : 0;
  constexpr double kAlike = 1.5;     // times as large
  constexpr double kSameBox = 0.001; // of its reach
  const TubeBox& from = before.drawing->box;
  const TubeBox& to = after.drawing->box;
  const double moved = norm(to.centre - from.centre);
  if (renamed > 0)
    return renamed == 1 && moved <= kSameBox * from.reach && std::abs(to.reach - from.reach) <= kSameBox * from.reach;
  return moved < from.reach / 2 && to.reach < kAlike * from.reach && from.reach < kAlike * to.reach;
}

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
    view.addSwitch(button);
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
  const std::vector<SceneCell>& cells() const
  {
    static const std::vector<SceneCell> none;
    return scene() ? scene()->cells : none;
  }
  const TubeGeometry& geometry() const { return ready.geometry(); }

  /// What the geometry depends on, to tell a new plan from new cells.
  std::vector<const void*> drawnMorphologies() const
  {
    std::vector<const void*> result;
    for (const SceneCell& cell : cells()) {
      result.push_back(cell.visible && cell.discretization ? cell.discretization->morphology.get() : nullptr);
    }
    return result;
  }

  Wanted wanted(bool sameCells) const
  {
    return {view.currentScene, look.places, view.currentColorBy,
            theme().mode,      eye,         sameCells ? ready.drawing : nullptr};
  }

  std::size_t samples() const
  {
    std::size_t count = 0;
    for (const SceneCell& cell : cells())
      if (cell.visible && cell.discretization)
        count += cell.discretization->morphology->samples();
    return count;
  }

  /// Draws what the scene, its colours and its places now are, at once or when it is ready. `sameCells`: at the places
  /// where they are drawn.
  void refresh(bool sameCells)
  {
    isOfOthers = isOfOthers || !sameCells;
    const Wanted next = wanted(!isOfOthers);
    isBehind = true;
    if (samples() <= kReadyAtOnce) {
      work.restart();
      take(makeReady(next));
      return;
    }
    view.setHeaderText(tr("drawing %1 samples\u2026").arg(formatNumber(static_cast<double>(samples()))));
    work.restart([this, next](const RunControl& control) -> BackgroundWork::Deliver {
      auto made = std::make_shared<Ready>(makeReady(next, control));
      return [this, made] { take(std::move(*made)); };
    });
  }

  void take(Ready made)
  {
    const std::optional<BranchId> part = std::exchange(awaitedFit, std::nullopt);
    const bool isNew = std::exchange(isOfOthers, false);
    const bool keepsCamera = isNew && !isFitted && looksAlike(ready, made);
    isBehind = false;
    if (!made.all)
      made.all = ready.all;
    auto before = std::make_shared<std::pair<Ready, std::shared_ptr<const Coloring>>>(
        std::exchange(ready, std::move(made)), view.coloring);
    if (isNew) {
      hovered = {};
      firstPoint = {};
      leftOut.clear();
      const QSignalBlocker blocker(spreadSwitch);
      spreadSwitch->setChecked(ready.isSpread);
      placeActions->actions()[static_cast<int>(look.places)]->setChecked(true);
      quality.reset(kExpectedOfTube * static_cast<double>(geometry().tubes()));
      lineLevel = -1;
      while (lineCount() > kLinesAtFirst && hasCoarser())
        ++lineLevel;
      nameCells();
    }
    view.takeColoring(std::move(ready.coloring)); // its legend lays the names out
    tubes.setDrawing(ready.drawing);
    if (isNew)
      showPath({}, {});
    mark();
    fitWhatIsBack();
    view.setNotice(notice());
    view.layOutOwnOverlays();
    drawnPercent = 100;
    view.setHeaderText(summary(), summaryInFull());
    if (keepsCamera) {
      draw();
    } else if (isNew && eye == ready.camera && view.currentChoice.hidden.isEmpty() && geometry().tubes() > 0) {
      eye = ready.fitted;
      lastFit.parallel = ready.parallel;
      isFitted = true;
      takeFit(*ready.all, allNames());
    } else if (isNew) {
      view.fit();
    }
    if (part)
      fitToPart(*part);
    restyle();
    if (isNew && !quality.isFluent()) {
      quality.cameraMoves(); // lines at once, and all of it after a rest
      draw();
    }
    // To free millions of tubes takes as long as a frame.
    work.start([before = std::move(before)](const RunControl&) { return BackgroundWork::Deliver(); });
  }

  /// Why nothing is drawn of the cells there are.
  QString notice() const
  {
    const auto* current = scene();
    if (!current || current->cells.empty() || geometry().tubes() > 0)
      return {};
    if (tooFarOut() > 0)
      return tr(
          "These cells span more than a kilometre, or lie farther than a million km from the origin of their files, "
          "and are not drawn: their unit is wrong, or a number is damaged.");
    if (std::ranges::any_of(current->cells, &SceneCell::visible))
      return tr("Random trees have no shape in space. The dependency tree shows how their branches hang together.");
    return tr("All cells are hidden. Show one with the eye beside its name.");
  }

  bool namesAllCells() const { return geometry().placements.size() <= kMostNames; }

  void nameCells()
  {
    for (QLabel* name : names) {
      name->deleteLater();
    }
    names.clear();
    namedPlaces.clear();
    wholeNames.clear();
    const std::vector<TubeGeometry::Placement>& placements = geometry().placements;
    if (!ready.isSpread || placements.size() < 2) {
      return;
    }
    for (std::size_t place = 0; place < placements.size() && namedPlaces.size() < kMostNames; ++place) {
      const std::int32_t cell = placements[place].cell;
      if (!namesAllCells() && std::ranges::find(lit, cell) == lit.end())
        continue;
      namedPlaces.push_back(place);
      wholeNames << QString::fromStdString(ready.scene->cells[static_cast<std::size_t>(cell)].name);
    }
    const std::vector<int> rooms(namedPlaces.size(), kMostNameWidth);
    for (const QString& name : elidedApart(wholeNames, rooms, canvas->fontMetrics())) {
      auto* label = new QLabel(name, canvas);
      label->setAttribute(Qt::WA_TransparentForMouseEvents);
      label->setAlignment(Qt::AlignCenter);
      label->lower(); // below all that lies over the canvas
      names.push_back(label);
    }
    colorNames();
  }

  void colorNames()
  {
    for (QLabel* name : names) {
      QPalette palette = name->palette();
      palette.setColor(QPalette::WindowText, theme().secondaryText);
      palette.setColor(QPalette::Window, behindNames());
      name->setPalette(palette);
      name->setAutoFillBackground(true); // it may lie over another cell
    }
  }

  /// Of each branch, by the choice.
  std::vector<TubeMark> marks() const
  {
    std::vector<TubeMark> ofBranch(static_cast<std::size_t>(ready.firstBranch.back()), TubeMark::Plain);
    const auto markAll = [&](const BranchIds& ids, TubeMark with) {
      for (const BranchId id : ids) {
        if (const std::int32_t place = ready.idOf(id);
            place >= 0 && static_cast<std::size_t>(place) < ofBranch.size()) {
          ofBranch[static_cast<std::size_t>(place)] = with;
        }
      }
    };
    markAll(view.currentChoice.selected, TubeMark::Selected);
    markAll(view.currentChoice.hidden, TubeMark::Hidden);
    return ofBranch;
  }

  /// A tube whose branch is not known is not selected and not hidden.
  void mark()
  {
    std::vector<TubeMark> ofBranch = marks();
    light(ofBranch);
    tubes.setMarks(ofBranch);
    showsSelected = isAnySelectedShown();
    hidden.clear();
    if (!view.currentChoice.hidden.isEmpty()) {
      hidden.assign(geometry().tubes(), false);
      for (std::size_t tube = 0; tube < hidden.size(); ++tube)
        if (const std::int32_t branch = ready.drawing->branches[tube]; branch >= 0)
          hidden[tube] = ofBranch[static_cast<std::size_t>(branch)] == TubeMark::Hidden;
    }
    seen.assign(cells().size(), hidden.empty());
    for (std::size_t tube = 0; tube < hidden.size(); ++tube)
      if (!hidden[tube])
        seen[static_cast<std::size_t>(geometry().cell[tube])] = true;
    pickerIsCurrent = false;
  }

  /// Marks the cells that are lit, where no branches are selected.
  void light(std::vector<TubeMark>& ofBranch) const
  {
    if (!view.currentChoice.selected.isEmpty())
      return;
    for (const std::int32_t cell : lit)
      if (const auto place = static_cast<std::size_t>(cell); cell >= 0 && place + 1 < ready.firstBranch.size())
        for (auto branch = static_cast<std::size_t>(ready.firstBranch[place]);
             branch < static_cast<std::size_t>(ready.firstBranch[place + 1]); ++branch)
          if (ofBranch[branch] == TubeMark::Plain)
            ofBranch[branch] = TubeMark::Lit;
  }

  /// Else there is nothing that all others are to be set off from.
  bool isAnySelectedShown() const
  {
    const auto isDrawn = [this](std::int32_t cell) {
      const auto place = static_cast<std::size_t>(cell);
      return ready.scene && place < ready.scene->cells.size() && ready.scene->cells[place].visible;
    };
    const BranchChoice& choice = view.currentChoice;
    return std::ranges::any_of(choice.selected,
                               [&](BranchId id) { return isDrawn(id.cell) && !choice.hidden.has(id); });
  }

  bool isHidden(std::size_t tube) const { return !hidden.empty() && hidden[tube]; }

  TubeStyle tubeStyle() const
  {
    TubeStyle style;
    style.background = theme().canvas;
    style.selection = theme().selection;
    style.anySelected = showsSelected;
    style.hoveredBranch = ready.idOf(hovered);
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
    sayWhatIsDrawn(1);
    canvas->setSupersampling(quality.current() == Quality::Sharp ? 2 : 1);
    if (!quality.isFluent() && tubes.hasToUpload()) {
      drawPieces();
    } else if (quality.current() == Quality::Lines) {
      tubes.showLines(lineLevel);
      canvas->requestRender();
    } else if (quality.isFluent()) {
      tubes.showTubes();
      canvas->requestRender();
    } else {
      drawPieces();
    }
    rest.start(kRestAfter);
  }

  void drawPieces()
  {
    QElapsedTimer since;
    since.start();
    canvas->requestPieces([this, since, pieces = TubePieces(tubes, geometry().tubes())](double lastTook) mutable {
      if (quality.current() != Quality::Lines || tubes.hasToUpload()) {
        const bool goesOn = pieces.next(lastTook);
        sayWhatIsDrawn(goesOn && since.elapsed() > kPatientFor ? pieces.done() : 1);
        return goesOn;
      }
      tubes.showLines(lineLevel);
      return false;
    });
  }

  /// In the header, in steps of a percent; 1: all of it is.
  void sayWhatIsDrawn(double done)
  {
    const int percent = static_cast<int>(100 * done);
    if (isBehind || std::exchange(drawnPercent, percent) == percent)
      return;
    if (percent == 100)
      return view.setHeaderText(summary(), summaryInFull());
    view.setHeaderText(tr("%1; %2 % drawn").arg(summary()).arg(percent),
                       tr("%1\n%2 % of the segments are drawn so far: the picture of so many comes in pieces, and the "
                          "rest follows. The view can be used meanwhile.")
                           .arg(summaryInFull())
                           .arg(percent));
  }

  /// The whole picture in the next frame, whatever that takes.
  void drawWhole(Quality wantedQuality)
  {
    quality.force(wantedQuality);
    canvas->setSupersampling(wantedQuality == Quality::Sharp ? 2 : 1);
    tubes.showTubes();
    canvas->requestRender();
  }

  /// Lines of a moving picture, at the current level of detail.
  std::size_t lineCount() const
  {
    return lineLevel < 0 ? geometry().tubes() : ready.drawing->lines[static_cast<std::size_t>(lineLevel)].size() / 2;
  }
  bool hasCoarser() const { return lineLevel + 1 < static_cast<int>(ready.drawing->lines.size()); }

  void takeFrame()
  {
    const double took = canvas->lastRenderMilliseconds();
    quality.measured(took);
    if (quality.current() == Quality::Lines && took > FrameQuality::kFluentFrame && hasCoarser())
      ++lineLevel;
    else if (quality.current() == Quality::Lines && took < FrameQuality::kFluentFrame / 4 && lineLevel >= 0)
      --lineLevel;
  }

  /// `turns`: of a full turn about the upward direction, of a figure that is one of several. They are equally large,
  /// and without names, which would come and go.
  MorphologyFigure figureAt(std::optional<double> turns) const
  {
    MorphologyFigure figure{ready.drawing,
                            marks(),
                            showsSelected,
                            look.isClipped ? std::optional(clipOffset) : std::nullopt,
                            lastFit.forFigure(eye),
                            lastFit.forParallelFigure(eye),
                            {},
                            path->drawn()};
    if (turns) {
      for (OrbitCamera* camera : {&figure.camera, &figure.parallel}) {
        if (isFitted)
          holdAllTurns(*camera);
        camera->rotate({2 * *turns * eye.viewport().height(), 0});
      }
    } else if (namesAllCells()) { // a figure is without what follows the list of cells
      figure.names = wholeNames;
      for (std::size_t name = 0; name < names.size(); ++name)
        if (!isNameSeen(name))
          figure.names[static_cast<qsizetype>(name)].clear();
    }
    return figure;
  }

  /// Goes so far away that the picture has all of the cells however they are turned. Of very many tubes it looks at the
  /// spheres around the boxes of blocks.
  void holdAllTurns(OrbitCamera& camera) const
  {
    constexpr double kMargin = 1.06;
    const double vertical = std::tan(camera.viewAngle() / 2 * std::numbers::pi / 180);
    const double horizontal = vertical * camera.viewport().width() / camera.viewport().height();
    // In perspective a circle around the axis is widest before it has come to the side.
    const double widest = camera.parallel() ? 1 / horizontal : std::hypot(1, 1 / horizontal);
    double needed = camera.focalDistance();
    const auto hold = [&](const Vec3& point, double around) {
      const Vec3 away = point - camera.focalPoint();
      const double height = std::abs(dot(away, camera.up())) + around;
      const double radius = std::hypot(dot(away, camera.right()), dot(away, camera.backward())) + around;
      needed =
          std::max({needed, kMargin * radius * widest, kMargin * height / vertical + (camera.parallel() ? 0 : radius)});
    };
    if (geometry().tubes() < kFittedByBlocks)
      for (std::size_t tube = 0; tube < geometry().tubes(); ++tube)
        for (const std::vector<float>* ends : {&geometry().endA, &geometry().endB})
          hold({(*ends)[3 * tube], (*ends)[3 * tube + 1], (*ends)[3 * tube + 2]}, 0);
    else
      for (const TubeGeometry::Block& block : geometry().blocks)
        hold(block.centre, norm(block.reach));
    const QSizeF size = camera.viewport();
    camera.zoomAt({size.width() / 2, size.height() / 2}, camera.focalDistance() / needed);
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
    if (!quality.isFluent()) {
      quality.cameraMoves(); // the picture of another camera must not stay
      draw();
    }
    emit canvas->viewChanged();
  }

  /// Those that are shown.
  Overlays overlays() const
  {
    Overlays shown;
    for (const QWidget* overlay : {static_cast<const QWidget*>(view.legendOverlay()),
                                   static_cast<const QWidget*>(view.timingCard()), static_cast<const QWidget*>(scale)})
      if (overlay && !overlay->isHidden())
        shown.places.emplace_back(overlay->geometry());
    if (!view.timingCard()->isHidden())
      shown.card = view.timingCard()->isFolded() ? Overlays::Card::Folded : Overlays::Card::Whole;
    return shown;
  }

  QRectF placeOfName(std::size_t name, const OrbitCamera& camera) const
  {
    return widgets::placeOfName(geometry().placements[namedPlaces[name]], camera, names[name]->sizeHint());
  }

  /// A cell without any branch that is shown goes without its name.
  bool isNameSeen(std::size_t name) const
  {
    const auto cell = static_cast<std::size_t>(geometry().placements[namedPlaces[name]].cell);
    return cell >= seen.size() || seen[cell]; // of cells that have just come nothing is marked yet
  }

  std::vector<std::size_t> allNames() const
  {
    std::vector<std::size_t> all(names.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::erase_if(all, [this](std::size_t name) { return !isNameSeen(name); });
    return all;
  }

  /// Of that cell of the scene; empty: it has none.
  std::vector<std::size_t> nameOf(std::int32_t cell) const
  {
    std::vector<std::size_t> all = allNames();
    std::erase_if(all, [&](std::size_t name) { return geometry().placements[namedPlaces[name]].cell != cell; });
    return all;
  }

  /// Names go below their cells; one that would cover another, or an overlay, nearby.
  void moveNames()
  {
    std::vector<QRectF> taken = overlays().places;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const QRectF place = isNameSeen(i) ? freePlaceOfName(geometry().placements[namedPlaces[i]], eye,
                                                           names[i]->sizeHint(), taken, QRectF(canvas->rect()))
                                         : QRectF();
      if (!place.isNull()) {
        names[i]->setGeometry(place.toRect());
        taken.push_back(place);
      }
      names[i]->setVisible(!place.isNull());
    }
    path->setTaken(std::move(taken));
  }

  OrbitCamera& camera() override { return eye; }

  void cameraMoved() override
  {
    isFitted = false;
    awaitedFit.reset();
    hovered = {};
    drawMoved();
  }

  void drawMoved()
  {
    cameraChanged();
    quality.cameraMoves();
    draw();
  }

  /// With the names below some cells. Nothing happens where there is nothing.
  void fitTo(const Extent& extent, const std::vector<std::size_t>& named = {})
  {
    if (extent.isEmpty())
      return;
    eye.fit(extent.points, extent.radii);
    lastFit.parallel = fittedInParallel(eye, extent);
    takeFit(extent, named);
  }

  /// To a branch, or to a cell where the branch is -1; of a drawing that is made ready, when it is.
  void fitToPart(BranchId part)
  {
    if (part.cell < 0)
      return;
    if (isBehind) {
      awaitedFit = part;
      return;
    }
    isFitted = false;
    if (part.branch < 0)
      return fitTo(
          extentOf(geometry(), [&](std::size_t tube) { return geometry().cell[tube] == part.cell && !isHidden(tube); }),
          nameOf(part.cell));
    const std::int32_t wanted = ready.idOf(part);
    fitTo(
        extentOf(geometry(), [&](std::size_t tube) { return wanted >= 0 && ready.drawing->branches[tube] == wanted; }));
  }

  /// To what was shown when the view was fitted last, so that what is hidden since then leaves its place.
  void fitAgain()
  {
    if (leftOut.empty())
      fitTo(*ready.all, allNames());
    else
      fitTo(extentOfRest(geometry(), leftOut), allNames());
  }

  /// A fitted view shows everything: also what was hidden when it was fitted, and is shown again.
  void fitWhatIsBack()
  {
    if (!isFitted)
      return;
    for (std::size_t tube = 0; tube < leftOut.size(); ++tube)
      if (leftOut[tube] && !isHidden(tube))
        return view.fit();
  }

  /// The camera was fitted to that.
  void takeFit(const Extent& extent, const std::vector<std::size_t>& named)
  {
    lastFit.alone = eye;
    room.leaveOverlays(eye, extent, overlays(), [&](const OrbitCamera& camera) {
      std::vector<QRectF> places;
      for (const std::size_t name : named)
        places.push_back(placeOfName(name, camera));
      return places;
    });
    lastFit.beside = eye;
    clipOffset = 0;
    cameraChanged();
  }

  void refreshPicker()
  {
    if (!pickerIsCurrent) {
      picker.aim(geometry(), eye, &hidden);
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
    if (isBehind) {
      return {};
    }
    const TubePicker::Pick pick = pickAt(position);
    return pick.tube < 0 ? BranchId() : ready.branchOfTube(static_cast<std::size_t>(pick.tube));
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
    const bool isA = awayOf(geometry().endA) < awayOf(geometry().endB);
    return {geometry().cell[tube], (isA ? geometry().sampleA : geometry().sampleB)[tube]};
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
    path->setPlaces(geometry());
    for (QWidget* over : {static_cast<QWidget*>(view.legendOverlay()), static_cast<QWidget*>(view.timingCard()),
                          static_cast<QWidget*>(scale)})
      over->raise(); // the path is above the names of cells, and below what covers these
  }
  bool takesAreas() const override { return true; }
  void takeArea(const DrawnArea& area, Qt::KeyboardModifiers modifiers) override
  {
    if (isBehind) {
      return;
    }
    refreshPicker();
    const std::vector<std::int32_t>& branches = ready.drawing->branches;
    std::vector<BranchId> found;
    std::int32_t last = -1; // tubes of a branch follow one another
    for (const std::size_t tube :
         (area.isLoop ? picker.inside(area.outline, clipDepth()) : picker.inside(area.box(), clipDepth()))) {
      if (branches[tube] >= 0 && std::exchange(last, branches[tube]) != branches[tube]) {
        found.push_back(ready.branchOfTube(tube));
      }
    }
    emit view.branchesPicked(found, areaModeOf(modifiers));
  }
  void awaitedAreaTaken() override { emit view.awaitedAreaDrawn(); }
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
      isFitted = false;
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

  /// As short as a header in a small window needs it.
  QString summary() const
  {
    const std::size_t shown = geometry().placements.size();
    if (shown == 0) {
      return {};
    }
    if (rulerSwitch->isChecked())
      return tr("Click two points of a cell");
    QString text = unseen() > 0 ? tr("%1 of %2 cells").arg(number(shown), number(cells().size()))
                   : shown > 1  ? tr("%1 cells").arg(number(shown))
                                : nameOfFirst();
    text += tr(", %1 segments").arg(number(geometry().tubes()));
    if (const std::size_t far = tooFarOut(); far > 0)
      text += tr("; %1 too far out").arg(number(far));
    return text;
  }

  QString summaryInFull() const
  {
    const std::size_t shown = geometry().placements.size();
    if (shown == 0) {
      return {};
    }
    QString text = unseen() > 0 ? tr("%1 of %2 cells shown: ").arg(number(shown), number(cells().size()))
                   : shown > 1  ? tr("%1 cells, ").arg(number(shown))
                                : QString();
    if (shown == 1)
      text += nameOfFirst() + QStringLiteral(", ");
    text += tr("%1 segments").arg(number(geometry().tubes()));
    if (unseen() > 0)
      text += tr("; the others are solved too");
    if (const std::size_t far = tooFarOut(); far > 0)
      text += tr("; %1 more too far out to draw, but solved").arg(number(far));
    return text;
  }

  static QString number(std::size_t value) { return formatNumber(static_cast<double>(value)); }
  std::size_t unseen() const
  {
    return static_cast<std::size_t>(std::ranges::count(cells(), false, &SceneCell::visible));
  }
  QString nameOfFirst() const
  {
    return QString::fromStdString(cells()[static_cast<std::size_t>(geometry().placements.front().cell)].name);
  }

  /// Visible cells with a shape that cannot be drawn.
  std::size_t tooFarOut() const
  {
    const auto& all = scene()->cells;
    const auto shaped = std::count_if(all.begin(), all.end(), [](const SceneCell& cell) {
      return cell.visible && cell.discretization && cell.discretization->morphology->samples() > 0;
    });
    return static_cast<std::size_t>(shaped) - geometry().placements.size();
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
  std::vector<QLabel*> names;           ///< of cells
  std::vector<std::size_t> namedPlaces; ///< of these cells in TubeGeometry::placements
  QStringList wholeNames;               ///< the names, not elided

  OrbitCamera eye;
  bool isFitted = false; ///< shows everything, as `fit` did
  OverlaidFit lastFit;
  RoomFit room;              ///< beside overlays
  std::vector<bool> leftOut; ///< per tube, hidden when all was fitted; empty: none was
  Ready ready = nothingReady();
  bool isBehind = false;              ///< that is not yet what is wanted
  bool isOfOthers = false;            ///< but of other cells, or at other places
  std::optional<BranchId> awaitedFit; ///< of what is wanted, as fitToPart has it
  TubePicker picker;
  bool pickerIsCurrent = false;
  std::vector<const void*> wantedFrom;
  MorphologyLook look;
  std::vector<bool> hidden;   ///< per tube; empty: none is
  std::vector<bool> seen;     ///< per cell: whether any of its tubes is shown
  bool showsSelected = false; ///< a branch that is drawn is selected
  BranchId hovered;
  std::vector<std::int32_t> lit;     ///< cells
  std::optional<double> figureTurns; ///< of the camera of a figure that is one of a turn
  double clipOffset = 0;             ///< of the clipping plane beyond the focal point, scene units

  FrameQuality quality;
  int lineLevel = -1;     ///< of a moving picture
  int drawnPercent = 100; ///< that the header tells
  QTimer rest;
  QTimer hoverDelay;
  OrbitGestures gestures{canvas, *this};
  BackgroundWork work; ///< makes ready what is wanted
};

MorphologyView::MorphologyView(QWidget* parent) : View(tr("Morphology"), parent), d(std::make_unique<Private>(*this))
{
  setObjectName(QStringLiteral("morphologyView"));
  setLegendOf(LegendOf::VisibleCells);
  setColorsOf(ColorsOf::BranchesAndSamples);
  keepHeaderText(); // no title in the drawing says it
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
    if (!d->isBehind)
      setHeaderText(d->summary(), d->summaryInFull());
  });
  connect(fitButton, &QToolButton::clicked, this, &MorphologyView::fit);
  d->hoverDelay.setSingleShot(true);
  connect(&d->hoverDelay, &QTimer::timeout, this, [this] { d->restyle(); });
  d->rest.setSingleShot(true);
  connect(&d->rest, &QTimer::timeout, this, [this] {
    if (d->canvas->isInPieces()) {
      d->rest.start();
    } else if (d->quality.improve()) {
      d->draw();
    }
  });
  connect(d->canvas, &VtkWidget::rendered, this, [this] { d->takeFrame(); });
  connect(&d->work, &BackgroundWork::outOfMemory, this,
          [this] { emit failed(tr("The cells need more memory to be drawn than is free; hide some of them.")); });
  d->restyle();
}

MorphologyView::~MorphologyView() = default;

void MorphologyView::setScene(std::shared_ptr<const Scene> scene)
{
  takeScene(std::move(scene));
  auto from = d->drawnMorphologies();
  const bool sameCells = from == d->wantedFrom;
  if (!sameCells)
    d->awaitedFit.reset();
  d->wantedFrom = std::move(from);
  d->refresh(sameCells);
}

void MorphologyView::setChoice(const BranchChoice& choice)
{
  View::setChoice(choice);
  if (d->isBehind) {
    return; // it is of the scene that is made ready
  }
  d->hovered = {};
  d->mark();
  d->moveNames();
  d->fitWhatIsBack();
  d->restyle();
}

void MorphologyView::recolor()
{
  d->refresh(true);
}

void MorphologyView::fit()
{
  d->awaitedFit.reset();
  d->leftOut = d->hidden;
  d->fitAgain();
  d->isFitted = true;
}

void MorphologyView::awaitArea(std::optional<AreaShape> shape)
{
  d->gestures.awaitArea(shape);
}

void MorphologyView::fitTo(BranchId id)
{
  d->fitToPart(id);
}

void MorphologyView::fitToCell(std::int32_t cell)
{
  d->fitToPart({cell, -1});
}

void MorphologyView::setLitCells(std::vector<std::int32_t> cells)
{
  if (d->lit == cells)
    return;
  d->lit = std::move(cells);
  if (!d->namesAllCells()) {
    d->nameCells();
    d->moveNames();
  }
  d->mark();
  d->restyle();
}

const std::vector<std::int32_t>& MorphologyView::litCells() const
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
  d->work.wait();
  d->drawWhole(Quality::Sharp);
  return d->canvas->grabPicture();
}

void MorphologyView::settle()
{
  d->work.wait();
  if (!d->quality.isFluent())
    d->drawWhole(Quality::Plain);
}

Figure MorphologyView::figureTurned(double turns)
{
  Figure turned = figure();
  const auto atTurn = [this, turns](const auto& make) {
    return [this, turns, make](auto&&... with) {
      const auto before = std::exchange(d->figureTurns, turns);
      const auto atEnd = qScopeGuard([&] { d->figureTurns = before; });
      return make(std::forward<decltype(with)>(with)...);
    };
  };
  turned.paint = atTurn(turned.paint);
  turned.still = atTurn(turned.still);
  return turned;
}

void MorphologyView::paintFigure(QPainter& painter, const FigureArea& area)
{
  d->work.wait();
  d->figureAt(d->figureTurns).paint(painter, area, *coloring);
}

View::StillPainter MorphologyView::stillPainter(ThemeMode)
{
  return [figure = d->figureAt(d->figureTurns)](QPainter& painter, const FigureArea& area, const Coloring& colors) {
    figure.paint(painter, area, colors);
  };
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
    d->refresh(false);
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
  return d->geometry();
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
  d->scale->setVisible(d->geometry().tubes() > 0 && hasRoom);
  const bool isResized = area != d->eye.viewport();
  d->eye.setViewport(area);
  if (d->isFitted && (isResized || d->room.isOutdatedBy(d->overlays()))) {
    d->fitAgain();
  } else if (isResized) {
    d->cameraChanged();
  } else {
    d->moveNames();
  }
}

} // namespace hinesight::widgets
