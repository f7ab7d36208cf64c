#pragma once

#include "morphology/morphology.hpp"
#include "morphology/swc.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::morphology {

/// The sample rows of an SWC text, in file order, before ids mean anything.
struct SwcRows
{
  std::vector<std::int64_t> id; ///< not negative
  std::vector<std::int32_t> type;
  std::vector<double> x, y, z, radius; ///< radius 0 where unknown
  std::vector<std::int64_t> parentId;  ///< negative at roots
  std::vector<std::int64_t> line;
  std::vector<std::string> comments;
  std::vector<Warning> warnings; ///< about how the rows are written and about unknown radii

  std::size_t size() const { return id.size(); }
};

/// Reads every row or throws: Error(BadFormat) with up to 20 bad rows, Error(Cancelled).
SwcRows readSwcRows(std::string_view text, const std::string& path, const SwcOptions& options,
                    const RunControl& control);

} // namespace hinesight::morphology
