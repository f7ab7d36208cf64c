#pragma once

#include "cable/hines_system.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::hines::detail {

/// A batch on which solvers are verified.
struct VerificationShape
{
  std::string name;
  std::vector<std::shared_ptr<const cable::HinesSystem>> systems;
  std::int64_t cells = 1; ///< copies of the systems in turn
};

/// The built-in set: extremes of depth and breadth, and what lies between. The same on every machine.
std::vector<VerificationShape> makeVerificationShapes();

} // namespace hinesight::hines::detail
