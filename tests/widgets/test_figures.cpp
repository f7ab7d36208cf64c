#include "morphology_pictures.hpp"

#include "core/error.hpp"
#include "planar_scenes.hpp"
#include "test_main.hpp"
#include "widgets/cells/tree/tree_view.hpp"
#include "widgets/charts/bin_chart.hpp"
#include "widgets/figure/figure.hpp"
#include "widgets/orbit/scale_overlay.hpp"
#include "widgets/theme_scope.hpp"

#include <QBuffer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImageReader>
#include <QPainter>
#include <QRegularExpression>
#include <QSet>
#include <QSvgRenderer>
#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <thread>

using namespace hinesight;
using namespace hinesight::widgets;
using namespace hinesight::test;

namespace {

/// 700 x 500 in 1/96 inch.
FigureOptions pixelOptions(int width = 700, int height = 500)
{
  FigureOptions options;
  options.unit = FigureUnit::Pixels;
  options.width = width;
  options.height = height;
  options.dotsPerInch = 96;
  options.theme = FigureTheme::Screen;
  return options;
}

double meanDifference(const QImage& some, const QImage& others)
{
  double sum = 0;
  for (int y = 0; y < some.height(); ++y)
    for (int x = 0; x < some.width(); ++x)
      sum += distance(some.pixelColor(x, y), others.pixelColor(x, y));
  return sum / some.width() / some.height();
}

QImage drawn(QSvgRenderer& drawing, const QSize& size)
{
  QImage picture(size, QImage::Format_RGB32);
  picture.fill(Qt::magenta);
  QPainter painter(&picture);
  drawing.render(&painter);
  return picture;
}

QByteArray contentOf(const QString& path)
{
  QFile file(path);
  file.open(QIODevice::ReadOnly);
  return file.readAll();
}

std::shared_ptr<Scene> forkScene()
{
  return makeScene({makeMorphology("fork", forkedCell())});
}

std::unique_ptr<TreeView> shownTree()
{
  auto view = std::make_unique<TreeView>();
  view->resize(900, 600);
  view->setColorBy(ColorBy::Level);
  view->setScene(
      testing::makeScene({testing::makeSystem(testing::compartmentParents({-1, 0, 0, 1, 1}, {3, 5, 4, 6, 2}))}, 1, {}));
  view->show();
  return view;
}

constexpr QRgb kGround = qRgb(200, 255, 90);
constexpr std::array kAllCorners{Corner::TopLeft, Corner::TopRight, Corner::BottomLeft, Corner::BottomRight};

/// In colours that are none of theme() and not kGround.
Legend legendOfKinds(int entries)
{
  Legend legend;
  legend.title = QStringLiteral("Kind");
  for (int k = 0; k < entries; ++k) {
    const QColor color = QColor::fromHsv(359 * k / entries, 255, k % 2 == 0 ? 255 : 155);
    legend.entries.push_back({QColor(color.rgb()), QStringLiteral("neuron kind %1").arg(k)});
  }
  return legend;
}

/// Of a ground that fills the room of the view, with a scale bar.
Figure figureWith(const Legend& legend)
{
  Figure figure;
  figure.legend = [legend] { return legend; };
  figure.hasScaleBar = true;
  figure.paint = [](QPainter& painter, const FigureArea& area) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRectF({}, area.size), QColor(kGround));
    OrbitCamera camera;
    camera.setViewport(area.size.toSize());
    if (area.hasScaleBar)
      paintScale(painter, camera, area);
  };
  return figure;
}

/// Around the pixels of those colours.
QRect boxOf(const QImage& picture, const std::function<bool(const QColor&)>& isWanted)
{
  QRect box;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x)
      if (isWanted(picture.pixelColor(x, y)))
        box |= QRect(x, y, 1, 1);
  return box;
}

QRect boxOfView(const QImage& picture)
{
  return boxOf(picture, [](const QColor& color) { return color == QColor(kGround); });
}

