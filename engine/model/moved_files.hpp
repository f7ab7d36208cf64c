#pragma once

#include "core/run_control.hpp"
#include "model/project.hpp"

#include <filesystem>
#include <string>
#include <vector>

// Files that a session names and that are elsewhere now: it came from another machine, or a folder has another name.

namespace hinesight::model {

/// Files that the project needs and that are not there, each once, in the order of the project.
std::vector<std::string> missingFiles(const Project& project);

/// Where to look for them.
enum class Search
{
  Folder,     ///< in a folder itself
  FoldersToo, ///< in the folders in it, too
};

struct MovedFile
{
  std::string before, now;

  bool operator==(const MovedFile&) const = default;
};

/// Those of the missing files of which the folder holds one of the same name; where the project knows the content, of
/// the same content. Of several the one whose path ends most like that of the missing one, then the first by name.
/// Folders that may not be looked into are passed over. Throws Error(Cancelled).
std::vector<MovedFile> findMovedFiles(const Project& project, const std::filesystem::path& folder, Search search,
                                      const RunControl& control = {});

/// The project names them where they are now.
void moveFiles(Project& project, const std::vector<MovedFile>& moved);

/// Of the cells whose files have another content than the project knows: "a.swc is another file than the session was
/// made with." Where the times of both are known and differ, they are said. Files that cannot be read are passed over.
std::vector<std::string> changedCells(const Project& project, const RunControl& control = {});

} // namespace hinesight::model
