#include "app/projection/connection_panel.hpp"
#include "app/projection/projection_controller.hpp"
#include "app/projection_fixture.hpp"

#include "app/forms/field_form.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "io/tables/projection_export.hpp"
#include "test_main.hpp"
#include "widgets/elided_label.hpp"
#include "widgets/legend_overlay.hpp"
#include "widgets/projection/projection_charts.hpp"
#include "widgets/projection/projection_colors.hpp"
#include "widgets/projection/projection_overlay.hpp"

#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMouseEvent>
#include <QPolygonF>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QWheelEvent>
#include <QtTest>

#include <algorithm>
#include <optional>
#include <set>

using namespace hinesight;
using namespace hinesight::app;

namespace {

void moveMouse(QWidget& widget, const QPointF& pixel, Qt::MouseButtons pressed)
{
  QMouseEvent event(QEvent::MouseMove, pixel, widget.mapToGlobal(pixel), Qt::NoButton, pressed, Qt::NoModifier);
  QApplication::sendEvent(&widget, &event);
}

void turnWheel(QWidget& widget, const QPointF& pixel, int notches)
{
  QWheelEvent event(pixel, widget.mapToGlobal(pixel), {}, {0, 120 * notches}, Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(&widget, &event);
}

} // namespace

/// Notes which of some widgets were painted since it was told to.
class PaintWatch : public QObject
{
public:
  explicit PaintWatch(const std::vector<QWidget*>& watched) : widgets(watched)
  {
    for (QWidget* widget : watched)
      widget->installEventFilter(this);
  }
  void begin() { waiting.emplace(widgets.begin(), widgets.end()); }
  bool sawAll() const { return waiting && waiting->empty(); }

protected:
  bool eventFilter(QObject* watched, QEvent* event) override
  {
    if (waiting && event->type() == QEvent::Paint)
      waiting->erase(static_cast<QWidget*>(watched));
    return false;
  }

private:
  std::vector<QWidget*> widgets;
  std::optional<std::set<QWidget*>> waiting; ///< none before the beginning
};

/// Drives the page of projections in the real main window with mouse and keyboard.
class TestProjectionPage : public QObject
{
  Q_OBJECT

private slots:
  /// Small populations, so that a table takes a few milliseconds.
  void init() { QVERIFY(window.open(40)); }
  void cleanup() { window.close(); }

  void makesATableWhenItIsShown();
  void drawsTheWeightsOfTheChosenSources();
  void drawsAContourAtTheCut();
  void showsAllOfItInASmallWindow();
  void keepsLayersOffTheLegend();
  void fillsALowPicture();
  void addsASourceByAClick();
  void keepsNumbersOffTheNamesOfLayers();
  void elidesTheNameOfALayerInItsMiddle();
  void takesBackAndMovesAMarker();
  void changesTheTableByATypedNumber();
  void followsTheSliderWhileTablesAreFast();
  void waitsForTheSliderWhileTablesAreSlow();
  void showsTheNumbersOfTheKernelOnly();
  void paintsAllAnewWithANewSigma();
  void addsAPopulation();
  void placesANewPopulationAsTheChosenOne();
  void keepsThePopulationThatIsNotEdited();
  void saysWhatIsWrongWithAPopulation();
  void mapsFansAsTheTableHasThem();
  void zoomsTheMatrix();
  void keepsTheTableWhenOneCannotBeMade();
  void cancelsByEscape();
  void marksFieldsThatTheTableDoesNotHave();
  void waitsForTheCells();
  void exportsTheTable();
  void savesAPicture();

private:
  template <typename Widget>
  Widget* find(const char* name) const
  {
    return window.find<Widget>(name);
  }
  void takeTime(double milliseconds);
  QPolygonF layer(bool isSource);
  void expectLayersBesideOverlays();
  void waitForTable() { QVERIFY(window.waitForTable()); }
  void type(const char* spin, const char* text) { window.type(spin, text); }
  widgets::ProjectionView& view() { return window.view(); }
  const projection::WeightTable& table() { return window.table(); }
  QWidget& canvas() { return window.canvas(); }
  int runs() { return window.runs(); }

  widgets::ProjectionOverlay& overlay();

