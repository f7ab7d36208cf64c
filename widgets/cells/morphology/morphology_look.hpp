#pragma once

#include "core/fields.hpp"

#include <span>

namespace hinesight::widgets {

enum class CellPlaces
{
  Suited,
  SideBySide,
  AsRead
};

inline constexpr Choice kCellPlaces[] = {
    {"suited", "As it suits", "Side by side where the coordinates of the files let cells cover one another."},
    {"side-by-side", "Side by side", "One cell beside the other."},
    {"as-read", "As read", "At the coordinates of their files."},
};
inline std::span<const Choice> tableOf(CellPlaces)
{
  return kCellPlaces;
}

/// How the morphology view draws cells; visitFields has the words.
struct MorphologyLook
{
  CellPlaces places = CellPlaces::Suited;
  bool isParallel = false;
  bool isClipped = false;

  bool operator==(const MorphologyLook&) const = default;
};

template <typename Visitor>
void visitFields(MorphologyLook& p, Visitor&& visit)
{
  visit(Field{.name = "places",
              .label = "Places of cells",
              .help = "Spread cells: side by side instead of at the coordinates of their files.",
              .concern = Concern::Picture},
        p.places);
  visit(Field{.name = "parallel",
              .label = "Parallel projection",
              .help = "Parallel projection: sizes compare at every depth.",
              .concern = Concern::Picture},
        p.isParallel);
  visit(Field{.name = "clip",
              .label = "Clip plane",
              .help = "Clip plane: hides what is nearer than the centre. Shift and the wheel move it.",
              .concern = Concern::Picture},
        p.isClipped);
}

} // namespace hinesight::widgets
