#include "study/simulation/synapse_places.hpp"

#include <algorithm>

namespace hinesight::study {

SectionPlace middleOf(const cell::CutCell& cell, std::int32_t section, std::int32_t segment)
{
  return {section, (segment + 0.5) / cell.sections[static_cast<std::size_t>(section)].segments};
}

SegmentDraw::SegmentDraw(const cell::CutCell& cell, const std::set<std::int32_t>& types, double nearest,
                         double farthest)
{
  const std::vector<double> start = cell::distancesOfSections(cell);
  double length = 0;
  for (std::size_t s = 0; s < cell.sections.size(); ++s) {
    const cell::Section& section = cell.sections[s];
    if (!types.empty() && !types.contains(section.type))
      continue;
    const double step = section.length / section.segments;
    for (std::int32_t k = 0; k < section.segments; ++k) {
      const double from = start[s] + k * step;
      const double part = std::min(from + step, farthest) - std::max(from, nearest);
      if (!(part > 0))
        continue;
      length += part;
      places.push_back(middleOf(cell, static_cast<std::int32_t>(s), k));
      upTo.push_back(length);
    }
  }
}

SectionPlace SegmentDraw::at(double uniform) const
{
  const auto chosen = std::ranges::upper_bound(upTo, uniform * upTo.back()) - upTo.begin();
  return places[std::min(static_cast<std::size_t>(chosen), places.size() - 1)];
}

} // namespace hinesight::study
