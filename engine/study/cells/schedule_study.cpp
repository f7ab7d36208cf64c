#include "study/cells/schedule_study.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "hines/choice/cost_cache.hpp"
#include "hines/prepared_solver.hpp"
#include "hines/solvers/definition.hpp"

#include <utility>

namespace hinesight::study {

namespace {

/// Which device the schedule is for.
void nameDevice(PlannedSchedule& planned)
{
  if (planned.parameters.backend == Backend::Cpu) {
    planned.device = processorName();
    return;
  }
  planned.device = planningDevice(planned.parameters.gpu).name;
  planned.deviceIsHere = isDeviceHere(planned.parameters.gpu);
}

void plan(PlannedSchedule& planned, const std::shared_ptr<const hines::HinesBatch>& batch,
          std::shared_ptr<const hines::Schedule> known, const RunControl& control)
{
  StageTimings ignored;
  planned.parameters = hines::resolve(*batch, planned.parameters, ignored, control).parameters;
  const hines::SolveParameters& parameters = planned.parameters;
  if (known && hines::definitionOf(parameters.solver).wouldPlan(*known, parameters))
    planned.schedule = std::move(known);
  else
    planned.schedule = hines::makeSchedule(batch, parameters, ignored, control);
  const hines::CostModel costs = hines::currentCosts(parameters.backend, parameters.precision, parameters.gpu);
  planned.predicted = hines::predict(hines::profileOf(*batch, control), parameters, costs, planned.schedule.get());
}

} // namespace

PlannedSchedule planSchedule(const std::shared_ptr<const hines::HinesBatch>& batch, hines::SolveParameters parameters,
                             const RunControl& control, std::shared_ptr<const hines::Schedule> known)
{
  PlannedSchedule planned;
  planned.parameters = std::move(parameters);
  nameDevice(planned);
  control.checkpoint();
  try {
    plan(planned, batch, std::move(known), control);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::Cancelled)
      throw;
    planned.problem = error.what();
  }
  return planned;
}

std::string scheduleTitle(hines::SolverId solver, Backend backend, std::string_view between)
{
  std::string title(hines::traitsOf(solver).title);
  title += between;
  title += tableOf(backend)[static_cast<std::size_t>(backend)].label;
  return title;
}

std::vector<ScheduleOption> scheduleOptions()
{
  std::vector<ScheduleOption> options;
  for (const hines::SolverDefinition* solver : hines::allSolvers()) {
    const hines::SolverTraits& traits = solver->traits;
    if (traits.isChoice || traits.isPeer)
      continue;
    for (const Backend backend : {Backend::Cpu, Backend::Cuda})
      if (hines::runsOn(traits.id, backend))
        options.push_back({traits.id, backend, scheduleTitle(traits.id, backend), std::string(traits.summary)});
  }
  return options;
}

} // namespace hinesight::study
