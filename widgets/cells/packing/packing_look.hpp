#pragma once

#include "core/fields.hpp"

#include <span>

namespace hinesight::widgets {

enum class Sweep
{
  Backward, ///< from the tips to the root
  Forward,  ///< from the root
};

inline constexpr Choice kSweeps[] = {
    {"backward", "Backward", "Eliminates from the tips to the root."},
    {"forward", "Forward", "Substitutes from the root to the tips."},
};
inline std::span<const Choice> tableOf(Sweep)
{
  return kSweeps;
}

/// How the packing view draws a unit; visitFields has the words.
struct PackingLook
{
  bool isSorted = true; ///< lanes by falling length; else as the cells come
  Sweep sweep = Sweep::Backward;
  bool byCell = false;

  bool operator==(const PackingLook&) const = default;
};

template <typename Visitor>
void visitFields(PackingLook& p, Visitor&& visit)
{
  visit(Field{.name = "sorted",
              .label = "Sorted",
              .help = "Draws the branches of a level longest first, or in the order of the cells.",
              .detail = "Sorted, the lanes of a warp have similar work. Only the drawing changes.",
              .concern = Concern::Picture},
        p.isSorted);
  visit(Field{.name = "sweep",
              .label = "Sweep",
              .help = "The sweep that is drawn.",
              .detail = "Backward eliminates from the tips to the root, forward substitutes from the root.",
              .concern = Concern::Picture},
        p.sweep);
  visit(Field{.name = "by-cell",
              .label = "By cell",
              .help = "Colours by cell, within the block or other unit that is shown.",
              .concern = Concern::Picture},
        p.byCell);
}

} // namespace hinesight::widgets