  ProjectionWindow window;
  QTemporaryDir folder;
};

widgets::ProjectionOverlay& TestProjectionPage::overlay()
{
  for (QWidget* child : view().findChildren<QWidget*>())
    if (auto* found = dynamic_cast<widgets::ProjectionOverlay*>(child))
      return *found;
  qFatal("the page has no overlay");
}

void TestProjectionPage::makesATableWhenItIsShown()
{
  QVERIFY(table().rows() > 0);
  QCOMPARE(table().projection.source->name(), std::string("retina"));
  QVERIFY(find<QWidget>("projectionPanel")->isVisible());
  QVERIFY(!find<QWidget>("parameterPanel")->isVisible());
  const QString headline = find<QLabel>("projectionHeadline")->text();
  QVERIFY2(headline.contains("retina → colliculus") && headline.contains(describeTable(table())), qPrintable(headline));
  QVERIFY(find<QLabel>("resultLabel")->text().startsWith("Projection: " + describeTable(table())));
  QVERIFY(!find<QWidget>("jobPanel")->isVisible());
  QCOMPARE(view().timingCard()->note(), describeTable(table()));
  QVERIFY(view().timingCard()->timings().of("count") > 0);
  QCOMPARE(view().sources().size(), std::size_t{3});
  window->showView(ViewKind::Morphology);
  QVERIFY(find<QWidget>("parameterPanel")->isVisible());
}

void TestProjectionPage::drawsTheWeightsOfTheChosenSources()
{
  const std::uint32_t source = 4 * 40 + 20;
  view().setSources({source});
  QImage picture = view().grabPicture();
  // The strongest weight is right below the source and has the end of the colour map; far away there is nothing.
  QCOMPARE(view().shownWeight(source), 1.0f);
  const std::vector<QRgb> colors = widgets::levelColors(false);
  const auto alike = [](QRgb a, QRgb b) {
    return std::abs(qRed(a) - qRed(b)) < 12 && std::abs(qGreen(a) - qGreen(b)) < 12 &&
           std::abs(qBlue(a) - qBlue(b)) < 12;
  };
  // A little beside the end of the dotted line, which is over the middle of the neuron.
  const std::uint32_t beside = source + 41;
  const QPoint strong = view().pixelOf(false, beside).toPoint();
  const std::uint32_t far = 35 * 40 + 5;
  const QPoint nothing = view().pixelOf(false, far).toPoint();
  QCOMPARE(view().shownWeight(far), 0.0f);
  QVERIFY(alike(picture.pixel(strong), colors[widgets::levelOf(static_cast<double>(view().shownWeight(beside)))]));
  QVERIFY(alike(picture.pixel(nothing), colors[0]));
  view().setSources({});
  QVERIFY(alike(view().grabPicture().pixel(strong), colors[0]));
}

void TestProjectionPage::drawsAContourAtTheCut()
{
  find<QComboBox>("projectionKernelCombo")->setCurrentIndex(static_cast<int>(projection::KernelKind::Gaussian));
  type("projectionSigmaSpin", "3");
  type("projectionCutSpin", "0.02");
  waitForTable();
  const double radius = 3 * std::sqrt(-2 * std::log(0.02));
  view().setSources({20 * 40 + 20});
  const auto& contour = view().contour(0);
  QVERIFY(!contour.empty());
  const QColor marker = widgets::categoryColor(0);
  const QImage picture = view().grabPicture();
  for (std::size_t k = 0; k < contour.size(); k += contour.size() / 8) {
    const projection::Position& at = contour[k][0];
    QVERIFY(std::abs(std::hypot(at[0] - 20, at[1] - 20) - radius) < 0.05);
    // The line is 1.5 pixels wide: of the pixels around, one is in its colour.
    const QPoint pixel = view().pixelOnDestination(at).toPoint();
    int nearest = 255;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const QColor color = picture.pixelColor(pixel + QPoint(dx, dy));
        nearest =
            std::min(nearest, std::max({std::abs(color.red() - marker.red()), std::abs(color.green() - marker.green()),
                                        std::abs(color.blue() - marker.blue())}));
      }
    QVERIFY2(nearest < 60, qPrintable(QString::number(nearest)));
  }
}

