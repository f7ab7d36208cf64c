#include "core/error.hpp"
#include "simulation/cells/cells.hpp"

#if !HINESIGHT_HAS_CUDA

// Reached by nobody: a program without CUDA is refused where the backend is chosen.

namespace hinesight::simulation {

std::unique_ptr<Cells> makeCudaCells(const CellsSetup&, std::size_t)
{
  throw Error(ErrorCode::NoDevice, "This program was built without its CUDA backend.");
}

} // namespace hinesight::simulation

#endif
