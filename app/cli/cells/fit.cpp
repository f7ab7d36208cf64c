#include "app/cli/cells/fit.hpp"

#include "app/cli/cells/solver_choice.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/device.hpp"
#include "hines/choice/cost_cache.hpp"

#include <memory>
#include <string>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

struct FitOptions
{
  Backend backend = Backend::Cpu;
  hines::Precision precision = hines::Precision::Double;
};

Json toJson(const hines::CostModel& model)
{
  Json costs = Json::object();
  for (const hines::SolverCost& cost : model.costs) {
    Json terms = Json::object();
    for (std::size_t term = 0; term < hines::kCostTerms; ++term)
      terms[std::string(hines::costTermName(static_cast<hines::CostTerm>(term)))] = cost.nanoseconds[term];
    costs[std::string(hines::solverName(cost.solver))] = std::move(terms);
  }
  return {{"backend", backendName(model.backend)},
          {"precision", hines::precisionName(model.precision)},
          {"device", model.device},
          {"cacheBytes", model.cacheBytes},
          {"nanoseconds", std::move(costs)}};
}

void printText(std::ostream& stream, const hines::CostModel& model)
{
  printField(stream, "device", model.device);
  stream << "\nns of each, " << hines::precisionName(model.precision) << " precision\n";
  Table table;
  std::vector<std::string> header = {"solver"};
  for (std::size_t term = 0; term < hines::kCostTerms; ++term)
    header.emplace_back(hines::costTermName(static_cast<hines::CostTerm>(term)));
  table.add(std::move(header));
  for (const hines::SolverCost& cost : model.costs) {
    std::vector<std::string> row = {std::string(hines::solverName(cost.solver))};
    for (const double nanoseconds : cost.nanoseconds)
      row.push_back(formatNumber(nanoseconds, 3));
    table.add(std::move(row));
  }
  table.print(stream);
}

/// Says where measured costs could not be kept.
void warn(const std::string& unsaved, Session& session)
{
  if (!unsaved.empty())
    session.printWarning(unsaved);
}

int runFit(const FitOptions& options, Session& session)
{
  warn(hines::fitCurrentCosts(options.backend, options.precision, session.control()), session);
  const hines::CostModel model = hines::currentCosts(options.backend, options.precision);
  if (session.json)
    printJson(session.results(), toJson(model));
  else
    printText(session.results(), model);
  return 0;
}

} // namespace

void fitCostsIfNeeded(const hines::SolveParameters& parameters, Session& session)
{
  warn(hines::fitCostsForAuto(parameters, session.control()), session);
}

void addFitCommand(Command& program, Session& session)
{
  auto options = std::make_shared<FitOptions>();
  Command& command = addCommand(
      program, session, "fit",
      "Measure again what the solvers cost on a device. The auto solver chooses by these costs. Takes a second or two",
      [options, &session] { return runFit(*options, session); });
  addChoice(command, "--backend", options->backend, kBackends, backendName, "Whose solvers are measured");
  addChoice(command, "--precision", options->precision, kPrecisions, hines::precisionName, "Of the numbers");
}

} // namespace hinesight::cli
