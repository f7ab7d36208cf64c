// Compiled for processors with these instructions; elsewhere there is none of it.
#if defined(__AVX512F__) && defined(__FMA__)
#include "projection/rows/cpu_rows_kernel.hpp"
#define HINESIGHT_ROWS(Form) &kRowKernels<Form>
#else
#include "projection/rows/cpu_rows.hpp"
#define HINESIGHT_ROWS(Form) nullptr
#endif

namespace hinesight::projection::detail {

#define HINESIGHT_DEFINE_ROWS(Form)                                                                                    \
  template <>                                                                                                          \
  const RowKernels<Form>* avx512Rows<Form>()                                                                           \
  {                                                                                                                    \
    return HINESIGHT_ROWS(Form);                                                                                       \
  }
HINESIGHT_FOR_EVERY_FORM(HINESIGHT_DEFINE_ROWS)
#undef HINESIGHT_DEFINE_ROWS

} // namespace hinesight::projection::detail
