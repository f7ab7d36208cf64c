#include "study/simulation/circuit_simulation.hpp"

#include "core/error.hpp"
#include "core/philox.hpp"
#include "core/text.hpp"
#include "io/sonata/synapse_edges.hpp"
#include "study/simulation/circuit_nodes.hpp"
#include "study/simulation/circuit_reports.hpp"
#include "study/simulation/circuit_stimuli.hpp"
#include "study/simulation/model_files.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace hinesight::study {

namespace {

using Kind = SimulatedNode::Kind;
using simulation::Network;

/// Where synapses of a type may be: parts of segments.
struct Targets
{
  std::vector<std::int32_t> node;
  std::vector<double> upTo; ///< µm of all up to this one
};

/// "['basal', 'apical']" and "[30.0, 150.0]" as words.
std::vector<std::string> listWords(const std::string& text)
{
  constexpr std::string_view kBetween = "[]()'\", \t";
  std::vector<std::string> words;
  for (std::size_t begin = text.find_first_not_of(kBetween); begin != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBetween, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kBetween, end);
  }
  return words;
}

class Builder
{
public:
  Builder(const io::SimulationConfiguration& configuration, std::uint64_t seedOfRun, const RunControl& runControl)
      : config(configuration), seed(seedOfRun), control(runControl), models(configuration), known(configuration, made)
  {}

  CircuitSimulation build()
  {
    made.notes = config.notes;
    made.seed = seed;
    for (const auto& files : config.nodes)
      takeNodes(files);
    requireSomething();
    for (const auto& files : config.edges)
      takeEdges(files);
    for (const std::size_t connection : toPointNeurons)
      network().connections[connection].target += static_cast<std::uint32_t>(network().synapses.size());
    addStimuli(config, known, seed, made, control);
    addReports(config, known, made);
    addSources();
    made.notes.insert(made.notes.end(), models.notes().begin(), models.notes().end());
    if (drawn > 0)
      note(std::to_string(drawn) + " synapses have no place in the files; theirs are drawn by the seed " +
           std::to_string(seed) + ".");
    if (config.celsius)
      made.celsius = *config.celsius;
    if (config.isSecondOrder)
      made.scheme = *config.isSecondOrder ? simulation::Scheme::CrankNicolson : simulation::Scheme::BackwardEuler;
    return std::move(made);
  }

private:
  Network& network() { return made.network; }
  void note(std::string sentence) { made.notes.push_back(std::move(sentence)); }

  // --- Nodes --------------------------------------------------------------------------------------------------------

  void takeNodes(const io::SimulationConfiguration::Files& files)
  {
    control.checkpoint();
    const io::TypeTable types = files.types.empty() ? io::TypeTable() : io::readTypeTable(files.types, "node_type_id");
    for (io::SonataNodes& nodes : io::readSonataNodes(files.file))
      takePopulation(std::move(nodes), types, files.file.string());
  }

  void takePopulation(io::SonataNodes nodes, const io::TypeTable& types, const std::string& file)
  {
    if (known.has(nodes.population))
      throw Error(ErrorCode::BadFormat, "has a population \"" + nodes.population + "\" as another file has", file);
    CircuitNodes::Population& population = known.add(nodes.population);
    population = {made.populations.size(), {}, std::move(nodes.type), types};
    SimulatedPopulation simulated{nodes.population, std::move(nodes.id), {}};
    for (std::size_t i = 0; i < simulated.ids.size(); ++i) {
      if (!population.nodeOf.try_emplace(simulated.ids[i], i).second)
        throw Error(ErrorCode::BadFormat,
                    "has the node " + std::to_string(simulated.ids[i]) + " of \"" + simulated.name + "\" twice", file);
      if (!types.has(population.type[i]))
        throw Error(
            ErrorCode::BadFormat,
            "has nodes of the type " + std::to_string(population.type[i]) + ", which its table of types has not", file);
      simulated.nodes.push_back(addNode(types, population.type[i]));
    }
    made.populations.push_back(std::move(simulated));
  }