/// Around all that is drawn beside the view.
QRect boxOfLegend(QImage picture)
{
  const QPoint last = picture.rect().bottomRight();
  const QColor canvas = picture.pixelColor(picture.pixelColor(last) == QColor(kGround) ? QPoint(0, 0) : last);
  QPainter(&picture).fillRect(boxOfView(picture).adjusted(-1, -1, 1, 1), canvas); // its edges may be blends
  return boxOf(picture, [&](const QColor& color) { return color != canvas; });
}

/// Around all that differs without it.
QRect boxOfScaleBar(const Figure& figure, FigureOptions options)
{
  const QImage with = pictureOf(figure, options).pixels();
  options.hasScaleBar = false;
  const QImage without = pictureOf(figure, options).pixels();
  QRect box;
  for (int y = 0; y < with.height(); ++y)
    for (int x = 0; x < with.width(); ++x)
      if (with.pixel(x, y) != without.pixel(x, y))
        box |= QRect(x, y, 1, 1);
  return box;
}

/// Nearer to its two sides than to the others, and next to them.
bool isInCorner(const QRect& box, const QRect& room, Corner corner)
{
  constexpr int kNext = 60; // the axes have room for all ways that they may point
  const int across = isLeft(corner) ? box.left() - room.left() : room.right() - box.right();
  const int down = isTop(corner) ? box.top() - room.top() : room.bottom() - box.bottom();
  const QPoint middle = box.center() - room.center();
  return across < kNext && down < kNext && (middle.x() < 0) == isLeft(corner) && (middle.y() < 0) == isTop(corner);
}

/// With rows for each.
void addLegendPlaces()
{
  QTest::addColumn<LegendPlace>("place");
  for (std::size_t place = 0; place < std::size(kLegendPlaces); ++place)
    QTest::newRow(std::string(kLegendPlaces[place].name).c_str()) << static_cast<LegendPlace>(place);
}

} // namespace

/// Views as files of any size, which another reader reads.
class TestFigures : public QObject
{
  Q_OBJECT

private slots:
  void init() { setTheme(ThemeMode::Dark); }

  void aPngHasItsSizeAndItsDotsPerInch()
  {
    ShownView view;
    view->setScene(forkScene());
    FigureOptions options;
    options.width = 85;
    options.height = 60;
    options.dotsPerInch = 300;
    const QString path = folder.filePath(QStringLiteral("cell.png"));
    writePicture(pictureOf(view->figure(), options), path);
    const QImage saved = QImageReader(path).read();
    QCOMPARE(saved.size(), QSize(1004, 709));
    QCOMPARE(saved.dotsPerMeterX(), 11811);
    QCOMPARE(saved.dotsPerMeterY(), 11811);
    QVERIFY(!saved.hasAlphaChannel());
  }

  void aTransparentFigureLeavesTheBackgroundOut()
  {
    ShownView view;
    view->setScene(forkScene());
    FigureOptions options = pixelOptions();
    options.isTransparent = true;
    options.hasLegend = false;
    options.hasScaleBar = false;
    const QString path = folder.filePath(QStringLiteral("clear.png"));
    writePicture(pictureOf(view->figure(), options), path);
    const QImage saved = QImageReader(path).read();
    QVERIFY(saved.hasAlphaChannel());
    int opaque = 0;
    for (int y = 0; y < saved.height(); ++y)
      for (int x = 0; x < saved.width(); ++x)
        opaque += qAlpha(saved.pixel(x, y)) == 255;
    QVERIFY2(opaque > 1000 && opaque < saved.width() * saved.height() / 2, qPrintable(QString::number(opaque)));
    for (const QPoint corner : {QPoint(0, 0), QPoint(699, 0), QPoint(0, 499), QPoint(699, 499)})
      QCOMPARE(qAlpha(saved.pixel(corner)), 0);
  }

  void theScreenStaysAsItIs()
  {
    ShownView view;
    view->setScene(forkScene());
    const QImage before = view.picture();
    const OrbitCamera camera = view->camera();
    FigureOptions options = pixelOptions(1500, 300);
    options.theme = FigureTheme::Light;
    const QImage figure = pictureOf(view->figure(), options).pixels();
    QCOMPARE(figure.pixelColor(2, 2), QColor(Qt::white));
    QVERIFY(theme().mode == ThemeMode::Dark);
    QVERIFY(view->camera() == camera);
    QCOMPARE(view.picture(), before);
  }

