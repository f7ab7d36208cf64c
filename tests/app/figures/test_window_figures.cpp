#include "app/app_fixture.hpp"
#include "app/pages/view_area.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "figures_fixture.hpp"
#include "hines/solvers.hpp"
#include "io/runs/run_record.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSettings>
#include <QSpinBox>
#include <QtTest>

#include <algorithm>
#include <cstddef>
#include <set>

using namespace hinesight;
using namespace hinesight::app;

/// Exports timings and saves figures by the dialogs of the real main window.
class TestWindowFigures : public QObject, FiguresFixture
{
  Q_OBJECT

private slots:
  void init();
  void cleanup();

  void exportsTimings_data();
  void exportsTimings();
  void reportsAFailedExport();
  void savesAViewAsFigure_data();
  void savesAViewAsFigure();
  void namesAFigureByItsType();
  void savesNoFigureUnderAnotherName();
  void replacesAFigureThatIsBeingSet();
  void choosesWhereLegendAndScaleBarStand();
  void fitsASmallScreen();
  void saysThatThePreviewIsBeingDrawn();
  void showsATransparentFigureOnCheckers();
  void takesOptionsOfAnEarlierVersion();
  void saysHowLargeAFigureOfTheWholeLegendIs();
  void theScaleBarOfAFigureIsTrueAtAllDepths();
  void followsThePageInFront();
  void whatIsTypedStaysInTheDialog();
  void returnInANumberEndsItsEditAlone();
  void copiesAFigure();
  void cancelsAFigure();
  void writesAFullTurn();
};

void TestWindowFigures::init()
{
  QSettings().clear();
  show();
}

void TestWindowFigures::cleanup()
{
  window.reset();
}

void TestWindowFigures::exportsTimings_data()
{
  QTest::addColumn<QString>("name");
  QTest::newRow("CSV") << "runs.csv";
  QTest::newRow("JSON") << "runs.json";
  QTest::newRow("no extension") << "runs";
}

void TestWindowFigures::exportsTimings()
{
  QFETCH(QString, name);
  choose("solverCombo", static_cast<int>(hines::placeInTable(hines::kMulticore))); // the plan of branches is what runs
  open({"bipolar.swc"});
  type("blockSizeSpin", "64");
  QTRY_COMPARE_WITH_TIMEOUT(window->runs().rowCount(), 2, kPatience);
  find<QAction>("exportAction")->trigger();
  const QString path = folder.filePath(name);
  accept(dialog("exportDialog"), path);
  const QString written = QFileInfo(path).suffix().isEmpty() ? path + ".csv" : path;
  QTRY_VERIFY(QFile::exists(written));

  const auto runs =
      written.endsWith("json") ? io::readTimingsJson(written.toStdString()) : io::readTimingsCsv(written.toStdString());
  QCOMPARE(runs.size(), 2u);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const io::RunRecord& shown = window->runs().runs()[i];
    QCOMPARE(runs[i].startedAt, shown.startedAt);
    QCOMPARE(runs[i].source, std::string("bipolar.swc"));
    QCOMPARE(runs[i].blockSize, i == 0 ? 128 : 64);
    QCOMPARE(runs[i].timings.of("solve"), shown.timings.of("solve"));
    QCOMPARE(runs[i].timings.of("read"), shown.timings.of("read"));
    QCOMPARE(runs[i].timings.device, shown.timings.device);
  }
  QVERIFY(QFile::remove(written));
}

void TestWindowFigures::reportsAFailedExport()
{
  open({"bipolar.swc"});
  QTest::mouseClick(find<QPushButton>("exportButton"), Qt::LeftButton);
  auto* exporting = dialog("exportDialog");
  // A folder that is gone when the file is written: root could write into a read-only one.
  QTemporaryDir gone;
  const QString path = gone.filePath("runs.csv");
  emit exporting->fileSelected(gone.path() + "/missing/runs.csv");
  exporting->close();
  auto* banner = find<MessageBanner>("messageBanner");
  QTRY_VERIFY(banner->isVisible());
  QVERIFY2(banner->text().contains("/missing/runs.csv: cannot be written"), qPrintable(banner->text()));
  QCOMPARE(window->runs().rowCount(), 1);
}

