#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// Cells that break code which recurses, or whose work grows with the square of the samples.

namespace extreme_shapes {

struct ExtremeShape
{
  const char* name;
  std::function<std::string(std::int64_t)> line; ///< of SWC, by its number from 1
  std::size_t branches;
  int maxOrder; ///< greatest branch order
};

inline std::string row(std::int64_t id, int type, std::int64_t y, std::int64_t parent)
{
  return std::to_string(id) + (type == 1 ? " 1 " : " 3 ") + std::to_string(id % 7) + " " + std::to_string(y) + " 0 1 " +
         std::to_string(parent) + "\n";
}

/// Of so many samples each, an even number.
inline std::vector<ExtremeShape> ofSamples(std::int64_t samples)
{
  constexpr std::int64_t kStride = 9'000'000'000'000;
  const auto most = static_cast<std::size_t>(samples);
  return {
      {"chain", [](std::int64_t id) { return row(id, id == 1 ? 1 : 3, id, id == 1 ? -1 : id - 1); }, 1, 0},
      {"chain, ids descending",
       [samples](std::int64_t id) {
         const std::int64_t own = samples + 1 - id;
         return row(own, id == 1 ? 1 : 3, id, id == 1 ? -1 : own + 1);
       },
       1, 0},
      {"chain, rows from tip to root",
       [samples](std::int64_t id) {
         const std::int64_t own = samples + 1 - id;
         return row(own, own == 1 ? 1 : 3, own, own == 1 ? -1 : own - 1);
       },
       1, 0},
      {"chain, ids far apart",
       [](std::int64_t id) { return row(id * kStride, id == 1 ? 1 : 3, id, id == 1 ? -1 : (id - 1) * kStride); }, 1, 0},
      {"star", [](std::int64_t id) { return row(id, id == 1 ? 1 : 3, id, id == 1 ? -1 : 1); }, most - 1, 0},
      {"star of soma samples", [](std::int64_t id) { return row(id, 1, id, id == 1 ? -1 : 1); }, most - 1, 0},
      {"soma chain", [](std::int64_t id) { return row(id, 1, id, id == 1 ? -1 : id - 1); }, 1, 0},
      {"roots only", [](std::int64_t id) { return row(id, 1, id, -1); }, 0, 0},
      // Odd ids are the spine, each but the last with the next spine sample and a twig (even) as children.
      {"nested bifurcations",
       [](std::int64_t id) {
         return row(id, id == 1 ? 1 : 3, id, id == 1 ? -1 : id % 2 == 0 ? id - 1 : id - 2);
       },
       most - 2, static_cast<int>(samples / 2) - 2},
  };
}

inline std::string textOf(const ExtremeShape& shape, std::int64_t samples)
{
  std::string text;
  for (std::int64_t id = 1; id <= samples; ++id)
    text += shape.line(id);
  return text;
}

} // namespace extreme_shapes