  /// A picture that is rendered in several tiles is that of one tile, larger.
  void tilesJoinWithoutASeam()
  {
    ShownView view;
    view->setScene(forkScene());
    FigureOptions options = pixelOptions();
    options.hasLegend = false;
    options.hasScaleBar = false;
    const QImage small = pictureOf(view->figure(), options).pixels();
    options.dotsPerInch = 384;
    options.width *= 4;
    options.height *= 4;
    const QImage large = pictureOf(view->figure(), options).pixels();
    QCOMPARE(large.size(), QSize(2800, 2000));
    QVERIFY(coveredPixels(small) > 1000);
    const double difference =
        meanDifference(large.scaled(small.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation), small);
    QVERIFY2(difference < 0.5, qPrintable(QString::number(difference)));
  }

  void aNarrowFigureShowsWhatTheScreenShows()
  {
    ShownView view;
    view->setScene(makeScene({makeMorphology("bar", {{3, 0, 0, 0, 5, -1}, {3, 400, 0, 0, 5, 0}})}));
    FigureOptions options = pixelOptions(200, 400);
    options.hasLegend = false;
    options.hasScaleBar = false;
    const QImage figure = pictureOf(view->figure(), options).pixels();
    QVERIFY(coveredPixels(figure) > 100);
    for (int y = 0; y < figure.height(); ++y)
      QVERIFY(isBackground(figure.pixelColor(0, y)) && isBackground(figure.pixelColor(199, y)));
  }

  /// Of two bars of one length the nearer one looks larger in perspective alone. Nothing is cut off.
  void aParallelFigureHasOneScaleAtAllDepths()
  {
    ShownView view;
    view->setScene(makeScene({makeMorphology("bars", {{3, -100, 100, 300, 5, -1},
                                                      {3, 100, 100, 300, 5, 0},
                                                      {3, 100, -100, -300, 5, 1},
                                                      {3, -100, -100, -300, 5, 2}})}));
    const OrbitCamera camera = view->camera();
    FigureOptions options = pixelOptions(500, 500);
    options.hasLegend = false;
    options.hasScaleBar = false;
    /// Of the nearer bar, which is the upper one, over the other.
    const auto ratioOfBars = [](const QImage& picture) {
      const QRect box = boxOf(picture, [](const QColor& color) { return !isBackground(color); });
      const auto widthAt = [&](int y) {
        int left = picture.width();
        int right = -1;
        for (int x = 0; x < picture.width(); ++x)
          if (!isBackground(picture.pixelColor(x, y))) {
            left = std::min(left, x);
            right = x;
          }
        return static_cast<double>(right - left + 1);
      };
      return widthAt(box.top() + 3) / widthAt(box.bottom() - 3);
    };
    const QImage inPerspective = pictureOf(view->figure(), options).pixels();
    QVERIFY(ratioOfBars(inPerspective) > 1.5);
    options.isParallel = true;
    for (const Figure& figure : {view->figure(), view->figure().still(ThemeMode::Dark), view->figureTurned(0)}) {
      const QImage inParallel = pictureOf(figure, options).pixels();
      const double ratio = ratioOfBars(inParallel);
      QVERIFY2(std::abs(ratio - 1) < 0.03, qPrintable(QString::number(ratio)));
      const QRect box = boxOf(inParallel, [](const QColor& color) { return !isBackground(color); });
      QVERIFY(inParallel.rect().adjusted(5, 5, -5, -5).contains(box));
      QVERIFY(box.width() > inParallel.width() / 4);
    }
    QVERIFY(view->camera() == camera);
  }

