#include "study/simulation/session_simulation.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "io/sonata/spike_files.hpp"
#include "simulation/poisson_draw.hpp"
#include "study/circuit/placed_cells.hpp"
#include "study/simulation/session_cells.hpp"
#include "study/simulation/session_synapses.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace hinesight::study {

namespace {

using model::ProbePlaces;
using model::ProbeQuantity;
using model::StimulusKind;
using simulation::Network;
using Kind = SimulatedNode::Kind;

constexpr std::uint32_t kTrainStream = 0x54524149;
constexpr double kMillisecondsOfSecond = 1000;
constexpr const char* kNothing = "No population of the session has a model; there is nothing to simulate.";

simulation::Quantity quantityOf(ProbeQuantity quantity)
{
  switch (quantity) {
  case ProbeQuantity::Potential:
    return simulation::Quantity::Potential;
  case ProbeQuantity::Calcium:
    return simulation::Quantity::Calcium;
  case ProbeQuantity::MembraneCurrent:
    return simulation::Quantity::MembraneCurrent;
  case ProbeQuantity::ClampCurrent:
    break;
  }
  return simulation::Quantity::ClampCurrent;
}

std::size_t placeOf(const model::Project& project, const std::string& population)
{
  return static_cast<std::size_t>(model::findPopulation(project, population) - project.populations.data());
}

const model::SimulateParameters& requestOf(const model::Project& project)
{
  if (!project.simulate)
    throw Error(ErrorCode::BadParameter, "The session does not say how it is simulated; it has no part \"simulate\".");
  return *project.simulate;
}

void refuseMisfit(const std::string& sentence)
{
  if (!sentence.empty())
    throw Error(ErrorCode::BadParameter, sentence);
}

/// As far as it can be told without a file.
double neuronsOf(const model::Population& population)
{
  const projection::PopulationParameters& p = population.placement;
  switch (p.kind) {
  case projection::PopulationKind::Grid:
    return static_cast<double>(p.size[0]) * p.size[1] * p.size[2];
  case projection::PopulationKind::Box:
  case projection::PopulationKind::Sphere:
    return static_cast<double>(p.count);
  default:
    return static_cast<double>(population.cells.size());
  }
}

/// What stimuli make of the neurons without a model.
struct StimulatedTrains
{
  std::vector<std::vector<std::vector<double>>> listed; ///< per population, per neuron, in no order
  std::vector<simulation::PoissonSpikes> poisson;       ///< of trains, counted over all populations
};

/// Adds a Poisson process to the trains of some neurons. `stop`: until when their spikes have to fit into memory.
void addPoisson(const model::Stimulus& stimulus, double stop, std::uint64_t firstTrain,
                const std::vector<std::uint64_t>& neurons, std::vector<simulation::PoissonSpikes>& poisson,
                const RunControl& control)
{
  if (stimulus.rate <= 0)
    return;
  const double end = std::min(stop, stimulus.delay + stimulus.duration);
  const double mean = kMillisecondsOfSecond / stimulus.rate;
  const double expected = std::max(0.0, (end - stimulus.delay) / mean) * static_cast<double>(neurons.size());
  if (expected >= static_cast<double>(std::numeric_limits<std::uint32_t>::max()))
    throw Error(ErrorCode::OutOfMemory, "The stimulus \"" + stimulus.name + "\" makes " + textOf(expected) +
                                            " spikes; choose a lower rate or a shorter time.");
  requireMemory(static_cast<std::size_t>(expected * 2 * sizeof(double)) +
                    neurons.size() * 2 * sizeof(simulation::PoissonSpikes),
                "The spikes of the stimulus \"" + stimulus.name + "\"");
  control.checkpoint();
  poisson.reserve(poisson.size() + neurons.size());
  for (const std::uint64_t neuron : neurons)
    poisson.push_back({static_cast<std::uint32_t>(firstTrain + neuron), stimulus.rate, stimulus.delay,
                       stimulus.duration, stimulus.seed, kTrainStream});
}

/// Spikes of a file that are of the population.
void addListed(const model::Stimulus& stimulus, const std::vector<std::uint64_t>& neurons,
               std::vector<std::vector<double>>& trains, const RunControl& control)
{
  if (stimulus.file.empty()) {
    for (const std::uint64_t neuron : neurons)
      trains[neuron].insert(trains[neuron].end(), stimulus.times.begin(), stimulus.times.end());
    return;
  }
  bool isThere = false;
  for (const io::PopulationSpikes& spikes : io::readSpikes(stimulus.file, control)) {
    if (!spikes.population.empty() && spikes.population != stimulus.population)
      continue;
    isThere = true;
    for (std::size_t k = 0; k < spikes.time.size(); ++k) {
      if (spikes.node[k] >= trains.size())
        throw Error(ErrorCode::BadFormat,
                    "has a spike of the neuron " + std::to_string(spikes.node[k]) + " where \"" + stimulus.population +
                        "\" has " + std::to_string(trains.size()),
                    stimulus.file);
      if (std::ranges::binary_search(neurons, spikes.node[k]))
        trains[spikes.node[k]].push_back(spikes.time[k]);
    }
  }
  if (!isThere)
    throw Error(ErrorCode::BadFormat, "has no spikes of the population \"" + stimulus.population + "\"", stimulus.file);
}

StimulatedTrains stimulatedTrains(const Circuit& circuit, const RunControl& control)
{
  const model::Project& project = circuit.project;
  requireFittingStimuli(project);
  StimulatedTrains made;
  made.listed.resize(project.populations.size());
  std::vector<std::uint64_t> firstTrain;
  std::uint64_t trains = 0;
  for (std::size_t p = 0; p < made.listed.size(); ++p) {
    firstTrain.push_back(trains);
    if (kindOf(project, project.populations[p]) == SimulatedKind::Trains)
      made.listed[p].resize(circuit.neurons[p]->count());
    trains += made.listed[p].size();
  }
  for (const model::Stimulus& stimulus : project.stimuli) {
    if (stimulus.isOfCells())
      continue;
    const std::size_t p = placeOf(project, stimulus.population);
    const std::vector<std::uint64_t> neurons = neuronsNamed(
        stimulus.neurons, made.listed[p].size(), stimulus.population, "The stimulus \"" + stimulus.name + "\"");
    if (stimulus.kind == StimulusKind::Poisson)
      addPoisson(stimulus, requestOf(project).stop, firstTrain[p], neurons, made.poisson, control);
    else
      addListed(stimulus, neurons, made.listed[p], control);
  }
  return made;
}

class Builder
{
public:
  Builder(const Circuit& ofCircuit, const RunControl& runControl)
      : circuit(ofCircuit), project(ofCircuit.project), request(requestOf(ofCircuit.project)), control(runControl),
        cells(ofCircuit.project, ofCircuit.cells)
  {}

