#pragma once

#include "app/cli/report.hpp"
#include "morphology/branches.hpp"
#include "morphology/morphology.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace hinesight::cli {

/// What a file holds and what was odd about it.
struct CellInfo
{
  std::string file; ///< as named on the command line
  double scale = 1; ///< µm per unit of the file
  morphology::MorphologyMetrics metrics;
  std::vector<morphology::Warning> warnings;
};

CellInfo describeCell(const std::string& file, const morphology::Morphology& morphology);

/// A JSON array of cells, or a table of one row a cell and then the warnings.
void printCells(std::ostream& stream, const std::vector<CellInfo>& cells, bool json);

} // namespace hinesight::cli