  void aPlanarViewIsLinesAndLettersInAnSvg()
  {
    const auto view = shownTree();
    const QString path = folder.filePath(QStringLiteral("tree.svg"));
    writePicture(pictureOf(view->figure(), pixelOptions()), path);
    const QByteArray text = contentOf(path);
    QVERIFY(!text.contains("<image"));
    QVERIFY(text.contains("Level (branches from the root)"));
    QSvgRenderer reader(path);
    QVERIFY(reader.isValid());
    QCOMPARE(reader.viewBox().size(), QSize(700, 500));
    QVERIFY(text.contains("width=\"185.208333mm\" height=\"132.291667mm\""));
    const QImage asDrawing = drawn(reader, {700, 500});
    const QImage asPixels = pictureOf(view->figure(), pixelOptions()).pixels();
    QVERIFY(coveredPixels(asDrawing) > 5000);
    const double difference = meanDifference(asDrawing, asPixels);
    QVERIFY2(difference < 6, qPrintable(QString::number(difference)));
  }

  void aPlanarFigureHasTheShapesOfTheScreen()
  {
    const auto view = shownTree();
    const QImage figure = pictureOf(view->figure(), pixelOptions()).pixels();
    QSet<QRgb> onScreen;
    const QImage screen = view->planarCanvas()->grabPicture();
    for (const PlanarRect& bar : view->planarCanvas()->drawing().bars) {
      onScreen.insert(bar.color);
      QVERIFY(countOf(screen, QColor(bar.color), 1) > 20);
      QVERIFY(countOf(figure, QColor(bar.color), 1) > 20);
    }
    QVERIFY(onScreen.size() > 1);
  }

  void aFigureForPrintHasTypesInColoursOfPrint()
  {
    TreeView view;
    view.resize(900, 600);
    view.setScene(forkScene());
    FigureOptions options = pixelOptions();
    options.theme = FigureTheme::Light;
    options.hasLegend = false;
    const QImage figure = pictureOf(view.figure(), options).pixels();
    const QColor onScreen = typeColor(morphology::kApicalDendrite);
    const ThemeScope scope(ThemeMode::Print);
    QCOMPARE(countOf(figure, onScreen, 1), 0);
    QVERIFY(countOf(figure, typeColor(morphology::kApicalDendrite), 1) > 20);
  }

  /// In the colours that it is asked for, whatever becomes of the view.
  void aStillPlanarFigureIsPaintedOnAnotherThread()
  {
    auto view = shownTree();
    view->planarCanvas()->zoom(2, 1.5, {300, 200});
    FigureOptions options = pixelOptions();
    options.theme = FigureTheme::Light;
    const QImage ofView = pictureOf(view->figure(), options).pixels();
    const Figure still = view->figure().still(themeOf(options));
    view->planarCanvas()->fit();
    view.reset();
    QImage ofThread;
    std::jthread([&] { ofThread = pictureOf(still, options).pixels(); }).join();
    QCOMPARE(ofThread, ofView);
  }

  void whatIsHiddenIsNotInAPlanarFigure()
  {
    const auto view = shownTree();
    FigureOptions options = pixelOptions();
    options.hasLegend = false; // has the colours of all
    const auto barsOf = [&](const QImage& picture, const std::vector<PlanarRect>& bars) {
      int pixels = 0;
      for (const PlanarRect& bar : bars)
        pixels += countOf(picture, QColor(bar.color), 1);
      return pixels;
    };
    std::vector<PlanarRect> tips; // the two branches of the highest level
    for (const PlanarRect& bar : view->planarCanvas()->drawing().bars)
      if (const BranchId branch = view->branchOfItem(bar.item); branch.branch >= 3)
        tips.push_back(bar);
    QVERIFY(barsOf(pictureOf(view->figure(), options).pixels(), tips) > 100);
    view->setChoice({{}, {}, BranchIds({{0, 3}, {0, 4}})});
    QCOMPARE(barsOf(pictureOf(view->figure(), options).pixels(), tips), 0);
    QCOMPARE(barsOf(pictureOf(view->figure().still(ThemeMode::Dark), options).pixels(), tips), 0);
    view->setChoice({});
    QVERIFY(barsOf(pictureOf(view->figure(), options).pixels(), tips) > 100);
  }

