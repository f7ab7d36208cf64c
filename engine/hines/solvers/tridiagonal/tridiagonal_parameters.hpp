#pragma once

#include <cstdint>

namespace hinesight::hines {

struct TridiagonalParameters
{
  std::int32_t lanes = 0; ///< that share a system: 1, 2, 4, 8, 16 or 32; 0: as many as are fastest

  bool operator==(const TridiagonalParameters&) const = default;
};

/// Throws Error(BadParameter) for ranges.
void validate(const TridiagonalParameters& parameters);

/// cuSPARSE's gtsvInterleavedBatch.
struct GtsvParameters
{
  std::int32_t algorithm = 0; ///< 0: Thomas, 1: LU with pivoting, 2: QR

  bool operator==(const GtsvParameters&) const = default;
};

/// Throws Error(BadParameter) for ranges.
void validate(const GtsvParameters& parameters);

} // namespace hinesight::hines
