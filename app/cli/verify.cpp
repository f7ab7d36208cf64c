#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "app/cli/solver_choice.hpp"
#include "app/cli/verification_shapes.hpp"
#include "hines/batch.hpp"
#include "hines/plan.hpp"
#include "hines/solver.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::cli {

namespace {

struct VerifyOptions
{
  Backend backend = Backend::Cpu;
};

/// A shape solved by a solver under every plan; the figures are the worst.
struct VerifiedCase
{
  std::string shape;
  std::size_t cells = 0;
  std::size_t compartments = 0;
  hines::SolverKind solver = hines::SolverKind::Serial;
  std::size_t plans = 0;
  hines::Accuracy accuracy;
  bool repeatable = true; ///< a second run gave the same bytes

  bool passed() const { return isAccurate(accuracy) && repeatable; }
};

std::vector<hines::PlanParameters> everyPlan()
{
  using hines::BalanceMeasure;
  using hines::PackStrategy;
  using hines::SplitStrategy;
  std::vector<hines::PlanParameters> plans;
  for (const auto balance : {BalanceMeasure::None, BalanceMeasure::Branches, BalanceMeasure::Compartments})
    for (const auto split :
         {SplitStrategy::None, SplitStrategy::LevelAverage, SplitStrategy::FixedLength, SplitStrategy::BlockAverage})
      for (const auto pack : {PackStrategy::Greedy, PackStrategy::FirstFit}) {
        hines::PlanParameters plan;
        plan.balance = balance;
        plan.split = split;
        plan.pack = pack;
        plans.push_back(plan);
      }
  return plans;
}

/// The greater one; a NaN is the greatest.
double worst(double a, double b)
{
  return std::isnan(a) || a > b ? a : b;
}

void verifyPlan(VerifiedCase& result, const hines::SolvePlan& plan, Backend backend, const RunControl& control)
{
  hines::SolveParameters parameters;
  parameters.solver = result.solver;
  parameters.backend = backend;
  const auto solution = hines::solve(plan, parameters, control);
  const auto again = hines::solve(plan, parameters, control);
  const hines::Accuracy accuracy = hines::checkAccuracy(*plan.batch, solution->x, control);
  result.accuracy.maxRelativeDifference = worst(result.accuracy.maxRelativeDifference, accuracy.maxRelativeDifference);
  result.accuracy.relativeResidual = worst(result.accuracy.relativeResidual, accuracy.relativeResidual);
  // Compared as bytes: no two numbers that only compare equal.
  result.repeatable = result.repeatable && solution->x.size() == again->x.size() &&
                      std::memcmp(solution->x.data(), again->x.data(), solution->x.size() * sizeof(double)) == 0;
  ++result.plans;
}

std::vector<hines::SolverKind> solversOf(Backend backend)
{
  return backend == Backend::Cuda ? std::vector{hines::SolverKind::Fine} : kSolvers;
}

std::vector<VerifiedCase> verifyShape(const VerificationShape& shape, Backend backend, const RunControl& control)
{
  const auto batch = hines::makeBatchOfCells(shape.systems, shape.cells, 1, control);
  std::vector<VerifiedCase> cases;
  for (const hines::SolverKind solver : solversOf(backend))
    cases.push_back({shape.name, batch->cells(), batch->compartments(), solver, 0, {}, true});
  for (const hines::PlanParameters& parameters : everyPlan()) {
    const auto plan = hines::makePlan(batch, parameters, control);
    for (VerifiedCase& result : cases)
      // The serial sweep does not look at the plan.
      if (result.solver != hines::SolverKind::Serial || result.plans == 0)
        verifyPlan(result, *plan, backend, control);
  }
  return cases;
}

Json toJson(const VerifiedCase& c, Backend backend)
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
          {"passed", c.passed()}};
}

Json toJson(const std::vector<VerifiedCase>& cases, Backend backend)
{
  Json array = Json::array();
  for (const VerifiedCase& c : cases)
    array.push_back(toJson(c, backend));
  const bool passed = std::all_of(cases.begin(), cases.end(), [](const VerifiedCase& c) { return c.passed(); });
  return {{"passed", passed}, {"cases", std::move(array)}};
}

void printText(std::ostream& stream, const std::vector<VerifiedCase>& cases, Backend backend)
{
  const auto count = [](std::size_t value) { return formatCount(static_cast<std::int64_t>(value)); };
  Table table;
  table.add(
      {"shape", "cells", "compartments", "solver", "backend", "plans", "difference", "residual", "same bytes", ""});
  for (const VerifiedCase& c : cases)
    table.add({c.shape, count(c.cells), count(c.compartments), std::string(hines::solverName(c.solver)),
               std::string(backendName(backend)), count(c.plans), formatNumber(c.accuracy.maxRelativeDifference, 2),
               formatNumber(c.accuracy.relativeResidual, 2), c.repeatable ? "yes" : "no",
               c.passed() ? "passed" : "FAILED"});
  table.print(stream);
}

int runVerify(const VerifyOptions& options, Session& session)
{
  hines::SolveParameters solve;
  solve.solver = solversOf(options.backend).front();
  solve.backend = options.backend;
  hines::validate(solve);

  const std::vector<VerificationShape> shapes = makeVerificationShapes();
  std::vector<VerifiedCase> cases;
  for (const VerificationShape& shape : shapes) {
    const auto verified = verifyShape(shape, options.backend, session.control());
    cases.insert(cases.end(), verified.begin(), verified.end());
  }
  if (session.json)
    printJson(session.results(), toJson(cases, options.backend));
  else
    printText(session.results(), cases, options.backend);
  const auto failed = std::count_if(cases.begin(), cases.end(), [](const VerifiedCase& c) { return !c.passed(); });
  if (failed > 0)
    throw Error(ErrorCode::VerificationFailed, std::to_string(failed) + " of " + std::to_string(cases.size()) +
                                                   " cases failed: a solver of this build cannot be trusted here.");
  return 0;
}

} // namespace

void addVerifyCommand(CLI::App& program, Session& session)
{
  auto options = std::make_shared<VerifyOptions>();
  CLI::App& command =
      addCommand(program, session, "verify",
                 "Compare every solver with the serial sweep on a built-in set of shapes, under every plan",
                 [options, &session] { return runVerify(*options, session); });
  addChoice(command, "--backend", options->backend, kBackends, backendName, "Whose solvers are verified");
}

} // namespace hinesight::cli
