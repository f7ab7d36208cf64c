#include "projection/rows/cpu_rows.hpp"

#include "core/simd/instruction_set.hpp"

namespace hinesight::projection::detail {

template <typename Form>
const RowKernels<Form>& rowKernels()
{
  const InstructionSet best = widestInstructionSet();
  const RowKernels<Form>* kernels = nullptr;
  if (best == InstructionSet::Avx512)
    kernels = avx512Rows<Form>();
  if (!kernels && best != InstructionSet::Portable)
    kernels = avx2Rows<Form>();
  return kernels ? *kernels : *portableRows<Form>();
}

#define HINESIGHT_INSTANTIATE(Form) template const RowKernels<Form>& rowKernels<Form>();
HINESIGHT_FOR_EVERY_FORM(HINESIGHT_INSTANTIATE)
#undef HINESIGHT_INSTANTIATE

} // namespace hinesight::projection::detail
