#include "paths/paths.hpp"
#include "widgets/projection/placed_cell_lines.hpp"

#include "core/error.hpp"
#include "morphology/morphometry.hpp"
#include "morphology/swc.hpp"
#include "study/circuit/placed_cells.hpp"
#include "test_main.hpp"

#include <QtTest>

#include <array>
#include <cmath>
#include <map>
#include <set>

using namespace hinesight;
using namespace hinesight::widgets;

namespace {

/// 400 neurons that are two cells by chance, turned.
model::Population pool()
{
  model::Population population;
  population.placement.kind = projection::PopulationKind::Box;
  population.placement.count = 400;
  population.placement.extent = {800, 800, 100};
  population.cells = {"stellate", "bipolar"};
  population.order = model::CellOrder::Chance;
  population.isTurned = true;
  population.rotation = 40;
  return population;
}

std::vector<std::shared_ptr<const morphology::Morphology>> morphologies()
{
  std::vector<std::shared_ptr<const morphology::Morphology>> cells;
  for (const char* const file : {"app/stellate.swc", "app/bipolar.swc"})
    cells.push_back(
        std::make_shared<const morphology::Morphology>(*morphology::readSwc(tests::testData(file).toStdString())));
  return cells;
}

} // namespace

class TestPlacedCellLines : public QObject
{
  Q_OBJECT

private slots:
  void linesJoinSamplesWhereTheCircuitPlacesThem()
  {
    const model::Population population = pool();
    const auto neurons = projection::makePopulation(population.placement);
    const auto cells = morphologies();
    const PlacedCellLines lines = placedCellLines(population, *neurons, cells);
    QCOMPARE(lines.neurons, std::uint64_t{400});
    QCOMPARE(lines.drawn, std::uint64_t{400});
    QCOMPARE(lines.ends.size(), 6 * lines.lines());
    const study::PlacedCells placed(population, *neurons);
    std::map<std::uint32_t, std::set<std::array<float, 3>>> samplesOf;
    for (std::size_t end = 0; end < 2 * lines.lines(); ++end) {
      const std::uint32_t neuron = lines.neuron[end / 2];
      auto& samples = samplesOf[neuron];
      if (samples.empty()) {
        const auto& cell = *cells[placed.cellOf(neuron)];
        for (std::size_t k = 0; k < cell.samples(); ++k) {
          const auto at =
              placed.poseOf(neuron).placed({cell.x[k], cell.y[k], cell.z[k]}, morphology::somaCentreOf(cell));
          samples.insert({static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])});
        }
      }
      QVERIFY(samples.contains({lines.ends[3 * end], lines.ends[3 * end + 1], lines.ends[3 * end + 2]}));
    }
    QCOMPARE(samplesOf.size(), std::size_t{400});
    // Every end of a cell is drawn.
    const auto& cell = *cells[placed.cellOf(0)];
    for (std::int32_t sample = 0; sample < static_cast<std::int32_t>(cell.samples()); ++sample) {
      if (cell.childCount(sample) != 0)
        continue;
      const auto k = static_cast<std::size_t>(sample);
      const auto at = placed.poseOf(0).placed({cell.x[k], cell.y[k], cell.z[k]}, morphology::somaCentreOf(cell));
      bool isDrawn = false;
      for (std::size_t end = 0; end < 2 * lines.lines() && lines.neuron[end / 2] == 0; ++end)
        isDrawn = isDrawn || (lines.ends[3 * end] == static_cast<float>(at[0]) &&
                              lines.ends[3 * end + 1] == static_cast<float>(at[1]));
      QVERIFY(isDrawn);
    }
  }

  void ofTooManyEverySoManiethIsDrawn()
  {
    const model::Population population = pool();
    const auto neurons = projection::makePopulation(population.placement);
    const std::size_t all = placedCellLines(population, *neurons, morphologies()).lines();
    const PlacedCellLines some = placedCellLines(population, *neurons, morphologies(), all / 10);
    QVERIFY(some.lines() <= all / 10);
    QVERIFY(some.drawn > 20 && some.drawn <= 40);
    QCOMPARE(some.neurons, std::uint64_t{400});
    const std::set<std::uint32_t> drawn(some.neuron.begin(), some.neuron.end());
    QCOMPARE(drawn.size(), static_cast<std::size_t>(some.drawn));
    QVERIFY(*drawn.rbegin() > 200); // from everywhere
  }

  void isCancelled()
  {
    const model::Population population = pool();
    const auto neurons = projection::makePopulation(population.placement);
    const RunControl control;
    control.cancel();
    QVERIFY_EXCEPTION_THROWN(placedCellLines(population, *neurons, morphologies(), kMostCellLines, control), Error);
  }
};

HINESIGHT_TEST(TestPlacedCellLines)

#include "test_placed_cell_lines.moc"
