#include "figure_drawing.hpp"
#include "gl_test.hpp"
#include "painted_texts.hpp"
#include "test_main.hpp"
#include "widgets/charts/profile_chart.hpp"
#include "widgets/theme.hpp"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

using namespace hinesight;
using namespace hinesight::widgets;

/// What mouse and keyboard pick in a profile, and how it shows what is selected.
class TestProfileChart : public QObject
{
  Q_OBJECT

  using Stretch = ProfileChart::Stretch;

  struct Picked
  {
    Stretch places;
    Qt::KeyboardModifiers modifiers;
  };

  std::unique_ptr<ProfileChart> chart;
  std::vector<Picked> picked;

  void show(const std::vector<std::vector<double>>& values, bool isStair)
  {
    std::vector<ProfileChart::Curve> curves;
    for (const std::vector<double>& each : values)
      curves.push_back({QStringLiteral("cell %1").arg(curves.size() + 1), each});
    chart->setCurves(std::move(curves), 10, QStringLiteral("µm"), isStair);
  }

  /// From one value to the next, pixels.
  double step() const { return chart->pointOf(0, 1).x() - chart->pointOf(0, 0).x(); }
  QPoint beside(std::size_t place, double steps) const
  {
    return (chart->pointOf(0, place) + QPointF(steps * step(), 0)).toPoint();
  }

  void move(const QPoint& to, Qt::MouseButtons buttons)
  {
    QMouseEvent event(QEvent::MouseMove, to, chart->mapToGlobal(to), Qt::NoButton, buttons, {});
    QApplication::sendEvent(chart.get(), &event);
  }

  Stretch picksBy(const std::function<void()>& act)
  {
    picked.clear();
    act();
    return picked.size() == 1 ? picked.front().places : Stretch{99, 0, 99};
  }
  Stretch clicked(const QPoint& point)
  {
    return picksBy([&] { QTest::mouseClick(chart.get(), Qt::LeftButton, {}, point); });
  }
  Stretch dragged(const QPoint& from, const QPoint& to)
  {
    return picksBy([&] {
      QTest::mousePress(chart.get(), Qt::LeftButton, {}, from);
      move(to, Qt::LeftButton);
      QTest::mouseRelease(chart.get(), Qt::LeftButton, {}, to);
    });
  }
  Stretch pressed(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
  {
    return picksBy([&] { QTest::keyClick(chart.get(), key, modifiers); });
  }
  QString tipAt(const QPoint& point)
  {
    QHelpEvent help(QEvent::ToolTip, point, chart->mapToGlobal(point));
    QApplication::sendEvent(chart.get(), &help);
    return QToolTip::text();
  }
  QImage picture() const { return chart->grab().toImage(); }
  QImage inFigure() const
  {
    FigureArea area;
    area.size = chart->size();
    QImage figure(chart->size(), QImage::Format_RGB32);
    QPainter painter(&figure);
    chart->paintPart(painter, area);
    painter.end();
    return figure;
  }

  QString drawnIn(const QSizeF& size) const { return test::drawingOf(*chart, size); }

private slots:
  void init()
  {
    chart = std::make_unique<ProfileChart>(QStringLiteral("Profile"), nullptr);
    chart->setAxisTitles(QStringLiteral("length, µm"), QStringLiteral("branches"));
    chart->setToolTip(QStringLiteral("what it is"));
    connect(chart.get(), &ProfileChart::picked, this, [this](const Stretch& places, Qt::KeyboardModifiers modifiers) {
      picked.push_back({places, modifiers});
    });
    chart->resize(400, 300);
    chart->show();
    chart->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(chart.get()));
  }
  void cleanup() { chart.reset(); }

  void aClickPicksTheClassThatItIsIn()
  {
    show({{5, 1, 3, 8, 2}}, true);
    for (std::size_t place = 0; place < 5; ++place)
      for (const double steps : {-0.45, 0.0, 0.45})
        QCOMPARE(clicked(beside(place, steps)), (Stretch{0, place, place + 1}));
    // Above its bar, too.
    QCOMPARE(clicked({beside(1, 0).x(), beside(3, 0).y()}), (Stretch{0, 1, 2}));
  }

  void aClickPicksTheNearestPointOfALine()
  {
    show({{5, 1, 3, 8, 2}}, false);
    for (std::size_t place = 0; place < 5; ++place)
      for (const double steps : {-0.45, 0.0, 0.45})
        if (place < 4 || steps < 0)
          QCOMPARE(clicked(beside(place, steps)), (Stretch{0, place, place + 1}));
  }

