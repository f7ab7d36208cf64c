#pragma once

#include "core/run_control.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::io::detail {

/// Positions from text, a neuron a line: x, y and, optional, z, apart by commas, semicolons, tabs or blanks. Lines that
/// begin with '#' and empty lines are passed over, and so is a first line that names the columns; where it names x, y
/// and z, those columns are taken, else the first two or three; z is 0 where there is none. Throws Error(BadFormat)
/// with `file` and line for anything else that is no finite number, and for the rows of an SWC file.
std::array<std::vector<double>, 3> parseBarePositions(std::string_view text, const std::string& file,
                                                      const RunControl& control);

/// Throws Error(BadFormat) that says that an SWC file holds no positions of neurons.
[[noreturn]] void refuseSwc(const std::string& file);

} // namespace hinesight::io::detail
