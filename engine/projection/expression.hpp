#pragma once

#include "core/expression/program.hpp"

#include <cstdint>
#include <string>

namespace hinesight::projection {

using expression::Instruction;
using expression::Operation;
using expression::Program;

/// The values that an expression may name, in the order of their indices.
enum Variable : std::uint8_t
{
  kDx,
  kDy,
  kDz,
  kR,
  kSourceX,
  kSourceY,
  kSourceZ,
  kDestinationX,
  kDestinationY,
  kDestinationZ,
  kVariables
};

/// Compiles an expression in dx, dy, dz, r, xs, ys, zs (source), xd, yd, zd (destination); the rest of the language is
/// that of expression::compile. Throws as it does.
Program compileExpression(const std::string& text);

} // namespace hinesight::projection
