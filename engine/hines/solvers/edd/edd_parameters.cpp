#include "hines/solvers/edd/edd_parameters.hpp"

#include "hines/solvers/edd/edd_plan.hpp"

namespace hinesight::hines {

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
  validateAllFields(fieldsOf(parameters));
}

} // namespace hinesight::hines
