#include "app/app_fixture.hpp"
#include "app/figures/figure_dialog.hpp"
#include "app/measure/measure_controller.hpp"
#include "app/projection/projection_page.hpp"
#include "app/window_fixture.hpp"
#include "test_main.hpp"
#include "widgets/figure/figure.hpp"
#include "widgets/orbit/scale_overlay.hpp"

#include <QLineEdit>
#include <QPainter>
#include <QPointer>
#include <QSvgRenderer>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// Figures of pages are their charts and tables, and nothing of the controls around these.
class TestPageFigures : public QObject, WindowFixture
{
  Q_OBJECT

private slots:
  void init()
  {
    QSettings().clear();
    QVERIFY(showWindow({1280, 720}));
  }
  void cleanup() { window.reset(); }

  void aPageOfMeasuresIsItsChartsAndItsTable();
  void aBenchmarkIsItsPlot();
  void theBoxesOfAProjectionAct();
  void boxesThatDoNothingAreNotShown();
  void theScaleBarOfSynapsesStandsInItsCorner();

private:
  static widgets::FigureOptions options()
  {
    widgets::FigureOptions options;
    options.unit = widgets::FigureUnit::Pixels;
    options.dotsPerInch = 96;
    options.width = 700;
    options.height = 500;
    return options;
  }
  /// All of its letters.
  QString svgOf(const widgets::FigureOptions& with, const char* name)
  {
    path = folder.filePath(QLatin1String(name));
    widgets::writePicture(widgets::pictureOf(window->figure(), with), path);
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }
  /// Whether it draws beyond its page.
  bool spills() const
  {
    constexpr int kAround = 100;
    QSvgRenderer reader(path);
    const QSize size = reader.viewBoxF().size().toSize() + QSize(2 * kAround, 2 * kAround);
    reader.setViewBox(reader.viewBoxF().adjusted(-kAround, -kAround, kAround, kAround));
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    reader.render(&painter);
    painter.end();
    if (const QString pictures = qEnvironmentVariable("HINESIGHT_PICTURES"); !pictures.isEmpty())
      image.save(pictures + QLatin1Char('/') + QFileInfo(path).baseName() + QStringLiteral(".png"));
    for (int y = 0; y < size.height(); ++y)
      for (int x = 0; x < size.width(); ++x) {
        const bool isOnPage =
            QRect(QPoint(kAround - 4, kAround - 4), size - QSize(2 * kAround - 8, 2 * kAround - 8)).contains(x, y);
        if (!isOnPage && qAlpha(image.pixel(x, y)) > 0)
          return true;
      }
    return false;
  }
  FigureDialog& openDialog()
  {
    find<QAction>("saveViewAction")->trigger();
    return *find<FigureDialog>("figureDialog");
  }

  QTemporaryDir folder;
  QString path;
};

void TestPageFigures::aPageOfMeasuresIsItsChartsAndItsTable()
{
  window->openFiles({dataFile("stellate.swc"), dataFile("bipolar.swc")});
  QVERIFY(waitForJobs());
  window->showView(ViewKind::Measure);
  const auto measured = [this] { return !window->jobs().isActive(kMeasures); };
  QTRY_VERIFY_WITH_TIMEOUT(measured(), kPatience);
  choose("measureBeside", 1);
  QTRY_VERIFY_WITH_TIMEOUT(measured(), kPatience);
  const QString svg = svgOf(options(), "measure.svg");
  for (const char* part : {"Dendrogram", "Sholl", "Histogram", "Types", "Bifurcations", "stellate", "bipolar"})
    QVERIFY2(svg.contains(QLatin1String(part)), part);
  for (const char* control : {"Compare with", "Sholl step", "Histogram of", "Export"})
    QVERIFY2(!svg.contains(QLatin1String(control)), control);
  QVERIFY(!spills());
  QCOMPARE(widgets::pictureOf(window->figure(), options()).pixels().pixelColor(1, 1), QColor(Qt::white));
}

void TestPageFigures::aBenchmarkIsItsPlot()
{
  window->showView(ViewKind::Benchmark);
  const QString svg = svgOf(options(), "benchmark.svg");
  QVERIFY(svg.contains(QStringLiteral("Choose solvers and numbers of cells")));
  for (const char* control : {"Repetitions", "Save plot", "Speedup over", "Projections", "Domain decomposition"})
    QVERIFY2(!svg.contains(QLatin1String(control)), control);
  QVERIFY(!spills());
}

