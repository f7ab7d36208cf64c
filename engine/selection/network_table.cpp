#include "selection/network_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace hinesight::selection {

namespace {

enum NeuronFigure : std::size_t
{
  kPopulation,
  kIndex,
  kX,
  kY,
  kZ,
  kOutDegree,
  kInDegree,
  kSpikes,
  kRate
};

enum SynapseFigure : std::size_t
{
  kSource,
  kSourcePopulation,
  kTarget,
  kTargetPopulation,
  kWeight,
  kDelay,
  kDistance
};

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kSecond = 1000; // ms

/// As names are counted: from 1.
double populationFigure(const NetworkTable& table, std::size_t neuron)
{
  return static_cast<double>(table.populationOf(neuron) + 1);
}

class NeuronRows : public FigureRows
{
public:
  explicit NeuronRows(const NetworkTable& network) : table(network) {}

  std::size_t rows() const override { return table.neurons(); }
  std::span<const std::string> names(std::size_t) const override { return table.populations; }
  void read(std::size_t field, std::size_t begin, std::span<double> figures) const override
  {
    for (std::size_t i = 0; i < figures.size(); ++i)
      figures[i] = figure(field, begin + i);
  }

private:
  double figure(std::size_t field, std::size_t neuron) const
  {
    switch (field) {
    case kPopulation:
      return populationFigure(table, neuron);
    case kIndex:
      return table.indexOf(neuron);
    case kX:
    case kY:
    case kZ:
      return table.position ? table.position(neuron)[field - kX] : kUnknown;
    case kOutDegree:
      return outDegree(neuron);
    case kInDegree:
      return inDegree(neuron);
    case kSpikes:
      return spikes(neuron);
    default:
      return table.ran > 0 ? kSecond * spikes(neuron) / table.ran : kUnknown;
    }
  }

  double spikes(std::size_t neuron) const { return table.spikes ? table.spikes(neuron) : kUnknown; }

  double outDegree(std::size_t neuron) const
  {
    if (table.offsets.empty())
      return kUnknown;
    const std::size_t source = neuron - table.firstSource;
    if (neuron < table.firstSource || source + 1 >= table.offsets.size())
      return 0;
    return static_cast<double>(table.offsets[source + 1] - table.offsets[source]);
  }

  double inDegree(std::size_t neuron) const
  {
    if (table.offsets.empty())
      return kUnknown;
    if (incoming.empty()) {
      incoming.resize(table.neurons());
      for (const std::uint32_t target : table.target)
        ++incoming[table.firstTarget + target];
    }
    return static_cast<double>(incoming[neuron]);
  }

  const NetworkTable& table;
  mutable std::vector<std::uint64_t> incoming; ///< counted when they are first asked for
};

class SynapseRows : public FigureRows
{
public:
  explicit SynapseRows(const NetworkTable& network) : table(network) {}

  std::size_t rows() const override { return table.synapses(); }
  std::span<const std::string> names(std::size_t) const override { return table.populations; }
  void read(std::size_t field, std::size_t begin, std::span<double> figures) const override
  {
    const auto next = std::ranges::upper_bound(table.offsets, begin);
    auto source = static_cast<std::size_t>(next - table.offsets.begin()) - 1;
    for (std::size_t i = 0; i < figures.size(); ++i) {
      while (table.offsets[source + 1] <= begin + i)
        ++source;
      figures[i] = figure(field, table.firstSource + source, begin + i);
    }
  }

private:
  double figure(std::size_t field, std::size_t source, std::size_t synapse) const
  {
    const std::size_t target = table.firstTarget + table.target[synapse];
    switch (field) {
    case kSource:
      return table.indexOf(source);
    case kSourcePopulation:
      return populationFigure(table, source);
    case kTarget:
      return table.indexOf(target);
    case kTargetPopulation:
      return populationFigure(table, target);
    case kWeight:
      return table.weight ? table.weight(synapse) : kUnknown;
    case kDelay:
      return table.delay ? table.delay(synapse) : kUnknown;
    default:
      return distance(source, target);
    }
  }

  double distance(std::size_t source, std::size_t target) const
  {
    if (!table.position)
      return kUnknown;
    const auto from = table.position(source);
    const auto to = table.position(target);
    return std::hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
  }

