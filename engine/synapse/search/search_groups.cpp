#include "synapse/search/search_groups.hpp"

namespace hinesight::synapse::detail {

SearchSeekers bestSearch()
{
#if defined(__x86_64__)
  const bool fused = __builtin_cpu_supports("fma") != 0;
  if (fused && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
      __builtin_cpu_supports("avx512vl") != 0 && avx512Search() != nullptr)
    return avx512Search();
  if (fused && __builtin_cpu_supports("avx2") != 0 && avx2Search() != nullptr)
    return avx2Search();
#endif
  return portableSearch();
}

} // namespace hinesight::synapse::detail
