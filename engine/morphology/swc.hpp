#pragma once

#include "core/run_control.hpp"
#include "morphology/morphology.hpp"

#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

namespace hinesight::morphology {

struct SwcOptions
{
  /// Refuse what is otherwise repaired with a warning: a missing parent, an incomplete last line.
  bool strict = false;
};

/// Reads an SWC file, whose unit is taken for µm (inMicrometres changes that). Accepts every dialect of docs/swc.md;
/// what it repaired is in the result's warnings, grouped, each with the first line concerned. Throws
/// Error(FileNotFound, FileUnreadable), or Error(BadFormat) with file and line; up to 20 bad rows are named in one
/// message.
std::shared_ptr<const Morphology> readSwc(const std::filesystem::path& path, const SwcOptions& options = {},
                                          const RunControl& control = {});

/// The same for the text of a file. `path` is only for messages and the result's name.
std::shared_ptr<const Morphology> parseSwc(std::string_view text, const std::string& path,
                                           const SwcOptions& options = {}, const RunControl& control = {});

/// Writes comments and samples in file order, numbers in the shortest form that reads back to the same bits: reading
/// what was written gives the same ids, types, coordinates, radii, parents and comments. Lengths are in µm: the file
/// that is written has the unit scale 1.
void writeSwc(const Morphology& morphology, std::ostream& stream);

/// The same to a file, atomically. Throws Error(WriteFailed).
void writeSwc(const Morphology& morphology, const std::filesystem::path& path);

} // namespace hinesight::morphology