void TestWindowFigures::savesAViewAsFigure_data()
{
  QTest::addColumn<QString>("name");
  QTest::newRow("picture") << "tree.png";
  QTest::newRow("drawing") << "tree.svg";
  QTest::newRow("page") << "tree.pdf";
}

void TestWindowFigures::savesAViewAsFigure()
{
  QFETCH(QString, name);
  window->showView(ViewKind::Tree);
  open({"stellate.swc"});
  openFigureDialog();
  auto* figure = find<FigureDialog>("figureDialog");
  QTRY_VERIFY(!previewed().isNull());
  click("figureSave");
  auto* saving = dialog("saveViewDialog");
  QCOMPARE(QFileInfo(saving->selectedFiles().value(0)).fileName(), QStringLiteral("dependency-tree.png"));
  const QSize pixels = figure->options().pixels();
  const QSizeF millimetres(figure->options().width, figure->options().height);
  const QString path = folder.filePath(name);
  accept(saving, path);
  QTRY_VERIFY(QFile::exists(path));
  if (name.endsWith("png"))
    QCOMPARE(QImage(path).size(), pixels);
  // On paper it is as large as was asked for, to the micrometre.
  QCOMPARE(millimetres, QSizeF(160, 100));
  QFile written(path);
  QVERIFY(written.open(QIODevice::ReadOnly));
  const QByteArray bytes = written.readAll();
  if (name.endsWith("svg"))
    QVERIFY2(bytes.contains("width=\"160mm\" height=\"100mm\""), bytes.left(200));
  if (name.endsWith("pdf"))
    QVERIFY(bytes.contains("/MediaBox [0 0 453.543307 283.464567]"));
  QTRY_VERIFY(!window->findChild<FigureDialog*>());
  QVERIFY(find<QLabel>("resultLabel")->text().contains(name));
}

/// A type that is chosen changes the ending of the name, unless a person wrote one that no type has.
void TestWindowFigures::namesAFigureByItsType()
{
  window->showView(ViewKind::Tree);
  open({"stellate.swc"});
  openFigureDialog();
  click("figureSave");
  auto* saving = dialog("saveViewDialog");
  auto* types = saving->findChild<QComboBox*>(QStringLiteral("fileTypeCombo"));
  auto* name = saving->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
  const auto go = [types](Qt::Key key) {
    types->setFocus();
    QTest::keyClick(types, key);
  };
  const auto write = [name](const QString& text) {
    name->setFocus();
    name->selectAll();
    name->insert(text);
  };
  QCOMPARE(name->text(), QStringLiteral("dependency-tree.png"));
  go(Qt::Key_Down);
  QCOMPARE(name->text(), QStringLiteral("dependency-tree.svg"));
  go(Qt::Key_Down);
  QCOMPARE(name->text(), QStringLiteral("dependency-tree.pdf"));
  write(QStringLiteral("mine"));
  go(Qt::Key_Up);
  QCOMPARE(name->text(), QStringLiteral("mine.svg"));
  write(QStringLiteral("mine.v2"));
  go(Qt::Key_Up);
  QCOMPARE(name->text(), QStringLiteral("mine.v2"));
  write(QStringLiteral("mine.svg"));
  go(Qt::Key_Down);
  go(Qt::Key_Down);
  QCOMPARE(name->text(), QStringLiteral("mine.pdf"));
  saving->close();
}

void TestWindowFigures::savesNoFigureUnderAnotherName()
{
  window->showView(ViewKind::Tree);
  open({"stellate.swc"});
  openFigureDialog();
  click("figureSave");
  const QString path = folder.filePath("tree.gif");
  accept(dialog("saveViewDialog"), path);
  auto* banner = find<MessageBanner>("messageBanner");
  QTRY_VERIFY(banner->isVisible());
  QVERIFY2(banner->text().startsWith(path + ": ") && banner->text().contains(".svg"), qPrintable(banner->text()));
  QVERIFY(!QFile::exists(path));
}

