// Compiled for processors with these instructions; elsewhere there is none of it.
#if defined(__AVX2__) && defined(__FMA__)
#include "simulation/cells/block_rows_kernel.hpp"
#define HINESIGHT_ROWS &kBlockRows
#else
#include "simulation/cells/block_rows.hpp"
#define HINESIGHT_ROWS nullptr
#endif

const hinesight::simulation::BlockRows* hinesight::simulation::avx2BlockRows()
{
  return HINESIGHT_ROWS;
}