  const NetworkTable& table;
};

const Vocabulary& neuronVocabulary()
{
  static const Vocabulary vocabulary{
      .fields = {{"population", "Population", "",
                  "Its population: a name in quotation marks, where * stands for any text, or the number among those "
                  "of the page, from 1.",
                  FigureKind::Name},
                 {"index", "Index", "", "Its number in its population: from 0, of files its node id."},
                 {"x", "x", "µm", "Where it is, along x."},
                 {"y", "y", "µm", "The same along y."},
                 {"z", "z", "µm", "The same along z."},
                 {"outDegree", "Out-degree", "",
                  "Neurons that it goes to in the connection that is shown; on Simulation in all."},
                 {"inDegree", "In-degree", "", "Neurons that come to it in this connection."},
                 {"spikes", "Spikes", "", "Its spikes in the run of the page Simulation."},
                 {"rate", "Mean rate", "Hz", "Its spikes a second of simulated time in that run."}},
      .hasTypes = false,
      .named = "population",
      .condition = "population == \"E\" && x > 100",
      .comparison = "x > 100",
      .set = "index in {1, 2, 3}"};
  return vocabulary;
}

const Vocabulary& synapseVocabulary()
{
  static const Vocabulary vocabulary{
      .fields =
          {{"source", "Source", "", "The index of the neuron that it comes from."},
           {"sourcePopulation", "Source population", "", "The population of that neuron.", FigureKind::Name},
           {"target", "Target", "", "The index of the neuron that it goes to."},
           {"targetPopulation", "Target population", "", "The population of that neuron.", FigureKind::Name},
           {"weight", "Weight", "",
            "As the table has it; of formed ones their number, below 0 where they inhibit; on Simulation the sum of a "
            "pair, µS, of a point neuron without unit."},
           {"delay", "Delay", "ms", "As the table has it; formed ones have none; on Simulation the least of a pair."},
           {"distance", "Distance", "µm", "Straight between both neurons."}},
      .hasTypes = false,
      .named = "population",
      .condition = "weight > 0.5 && distance < 100",
      .comparison = "weight > 0.5",
      .set = "source in {1, 2, 3}"};
  return vocabulary;
}

} // namespace

void NetworkTable::addPopulation(std::string name, std::size_t count)
{
  populations.push_back(std::move(name));
  firstNeuron.push_back(firstNeuron.back() + count);
}

std::size_t NetworkTable::populationOf(std::size_t neuron) const
{
  return static_cast<std::size_t>(std::ranges::upper_bound(firstNeuron, neuron) - firstNeuron.begin()) - 1;
}

std::uint32_t NetworkTable::indexOf(std::size_t neuron) const
{
  return number ? number(neuron) : static_cast<std::uint32_t>(neuron - firstNeuron[populationOf(neuron)]);
}

const Vocabulary& vocabularyOf(SetKind kind)
{
  switch (kind) {
  case SetKind::Neurons:
    return neuronVocabulary();
  case SetKind::Synapses:
    return synapseVocabulary();
  default:
    return branchVocabulary();
  }
}

std::unique_ptr<FigureRows> rowsOf(const NetworkTable& table, SetKind kind)
{
  if (kind == SetKind::Synapses)
    return std::make_unique<SynapseRows>(table);
  return std::make_unique<NeuronRows>(table);
}

NetworkChoice choose(const NetworkTable& table, SetKind kind, const Expression& expression, std::size_t most,
                     const RunControl& control)
{
  const std::unique_ptr<FigureRows> rows = rowsOf(table, kind);
  NetworkChoice choice;
  choice.all = rows->rows();
  std::vector<bool> isMarked(table.neurons(), false);
  std::size_t source = 0;
  expression.visitRows(
      *rows,
      [&](std::size_t row) {
        ++choice.selected;
        if (kind != SetKind::Synapses) {
          isMarked[row] = true;
          return;
        }
        while (table.offsets[source + 1] <= row)
          ++source;
        isMarked[table.firstSource + source] = true;
        isMarked[table.firstTarget + table.target[row]] = true;
        choice.weight += table.weight ? table.weight(row) : 0;
      },
      control);
  for (std::size_t neuron = 0; neuron < isMarked.size(); ++neuron) {
    if (!isMarked[neuron])
      continue;
    ++choice.ends;
    if (choice.neurons.size() < most)
      choice.neurons.push_back(neuron);
  }
  return choice;
}

} // namespace hinesight::selection
