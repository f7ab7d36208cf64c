// Compiled for processors with these instructions; elsewhere there is none of it.
#if defined(__AVX512F__) && defined(__AVX512DQ__)
#include "simulation/cells/block_rows_kernel.hpp"
#define HINESIGHT_ROWS &kBlockRows
#else
#include "simulation/cells/block_rows.hpp"
#define HINESIGHT_ROWS nullptr
#endif

const hinesight::simulation::BlockRows* hinesight::simulation::avx512BlockRows()
{
  return HINESIGHT_ROWS;
}
