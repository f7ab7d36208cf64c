#include "app/document/run_restorer.hpp"

#include "app/benchmark/benchmark_page.hpp"
#include "app/benchmark/hines_benchmark_panel.hpp"
#include "app/benchmark/projection_benchmark_panel.hpp"
#include "app/document/session_controller.hpp"
#include "app/plasticity/plasticity_controller.hpp"
#include "app/projection/projection_controller.hpp"
#include "app/simulation/simulation_controller.hpp"
#include "app/synapses/formation_controller.hpp"
#include "core/error.hpp"
#include "io/runs/history_records.hpp"
#include "model/session_file.hpp"

#include <QFileInfo>

#include <algorithm>

namespace hinesight::app {

namespace {

using model::Connection;
using model::ConnectionKind;

/// As a run had them; those that its record lacks have their defaults. Throws as applySettings and validateFields.
template <typename Parameters>
Parameters parametersOf(const io::RunRecord& run)
{
  Parameters parameters;
  std::vector<BoundField> fields = fieldsOf(parameters);
  applySettings(fields, run.settings);
  validateFields(fields);
  return parameters;
}

/// The projection that a table was made of, else a new one between the same populations; where these are gone, one of
/// nothing, by the name that the run has.
Connection projectionOf(const model::Project& project, const io::RunRecord& run)
{
  const auto nameBetween = [&](const std::string& source, const std::string& target) {
    return io::connectionOf(run, io::joinInWords(source, target));
  };
  for (const Connection& connection : project.connections)
    if (const auto name = nameBetween(connection.source, connection.target);
        connection.kind == ConnectionKind::Projection && name && (name->empty() || *name == connection.name))
      return connection;
  Connection made;
  made.name = run.source;
  for (const model::Population& source : project.populations)
    for (const model::Population& target : project.populations)
      if (const auto name = nameBetween(source.name(), target.name())) {
        made.name = name->empty() ? source.name() + "_to_" + target.name() : *name;
        made.source = source.name();
        made.target = target.name();
      }
  return made;
}

/// The connection that is read from this file; null where there is none.
const Connection* findFile(const model::Project& project, const std::string& file)
{
  const auto found = std::ranges::find_if(project.connections, [&](const Connection& connection) {
    return connection.kind == ConnectionKind::File && connection.file == file;
  });
  return found == project.connections.end() ? nullptr : &*found;
}

/// The file that the neurons of a formation were read from; empty: they were placed.
std::string neuronFileOf(const io::RunRecord& run)
{
  const auto found = std::ranges::find(run.settings, "positions", &Setting::name);
  return found == run.settings.end() ? std::string() : found->text;
}

bool isFile(const std::string& path)
{
  return QFileInfo(QString::fromStdString(path)).isFile();
}

} // namespace

RunRestorer::RunRestorer(const Parts& ofWindow, QObject* parent) : QObject(parent), parts(ofWindow) {}

void RunRestorer::restore(const io::RunRecord& run)
{
  try {
    switch (run.kind) {
    case io::RunKind::Solve:
      emit solveWanted(parametersOf<study::CellParameters>(run));
      break;
    case io::RunKind::Table:
      restoreTable(run);
      break;
    case io::RunKind::Formation:
      restoreFormation(run);
      break;
    case io::RunKind::Growth:
      restoreGrowth(run);
      break;
    case io::RunKind::Simulation:
      restoreSimulation(run);
      break;
    case io::RunKind::Benchmark:
      restoreBenchmark(run);
      break;
    }
  } catch (const Error& error) {
    emit failed(QString::fromUtf8(error.what()));
  }
}

void RunRestorer::restoreTable(const io::RunRecord& run)
{
  const model::Project project = parts.sessions->project();
  if (run.files.empty()) {
    Connection wanted = projectionOf(project, run);
    wanted.projection = parametersOf<projection::ProjectionParameters>(run);
    model::requireName("connection", wanted.name);
    parts.sessions->bringBack(wanted, run.timings.backend);
  } else if (const Connection* const ofFile = findFile(project, run.files.front())) {
    parts.sessions->bringBack(*ofFile);
  } else {
    parts.projection->open({QString::fromStdString(run.files.front())});
  }
}

void RunRestorer::restoreFormation(const io::RunRecord& run)
{
  const std::string neuronFile = neuronFileOf(run);
  if (!run.files.empty()) {
    parts.formation->openNetwork({QString::fromStdString(run.files.front()),
                                  isFile(neuronFile) ? QString::fromStdString(neuronFile) : QString()});
    emit pageWanted(ViewKind::Synapses);
    return;
  }
  const std::string name = io::connectionOf(run, io::kFormedInWords).value_or(std::string());
  if (name.empty()) {
    auto request = parametersOf<study::FormationRequest>(run);
    const std::size_t colon = neuronFile.rfind(':');
    const bool hasNodes = !isFile(neuronFile) && colon != std::string::npos;
    request.source.path = neuronFile.substr(0, hasNodes ? colon : std::string::npos);
    request.source.nodes = hasNodes ? neuronFile.substr(colon + 1) : std::string();
    parts.formation->show(request);
    emit pageWanted(ViewKind::Synapses);
    return;
  }
  const model::Project project = parts.sessions->project();
  const auto found = std::ranges::find(project.connections, name, &Connection::name);
  if (found == project.connections.end() || found->kind != ConnectionKind::Formed)
    throw Error(ErrorCode::BadParameter, "The connection " + name + " is not there any more.");
  Connection wanted = *found;
  wanted.formation = parametersOf<synapse::FormationParameters>(run);
  parts.sessions->bringBack(wanted);
}

void RunRestorer::restoreGrowth(const io::RunRecord& run)
{
  study::GrowthRequest request = parts.growth->request();
  request.model = parametersOf<synapse::PlasticityParameters>(run);
  emit pageWanted(ViewKind::Plasticity);
  parts.growth->show(request);
}

/// A model that comes with the program has no file: the one that is open stays.
void RunRestorer::restoreSimulation(const io::RunRecord& run)
{
  study::SimulationRequest request = parts.simulation->request();
  request.run = parametersOf<simulation::SimulationParameters>(run);
  std::vector<BoundField> current = fieldsOf(request.current);
  applySettings(current, run.settings);
  validateFields(current);
  if (!run.files.empty()) {
    request.file = run.files.front();
    request.morphology = run.files.size() > 1 ? run.files[1] : std::string();
  } else if (request.file.empty() && parts.sessions->project().simulate) {
    request.file = study::kCircuitOfProject;
  }
  emit pageWanted(ViewKind::Simulation);
  parts.simulation->show(request);
}

void RunRestorer::restoreBenchmark(const io::RunRecord& run)
{
  model::Project asked;
  for (const Setting& setting : run.asked)
    model::setByPath(asked, setting.name + "=" + setting.text);
  if (!asked.solverBenchmark && !asked.projectionBenchmark)
    throw Error(ErrorCode::BadParameter, "The record of this run does not say what was to be measured.");
  emit pageWanted(ViewKind::Benchmark);
  if (asked.projectionBenchmark) {
    parts.benchmarks->showKind(BenchmarkPage::Kind::Projections);
    parts.benchmarks->projections().show(*asked.projectionBenchmark);
    return;
  }
  validateFields(fieldsOf(asked.solve));
  emit parametersWanted(asked.solve);
  parts.benchmarks->showKind(BenchmarkPage::Kind::Hines);
  parts.benchmarks->hines().show(*asked.solverBenchmark);
}

} // namespace hinesight::app
