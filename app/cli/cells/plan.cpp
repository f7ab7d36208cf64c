#include "hines/branch/plan.hpp"
#include "app/cli/cells/batch_options.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/device.hpp"

#include <functional>
#include <memory>
#include <string>

namespace hinesight::cli {

namespace {

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

int runPlan(const BatchOptions& options, Session& session)
{
  const study::SourcedBatch sourced = makeBatch(options, session);
  const auto& parameters = options.parameters.solve.of<hines::PlanParameters>();
  const auto plan = hines::makePlan(sourced.batch, parameters, session.control());
  std::ostream& stream = session.results();
  if (session.json) {
    printJson(stream, toJson(*plan));
    return 0;
  }
  printBatch(stream, sourced.source, *sourced.batch);
  printField(stream, "plan", describePlan(parameters));
  stream << '\n';
  printFigures(stream, *plan);
  return 0;
}

} // namespace

void addPlanCommand(CLI::App& program, Session& session)
{
  auto options = std::make_shared<BatchOptions>();
  Command& command = addCommand(program, session, "plan", "Plan how a batch of cells is solved, and print its figures",
                                [options, &session] { return runPlan(*options, session); });
  addBatchOptions(command, *options);
  addFieldOptions(command, fieldsOf(options->parameters.solve.of<hines::PlanParameters>()), "Plan");
}

} // namespace hinesight::cli
