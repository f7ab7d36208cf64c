#pragma once

#include "app/cells/open_cell.hpp"
#include "core/error.hpp"
#include "morphology/cell_place.hpp"
#include "morphology/morphometry.hpp"

#include <QString>

#include <cstddef>

// What is said of cells, in words.

namespace hinesight::app {

/// "3,783".
QString countInWords(std::size_t value);
/// What is wrong, with its line in the file, one thing a line; without the path, which stands beside it.
QString describeError(const Error& error);
/// Of the file of a cell, one a line.
QString warningsOf(const OpenCell& cell);
/// What the neurites come to, as Measure counts them: a soma of several samples has no branches and tips, and is no
/// bifurcation.
morphology::TypeMeasures neuritesOf(const OpenCell& cell);
/// "nm", "0.02 µm".
QString unitInWords(double scale);
/// µm per unit of the file that its warnings suggest; 0 where none does, or the cell is yet to be scaled.
double suggestedScale(const OpenCell& cell);
/// "soma at the origin, turned by (0, 0, 90)°, moved by (100, 0, 0) µm"; empty: it lies where its file says.
QString placeInWords(const morphology::CellPlace& place);
/// "axon 62 %, apical dendrite 38 %", by length, the longest first; empty where nothing has a length.
QString typesInWords(const OpenCell& cell);
/// "layer 5, pyramidal".
QString tagsInWords(const OpenCell& cell);
/// The error, else that it is not drawn, else that its file was written anew, else the first warning and how many more
/// there are; empty: none.
QString problemInWords(const OpenCell& cell);
/// "3,783 samples, 122 branches, 3,782 comp."; of a hidden cell, that it is solved all the same; "not read yet" before
/// the file was read, and what is wrong with it where it cannot be read.
QString summarize(const OpenCell& cell);
/// Where a cell comes from and what is not obvious of it, for a tooltip.
QString describeBriefly(const OpenCell& cell);
// Where links of the details lead.
inline const QString kLineLink = QStringLiteral("line:"); ///< a line of the file, whose number follows
inline const QString kRepairLink = QStringLiteral("repair");
inline const QString kReadAgainLink = QStringLiteral("read-again");

/// All metrics of a cell and the warnings of its file with their lines, as HTML, under its name, or under a shorter
/// one. Links lead to the lines, to the repair of the cell, and to reading its file again.
QString describeInDetail(const OpenCell& cell, const QString& shortName = {});

} // namespace hinesight::app