  CircuitSimulation build()
  {
    made.celsius = request.parameters.celsius;
    made.notes = cells.notes();
    for (const SessionCells::Entry& entry : cells.entries())
      network().models.push_back(entry.made);
    for (std::size_t p = 0; p < project.populations.size(); ++p)
      takePopulation(p);
    if (network().modelOf.empty() && network().pointNeurons.empty())
      throw Error(ErrorCode::BadParameter, kNothing);
    takeTrains();
    takeConnections();
    for (const model::Stimulus& stimulus : project.stimuli)
      if (stimulus.isOfCells())
        takeStimulus(stimulus);
    for (const model::ProbeRequest& probe : project.probes)
      takeProbe(probe);
    return std::move(made);
  }

private:
  Network& network() { return made.network; }

  void takePopulation(std::size_t p)
  {
    const model::Population& population = project.populations[p];
    const std::uint64_t count = circuit.neurons[p]->count();
    SimulatedPopulation simulated{population.name(), std::vector<std::uint64_t>(count), {}};
    std::iota(simulated.ids.begin(), simulated.ids.end(), std::uint64_t{0});
    simulated.nodes.reserve(count);
    const SimulatedKind kind = kindOf(project, population);
    std::vector<std::uint32_t> ofPool;
    if (kind == SimulatedKind::Cells)
      ofPool = cellsOfNeurons(population, count);
    for (std::uint64_t i = 0; i < count; ++i)
      switch (kind) {
      case SimulatedKind::Trains:
        network().trains.emplace_back();
        simulated.nodes.push_back({Kind::Train, static_cast<std::uint32_t>(network().trains.size() - 1)});
        break;
      case SimulatedKind::PointNeurons: {
        const model::NeuronModel& model = *model::findModel(project, population.models.front());
        network().pointNeurons.push_back({model.tau, model.refractory});
        simulated.nodes.push_back({Kind::PointNeuron, static_cast<std::uint32_t>(network().pointNeurons.size() - 1)});
        break;
      }
      case SimulatedKind::Cells: {
        const auto entry = static_cast<std::uint32_t>(cells.entryOf(p, ofPool.empty() ? 0 : ofPool[i]));
        network().modelOf.push_back(entry);
        network().detectors.push_back({network().models[entry]->cut.nodeAt(0, 0.5), request.threshold});
        simulated.nodes.push_back({Kind::Cell, static_cast<std::uint32_t>(network().modelOf.size() - 1)});
        break;
      }
      }
    made.populations.push_back(std::move(simulated));
  }

