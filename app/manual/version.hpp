#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hinesight::manual {

/// "0.1.0".
std::string programVersion();

/// The day of the commit that the program was built from, such as "2026-11-26"; of a build outside of git, of the
/// configuration.
std::string commitDate();

/// What `--version` prints: the program and its version, then a line each for commit, compiler, CUDA and what `others`
/// are.
std::string versionText(const std::string& program,
                        const std::vector<std::pair<std::string, std::string>>& others = {});

} // namespace hinesight::manual