void TestProjectionPage::showsAllOfItInASmallWindow()
{
  for (const QSize size : {QSize(1280, 720), QSize(1280, 800), QSize(1600, 1000)}) {
    window->resize(size);
    QTRY_COMPARE(window->size(), size);
    QCoreApplication::processEvents();
    // The whole headline, or its beginning and dots.
    auto* headline = find<widgets::ElidedLabel>("projectionHeadline");
    const QString shown = headline->shownText();
    QVERIFY2(shown == headline->text() || shown.endsWith(QChar(0x2026)), qPrintable(shown));
    QVERIFY(headline->fontMetrics().horizontalAdvance(shown) <= headline->width());
    QVERIFY2(shown.contains(QStringLiteral("retina \u2192 colliculus")), qPrintable(shown));
    // Both layers lie on the canvas, and beside the timing card and the legend.
    const QRect card = view().timingCard()->geometry();
    QVERIFY(!card.intersects(view().findChild<widgets::LegendOverlay*>()->geometry()));
    expectLayersBesideOverlays();
  }
}

/// Also where docks leave little for the picture, and where the legend unfolds later.
void TestProjectionPage::keepsLayersOffTheLegend()
{
  auto* legend = view().findChild<widgets::LegendOverlay*>();
  for (const QSize size : {QSize(551, 358), QSize(480, 300), QSize(700, 240)}) {
    canvas().setFixedSize(size);
    QTRY_COMPARE(canvas().size(), size);
    QVERIFY(legend->isVisible());
    expectLayersBesideOverlays();
    QTest::keyClick(legend, Qt::Key_Space);
    QVERIFY(legend->isFolded());
    view().fit();
    QTest::keyClick(legend, Qt::Key_Space);
    QVERIFY(!legend->isFolded());
    expectLayersBesideOverlays();
  }
}

/// A low picture is of the layers, rather than of what is around them.
void TestProjectionPage::fillsALowPicture()
{
  canvas().setFixedSize(700, 170);
  QTRY_COMPARE(canvas().size(), QSize(700, 170));
  const QRectF layers = layer(true).boundingRect() | layer(false).boundingRect();
  QVERIFY2(layers.height() > 90, qPrintable(QString::number(layers.height())));
  expectLayersBesideOverlays();
}

/// Around the neurons at its corners, pixels of the canvas.
QPolygonF TestProjectionPage::layer(bool isSource)
{
  QPolygonF around;
  for (const std::uint32_t corner : {0U, 39U, 40U * 40U - 1, 39U * 40U})
    around << view().pixelOf(isSource, corner);
  return around;
}

void TestProjectionPage::expectLayersBesideOverlays()
{
  for (const bool isSource : {true, false}) {
    const QPolygonF shown = layer(isSource);
    QVERIFY(QRectF(canvas().rect()).contains(shown.boundingRect()));
    for (const QWidget* other : {static_cast<QWidget*>(view().timingCard()),
                                 static_cast<QWidget*>(view().findChild<widgets::LegendOverlay*>())})
      QVERIFY2(other->isHidden() || !shown.intersects(QPolygonF(QRectF(other->geometry()))),
               qPrintable(other->objectName()));
  }
}

void TestProjectionPage::addsASourceByAClick()
{
  const std::uint32_t source = 8 * 40 + 30;
  const auto before = view().sources();
  const QSignalSpy changed(&view(), &widgets::ProjectionView::sourcesChanged);
  QTest::mouseClick(&canvas(), Qt::LeftButton, {}, view().pixelOf(true, source).toPoint());
  QCOMPARE(changed.count(), 1);
  QCOMPARE(view().sources().size(), before.size() + 1);
  QCOMPARE(view().sources().back(), source);
  QTest::mouseClick(find<QPushButton>("clearSources"), Qt::LeftButton);
  QVERIFY(view().sources().empty());
  // A click beside both layers adds nothing.
  QTest::mouseClick(&canvas(), Qt::LeftButton, {}, QPoint(3, 3));
  QVERIFY(view().sources().empty());
}

void TestProjectionPage::keepsNumbersOffTheNamesOfLayers()
{
  for (const std::uint32_t corner : {0U, 39U, 39U * 40U, 40U * 40U - 1}) {
    view().setSources({corner});
    view().grab();
    QCOMPARE(overlay().numberAreas().size(), std::size_t{1});
    QVERIFY(overlay().nameAreas().size() >= 4); // two lines each
    for (const QRectF& name : overlay().nameAreas())
      QVERIFY2(!name.intersects(overlay().numberAreas()[0]), qPrintable(QString::number(corner)));
  }
}

