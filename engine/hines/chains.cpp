#include "hines/chains.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <string>

namespace hinesight::hines {

bool isChain(const HinesSystem& system)
{
  for (std::size_t row = 0; row < system.size(); ++row)
    if (system.parent[row] != static_cast<std::int32_t>(row) - 1)
      return false;
  return true;
}

bool areChainsOfOneLength(const HinesBatch& batch)
{
  return std::ranges::all_of(batch.shapes, [&](const auto& shape) {
    return isChain(*shape) && shape->size() == batch.shapes.front()->size();
  });
}

std::int32_t chainLength(const HinesBatch& batch, std::string_view solver)
{
  if (!areChainsOfOneLength(batch))
    throw Error(ErrorCode::BadParameter,
                "The " + std::string(solver) +
                    " solver takes batches of chains of one length only, numbered from one end to the other; "
                    "choose another solver for cells with branches.");
  return static_cast<std::int32_t>(batch.shapes.front()->size());
}

} // namespace hinesight::hines
