#pragma once

#include "app/cli/session.hpp"
#include "cable/discretization.hpp"
#include "cable/random_tree.hpp"
#include "core/stage_timings.hpp"
#include "hines/batch.hpp"
#include "hines/branch/plan.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace hinesight::cli {

/// What the batch is made of, and how it is planned: the options that all commands on batches have.
struct BatchOptions
{
  std::vector<std::string> files;
  bool strict = false;
  std::int64_t cells = 0;  ///< of the whole batch, round robin
  bool cellsGiven = false; ///< else one of each
  cable::DiscretizationParameters discretization;
  std::int64_t randomTrees = 0; ///< distinct ones, behind the files
  cable::RandomTreeParameters tree;
  std::uint64_t seed = 1; ///< of trees and right-hand sides
  hines::PlanParameters plan;
};

void addBatchOptions(CLI::App& command, BatchOptions& options);

/// A batch that is read, discretized and planned, with the time of each stage.
struct PlannedBatch
{
  std::string source; ///< file names, "random trees"
  std::shared_ptr<const hines::SolvePlan> plan;
  StageTimings timings;
};

/// Does what the options say, warnings about the files on stderr. Throws Error as the stages do.
PlannedBatch planBatch(const BatchOptions& options, Session& session);

} // namespace hinesight::cli