  void aClickPicksTheNearerCurve()
  {
    for (const bool isStair : {true, false}) {
      show({{10, 2, 0}, {4, 9, 6}}, isStair);
      for (std::size_t place = 0; place < 2; ++place)
        for (std::size_t curve = 0; curve < 2; ++curve)
          QCOMPARE(clicked(chart->pointOf(curve, place).toPoint()), (Stretch{curve, place, place + 1}));
      // Where one is 0, it is the other one at any height.
      const QPointF zero = chart->pointOf(0, 2) - QPointF(2, 2);
      QCOMPARE(clicked(zero.toPoint()), (Stretch{1, 2, 3}));
    }
  }

  void aDragPicksAllThatItPasses()
  {
    show({{5, 1, 0, 8, 2}}, true);
    QCOMPARE(dragged(beside(1, 0), beside(3, 0)), (Stretch{0, 1, 4}));
    QCOMPARE(dragged(beside(3, 0), beside(1, 0)), (Stretch{0, 1, 4}));
    QCOMPARE(dragged(beside(3, 0), {chart->size().width() + 50, 150}), (Stretch{0, 3, 5}));
    // A hand that shakes during a click.
    const QPoint edge = beside(1, 0.5);
    QCOMPARE(dragged(edge - QPoint(2, 0), edge + QPoint(1, 0)), (Stretch{0, 1, 2}));
    // From where all are 0, of the curve that is above 0 on the way.
    show({{0, 0, 0, 0, 0}, {0, 1, 2, 0, 0}}, true);
    QCOMPARE(dragged(beside(0, 0) - QPoint(0, 5), beside(2, 0) - QPoint(0, 5)), (Stretch{1, 0, 3}));
  }

  void nothingIsPickedBesideThePlot()
  {
    show({{5, 1, 3}}, true);
    QCOMPARE(clicked({3, 3}).size(), std::size_t{0});
    QCOMPARE(clicked({chart->size().width() / 2, chart->size().height() - 2}).size(), std::size_t{0});
    QCOMPARE(dragged({3, 3}, beside(1, 0)).size(), std::size_t{0});
    QCOMPARE(picked.size(), std::size_t{1});
    picked.clear();
    QTest::mouseClick(chart.get(), Qt::RightButton, {}, beside(1, 0));
    QVERIFY(picked.empty());
    // Without a curve a click is beside all.
    show({}, true);
    QCOMPARE(clicked({200, 150}).size(), std::size_t{0});
  }

  void tellsTheKeysThatAreHeld()
  {
    show({{5, 1, 3}}, true);
    for (const Qt::KeyboardModifiers modifiers :
         {Qt::KeyboardModifiers(Qt::ControlModifier), Qt::KeyboardModifiers(Qt::ShiftModifier)}) {
      picked.clear();
      QTest::mouseClick(chart.get(), Qt::LeftButton, modifiers, beside(1, 0));
      QTest::keyClick(chart.get(), Qt::Key_Space, modifiers);
      QCOMPARE(picked.size(), std::size_t{2});
      QCOMPARE(picked[0].modifiers, modifiers);
      QCOMPARE(picked[1].modifiers, modifiers);
    }
  }

  void theKeyboardPicksWhereItsMarkIs()
  {
    show({{0, 5, 0, 3}, {2, 0, 1, 0}}, true);
    chart->clearFocus();
    chart->setFocus(Qt::TabFocusReason);
    QCOMPARE(pressed(Qt::Key_Space), (Stretch{0, 1, 2})); // the first that is not 0
    QCOMPARE(chart->accessibleDescription(), QStringLiteral("10 to 20 µm\ncell 1, branches: 5\ncell 2, branches: 0"));
    QTest::keyClick(chart.get(), Qt::Key_Right);
    QCOMPARE(pressed(Qt::Key_Return), (Stretch{0, 2, 3}));
    QTest::keyClick(chart.get(), Qt::Key_Down);
    QCOMPARE(pressed(Qt::Key_Enter), (Stretch{1, 2, 3}));
    QTest::keyClick(chart.get(), Qt::Key_Down);
    QTest::keyClick(chart.get(), Qt::Key_Up);
    QTest::keyClick(chart.get(), Qt::Key_End);
    QCOMPARE(pressed(Qt::Key_Space), (Stretch{0, 3, 4}));
    QTest::keyClick(chart.get(), Qt::Key_Right);
    QCOMPARE(pressed(Qt::Key_Space), (Stretch{0, 3, 4}));
    QTest::keyClick(chart.get(), Qt::Key_Home);
    QTest::keyClick(chart.get(), Qt::Key_Left);
    QCOMPARE(pressed(Qt::Key_Space), (Stretch{0, 0, 1}));
    QVERIFY(QToolTip::text().startsWith(QStringLiteral("0 to 10 µm\n")));
    // A click takes it along.
    clicked(chart->pointOf(0, 3).toPoint());
    QTest::keyClick(chart.get(), Qt::Key_Left);
    QCOMPARE(pressed(Qt::Key_Space), (Stretch{0, 2, 3}));
    // Where other curves have no such place, it begins anew.
    show({{1, 2}}, true);
    picked.clear();
    QTest::keyClick(chart.get(), Qt::Key_Space);
    QVERIFY(picked.empty());
    QTest::keyClick(chart.get(), Qt::Key_Right);
    QCOMPARE(pressed(Qt::Key_Space), (Stretch{0, 0, 1}));
  }

