#include "app/app_fixture.hpp"
#include "app/workspace/foldable_docks.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"
#include "widgets/charts/timing_card.hpp"
#include "workspace_fixture.hpp"

#include <QImage>
#include <QJsonObject>
#include <QLabel>

#include <cstdlib>

namespace hinesight::app {

/// Docks that yield to the views, and fold.
class TestWorkspace : public QObject, private WorkspaceFixture
{
  Q_OBJECT

  /// Whether it shows an icon: pixels of its picture's colour, which neither the theme nor its text has.
  static bool hasPicture(QWidget& button)
  {
    constexpr QRgb kOfIcons = 0xff6f86a3;
    constexpr int kNearly = 10; // of 255
    const auto isNear = [](int a, int b) { return std::abs(a - b) <= kNearly; };
    const QImage shown = button.grab().toImage();
    int pixels = 0;
    for (int y = 0; y < shown.height(); ++y)
      for (int x = 0; x < shown.width(); ++x) {
        const QRgb at = shown.pixel(x, y);
        pixels += isNear(qRed(at), qRed(kOfIcons)) && isNear(qGreen(at), qGreen(kOfIcons)) &&
                  isNear(qBlue(at), qBlue(kOfIcons));
      }
    return pixels > 10;
  }

private slots:
  void init() { begin(); }
  void cleanup() { end(); }

  void opensTheDocksThatSaySomethingToAPage()
  {
    show("morphology");
    QCOMPARE(openDocks(), QStringLiteral("dataDock parametersDock"));
    show("splitting");
    QCOMPARE(openDocks(), QStringLiteral("dataDock parametersDock timingsDock"));
    show("projection");
    QCOMPARE(openDocks(), QStringLiteral("circuitDock dataDock parametersDock timingsDock"));
  }

  void keepsWhatAPersonOpenedAndFoldedOnAPage()
  {
    show("morphology");
    click<QToolButton>("dataDockFold");
    QCOMPARE(openDocks(), QStringLiteral("parametersDock"));
    auto* folded = find<QToolButton>("dataDockUnfold");
    QTRY_VERIFY(folded->isVisible());
    QVERIFY(hasPicture(*folded));
    click<QToolButton>("timingsDockUnfold");
    QCOMPARE(openDocks(), QStringLiteral("parametersDock timingsDock"));
    show("packing"); // another view of the same cells
    QCOMPARE(openDocks(), QStringLiteral("parametersDock timingsDock"));
    show("projection");
    QVERIFY(find<QDockWidget>("dataDock")->isVisible());
    show("morphology");
    trigger("dataDockAction");
    QCOMPARE(openDocks(), QStringLiteral("dataDock parametersDock timingsDock"));
  }

  /// Also in a window that is too small for what another page has to say.
  void keepsWhatAPersonOpenedOnEveryPage()
  {
    window->resize(1280, 720);
    show("morphology");
    if (!find<QDockWidget>("timingsDock")->isVisible())
      click<QToolButton>("timingsDockUnfold");
    else { // opened by the page: fold it and open it by hand
      click<QToolButton>("timingsDockFold");
      click<QToolButton>("timingsDockUnfold");
    }
    for (const char* page : {"projection", "benchmark", "plasticity", "measure"}) {
      show(page);
      QVERIFY2(find<QDockWidget>("timingsDock")->isVisible(), page);
      if (!find<QDockWidget>("parametersDock")->isVisible())
        click<QToolButton>("parametersDockUnfold");
      QVERIFY2(find<QDockWidget>("timingsDock")->isVisible(), page);
    }
    click<QToolButton>("timingsDockFold");
    show("morphology");
    click<QToolButton>("timingsDockFold");
    show("synapses");
    QVERIFY(!window->findChild<FoldableDocks*>()->choices().contains(QStringLiteral("*")) ||
            !window->findChild<FoldableDocks*>()->choices()[QStringLiteral("*")].toObject().contains("timingsDock"));
  }

  void foldsAllDocksAtOnce()
  {
    show("projection");
    QTest::keyClick(window.get(), Qt::Key_F9);
    QCOMPARE(openDocks(), QString());
    QVERIFY(find<QToolButton>("focusButton")->isChecked());
    clickUnfold("parametersDock");
    QCOMPARE(openDocks(), QStringLiteral("parametersDock"));
    show("morphology");
    QCOMPARE(openDocks(), QStringLiteral("parametersDock"));
    click<QToolButton>("focusButton");
    QCOMPARE(openDocks(), QStringLiteral("dataDock parametersDock"));
    QTest::keyClick(window.get(), Qt::Key_F9);
    QCOMPARE(openDocks(), QString()); // what was opened counted for that time
  }

