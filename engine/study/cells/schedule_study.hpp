#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "hines/batch.hpp"
#include "hines/choice/cost_model.hpp"
#include "hines/schedule.hpp"
#include "hines/solver.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::study {

/// How a solver would solve a batch on a device, without solving it.
struct PlannedSchedule
{
  hines::SolveParameters parameters;               ///< that name the solver and its backend
  std::shared_ptr<const hines::Schedule> schedule; ///< null where it cannot be made
  std::optional<hines::Prediction> predicted;      ///< nullopt: such a solve has no costs there
  std::string device;                              ///< that it was planned for, such as "NVIDIA H200"
  bool deviceIsHere = true;
  std::string problem; ///< why there is no schedule, one sentence; empty where there is one
};

/// Solves nothing, so CUDA needs no device: planningDevice(parameters.gpu) is planned for. The time comes from
/// the costs that `auto` goes by (currentCosts), which are not measured for it. Where a plan depends on its device (the
/// threshold of edd) and that is here, what a solve would measure first is measured. In place of `auto` stands what it
/// chooses. `known`: a schedule of the batch, taken where the solver would make the same; may be null. Throws
/// Error(Cancelled), std::bad_alloc; other errors become `problem`.
PlannedSchedule planSchedule(const std::shared_ptr<const hines::HinesBatch>& batch, hines::SolveParameters parameters,
                             const RunControl& control = {}, std::shared_ptr<const hines::Schedule> known = nullptr);

/// "Fine, CUDA", or "Fine on CUDA".
std::string scheduleTitle(hines::SolverId solver, Backend backend, std::string_view between = ", ");

/// A solver and a backend whose schedule can be looked at.
struct ScheduleOption
{
  hines::SolverId solver;
  Backend backend = Backend::Cpu;
  std::string title; ///< such as "Fine, CUDA"
  std::string help;  ///< one line: what the solver does
};

/// Every solver on every backend that it runs on, in the order of allSolvers: not `auto`, which is one of the others,
/// and not peers, whose schedules are not known.
std::vector<ScheduleOption> scheduleOptions();

} // namespace hinesight::study
