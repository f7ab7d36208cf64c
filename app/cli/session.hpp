#pragma once

#include "core/error.hpp"
#include "core/run_control.hpp"
#include "synapse/ranks/tree_on_ranks.hpp"

#include <functional>
#include <memory>
#include <ostream>
#include <string>

namespace hinesight::cli {

class ProgressLine;

/// What a command works with: whether it prints JSON, and how it is watched and stopped.
class Session
{
public:
  /// `programName`: what messages begin with.
  explicit Session(std::string programName);
  ~Session();

  bool json = false;
  int ranks = 1; ///< of this process that share the command's work
  synapse::TreeOnRanks tree = synapse::TreeOnRanks::Auto;
  /// What the command line asks for; set by the command that was chosen. Returns the exit status.
  std::function<int()> command;

  /// Shows progress on stderr where that is a terminal; cancelled by SIGINT.
  const RunControl& control() const { return runControl; }

  /// stdout, cleared of progress.
  std::ostream& results();
  /// stderr, cleared of progress.
  std::ostream& messages();
  /// Prints a warning, a sentence, to stderr.
  void printWarning(const std::string& sentence);
  /// Prints an error to stderr, as the --json form {"error": {...}} where that is asked for.
  void printError(const Error& error);
  /// The same for what has no ErrorCode: wrong usage, a failure that should not happen.
  void printError(const char* code, const std::string& message);

private:
  const std::string program;
  std::shared_ptr<ProgressLine> progress;
  RunControl runControl;
};

} // namespace hinesight::cli
