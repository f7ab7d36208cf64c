#pragma once

#include "study/cells/cell_measures.hpp"

#include <QString>

#include <cstdint>
#include <vector>

namespace hinesight::app {

/// What is measured of a cell, and what it is called on the screen.
struct MeasuredCell
{
  QString name;
  study::CellMeasures measures;
};

using MeasuredCells = std::vector<MeasuredCell>;

/// Per measured cell, branches by their places in its measures, ascending.
using BranchesOfCells = std::vector<std::vector<std::int32_t>>;

} // namespace hinesight::app
