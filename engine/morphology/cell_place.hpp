#pragma once

#include "core/fields.hpp"
#include "core/run_control.hpp"
#include "morphology/morphology.hpp"

#include <array>
#include <memory>

namespace hinesight::morphology {

inline constexpr Field kCentreField{
    .name = "centre", .label = "Soma at the origin", .help = "Move the cell so that its soma is at (0, 0, 0)."};
inline constexpr Field kTurnField{
    .name = "turn",
    .label = "Turn",
    .unit = "°",
    .range = from(-360, 360),
    .slider = {-180, 180},
    .help = "Turn the cell about its soma, by so much about x, y and z; about z first, then y, then x."};
inline constexpr Field kMoveField{.name = "move",
                                  .label = "Move",
                                  .unit = "µm",
                                  .range = from(-1e9, 1e9),
                                  .slider = {-1000, 1000},
                                  .help =
                                      "Move the cell by so much along x, y and z, after it was centred and turned."};

/// Where a cell lies, beside where its file says: it is centred, then turned about its soma, then moved.
struct CellPlace
{
  bool isCentred = false;       ///< its soma comes to the origin
  std::array<double, 3> turn{}; ///< degrees about x, y and z, about z first as in SONATA
  std::array<double, 3> move{}; ///< µm along x, y and z, after all else

  bool operator==(const CellPlace&) const = default;
};

template <typename Visitor>
void visitFields(CellPlace& p, Visitor&& visit)
{
  visit(kCentreField, p.isCentred);
  visit(kTurnField, p.turn);
  visit(kMoveField, p.move);
}

/// Changes the coordinates of a complete morphology, in µm. Throws Error(Cancelled).
void moveTo(const CellPlace& place, Morphology& cell, const RunControl& control = {});

/// The cell at that place; the given one where it lies there already. Throws Error(BadParameter) for a number that is
/// out of its range, Error(Cancelled).
std::shared_ptr<const Morphology> placed(const std::shared_ptr<const Morphology>& cell, const CellPlace& place,
                                         const RunControl& control = {});

} // namespace hinesight::morphology
