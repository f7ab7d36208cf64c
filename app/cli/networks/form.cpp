#include "app/cli/commands.hpp"
#include "app/cli/networks/formation_options.hpp"
#include "app/cli/networks/network_runs.hpp"
#include "app/cli/options.hpp"
#include "app/cli/ranks.hpp"
#include "app/cli/report.hpp"
#include "core/device.hpp"
#include "io/networks/network_files.hpp"

#include <memory>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

struct FormOptions
{
  study::FormationRequest request;
  std::string output; ///< empty: none
};

int runForm(const FormOptions& options, Session& session)
{
  warnOfUnusedDevices(options.request.formation.backend, options.request.formation.devices, session);
  const FormationSummary summary = form(options.request, options.output, session);
  if (session.json)
    printJson(session.results(), toJson(summary));
  else
    printText(session.results(), summary);
  for (const std::string& warning : summary.warnings)
    session.printWarning(warning);
  return 0;
}

} // namespace

FormationSummary form(study::FormationRequest request, const std::string& output, Session& session)
{
  const RunControl& control = session.control();
  if (!output.empty())
    io::requireNetworkEnding(output);
  validate(request.formation);
  requireDevice(request.formation.backend);
  request.source.seed = request.formation.search.seed;
  study::FormationStudy study;
  const study::FormationResult result = study.run(request, control);
  if (!output.empty())
    study::exportNetwork(result, output, study::NetworkPart::Everything, control);
  FormationSummary summary{result.formation, {}};
  if (!result.left.empty())
    summary.warnings.push_back(result.neuronFile + ": " + result.left + ".");
  return summary;
}

Json toJson(const FormationSummary& summary)
{
  const synapse::Formation& formation = *summary.formation;
  std::vector<Setting> settings = settingsOf(fieldsOf(formation.parameters));
  addMissing(settings, formation.population->origin);
  return {{"neurons", formation.population->size()},
          {"vacantAxons", formation.vacantAxons},
          {"synapses", synapseCount(formation.network)},
          {"pairs", formation.network.synapses.size()},
          {"theta", jsonNumber(formation.parameters.search.theta)},
          {"search", searchName(formation.parameters.search.kind)},
          {"kernel", kernelName(formation.parameters.search.kernel.kind)},
          {"backend", backendName(formation.timings.backend)},
          {"device", formation.timings.device},
          {"meanDistance", jsonNumber(formation.meanDistance)},
          {"settings", jsonSettings(settings)},
          {"stages", jsonStages(formation.timings)},
          {"milliseconds", jsonNumber(formation.timings.total())},
          {"warnings", summary.warnings}};
}

void printText(std::ostream& stream, const FormationSummary& summary)
{
  const synapse::Formation& formation = *summary.formation;
  const std::uint64_t synapses = synapseCount(formation.network);
  const auto axons = static_cast<double>(formation.vacantAxons);
  printField(stream, "neurons", formatCount(static_cast<std::int64_t>(formation.population->size())));
  printField(stream, "vacant axons", formatCount(static_cast<std::int64_t>(formation.vacantAxons)));
  printField(stream, "synapses",
             formatCount(static_cast<std::int64_t>(synapses)) + " of " +
                 formatCount(static_cast<std::int64_t>(formation.network.synapses.size())) + " pairs (" +
                 formatPercent(axons > 0 ? static_cast<double>(synapses) / axons : 0) + " of the axons)");
  printField(stream, "mean distance", formatNumber(formation.meanDistance, 6) + " um");
  printField(stream, "search",
             std::string(searchName(formation.parameters.search.kind)) + ", theta " +
                 formatNumber(formation.parameters.search.theta, 6));
  printField(stream, "made on",
             std::string(backendName(formation.timings.backend)) + " (" + formation.timings.device + ")");
  printField(stream, "per vacant axon",
             formatNumber(axons > 0 ? 1e3 * formation.timings.total() / axons : 0, 4) + " us");
  stream << '\n';
  printStages(stream, formation.timings);
}

void addFormCommand(Command& program, Session& session)
{
  auto options = std::make_shared<FormOptions>();
  options->request.formation.keepsTree = false;
  Command& command = addCommand(program, session, "form", "Form synapses between neurons once and time each stage",
                                [options, &session] { return runForm(*options, session); });
  addNeuronOptions(command, options->request.source);
  const std::string group = "Run";
  for (const BoundField& field : fieldsOf(options->request.formation))
    addFieldOptions(command, {field}, field.about.concern == Concern::Science ? "Formation" : group);
  addRanksOption(command, session, group);
  addTreeOption(command, session, group);
  command.addOutput("--out", options->output, "Write the network to a file: " + io::networkEndings()).group(group);
}

} // namespace hinesight::cli
