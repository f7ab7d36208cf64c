#include "simulation/cells/block_rows_kernel.hpp"

const hinesight::simulation::BlockRows* hinesight::simulation::portableBlockRows()
{
  return &kBlockRows;
}
