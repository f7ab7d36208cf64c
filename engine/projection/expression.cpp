#include "projection/expression.hpp"

#include "core/expression/compiler.hpp"

#include <array>
#include <string_view>

namespace hinesight::projection {

Program compileExpression(const std::string& text)
{
  static constexpr std::array<std::string_view, kVariables> kNames = {"dx", "dy", "dz", "r",  "xs",
                                                                      "ys", "zs", "xd", "yd", "zd"};
  return expression::compile(text, {kNames});
}

} // namespace hinesight::projection
