#include "morphology/cell_place.hpp"

#include "morphology/morphometry.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace hinesight::morphology {

namespace {

/// Turns every sample in a plane, so that `a` goes to `b` by a quarter.
void turnInPlane(std::vector<double>& a, std::vector<double>& b, double degrees)
{
  if (degrees == 0)
    return;
  const double cosine = std::cos(degrees * std::numbers::pi / 180);
  const double sine = std::sin(degrees * std::numbers::pi / 180);
  for (std::size_t sample = 0; sample < a.size(); ++sample) {
    const double before = a[sample];
    a[sample] = cosine * before - sine * b[sample];
    b[sample] = sine * before + cosine * b[sample];
  }
}

} // namespace

void moveTo(const CellPlace& place, Morphology& cell, const RunControl& control)
{
  const std::array<std::vector<double>*, 3> axes = {&cell.x, &cell.y, &cell.z};
  const auto move = [&](const std::array<double, 3>& by, double sign) {
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
      for (double& value : *axes[axis])
        value += sign * by[axis];
  };
  const std::array<double, 3> soma = somaCentreOf(cell);
  move(soma, -1);
  turnInPlane(cell.x, cell.y, place.turn[2]);
  turnInPlane(cell.z, cell.x, place.turn[1]);
  turnInPlane(cell.y, cell.z, place.turn[0]);
  if (!place.isCentred)
    move(soma, 1);
  move(place.move, 1);
  completeMorphology(cell, control);
}

std::shared_ptr<const Morphology> placed(const std::shared_ptr<const Morphology>& cell, const CellPlace& place,
                                         const RunControl& control)
{
  CellPlace checked = place;
  validateAllFields(fieldsOf(checked));
  if (place == CellPlace())
    return cell;
  auto moved = std::make_shared<Morphology>(*cell);
  moveTo(place, *moved, control);
  return moved;
}

} // namespace hinesight::morphology
