#include "morphology/memory.hpp"

#include <cstdint>

namespace hinesight::morphology {

std::size_t bytesOf(const Morphology& m)
{
  constexpr std::size_t kWide = sizeof(double); // of ids and lines too
  constexpr std::size_t kNarrow = sizeof(std::int32_t);
  const std::size_t wide =
      m.id.size() + m.x.size() + m.y.size() + m.z.size() + m.radius.size() + m.line.size() + m.solvedRadius.size();
  const std::size_t narrow =
      m.type.size() + m.parent.size() + m.order.size() + m.childBegin.size() + m.child.size() + m.roots.size();
  return sizeof(Morphology) + kWide * wide + kNarrow * narrow;
}

} // namespace hinesight::morphology
