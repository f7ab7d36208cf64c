#include "projection/populations/population.hpp"
#include "test_main.hpp"
#include "widgets/projection/projection_charts.hpp"
#include "widgets/projection/projection_colors.hpp"
#include "widgets/theme.hpp"

#include <QApplication>
#include <QtTest>

#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::widgets;

/// Pictures of how many rows the neurons of a population have.
class TestFanMap : public QObject
{
  Q_OBJECT

  static std::shared_ptr<const projection::Population> grid(const std::array<std::uint32_t, 3>& size)
  {
    projection::PopulationParameters parameters;
    parameters.size = size;
    parameters.spacing = {3, 0.7, 2};
    parameters.origin = {-40, 11, 5};
    return projection::makePopulation(parameters);
  }

  /// The same neurons, at positions as a file holds them.
  static std::shared_ptr<const projection::Population> read(const projection::Population& population)
  {
    std::array<std::vector<double>, 3> positions;
    for (std::uint64_t neuron = 0; neuron < population.count(); ++neuron)
      for (std::size_t axis = 0; axis < 3; ++axis)
        positions[axis].push_back(population.position(neuron)[axis]);
    return projection::populationAt("read", std::move(positions));
  }

  static std::vector<int> levelsOf(const FanPicture& picture)
  {
    std::vector<int> levels;
    for (int y = 0; y < picture.levels.height(); ++y)
      for (int x = 0; x < picture.levels.width(); ++x)
        levels.push_back(picture.levels.pixelIndex(x, y));
    return levels;
  }

private slots:
  void aGridOfAFileIsAGrid_data()
  {
    QTest::addColumn<std::array<std::uint32_t, 3>>("size");
    QTest::newRow("square") << std::array<std::uint32_t, 3>{60, 60, 1};
    QTest::newRow("long") << std::array<std::uint32_t, 3>{100, 7, 1};
    QTest::newRow("a row") << std::array<std::uint32_t, 3>{50, 1, 1};
    QTest::newRow("deep") << std::array<std::uint32_t, 3>{20, 30, 4};
    QTest::newRow("more than pixels") << std::array<std::uint32_t, 3>{300, 40, 1};
  }

  void aGridOfAFileIsAGrid()
  {
    using Size = std::array<std::uint32_t, 3>;
    QFETCH(Size, size);
    const auto made = grid(size);
    std::vector<std::uint32_t> rows(made->count());
    std::iota(rows.begin(), rows.end(), 0U);
    const FanPicture expected = makeFanPicture(*made, rows);
    const FanPicture picture = makeFanPicture(*read(*made), rows);
    QCOMPARE(picture.levels.size(), expected.levels.size());
    QCOMPARE(levelsOf(picture), levelsOf(expected));
  }

  /// Neurons without rows have the least colour of the scale; where there are no neurons is none of its colours.
  void noNeuronIsNotZero()
  {
    const auto population = projection::populationAt("two", {{{0, 10}, {0, 10}, {0, 0}}});
    const FanPicture picture = makeFanPicture(*population, {0, 4});
    const QSize size = picture.levels.size();
    QVERIFY(size.width() > 10 && size.height() > 10);
    QCOMPARE(picture.levels.pixelIndex(0, 0), 1);
    QCOMPARE(picture.levels.pixelIndex(size.width() - 1, size.height() - 1), 255);
    QCOMPARE(picture.levels.pixelIndex(size.width() / 2, size.height() / 2), 0);
    const std::vector<QRgb> colors = levelColors(false);
    QCOMPARE(colors[1], mapColor(ColorMap::Viridis, 0).rgb());
    QVERIFY(!looksAlike(QColor(colors[0]), QColor(colors[1])));
  }
};

HINESIGHT_TEST_RUN(hinesight::tests::runTest<TestFanMap, QApplication>)
#include "test_fan_map.moc"
