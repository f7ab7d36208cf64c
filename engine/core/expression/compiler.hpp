#pragma once

#include "core/expression/program.hpp"

#include <span>
#include <string_view>

namespace hinesight::expression {

/// What an expression may name besides numbers, pi and the functions that all have.
struct Vocabulary
{
  std::span<const std::string_view> variables; ///< in the order of their indices
  bool hasRates = false;                       ///< vtrap(x, k) as well
};

/// Compiles an expression in variables and pi with + - * / ^, comparisons (1 where true, else 0), sqrt, exp, log, sin,
/// cos, abs, floor, min, max, pow, atan2 and if(condition, then, else). Throws Error(BadParameter) that names the
/// column (1-based) and what was expected there.
Program compile(std::string_view text, const Vocabulary& vocabulary);

} // namespace hinesight::expression
