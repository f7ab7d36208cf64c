#include "hines/check/verify.hpp"
#include "app/cli/cells/solver_choice.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "hines/check/rallpack.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

struct VerifyOptions
{
  Backend backend = Backend::Cpu;
  bool simulatesCable = false;
  hines::SolverId cableSolver; ///< of the cable
};

Json toJson(const hines::VerifyCase& c, Backend backend)
{
  return {{"shape", c.shape},
          {"cells", c.cells},
          {"compartments", c.compartments},
          {"solver", hines::solverName(c.solver)},
          {"backend", backendName(backend)},
          {"plans", c.plans},
          {"maxRelativeDifference", jsonNumber(c.accuracy.maxRelativeDifference)},
          {"relativeResidual", jsonNumber(c.accuracy.relativeResidual)},
          {"repeatable", c.repeatable},
          {"asOnCpu", c.asOnCpu},
          {"passed", c.passed}};
}

Json toJson(const std::vector<hines::VerifyCase>& cases, Backend backend)
{
  Json array = Json::array();
  for (const hines::VerifyCase& c : cases)
    array.push_back(toJson(c, backend));
  const bool passed = std::all_of(cases.begin(), cases.end(), [](const hines::VerifyCase& c) { return c.passed; });
  return {{"passed", passed}, {"cases", std::move(array)}};
}

void printText(std::ostream& stream, const std::vector<hines::VerifyCase>& cases, Backend backend)
{
  const auto count = [](std::size_t value) { return formatCount(static_cast<std::int64_t>(value)); };
  Table table;
  table.add({"shape", "cells", "compartments", "solver", "backend", "plans", "difference", "residual", "same bytes",
             "as on CPU", ""});
  for (const hines::VerifyCase& c : cases)
    table.add({c.shape, count(c.cells), count(c.compartments), std::string(hines::solverName(c.solver)),
               std::string(backendName(backend)), count(c.plans), formatNumber(c.accuracy.maxRelativeDifference, 2),
               formatNumber(c.accuracy.relativeResidual, 2), c.repeatable ? "yes" : "no", c.asOnCpu ? "yes" : "no",
               c.passed ? "passed" : "FAILED"});
  table.print(stream);
}

// What a simulated cable may differ from its analytic solution (arbor-sim/nsuite, validation/rallpack1) and, in single
// precision with row sums, from double precision.
constexpr double kMostAnalyticError = 1e-3;
constexpr double kMostDifference = 1e-4; // mV

/// Whether the form is one that is to be trusted; the others are there for comparison.
bool isJudged(hines::RallpackForm form)
{
  return form == hines::RallpackForm::Double || form == hines::RallpackForm::SingleExcessChange;
}

bool passes(const hines::RallpackRun& run)
{
  return !isJudged(run.form) || (run.analyticError < kMostAnalyticError && run.differenceFromDouble < kMostDifference);
}

void printText(std::ostream& stream, const std::vector<hines::RallpackRun>& runs)
{
  Table table;
  table.add({"form", "from double, mV", "from analytic", "near end, mV", "far end, mV", ""});
  for (const hines::RallpackRun& run : runs)
    table.add({std::string(rallpackFormName(run.form)), formatNumber(run.differenceFromDouble, 2),
               formatNumber(100 * run.analyticError, 3) + " %", formatNumber(run.lastNear, 9),
               formatNumber(run.lastFar, 9),
               !isJudged(run.form) ? "for comparison"
               : passes(run)       ? "passed"
                                   : "FAILED"});
  table.print(stream);
}

Json toJson(const std::vector<hines::RallpackRun>& runs)
{
  Json array = Json::array();
  for (const hines::RallpackRun& run : runs)
    array.push_back({{"form", rallpackFormName(run.form)},
                     {"differenceFromDoubleMillivolt", jsonNumber(run.differenceFromDouble)},
                     {"analyticError", jsonNumber(run.analyticError)},
                     {"nearMillivolt", jsonNumber(run.lastNear)},
                     {"farMillivolt", jsonNumber(run.lastFar)},
                     {"judged", isJudged(run.form)},
                     {"passed", passes(run)}});
  return {{"passed", std::ranges::all_of(runs, passes)}, {"rallpack1", std::move(array)}};
}

int runCable(const VerifyOptions& options, Session& session)
{
  hines::RallpackParameters parameters;
  parameters.solver.solver = options.cableSolver;
  parameters.solver.backend = options.backend;
  const std::vector<hines::RallpackRun> runs = runRallpack(parameters, session.control());
  if (session.json)
    printJson(session.results(), toJson(runs));
  else
    printText(session.results(), runs);
  if (!std::ranges::all_of(runs, passes))
    throw Error(ErrorCode::VerificationFailed, "The " + std::string(solverName(options.cableSolver)) +
                                                   " solver misses the cable's known voltages; use another for cells "
                                                   "whose couplings are far above their capacitance and leak.");
  return 0;
}

int runVerify(const VerifyOptions& options, Session& session)
{
  if (options.simulatesCable)
    return runCable(options, session);
  const std::vector<hines::VerifyCase> cases = hines::verify(options.backend, session.control());
  if (session.json)
    printJson(session.results(), toJson(cases, options.backend));
  else
    printText(session.results(), cases, options.backend);
  const auto failed = std::count_if(cases.begin(), cases.end(), [](const hines::VerifyCase& c) { return !c.passed; });
  if (failed > 0)
    throw Error(ErrorCode::VerificationFailed, std::to_string(failed) + " of " + std::to_string(cases.size()) +
                                                   " cases failed: a solver of this build cannot be trusted here.");
  return 0;
}

} // namespace

void addVerifyCommand(Command& program, Session& session)
{
  auto options = std::make_shared<VerifyOptions>();
  Command& command = addCommand(
      program, session, "verify",
      "Compare every solver with the serial sweep on a built-in set of shapes; or test synapse formation, or "
      "simulations",
      [options, &session] { return runVerify(*options, session); });
  addVerifySynapsesCommand(command, session);
  addVerifySimulationCommand(command, session);
  addChoice(command, "--backend", options->backend, kBackends, backendName,
            "Where the solvers run; the serial sweep on the CPU is the reference");
  command
      .addOption(
          "--rallpack",
          [options](const std::string& text) {
            options->cableSolver = parseChoice("--rallpack", text, solverIds(), hines::solverName);
            options->simulatesCable = true;
          },
          "Simulate Rallpack 1, a passive cable, with this solver instead. Double and single precision are compared "
          "with the analytic solution, and with forms of single precision that lose the leak")
      .typeName(choiceNames(solverIds(), hines::solverName));
}

} // namespace hinesight::cli
