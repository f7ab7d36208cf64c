#include "app/selection/neuron_selection.hpp"
#include "app/simulation/simulated_neurons.hpp"
#include "study/simulation/simulation_model.hpp"
#include "test_main.hpp"

#include <QtTest>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

using Kind = study::SimulatedNode::Kind;
using Neurons = std::vector<std::uint32_t>;

namespace {

/// Cells of "E" in another order than their numbers, two spike sources, and point neurons between cells of "mixed".
std::shared_ptr<const study::SimulationModel> makeModel()
{
  auto model = std::make_shared<study::SimulationModel>();
  model->circuit.network.modelOf.resize(4);
  model->circuit.network.pointNeurons.resize(2);
  model->circuit.populations = {
      {"E", {7, 3, 5}, {{Kind::Cell, 0}, {Kind::Cell, 1}, {Kind::Cell, 2}}},
      {"outside", {0, 1}, {{Kind::Train, 0}, {Kind::Train, 1}}},
      {"mixed", {0, 1, 2, 3}, {{Kind::PointNeuron, 0}, {Kind::Train, 2}, {Kind::Cell, 3}, {Kind::PointNeuron, 1}}}};
  return model;
}

} // namespace

class TestSimulatedNeurons : public QObject
{
  Q_OBJECT

private slots:
  void areThoseOfTheirPopulations()
  {
    const SimulatedNeurons neurons(makeModel());
    QCOMPARE(neurons.ofPopulation(0), (Neurons{0, 1, 2}));
    QCOMPARE(neurons.ofPopulation(1), Neurons());
    QCOMPARE(neurons.ofPopulation(2), (Neurons{4, 3, 5}));
    QCOMPARE(neurons.numberOf(0), 7u);
    QCOMPARE(neurons.numberOf(5), 3u);
  }

  void areNamed()
  {
    const SimulatedNeurons neurons(makeModel());
    QVERIFY(neurons.named(1u) == (CircuitNeuron{"E", 3}));
    QVERIFY(neurons.named(4u) == (CircuitNeuron{"mixed", 0}));
    NeuronSet all;
    all.add("E", {3, 7});
    all.add("mixed", {2});
    QVERIFY(neurons.named(Neurons{3, 0, 1}) == all);
  }

  /// In the order of the names; spike sources, and what is not simulated, have no row of spikes.
  void areFoundByTheirNames()
  {
    const SimulatedNeurons neurons(makeModel());
    const std::vector<CircuitNeuron> names = {{"mixed", 3}, {"E", 5},       {"E", 4},    {"outside", 0},
                                              {"mixed", 1}, {"nothing", 0}, {"mixed", 0}};
    QCOMPARE(neurons.find(names, {}), (Neurons{5, 2, 4}));
    NeuronSet left;
    left.add("E", {5});
    QCOMPARE(neurons.find(names, left), (Neurons{5, 4}));
  }

  void onlyCellsAreFoundAsCells()
  {
    const SimulatedNeurons neurons(makeModel());
    NeuronSet names;
    names.add("E", {3, 4, 7, 100});
    names.add("mixed", {0, 2, 3});
    names.add("nothing", {0});
    QCOMPARE(neurons.findCells(names), (Neurons{1, 0, 3}));
  }

  void followNewNamesOfTheirPopulations()
  {
    const auto model = makeModel();
    const SimulatedNeurons neurons(model);
    *model->names = {"excitatory", "outside", "mixed"};
    QVERIFY(neurons.named(1u) == (CircuitNeuron{"excitatory", 3}));
    QCOMPARE(neurons.find({{"E", 3}, {"excitatory", 5}}, {}), Neurons{2});
  }
};

HINESIGHT_TEST(TestSimulatedNeurons)
#include "test_simulated_neurons.moc"
