#include "measure_fixture.hpp"
#include "painted_texts.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"
#include "widgets/cells/morphology/path_overlay.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/figure/figure.hpp"
#include "widgets/orbit/scale_overlay.hpp"

#include <QAction>
#include <QBuffer>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontMetricsF>
#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

/// Paths, lengths and files of the page Measure in the real main window.
class TestMeasurePaths : public QObject, MeasureFixture
{
  Q_OBJECT

  QTemporaryDir folder;

  QTableView* tab(int place, const char* name)
  {
    find<QTabWidget>("measureTables")->setCurrentIndex(place);
    return find<QTableView>(name);
  }

  /// By the ruler; both of the only cell.
  void measureBetween(std::int32_t from, std::int32_t to)
  {
    auto& view = static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
    emit view.pointsPicked({0, from}, {0, to});
  }

  QString told() { return find<QLabel>("resultLabel")->text(); }

  QString proposed()
  {
    click("exportMeasures");
    const QPointer<QFileDialog> dialog = find<QFileDialog>("exportMeasuresDialog");
    const QString name = QFileInfo(dialog->selectedFiles().value(0)).fileName();
    dialog->close();
    [&] { QTRY_VERIFY(!dialog); }();
    return name;
  }

private slots:
  void init()
  {
    QSettings().clear();
    QVERIFY(showWindow({1280, 720}));
    open({dataFile("stellate.swc")});
  }
  void cleanup() { window.reset(); }

  void anEmptyTableOfPathsSaysHowToFillIt()
  {
    auto* button = find<QPushButton>("exportMeasures");
    const auto* hint = find<QLabel>("pathHint");
    QVERIFY(button->isEnabled() && !hint->isVisible()); // of the table that is in front
    const auto* table = tab(4, "measurePaths");
    QVERIFY(!button->isEnabled());
    QVERIFY(!find<QAction>("exportMeasuresAction")->isEnabled());
    QVERIFY2(button->toolTip().contains("Pick two points with the ruler"), qPrintable(button->toolTip()));
    QTRY_VERIFY(hint->isVisible() && table->viewport()->rect().contains(hint->geometry()));
    QVERIFY(hint->text().startsWith("Pick two points with the ruler: "));
    measureBetween(1, 9);
    QTRY_COMPARE(table->model()->rowCount(), 1);
    QVERIFY(button->isEnabled() && !hint->isVisible());
    QVERIFY2(button->toolTip().contains("the table Paths"), qPrintable(button->toolTip()));
    // The name that is proposed is that of the table in front.
    QCOMPARE(proposed(), QStringLiteral("stellate-paths.csv"));
    tab(0, "measureTypes");
    QCOMPARE(proposed(), QStringLiteral("stellate-types.csv"));
    tab(1, "measureBranches");
    QCOMPARE(proposed(), QStringLiteral("stellate-branches.csv"));
  }

  /// And it is so.
  void saysThatTheSegmentToTheSomaIsLeftOut()
  {
    const auto* model = tab(1, "measureBranches")->model();
    QString help;
    for (int column = 0; column < model->columnCount(); ++column)
      if (model->headerData(column, Qt::Horizontal).toString() == QStringLiteral("Length µm"))
        help = model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
    QVERIFY2(help.contains("without the segment that joins it with the soma"), qPrintable(help));
    QVERIFY2(help.contains("path distances"), qPrintable(help));
    const auto* headline = find<QLabel>("measureHeadline");
    QVERIFY2(headline->text().endsWith("µm of neurites, without the segments to the soma"),
             qPrintable(headline->text()));
    int leaving = 0;
    const morphology::Morphology& cell = *window->cells().cells()[0].morphology;
    const morphology::BranchTree tree = morphology::findBranches(cell);
    for (std::size_t k = 0; k < measures().branches.size(); ++k) {
      const morphology::BranchMeasures& branch = measures().branches[k];
      const auto ofFile =
          static_cast<std::size_t>(tree.ofSample[static_cast<std::size_t>(measures().places[k].lastSample)]);
      const std::int32_t first = tree.sample[static_cast<std::size_t>(tree.sampleBegin[ofFile])];
      const bool leaves = morphology::isStem(cell, first);
      leaving += leaves ? 1 : 0;
      const double leftOut = leaves ? morphology::sampleDistance(cell, first, cell.parent[first]) : 0;
      QVERIFY(std::abs(branch.endPath - branch.startPath - branch.length - leftOut) < 1e-9 * (1 + branch.endPath));
    }
    QVERIFY(leaving > 0);
  }

