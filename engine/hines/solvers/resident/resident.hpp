#pragma once

#include "core/fields.hpp"
#include "hines/solver_id.hpp"

#include <span>

namespace hinesight::hines {

/// A plan of its own (resident_plan.hpp): each cell is read once, kept on chip, and written once.
inline constexpr SolverId kResident{"resident"};

/// How the values of a batch lie in device memory.
enum class ResidentOrder
{
  Schedule, ///< as blocks read them
  Batch,    ///< cell after cell
};

inline constexpr Choice kResidentOrders[] = {
    {"schedule", "Schedule", "As its blocks read them: permuted once, solved often, as in a simulator."},
    {"batch", "Batch", "Cell after cell, as they come: for a single solve, with nothing to permute."},
};
inline std::span<const Choice> tableOf(ResidentOrder)
{
  return kResidentOrders;
}

struct ResidentSettings
{
  ResidentOrder order = ResidentOrder::Schedule;

  bool operator==(const ResidentSettings&) const = default;
};

template <typename Visitor>
void visitFields(ResidentSettings& p, Visitor&& visit)
{
  visit(Field{.name = "order",
              .label = "Order of values",
              .help = "How the values of the batch lie in the GPU's memory.",
              .detail = "In the order of the schedule a solve is the fastest, but the batch is permuted before it. In "
                        "the order of the batch a block permutes its own values on chip. Solutions are the same to the "
                        "last bit. The CPU ignores it.",
              .concern = Concern::Machine},
        p.order);
}

} // namespace hinesight::hines
