#include "gl_test.hpp"
#include "study/simulation/sample_circuit.hpp"
#include "test_main.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/legend_overlay.hpp"
#include "widgets/orbit/vtk_widget.hpp"
#include "widgets/simulation/voltage_overlay.hpp"
#include "widgets/simulation/voltage_tubes.hpp"
#include "widgets/simulation/voltage_view.hpp"
#include "widgets/theme.hpp"
#include "widgets/theme_scope.hpp"

#include <QApplication>
#include <QPainter>
#include <QSignalSpy>
#include <QWheelEvent>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::widgets;
using namespace hinesight::test;

/// The picture of cells that are simulated.
class TestVoltageView : public QObject
{
  Q_OBJECT

  std::shared_ptr<const study::SimulationModel> cell;
  std::shared_ptr<const study::SimulationModel> circuit;
  std::unique_ptr<VoltageView> view;

  static std::shared_ptr<const study::SimulationModel> open(const std::string& path)
  {
    study::SimulationRequest request;
    request.file = path;
    return std::make_shared<const study::SimulationModel>(study::openModel(request));
  }

  /// All nodes at a level but those of one section.
  static study::SharedFrame frame(const study::SimulationModel& model, std::uint8_t level, std::int32_t section = -1,
                                  std::uint8_t there = 0)
  {
    auto made = std::make_shared<study::VoltageFrame>();
    made->levels.assign(model.compartments(), level);
    const cell::CutCell& cut = model.circuit.network.models[0]->cut;
    for (std::size_t node = 0; node < cut.nodes(); ++node)
      if (cut.section[node] == section)
        made->levels[node] = there;
    return made;
  }

  static QColor paletteColor(std::uint8_t level)
  {
    const std::uint32_t bytes = voltagePalette()[level];
    return {static_cast<int>(bytes & 255), static_cast<int>(bytes >> 8 & 255), static_cast<int>(bytes >> 16 & 255)};
  }

  static QColor pixelAt(const QImage& picture, const QPointF& pixel)
  {
    return picture.pixelColor((pixel * picture.devicePixelRatio()).toPoint());
  }

  /// Of the cell, in two columns; µm.
  std::shared_ptr<const study::SimulationModel> tallBlock() const
  {
    constexpr std::size_t kCells = 16;
    constexpr double kAcross = 1200;
    constexpr double kUp = 800;
    auto block = std::make_shared<study::SimulationModel>(*cell);
    block->circuit.network.modelOf.assign(kCells, 0);
    block->places.assign(kCells, {});
    for (std::size_t k = 0; k < kCells; ++k)
      block->places[k].position = {k % 2 == 0 ? -kAcross : kAcross, kUp * static_cast<double>(k / 2), 0};
    return block;
  }

