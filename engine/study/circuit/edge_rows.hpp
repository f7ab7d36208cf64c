#pragma once

#include "io/sonata/circuit_files.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace hinesight::study {

/// Rows that edges keep, ordered by source.
struct EdgeRows
{
  std::vector<std::uint64_t> offsets = {0}; ///< as CircuitEdges::offsets
  std::vector<std::uint32_t> target;
  std::vector<float> weight;

  void add(std::uint32_t toTarget, double ofWeight)
  {
    target.push_back(toTarget);
    weight.push_back(static_cast<float>(ofWeight));
  }
  void endSource() { offsets.push_back(target.size()); }
};

/// Synapses as edges, without names: a spike reaches its targets in the next step, 1 ms later.
inline io::CircuitEdges edgesOf(std::shared_ptr<const EdgeRows> rows, std::uint64_t targets)
{
  constexpr float kDelay = 1; // ms
  io::CircuitEdges edges;
  edges.targets = targets;
  edges.offsets = rows->offsets;
  edges.targetOfRow = rows->target;
  edges.weight = rows->weight;
  edges.constantDelay = kDelay;
  edges.owner = std::move(rows);
  return edges;
}

} // namespace hinesight::study
