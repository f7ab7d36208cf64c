#include "cell/cell_model.hpp"

namespace hinesight::cell {

const Region& Biophysics::regionOf(std::int32_t type) const
{
  static const Region kUsual;
  const auto found = regions.find(type);
  return found == regions.end() ? kUsual : found->second;
}

} // namespace hinesight::cell
