#pragma once

#include "selection/expression.hpp"

#include <string_view>

namespace hinesight::selection {

/// Throws ExpressionError.
Expression::Program compileExpression(std::string_view text, const Vocabulary& vocabulary);

} // namespace hinesight::selection
