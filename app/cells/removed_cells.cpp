#include "app/cells/removed_cells.hpp"

#include "core/device.hpp"
#include "morphology/memory.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace hinesight::app {

namespace {

std::uint64_t bytesOf(const OpenCell& cell)
{
  const std::uint64_t bytes = morphology::bytesOf(*cell.morphology);
  return cell.unplaced == cell.morphology ? bytes : 2 * bytes;
}

} // namespace

void RemovedCells::keep(const std::vector<OpenCell>& closed)
{
  for (const OpenCell& each : closed) {
    const OpenCell& cell = each.own ? *each.own : each;
    if (cell.morphology)
      all.insert_or_assign(cell.source.path, Kept{cell, ++last});
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> byAge; // number, bytes
  for (const auto& [path, kept] : all)
    byAge.emplace_back(kept.number, bytesOf(kept.cell));
  std::ranges::sort(byAge, std::greater());
  const std::uint64_t most = availableMemoryBytes() / 8;
  std::uint64_t held = 0;
  std::uint64_t oldest = 0; // that is kept
  for (const auto& [number, bytes] : byAge) {
    held += bytes;
    if (held > most)
      break;
    oldest = number;
  }
  if (held > most)
    std::erase_if(all, [&](const auto& entry) { return oldest == 0 || entry.second.number < oldest; });
}

std::optional<OpenCell> RemovedCells::take(const std::string& path)
{
  auto kept = all.extract(path);
  return kept ? std::optional(std::move(kept.mapped().cell)) : std::nullopt;
}

} // namespace hinesight::app
