#pragma once

#include "core/fields.hpp"

#include <cstdint>

namespace hinesight::hines {

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

/// cuSPARSE's gtsvInterleavedBatch.
struct GtsvParameters
{
  std::int32_t algorithm = 0; ///< 0: Thomas, 1: LU with pivoting, 2: QR

  bool operator==(const GtsvParameters&) const = default;
};

template <typename Visitor>
void visitFields(GtsvParameters& p, Visitor&& visit)
{
  visit(Field{.name = "algorithm",
              .label = "Algorithm",
              .range = from(0, 2),
              .help = "Of gtsvInterleavedBatch: 0 is Thomas, 1 is LU with pivoting, 2 is QR."},
        p.algorithm);
}

/// Throws Error(BadParameter) for ranges.
void validate(const GtsvParameters& parameters);

} // namespace hinesight::hines
