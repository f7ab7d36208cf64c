#pragma once

#include "app/cells/cell_list_model.hpp"

#include <QString>
#include <QVariant>

#include <vector>

// What the columns of the list of cells say, by CellListModel::Column. What a cell that is not read has no figures of
// is empty.

namespace hinesight::app {

/// `role`: of Qt.
QVariant headerOf(int column, int role);
QVariant alignmentOf(int column);
QVariant textOf(const OpenCell& cell, int column);
/// Cells that are not read have the least of all numbers, and the most of all problems.
QVariant sortValueOf(const OpenCell& cell, int column);
/// These rows as CSV, lengths in µm, with columns that the list has no room for.
QString tableOf(const std::vector<OpenCell>& cells, const std::vector<int>& rows);

} // namespace hinesight::app
