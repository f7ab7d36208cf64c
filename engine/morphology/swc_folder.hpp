#pragma once

#include "core/error.hpp"
#include "core/run_control.hpp"

#include <filesystem>
#include <vector>

namespace hinesight::morphology {

/// What a folder and the folders in it hold.
struct SwcFolder
{
  std::vector<std::filesystem::path> files; ///< by their names, those of a folder before those of the folders in it
  std::vector<Error> problems;              ///< folders in it that cannot be looked into
};

/// Finds the SWC files in a folder at any depth. What is hidden (a name that begins with a point) is passed over. Links
/// are followed; a folder that several lead to is searched once. Throws Error(FileUnreadable) where the folder itself
/// cannot be looked into, Error(Cancelled).
SwcFolder findSwcFiles(const std::filesystem::path& folder, const RunControl& control = {});

} // namespace hinesight::morphology