  void aViewInSpaceIsAPictureWithLettersInAnSvg()
  {
    ShownView view;
    view->setScene(forkScene());
    const QString path = folder.filePath(QStringLiteral("cell.svg"));
    writePicture(pictureOf(view->figure(), pixelOptions()), path);
    const QByteArray text = contentOf(path);
    QCOMPARE(text.count("<image"), 1);
    QVERIFY(text.contains("SWC type"));
    QVERIFY(text.contains("\u00b5m at the centre"));
    QSvgRenderer reader(path);
    QVERIFY(coveredPixels(drawn(reader, {700, 500})) > 1000);
    // Where the bar is true at every depth, it says no more.
    view->setLook({.isParallel = true});
    writePicture(pictureOf(view->figure(), pixelOptions()), path);
    QVERIFY(contentOf(path).contains("\u00b5m"));
    QVERIFY(!contentOf(path).contains("at the centre"));
  }

  void whatIsHiddenIsNotInALegend()
  {
    ShownView view;
    view->setScene(forkScene());
    const Legend whole = view->figure().legend();
    QVERIFY(whole.entries.size() > 1);
    std::vector<bool> hidden(whole.entries.size(), false);
    hidden[1] = true;
    view->setHiddenEntries(hidden);
    for (const Legend& shown : {view->figure().legend(), view->figure().still(ThemeMode::Light).legend()}) {
      QCOMPARE(shown.entries.size(), whole.entries.size() - 1);
      QVERIFY(std::ranges::find(shown.entries, whole.entries[1].label, &Legend::Entry::label) == shown.entries.end());
    }
    hidden.assign(hidden.size(), true);
    view->setHiddenEntries(hidden);
    QVERIFY(view->figure().legend().title.isEmpty());
  }

  void aPdfHasOnePageOfThatSize()
  {
    const auto view = shownTree();
    FigureOptions options;
    options.width = 160;
    options.height = 90;
    const QString path = folder.filePath(QStringLiteral("tree.pdf"));
    writePicture(pictureOf(view->figure(), options), path);
    const QByteArray text = contentOf(path);
    QVERIFY(text.startsWith("%PDF-"));
    const auto box =
        QRegularExpression(QStringLiteral(R"(MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\])")).match(QString::fromLatin1(text));
    QVERIFY(box.hasMatch());
    QVERIFY(std::abs(box.captured(1).toDouble() - 160 / 25.4 * 72) < 1);
    QVERIFY(std::abs(box.captured(2).toDouble() - 90 / 25.4 * 72) < 1);
    QCOMPARE(text.count("/Type /Page\n"), 1);
  }

  /// In which computing with the size on the screen would be seen by its rounding.
  void aPartIsTheSameInAFigureWhateverItsSizeOnTheScreen()
  {
    QWidget page;
    auto* chart = new BinChart(QStringLiteral("Degrees"), QStringLiteral("neurons"), QStringLiteral("degree"), &page);
    new BinChart(QStringLiteral("Others"), QStringLiteral("neurons"), QStringLiteral("degree"), &page);
    chart->setHistograms({{QStringLiteral("all"), {1, 3, 2}}}, 10);
    const std::vector<Figure> parts = figureOf(page).parts;
    QCOMPARE(parts.size(), 2u);
    const QString path = folder.filePath(QStringLiteral("part.svg"));
    const auto drawingAt = [&](int width) {
      chart->resize(width, width - 100);
      writePicture(pictureOf(parts.front(), {}), path);
      return contentOf(path);
    };
    const QByteArray first = drawingAt(300);
    QVERIFY(first.contains("Degrees"));
    for (int width = 301; width <= 700; ++width)
      QVERIFY2(drawingAt(width) == first, std::to_string(width).c_str());
  }

  void anUnknownEndingIsRefusedBeforeAnythingIsWritten()
  {
    const auto view = shownTree();
    const QString path = folder.filePath(QStringLiteral("tree.gif"));
    try {
      writePicture(pictureOf(view->figure(), pixelOptions()), path);
      QFAIL("wrote a kind of file that it does not know");
    } catch (const Error& error) {
      QCOMPARE(error.code(), ErrorCode::BadParameter);
      for (const char* known : {".png", ".svg", ".pdf"})
        QVERIFY2(error.message().find(known) != std::string::npos, error.what());
    }
    QVERIFY(!QFileInfo::exists(path));
  }