/// Names that differ at their ends look different, whichever room they have.
void TestProjectionPage::elidesTheNameOfALayerInItsMiddle()
{
  const auto nameOfSource = [&](const QString& name) {
    window.usePopulations({gridPopulation(qPrintable(name), 40), gridPopulation("colliculus", 40)});
    if (!QTest::qWaitFor([&] { return table().projection.source->name() == name.toStdString(); }, kPatience))
      qFatal("no table of %s", qPrintable(name));
    view().setSources({});
    QImage picture(view().size(), QImage::Format_ARGB32);
    picture.fill(Qt::black);
    overlay().render(&picture);
    return picture.copy(overlay().nameAreas()[2].toAlignedRect()); // after the two lines of the other layer
  };
  const QString middle(180, u'm'); // a name has 200 characters at most
  QVERIFY(view().fontMetrics().horizontalAdvance(middle) > view().width());
  const QImage first = nameOfSource(QStringLiteral("retina ") + middle + QStringLiteral(" left"));
  const QImage second = nameOfSource(QStringLiteral("retina ") + middle + QStringLiteral(" felt")); // as wide
  const QImage third = nameOfSource(QStringLiteral("cortex ") + middle + QStringLiteral(" left"));
  const auto endOf = [](const QImage& picture, bool isLeft) {
    const int width = picture.width() / 3;
    return picture.copy(isLeft ? 0 : picture.width() - width, 0, width, picture.height());
  };
  QVERIFY(endOf(first, false) != endOf(second, false));
  QVERIFY(endOf(first, true) != endOf(third, true));
}

void TestProjectionPage::takesBackAndMovesAMarker()
{
  const std::uint32_t first = 10 * 40 + 10;
  const std::uint32_t second = 30 * 40 + 22;
  const std::uint32_t goal = 15 * 40 + 33;
  view().setSources({first, second});
  const QPoint from = view().pixelOf(true, second).toPoint();
  const QPoint to = view().pixelOf(true, goal).toPoint();
  QTest::mousePress(&canvas(), Qt::LeftButton, {}, from);
  moveMouse(canvas(), (QPointF(from) + QPointF(to)) / 2, Qt::LeftButton);
  moveMouse(canvas(), to, Qt::LeftButton);
  QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, to);
  QCOMPARE(view().sources(), (std::vector<std::uint32_t>{first, goal}));
  QVERIFY(view().shownWeight(goal) == 1.0f);
  QTest::mouseClick(&canvas(), Qt::LeftButton, {}, view().pixelOf(true, goal).toPoint());
  QCOMPARE(view().sources(), std::vector<std::uint32_t>{first});

  // A drag elsewhere turns the picture and changes no source.
  const QPointF before = view().pixelOf(true, first);
  QTest::mousePress(&canvas(), Qt::LeftButton, {}, QPoint(5, 5));
  moveMouse(canvas(), QPointF(60, 30), Qt::LeftButton);
  QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, QPoint(60, 30));
  QVERIFY(view().pixelOf(true, first) != before);
  QCOMPARE(view().sources(), std::vector<std::uint32_t>{first});
}

void TestProjectionPage::changesTheTableByATypedNumber()
{
  const std::uint64_t rows = table().rows();
  const auto weights = window->projections().outcome().summary->weights.counts;
  const double fan = window->projections().outcome().fanOut.mean;
  const int before = runs();
  type("projectionSigma0Spin", "6");
  waitForTable();
  QCOMPARE(runs(), before + 1);
  QVERIFY(table().rows() > rows);
  QCOMPARE(table().projection.parameters.sigma0, 6.0);
  QVERIFY(window->projections().outcome().fanOut.mean > fan);
  QVERIFY(find<widgets::WeightChart>("weightChart")->histogram().counts != weights);
  QVERIFY(find<QLabel>("projectionHeadline")->text().contains(describeTable(table())));
}

/// Whatever the last table took here, the page believes that it took so long.
void TestProjectionPage::takeTime(double milliseconds)
{
  ProjectionOutcome outcome = window->projections().outcome();
  outcome.timings.stages = {{"count", milliseconds}};
  window->projections().setOutcome(outcome);
}

void TestProjectionPage::followsTheSliderWhileTablesAreFast()
{
  takeTime(49);
  auto* slider = find<QSlider>("projectionSigma0Slider");
  const double sigma = table().projection.parameters.sigma0;
  slider->setSliderDown(true);
  slider->setSliderPosition(slider->maximum() / 4);
  QVERIFY(window->jobs().isActive());
  waitForTable();
  QVERIFY(table().projection.parameters.sigma0 != sigma);
  slider->setSliderDown(false);
  waitForTable();
}

