#pragma once

#include "core/communicator.hpp"
#include "simulation/cells/cells.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hinesight::simulation {

/// Gap junctions between cells of two shares: before every step each end hears of the potential of the other. All ranks
/// know all of them.
class JunctionExchange
{
public:
  /// `ranks`: the shares are those of ranks, or all are this one's.
  JunctionExchange(const Network& network, const Shares& shares, std::span<const CompiledCell> models,
                   Communicator& ranks);

  bool empty() const { return numbers.empty(); }
  /// Before a step; `cells`: of this rank. Collective.
  void exchange(Cells& cells, Communicator& ranks, bool isHalf);

  /// Makes what is within shares to that of all junctions.
  void addTo(CellStates& states, std::size_t junctions) const;
  void setStates(const CellStates& whole);

private:
  std::vector<std::uint32_t> numbers; ///< of the network
  std::vector<double> before;         ///< two of each: potentials at its ends a step before
  std::vector<double> now, peers;
  // Where there are several ranks: the ends by rank, and where those of each begin.
  std::vector<std::size_t> byRank, beginOfRank;
  std::vector<double> sent, received;
};

} // namespace hinesight::simulation