  void takeTrains()
  {
    StimulatedTrains trains = stimulatedTrains(circuit, control);
    std::size_t next = 0;
    for (auto& ofPopulation : trains.listed)
      for (auto& train : ofPopulation) {
        std::ranges::sort(train);
        network().trains[next++] = std::move(train);
      }
    network().poisson = std::move(trains.poisson);
  }

  // --- Connections --------------------------------------------------------------------------------------------------

  std::uint32_t sourceOf(SimulatedNode node)
  {
    const auto cellCount = static_cast<std::uint32_t>(network().cells());
    const auto trainCount = static_cast<std::uint32_t>(network().trains.size());
    return node.index + (node.kind == Kind::Cell ? 0 : node.kind == Kind::Train ? cellCount : cellCount + trainCount);
  }

  void takeConnections()
  {
    std::vector<std::unique_ptr<ConnectionSynapses>> all;
    std::vector<std::pair<std::size_t, std::size_t>> ends;
    std::uint64_t most = 0;
    for (std::size_t c = 0; c < project.connections.size(); ++c)
      for (std::size_t e = circuit.connections[c].edgesBegin; e < circuit.connections[c].edgesEnd; ++e) {
        const io::CircuitEdges& edges = circuit.edges[e];
        if (!isSimulated(project.connections[c], edges))
          continue;
        all.push_back(std::make_unique<ConnectionSynapses>(circuit, cells, project.connections[c], edges));
        ends.emplace_back(placeOf(project, edges.source), placeOf(project, edges.target));
        most += all.back()->mostSynapses();
        synapsesOf.push_back(&project.connections[c].synapses);
        made.edges += edges.rows();
      }
    if (most >= std::numeric_limits<std::uint32_t>::max())
      throw Error(ErrorCode::OutOfMemory,
                  "The circuit has " + textOf(static_cast<double>(most)) + " synapses, more than can be counted.");
    requireMemory(most * (sizeof(simulation::Connection) + sizeof(std::uint32_t)),
                  std::to_string(most) + " synapses of the circuit");
    network().connections.reserve(most);
    firstNode.push_back(0);
    for (const std::uint32_t model : network().modelOf)
      firstNode.push_back(firstNode.back() + network().models[model]->cut.nodes());
    for (std::size_t k = 0; k < all.size(); ++k)
      take(*all[k], *synapsesOf[k], ends[k].first, ends[k].second);
    for (const std::size_t connection : toPointNeurons)
      network().connections[connection].target += static_cast<std::uint32_t>(network().synapses.size());
    made.synapses = network().connections.size();
  }

  /// Edges to neurons without a model have no effect, whatever they are; nor have those of a connection without
  /// synapses, which may be there to be compared.
  bool isSimulated(const model::Connection& connection, const io::CircuitEdges& edges)
  {
    if (edges.rows() == 0)
      return false;
    if (kindOf(project, project.populations[placeOf(project, edges.target)]) == SimulatedKind::Trains) {
      made.notes.push_back("The edges \"" + edges.name + "\" end on \"" + edges.target +
                           "\", whose neurons have no model; they have no effect.");
      return false;
    }
    if (connection.synapses.place == model::SynapsePlace::None) {
      leaveOut(connection);
      return false;
    }
    return true;
  }

  /// Said once of a connection of several populations.
  void leaveOut(const model::Connection& connection)
  {
    if (std::ranges::find(made.withoutSynapses, connection.name) != made.withoutSynapses.end())
      return;
    made.withoutSynapses.push_back(connection.name);
    made.notes.push_back(noteOfLeftOut(connection.name));
  }