void TestProjectionPage::waitsForTheSliderWhileTablesAreSlow()
{
  takeTime(51);
  auto* slider = find<QSlider>("projectionCutSlider");
  const QSignalSpy started(&window->jobs(), &Jobs::submitted);
  slider->setSliderDown(true);
  slider->setSliderPosition(slider->maximum() / 2);
  slider->setSliderPosition(slider->maximum() / 3);
  QCOMPARE(started.count(), 0);
  QVERIFY(find<QDoubleSpinBox>("projectionCutSpin")->value() > 0.05);
  slider->setSliderDown(false);
  QCOMPARE(started.count(), 1);
  waitForTable();
  QCOMPARE(table().projection.parameters.cut, find<QDoubleSpinBox>("projectionCutSpin")->value());
}

/// Map, histogram, row count and overlay, once for one typed number; the table is made beside the window.
void TestProjectionPage::paintsAllAnewWithANewSigma()
{
  const std::uint64_t rows = table().rows();
  auto* box = find<QDoubleSpinBox>("projectionSigma0Spin");
  box->setFocus();
  box->selectAll();
  QTest::keyClicks(box, "3.2");
  PaintWatch painted({&canvas(), find<QWidget>("fanOutMap"), find<QWidget>("fanInMap"), find<QWidget>("weightChart"),
                      find<QWidget>("adjacencyChart"), find<QWidget>("projectionHeadline"), view().timingCard()});
  int made = 0;
  // Before the page hears of it, and so before it paints.
  connect(&window->jobs(), &Jobs::ended, &painted, [&](const JobKind& kind) {
    if (!(kind == kTable))
      return;
    ++made;
    painted.begin();
  });
  QTest::keyClick(box, Qt::Key_Return);
  QVERIFY(window->jobs().isActive(kTable));
  QCOMPARE(table().rows(), rows);
  QTRY_VERIFY_WITH_TIMEOUT(painted.sawAll(), kPatience);
  QCOMPARE(made, 1);
  QVERIFY(table().rows() != rows);
}

void TestProjectionPage::showsTheNumbersOfTheKernelOnly()
{
  QVERIFY(find<QWidget>("projectionSigmaMRow")->isVisible());
  QVERIFY(!find<QWidget>("projectionWavelengthRow")->isVisible());
  QVERIFY(!find<QLineEdit>("projectionExpressionEdit")->isVisible());
  auto* kernel = find<QComboBox>("projectionKernelCombo");
  kernel->setCurrentIndex(static_cast<int>(projection::KernelKind::Gabor));
  waitForTable();
  QVERIFY(!find<QWidget>("projectionSigmaMRow")->isVisible());
  QVERIFY(find<QWidget>("projectionWavelengthRow")->isVisible());
  QVERIFY(window->projections().outcome().summary->weights.low < 0);

  kernel->setCurrentIndex(static_cast<int>(projection::KernelKind::Expression));
  auto* formula = find<QLineEdit>("projectionExpressionEdit");
  formula->setFocus();
  QTest::keyClicks(formula, "exp(-r / 3)");
  QTest::keyClick(formula, Qt::Key_Return);
  waitForTable();
  QCOMPARE(table().projection.parameters.expression, std::string("exp(-r / 3)"));
  QVERIFY(table().rows() > 0);
}

void TestProjectionPage::addsAPopulation()
{
  QTest::mouseClick(find<QPushButton>("addPopulation"), Qt::LeftButton);
  auto* dialog = find<PopulationDialog>("populationDialog");
  QVERIFY(QTest::qWaitForWindowExposed(dialog));
  auto* name = dialog->findChild<QLineEdit*>("populationName");
  name->selectAll();
  QTest::keyClicks(name, "cloud");
  dialog->findChild<QComboBox*>("populationKind")->setCurrentIndex(1); // in a box
  QVERIFY(!dialog->findChild<QDoubleSpinBox*>("populationSizeX")->isVisible());
  QVERIFY(dialog->findChild<QDoubleSpinBox*>("populationExtentZ")->isVisible());
  dialog->findChild<QDoubleSpinBox*>("populationCount")->setValue(700);
  dialog->findChild<QDoubleSpinBox*>("populationExtentX")->setValue(40);
  dialog->findChild<QDoubleSpinBox*>("populationExtentY")->setValue(40);
  dialog->findChild<QDoubleSpinBox*>("populationExtentZ")->setValue(5);
  QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok), Qt::LeftButton);
  QTRY_COMPARE(find<QListWidget>("populationList")->count(), 3);
  waitForTable();

  auto* destination = find<QComboBox>("projectionDestination");
  destination->setFocus();
  QTest::keyClick(destination, Qt::Key_End);
  QCOMPARE(destination->currentText(), QStringLiteral("cloud"));
  waitForTable();
  QCOMPARE(table().projection.destination->count(), 700u);
  QVERIFY(!view().grabPicture().isNull());
  QVERIFY(table().rows() > 0);
}