  void aSizeThatNoMachineHoldsIsRefused()
  {
    FigureOptions options;
    options.width = 4000;
    options.dotsPerInch = 1200;
    QVERIFY_EXCEPTION_THROWN(validate(options), Error);
    options = {};
    options.dotsPerInch = 3;
    QVERIFY_EXCEPTION_THROWN(validate(options), Error);
  }

  void aFigureHasAllEntriesOfItsLegend_data() { addLegendPlaces(); }
  /// In a figure of the usual size, in letters that can be read.
  void aFigureHasAllEntriesOfItsLegend()
  {
    QFETCH(LegendPlace, place);
    constexpr int kEntries = 40;
    const Legend legend = legendOfKinds(kEntries);
    FigureOptions options;
    options.dotsPerInch = 96;
    options.legendPlace = place;
    const Figure figure = figureWith(legend);
    QVERIFY(!legendShortage(figure, options));
    const QString path = folder.filePath(QStringLiteral("legend.svg"));
    writePicture(pictureOf(figure, options), path);
    const QString text = QString::fromUtf8(contentOf(path));
    for (const Legend::Entry& entry : legend.entries)
      QVERIFY2(text.contains(entry.label + QLatin1Char('<')), qPrintable(entry.label));
    QVERIFY(!text.contains(QStringLiteral("more<")));
    auto sizes = QRegularExpression(QStringLiteral(R"~(font-size="([0-9.]+)")~")).globalMatch(text);
    while (sizes.hasNext())
      QVERIFY(sizes.next().captured(1).toDouble() >= 8); // 6 pt
    const QImage picture = pictureOf(figure, options).pixels();
    const QRect legendBox = boxOfLegend(picture);
    for (const Legend::Entry& entry : legend.entries) {
      const QRect swatch = boxOf(picture, [&](const QColor& color) { return color == entry.color; });
      QVERIFY2(swatch.width() >= 3 && swatch.height() >= 3, qPrintable(entry.label));
      QVERIFY2(legendBox.contains(swatch), qPrintable(entry.label));
    }
    QVERIFY(picture.rect().adjusted(5, 5, -5, -5).contains(legendBox)); // no letter is cut
    const QRect view = boxOfView(picture);
    QVERIFY(view.width() * view.height() > picture.width() * picture.height() / 4);
  }

  void aLegendStandsWhereItIsWanted_data() { addLegendPlaces(); }
  void aLegendStandsWhereItIsWanted()
  {
    QFETCH(LegendPlace, place);
    FigureOptions options = pixelOptions();
    options.legendPlace = place;
    options.hasScaleBar = false;
    const QImage picture = pictureOf(figureWith(legendOfKinds(2)), options).pixels();
    const QRect legend = boxOfLegend(picture);
    const QRect view = boxOfView(picture);
    QVERIFY(!legend.isEmpty() && !legend.intersects(view));
    const bool isAtRight =
        place == LegendPlace::TopRight || place == LegendPlace::BottomRight || place == LegendPlace::Right;
    QVERIFY(isAtRight ? legend.right() > 675 && legend.left() > 350 : legend.left() < 25 && legend.right() < 350);
    if (place == LegendPlace::Right)
      QVERIFY(legend.left() > view.right() && legend.top() < 25 && view.height() == picture.height());
    else if (place == LegendPlace::TopLeft || place == LegendPlace::TopRight)
      QVERIFY(legend.top() < 25 && legend.bottom() < view.top() && view.bottom() == picture.rect().bottom());
    else
      QVERIFY(legend.bottom() > 475 && legend.top() > view.bottom() && view.top() == 0);
  }

  void scaleBarAndLegendStandApart_data() { addLegendPlaces(); }
  /// Also where both are wanted in one corner.
  void scaleBarAndLegendStandApart()
  {
    QFETCH(LegendPlace, place);
    const Figure figure = figureWith(legendOfKinds(12));
    FigureOptions options = pixelOptions(500, 300);
    options.legendPlace = place;
    for (const Corner corner : kAllCorners) {
      options.scaleCorner = corner;
      const QRect bar = boxOfScaleBar(figure, options);
      const QImage picture = pictureOf(figure, options).pixels();
      const QRect view = boxOfView(picture);
      QVERIFY(bar.width() > 100 && view.contains(bar));
      QVERIFY(!bar.intersects(boxOfLegend(picture)));
      QVERIFY(isInCorner(bar, view, corner));
    }
  }

