#pragma once

#include "core/fields.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace hinesight::study {

/// The parameters of a study, at their defaults.
struct ParameterSet
{
  std::string_view title;   ///< "Cells"
  std::string_view command; ///< that takes them as options: "solve"; empty: they stand in sessions
  std::vector<BoundField> fields;
};

/// Every parameter of the program, study by study.
std::span<const ParameterSet> allParameterSets();

} // namespace hinesight::study