void TestPageFigures::theBoxesOfAProjectionAct()
{
  window->showView(ViewKind::Projection);
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive() && window->projections().outcome().table, kPatience);
  widgets::FigureOptions with = options();
  const QString legend = QStringLiteral("weight of the chosen sources");
  QVERIFY(svgOf(with, "projection.svg").contains(legend));
  QVERIFY(!spills());
  with.hasLegend = false;
  QString svg = svgOf(with, "without.svg");
  QVERIFY(!svg.contains(legend) && !svg.contains(QStringLiteral("Projection<")));
  for (const char* control : {"Together", "Clear sources", "Picture"})
    QVERIFY2(!svg.contains(QLatin1String(control)), control);
  with.hasTitle = true;
  QVERIFY(svgOf(with, "titled.svg").contains(window->figure().title));
  openDialog();
  QVERIFY(find<QWidget>("figure-LegendRow")->isVisible());
  QVERIFY(find<QWidget>("figure-TitleRow")->isVisible());
  for (const char* row : {"figure-ScaleBarRow", "figure-ScaleBarPlaceRow"})
    QVERIFY2(!window->findChild<QWidget*>(QLatin1String(row)), row); // there is none
}

void TestPageFigures::boxesThatDoNothingAreNotShown()
{
  window->openFiles({dataFile("stellate.swc")});
  QVERIFY(waitForJobs());
  openDialog().close();
  QVERIFY(waitForJobs());
  {
    const QPointer<FigureDialog> ofCells = &openDialog();
    for (const char* row : {"figure-LegendRow", "figure-LegendPlaceRow", "figure-ScaleBarRow",
                            "figure-ScaleBarPlaceRow", "figure-ParallelRow"})
      QVERIFY2(find<QWidget>(row)->isVisible(), row);
    delete ofCells;
  }
  window->showView(ViewKind::Measure);
  QVERIFY(waitForJobs());
  openDialog();
  for (const char* row : {"figure-ScaleBarRow", "figure-ScaleBarPlaceRow", "figure-ParallelRow"})
    QVERIFY2(!window->findChild<QWidget*>(QLatin1String(row)), row);
  // The dendrogram has a legend, the profiles have none.
  const auto* part = find<QComboBox>("figurePart");
  QTRY_VERIFY(part->isVisible());
  for (const char* name : {"Dendrogram", "Sholl"}) {
    choose("figurePart", part->findText(QLatin1String(name)));
    QCOMPARE(window->findChild<QWidget*>(QStringLiteral("figure-LegendRow")) != nullptr,
             QLatin1String(name) == QLatin1String("Dendrogram"));
  }
}

void TestPageFigures::theScaleBarOfSynapsesStandsInItsCorner()
{
  window->showView(ViewKind::Synapses);
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive() && window->figure().hasScaleBar, kPatience);
  const auto boxOfScaleBar = [this](widgets::Corner corner) {
    widgets::FigureOptions with = options();
    with.scaleCorner = corner;
    const QImage shown = widgets::pictureOf(window->figure(), with).pixels();
    with.hasScaleBar = false;
    const QImage without = widgets::pictureOf(window->figure(), with).pixels();
    QRect box;
    for (int y = 0; y < shown.height(); ++y)
      for (int x = 0; x < shown.width(); ++x)
        if (shown.pixel(x, y) != without.pixel(x, y))
          box |= QRect(x, y, 1, 1);
    return box;
  };
  QVERIFY(window->figure().isPerspective);
  const QRect usual = boxOfScaleBar(widgets::Corner::BottomRight);
  const QRect across = boxOfScaleBar(widgets::Corner::BottomLeft);
  const QRect above = boxOfScaleBar(widgets::Corner::TopRight);
  const QRect opposite = boxOfScaleBar(widgets::Corner::TopLeft);
  QVERIFY(usual.width() > 50);
  QVERIFY(across.right() < usual.left() && opposite.right() < above.left());
  QVERIFY(above.bottom() < usual.top() && opposite.bottom() < across.top());
  // What is nearer is no larger in a parallel projection. The screen stays in perspective.
  widgets::FigureOptions parallel = options();
  parallel.hasScaleBar = false;
  const auto pixelsOf = [&](bool isParallel) {
    parallel.isParallel = isParallel;
    return widgets::pictureOf(window->figure(), parallel).pixels();
  };
  const auto differing = [](const QImage& a, const QImage& b) {
    int pixels = 0;
    for (int y = 0; y < a.height(); ++y)
      for (int x = 0; x < a.width(); ++x)
        pixels += a.pixel(x, y) != b.pixel(x, y);
    return pixels;
  };
  const QImage inPerspective = pixelsOf(false);
  const int changed = differing(pixelsOf(true), inPerspective);
  QVERIFY2(changed > 1000, qPrintable(QString::number(changed)));
  QVERIFY(differing(pixelsOf(false), inPerspective) < changed / 10);
  // On the screen it is where it was.
  const auto* scale = find<widgets::ScaleOverlay>("scaleBar");
  const QRect canvas = scale->parentWidget()->rect();
  QVERIFY(scale->x() > canvas.center().x() && scale->y() > canvas.center().y());
}

HINESIGHT_TEST_RUN(runWindowTest<TestPageFigures>)
#include "test_page_figures.moc"