  void leavesHalfOfASmallWindowToTheView_data()
  {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1366, 768), QSize(1280, 720), QSize(1000, 700), QSize(910, 512), QSize(800, 500)})
      QTest::newRow(qPrintable(QStringLiteral("%1x%2").arg(size.width()).arg(size.height()))) << size;
  }

  void leavesHalfOfASmallWindowToTheView()
  {
    QFETCH(QSize, size);
    window->resize(size);
    for (const PageDefinition& page : allPages()) {
      show(page.name);
      // What is enough for a page need not be half of a large window.
      const auto hasEnough = [&] {
        const QSize seen = shownPages().front()->size();
        const int pixels = seen.width() * seen.height();
        return window->size() == size && (2 * pixels >= size.width() * size.height() || pixels >= 720 * 640);
      };
      QTRY_VERIFY2(hasEnough(), page.name.data());
    }
    // What a person wants stands, while it leaves the views a width that is worth it; then it is what was opened last.
    show("morphology");
    for (const char* dock : {"dataDock", "parametersDock"})
      if (find<QDockWidget>(dock)->isHidden())
        clickUnfold(dock);
    const QString wanted =
        size.width() >= 1280 ? QStringLiteral("dataDock parametersDock") : QStringLiteral("parametersDock");
    QCOMPARE(openDocks(), wanted);
    QVERIFY(shownPages().front()->width() >= 320);
    window->resize(1600, 1000);
    QTRY_COMPARE(openDocks(), wanted);
  }

  void keepsCellsClearOfCardLegendAndScaleBar_data()
  {
    QTest::addColumn<QSize>("size");
    QTest::newRow("1280x720") << QSize(1280, 720);
    QTest::newRow("1000x700") << QSize(1000, 700);
    QTest::newRow("800x500") << QSize(800, 500);
  }

  void keepsCellsClearOfCardLegendAndScaleBar()
  {
    QFETCH(QSize, size);
    window->resize(size);
    window->loadSamples();
    QTRY_VERIFY_WITH_TIMEOUT(window->cells().rowCount() == 4 && !window->jobs().isActive(), kPatience);
    auto& view = static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
    const auto isClear = [&] {
      for (const char* name : {"timingCard", "legend", "scaleBar"}) {
        const auto* overlay = view.findChild<QWidget*>(QLatin1String(name));
        if (!overlay->isVisible())
          return false;
        const QRect place = overlay->geometry();
        for (int x = place.left(); x < place.right(); x += 3)
          for (int y = place.top(); y < place.bottom(); y += 3)
            if (!view.branchAt(QPointF(x, y)).isNull())
              return false;
        for (const auto* label : view.canvas()->findChildren<QLabel*>(Qt::FindDirectChildrenOnly))
          if (label->isVisible() && label->geometry().intersects(place))
            return false;
      }
      return true;
    };
    QTRY_VERIFY(isClear());
    window->resize(1600, 1000);
    window->resize(size);
    QTRY_VERIFY(isClear());
  }

  void foldsTheTimingCardOfASmallViewToALine()
  {
    window->resize(1000, 700);
    window->openFiles({dataFile("bipolar.swc")});
    QVERIFY(waitForJobs());
    auto* card = window->view(ViewKind::Morphology).timingCard();
    QTRY_VERIFY_WITH_TIMEOUT(card->isVisible() && card->isFolded(), kPatience);
    const int line = card->height();
    QTest::mouseClick(card, Qt::LeftButton);
    QVERIFY(!card->isFolded());
    QTRY_VERIFY(card->height() > 3 * line);
    QTest::mouseClick(card, Qt::LeftButton);
    QTRY_COMPARE(card->height(), line);
    window->resize(1600, 1000);
    QTRY_VERIFY(!card->isFolded());
  }

  void unfoldsWhatHasRoomAgain()
  {
    show("projection");
    window->resize(1000, 700);
    QTRY_COMPARE(openDocks(), QStringLiteral("parametersDock"));
    window->resize(1600, 1000);
    QTRY_COMPARE(openDocks(), QStringLiteral("circuitDock dataDock parametersDock timingsDock"));
  }
};

} // namespace hinesight::app

HINESIGHT_TEST_RUN(hinesight::app::runWindowTest<hinesight::app::TestWorkspace>)
#include "test_workspace.moc"
