#pragma once

namespace CLI {
class App;
}

namespace hinesight::manual {

/// A hidden option `--write-manual FOLDER`, for the build of the program: writes the man pages (man1) and what shells
/// complete by (completion/bash, zsh and fish) of all that has been added to the program, then throws CLI::Success.
void addManualOption(CLI::App& program);

} // namespace hinesight::manual