/// A grid, of as many neurons and as far apart; but nothing by chance is the same.
void TestProjectionPage::placesANewPopulationAsTheChosenOne()
{
  const auto ask = [this] {
    QTest::mouseClick(find<QPushButton>("addPopulation"), Qt::LeftButton);
    auto* dialog = find<PopulationDialog>("populationDialog");
    [&] { QVERIFY(QTest::qWaitForWindowExposed(dialog)); }();
    return dialog;
  };
  const auto endBy = [](PopulationDialog* dialog, QDialogButtonBox::StandardButton button) {
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(button), Qt::LeftButton);
    QCoreApplication::sendPostedEvents(dialog, QEvent::DeferredDelete);
  };
  PopulationDialog* dialog = ask();
  dialog->findChild<QDoubleSpinBox*>("populationSizeX")->setValue(21);
  dialog->findChild<QDoubleSpinBox*>("populationSizeY")->setValue(22);
  dialog->findChild<QDoubleSpinBox*>("populationSpacingX")->setValue(2.5);
  const projection::PopulationParameters first = dialog->choice().parameters;
  endBy(dialog, QDialogButtonBox::Ok);
  QTRY_COMPARE(find<QListWidget>("populationList")->count(), 3);
  waitForTable();
  dialog = ask();
  projection::PopulationParameters next = dialog->choice().parameters;
  QVERIFY(next.name != first.name);
  for (const model::Population& other : window->project().populations) {
    QVERIFY(next.seed != other.placement.seed);
    QVERIFY(dialog->population().seed != other.seed);
  }
  next.name = first.name;
  next.seed = first.seed;
  QVERIFY(next == first);
  endBy(dialog, QDialogButtonBox::Cancel);
}

/// What is not edited stays as exact as it was, and what is declared in the engine is what can be typed.
void TestProjectionPage::keepsThePopulationThatIsNotEdited()
{
  projection::PopulationParameters shown;
  shown.kind = projection::PopulationKind::Box;
  shown.seed = 18'000'000'000'000'000'001U; // no double holds it
  shown.count = 3'000'000'000;
  shown.extent = {1.0 / 3, 0, 5};
  PopulationDialog dialog(study::PopulationChoice(shown), {}, {}, nullptr, nullptr);
  QVERIFY(dialog.choice().parameters == shown);
  for (const BoundField& field : fieldsOf(shown)) {
    if (field.kind == FieldKind::Text || field.kind == FieldKind::Choice)
      continue;
    const QString axis = field.kind == FieldKind::Series ? QStringLiteral("Y") : QString();
    const ParameterText text = parameterTextOf(field, QStringLiteral("population"));
    const auto* spin = dialog.findChild<QDoubleSpinBox*>(text.id + axis);
    QVERIFY2(spin && spin->toolTip().contains(text.help), field.name.c_str());
    QCOMPARE(spin->minimum(), numberRangeOf(field).lowest);
  }
  dialog.findChild<QDoubleSpinBox*>(QStringLiteral("populationExtentZ"))->setValue(7);
  shown.extent[2] = 7;
  QVERIFY(dialog.choice().parameters == shown);
}