  /// As many as wanted of the cell, around an ellipse that comes nearer to its right; µm.
  std::shared_ptr<const study::SimulationModel> ringOf(std::size_t cells) const
  {
    constexpr double kAcross = 5000;
    constexpr double kUp = 3000;
    constexpr double kNearer = 0.6; // per way to the right
    auto ring = std::make_shared<study::SimulationModel>(*cell);
    ring->circuit.network.modelOf.assign(cells, 0);
    ring->places.assign(cells, {});
    for (std::size_t k = 0; k < cells; ++k) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(cells);
      const double x = kAcross * std::cos(angle);
      ring->places[k].position = {x, kUp * std::sin(angle), kNearer * x};
    }
    return ring;
  }

  /// What is at the end of a tube that is not seen as it should be; empty: nothing is.
  QString whatIsCovered() const
  {
    std::vector<std::pair<QString, QRectF>> overlays{{QStringLiteral("clock"), view->overlay().clockRect()}};
    for (const char* name : {"voltageLegend", "scaleBar", "simulationCard"})
      if (const auto* overlay = view->findChild<QWidget*>(QLatin1String(name)); overlay->isVisible())
        overlays.emplace_back(QLatin1String(name), overlay->geometry());
    const TubeGeometry& geometry = view->tubes().geometry;
    for (const std::vector<float>* ends : {&geometry.endA, &geometry.endB})
      for (std::size_t i = 0; i < ends->size(); i += 3) {
        const ScreenPoint at = view->camera().project({(*ends)[i], (*ends)[i + 1], (*ends)[i + 2]});
        if (!QRectF(view->canvas()->rect()).adjusted(5, 5, -5, -5).contains(at.x, at.y))
          return QStringLiteral("the end of the canvas");
        for (const auto& [name, place] : overlays)
          if (place.contains(at.x, at.y))
            return name;
      }
    return {};
  }

  void show(const std::shared_ptr<const study::SimulationModel>& model)
  {
    view = std::make_unique<VoltageView>();
    view->resize(700, 600);
    view->setModel(model);
    view->show();
    QVERIFY(QTest::qWaitForWindowExposed(view.get()));
    view->fit();
  }

  /// So many that no frame has them all as tubes. `inLines`: of each picture that has them, whether they are lines.
  void showMany(std::vector<bool>* inLines = nullptr)
  {
    constexpr std::size_t kCells = 600;
    auto many = std::make_shared<study::SimulationModel>(*cell);
    many->circuit.network.modelOf.assign(kCells, 0);
    view = std::make_unique<VoltageView>();
    view->resize(700, 600);
    view->show();
    QVERIFY(QTest::qWaitForWindowExposed(view.get()));
    if (inLines)
      connect(view.get(), &VoltageView::painted, this, [this, inLines] {
        if (view->tubes().geometry.tubes() > 0)
          inLines->push_back(view->drawsLines());
      });
    view->setModel(many);
  }

  bool isSeen() const
  {
    const QImage seen = view->canvas()->grabFramebuffer();
    for (int y = 0; y < seen.height(); y += 3)
      for (int x = 0; x < seen.width(); x += 3)
        if (distance(seen.pixelColor(x, y), theme().canvas) > 60)
          return true;
    return false;
  }

  /// Nearer, by the wheel in the middle.
  void zoom() const
  {
    const QPointF middle = QRectF(view->canvas()->rect()).center();
    QWheelEvent wheel(middle, view->canvas()->mapToGlobal(middle), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(view->canvas(), &wheel);
  }

private slots:
  void initTestCase()
  {
    cell = open(":/samples/synthetic_pyramidal_fit.json");
    circuit = open(study::kSampleCircuit);
  }
  void cleanup() { view.reset(); }

  void paletteGoesFromDarkToLight()
  {
    const std::vector<std::uint32_t> palette = voltagePalette();
    QCOMPARE(palette.size(), std::size_t{256});
    for (int level = 1; level < 256; ++level)
      QVERIFY(paletteColor(static_cast<std::uint8_t>(level)).lightnessF() >=
              paletteColor(static_cast<std::uint8_t>(level - 1)).lightnessF() - 0.02F);
    QVERIFY(distance(paletteColor(0), paletteColor(255)) > 100);
  }

  void everyNodeWithMembraneIsDrawn()
  {
    const VoltageTubes tubes = buildVoltageTubes(*cell);
    const cell::CutCell& cut = cell->circuit.network.models[0]->cut;
    std::size_t drawn = 0;
    std::size_t wanted = 0;
    for (std::size_t node = 0; node < cut.nodes(); ++node)
      if (cut.area[node] > 0) {
        ++wanted;
        drawn += drawnPlaceOf(tubes, 0, static_cast<std::int32_t>(node)) ? 1 : 0;
      }
    QVERIFY2(drawn >= wanted * 95 / 100, qPrintable(QStringLiteral("%1 of %2").arg(drawn).arg(wanted)));
    QVERIFY(drawnPlaceOf(tubes, 0, cut.nodeAt(0, 0.5)));
    for (const std::int32_t place : tubes.places())
      QVERIFY(place >= 0 && static_cast<std::size_t>(place) < cell->compartments());
  }

  /// Cells without places stand beside each other.
  void cellsWithoutPlacesDoNotOverlap()
  {
    const VoltageTubes tubes = buildVoltageTubes(*circuit);
    QVERIFY(tubes.isSpread);
    const auto& placed = tubes.geometry.placements;
    QCOMPARE(placed.size(), circuit->circuit.network.cells());
    for (std::size_t a = 0; a < placed.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const bool apartInX = placed[a].lower[0] > placed[b].upper[0] || placed[b].lower[0] > placed[a].upper[0];
        const bool apartInY = placed[a].lower[1] > placed[b].upper[1] || placed[b].lower[1] > placed[a].upper[1];
        QVERIFY(apartInX || apartInY);
      }
  }

  void cellsStandAndTurnAsTheirPlacesSay()
  {
    study::SimulationModel placed = *circuit;
    placed.places.assign(placed.circuit.network.cells(), {});
    placed.places[1].position = {500, 0, 0};
    placed.places[2].angles = {0, 0, 1.5707963267948966}; // about z: what was up is left
    const VoltageTubes tubes = buildVoltageTubes(placed);
    QVERIFY(!tubes.isSpread);
    const auto& at = tubes.geometry.placements;
    QVERIFY(std::abs(at[1].lower[0] - at[0].lower[0] - 500) < 1e-3);
    // Turned by a quarter: its height is the width of the one that is not.
    QVERIFY(std::abs((at[2].upper[1] - at[2].lower[1]) - (at[0].upper[0] - at[0].lower[0])) < 1e-2);
    QVERIFY(std::abs((at[2].upper[0] - at[2].lower[0]) - (at[0].upper[1] - at[0].lower[1])) < 1e-2);
  }

  void aPotentialColoursItsCompartment()
  {
    show(cell);
    const cell::CutCell& cut = cell->circuit.network.models[0]->cut;
    const CellNode soma{0, cut.nodeAt(0, 0.5)};
    for (const std::uint8_t level : {std::uint8_t{30}, std::uint8_t{128}, std::uint8_t{250}}) {
      view->setFrame(frame(*cell, 60, 0, level));
      const QColor seen = pixelAt(view->grabPicture(), *view->pixelOf(soma));
      const QColor wanted = paletteColor(level);
      // Light falls on it: the hue stays.
      QVERIFY2(hueDistance(seen, wanted) <= 12, qPrintable(seen.name() + " " + wanted.name()));
    }
  }

  void theNextFrameIsAnotherPictureOfTheSameCells()
  {
    show(cell);
    view->setFrame(frame(*cell, 20));
    const QImage before = view->grabPicture();
    const TubeGeometry* geometry = &view->tubes().geometry;
    view->setFrame(frame(*cell, 240));
    const QImage after = view->grabPicture();
    QCOMPARE(&view->tubes().geometry, geometry);
    int changed = 0;
    int background = 0;
    for (int y = 0; y < after.height(); y += 4)
      for (int x = 0; x < after.width(); x += 4) {
        const bool isBackground = distance(before.pixelColor(x, y), theme().canvas) < 4;
        background += isBackground;
        if (!isBackground && distance(before.pixelColor(x, y), after.pixelColor(x, y)) > 40)
          ++changed;
        // What was empty stays empty: nothing moved.
        if (isBackground)
          QVERIFY(distance(after.pixelColor(x, y), theme().canvas) < 60);
      }
    QVERIFY2(changed > 100, qPrintable(QString::number(changed)));
    QVERIFY(background > changed);
  }

  void aClickPicksThePlaceUnderIt()
  {
    show(cell);
    const cell::CutCell& cut = cell->circuit.network.models[0]->cut;
    QSignalSpy picked(view.get(), &VoltageView::placePicked);
    QSignalSpy selected(view.get(), &VoltageView::cellPicked);
    auto* canvas = view->findChild<QWidget*>(QStringLiteral("voltageCanvas"));
    const CellNode soma{0, cut.nodeAt(0, 0.5)};
    const QPoint at = view->pixelOf(soma)->toPoint();
    QTest::mouseClick(canvas, Qt::LeftButton, {}, at);
    QCOMPARE(picked.size(), 1);
    QCOMPARE(picked[0][0].value<CellNode>(), soma);
    QTest::mouseClick(canvas, Qt::LeftButton, Qt::ControlModifier, at);
    QCOMPARE(picked.size(), 1);
    QCOMPARE(selected.size(), 1);
    QTest::mouseClick(canvas, Qt::LeftButton, {}, QPoint(3, canvas->height() / 2));
    QCOMPARE(picked.size(), 1);
  }

  void whatIsDrawnIsFoundAgain()
  {
    show(cell);
    const cell::CutCell& cut = cell->circuit.network.models[0]->cut;
    int found = 0;
    int tried = 0;
    for (std::size_t s = 1; s < cut.sections.size(); s += 5) {
      const CellNode place{0, cut.nodeAt(static_cast<std::int32_t>(s), 0.5)};
      const auto pixel = view->pixelOf(place);
      if (!pixel)
        continue;
      ++tried;
      const auto back = view->nodeAt(*pixel);
      found += back && cut.section[static_cast<std::size_t>(back->node)] == static_cast<std::int32_t>(s) ? 1 : 0;
    }
    QVERIFY(tried > 10);
    QVERIFY2(found >= tried * 7 / 10, qPrintable(QStringLiteral("%1 of %2").arg(found).arg(tried)));
  }

  void theClockAndTheLegendAreInThePicture()
  {
    show(cell);
    auto at = std::make_shared<study::VoltageFrame>(*frame(*cell, 100));
    at->time = 12.5;
    view->setFrame(at);
    QCOMPARE(view->overlay().clock(), QStringLiteral("12.50 ms"));
    QVERIFY(view->legend().isVisible());
    QCOMPARE(view->legend().legend().low, -90.0);
    QCOMPARE(view->legend().legend().high, 40.0);
    QVERIFY(view->legend().legend().title.contains(QStringLiteral("mV")));
  }

  void noCellIsUnderAnOverlay_data()
  {
    QTest::addColumn<int>("cells");
    QTest::addColumn<QSize>("size");
    QTest::newRow("one") << 1 << QSize(700, 600);
    QTest::newRow("one in a small view") << 1 << QSize(420, 380);
    QTest::newRow("a ring of them") << 18 << QSize(900, 560);
  }

  /// Also once there is the card of a run, which is larger than the room that is kept for it, and after another size.
  void noCellIsUnderAnOverlay()
  {
    QFETCH(int, cells);
    QFETCH(QSize, size);
    view = std::make_unique<VoltageView>();
    view->resize(size);
    view->show();
    QVERIFY(QTest::qWaitForWindowExposed(view.get()));
    view->setModel(ringOf(static_cast<std::size_t>(cells)));
    QTRY_VERIFY_WITH_TIMEOUT(view->tubes().geometry.tubes() > 0, 60'000);
    QVERIFY(view->legend().isVisible());
    QCOMPARE(whatIsCovered(), QString());
    StageTimings timings;
    timings.add("cells", 2);
    timings.add("events", 1);
    view->timingCard()->addRun(timings);
    QCOMPARE(view->timingCard()->isVisible(), size.width() > 600); // there is no room for it in the small one
    QCOMPARE(whatIsCovered(), QString());
    view->resize(size + QSize(80, 40));
    QTRY_COMPARE(view->canvas()->size(), size + QSize(80, 40));
    QCOMPARE(whatIsCovered(), QString());
    // Not where a person has put it.
    QTest::keyClick(view->canvas(), Qt::Key_R);
    zoom();
    const OrbitCamera moved = view->camera();
    view->timingCard()->clear();
    view->timingCard()->addRun(timings);
    QVERIFY(view->camera() == moved);
  }

  void cellsTakeTheRoomOfACardThatFolds()
  {
    view = std::make_unique<VoltageView>();
    view->resize(640, 400);
    view->show();
    QVERIFY(QTest::qWaitForWindowExposed(view.get()));
    view->setModel(ringOf(12));
    QTRY_VERIFY_WITH_TIMEOUT(view->tubes().geometry.tubes() > 0, 60'000);
    TimingCard* card = view->timingCard();
    StageTimings timings;
    for (const char* stage : {"cells", "rates", "solve", "events", "probes"})
      timings.add(stage, 1); // so many that it may fold
    card->addRun(timings);
    const auto toggle = [&] {
      const bool wasFolded = card->isFolded();
      QTest::mouseClick(card, Qt::LeftButton);
      return card->isVisible() && card->isFolded() != wasFolded;
    };
    QVERIFY(card->isFolded() && toggle());
    view->fit();
    const OrbitCamera beside = view->camera();
    QVERIFY(toggle());
    QVERIFY(view->camera().focalDistance() < beside.focalDistance());
    // Not after a person has moved it.
    QVERIFY(toggle());
    view->fit();
    zoom();
    const OrbitCamera moved = view->camera();
    QVERIFY(toggle());
    QVERIFY(view->camera() == moved);
  }

  /// What is slower to draw than a view rests is drawn all the same: first in lines, then in tubes.
  void manyCellsAreSeen()
  {
    std::vector<bool> inLines;
    showMany(&inLines);
    QTRY_VERIFY_WITH_TIMEOUT(isSeen(), 60'000);
    QVERIFY(!inLines.empty() && inLines.front());
    QTRY_VERIFY_WITH_TIMEOUT(!inLines.back(), 60'000);
    QVERIFY(isSeen());
  }

  /// Each time that a dock folds or a bar opens.
  void manyCellsStayInAnotherSize()
  {
    showMany();
    QTRY_VERIFY_WITH_TIMEOUT(isSeen(), 60'000);
    for (const QSize& size : {QSize(560, 600), QSize(560, 480), QSize(700, 600)}) {
      view->resize(size);
      QTRY_COMPARE(view->canvas()->size(), size);
      QVERIFY(isSeen());
      QTest::qWait(10); // the next picture has begun
      QVERIFY(isSeen());
    }
    view->hide();
    view->show();
    QVERIFY(isSeen());
  }

  /// Few lines of a moving picture are still all of the cells: the points of a section are joined.
  void linesOfACellLeaveNoneOfItOut()
  {
    const VoltageTubes tubes = buildVoltageTubes(*ringOf(40));
    const auto place = [&](std::uint32_t end) {
      const std::vector<float>& ends = end % 2 == 0 ? tubes.geometry.endA : tubes.geometry.endB;
      const std::size_t at = 3 * static_cast<std::size_t>(end / 2);
      return Vec3{ends[at], ends[at + 1], ends[at + 2]};
    };
    double whole = 0;
    for (std::uint32_t tube = 0; tube < tubes.geometry.tubes(); ++tube)
      whole += norm(place(2 * tube + 1) - place(2 * tube));
    const auto levels = tubes.lines();
    QVERIFY(!levels.empty());
    for (const std::vector<std::uint32_t>& ends : levels) {
      double length = 0;
      for (std::size_t line = 0; line + 1 < ends.size(); line += 2)
        length += norm(place(ends[line + 1]) - place(ends[line]));
      QVERIFY2(length > 0.85 * whole, qPrintable(QStringLiteral("%1 of %2").arg(length).arg(whole)));
    }
  }

  void marksOfHiddenCellsAreHidden()
  {
    show(circuit);
    const auto somaOf = [this](std::uint32_t of) {
      const simulation::Network& network = circuit->circuit.network;
      return CellNode{of, network.models[network.modelOf[of]]->cut.nodeAt(0, 0.5)};
    };
    view->setMarks({{somaOf(0), Qt::red, QStringLiteral("a")}, {somaOf(1), Qt::blue, QStringLiteral("b")}});
    QCOMPARE(view->overlay().marks().size(), std::size_t{2});
    view->setHiddenCells({0});
    QCOMPARE(view->overlay().marks().size(), std::size_t{1});
    QCOMPARE(view->overlay().marks().front().label, QStringLiteral("b"));
    view->setMarks({{somaOf(0), Qt::red, QStringLiteral("a")}});
    QVERIFY(view->overlay().marks().empty());
    view->setHiddenCells({});
    QCOMPARE(view->overlay().marks().size(), std::size_t{1});
  }

  void aSelectedCellIsOutlined()
  {
    show(circuit);
    view->setFrame(frame(*circuit, 60));
    const QImage before = view->grabPicture();
    view->setSelectedCells({4});
    const QImage after = view->grabPicture();
    int outlined = 0;
    for (int y = 0; y < after.height(); ++y)
      for (int x = 0; x < after.width(); ++x)
        if (distance(after.pixelColor(x, y), before.pixelColor(x, y)) > 40)
          outlined += distance(after.pixelColor(x, y), theme().selection) < 110 ? 1 : 0;
    QVERIFY2(outlined > 50, qPrintable(QString::number(outlined)));
  }

  /// An outline is behind all potentials, however many cells have one.
  void potentialsOfSelectedCellsAreSeen()
  {
    show(circuit);
    view->setFrame(frame(*circuit, 60));
    const QImage before = view->grabPicture();
    view->setSelectedCells({0, 1, 2, 3, 4, 5});
    const QImage after = view->grabPicture();
    int ofCells = 0, covered = 0, outlined = 0;
    for (int y = 0; y < after.height(); ++y)
      for (int x = 0; x < after.width(); ++x) {
        const bool isOfCell = distance(before.pixelColor(x, y), theme().canvas) > 60;
        const bool isOther = distance(after.pixelColor(x, y), before.pixelColor(x, y)) > 40;
        ofCells += isOfCell ? 1 : 0;
        covered += isOfCell && isOther ? 1 : 0;
        outlined += isOther && distance(after.pixelColor(x, y), theme().selection) < 110 ? 1 : 0;
      }
    QVERIFY2(outlined > 200, qPrintable(QString::number(outlined)));
    QVERIFY2(50 * covered < ofCells, qPrintable(QStringLiteral("%1 of %2").arg(covered).arg(ofCells)));
  }

  /// Point neurons alone have no form.
  void aFigureOfNothingIsEmpty()
  {
    show(nullptr);
    FigureOptions options;
    options.unit = FigureUnit::Pixels;
    options.width = 100;
    options.height = 80;
    options.dotsPerInch = 96;
    QCOMPARE(pictureOf(view->figure(), options).pixels().size(), QSize(100, 80));
  }

  void figuresOfFramesAreThoseFrames()
  {
    show(cell);
    const std::vector<Figure> figures = view->figuresOf({frame(*cell, 10), frame(*cell, 245)});
    QCOMPARE(figures.size(), std::size_t{2});
    std::vector<QImage> pictures;
    for (const Figure& figure : figures) {
      FigureOptions options;
      options.unit = FigureUnit::Pixels;
      options.width = 320;
      options.height = 280;
      options.dotsPerInch = 96;
      options.theme = FigureTheme::Screen;
      pictures.push_back(pictureOf(figure, options).pixels());
      QCOMPARE(pictures.back().size(), QSize(320, 280));
    }
    QVERIFY(pictures[0] != pictures[1]);
  }

  /// Names stand apart, beside their marks or a line away; those without room are left out.
  void namesOfMarksDoNotOverlap()
  {
    OrbitCamera camera;
    camera.setViewport({400, 300});
    const std::vector<float> ball = {0, 0, 0};
    camera.fit(ball, {100});
    const auto rectsOf = [&](int marks) {
      std::vector<PlaceMark> all;
      for (int k = 0; k < marks; ++k)
        all.push_back({{0.5 * k, 0, 0}, Qt::red, QStringLiteral("recon %1, dend[37] at 0.5").arg(k)});
      return VoltageOverlay::nameRects(camera, all, QApplication::font());
    };
    const auto shown = [](const std::vector<QRectF>& rects) {
      return std::ranges::count_if(rects, [](const QRectF& rect) { return !rect.isEmpty(); });
    };
    const auto overlap = [](const std::vector<QRectF>& rects) {
      for (std::size_t a = 0; a < rects.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
          if (rects[a].intersects(rects[b]))
            return true;
      return false;
    };
    const std::vector<QRectF> two = rectsOf(2);
    QCOMPARE(shown(two), 2);
    QVERIFY(!overlap(two));
    const std::vector<QRectF> many = rectsOf(60);
    QVERIFY(shown(many) > 2 && shown(many) < 60);
    QVERIFY(!overlap(many));
  }

  /// Whatever the cells behind it look like.
  void namesOfMarksHaveAGround()
  {
    OrbitCamera camera;
    camera.setViewport({400, 300});
    const std::vector<float> ball = {0, 0, 0};
    camera.fit(ball, {100});
    const std::vector<PlaceMark> marks = {{{0, 0, 0}, Qt::red, QStringLiteral("recon 0, soma")}};
    const ThemeScope scope(ThemeMode::Light);
    QImage picture(400, 300, QImage::Format_RGB32);
    picture.fill(Qt::black);
    QPainter painter(&picture);
    VoltageOverlay::paint(painter, camera, marks, {}, QApplication::font());
    painter.end();
    const QRect name = VoltageOverlay::nameRects(camera, marks, QApplication::font()).front().toRect();
    int light = 0;
    for (int x = name.left(); x < name.right(); ++x)
      light += picture.pixelColor(x, name.top() + 1).lightness() > 200 ? 1 : 0;
    QVERIFY2(light > 0.9 * name.width(), qPrintable(QString::number(light)));
  }
};

HINESIGHT_TEST_RUN(hinesight::test::runGlTest<TestVoltageView>)
#include "test_voltage_view.moc"
