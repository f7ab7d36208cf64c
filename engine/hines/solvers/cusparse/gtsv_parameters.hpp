#pragma once

#include "core/fields.hpp"
#include "hines/solver_id.hpp"

#include <cstdint>

namespace hinesight::hines {

/// cuSPARSE's gtsv2StridedBatch, chains of one length: a peer to compare with.
inline constexpr SolverId kGtsvStrided{"gtsv2-strided"};
/// cuSPARSE's gtsvInterleavedBatch, likewise.
inline constexpr SolverId kGtsvInterleaved{"gtsv-interleaved"};

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
