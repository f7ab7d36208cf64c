#pragma once

#include "core/run_control.hpp"
#include "study/circuit/circuit_study.hpp"
#include "study/circuit/placed_cells.hpp"
#include "study/simulation/session_cells.hpp"
#include "study/simulation/synapse_places.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace hinesight::study {

/// A synapse of a connection. On a point neuron it has no place.
struct PlacedSynapse
{
  std::uint32_t source, target; ///< neurons of their populations
  SectionPlace place;
  bool isInhibitory; ///< its weight in the table is negative
  double weight;     ///< uS, 0 or more
  double delay;      ///< ms
};

/// The edges of a circuit from one population to another as synapses: what they weigh, when they act, where they are.
/// Of synapses that were counted, such as formed ones, each has a place of its own if places are by chance; else a pair
/// has one, with the weight of all.
class ConnectionSynapses
{
public:
  /// All outlive this. Throws Error(BadParameter) that names the connection: it has no synapses, it ends on neurons
  /// that are not simulated, or on no section that is wanted.
  ConnectionSynapses(const Circuit& circuit, const SessionCells& cells, const model::Connection& connection,
                     const io::CircuitEdges& edges);

  /// At most so many.
  std::uint64_t mostSynapses() const;
  SimulatedKind kindOfTarget() const { return kind; }

  /// Calls `body` for each, by source, then as the edges are. Throws Error(BadParameter) that names the connection for
  /// a weight that is not finite and a delay that is not above 0, Error(Cancelled).
  void forEach(const std::function<void(const PlacedSynapse&)>& body, const RunControl& control) const;

private:
  [[noreturn]] void refuse(const std::string& what) const;
  std::size_t entryOf(std::uint32_t target) const;
  void addRow(std::uint64_t row, std::uint32_t source, std::vector<PlacedSynapse>& made) const;
  SectionPlace nearestPlace(std::uint32_t source, std::uint32_t target) const;
  double delayOf(std::uint64_t row, std::uint32_t source, std::uint32_t target) const;

  /// The middles of segments in the coordinates of the cell's file.
  struct Points
  {
    std::vector<SectionPlace> place;
    std::vector<std::array<double, 3>> at;
    std::array<double, 3> centre; ///< of the soma
  };
  Points pointsOf(const SessionCells::Entry& entry) const;

  const Circuit& circuit;
  const SessionCells& cells;
  const model::Connection& connection;
  const model::SynapseModel& synapses;
  const io::CircuitEdges& edges;
  std::size_t source, target; ///< populations
  SimulatedKind kind;
  bool isCounted;
  std::optional<PlacedCells> placed;             ///< of the target
  std::vector<std::optional<SegmentDraw>> draws; ///< per entry, of those that the target has
  std::vector<std::optional<Points>> points;     ///< the same
};

} // namespace hinesight::study
