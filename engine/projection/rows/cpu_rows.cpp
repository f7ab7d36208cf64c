#include "projection/rows/cpu_rows.hpp"

namespace hinesight::projection::detail {

namespace {

enum class Instructions
{
  Portable,
  Avx2,
  Avx512
};

Instructions bestInstructions()
{
#if defined(__x86_64__)
  const bool fused = __builtin_cpu_supports("fma") != 0;
  if (fused && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
      __builtin_cpu_supports("avx512vl") != 0)
    return Instructions::Avx512;
  if (fused && __builtin_cpu_supports("avx2") != 0)
    return Instructions::Avx2;
#endif
  return Instructions::Portable;
}

} // namespace

template <typename Form>
const RowKernels<Form>& rowKernels()
{
  static const Instructions best = bestInstructions();
  const RowKernels<Form>* kernels = nullptr;
  if (best == Instructions::Avx512)
    kernels = avx512Rows<Form>();
  if (!kernels && best != Instructions::Portable)
    kernels = avx2Rows<Form>();
  return kernels ? *kernels : *portableRows<Form>();
}

#define HINESIGHT_INSTANTIATE(Form) template const RowKernels<Form>& rowKernels<Form>();
HINESIGHT_FOR_EVERY_FORM(HINESIGHT_INSTANTIATE)
#undef HINESIGHT_INSTANTIATE

} // namespace hinesight::projection::detail
