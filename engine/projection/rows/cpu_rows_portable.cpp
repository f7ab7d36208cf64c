#include "projection/rows/cpu_rows_kernel.hpp"

namespace hinesight::projection::detail {

#define HINESIGHT_DEFINE_ROWS(Form)                                                                                    \
  template <>                                                                                                          \
  const RowKernels<Form>* portableRows<Form>()                                                                         \
  {                                                                                                                    \
    return &kRowKernels<Form>;                                                                                         \
  }
HINESIGHT_FOR_EVERY_FORM(HINESIGHT_DEFINE_ROWS)
#undef HINESIGHT_DEFINE_ROWS

} // namespace hinesight::projection::detail
