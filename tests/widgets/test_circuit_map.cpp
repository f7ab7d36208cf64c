#include "painted_texts.hpp"
#include "test_main.hpp"
#include "widgets/projection/circuit_map.hpp"
#include "widgets/theme.hpp"

#include <QApplication>
#include <QSignalSpy>
#include <QtTest>

#include <string>
#include <vector>

using namespace hinesight;
using namespace hinesight::widgets;

class TestCircuitMap : public QObject
{
  Q_OBJECT

  /// Populations that are all joined with one another and with themselves.
  static CircuitPicture everyPair(std::size_t populations)
  {
    CircuitPicture picture;
    for (std::size_t k = 0; k < populations; ++k)
      picture.populations.push_back({QStringLiteral("population %1").arg(k), QStringLiteral("400 in a box, excitatory"),
                                     categoryColor(static_cast<std::int64_t>(k))});
    for (std::size_t from = 0; from < populations; ++from)
      for (std::size_t to = 0; to < populations; ++to)
        picture.joins.push_back({.connection = QStringLiteral("%1 to %2").arg(from).arg(to),
                                 .source = from,
                                 .target = to,
                                 .rows = 1000.0 * static_cast<double>(1 + from),
                                 .weight = from % 2 == 0 ? 10.0 : -10.0});
    return picture;
  }

private slots:
  void populationsDoNotMeet()
  {
    for (const int populations : {2, 3, 5, 8})
      for (const QSize size : {QSize(1200, 700), QSize(620, 480), QSize(550, 560)}) {
        CircuitPicture picture = everyPair(static_cast<std::size_t>(populations));
        for (const bool hasLoops : {true, false}) {
          if (!hasLoops)
            std::erase_if(picture.joins, [](const CircuitPicture::Join& join) { return join.source == join.target; });
          CircuitMap map;
          map.resize(size);
          map.setPicture(picture);
          const std::vector<QRectF>& cards = map.cardsOfPopulations();
          for (std::size_t k = 0; k < cards.size(); ++k)
            for (std::size_t other = 0; other < k; ++other)
              QVERIFY2(
                  !cards[k].intersects(cards[other]),
                  qPrintable(QStringLiteral("%1 in %2 x %3").arg(populations).arg(size.width()).arg(size.height())));
        }
      }
  }

  void everyConnectionCanBePicked_data()
  {
    QTest::addColumn<int>("populations");
    QTest::addColumn<QSize>("size");
    for (const int populations : {1, 2, 3, 5})
      for (const QSize size : {QSize(1200, 700), QSize(620, 480), QSize(500, 640)})
        QTest::addRow("%d in %d x %d", populations, size.width(), size.height()) << populations << size;
  }

