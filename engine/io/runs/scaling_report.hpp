#pragma once

#include "scaling/scaling.hpp"

#include <filesystem>
#include <ostream>
#include <span>

namespace hinesight::io {

// Points of a scaling benchmark, one field a column or key, the same in both formats: work, scaling, ranks, size,
// amount, device, ms, lowerQuartileMs, upperQuartileMs, exchangeMs, oneRankMs, speedUp, efficiency, sameBytes, hash.

/// {"points": [{...}]}.
void writeScalingJson(std::span<const scaling::ScalingPoint> points, std::ostream& stream);
/// To a file by its extension, .csv or .json. Atomic. Throws as requireTimingsExtension, Error(WriteFailed).
void writeScaling(std::span<const scaling::ScalingPoint> points, const std::filesystem::path& path);

} // namespace hinesight::io
