#pragma once

#include "app/cli/options.hpp"
#include "app/cli/session.hpp"
#include "core/stage_timings.hpp"
#include "hines/batch.hpp"
#include "study/cells/parameters.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hinesight::cli {

/// The files and parameters of the commands on batches.
struct BatchOptions
{
  std::vector<std::string> files;
  bool strict = false;
  study::CellParameters parameters = commandDefaults();

  /// Without random trees: they come by the number that is asked for.
  static study::CellParameters commandDefaults();
};

/// All but what solves the batch.
void addBatchOptions(Command& command, BatchOptions& options);

/// A batch that is read and discretized, with the time of each stage.
struct SourcedBatch
{
  std::string source; ///< file names, "random trees"
  std::shared_ptr<const hines::HinesBatch> batch;
  StageTimings timings;
};

/// Does what the options say, warnings about the files on stderr. Throws Error as the stages do.
SourcedBatch makeBatch(const BatchOptions& options, Session& session);

} // namespace hinesight::cli
