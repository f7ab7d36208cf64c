#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/files.hpp"
#include "study/simulation/model_truths.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

using simulation::Check;
using simulation::CheckOutcome;

constexpr const char* kDefaultModels = "../shared/models";

struct VerifySimulationOptions
{
  simulation::VerifyParameters parameters;
  std::vector<std::string> backends;
  std::string models = kDefaultModels;
  Option modelsOption;
};

std::string outcomeText(const Check& check)
{
  constexpr std::array<const char*, 3> kTexts = {"passed", "FAILED", "skipped"};
  return kTexts[static_cast<std::size_t>(check.outcome)];
}

/// In fixed columns, so that rows can be printed as they come.
class CheckPrinter
{
public:
  explicit CheckPrinter(std::ostream& to) : stream(to)
  {
    line({"truth", "backend", "what", "expected", "found", "difference", "bound", ""});
  }

  void print(const Check& check)
  {
    std::string what = check.subject + ": " + (check.outcome == CheckOutcome::Skipped ? check.reason : check.quantity);
    if (check.outcome == CheckOutcome::Skipped) {
      line({check.truth, std::string(backendName(check.backend)), what, "", "", "", "", outcomeText(check)});
      return;
    }
    const auto number = [](double value) { return formatNumber(value, 10); };
    line({check.truth, std::string(backendName(check.backend)), what, number(check.expected), number(check.found),
          formatNumber(check.difference(), 3), formatNumber(check.bound, 3), outcomeText(check)});
  }

private:
  static constexpr std::array<int, 8> kWidths = {-14, -7, -86, 16, 16, 10, 8, -7}; // negative: to the left

  void line(const std::array<std::string, kWidths.size()>& cells)
  {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i)
      text += (i == 0 ? "" : "  ") + pad(cells[i], static_cast<std::size_t>(std::abs(kWidths[i])), kWidths[i] > 0);
    text.erase(text.find_last_not_of(' ') + 1);
    stream << text << std::endl;
  }

  std::ostream& stream;
};

Json toJson(const Check& check)
{
  Json json = {{"truth", check.truth},
               {"backend", backendName(check.backend)},
               {"subject", check.subject},
               {"outcome", outcomeText(check)}};
  if (check.outcome == CheckOutcome::Skipped) {
    json["reason"] = check.reason;
    return json;
  }
  json["quantity"] = check.quantity;
  json["expected"] = jsonNumber(check.expected);
  json["found"] = jsonNumber(check.found);
  json["difference"] = jsonNumber(check.difference());
  json["bound"] = jsonNumber(check.bound);
  return json;
}

int runVerifySimulation(const VerifySimulationOptions& options, Session& session)
{
  simulation::VerifyParameters parameters = options.parameters;
  if (!options.backends.empty())
    parameters.backends.clear();
  for (const std::string& name : options.backends)
    parameters.backends.push_back(parseChoice<Backend>("--backend", name, {Backend::Cpu, Backend::Cuda}, backendName));
  if (options.modelsOption.isGiven() && !isFolder(options.models))
    throw Error(ErrorCode::FileNotFound, "is no folder; name the one with the published models", options.models);
  std::optional<CheckPrinter> printer;
  if (!session.json)
    printer.emplace(session.results());
  const std::vector<Check> checks = simulation::verify(
      parameters, study::allTruths(options.models),
      [&](const Check& check) {
        session.results(); // clears the line of progress
        if (printer)
          printer->print(check);
      },
      session.control());
  const auto count = [&](CheckOutcome outcome) { return std::ranges::count(checks, outcome, &Check::outcome); };
  const auto failed = count(CheckOutcome::Failed);
  if (session.json) {
    Json list = Json::array();
    for (const Check& check : checks)
      list.push_back(toJson(check));
    printJson(session.results(), {{"passed", failed == 0}, {"quick", parameters.quick}, {"checks", std::move(list)}});
  } else {
    session.results() << '\n'
                      << count(CheckOutcome::Passed) << " passed, " << failed << " failed, "
                      << count(CheckOutcome::Skipped) << " skipped\n";
  }
  if (failed > 0)
    throw Error(ErrorCode::VerificationFailed, std::to_string(failed) + " of " + std::to_string(checks.size()) +
                                                   " checks failed: simulations of this build cannot be trusted here.");
  return 0;
}

} // namespace

void addVerifySimulationCommand(Command& verify, Session& session)
{
  auto options = std::make_shared<VerifySimulationOptions>();
  Command& command = addCommand(verify, session, "simulation",
                                "Test simulations against what is known of cables, spikes, synapses and networks, and "
                                "against NEURON's output of published cells",
                                [options, &session] { return runVerifySimulation(*options, session); });
  command.addOption("--backend", options->backends, "Where they run, separated by commas [cpu]")
      .splitsAtCommas()
      .takesOneArgument()
      .typeName("cpu|cuda");
  addNumber(command, "--threads", options->parameters.threads, "CPU threads, 0 for all");
  command.addFlag("--quick", options->parameters.quick, "Larger steps and smaller networks: seconds");
  std::string help = "Truths to look at, separated by commas [all]:";
  for (const simulation::Truth& truth : study::allTruths(kDefaultModels))
    help += "\n" + std::string(truth.name) + ": " + std::string(truth.about);
  command.addOption("--truths", options->parameters.truths, help).splitsAtCommas().takesOneArgument().typeName("NAMES");
  options->modelsOption =
      command.addInput("--models", options->models, "Folder with published models and NEURON's output")
          .typeName("FOLDER")
          .defaultText(std::string(kDefaultModels) + ", if it is there");
}

} // namespace hinesight::cli