  SimulatedNode addNode(const io::TypeTable& types, std::int64_t type)
  {
    const std::string kind = typeValue(types, type, "model_type");
    if (kind == "virtual") {
      network().trains.emplace_back();
      return {Kind::Train, static_cast<std::uint32_t>(network().trains.size() - 1)};
    }
    if (kind == "point_neuron" || kind == "point_process") {
      network().pointNeurons.push_back(models.pointNeuronOf(types, type));
      return {Kind::PointNeuron, static_cast<std::uint32_t>(network().pointNeurons.size() - 1)};
    }
    const std::shared_ptr<const cell::CellModel> model = models.cellOf(types, type);
    const auto [place, isNew] =
        placeOfModel.try_emplace(model.get(), static_cast<std::uint32_t>(network().models.size()));
    network().modelOf.push_back(place->second);
    if (isNew) {
      network().models.push_back(model);
      if (network().models.size() == 1)
        made.celsius = model->biophysics.celsius;
    }
    network().detectors.push_back({detectorOf(*model), config.threshold});
    return {Kind::Cell, static_cast<std::uint32_t>(network().modelOf.size() - 1)};
  }

  std::int32_t detectorOf(const cell::CellModel& model) const
  {
    if (!config.detectsInAxon)
      return model.cut.nodeAt(0, 0.5);
    const std::int32_t node = nodeOf(model.cut, {"axon", 1, 0.5});
    if (node < 0)
      throw Error(ErrorCode::BadFormat,
                  "asks for spikes in the second section of the axon, which " + model.name + " has not",
                  config.file.string());
    return node;
  }

  void requireSomething() const
  {
    if (made.network.modelOf.empty() && made.network.pointNeurons.empty())
      throw Error(ErrorCode::BadFormat, "names virtual nodes alone; there is nothing to simulate",
                  config.file.string());
  }

  // --- Edges --------------------------------------------------------------------------------------------------------

  void takeEdges(const io::SimulationConfiguration::Files& files)
  {
    const io::TypeTable types = files.types.empty() ? io::TypeTable() : io::readTypeTable(files.types, "edge_type_id");
    for (const io::SynapseEdges& edges : io::readSynapseEdges(files.file, control))
      takeEdges(edges, types, files.types.string());
  }

  void takeEdges(const io::SynapseEdges& edges, const io::TypeTable& types, const std::string& typesFile)
  {
    const std::string where = "\"" + edges.population + "\"";
    const CircuitNodes::Population& sources = known.named(edges.source, where);
    const CircuitNodes::Population& targets = known.named(edges.target, where);
    std::map<std::int64_t, SynapseKind> kinds;
    constexpr std::size_t kEdgesBetweenLooks = 1 << 14;
    for (std::size_t edge = 0; edge < edges.count(); ++edge) {
      if (edge % kEdgesBetweenLooks == 0)
        control.report("read", static_cast<double>(edge) / static_cast<double>(edges.count()));
      const std::int64_t type = edges.type[edge];
      if (!types.has(type))
        failAt(edges, edge, "is of the type " + std::to_string(type) + ", which the table of types has not");
      if (!kinds.contains(type))
        kinds[type] = models.synapseOf(types, type, typesFile);
      const SimulatedNode source = simulated(sources, edges.sourceNode[edge], edges, edge);
      const SimulatedNode target = simulated(targets, edges.targetNode[edge], edges, edge);
      if (kinds[type].isJunction)
        addJunction(edges, edge, types, source, target);
      else
        addEdge(edges, edge, types, kinds[type], source, target);
    }
    made.edges += edges.count();
  }

  [[noreturn]] static void failAt(const io::SynapseEdges& edges, std::size_t edge, const std::string& what)
  {
    throw Error(ErrorCode::BadFormat, "the edge " + std::to_string(edge) + " of \"" + edges.population + "\" " + what,
                edges.file);
  }

  SimulatedNode simulated(const CircuitNodes::Population& population, std::uint64_t id, const io::SynapseEdges& edges,
                          std::size_t edge) const
  {
    const auto found = population.nodeOf.find(id);
    if (found == population.nodeOf.end())
      failAt(edges, edge,
             "joins the node " + std::to_string(id) + " of \"" + made.populations[population.place].name +
                 "\", which there is not");
    return made.populations[population.place].nodes[found->second];
  }

  /// A value of an edge, or of its type.
  static double valueOf(double own, const io::SynapseEdges& edges, std::size_t edge, const io::TypeTable& types,
                        const char* column)
  {
    if (!std::isnan(own))
      return own;
    const std::string text = typeValue(types, edges.type[edge], column);
    const auto value = numberOf<double>(text);
    if (!value)
      failAt(edges, edge, "has no " + std::string(column) + ", and its type has none");
    return *value;
  }

