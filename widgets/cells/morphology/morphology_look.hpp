#pragma once

#include "core/fields.hpp"

#include <span>

namespace hinesight::widgets {

enum class CellPlaces
{
  Suited,
  SideBySide,
  AsRead,
  Centred
};

inline constexpr Choice kCellPlaces[] = {
    {"suited", "As it suits", "Side by side where the coordinates of the files let cells cover one another."},
    {"side-by-side", "Side by side", "One cell beside the other."},
    {"as-read", "Own coordinates", "At the coordinates of their files."},
    {"centred", "Centred at the soma", "All somata at one place; the first root of a cell without one."},
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
              .help = "Places of cells: side by side, at the coordinates of their files, or centred at the soma.",
              .concern = Concern::Picture},
        p.places);
  visit(Field{.name = "parallel",
              .label = "Parallel projection",
              .help = "Parallel projection: sizes compare at every depth, and the scale bar holds at each.",
              .concern = Concern::Picture},
        p.isParallel);
  visit(Field{.name = "clip",
              .label = "Clip plane",
              .help = "Clip plane: hides what is nearer than the centre. Shift and the wheel move it.",
              .concern = Concern::Picture},
        p.isClipped);
}

} // namespace hinesight::widgets