/// A number that is being typed into the dialog is no harm when another dialog takes its place.
void TestWindowFigures::replacesAFigureThatIsBeingSet()
{
  window->showView(ViewKind::Tree);
  open({"stellate.swc"});
  openFigureDialog();
  const QPointer<FigureDialog> first = find<FigureDialog>("figureDialog");
  QVERIFY(QTest::qWaitForWindowActive(first));
  auto* width = find<QDoubleSpinBox>("figure-WidthSpin");
  width->setFocus();
  width->selectAll();
  QTest::keyClicks(width, "7");
  find<QAction>("saveViewAction")->trigger();
  QVERIFY(!first);
  QVERIFY(find<FigureDialog>("figureDialog")->isVisible());
}

/// The preview and the file show it; the choice is there the next time.
void TestWindowFigures::choosesWhereLegendAndScaleBarStand()
{
  window->showView(ViewKind::Morphology);
  open({"stellate.swc"});
  openFigureDialog();
  QTRY_VERIFY_WITH_TIMEOUT(!previewed().isNull(), kPatience);
  const QImage first = previewed();
  choose("figure-LegendPlaceCombo", static_cast<int>(widgets::LegendPlace::TopRight));
  QTRY_VERIFY_WITH_TIMEOUT(previewed() != first, kPatience);
  const QImage second = previewed();
  choose("figure-ScaleBarPlaceCombo", static_cast<int>(widgets::Corner::TopRight));
  QTRY_VERIFY_WITH_TIMEOUT(previewed() != second, kPatience);
  QVERIFY(find<QComboBox>("figure-LegendPlaceCombo")->isEnabled());
  QTest::mouseClick(find<QCheckBox>("figure-LegendCheck"), Qt::LeftButton);
  QVERIFY(!find<QComboBox>("figure-LegendPlaceCombo")->isEnabled());
  QTest::mouseClick(find<QCheckBox>("figure-LegendCheck"), Qt::LeftButton);
  click("figureSave");
  const QString path = folder.filePath("places.png");
  accept(dialog("saveViewDialog"), path);
  QTRY_VERIFY_WITH_TIMEOUT(!window->findChild<FigureDialog*>(), kPatience);
  // The title of the legend is the only thing at the top.
  const QImage written(path);
  const QColor ground = written.pixelColor(0, 0);
  const QRect atTop(0, 0, written.width(), written.height() / 15);
  int leftmost = written.width();
  for (int y = 0; y < atTop.height(); ++y)
    for (int x = 0; x < atTop.width(); ++x)
      if (written.pixelColor(x, y) != ground)
        leftmost = std::min(leftmost, x);
  QVERIFY2(leftmost > written.width() / 4 && leftmost < written.width(), qPrintable(QString::number(leftmost)));
  openFigureDialog();
  const widgets::FigureOptions& again = find<FigureDialog>("figureDialog")->options();
  QVERIFY(again.legendPlace == widgets::LegendPlace::TopRight && again.scaleCorner == widgets::Corner::TopRight);
}

/// One of 1366 x 768 pixels at twice the size, under a title bar.
void TestWindowFigures::fitsASmallScreen()
{
  constexpr QSize kScreen{683, 344};
  window->showView(ViewKind::Morphology);
  open({"stellate.swc"});
  openFigureDialog();
  auto* figure = find<FigureDialog>("figureDialog");
  QTRY_VERIFY_WITH_TIMEOUT(!previewed().isNull(), kPatience);
  const QSize whole = previewed().size();
  figure->resize(kScreen);
  QTRY_COMPARE(figure->size(), kScreen);
  for (const char* name : {"figureName", "figurePreview", "turntable", "figureCopy", "figureSave", "figureClose"}) {
    const auto* part = find<QWidget>(name);
    QTRY_VERIFY2(part->isVisible() && figure->rect().contains(QRect(part->mapTo(figure, QPoint()), part->size())),
                 name);
  }
  QTRY_VERIFY(previewed().width() < whole.width());
  const QSize room = find<QLabel>("figurePreview")->size();
  QVERIFY(previewed().size().boundedTo(room * window->devicePixelRatioF()) == previewed().size());
  auto* last = find<QCheckBox>("figure-TitleCheck");
  figure->findChild<QScrollArea*>()->ensureWidgetVisible(last);
  QTRY_COMPARE(last->visibleRegion().boundingRect(), last->rect());
}