  void take(const ConnectionSynapses& synapses, const model::SynapseModel& model, std::size_t source,
            std::size_t target)
  {
    const std::vector<SimulatedNode>& sources = made.populations[source].nodes;
    const std::vector<SimulatedNode>& targets = made.populations[target].nodes;
    synapses.forEach(
        [&](const PlacedSynapse& each) {
          const std::uint32_t from = sourceOf(sources[each.source]);
          const SimulatedNode to = targets[each.target];
          if (to.kind == Kind::PointNeuron) {
            toPointNeurons.push_back(network().connections.size());
            network().connections.push_back(
                {from, to.index, each.isInhibitory ? -each.weight : each.weight, each.delay});
          } else
            network().connections.push_back({from, synapseAt(to.index, each, model), each.weight, each.delay});
        },
        control);
  }

  /// Synapses of one kind on a node are one: their conductances add up.
  std::uint32_t synapseAt(std::uint32_t cell, const PlacedSynapse& each, const model::SynapseModel& model)
  {
    const simulation::Synapse kind{0,
                                   0,
                                   model.tau1,
                                   model.tau2,
                                   each.isInhibitory ? model.inhibitoryReversal : model.reversal,
                                   each.isInhibitory ? 0 : model.magnesium};
    auto& slots = slotsOf(kind);
    const std::int32_t node = cutOf(cell).nodeAt(each.place.section, each.place.position);
    std::uint32_t& slot = slots[firstNode[cell] + static_cast<std::size_t>(node)];
    if (slot == kNone) {
      slot = static_cast<std::uint32_t>(network().synapses.size());
      network().synapses.push_back(kind);
      network().synapses.back().cell = cell;
      network().synapses.back().node = node;
    }
    return slot;
  }

  /// Where the synapses of a kind are, per node of all cells.
  std::vector<std::uint32_t>& slotsOf(const simulation::Synapse& kind)
  {
    for (KindSlots& known : kinds)
      if (known.kind.tau1 == kind.tau1 && known.kind.tau2 == kind.tau2 && known.kind.reversal == kind.reversal &&
          known.kind.magnesium == kind.magnesium)
        return known.slots;
    requireMemory(firstNode.back() * sizeof(std::uint32_t), "The places of synapses");
    kinds.push_back({kind, std::vector<std::uint32_t>(firstNode.back(), kNone)});
    return kinds.back().slots;
  }

  // --- Stimuli and probes -------------------------------------------------------------------------------------------

  /// All of it is more than the types that have a name.
  static bool isOf(std::int32_t type, model::Sections part)
  {
    return part == model::Sections::All || std::ranges::count(typesOf(part), type) > 0;
  }

  const cell::CutCell& cutOf(std::uint32_t cell) { return network().models[network().modelOf[cell]]->cut; }

  /// The number of a section among all, from that among those of a part. Throws Error(BadParameter) where the cell has
  /// none.
  static std::int32_t sectionOf(const cell::CutCell& cut, model::Sections part, std::int32_t number,
                                const std::string& where)
  {
    std::int32_t found = 0;
    for (std::size_t s = 0; s < cut.sections.size(); ++s)
      if (isOf(cut.sections[s].type, part) && found++ == number)
        return static_cast<std::int32_t>(s);
    throw Error(ErrorCode::BadParameter, where + " is at the section " + std::to_string(number) + " of \"" +
                                             std::string(choiceName(part)) + "\" of a cell that has " +
                                             std::to_string(found) + " of them.");
  }

  void takeStimulus(const model::Stimulus& stimulus)
  {
    const std::string where = "The stimulus \"" + stimulus.name + "\"";
    const SimulatedPopulation& population = made.populations[placeOf(project, stimulus.population)];
    for (const std::uint64_t neuron : neuronsNamed(stimulus.neurons, population.nodes.size(), population.name, where)) {
      const SimulatedNode node = population.nodes[neuron];
      const cell::CutCell& cut = cutOf(node.index);
      add(stimulus, node.index, cut.nodeAt(sectionOf(cut, stimulus.on, stimulus.section, where), stimulus.position));
    }
  }