  void theScaleBarOfAViewStandsInItsCorner()
  {
    ShownView view;
    view->setScene(forkScene());
    FigureOptions options = pixelOptions();
    options.hasLegend = false;
    for (const Corner corner : kAllCorners) {
      options.scaleCorner = corner;
      const QRect bar = boxOfScaleBar(view->figure(), options);
      QVERIFY(bar.width() > 100);
      QVERIFY(isInCorner(bar, QRect(0, 0, 700, 500), corner));
    }
  }

  /// What cannot be in it is counted, and the figure that would have it is known.
  void aLegendWithoutRoomKnowsTheFigureThatHasIt()
  {
    constexpr int kEntries = 400;
    const Figure figure = figureWith(legendOfKinds(kEntries));
    const QString path = folder.filePath(QStringLiteral("lacking.svg"));
    const auto written = [&](const FigureOptions& options) {
      writePicture(pictureOf(figure, options), path);
      return QString::fromUtf8(contentOf(path));
    };
    const QString name = QStringLiteral("neuron kind");
    for (const LegendPlace place : {LegendPlace::BottomLeft, LegendPlace::Right}) {
      FigureOptions options = pixelOptions(300, 200);
      options.legendPlace = place;
      const std::optional<LegendShortage> shortage = legendShortage(figure, options);
      QVERIFY(shortage && shortage->height);
      QCOMPARE(shortage->entries, std::size_t{kEntries});
      const QString lacking = written(options);
      const auto listed = static_cast<std::size_t>(lacking.count(name));
      QVERIFY(listed > 0);
      QCOMPARE(listed + shortage->leftOut, shortage->entries);
      QVERIFY(lacking.contains(QStringLiteral("and %1 more").arg(shortage->leftOut)));
      QVERIFY(QRect(5, 5, 290, 190).contains(boxOfLegend(pictureOf(figure, options).pixels())));
      options.height = *shortage->height - 1;
      QVERIFY(legendShortage(figure, options));
      options.height = *shortage->height;
      QVERIFY(!legendShortage(figure, options));
      QCOMPARE(written(options).count(name), kEntries);
    }
    const std::optional<LegendShortage> ofMany =
        legendShortage(figureWith(legendOfKinds(20'000)), pixelOptions(100, 100));
    QVERIFY(ofMany && !ofMany->height);
  }

  void noTwoTypesHaveOneColour()
  {
    QSet<QRgb> seen;
    for (int type = 0; type < 64; ++type) {
      QVERIFY2(!seen.contains(typeColor(type).rgb()), qPrintable(QString::number(type)));
      seen.insert(typeColor(type).rgb());
    }
  }

  void aTurnBeginsWhereItEnds()
  {
    ShownView view;
    view->setScene(forkScene());
    const auto picture = [&](double turns) {
      return pictureOf(view->figureTurned(turns), pixelOptions(300, 200)).pixels();
    };
    QVERIFY(meanDifference(picture(0), picture(1)) < 0.5);
    QVERIFY(meanDifference(picture(0), picture(0.25)) > 0.5);
  }

  /// A person goes on while a large figure is compressed, and may have closed what it is of.
  void aFigureIsWrittenWithoutItsView()
  {
    const QString whole = folder.filePath(QStringLiteral("whole.png"));
    const QString later = folder.filePath(QStringLiteral("later.png"));
    std::function<void()> write;
    {
      ShownView view;
      view->setScene(makeScene({makeMorphology("fork", forkedCell())}));
      writePicture(pictureOf(view->figure(), pixelOptions()), whole);
      write = pictureWriter(pictureOf(view->figure(), pixelOptions()), later);
    }
    QVERIFY(!QFile::exists(later));
    std::thread(write).join();
    QCOMPARE(contentOf(later), contentOf(whole));
  }

private:
  QTemporaryDir folder;
};

HINESIGHT_TEST_RUN(hinesight::test::runGlTest<TestFigures>)

#include "test_figures.moc"
