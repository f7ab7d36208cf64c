#include "test_main.hpp"
#include "widgets/orbit/room_fit.hpp"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace hinesight::widgets;

/// A tall picture between a clock, a timing card, a legend and a scale bar.
class TestRoomFit : public QObject
{
  Q_OBJECT

  static constexpr double kWidth = 545;
  using Card = Overlays::Card;

  const QRectF clock{12, 12, 250, 46};
  const QRectF legend{12, 450, 188, 62};
  const QRectF scaleBar{330, 450, 203, 62};
  const Extent extent{{-100, -191, 0, 100, -191, 0, -100, 191, 0, 100, 191, 0}, {0, 0, 0, 0}, 4};

  OrbitCamera camera;
  RoomFit fit;

  /// The card is a line where it is folded.
  Overlays overlaysWith(Card card) const
  {
    Overlays all{{clock, legend, scaleBar}, card};
    if (card != Card::None)
      all.places.emplace_back(341, 12, 192, card == Card::Folded ? 25 : 150);
    return all;
  }

  QRectF fitBeside(const Overlays& overlays)
  {
    camera = OrbitCamera();
    camera.setViewport({545, 524});
    camera.setParallel(true);
    camera.fit(extent.points, extent.radii);
    fit = RoomFit();
    fit.leaveOverlays(camera, extent, overlays);
    const ScreenPoint lower = camera.project({-100, -191, 0});
    const ScreenPoint upper = camera.project({100, 191, 0});
    return {QPointF(lower.x, upper.y), QPointF(upper.x, lower.y)};
  }

private slots:
  /// A room at an end of the canvas is a little larger.
  void staysInTheMiddleBesideAFoldedCard()
  {
    const Overlays overlays = overlaysWith(Card::Folded);
    const QRectF seen = fitBeside(overlays);
    QVERIFY2(std::abs(seen.center().x() - kWidth / 2) < 15, qPrintable(QString::number(seen.center().x())));
    for (const QRectF& overlay : overlays.places)
      QVERIFY(!overlay.intersects(seen));
    // Not where it is much larger there.
    const QRectF withoutCard = fitBeside(overlaysWith(Card::None));
    QVERIFY(withoutCard.height() > 1.1 * seen.height());
    QVERIFY(withoutCard.left() > clock.right());
  }

  void aCardThatBecomesSmallerOrGoesLeavesItsRoom()
  {
    for (const Card before : {Card::None, Card::Folded, Card::Whole}) {
      fitBeside(overlaysWith(before));
      for (const Card after : {Card::None, Card::Folded, Card::Whole})
        if (after <= before)
          QCOMPARE(fit.isOutdatedBy(overlaysWith(after)), after < before);
    }
    fitBeside(overlaysWith(Card::Folded));
    QVERIFY(fit.isOutdatedBy(overlaysWith(Card::Whole))); // it covers some of the picture
  }

  void otherOverlaysThatBecomeSmallerMoveNothing()
  {
    Overlays overlays = overlaysWith(Card::Folded);
    fitBeside(overlays);
    overlays.places[1].setTop(480);
    QVERIFY(!fit.isOutdatedBy(overlays));
    overlays.places.erase(overlays.places.begin() + 2);
    QVERIFY(!fit.isOutdatedBy(overlays));
  }

  void aCardInACornerThatIsEmptyHasNoRoomToLeave()
  {
    const QRectF alone = fitBeside({});
    const Overlays corner{{QRectF(500, 12, 30, 25)}, Card::Folded};
    QCOMPARE(fitBeside(corner), alone);
    QVERIFY(!fit.isOutdatedBy({}));
  }
};

HINESIGHT_TEST(TestRoomFit)
#include "test_room_fit.moc"