  void add(const model::Stimulus& s, std::uint32_t cell, std::int32_t node)
  {
    switch (s.kind) {
    case StimulusKind::Step:
      network().steps.push_back({cell, node, s.amplitude, s.delay, s.duration});
      break;
    case StimulusKind::Sinusoid:
      network().sinusoids.push_back({cell, node, s.amplitude, s.frequency, s.phase, s.offset, s.delay, s.duration});
      break;
    case StimulusKind::Noise:
      network().noises.push_back({cell, node, s.mean, s.deviation, s.tau, s.delay, s.duration, s.seed});
      break;
    case StimulusKind::VoltageClamp: {
      std::vector<simulation::VoltageClamp::Level> levels;
      for (std::size_t k = 0; k < s.potentials.size(); ++k)
        levels.push_back({s.potentials[k], s.durations[k]});
      network().clamps.push_back({cell, node, std::move(levels), s.seriesResistance, s.delay});
      break;
    }
    case StimulusKind::Spikes:
    case StimulusKind::Poisson:
      break;
    }
  }

  void takeProbe(const model::ProbeRequest& probe)
  {
    refuseMisfit(misfitOf(project, probe));
    const std::string where = "The probe \"" + probe.name + "\"";
    const std::size_t p = placeOf(project, probe.population);
    const SimulatedPopulation& population = made.populations[p];
    SimulatedReport report;
    report.request = reportRequestOf(probe);
    for (const std::uint64_t neuron : neuronsNamed(probe.neurons, population.nodes.size(), population.name, where)) {
      const SimulatedNode node = population.nodes[neuron];
      ReportedNode reported{p, neuron, static_cast<std::uint32_t>(network().probes.size()), {}, {}};
      const cell::CutCell& cut = cutOf(node.index);
      for (const SectionPlace& at : placesOf(probe, cut, where)) {
        reported.section.push_back(static_cast<std::uint32_t>(at.section));
        reported.position.push_back(at.position);
        network().probes.push_back({node.index, cut.nodeAt(at.section, at.position), quantityOf(probe.quantity)});
      }
      report.nodes.push_back(std::move(reported));
    }
    made.reports.push_back(std::move(report));
  }

  static std::vector<SectionPlace> placesOf(const model::ProbeRequest& probe, const cell::CutCell& cut,
                                            const std::string& where)
  {
    if (probe.places == ProbePlaces::Soma)
      return {{}};
    if (probe.places == ProbePlaces::Place)
      return {{sectionOf(cut, probe.on, probe.section, where), probe.position}};
    std::vector<SectionPlace> places;
    for (std::size_t s = 0; s < cut.sections.size(); ++s)
      if (isOf(cut.sections[s].type, probe.on))
        for (std::int32_t k = 0; k < cut.sections[s].segments; ++k)
          places.push_back(middleOf(cut, static_cast<std::int32_t>(s), k));
    return places;
  }

  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  struct KindSlots
  {
    simulation::Synapse kind;
    std::vector<std::uint32_t> slots;
  };

  const Circuit& circuit;
  const model::Project& project;
  const model::SimulateParameters& request;
  const RunControl& control;
  const SessionCells cells;
  CircuitSimulation made;
  std::vector<const model::SynapseModel*> synapsesOf; ///< of each ConnectionSynapses
  std::vector<std::size_t> firstNode;                 ///< per cell, among the nodes of all
  std::vector<KindSlots> kinds;
  std::vector<std::size_t> toPointNeurons; ///< connections
};

} // namespace

io::ReportRequest reportRequestOf(const model::ProbeRequest& probe)
{
  using Quantity = io::ReportRequest::Quantity;
  constexpr Quantity kQuantities[] = {Quantity::Potential, Quantity::Calcium, Quantity::MembraneCurrent,
                                      Quantity::ClampCurrent};
  io::ReportRequest request;
  request.name = probe.name;
  request.file = probe.name + ".h5";
  request.quantity = kQuantities[static_cast<std::size_t>(probe.quantity)];
  request.variable = probe.quantity == ProbeQuantity::ClampCurrent ? "se" : std::string(choiceName(probe.quantity));
  const bool isOfSoma = probe.places == ProbePlaces::Soma;
  request.sections = isOfSoma ? "soma" : std::string(choiceName(probe.on));
  request.isOfCentres = isOfSoma;
  return request;
}

