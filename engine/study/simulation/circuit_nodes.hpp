#pragma once

#include "io/sonata/simulation_configuration.hpp"
#include "io/sonata/type_table.hpp"
#include "study/simulation/circuit_simulation.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace hinesight::study {

/// The nodes of a circuit as its files name them.
class CircuitNodes
{
public:
  struct Population
  {
    std::size_t place; ///< among those of the simulation
    std::unordered_map<std::uint64_t, std::size_t> nodeOf;
    std::vector<std::int64_t> type;
    io::TypeTable types;
  };

  /// `simulation` outlives it.
  CircuitNodes(const io::SimulationConfiguration& configuration, const CircuitSimulation& simulation)
      : config(configuration), circuit(simulation)
  {}

  bool has(const std::string& population) const { return known.contains(population); }
  Population& add(const std::string& population) { return known[population]; }
  /// Throws Error(BadFormat) with `where` if there is none.
  const Population& named(const std::string& population, const std::string& where) const;

  /// Calls `body` with the population and the place in it of all nodes of the sets, each once, in order. Throws
  /// Error(BadFormat) for a population or a property that no nodes have.
  template <typename Body>
  void forEach(const io::NodeSets& sets, const std::string& where, const Body& body) const
  {
    check(sets, where);
    for (std::size_t p = 0; p < circuit.populations.size(); ++p)
      for (std::size_t i = 0; i < circuit.populations[p].ids.size(); ++i)
        if (isIn(sets, p, i))
          body(p, i);
  }

  /// The same for cells with form alone: `body` gets their number among all such cells, and the id of the node.
  template <typename Body>
  void forEachCell(const io::NodeSets& sets, const std::string& where, const Body& body) const
  {
    forEach(sets, where, [&](std::size_t population, std::size_t i) {
      const SimulatedNode node = circuit.populations[population].nodes[i];
      if (node.kind == SimulatedNode::Kind::Cell)
        body(node.index, circuit.populations[population].ids[i]);
    });
  }

private:
  void check(const io::NodeSets& sets, const std::string& where) const;
  bool isIn(const io::NodeSets& sets, std::size_t population, std::size_t i) const;

  const io::SimulationConfiguration& config;
  const CircuitSimulation& circuit;
  std::map<std::string, Population> known;
};

/// The node of the `index`-th section of these ("soma", "axon", "dend", "apic"); -1 where there are fewer.
std::int32_t nodeOf(const cell::CutCell& cut, const io::InputPlace& place);

/// The SWC type of sections of that name; none for another.
std::optional<std::int32_t> typeOfSections(const std::string& name);

} // namespace hinesight::study
