#include "synapse/search/search_groups.hpp"

#include "core/simd/instruction_set.hpp"

namespace hinesight::synapse::detail {

SearchSeekers bestSearch()
{
  const InstructionSet widest = widestInstructionSet();
  if (widest >= InstructionSet::Avx512 && avx512Search() != nullptr)
    return avx512Search();
  if (widest >= InstructionSet::Avx2 && avx2Search() != nullptr)
    return avx2Search();
  return portableSearch();
}

} // namespace hinesight::synapse::detail