  /// Among all sources: of point neurons with their place among themselves, until the trains are counted.
  void addEdge(const io::SynapseEdges& edges, std::size_t edge, const io::TypeTable& types, const SynapseKind& kind,
               SimulatedNode source, SimulatedNode target)
  {
    const double weight = valueOf(edges.weight[edge], edges, edge, types, "syn_weight");
    const double delay = valueOf(edges.delay[edge], edges, edge, types, "delay");
    const auto synapses = std::max<std::int64_t>(0, edges.synapses[edge]);
    const bool hasPlace = edges.section[edge] >= 0;
    made.synapses += static_cast<std::uint64_t>(hasPlace ? 1 : synapses);
    switch (target.kind) {
    case Kind::Train:
      failAt(edges, edge, "goes to a virtual node, which has no synapses");
    case Kind::PointNeuron:
      toPointNeurons.push_back(network().connections.size());
      connect(source, target.index, hasPlace ? weight : weight * kind.sign * static_cast<double>(synapses),
              delay); // as BMTK has it
      return;
    case Kind::Cell:
      break;
    }
    for (std::int64_t k = 0; k < (hasPlace ? 1 : synapses); ++k) {
      const std::int32_t node =
          hasPlace ? placeOf(edges, edge, target.index) : drawPlace(edges, edge, types, target.index, k);
      for (const SynapseKind::Receptor& receptor : kind.receptors)
        connect(source, synapseAt(target.index, node, receptor), weight * receptor.share, delay);
    }
  }