std::vector<std::uint64_t> neuronsNamed(const std::vector<std::uint64_t>& named, std::uint64_t count,
                                        const std::string& population, const std::string& where)
{
  std::vector<std::uint64_t> neurons = named;
  if (named.empty()) {
    neurons.resize(count);
    std::iota(neurons.begin(), neurons.end(), std::uint64_t{0});
    return neurons;
  }
  std::ranges::sort(neurons);
  neurons.erase(std::ranges::unique(neurons).begin(), neurons.end());
  if (neurons.back() >= count)
    throw Error(ErrorCode::BadParameter, where + " names the neuron " + std::to_string(neurons.back()) + " of \"" +
                                             population + "\", which has " + std::to_string(count) + ".");
  return neurons;
}

void requireFittingStimuli(const model::Project& project)
{
  for (const model::Stimulus& stimulus : project.stimuli)
    refuseMisfit(misfitOf(project, stimulus));
}

std::string noteOfLeftOut(const std::string& connection)
{
  return "The connection \"" + connection + "\" takes no part in the simulation: it has no synapses.";
}

std::string obstacleOf(const model::Project& project)
{
  if (std::ranges::all_of(project.populations, [](const model::Population& each) { return each.models.empty(); }))
    return kNothing;
  for (const model::Stimulus& stimulus : project.stimuli)
    if (std::string sentence = misfitOf(project, stimulus); !sentence.empty())
      return sentence;
  return {};
}

std::vector<std::vector<std::vector<double>>> trainsOf(const Circuit& circuit, const RunControl& control)
{
  StimulatedTrains trains = stimulatedTrains(circuit, control);
  std::vector<std::vector<double>*> numbered;
  for (auto& ofPopulation : trains.listed)
    for (auto& train : ofPopulation)
      numbered.push_back(&train);
  const double stop = requestOf(circuit.project).stop;
  for (const simulation::PoissonSpikes& each : trains.poisson) {
    simulation::PoissonDraw draw(each);
    for (; draw.time() < stop; draw.advance())
      numbered[each.train]->push_back(draw.time());
    control.checkpoint();
  }
  for (std::vector<double>* train : numbered)
    std::ranges::sort(*train);
  return std::move(trains.listed);
}

void requireSimulable(const model::Project& project, const RunControl& control)
{
  model::validate(project);
  requireFittingStimuli(project);
  requestOf(project);
  std::vector<std::shared_ptr<const morphology::Morphology>> morphologies;
  for (const model::Cell& cell : project.cells)
    morphologies.push_back(readCell(cell, control));
  const SessionCells cells(project, morphologies);
  constexpr double kBytesOfNode = 6 * sizeof(double), kBytesOfCell = 1024, kBytesOfPoint = 64;
  double bytes = 0;
  for (std::size_t p = 0; p < project.populations.size(); ++p) {
    const model::Population& population = project.populations[p];
    double each = kBytesOfPoint;
    if (kindOf(project, population) == SimulatedKind::Cells) {
      std::size_t nodes = 0; // of all cells of the pool
      for (std::size_t k = 0; k < population.cells.size(); ++k)
        nodes += cells.entries()[cells.entryOf(p, k)].made->cut.nodes();
      each = kBytesOfCell + kBytesOfNode * static_cast<double>(nodes) / static_cast<double>(population.cells.size());
    }
    bytes += each * neuronsOf(population);
    constexpr double kGigabyte = 1e9;
    if (bytes > static_cast<double>(availableMemoryBytes()))
      throw Error(ErrorCode::OutOfMemory, "The neurons up to the population \"" + population.name() + "\" need " +
                                              textOf(std::round(bytes / kGigabyte)) +
                                              " GB of memory, more than there is; take fewer.");
  }
}

CircuitSimulation buildSimulation(const Circuit& circuit, const RunControl& control)
{
  return Builder(circuit, control).build();
}

std::uint64_t bytesOfSynapses(const simulation::Network& network)
{
  // Of a synapse that has a node: itself, its place, kind and target, three numbers of its state, and its input to the
  // node (engine/simulation/cells).
  constexpr std::uint64_t kOfSynapse = sizeof(simulation::Synapse) + 6 * sizeof(std::uint32_t) + 5 * sizeof(double);
  return network.connections.size() * sizeof(simulation::Connection) + network.synapses.size() * kOfSynapse;
}

} // namespace hinesight::study