void TestProjectionPage::saysWhatIsWrongWithAPopulation()
{
  QTest::mouseClick(find<QPushButton>("addPopulation"), Qt::LeftButton);
  auto* dialog = find<PopulationDialog>("populationDialog");
  QVERIFY(QTest::qWaitForWindowExposed(dialog));
  auto* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
  auto* problem = dialog->findChild<QLabel*>("populationProblem");
  QVERIFY(ok->isEnabled());
  dialog->findChild<QLineEdit*>("populationName")->clear();
  QVERIFY(!ok->isEnabled());
  QVERIFY2(problem->text().contains("name"), qPrintable(problem->text()));
  // Two of one name would share what the circuit knows of them, such as the sign of their weights.
  const std::string other = find<PopulationPanel>("populationPanel")->populations().front().parameters.name;
  dialog->findChild<QLineEdit*>("populationName")->setText(QString::fromStdString(other));
  QVERIFY2(!ok->isEnabled(), other.c_str());
  QVERIFY2(problem->text().contains("already"), qPrintable(problem->text()));
  dialog->findChild<QLineEdit*>("populationName")->clear();
  QTest::keyClicks(dialog->findChild<QLineEdit*>("populationName"), "somata");
  dialog->findChild<QComboBox*>("populationKind")->setCurrentIndex(3); // from a file
  QVERIFY(!ok->isEnabled());
  QVERIFY2(problem->text().contains("file"), qPrintable(problem->text()));
  dialog->reject();
  QCOMPARE(find<PopulationPanel>("populationPanel")->populations().size(), std::size_t{2});
}

void TestProjectionPage::mapsFansAsTheTableHasThem()
{
  const ProjectionOutcome& outcome = window->projections().outcome();
  const QImage& levels = find<widgets::FanMap>("fanInMap")->picture().levels;
  QCOMPARE(levels.size(), QSize(40, 40));
  for (const std::uint32_t neuron : {0u, 39u, 820u, 1599u})
    QCOMPARE(static_cast<std::uint8_t>(levels.pixelIndex(static_cast<int>(neuron % 40), static_cast<int>(neuron / 40))),
             std::max<std::uint8_t>(1, widgets::levelOf(outcome.summary->fanIn[neuron] / outcome.fanIn.highest)));
  QCOMPARE(outcome.fanOut.mean, static_cast<double>(table().rows()) / 1600);
}

void TestProjectionPage::zoomsTheMatrix()
{
  auto* matrix = find<widgets::AdjacencyChart>("adjacencyChart");
  QCOMPARE(matrix->wantedSources().size(), 1600u);
  turnWheel(*matrix, matrix->plot().center(), 3);
  QVERIFY(matrix->wantedSources().size() < 600);
  QVERIFY(matrix->wantedSources().begin > 300);
  window->projections().settle();
  const auto expected = projection::binAdjacency(table(), matrix->wantedSources(), matrix->wantedDestinations(), 192);
  QCOMPARE(matrix->bins().counts, expected.counts);
  // A new table of the same populations keeps the part.
  const auto part = matrix->wantedSources();
  type("projectionSigma0Spin", "4");
  waitForTable();
  window->projections().settle();
  QVERIFY(matrix->wantedSources() == part);
  QCOMPARE(matrix->bins().counts, projection::binAdjacency(table(), part, matrix->wantedDestinations(), 192).counts);
  QTest::mouseDClick(matrix, Qt::LeftButton, {}, matrix->plot().center().toPoint());
  window->projections().settle();
  QCOMPARE(matrix->bins().sources.size(), 1600u);
}

void TestProjectionPage::keepsTheTableWhenOneCannotBeMade()
{
  find<QComboBox>("projectionKernelCombo")->setCurrentIndex(static_cast<int>(projection::KernelKind::AllToAll));
  waitForTable();
  const std::uint64_t rows = table().rows();
  find<QComboBox>("projectionKernelCombo")->setCurrentIndex(static_cast<int>(projection::KernelKind::Expression));
  auto* formula = find<QLineEdit>("projectionExpressionEdit");
  formula->setFocus();
  QTest::keyClicks(formula, "exp(-r");
  QTest::keyClick(formula, Qt::Key_Return);
  auto* banner = find<MessageBanner>("messageBanner");
  QTRY_VERIFY_WITH_TIMEOUT(banner->text().contains("column 7"), kPatience);
  QCOMPARE(table().rows(), rows);
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive(), kPatience);
  QVERIFY(!view().timingCard()->isRunning());
  auto* mark = find<QWidget>("mismatchBar");
  QTRY_VERIFY(mark->isVisible());
  QTest::mouseClick(find<QPushButton>("mismatchDecline"), Qt::LeftButton);
  QCOMPARE(find<QComboBox>("projectionKernelCombo")->currentIndex(),
           static_cast<int>(projection::KernelKind::AllToAll));
  QTRY_VERIFY(!mark->isVisible());
}