  /// Conducts both ways. The place on the source is that on the target where the file says no other, as BMTK has it.
  void addJunction(const io::SynapseEdges& edges, std::size_t edge, const io::TypeTable& types, SimulatedNode source,
                   SimulatedNode target)
  {
    if (source.kind != Kind::Cell || target.kind != Kind::Cell)
      failAt(edges, edge, "is a gap junction with a node that is no cell with form");
    const double conductance = valueOf(edges.weight[edge], edges, edge, types, "syn_weight");
    const bool hasPlace = edges.section[edge] >= 0, hasSource = edges.sourceSection[edge] >= 0;
    const std::int64_t count = hasPlace ? 1 : std::max<std::int64_t>(0, edges.synapses[edge]);
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int32_t there =
          hasPlace ? placeOf(edges, edge, target.index) : drawPlace(edges, edge, types, target.index, 2 * k);
      const std::int32_t here = hasSource  ? placeOfSource(edges, edge, source.index)
                                : hasPlace ? placeOf(edges, edge, source.index)
                                           : drawPlace(edges, edge, types, source.index, 2 * k + 1);
      network().junctions.push_back({{source.index, here}, {target.index, there}, conductance});
      ++made.junctions;
    }
  }

  void connect(SimulatedNode source, std::uint32_t target, double weight, double delay)
  {
    if (network().connections.size() == std::numeric_limits<std::uint32_t>::max())
      throw Error(ErrorCode::OutOfMemory, "The circuit has more synapses than can be counted.");
    network().connections.push_back({source.index, target, weight, delay});
    sourceKinds.push_back(source.kind);
  }

  /// Cells, trains, point neurons, now that all are counted.
  void addSources()
  {
    const auto cells = static_cast<std::uint32_t>(network().cells());
    const auto trains = static_cast<std::uint32_t>(network().trains.size());
    for (std::size_t k = 0; k < sourceKinds.size(); ++k)
      network().connections[k].source += sourceKinds[k] == Kind::Cell    ? 0
                                         : sourceKinds[k] == Kind::Train ? cells
                                                                         : cells + trains;
  }

  const cell::CutCell& cutOf(std::uint32_t cell) { return network().models[network().modelOf[cell]]->cut; }

  std::int32_t placeOf(const io::SynapseEdges& edges, std::size_t edge, std::uint32_t cell)
  {
    return placeOn(edges, edge, cell, edges.section[edge], edges.position[edge], edges.targetNode[edge]);
  }
  std::int32_t placeOfSource(const io::SynapseEdges& edges, std::size_t edge, std::uint32_t cell)
  {
    return placeOn(edges, edge, cell, edges.sourceSection[edge], edges.sourcePosition[edge], edges.sourceNode[edge]);
  }

  std::int32_t placeOn(const io::SynapseEdges& edges, std::size_t edge, std::uint32_t cell, std::int64_t section,
                       double position, std::uint64_t id)
  {
    const cell::CutCell& cut = cutOf(cell);
    if (static_cast<std::size_t>(section) >= cut.sections.size() || !(position >= 0 && position <= 1))
      failAt(edges, edge,
             "is at " + textOf(position) + " of the section " + std::to_string(section) + " of the node " +
                 std::to_string(id) + ", which has " + std::to_string(cut.sections.size()) + " sections");
    return cut.nodeAt(static_cast<std::int32_t>(section), position);
  }

  /// Synapses of one kind on a node are one: their conductances add up.
  std::uint32_t synapseAt(std::uint32_t cell, std::int32_t node, const SynapseKind::Receptor& kind)
  {
    const auto [entry, isNew] = synapseOf.try_emplace({cell, node, kind.tau1, kind.tau2, kind.reversal, kind.magnesium},
                                                      static_cast<std::uint32_t>(network().synapses.size()));
    if (isNew)
      network().synapses.push_back({cell, node, kind.tau1, kind.tau2, kind.reversal, kind.magnesium});
    return entry->second;
  }

  // --- Places that the edges do not say -----------------------------------------------------------------------------

  std::int32_t drawPlace(const io::SynapseEdges& edges, std::size_t edge, const io::TypeTable& types,
                         std::uint32_t cell, std::int64_t synapse)
  {
    const auto key = std::tuple(edges.file, edges.type[edge], network().modelOf[cell]);
    auto found = targetsOf.find(key);
    if (found == targetsOf.end())
      found = targetsOf.emplace(key, targetsOn(edges, edge, types, cutOf(cell))).first;
    const Targets& targets = found->second;
    const double at =
        randomUniform(seed, made.edges + edge, static_cast<std::uint32_t>(synapse), 0) * targets.upTo.back();
    const auto chosen = std::ranges::upper_bound(targets.upTo, at) - targets.upTo.begin();
    ++drawn;
    return targets.node[std::min(static_cast<std::size_t>(chosen), targets.node.size() - 1)];
  }

  /// Segments of the type's target_sections within its distance_range, each as likely as it is long.
  static Targets targetsOn(const io::SynapseEdges& edges, std::size_t edge, const io::TypeTable& types,
                           const cell::CutCell& cut)
  {
    std::set<std::int32_t> wanted;
    for (const std::string& word : listWords(typeValue(types, edges.type[edge], "target_sections"))) {
      const std::optional<std::int32_t> type = typeOfSections(word);
      if (!type)
        failAt(edges, edge, "goes to the sections \"" + word + "\", which are not known");
      wanted.insert(*type);
    }
    const std::vector<std::string> range = listWords(typeValue(types, edges.type[edge], "distance_range"));
    const double nearest = range.size() == 2 ? numberOf<double>(range[0]).value_or(0) : 0;
    const double farthest = range.size() == 2 ? numberOf<double>(range[1]).value_or(kBoundless) : kBoundless;
    const std::vector<double> start = cell::distancesOfSections(cut);
    Targets targets;
    double length = 0;
    for (std::size_t s = 0; s < cut.sections.size(); ++s) {
      const cell::Section& section = cut.sections[s];
      if (!wanted.empty() && !wanted.contains(section.type))
        continue;
      const double step = section.length / section.segments;
      for (std::int32_t k = 0; k < section.segments; ++k) {
        const double from = start[s] + k * step;
        const double part = std::min(from + step, farthest) - std::max(from, nearest);
        if (!(part > 0))
          continue;
        length += part;
        targets.node.push_back(section.firstNode + k);
        targets.upTo.push_back(length);
      }
    }
    if (targets.node.empty())
      failAt(edges, edge, "goes to sections and distances that its target has not");
    return targets;
  }

  const io::SimulationConfiguration& config;
  const std::uint64_t seed;
  const RunControl& control;
  ModelFiles models;
  CircuitSimulation made;
  CircuitNodes known;
  std::map<const cell::CellModel*, std::uint32_t> placeOfModel; ///< among the models of the network
  std::map<std::tuple<std::uint32_t, std::int32_t, double, double, double, double>, std::uint32_t> synapseOf;
  std::map<std::tuple<std::string, std::int64_t, std::uint32_t>, Targets> targetsOf;
  std::vector<std::size_t> toPointNeurons; ///< connections
  std::vector<Kind> sourceKinds;           ///< of each connection
  std::uint64_t drawn = 0;
};

} // namespace

CircuitSimulation buildSimulation(const io::SimulationConfiguration& configuration, std::optional<std::uint64_t> seed,
                                  const RunControl& control)
{
  constexpr std::uint64_t kUsual = 1;
  return Builder(configuration, seed.value_or(configuration.seed.value_or(kUsual)), control).build();
}

} // namespace hinesight::study