  /// In its middle an arrow is itself: no population and no other arrow lies over it.
  void everyConnectionCanBePicked()
  {
    QFETCH(int, populations);
    QFETCH(QSize, size);
    CircuitMap map;
    map.resize(size);
    map.setPicture(everyPair(static_cast<std::size_t>(populations)));
    map.show();
    QVERIFY(QTest::qWaitForWindowExposed(&map));
    const auto& joins = map.picture().joins;
    for (std::size_t k = 0; k < joins.size(); ++k) {
      const QPointF at = map.middleOf(k);
      QVERIFY2(QRectF(map.rect()).contains(at), qPrintable(joins[k].connection));
      QVERIFY2(map.joinAt(at) == k, qPrintable(joins[k].connection));
    }
    QSignalSpy chosen(&map, &CircuitMap::connectionChosen);
    QTest::mouseClick(&map, Qt::LeftButton, {}, map.middleOf(joins.size() - 1).toPoint());
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen[0][0].toString(), joins.back().connection);
  }

  /// Excitation and inhibition have colours of their own; what was not made has none.
  void coloursSayWhatWeightsDo()
  {
    CircuitPicture picture = everyPair(2);
    const auto colourOf = [](const CircuitPicture& of, std::size_t join) {
      CircuitMap map;
      map.resize(1200, 700);
      map.setPicture(of);
      const QImage image = map.grab().toImage();
      // The label lies over the middle: a pixel of the line beside it.
      const QPointF middle = map.middleOf(join);
      for (int x = -60; x <= 60; ++x) {
        const QPoint at = middle.toPoint() + QPoint(x, 0);
        const QColor colour = image.pixelColor(at * image.devicePixelRatio());
        // Neither the background nor a grey.
        if (map.joinAt(at) == join && colour.hsvSaturationF() > 0.3F && colour.valueF() > 0.4F)
          return colour;
      }
      return QColor();
    };
    const QColor excites = colourOf(picture, 1); // from 0 to 1
    const QColor inhibits = colourOf(picture, 2);
    QVERIFY(excites.isValid() && inhibits.isValid());
    QVERIFY(std::abs(excites.hueF() - inhibits.hueF()) > 0.2F);
    picture.joins[1].weight.reset();
    picture.joins[1].rows.reset();
    QVERIFY(!colourOf(picture, 1).isValid());
  }

  /// In a narrow map as in a wide one; what does not fit is shortened.
  void everyPairHasItsNumber()
  {
    CircuitPicture picture;
    for (const char* name : {"exc", "inh", "recon"})
      picture.populations.push_back({QLatin1String(name), QStringLiteral("200 in a box"), Qt::red});
    const auto join = [&](const char* name, std::size_t source, std::size_t target, double rows) {
      picture.joins.push_back({QLatin1String(name), source, target, rows, rows});
    };
    join("ei_gauss", 0, 1, 3400);
    join("er_near", 0, 2, 4000);
    join("ri_all", 2, 1, 10000);
    struct Case
    {
      QSize size;
      std::size_t populations; ///< of many, cells are narrow
      const char* shown;
    };
    for (const auto& [size, populations, shown] :
         {Case{{580, 555}, 3, "10,000"}, Case{{1400, 900}, 3, "10,000"}, Case{{500, 1000}, 10, "10 k"}}) {
      picture.populations.resize(populations, picture.populations.front());
      CircuitMap map;
      map.resize(size);
      map.setPicture(picture);
      const test::PaintedTexts painted(map, 1);
      QStringList texts;
      for (const test::PaintedTexts::Text& each : painted.texts())
        texts << each.text;
      QVERIFY2(texts.contains(QLatin1String(shown)), qPrintable(texts.join(QLatin1Char('|'))));
      QVERIFY2(!texts.filter(QStringLiteral("Colours: sum of weights")).isEmpty(),
               qPrintable(texts.join(QLatin1Char('|'))));
    }
  }

  /// A heading speaks of numbers only where the cells have room for them.
  void theHeadingSaysWhatIsShown()
  {
    CircuitPicture picture = everyPair(12);
    for (CircuitPicture::Population& population : picture.populations)
      population.name = QStringLiteral("basket");
    for (CircuitPicture::Join& join : picture.joins)
      join.rows = 6'533'752;
    for (const auto& [size, hasNumbers] : {std::pair(QSize(440, 1100), false), std::pair(QSize(2400, 1400), true)}) {
      CircuitMap map;
      map.resize(size);
      map.setPicture(picture);
      const test::PaintedTexts painted(map, 1);
      QStringList texts;
      for (const test::PaintedTexts::Text& each : painted.texts())
        texts << each.text;
      const QString all = texts.join(QLatin1Char('|'));
      QVERIFY2(!texts.filter(QStringLiteral("(left)")).isEmpty(), qPrintable(all));
      QVERIFY2(texts.filter(QStringLiteral("6")).isEmpty() != hasNumbers, qPrintable(all));
      QVERIFY2(texts.filter(QStringLiteral("Numbers")).isEmpty() != hasNumbers, qPrintable(all));
    }
  }

  void anEmptyCircuitIsNoPicture()
  {
    CircuitMap map;
    map.resize(400, 300);
    map.setPicture({});
    QVERIFY(!map.joinAt({200, 150}));
    QVERIFY(!map.grab().isNull());
  }
};

HINESIGHT_TEST_RUN(tests::runTest<TestCircuitMap, QApplication>)
#include "test_circuit_map.moc"
