#pragma once

#include "io/runs/run_record.hpp"
#include "model/project.hpp"
#include "model/session_view.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A session is a project in a file, FILE.hinesight: JSON whose parts are objects of the fields by name
// (docs/session.md). What a session leaves out has its default. To read one looks for the files that it names, runs
// nothing and writes nothing. Runs stand behind all else, a line each: no study depends on them.

namespace hinesight::model {

inline constexpr std::string_view kSessionEnding = ".hinesight";
/// Runs that a session keeps, the newest of all.
inline constexpr std::size_t kMostRuns = 1000;

struct ReadSession
{
  Project project; ///< its files as seen from the working directory
  SessionView view;
  std::vector<std::string> warnings; ///< sentences: names that this version does not know, files that were moved
  std::vector<std::string> missing;  ///< files that are not there, also not beside the session
  io::SharedRuns runs;               ///< that were made with it; their files as those of the project
};

/// What is read of a session.
enum class Extent
{
  Whole,
  WithoutRuns ///< of a file that the program wrote, without looking at them
};

/// Whether a file is a session, of whatever format: a JSON object that says so, or a name that does. Throws as
/// readFile.
bool isSession(const std::filesystem::path& path);

/// A file that is not where the session says is taken from beside the session, where one of its name is there.
/// Throws as readFile, Error(BadFormat) with the line of a syntax error or the part whose value is none. What is read
/// is not validated. A run that cannot be read is left out, with a warning.
ReadSession readSession(const std::filesystem::path& path, Extent extent = Extent::Whole);
/// The same of a text, whose files are named as seen from `folder` and not looked for. `path`: what errors name.
ReadSession parseSession(const std::string& text, const std::filesystem::path& folder, const std::string& path);

/// A session without its runs, made of the beginning of its text as the program writes it; none where no runs begin
/// there.
std::optional<std::string> textBeforeRuns(std::string_view text);

/// Every field that applies or is not at its default, files as seen from the session's folder; of the runs the newest,
/// up to kMostRuns and 4 MB. Atomic. Throws Error(WriteFailed).
void writeSession(const Project& project, const std::filesystem::path& path, const SessionView& view = {},
                  const io::SharedRuns& runs = {});
std::string sessionText(const Project& project, const std::filesystem::path& folder, const SessionView& view = {},
                        const io::SharedRuns& runs = {});
/// The same without runs and with the whole paths of files: it opens from any folder.
std::string sessionTextForAnyFolder(const Project& project, const SessionView& view = {});

/// Sets one field: "connections.EE.sigma=4", "populations.E.count=1000", "cells.a.scale=0.001", "solve.copies=100",
/// "compute.backend=cuda". Throws Error(BadParameter) where there is no such part, field or value.
void setByPath(Project& project, std::string_view assignment);

/// Whether a name is that of one of the cells that come with the window: it is no file, and kept as it is.
bool isSample(std::string_view file);

/// A number made of a file's bytes (FNV-1a, Fowler, Noll and Vo 1991, 64 bits), 16 hexadecimal digits: tells whether a
/// file is the one that was there, not whether somebody meant it to look so. Throws as readFile.
std::string contentHash(const std::filesystem::path& path);

} // namespace hinesight::model
