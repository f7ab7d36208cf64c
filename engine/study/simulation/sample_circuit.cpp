#include "study/simulation/sample_circuit.hpp"

#include "core/philox.hpp"
#include "study/simulation/single_cell.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace hinesight::study {

namespace {

constexpr std::uint64_t kSeed = 19;
constexpr std::uint32_t kPyramidal = 9;
constexpr std::uint32_t kStellate = 3;
constexpr std::uint32_t kCells = kPyramidal + kStellate;
constexpr double kThreshold = -15; // mV

/// How cells of one kind act on those of another.
struct Rule
{
  double probability;
  double weight;   ///< uS
  double delay;    ///< ms, of the nearest; others have up to twice as much
  double tau1;     ///< ms
  double tau2;     ///< ms
  double reversal; ///< mV
};
constexpr Rule kExcite{0.5, 2e-3, 1.5, 0.2, 3, 0};
constexpr Rule kInhibit{0.8, 6e-3, 1, 0.5, 8, -75};

// Spikes from outside, by Poisson.
constexpr std::uint32_t kDrives = 4;  // of a cell
constexpr double kDriveInterval = 25; // ms, on the mean
constexpr double kDriveWeight = 4e-3; // uS
constexpr double kDriveDelay = 1;     // ms
constexpr double kListedDrive = 1e4;  // ms, after which it is drawn as the simulation goes on

constexpr std::uint32_t kLaterDrive = 1; // apart from the other draws
constexpr double kMillisecondsOfSecond = 1000;

/// Draws one number after the other.
class Draws
{
public:
  double uniform() { return randomUniform(kSeed, 0, 0, next++); }

private:
  std::uint32_t next = 0;
};

class Builder
{
public:
  CircuitSimulation build()
  {
    addCells();
    for (std::uint32_t from = 0; from < kCells; ++from)
      for (std::uint32_t to = 0; to < kCells; ++to)
        if (from != to)
          join(from, to, from < kPyramidal ? kExcite : kInhibit);
    for (std::uint32_t to = 0; to < kCells; ++to)
      for (std::uint32_t k = 0; k < kDrives; ++k)
        drive(to);
    made.edges = made.network.connections.size();
    made.synapses = made.network.synapses.size();
    return std::move(made);
  }

private:
  void addCells()
  {
    for (const char* fit : {":/samples/synthetic_pyramidal_fit.json", ":/samples/synthetic_stellate_fit.json"}) {
      const CircuitSimulation cell = buildSingleCell({fit, {}, {}, {}});
      made.celsius = cell.celsius;
      made.network.models.push_back(cell.network.models.front());
    }
    made.populations = {{"pyramidal", {}, {}}, {"stellate", {}, {}}, {"outside", {}, {}}};
    for (std::uint32_t cell = 0; cell < kCells; ++cell) {
      const bool isStellate = cell >= kPyramidal;
      const auto& model = *made.network.models[isStellate ? 1 : 0];
      made.network.modelOf.push_back(isStellate ? 1 : 0);
      made.network.detectors.push_back({model.cut.nodeAt(0, 0.5), kThreshold});
      SimulatedPopulation& population = made.populations[isStellate ? 1 : 0];
      population.ids.push_back(population.ids.size());
      population.nodes.push_back({SimulatedNode::Kind::Cell, cell});
    }
  }

  /// A node with area of a dendrite.
  std::int32_t drawNode(std::uint32_t cell)
  {
    const cell::CutCell& cut = made.network.models[made.network.modelOf[cell]]->cut;
    std::vector<std::int32_t> dendrites;
    for (std::size_t node = 0; node < cut.nodes(); ++node)
      if (cut.area[node] > 0 && cut.sections[static_cast<std::size_t>(cut.section[node])].type >= 3)
        dendrites.push_back(static_cast<std::int32_t>(node));
    const auto place = static_cast<std::size_t>(draws.uniform() * static_cast<double>(dendrites.size()));
    return dendrites[std::min(place, dendrites.size() - 1)];
  }

  void connect(std::uint32_t source, std::uint32_t to, const Rule& rule, double delay)
  {
    made.network.synapses.push_back({to, drawNode(to), rule.tau1, rule.tau2, rule.reversal});
    made.network.connections.push_back(
        {source, static_cast<std::uint32_t>(made.network.synapses.size() - 1), rule.weight, delay});
  }

  void join(std::uint32_t from, std::uint32_t to, const Rule& rule)
  {
    if (draws.uniform() < rule.probability)
      connect(from, to, rule, rule.delay * (1 + draws.uniform()));
  }

  void drive(std::uint32_t to)
  {
    std::vector<double> train;
    for (double time = 0; time < kListedDrive; train.push_back(time))
      time -= kDriveInterval * std::log1p(-draws.uniform());
    train.pop_back();
    const auto source = static_cast<std::uint32_t>(kCells + made.network.trains.size());
    SimulatedPopulation& outside = made.populations.back();
    outside.ids.push_back(outside.ids.size());
    outside.nodes.push_back({SimulatedNode::Kind::Train, static_cast<std::uint32_t>(made.network.trains.size())});
    made.network.poisson.push_back({.train = static_cast<std::uint32_t>(made.network.trains.size()),
                                    .rate = kMillisecondsOfSecond / kDriveInterval,
                                    .delay = kListedDrive,
                                    .seed = kSeed,
                                    .stream = kLaterDrive});
    made.network.trains.push_back(std::move(train));
    Rule rule = kExcite;
    rule.weight = kDriveWeight;
    connect(source, to, rule, kDriveDelay);
  }

  CircuitSimulation made;
  Draws draws;
};

} // namespace

CircuitSimulation buildSampleCircuit()
{
  return Builder().build();
}

} // namespace hinesight::study