  /// Seen, but not in figures.
  void theMarkIsDrawnWhereTheKeyboardIs()
  {
    show({{5, 1, 3}}, true);
    chart->clearFocus();
    const QImage without = picture();
    chart->setFocus(Qt::TabFocusReason);
    const QImage first = picture();
    QVERIFY(first != without);
    QTest::keyClick(chart.get(), Qt::Key_Right);
    QVERIFY(picture() != first);
    const QImage figure = inFigure();
    chart->clearFocus();
    QCOMPARE(figure, inFigure());
  }

  /// Below the plot, where there is no room beside the heading. The screen has what fits.
  void aFigureHasWholeNames()
  {
    show({{5, 1, 3}, {2, 6, 4}}, false);
    std::vector<ProfileChart::Curve> curves = chart->curves();
    const QStringList names{QStringLiteral("mouse_layer5_cell_01"), QStringLiteral("mouse_layer5_cell_02")};
    for (std::size_t curve = 0; curve < curves.size(); ++curve)
      curves[curve].name = names[static_cast<qsizetype>(curve)];
    chart->setCurves(curves, 10, QStringLiteral("µm"), false);
    chart->resize(200, 150);
    const QPointF before = chart->pointOf(1, 1);
    const QString narrow = drawnIn({220, 160});
    const QString wide = drawnIn({700, 300});
    for (const QString& name : names)
      for (const QString& drawn : {narrow, wide})
        QCOMPARE(drawn.count(name + QLatin1Char('<')), 1);
    QVERIFY(!test::PaintedTexts(*chart, 1).find(names.front()));
    QCOMPARE(chart->pointOf(1, 1), before); // the screen keeps its plot
  }

  /// Whatever the size on the screen is.
  void aFigureHasItsOwnSize()
  {
    show({{5, 1, 3}}, true);
    const QString drawn = drawnIn({500, 300});
    chart->resize(200, 150);
    QCOMPARE(drawnIn({500, 300}), drawn);
    QVERIFY(drawnIn({300, 200}) != drawn);
  }

  /// The lower part of a bar, as high as so many.
  void theSelectedPartOfAClassIsMarked()
  {
    show({{6, 1, 3, 8, 2}}, true);
    chart->clearFocus();
    const QImage before = picture();
    chart->setSelected({{0, 0, 3, 4}});
    const QImage after = picture();
    const double unit = (chart->pointOf(0, 1).y() - chart->pointOf(0, 3).y()) / 7; // 1 and 8
    const double bottom = chart->pointOf(0, 1).y() + unit;
    const std::vector<double> selected = {0, 0, 3, 4, 0};
    for (std::size_t place = 0; place < selected.size(); ++place) {
      const int x = beside(place, 0).x();
      for (int y = qRound(bottom - 8 * unit); y < qRound(bottom); ++y) {
        const double value = (bottom - y) / unit;
        if (std::abs(value - selected[place]) * unit > 3)
          QCOMPARE(after.pixel(x, y) != before.pixel(x, y), value < selected[place]);
      }
    }
    chart->setSelected({});
    QCOMPARE(picture(), before);
  }

  void theSelectedPartOfALineIsASecondLine()
  {
    const std::vector<double> selected = {2, 0, 3, 1, 6};
    show({{8, 8, 8, 8, 8}, {4, 4, 4, 4, 4}}, false);
    chart->clearFocus();
    const QImage before = picture();
    chart->setSelected({selected});
    const QImage after = picture();
    const double unit = (chart->pointOf(1, 0).y() - chart->pointOf(0, 0).y()) / 4; // 4 and 8
    const double bottom = chart->pointOf(0, 0).y() + 8 * unit;
    for (std::size_t place = 0; place + 1 < selected.size(); ++place) {
      const QPoint point(beside(place, 0).x(), qRound(bottom - selected[place] * unit));
      int nearest = 255;
      for (int y = point.y() - 2; y <= point.y() + 2; ++y)
        nearest = std::min(nearest, test::distance(after.pixelColor(point.x(), y), theme().selection));
      QVERIFY2(nearest < 60, qPrintable(QString::number(place)));
    }
    chart->setSelected({{}, {1}});
    QVERIFY(picture() != after);
    show({{8, 8, 8, 8, 8}, {4, 4, 4, 4, 4}}, false); // other curves, of which nothing is selected
    QCOMPARE(picture(), before);
  }

