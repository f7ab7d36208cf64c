#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "hines/batch.hpp"
#include "hines/prepared_solver.hpp"
#include "hines/schedule.hpp"
#include "hines/solver.hpp"

#include <cstddef>
#include <memory>

// Several GPUs of one machine that share the cells of a batch. Cells do not wait for one another: nothing is sent
// between the devices.

namespace hinesight::hines {

/// What each of several devices took of a solve, and how long it waited for the others; nothing of one. `timings` have
/// those devices.
void addDevices(const SolveTimes& took, StageTimings& timings);

/// The GPUs that SolveParameters::devices means for a batch: 1 where the batch is so small that a second one only
/// costs, and on the CPU. Throws Error(BadParameter) where this machine has fewer than are asked for.
std::size_t devicesFor(const HinesBatch& batch, const SolveParameters& parameters);

/// As prepare, of `devices` > 1 GPUs, each with a thread and a share of the cells of its own (shareCells). All begin a
/// solve together, and its time is from there to the end of the last one; `timings` get what each took. A cell's
/// solution has the same bytes as on one GPU (as prepareInSlabs has it). On the CPU backend the shares are solved side
/// by side: for tests. `whole`: of the whole batch. Throws as prepare: what the first of the devices throws, and then
/// all have ended.
std::unique_ptr<PreparedSolver> prepareOnDevices(const Schedule& whole, const SolveParameters& parameters,
                                                 std::size_t devices, StageTimings& timings,
                                                 const RunControl& control = {});

} // namespace hinesight::hines
