#include "app/cli/sessions/circuit_report.hpp"

#include "study/simulation/session_export.hpp"

#include <string>
#include <utility>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

Json toJson(const study::Circuit& circuit)
{
  Json populations = Json::array();
  for (const auto& neurons : circuit.neurons)
    populations.push_back({{"name", neurons->name()}, {"neurons", neurons->count()}});
  Json connections = Json::array();
  for (const study::MadeConnection& made : circuit.connections)
    connections.push_back({{"name", made.name},
                           {"edges", made.rows},
                           {"synapses", made.synapses},
                           {"backend", backendName(made.timings.backend)},
                           {"device", made.timings.device},
                           {"stages", jsonStages(made.timings)},
                           {"milliseconds", jsonNumber(made.timings.total())}});
  return {{"populations", std::move(populations)},
          {"connections", std::move(connections)},
          {"warnings", study::warningsOf(circuit.connections)}};
}

void printText(std::ostream& stream, const study::Circuit& circuit)
{
  Table populations;
  populations.add({"population", "neurons"});
  for (const auto& neurons : circuit.neurons)
    populations.add({neurons->name(), formatCount(static_cast<std::int64_t>(neurons->count()))});
  populations.print(stream);
  if (circuit.connections.empty())
    return;
  stream << '\n';
  Table connections;
  connections.add({"connection", "synapses", "edges", "time"});
  const auto count = [](std::uint64_t number) { return formatCount(static_cast<std::int64_t>(number)); };
  for (const study::MadeConnection& made : circuit.connections)
    connections.add({made.name, made.synapses > 0 ? count(made.synapses) : "-", count(made.rows),
                     formatMilliseconds(made.timings.total())});
  connections.print(stream);
}

void printWarnings(const study::Circuit& circuit, Session& session)
{
  for (const std::string& warning : study::warningsOf(circuit.connections))
    session.printWarning(warning);
}

void exportCircuit(const study::Circuit& circuit, const std::filesystem::path& folder, Session& session)
{
  for (const std::string& note : study::exportWithSimulation(circuit, folder, session.control()))
    session.printWarning(note);
}

} // namespace hinesight::cli
