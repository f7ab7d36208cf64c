#include "app/document/run_restorer.hpp"

#include "app/benchmark/benchmark_page.hpp"
#include "app/benchmark/hines_benchmark_panel.hpp"
#include "app/benchmark/projection_benchmark_panel.hpp"
#include "app/document/document.hpp"
#include "app/plasticity/plasticity_controller.hpp"
#include "app/projection/connection_names.hpp"
#include "app/projection/projection_controller.hpp"
#include "app/simulation/simulation_controller.hpp"
#include "app/synapses/formation_controller.hpp"
#include "core/error.hpp"
#include "io/runs/history_records.hpp"
#include "model/session_file.hpp"
#include "model/taken_names.hpp"

#include <QFileInfo>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

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

/// What a table was made of, as far as its record and the project say.
struct MadeProjection
{
  Connection connection;
  bool isNew = false; ///< the one that it was made of is not there any more
};

/// The projection of the name that the run has, between the populations that it joined; a run without a name is of the
/// only one between them. Else a new one; where the populations are gone, one of nothing, by the name that the run has.
MadeProjection projectionOf(const model::Project& project, const io::RunRecord& run)
{
  Connection made;
  std::optional<std::string> name;
  for (const model::Population& source : project.populations)
    for (const model::Population& target : project.populations)
      if (const auto known = io::connectionOf(run, io::joinInWords(source.name(), target.name()))) {
        name = known;
        made.source = source.name();
        made.target = target.name();
      }
  if (!name) { // populations have other names now, or are gone
    const auto namesIt = [&](const Connection& each) {
      return each.kind == ConnectionKind::Projection && run.source.starts_with(io::nameConnection(each.name, ""));
    };
    if (const auto there = std::ranges::find_if(project.connections, namesIt); there != project.connections.end())
      return {*there, false};
    made.name = run.source;
    return {made, false};
  }
  std::vector<const Connection*> found;
  for (const Connection& connection : project.connections) {
    const bool joinsThem = connection.source == made.source && connection.target == made.target;
    if (connection.kind == ConnectionKind::Projection && (name->empty() ? joinsThem : connection.name == *name))
      found.push_back(&connection);
  }
  if (found.size() == 1) {
    const Connection& there = *found.front();
    made.name = there.name;
    made.synapses = there.synapses;
    return {made, false};
  }
  made.name = name->empty() ? nameByEnds(made.source, made.target) : *name;
  return {made, true};
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

QString goneInWords(const std::string& connection)
{
  return RunRestorer::tr("The connection %1 is not there any more.").arg(QString::fromStdString(connection));
}

bool isFile(const std::string& path)
{
  return QFileInfo(QString::fromStdString(path)).isFile();
}

} // namespace

RunRestorer::RunRestorer(const Parts& ofWindow, QObject* parent) : QObject(parent), parts(ofWindow) {}

std::function<void()> RunRestorer::restoring(const io::RunRecord& run)
{
  const bool canBeOfOne = run.kind == io::RunKind::Table || run.kind == io::RunKind::Formation;
  if (!canBeOfOne || !run.files.empty())
    return {};
  for (const auto& [name, id] : parts.document->connectionIds().all())
    if (run.source.starts_with(io::nameConnection(name, "")))
      return [this, run, name = name, id = id] { restoreInto(run, name, id); };
  return {};
}

/// That was called `connection` when it ran.
void RunRestorer::restoreInto(io::RunRecord run, const std::string& connection, ConnectionIds::Id id)
{
  std::string now = parts.document->connectionIds().nameOf(id);
  if (now.empty() && run.kind == io::RunKind::Formation)
    return emit failed(goneInWords(connection));
  if (now.empty()) // none has that name, so that it is made anew
    now = model::TakenNames(parts.document->project().connections).take(connection);
  run.source.replace(0, connection.size(), now);
  restoreRun(run, id);
}

/// `id`: of the connection that it is of, if that is known; else 0.
void RunRestorer::restoreRun(const io::RunRecord& run, ConnectionIds::Id id)
{
  try {
    switch (run.kind) {
    case io::RunKind::Solve:
      emit solveWanted(parametersOf<study::CellParameters>(run));
      break;
    case io::RunKind::Table:
      restoreTable(run, id);
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

void RunRestorer::restoreTable(const io::RunRecord& run, ConnectionIds::Id id)
{
  const model::Project project = parts.document->project();
  if (run.files.empty()) {
    MadeProjection made = projectionOf(project, run);
    Connection& wanted = made.connection;
    wanted.projection = parametersOf<projection::ProjectionParameters>(run);
    model::requireName("connection", wanted.name);
    projection::ComputeParameters compute = project.compute;
    std::vector<BoundField> fields = fieldsOf(compute);
    applySettings(fields, run.settings);
    compute.backend = run.timings.backend;
    validateFields(fieldsOf(compute));
    if (made.isNew)
      wanted.name = parts.document->bringBackAsNew(wanted, id, compute);
    else
      parts.document->bringBack(wanted, compute);
    parts.projection->pick(wanted.name);
  } else if (const Connection* const ofFile = findFile(project, run.files.front())) {
    parts.document->bringBack(*ofFile);
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
  const model::Project project = parts.document->project();
  const auto found = std::ranges::find(project.connections, name, &Connection::name);
  if (found == project.connections.end() || found->kind != ConnectionKind::Formed)
    return emit failed(goneInWords(name));
  Connection wanted = *found;
  wanted.formation = parametersOf<synapse::FormationParameters>(run);
  parts.document->bringBack(wanted);
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
  } else if (request.file.empty() && parts.document->project().simulate) {
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