void TestProjectionPage::cancelsByEscape()
{
  QString stage;
  const auto connection =
      connect(&window->jobs(), &Jobs::progressed, this, [&](const JobKind&, const QString& name) { stage = name; });
  window.usePopulations(1500); // 10^9 rows and more: no table that is made in a moment
  QTRY_VERIFY_WITH_TIMEOUT(stage == "count" || stage == "compact", kPatience);
  disconnect(connection);
  QVERIFY(window.focus(&canvas()));
  QTest::keyClick(&*window, Qt::Key_Escape);
  QVERIFY(!window->jobs().isActive()); // before any other event
  QTRY_VERIFY_WITH_TIMEOUT(window->jobs().isIdle(), kPatience);
  // The worker is as good as new.
  window.usePopulations(6);
  waitForTable();
  QCOMPARE(table().projection.source->count(), std::uint64_t{36});
}

void TestProjectionPage::marksFieldsThatTheTableDoesNotHave()
{
  auto* mark = find<QWidget>("mismatchBar");
  const auto before = window.outcome().table;
  type("projectionSigma0Spin", "3");
  window.usePopulations(1500);
  QVERIFY(window->jobs().isActive(kTable));
  QTest::keyClick(&*window, Qt::Key_Escape);
  QTRY_VERIFY(mark->isVisible());
  QTest::mouseClick(find<QPushButton>("mismatchDecline"), Qt::LeftButton);
  QTRY_VERIFY(!mark->isVisible());
  QCOMPARE(window.outcome().table, before);
  QCOMPARE(find<QDoubleSpinBox>("projectionSigma0Spin")->value(), before->projection.parameters.sigma0);
  find<QAction>("runAction")->trigger();
  waitForTable();
  QCOMPARE(table().projection.source->count(), before->projection.source->count());
  QCOMPARE(table().rows(), before->rows());
}

void TestProjectionPage::waitsForTheCells()
{
  window->showView(ViewKind::Morphology);
  window->openFiles({dataFile("stellate.swc")});
  QVERIFY(window->jobs().isActive());
  window->showView(ViewKind::Projection);
  find<QAction>("runAction")->trigger();
  const int before = runs();
  QTRY_COMPARE_WITH_TIMEOUT(runs(), before + 1, kPatience);
  QCOMPARE(window.runsOf(io::RunKind::Solve), 1); // the cells were solved all the same
}

void TestProjectionPage::exportsTheTable()
{
  const QString path = folder.filePath("weights.csv");
  QTest::mouseClick(find<QPushButton>("projectionExport"), Qt::LeftButton);
  auto* dialog = find<QFileDialog>("exportTableDialog");
  QVERIFY(QTest::qWaitForWindowExposed(dialog));
  const std::string& connection = find<ConnectionPanel>("connectionPanel")->shown();
  QVERIFY(!connection.empty());
  QCOMPARE(QFileInfo(dialog->selectedFiles().value(0)).fileName(),
           QString::fromStdString(connection) + QStringLiteral(".csv"));
  emit dialog->fileSelected(path);
  dialog->close();
  QVERIFY(window->jobs().isActive(kTableExport));
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive(kTableExport), kPatience);
  QVERIFY(find<QLabel>("resultLabel")->text().contains("weights.csv"));
  QVERIFY(!find<QWidget>("jobPanel")->isVisible());
  const auto read = io::importTable(path.toStdString());
  QCOMPARE(read->table.offsets, table().offsets);
  QVERIFY(std::equal(read->table.weight.begin(), read->table.weight.end(), table().weight.begin()));

  QTest::mouseClick(find<QPushButton>("projectionExport"), Qt::LeftButton);
  auto* another = find<QFileDialog>("exportTableDialog");
  QVERIFY(QTest::qWaitForWindowExposed(another));
  emit another->fileSelected(QStringLiteral("/nowhere/weights.csv"));
  another->close();
  QTRY_VERIFY_WITH_TIMEOUT(find<MessageBanner>("messageBanner")->isVisible(), kPatience);
  QVERIFY(find<MessageBanner>("messageBanner")->text().startsWith("/nowhere/weights.csv: cannot be written"));
}

void TestProjectionPage::savesAPicture()
{
  const QString path = folder.filePath("projection.png");
  window->projections().savePicture(path);
  QCOMPARE(QImage(path).size(), window->projections().size());
  QVERIFY_EXCEPTION_THROWN(window->projections().savePicture(folder.filePath("none/p.png")), Error);
}

HINESIGHT_TEST_RUN(runWindowTest<TestProjectionPage>)
#include "test_projection_page.moc"