  /// In another unit, and in the old one again.
  void measuresPathsAgainInAnotherUnit()
  {
    auto* page = find<MeasurePage>("measurePage");
    measureBetween(1, 9);
    page->addPath({{QStringLiteral("another"), 1}, {QStringLiteral("another"), 2}, 7, 5}); // of no cell that is open
    const MeasuredPath before = page->paths().at(0);
    QVERIFY(before.length && *before.length > 0);
    const auto isScaledBy = [&](double factor) {
      const MeasuredPath& path = page->paths().at(0);
      const auto isNear = [](double a, double b) { return std::abs(a - b) < 1e-9 * b; };
      return path.length && isNear(*path.length, factor * *before.length) &&
             isNear(path.distance, factor * before.distance) && path.from.id == before.from.id &&
             path.to.id == before.to.id;
    };
    auto* unit = find<QComboBox>("unitChoice");
    unit->setCurrentIndex(unit->findText(QStringLiteral("nm")));
    emit unit->activated(unit->currentIndex());
    QTRY_VERIFY_WITH_TIMEOUT(isScaledBy(0.001), kPatience);
    QCOMPARE(page->paths().size(), std::size_t{2});
    QCOMPARE(*page->paths()[1].length, 7.0);
    QVERIFY(settled());
    find<QAction>("undoAction")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(isScaledBy(1), kPatience);
  }

  /// As a file has that is written anew.
  void forgetsPathsWhoseSamplesAreGone()
  {
    const QString file = folder.filePath("changing.swc");
    const auto write = [&](const char* text) {
      QFile to(file);
      QVERIFY(to.open(QIODevice::WriteOnly) && to.write(text) > 0);
    };
    write("1 1 0 0 0 5 -1\n2 3 0 10 0 1 1\n3 3 0 20 0 1 2\n4 3 0 30 0 1 3\n");
    window->openFiles({file});
    QVERIFY(waitForJobs());
    auto* page = find<MeasurePage>("measurePage");
    const auto cell = QStringLiteral("changing");
    page->addPath({{cell, 1}, {cell, 3}, 20, 20});
    page->addPath({{cell, 1}, {cell, 4}, 30, 30});
    write("1 1 0 0 0 5 -1\n2 3 0 10 0 1 1\n3 3 0 25 0 1 2\n");
    window->openFiles({file});
    QTRY_COMPARE_WITH_TIMEOUT(page->paths().size(), std::size_t{1}, kPatience);
    QCOMPARE(*page->paths()[0].length, 25.0);
    QCOMPARE(page->paths()[0].to.id, std::int64_t{3});
  }

  /// Of ends to the left of which it has room, and to the right of which it has not.
  void keepsTheTextOfAPathOffTheTimingCard()
  {
    window->showView(ViewKind::Morphology);
    auto& view = static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
    view.fit();
    QTRY_VERIFY_WITH_TIMEOUT(view.timingCard()->isVisible() && view.geometry().tubes() > 0, kPatience);
    const QRectF card = view.timingCard()->geometry();
    auto* overlay = view.findChild<widgets::PathOverlay*>("pathOverlay");
    std::vector<std::int32_t> ends;
    const widgets::TubeGeometry& tubes = view.geometry();
    for (std::size_t tube = 0; tube < tubes.tubes(); ++tube) {
      const widgets::ScreenPoint at =
          view.camera().project({tubes.endB[3 * tube], tubes.endB[3 * tube + 1], tubes.endB[3 * tube + 2]});
      constexpr double kText = 100; // pixels, less than any has
      if (at.x < card.left() && at.x + kText > card.left() && at.y > card.top() && at.y < card.bottom() - 20)
        ends.push_back(tubes.sampleB[tube]);
    }
    QVERIFY(!ends.empty());
    for (const std::int32_t end : ends) {
      measureBetween(1, end);
      QTRY_VERIFY(overlay->isVisible());
      const test::PaintedTexts texts(*overlay, 1);
      const auto* text = texts.find(QStringLiteral("path "));
      QVERIFY(text);
      QVERIFY2(!text->place.intersects(view.timingCard()->geometry()),
               qPrintable(test::PaintedTexts::inWords(text->place)));
      QVERIFY(QRectF(overlay->rect()).contains(text->place));
    }
  }

  /// What covers the picture covers the path, too.
  void aPathLiesBelowTheTimingCard()
  {
    window->showView(ViewKind::Morphology);
    auto& view = static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
    measureBetween(1, 9);
    auto* overlay = view.findChild<widgets::PathOverlay*>("pathOverlay");
    QTRY_VERIFY(overlay->isVisible());
    const QObjectList& above = overlay->parentWidget()->children(); // the last one is above all
    for (const char* name : {"timingCard", "legend", "scaleBar"}) {
      auto* over = view.findChild<QWidget*>(QLatin1String(name));
      QVERIFY2(over && above.indexOf(over) > above.indexOf(overlay), name);
    }
  }