  /// There is nothing farther out, which a line that stops in the air leaves open.
  void aShorterLineEndsAtNone()
  {
    show({{8, 8, 8, 8, 8, 8}, {4, 4}}, false);
    chart->clearFocus();
    const QImage drawn = picture();
    const QPoint onItsWay = ((chart->pointOf(1, 1) + chart->pointOf(1, 2)) / 2).toPoint();
    int nearest = 255;
    for (int x = onItsWay.x() - 2; x <= onItsWay.x() + 2; ++x)
      nearest = std::min(nearest, test::distance(drawn.pixelColor(x, onItsWay.y()), theme().text));
    QVERIFY2(nearest < 60, qPrintable(QString::number(nearest)));
  }

  void saysWhatIsUnderTheMouse()
  {
    show({{5, 1, 3}, {4, 0, 0}}, true);
    QCOMPARE(tipAt(beside(1, 0.4)), QStringLiteral("10 to 20 µm\ncell 1, branches: 1\ncell 2, branches: 0"));
    chart->setSelected({{2}, {0}});
    QCOMPARE(tipAt(beside(0, -0.4)),
             QStringLiteral("0 to 10 µm\ncell 1, branches: 5, selected: 2\ncell 2, branches: 4, selected: 0"));
    QCOMPARE(tipAt({3, 3}), QStringLiteral("what it is"));
    show({{5, 1, 3}}, false);
    QCOMPARE(tipAt(beside(1, -0.4)), QStringLiteral("20 µm\ncell 1, branches: 1"));
  }

  /// Whole where it has room, and in its tooltip in any case. Nothing is picked then.
  void aNoticeStandsInPlaceOfThePlot()
  {
    const QString sentence = QStringLiteral("There is nothing in this chart because nothing was counted for it");
    const auto painted = [this] {
      const test::PaintedTexts picture(*chart, 1);
      QStringList lines;
      for (const test::PaintedTexts::Text& text : picture.texts())
        lines << text.text;
      return lines.join(QLatin1Char(' ')).simplified();
    };
    show({{0, 0}}, false);
    chart->setNotice(sentence);
    QCOMPARE(painted(), QStringLiteral("Profile cell 1 ") + sentence);
    QVERIFY(test::PaintedTexts(*chart, 1).lines().empty());
    QVERIFY(test::PaintedTexts(*chart, 1).faults().empty());
    QCOMPARE(chart->accessibleDescription(), sentence);
    QVERIFY(drawnIn({500, 300}).contains(QStringLiteral("nothing was counted")));
    const QPoint middle(200, 150);
    QCOMPARE(tipAt(middle), sentence);
    QCOMPARE(clicked(middle).size(), std::size_t{0});
    chart->setNotice(QStringList(5, sentence).join(u' '));
    chart->resize(chart->minimumSizeHint().width(), 8 * chart->fontMetrics().height());
    QVERIFY2(painted().endsWith(QChar(u'…')), qPrintable(painted()));
    QVERIFY(test::PaintedTexts(*chart, 1).faults().empty());
    chart->resize(400, 300);
    chart->setNotice({});
    QVERIFY(painted().contains(QStringLiteral("length, µm")));
    QCOMPARE(tipAt({3, 3}), QStringLiteral("what it is"));
  }

  void thePointerSaysWhatCanBeClicked()
  {
    show({{5, 0, 3}}, true);
    move(beside(0, 0), Qt::NoButton);
    QCOMPARE(chart->cursor().shape(), Qt::PointingHandCursor);
    move(beside(1, 0) - QPoint(0, 5), Qt::NoButton);
    QCOMPARE(chart->cursor().shape(), Qt::ArrowCursor);
    move(beside(2, 0), Qt::NoButton);
    QCOMPARE(chart->cursor().shape(), Qt::PointingHandCursor);
    move({3, 3}, Qt::NoButton);
    QCOMPARE(chart->cursor().shape(), Qt::ArrowCursor);
  }
};

HINESIGHT_TEST_RUN(hinesight::test::runGlTest<TestProfileChart>)
#include "test_profile_chart.moc"
