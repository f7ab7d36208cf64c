#pragma once

#include "simulation/cells/pending_event.hpp"
#include "simulation/cells/views.hpp"

#include <cstddef>
#include <cstdint>

namespace hinesight::simulation {

/// Steps of blocks on the CPU, compiled for one set of instructions.
struct BlockRows
{
  /// Of one cell, and of kCpuLanes side by side.
  void (*single)(const ModelView& model, const NodeArrays& nodes, const BlockView& block, const StepRules& rules,
                 std::int64_t from, std::int64_t to);
  void (*side)(const ModelView& model, const NodeArrays& nodes, const BlockView& block, const StepRules& rules,
               std::int64_t from, std::int64_t to);
  /// What events add, in their order.
  void (*events)(const SynapseKind* kinds, const std::uint32_t* kindOf, const PendingEvent* events, std::size_t count,
                 const StepRules& rules, std::int64_t from, StepEvent* results);
};

inline constexpr std::uint32_t kCpuLanes = 8;

/// Null where the program was not compiled for such processors.
const BlockRows* portableBlockRows();
const BlockRows* avx2BlockRows();
const BlockRows* avx512BlockRows();

/// The best that this processor executes; all give the same bytes.
const BlockRows& blockRows();

} // namespace hinesight::simulation
