#pragma once

#include "cable/cell_builder.hpp"

#include "cable/discretization.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace hinesight::cable {

using Cell = std::shared_ptr<const morphology::Morphology>;

inline std::shared_ptr<const Discretization> cut(const Cell& cell, const DiscretizationParameters& parameters = {},
                                                 const RunControl& control = {})
{
  return discretize(cell, std::make_shared<const morphology::BranchTree>(morphology::findBranches(*cell)), parameters,
                    control);
}

inline DiscretizationParameters fixedNumber(std::int32_t compartments)
{
  DiscretizationParameters parameters;
  parameters.policy = DiscretizationPolicy::FixedNumber;
  parameters.compartmentsPerBranch = compartments;
  return parameters;
}

inline bool closeTo(double actual, double expected, double relative)
{
  return std::abs(actual - expected) <= relative * std::abs(expected);
}

/// Couplings, diagonal and right-hand side follow from areas and conductances; the matrix is diagonally dominant,
/// strictly where there is membrane.
inline bool isConsistent(const Discretization& cells)
{
  const HinesSystem& system = *cells.system;
  const std::size_t n = cells.compartments();
  validate(system);
  const DiscretizationParameters& p = cells.parameters;
  std::vector<double> neighbours(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    if (system.parent[i] != cells.parent[i] || system.parent[i] >= static_cast<std::int32_t>(i))
      return false;
    if (cells.parent[i] < 0) {
      if (system.u[i] != 0)
        return false;
      continue;
    }
    if (!(system.u[i] < 0) || system.u[i] != -cells.axialConductance[i])
      return false;
    neighbours[i] -= system.u[i];
    neighbours[static_cast<std::size_t>(cells.parent[i])] -= system.u[i];
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double membrane = cells.area[i] * (1e-5 * p.membraneCapacitance / p.timeStep + 1e-2 * p.leakConductance);
    const double current = cells.parent[i] < 0 ? p.somaCurrent : 0;
    if (!(system.d[i] > 0) || !closeTo(system.d[i], membrane + neighbours[i], 1e-13))
      return false;
    if (std::abs(system.b[i] - (membrane * p.leakReversal + current)) > 1e-12 * (membrane + std::abs(current)) * 100)
      return false;
    if (system.d[i] < neighbours[i] * (1 - 1e-13))
      return false;
    if (cells.area[i] == 0 && (cells.parent[i] >= 0 || cells.length[i] != 0))
      return false;
  }
  return static_cast<std::size_t>(cells.morphology->samples()) == cells.ofSample.size() &&
         std::all_of(cells.ofSample.begin(), cells.ofSample.end(),
                     [&](std::int32_t c) { return c >= 0 && c < static_cast<std::int32_t>(n); });
}

/// A straight cable along x whose root is at x = 0.
inline Cell straightCable(double length, double rootRadius, double tipRadius)
{
  CellBuilder cell;
  cell.dendrite(length, 0, tipRadius, cell.dendrite(0, 0, rootRadius, -1));
  return cell.morphology();
}

} // namespace hinesight::cable