  /// Seen from near it leads out of the view: where a figure has its legend or title, there is nothing of it. Its text
  /// is off the scale bar.
  void aFigureHasAPathInsideItsView()
  {
    window->showView(ViewKind::Morphology);
    auto& view = static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
    QTRY_VERIFY_WITH_TIMEOUT(view.geometry().tubes() > 0, kPatience);
    widgets::OrbitCamera camera = view.camera();
    const QSizeF size = camera.viewport();
    camera.zoomAt(QPointF(size.width(), size.height()) / 2, 6);
    view.setCamera(camera);
    widgets::FigureArea area;
    area.size = size;
    area.font = view.font();
    area.font.setPixelSize(13);
    std::int32_t end = -1; // the farthest one that is beyond a corner
    double farthest = 0;
    const widgets::TubeGeometry& tubes = view.geometry();
    for (std::size_t tube = 0; tube < tubes.tubes(); ++tube) {
      const widgets::ScreenPoint at =
          view.camera().project({tubes.endB[3 * tube], tubes.endB[3 * tube + 1], tubes.endB[3 * tube + 2]});
      const bool isLeft = at.x < size.width() / 2;
      const bool isTop = at.y < size.height() / 2;
      const double beyond = std::min(isLeft ? -at.x : at.x - size.width(), isTop ? -at.y : at.y - size.height());
      if (at.depth > 0 && beyond > farthest) {
        farthest = beyond;
        end = tubes.sampleB[tube];
        area.scaleCorner = isTop ? (isLeft ? widgets::Corner::TopLeft : widgets::Corner::TopRight)
                                 : (isLeft ? widgets::Corner::BottomLeft : widgets::Corner::BottomRight);
      }
    }
    QVERIFY(end >= 0);
    measureBetween(1, end);
    auto* overlay = view.findChild<widgets::PathOverlay*>("pathOverlay");
    QTRY_VERIFY(overlay->isVisible() && overlay->text().startsWith("path "));

    QBuffer drawn;
    QSvgGenerator generator;
    generator.setOutputDevice(&drawn);
    generator.setSize(size.toSize());
    generator.setResolution(96);
    QPainter painter(&generator);
    view.figure().paint(painter, area);
    painter.end();
    const QString svg = QString::fromUtf8(drawn.data());
    const QRectF whole = QRectF(QPointF(0, 0), size).adjusted(-0.5, -0.5, 0.5, 0.5);
    static const QRegularExpression lines(QStringLiteral("<polyline[^>]*points=\"([^\"]*)\""));
    std::size_t points = 0;
    for (auto line = lines.globalMatch(svg); line.hasNext();)
      for (const QString& point : line.next().captured(1).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const QPointF at(point.section(QLatin1Char(','), 0, 0).toDouble(),
                         point.section(QLatin1Char(','), 1, 1).toDouble());
        QVERIFY2(whole.contains(at), qPrintable(point));
        ++points;
      }
    QVERIFY(points > 2);
    static const QRegularExpression label(QStringLiteral("<text[^>]* x=\"([^\"]*)\" y=\"([^\"]*)\"[^>]*>path "));
    const QRegularExpressionMatch text = label.match(svg);
    QVERIFY(text.hasMatch());
    const QFontMetricsF metrics(area.font);
    const QRectF place(text.captured(1).toDouble(), text.captured(2).toDouble() - metrics.ascent(),
                       metrics.horizontalAdvance(overlay->text()), metrics.height());
    QVERIFY2(whole.contains(place), qPrintable(test::PaintedTexts::inWords(place)));
    QVERIFY2(!place.intersects(widgets::placeOfScale(area)), qPrintable(test::PaintedTexts::inWords(place)));
  }

  void whatWasDoneIsForgottenOnAnotherPage()
  {
    QTRY_VERIFY(!told().isEmpty());
    const QString solved = told();
    measureBetween(1, 9);
    QVERIFY2(told().startsWith("From sample "), qPrintable(told()));
    window->showView(ViewKind::Tree);
    QCOMPARE(told(), solved);
    window->showView(ViewKind::Measure);
    click("exportMeasures");
    const QString path = folder.filePath("types.csv");
    const QPointer<QFileDialog> dialog = find<QFileDialog>("exportMeasuresDialog");
    emit dialog->fileSelected(path);
    dialog->close();
    QTRY_VERIFY_WITH_TIMEOUT(!dialog && QFile::exists(path), kPatience);
    QTRY_VERIFY2(told().startsWith("Exported to "), qPrintable(told()));
    window->showView(ViewKind::Morphology);
    QCOMPARE(told(), solved);
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestMeasurePaths>)
#include "test_measure_paths.moc"
