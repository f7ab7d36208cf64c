#include "hines/solvers/edd/edd_parameters.hpp"

#include "core/error.hpp"
#include "hines/solvers/edd/edd_plan.hpp"

#include <string>

namespace hinesight::hines {

namespace {

void requireRange(const char* what, std::int32_t value, std::int32_t lowest, std::int32_t highest)
{
  if (value < lowest || value > highest)
    throw Error(ErrorCode::BadParameter, std::string(what) + " is " + std::to_string(value) + ", but must be from " +
                                             std::to_string(lowest) + " to " + std::to_string(highest) + ".");
}

} // namespace

std::string_view eddMethodName(EddMethod method)
{
  switch (method) {
  case EddMethod::Fine:
    return "fine";
  case EddMethod::MinTpt:
    return "min-tpt";
  case EddMethod::MinTrsv:
    return "min-trsv";
  }
  return "";
}

std::int32_t chainLengthFor(const EddParameters& parameters, std::size_t cells)
{
  // What many cells have in common is many pieces: longer ones then cost no lanes and save recursions.
  constexpr std::size_t kManyCells = 512;
  constexpr std::int32_t kLong = 16;
  return parameters.chainLength > 0 ? parameters.chainLength
         : cells >= kManyCells      ? kLong
                                    : EddPlanParameters{}.chainLength;
}

void validate(const EddParameters& parameters)
{
  requireRange("The chain length K of the domain decomposition", parameters.chainLength, 0, 1'000'000);
  requireRange("The recursion depth of the domain decomposition", parameters.depth, -1, 64);
  requireRange("The threshold of the domain decomposition", parameters.threshold, 0, 1'000'000);
  requireRange("The number of right-hand sides", parameters.rightHandSides, 1, 64);
  requireRange("The number of refinements", parameters.refinements, 0, 3);
}

} // namespace hinesight::hines
