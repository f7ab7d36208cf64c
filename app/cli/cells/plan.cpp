#include "hines/branch/plan.hpp"

#include "app/cli/cells/batch_options.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/gpu_option.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/device.hpp"
#include "study/cells/schedule_study.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

struct PlanOptions
{
  BatchOptions batch;
  std::optional<Gpu> gpu; ///< whose times are predicted
};

/// What each CUDA solver would do of the batch; not those that cannot.
std::vector<study::PlannedSchedule> planEach(const study::SourcedBatch& sourced, hines::SolveParameters parameters,
                                             Gpu gpu, Session& session)
{
  std::vector<study::PlannedSchedule> all;
  parameters.backend = Backend::Cuda;
  parameters.gpu = gpu;
  for (const study::ScheduleOption& option : study::scheduleOptions()) {
    parameters.solver = option.solver;
    if (option.backend != Backend::Cuda)
      continue;
    study::PlannedSchedule planned = study::planSchedule(sourced.batch, parameters, session.control());
    if (planned.schedule && planned.predicted)
      all.push_back(std::move(planned));
  }
  return all;
}

Json toJson(const std::vector<study::PlannedSchedule>& all)
{
  Json array = Json::array();
  for (const study::PlannedSchedule& planned : all)
    array.push_back({{"solver", hines::solverName(planned.parameters.solver)},
                     {"unit", planned.schedule->unitName()},
                     {"units", planned.schedule->unitCount()},
                     {"milliseconds", jsonNumber(planned.predicted->milliseconds)},
                     {"checked", planned.predicted->checked}});
  return array;
}

void printPredictions(std::ostream& stream, const std::vector<study::PlannedSchedule>& all)
{
  Table table;
  table.add({"CUDA solver", "schedule", "predicted"});
  for (const study::PlannedSchedule& planned : all)
    table.add({std::string(hines::solverName(planned.parameters.solver)),
               formatCount(static_cast<std::int64_t>(planned.schedule->unitCount())) + " x " +
                   std::string(planned.schedule->unitName()),
               formatMilliseconds(planned.predicted->milliseconds) + (planned.predicted->checked ? "" : " *")});
  table.print(stream);
}

Json toJson(const hines::SolvePlan& plan)
{
  const hines::ScheduleFigures& figures = plan.figures;
  return {{"cells", plan.batch->cells()},
          {"compartments", plan.batch->compartments()},
          {"levels", figures.rounds},
          {"barriers", figures.barriers},
          {"criticalPath", figures.criticalPath},
          {"occupancy", jsonNumber(figures.occupancy)},
          {"paddingBytes", figures.paddingBytes},
          {"blocks", figures.units}};
}

std::string describePlan(const hines::PlanParameters& parameters)
{
  return "balance " + std::string(hines::balanceName(parameters.balance)) + ", split " +
         hines::describeSplit(parameters) + ", pack " + std::string(hines::packName(parameters.pack)) + ", " +
         std::to_string(parameters.blockSize) + " threads a block";
}

/// The figures beside those without split, and without balance and split.
void printFigures(std::ostream& stream, const hines::SolvePlan& plan)
{
  using Figures = hines::ScheduleFigures;
  Table table;
  const auto add = [&](const char* label, const std::function<std::string(const Figures&)>& show) {
    table.add({label, show(plan.figuresAsRead), show(plan.figuresUncut), show(plan.figures)});
  };
  const auto count = [](auto value) { return formatCount(static_cast<std::int64_t>(value)); };
  table.add({"", "as read", "re-rooted, not split", "planned"});
  add("levels", [&](const Figures& f) { return count(f.rounds); });
  add("barriers", [&](const Figures& f) { return count(f.barriers); });
  add("steps, longest block", [&](const Figures& f) { return count(f.criticalPath); });
  add("occupancy", [&](const Figures& f) { return formatPercent(f.occupancy); });
  add("padding", [&](const Figures& f) { return formatBytes(f.paddingBytes); });
  add("moved by a solve", [&](const Figures& f) { return formatBytes(f.bytesMoved); });
  add("blocks", [&](const Figures& f) { return count(f.units); });
  table.print(stream);
}

int runPlan(const PlanOptions& options, Session& session)
{
  const study::SourcedBatch sourced = makeBatch(options.batch, session);
  const hines::SolveParameters& solve = options.batch.parameters.solve;
  const auto& parameters = solve.of<hines::PlanParameters>();
  const auto plan = hines::makePlan(sourced.batch, parameters, session.control());
  std::ostream& stream = session.results();
  if (session.json) {
    Json json = toJson(*plan);
    if (options.gpu)
      json.update({{"gpu", knownDevice(*options.gpu).model.name},
                   {"predictions", toJson(planEach(sourced, solve, *options.gpu, session))}});
    printJson(stream, json);
    return 0;
  }
  printBatch(stream, sourced.source, *sourced.batch);
  printField(stream, "plan", describePlan(parameters));
  stream << '\n';
  printFigures(stream, *plan);
  if (options.gpu) {
    stream << '\n';
    printField(stream, "planned for", knownDevice(*options.gpu).model.name);
    printPredictions(stream, planEach(sourced, solve, *options.gpu, session));
    stream << "* not checked against a solve on such a GPU\n";
  }
  return 0;
}

} // namespace

void addPlanCommand(Command& program, Session& session)
{
  auto options = std::make_shared<PlanOptions>();
  Command& command = addCommand(program, session, "plan", "Plan how a batch of cells is solved, and print its figures",
                                [options, &session] { return runPlan(*options, session); });
  addBatchOptions(command, options->batch);
  addFieldOptions(command, fieldsOf(options->batch.parameters.solve.of<hines::PlanParameters>()), "Plan");
  addGpuOption(
      command, "--gpu", [options](Gpu gpu) { options->gpu = gpu; },
      "Print also what each CUDA solver is predicted to take on that GPU, here or not")
      .group("Plan");
}

} // namespace hinesight::cli
