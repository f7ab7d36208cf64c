#include "hines/verify.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "app/cli/solver_choice.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::cli {

namespace {

struct VerifyOptions
{
  Backend backend = Backend::Cpu;
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
  table.add(
      {"shape", "cells", "compartments", "solver", "backend", "plans", "difference", "residual", "same bytes", ""});
  for (const hines::VerifyCase& c : cases)
    table.add({c.shape, count(c.cells), count(c.compartments), std::string(hines::solverName(c.solver)),
               std::string(backendName(backend)), count(c.plans), formatNumber(c.accuracy.maxRelativeDifference, 2),
               formatNumber(c.accuracy.relativeResidual, 2), c.repeatable ? "yes" : "no",
               c.passed ? "passed" : "FAILED"});
  table.print(stream);
}

int runVerify(const VerifyOptions& options, Session& session)
{
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
