#include "fuzzing.hpp"
#include "morphology/swc.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

// Cells as SWC. What was read is a forest of all samples, and is the same when it is written and read again.

using namespace hinesight;
using morphology::Morphology;

namespace {

void requireForest(const Morphology& cell)
{
  const std::size_t samples = cell.samples();
  fuzz::require(samples > 0, "a cell without samples");
  fuzz::require(cell.type.size() == samples && cell.x.size() == samples && cell.y.size() == samples &&
                    cell.z.size() == samples && cell.radius.size() == samples && cell.parent.size() == samples &&
                    cell.line.size() == samples && cell.order.size() == samples &&
                    cell.solvedRadius.size() == samples && cell.childBegin.size() == samples + 1,
                "columns of other sizes");
  std::vector<bool> isKnown(samples, false);
  for (const std::int32_t sample : cell.order) {
    fuzz::require(sample >= 0 && static_cast<std::size_t>(sample) < samples && !isKnown[sample],
                  "an order that is none");
    fuzz::require(cell.parent[sample] < 0 || isKnown[cell.parent[sample]], "a child before its parent");
    isKnown[sample] = true;
    for (const double value : {cell.x[sample], cell.y[sample], cell.z[sample]})
      fuzz::require(std::isfinite(value), "a coordinate that is none");
    fuzz::require(std::isfinite(cell.radius[sample]) && cell.radius[sample] >= 0, "a radius that is none");
    fuzz::require(std::isfinite(cell.solvedRadius[sample]) && cell.solvedRadius[sample] > 0, "an unknown radius");
  }
  fuzz::require(cell.child.size() + cell.roots.size() == samples && cell.childBegin.back() == std::ssize(cell.child),
                "children and roots that are not all");
  std::vector<std::int64_t> ids = cell.id;
  std::ranges::sort(ids);
  fuzz::require(std::ranges::adjacent_find(ids) == ids.end(), "two samples of one id");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  const std::string_view text = fuzz::textOf(bytes, size);
  return fuzz::attempt([&] {
    const auto cell = morphology::parseSwc(text, "cell.swc");
    requireForest(*cell);
    std::ostringstream written;
    morphology::writeSwc(*cell, written);
    const auto again = fuzz::whenAccepted([&] { return morphology::parseSwc(written.str(), "cell.swc"); });
    fuzz::require(again->id == cell->id && again->type == cell->type && again->x == cell->x && again->y == cell->y &&
                      again->z == cell->z && again->radius == cell->radius && again->parent == cell->parent,
                  "other samples when written and read again");
    fuzz::require(again->comments == cell->comments, "other comments when written and read again");
  });
}
