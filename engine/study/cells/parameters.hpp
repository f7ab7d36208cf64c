#pragma once

#include "cable/discretization.hpp"
#include "cable/random_tree.hpp"
#include "core/fields.hpp"
#include "hines/solver.hpp"
#include "morphology/unit_scale.hpp"

#include <cstdint>
#include <vector>

namespace hinesight::study {

/// Where the cells of a batch come from.
enum class BatchSource
{
  OpenCells,
  RandomTrees,
  Both
};

inline constexpr Choice kBatchSources[] = {
    {"open-cells", "Open cells", "The cells of the files."},
    {"random-trees", "Random trees", "Synthetic trees, from a seed."},
    {"both", "Both", "The cells of the files, then the random trees."},
};
inline std::span<const Choice> tableOf(BatchSource)
{
  return kBatchSources;
}

/// What a batch is made of.
struct BatchParameters
{
  BatchSource source = BatchSource::OpenCells;
  std::int32_t copies = 1;                ///< of every cell and random tree
  std::int64_t cells = -1;                ///< of the whole batch, the cells taken in turn; -1: `copies` of each
  std::int32_t distinctTrees = 4;         ///< random trees: shapes that differ
  cable::RandomTreeParameters randomTree; ///< its seed is that of the copies' right-hand sides too

  bool operator==(const BatchParameters&) const = default;
};

template <typename Visitor>
void visitFields(BatchParameters& p, Visitor&& visit)
{
  const bool trees = p.source != BatchSource::OpenCells;
  visit(Field{.name = "source",
              .label = "Cells",
              .help = "What is solved: the open cells, or random trees.",
              .detail = "Random trees are made level by level as in Huber 2018, section 7. They show how a "
                        "solver behaves on trees of a given shape; they have no morphology.",
              .section = {"Batch", "How many systems are solved at once."}},
        p.source);
  visit(Field{.name = "copies",
              .label = "Copies",
              .range = from(1, 1'000'000),
              .slider = {1, 100'000, true},
              .help = "Copies of every cell.",
              .detail = "Every copy has a right-hand side of its own, so no two have the same solution. A GPU needs "
                        "hundreds of cells before it is busy."}
            .when(p.cells < 0),
        p.copies);
  visit(Field{.name = "cells",
              .label = "Number of cells",
              .range = from(1, kBoundless),
              .slider = {1, 1'000'000, true},
              .special = {-1, "by copies"},
              .help = "Cells of the batch: the files' and the random trees, taken in turn."},
        p.cells);
  visit(Field{.name = "random-trees",
              .label = "Distinct trees",
              .range = from(0, 1'000'000),
              .slider = {1, 64},
              .help = "Random trees of different shape.",
              .detail = "Each is drawn with a number of its own. Together with the copies they make the batch. "
                        "A command makes none unless this option is given."}
            .when(trees),
        p.distinctTrees);
  visit(FieldGroup{"tree", "Random trees", "tree-", "Synthetic trees."}.when(trees), p.randomTree);
  visit(Field{.name = "seed",
              .label = "Seed",
              .range = from(0, 18446744073709551615.0),
              .slider = {0, 100},
              .help = "Seed of the random trees and of the copies' right-hand sides.",
              .detail = "The same seed gives the same trees on every machine."},
        p.randomTree.seed);
}

/// How the files of cells are read, as commands and records have it.
struct FileParameters
{
  std::vector<double> scale = {morphology::kMicrometres.scale}; ///< one for all files, or one for each

  bool operator==(const FileParameters&) const = default;
};

template <typename Visitor>
void visitFields(FileParameters& p, Visitor&& visit)
{
  visit(Field{.name = "scale",
              .label = "Unit",
              .unit = "µm per unit",
              .range = morphology::kUnitScaleRange,
              .help = "What the files' unit of length is: one number for all files, or one for each.",
              .detail =
                  "1 is micrometres, 0.001 nanometres, 0.008 voxels of 8 nm. Coordinates and radii are multiplied "
                  "by it.",
              .item = "a scale"},
        p.scale);
}

/// Everything that a solve of cells depends on, the files apart, in the order of the pipeline.
struct CellParameters
{
  cable::DiscretizationParameters discretization;
  BatchParameters batch;
  hines::SolveParameters solve; ///< with the settings of all solvers: the plan of branches and others

  bool operator==(const CellParameters&) const = default;
};

template <typename Visitor>
void visitFields(CellParameters& p, Visitor&& visit)
{
  visit(FieldGroup{"discretization", "Discretization", "", "How cells become compartments, and their membrane."},
        p.discretization);
  visit(FieldGroup{"batch", "Batch", "", "How many systems are solved at once."}, p.batch);
  visit(FieldGroup{"solve", "Solver", "", "What solves the batch, and where."}, p.solve);
}

/// Throws as validateFields, and as validate of the solver's parameters.
void validate(const CellParameters& parameters);

} // namespace hinesight::study