/// Which knew no places, or others.
void TestWindowFigures::saysThatThePreviewIsBeingDrawn()
{
  window->showView(ViewKind::Morphology);
  open({"stellate.swc"});
  openFigureDialog();
  const auto* preview = find<QLabel>("figurePreview");
  QCOMPARE(preview->text(), QStringLiteral("Drawing…"));
  QTRY_VERIFY_WITH_TIMEOUT(!previewed().isNull(), kPatience);
  QVERIFY(preview->text().isEmpty());
}

/// Its letters are made for a ground that the window may not have.
void TestWindowFigures::showsATransparentFigureOnCheckers()
{
  window->showView(ViewKind::Morphology);
  open({"stellate.swc"});
  openFigureDialog();
  QTRY_VERIFY_WITH_TIMEOUT(!previewed().isNull(), kPatience);
  const QImage opaque = previewed();
  QTest::mouseClick(find<QCheckBox>("figure-TransparentCheck"), Qt::LeftButton);
  QVERIFY(find<FigureDialog>("figureDialog")->options().isTransparent);
  QTRY_VERIFY_WITH_TIMEOUT(previewed() != opaque, kPatience);
  const QImage checkered = previewed();
  QCOMPARE(checkered.size(), opaque.size());
  std::set<QRgb> inTheCorner;
  for (int x = 0; x < 20; ++x)
    for (int y = 0; y < 20; ++y)
      inTheCorner.insert(checkered.pixel(x, y));
  QCOMPARE(inTheCorner.size(), std::size_t{2});
  QVERIFY(inTheCorner.contains(opaque.pixel(0, 0)));
  QVERIFY(std::ranges::all_of(inTheCorner, [](QRgb pixel) { return qAlpha(pixel) == 255; }));
}

void TestWindowFigures::takesOptionsOfAnEarlierVersion()
{
  QSettings().setValue(QStringLiteral("figure/width"), QStringLiteral("85"));
  QSettings().setValue(QStringLiteral("figure/legend"), QStringLiteral("false"));
  QSettings().setValue(QStringLiteral("figure/legend-place"), QStringLiteral("under"));
  window->showView(ViewKind::Tree);
  open({"stellate.swc"});
  openFigureDialog();
  widgets::FigureOptions expected;
  expected.width = 85;
  expected.hasLegend = false;
  expected.isParallel = true; // where a person has chosen nothing
  QVERIFY(find<FigureDialog>("figureDialog")->options() == expected);
}

void TestWindowFigures::saysHowLargeAFigureOfTheWholeLegendIs()
{
  window->showView(ViewKind::Tree);
  open({"stellate.swc"});
  openFigureDialog();
  const auto note = [this] { return find<QLabel>("figureNote")->text(); };
  QTRY_VERIFY(note().contains(QStringLiteral("as PNG")));
  for (const char* side : {"figure-WidthSpin", "figure-HeightSpin"})
    type(side, "10");
  QTRY_VERIFY2(note().contains(QStringLiteral("no room for")), qPrintable(note()));
  const auto height = QRegularExpression(QStringLiteral("at least (\\d+) mm high")).match(note());
  QVERIFY2(height.hasMatch(), qPrintable(note()));
  type("figure-HeightSpin", qPrintable(height.captured(1)));
  QTRY_VERIFY2(note().contains(QStringLiteral("as PNG")), qPrintable(note()));
}

