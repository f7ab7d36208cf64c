#include "study/simulation/circuit_stimuli.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "io/sonata/spike_files.hpp"

#include <set>
#include <utility>

namespace hinesight::study {

namespace {

using Kind = SimulatedNode::Kind;

class StimulusBuilder
{
public:
  StimulusBuilder(const io::SimulationConfiguration& configuration, const CircuitNodes& circuitNodes,
                  std::uint64_t seedOfRun, CircuitSimulation& into, const RunControl& runControl)
      : config(configuration), nodes(circuitNodes), seed(seedOfRun), made(into), control(runControl)
  {}

  void add()
  {
    for (const io::SpikeInput& input : config.spikes)
      input.poisson ? addPoisson(input, *input.poisson) : readSpikes(input);
    for (auto& train : made.network.trains)
      std::ranges::sort(train);
    for (const io::CurrentInput& input : config.currents)
      forPlaces(input, [&](std::uint32_t cell, std::int32_t node) {
        for (const io::CurrentInput::Step& step : input.steps)
          made.network.steps.push_back({cell, node, step.amplitude, step.delay, step.duration});
      });
    for (const io::SinusoidInput& input : config.sinusoids)
      forPlaces(input, [&](std::uint32_t cell, std::int32_t node) {
        made.network.sinusoids.push_back(
            {cell, node, input.amplitude, input.frequency, input.phase, input.offset, input.delay, input.duration});
      });
    for (const io::NoiseInput& input : config.noises)
      forPlaces(input, [&](std::uint32_t cell, std::int32_t node) {
        made.network.noises.push_back({cell, node, input.mean, input.deviation, input.tau, input.delay, input.duration,
                                       input.seed.value_or(seed)});
      });
    for (const io::ClampInput& input : config.clamps)
      forPlaces(input, [&](std::uint32_t cell, std::int32_t node) {
        simulation::VoltageClamp clamp{cell, node, {}, input.resistance, input.delay};
        for (const io::ClampInput::Level& level : input.levels)
          clamp.levels.push_back({level.potential, level.duration});
        made.network.clamps.push_back(std::move(clamp));
      });
  }

private:
  void note(std::string sentence) { made.notes.push_back(std::move(sentence)); }

  /// Calls `body` with every cell of an input and its place there.
  template <typename Input, typename Body>
  void forPlaces(const Input& input, const Body& body)
  {
    const std::string where = "the input \"" + input.name + "\"";
    std::size_t cells = 0;
    nodes.forEachCell(input.nodes, where, [&](std::uint32_t cell, std::uint64_t id) {
      const cell::CutCell& cut = made.network.models[made.network.modelOf[cell]]->cut;
      const std::int32_t node = nodeOf(cut, input.place);
      if (node < 0)
        throw Error(ErrorCode::BadFormat,
                    where + " goes to the section " + std::to_string(input.place.index) + " of \"" +
                        input.place.sections + "\", which the node " + std::to_string(id) + " has not",
                    config.file.string());
      body(cell, node);
      ++cells;
    });
    if (cells == 0)
      note(where + " names no cells and has no effect.");
  }

  void readSpikes(const io::SpikeInput& input)
  {
    const std::string where = "the input \"" + input.name + "\"";
    std::map<std::pair<std::size_t, std::uint64_t>, std::uint32_t> trainOf; // by population and id
    std::set<std::size_t> populations;
    nodes.forEach(input.nodes, where, [&](std::size_t population, std::size_t i) {
      const SimulatedNode node = made.populations[population].nodes[i];
      if (node.kind != Kind::Train)
        return;
      trainOf[{population, made.populations[population].ids[i]}] = node.index;
      populations.insert(population);
    });
    std::uint64_t unused = 0;
    for (const io::PopulationSpikes& spikes : io::readSpikes(input.file, control))
      for (const std::size_t population : populations) {
        // A file may leave its population without name.
        if (!spikes.population.empty() && spikes.population != made.populations[population].name)
          continue;
        for (std::size_t k = 0; k < spikes.time.size(); ++k) {
          const auto train = trainOf.find({population, spikes.node[k]});
          if (train == trainOf.end())
            ++unused;
          else
            made.network.trains[train->second].push_back(spikes.time[k]);
        }
      }
    if (unused > 0)
      note(std::to_string(unused) + " spikes of " + where +
           " are of nodes that it does not name; they have no effect.");
    if (populations.empty())
      note(where + " names no virtual nodes and has no effect.");
  }

  /// Each node has random numbers of its own.
  void addPoisson(const io::SpikeInput& input, const io::SpikeInput::Poisson& poisson)
  {
    constexpr std::uint32_t kPurpose = 0x506F6973; // apart from the draws of places
    std::size_t trains = 0;
    nodes.forEach(input.nodes, "the input \"" + input.name + "\"", [&](std::size_t population, std::size_t i) {
      const SimulatedNode node = made.populations[population].nodes[i];
      if (node.kind != Kind::Train)
        return;
      ++trains;
      if (poisson.rate > 0)
        made.network.poisson.push_back({.train = node.index,
                                        .rate = poisson.rate,
                                        .delay = poisson.delay,
                                        .duration = poisson.duration,
                                        .seed = poisson.seed.value_or(seed),
                                        .stream = kPurpose,
                                        .dividesLast = true});
    });
    if (trains == 0)
      note("the input \"" + input.name + "\" names no virtual nodes and has no effect.");
  }

  const io::SimulationConfiguration& config;
  const CircuitNodes& nodes;
  const std::uint64_t seed;
  CircuitSimulation& made;
  const RunControl& control;
};

} // namespace

void addStimuli(const io::SimulationConfiguration& config, const CircuitNodes& nodes, std::uint64_t seed,
                CircuitSimulation& made, const RunControl& control)
{
  StimulusBuilder(config, nodes, seed, made, control).add();
}

} // namespace hinesight::study
