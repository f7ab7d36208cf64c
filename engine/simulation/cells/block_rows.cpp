#include "simulation/cells/block_rows.hpp"

#include "core/simd/instruction_set.hpp"

namespace hinesight::simulation {

namespace {

const BlockRows& bestBlockRows()
{
  const InstructionSet widest = widestInstructionSet();
  if (const BlockRows* rows = widest >= InstructionSet::Avx512 ? avx512BlockRows() : nullptr)
    return *rows;
  if (const BlockRows* rows = widest >= InstructionSet::Avx2 ? avx2BlockRows() : nullptr)
    return *rows;
  return *portableBlockRows();
}

} // namespace

const BlockRows& blockRows()
{
  static const BlockRows& best = bestBlockRows();
  return best;
}

} // namespace hinesight::simulation