/// In a parallel projection, which the view does not take; where it is not wanted, the dialog says so.
void TestWindowFigures::theScaleBarOfAFigureIsTrueAtAllDepths()
{
  window->showView(ViewKind::Morphology);
  open({"stellate.swc"});
  const auto& view = static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
  const widgets::OrbitCamera before = view.camera();
  QVERIFY(!before.parallel());
  const QString ofDepth = QStringLiteral("at the centre");
  const QString ofBar = QStringLiteral("\u00b5m");

  openFigureDialog();
  QTRY_VERIFY_WITH_TIMEOUT(!previewed().isNull(), kPatience);
  QVERIFY(find<QCheckBox>("figure-ParallelCheck")->isChecked());
  QVERIFY(!find<QLabel>("figureScaleNote")->isVisible());
  QString svg = savedFigure("parallel.svg");
  QVERIFY(svg.contains(ofBar) && !svg.contains(ofDepth));

  openFigureDialog();
  QTRY_VERIFY_WITH_TIMEOUT(!previewed().isNull(), kPatience);
  const QImage inParallel = previewed();
  QTest::mouseClick(find<QCheckBox>("figure-ParallelCheck"), Qt::LeftButton);
  QTRY_VERIFY(find<QLabel>("figureScaleNote")->isVisible());
  QVERIFY(find<QLabel>("figureScaleNote")->text().contains(ofDepth.mid(3)));
  QTRY_VERIFY_WITH_TIMEOUT(previewed() != inParallel, kPatience);
  svg = savedFigure("perspective.svg");
  QVERIFY(svg.contains(ofBar) && svg.contains(ofDepth));
  QVERIFY(view.camera() == before);
  // As the view shows it: without a dialog nothing else was asked for.
  QVERIFY(drawnFigure(window->figure()).contains(ofDepth));
}

void TestWindowFigures::followsThePageInFront()
{
  window->showView(ViewKind::Tree);
  open({"stellate.swc"});
  openFigureDialog();
  const QPointer<FigureDialog> figure = find<FigureDialog>("figureDialog");
  const auto* name = find<QLineEdit>("figureName");
  QCOMPARE(figure->windowTitle(), QStringLiteral("Save figure: Dependency tree"));
  QCOMPARE(name->text(), QStringLiteral("dependency-tree"));
  QVERIFY(!find<QWidget>("figurePart")->isVisible());
  QVERIFY(!find<QWidget>("turntable")->isVisible());
  window->showView(ViewKind::Morphology);
  QTRY_COMPARE(figure->windowTitle(), QStringLiteral("Save figure: Morphology"));
  QVERIFY(find<QWidget>("turntable")->isVisible());
  QVERIFY(find<QWidget>("figure-ScaleBarRow")->isVisible());
  window->showView(ViewKind::Measure);
  QTRY_COMPARE(figure->windowTitle(), QStringLiteral("Save figure: Measure"));
  QTRY_VERIFY_WITH_TIMEOUT(find<QWidget>("figurePart")->isVisible(), kPatience); // once it is measured
  QVERIFY(!window->findChild<QWidget*>(QStringLiteral("figure-ScaleBarRow")));
  QCOMPARE(name->text(), QStringLiteral("measure"));
  // A name that a person wrote stays.
  find<QLineEdit>("figureName")->selectAll();
  QTest::keyClicks(find<QLineEdit>("figureName"), "mine");
  window->showView(ViewKind::Tree);
  QTRY_COMPARE(figure->windowTitle(), QStringLiteral("Save figure: Dependency tree"));
  QCOMPARE(name->text(), QStringLiteral("mine"));
  click("figureSave");
  auto* saving = dialog("saveViewDialog");
  QCOMPARE(QFileInfo(saving->selectedFiles().value(0)).fileName(), QStringLiteral("mine.png"));
  saving->close();
}

/// Letters are keys of the window behind it, which must not get them.
void TestWindowFigures::whatIsTypedStaysInTheDialog()
{
  window->showView(ViewKind::Morphology);
  open({"stellate.swc"});
  const auto* area = window->findChild<ViewArea*>();
  const auto& view = static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
  openFigureDialog();
  auto* figure = find<FigureDialog>("figureDialog");
  QVERIFY(QTest::qWaitForWindowActive(figure));
  QTRY_COMPARE(QApplication::focusWidget(), find<QLineEdit>("figureName"));
  for (const char letter : {'g', '5', 'p'})
    QTest::keyClick(figure->windowHandle(), letter);
  QCOMPARE(find<QLineEdit>("figureName")->text(), QStringLiteral("g5p"));
  QVERIFY(!area->isGrid());
  QCOMPARE(area->current(), static_cast<int>(ViewKind::Morphology));
  QVERIFY(!view.camera().parallel());
  // Nor where the keyboard is elsewhere in it.
  find<QCheckBox>("figure-LegendCheck")->setFocus();
  for (const char letter : {'g', '5', 'p'})
    QTest::keyClick(figure->windowHandle(), letter);
  QVERIFY(!area->isGrid());
  QCOMPARE(area->current(), static_cast<int>(ViewKind::Morphology));
  QVERIFY(!view.camera().parallel());
}

