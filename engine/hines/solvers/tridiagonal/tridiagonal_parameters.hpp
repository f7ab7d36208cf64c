#pragma once

#include "core/fields.hpp"
#include "hines/solver_id.hpp"

#include <cstdint>

namespace hinesight::hines {

/// Chains of one length, pieces in the registers of the lanes of a warp (tridiagonal_plan.hpp).
inline constexpr SolverId kTridiagonal{"tridiagonal"};

struct TridiagonalParameters
{
  std::int32_t lanes = 0; ///< that share a system: 1, 2, 4, 8, 16 or 32; 0: as many as are fastest

  bool operator==(const TridiagonalParameters&) const = default;
};

template <typename Visitor>
void visitFields(TridiagonalParameters& p, Visitor&& visit)
{
  visit(Field{.name = "lanes",
              .label = "Lanes",
              .range = from(0, 32),
              .special = {0, "as many as are fastest"},
              .multipleOf = 32,
              .powersOfTwoBelow = true,
              .help = "Lanes of a warp that share a system."},
        p.lanes);
}

/// Throws Error(BadParameter) for ranges.
void validate(const TridiagonalParameters& parameters);

} // namespace hinesight::hines
