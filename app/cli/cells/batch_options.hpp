#pragma once

#include "app/cli/options.hpp"
#include "app/cli/session.hpp"
#include "study/cells/cell_study.hpp"

#include <functional>
#include <string>
#include <vector>

namespace hinesight::cli {

/// The files and parameters of the commands on batches.
struct BatchOptions
{
  std::vector<std::string> files;
  study::FileParameters fileParameters;
  bool strict = false;
  study::CellParameters parameters = commandDefaults();

  /// Without random trees: they come by the number that is asked for.
  static study::CellParameters commandDefaults();
};

/// `--scale`.
void addFileParameters(Command& command, study::FileParameters& parameters);
/// All but what solves the batch.
void addBatchOptions(Command& command, BatchOptions& options);

/// Throws UsageError where there is nothing to solve and for files that are not taken, and as validateAllFields and
/// sourcesOf. Warns of options that change nothing.
study::CellRequest requestOf(const BatchOptions& options, Session& session);
/// For CellObserver::cellsRead: warnings about the files go to stderr, and one that cannot be read ends the study.
std::function<void(const std::vector<study::CellReading>&)> requireReadings(Session& session);

/// The batch that the options say. Throws as the two above, and as CellStudy::makeBatch.
study::SourcedBatch makeBatch(const BatchOptions& options, Session& session);

} // namespace hinesight::cli
