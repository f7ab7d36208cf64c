#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "io/networks/network_files.hpp"
#include "synapse/check/verify.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

namespace fs = std::filesystem;
using synapse::CheckOutcome;
using synapse::SynapseCheck;

constexpr const char* kDefaultNetworks = "../shared/reference/relearn_networks";

struct VerifySynapsesOptions
{
  synapse::VerifyParameters parameters;
  std::string networks; ///< folder; empty: the default one, if it is there
};

/// The file of that name, packed or not; empty where there is neither.
fs::path findFile(const fs::path& folder, const std::string& name)
{
  for (const char* ending : {"", ".gz"})
    if (const fs::path path = folder / (name + ending); fs::exists(path))
      return path;
  return {};
}

/// positions.txt and in_network_sigma100_seed01.txt and so on, packed or not.
std::shared_ptr<const synapse::ForeignNetworks> readForeign(const fs::path& folder, const RunControl& control)
{
  auto foreign = std::make_shared<synapse::ForeignNetworks>();
  const fs::path positions = findFile(folder, "positions.txt");
  if (positions.empty())
    throw Error(ErrorCode::FileNotFound, "holds no positions.txt or positions.txt.gz; name the folder of the networks",
                folder.string());
  foreign->population = std::make_shared<const synapse::NeuronPopulation>(io::readNeuronPopulation(positions, control));
  for (const int sigma : {100, 750}) {
    synapse::ForeignRuns runs{static_cast<double>(sigma), {}};
    for (int seed = 1; seed <= 99; ++seed) {
      const std::string name =
          "in_network_sigma" + std::to_string(sigma) + "_seed" + (seed < 10 ? "0" : "") + std::to_string(seed) + ".txt";
      if (const fs::path path = findFile(folder, name); !path.empty())
        runs.networks.push_back(io::readNetwork(path, control).plastic);
    }
    if (runs.networks.size() >= 2)
      foreign->runs.push_back(std::move(runs));
  }
  if (foreign->runs.empty())
    throw Error(ErrorCode::FileNotFound, "holds no networks in_network_sigma100_seed01.txt, ..._seed02.txt and so on",
                folder.string());
  return foreign;
}

std::string outcomeText(const SynapseCheck& check)
{
  switch (check.outcome) {
  case CheckOutcome::Passed:
    return "passed";
  case CheckOutcome::Failed:
    return "FAILED";
  case CheckOutcome::Skipped:
    break;
  }
  return "skipped";
}

/// Such as "  6 induced distribution  barnes-hut, gaussian: p-value 0.21, at least 6.7e-06: passed".
void printLine(std::ostream& stream, const SynapseCheck& check)
{
  const std::string number = std::to_string(check.test);
  stream << (number.size() < 2 ? " " : "") << number << ' ' << synapse::synapseTestName(check.test) << ": "
         << check.subject << ": ";
  if (check.outcome == CheckOutcome::Skipped)
    stream << check.reason;
  else
    stream << check.quantity << ' ' << formatNumber(check.value, 3) << ", at " << (check.isAtLeast ? "least " : "most ")
           << formatNumber(check.bound, 3);
  stream << ": " << outcomeText(check) << std::endl;
}

Json toJson(const SynapseCheck& check)
{
  Json json = {{"test", check.test},
               {"name", synapse::synapseTestName(check.test)},
               {"subject", check.subject},
               {"outcome", outcomeText(check)}};
  if (check.outcome == CheckOutcome::Skipped) {
    json["reason"] = check.reason;
    return json;
  }
  json["quantity"] = check.quantity;
  json["value"] = jsonNumber(check.value);
  json[check.isAtLeast ? "atLeast" : "atMost"] = jsonNumber(check.bound);
  return json;
}

int runVerifySynapses(const VerifySynapsesOptions& options, Session& session)
{
  synapse::VerifyParameters parameters = options.parameters;
  const bool isNamed = !options.networks.empty();
  if (isNamed || fs::exists(kDefaultNetworks))
    parameters.foreign = readForeign(isNamed ? options.networks : kDefaultNetworks, session.control());
  const auto print = [&session](const SynapseCheck& check) {
    if (!session.json)
      printLine(session.results(), check);
  };
  const std::vector<SynapseCheck> checks = verifySynapses(parameters, print, session.control());
  const auto failed =
      std::ranges::count_if(checks, [](const SynapseCheck& check) { return check.outcome == CheckOutcome::Failed; });
  if (session.json) {
    Json list = Json::array();
    for (const SynapseCheck& check : checks)
      list.push_back(toJson(check));
    printJson(session.results(), {{"passed", failed == 0},
                                  {"backend", backendName(parameters.backend)},
                                  {"quick", parameters.quick},
                                  {"checks", std::move(list)}});
  }
  if (failed > 0)
    throw Error(ErrorCode::VerificationFailed, std::to_string(failed) + " of " + std::to_string(checks.size()) +
                                                   " checks failed: networks of this build cannot be trusted here.");
  return 0;
}

} // namespace

void addVerifySynapsesCommand(Command& verify, Session& session)
{
  auto options = std::make_shared<VerifySynapsesOptions>();
  Command& command = addCommand(verify, session, "synapses",
                                "Test octrees, searches, conflicts, deletion and the whole model of plasticity against "
                                "references of their own",
                                [options, &session] { return runVerifySynapses(*options, session); });
  addChoice(command, "--backend", options->parameters.backend, {Backend::Cpu, Backend::Cuda}, backendName,
            "Where the synapses are formed");
  addNumber(command, "--threads", options->parameters.threads, "CPU threads, 0 for all");
  command.addFlag("--quick", options->parameters.quick, "Small sizes: seconds instead of minutes");
  command.addOption("--tests", options->parameters.tests, "Numbers of the tests to run, separated by commas [all]")
      .splitsAtCommas()
      .takesOneArgument()
      .typeName("INTS");
  command
      .addInput("--networks", options->networks,
                "Folder with RELeARN's networks for test 13 [" + std::string(kDefaultNetworks) + ", if it is there]")
      .typeName("FOLDER");
}

} // namespace hinesight::cli