/// With Ctrl it saves.
void TestWindowFigures::returnInANumberEndsItsEditAlone()
{
  window->showView(ViewKind::Tree);
  open({"stellate.swc"});
  openFigureDialog();
  const auto* figure = find<FigureDialog>("figureDialog");
  const auto saving = [this] { return window->findChild<QFileDialog*>(QStringLiteral("saveViewDialog")); };
  type("figure-WidthSpin", "85");
  QCOMPARE(figure->options().width, 85.0);
  auto* height = find<QDoubleSpinBox>("figure-HeightSpin");
  height->setFocus();
  height->selectAll();
  QTest::keyClicks(height, "60");
  QTest::keyClick(height, Qt::Key_Enter, Qt::KeypadModifier);
  QCOMPARE(figure->options().height, 60.0);
  QCoreApplication::processEvents();
  QVERIFY(!saving());
  height->selectAll();
  QTest::keyClicks(height, "70");
  QTest::keyClick(height, Qt::Key_Return, Qt::ControlModifier);
  QCOMPARE(figure->options().height, 70.0);
  QTRY_VERIFY(saving());
  accept(dialog("saveViewDialog"), folder.filePath("typed.png"));
  QTRY_VERIFY_WITH_TIMEOUT(!window->findChild<FigureDialog*>(), kPatience);
  QVERIFY(QFile::exists(folder.filePath("typed.png")));
}

void TestWindowFigures::copiesAFigure()
{
  window->showView(ViewKind::Morphology);
  open({"stellate.swc"});
  openFigureDialog();
  auto* figure = find<FigureDialog>("figureDialog");
  QGuiApplication::clipboard()->clear();
  click("figureCopy");
  QTRY_COMPARE_WITH_TIMEOUT(QGuiApplication::clipboard()->image().size(), figure->options().pixels(), kPatience);
  QVERIFY(figure->isVisible());
}

/// A large figure is made beside the window, which takes the click on Cancel.
void TestWindowFigures::cancelsAFigure()
{
  window->showView(ViewKind::Morphology);
  open({"stellate.swc"});
  openFigureDialog();
  const QPointer<FigureDialog> figure = find<FigureDialog>("figureDialog");
  choose("figure-UnitCombo", static_cast<int>(widgets::FigureUnit::Pixels));
  for (const char* side : {"figure-WidthSpin", "figure-HeightSpin"})
    type(side, "10000");
  click("figureSave");
  const QString path = folder.filePath("large.png");
  accept(dialog("saveViewDialog"), path);
  auto* cancel = find<QPushButton>("figureCancel");
  QTRY_VERIFY(cancel->isVisible());
  QVERIFY(!find<QPushButton>("figureSave")->isEnabled());
  QTest::mouseClick(cancel, Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("figureSave")->isEnabled(), kPatience);
  QVERIFY(figure && !cancel->isVisible());
  QVERIFY(!QFile::exists(path));
  QVERIFY(find<QLabel>("resultLabel")->text().contains("nothing was written"));
  // One that is left behind ends, too.
  click("figureCopy");
  window.reset();
  QVERIFY(!figure);
}

void TestWindowFigures::writesAFullTurn()
{
  window->showView(ViewKind::Morphology);
  open({"stellate.swc"});
  openFigureDialog();
  QTRY_VERIFY(find<QLabel>("figureNote")->text().contains("embedded picture")); // what lies in space is no drawing
  find<QSpinBox>("turntableFrames")->setValue(3);
  click("turntable");
  auto* asking = dialog("turntableDialog");
  emit asking->fileSelected(folder.filePath("turn"));
  asking->close();
  QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>("resultLabel")->text().contains("3 pictures"), kPatience);
  QCOMPARE(QDir(folder.filePath("turn")).entryList(QDir::Files),
           QStringList({"frame-1.png", "frame-2.png", "frame-3.png"}));
}

HINESIGHT_TEST_RUN(runWindowTest<TestWindowFigures>)
#include "test_window_figures.moc"
