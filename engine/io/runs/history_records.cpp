#include "io/runs/history_records.hpp"

#include "core/text.hpp"
#include "hines/precision.hpp"

#include <filesystem>
#include <utility>

namespace hinesight::io {

namespace {

/// "sigma 4, cut 0.01".
std::string inWords(std::span<const BoundField> fields)
{
  std::string text;
  for (const BoundField& field : fields)
    if (field.about.applies && field.kind != FieldKind::List && !field.isDefault())
      text += (text.empty() ? "" : ", ") + field.name + " " + field.text();
  return text.empty() ? "defaults" : text;
}

std::string nameOf(const std::string& file)
{
  return std::filesystem::path(file).filename().string();
}

constexpr std::string_view kBehindName = ": ";

/// A backend of a benchmark of projections.
RunRecord recordOf(const projection::BenchmarkPoint& point, const std::string& what, Backend backend,
                   const std::string& device, double milliseconds)
{
  StageTimings timings{backend, device, {}};
  timings.add("table", milliseconds);
  const std::string side = std::to_string(point.side);
  RunRecord run = startRecord(RunKind::Benchmark, what, std::move(timings));
  run.cells = std::size_t{point.side} * point.side * 2;
  run.size = side + " x " + side + " neurons each, " + std::to_string(point.rows) + " rows";
  run.settings = point.settings;
  return run;
}

} // namespace

std::string joinInWords(const std::string& source, const std::string& target)
{
  return source + " → " + target;
}

std::string nameConnection(const std::string& connection, const std::string& source)
{
  return connection.empty() ? source : connection + std::string(kBehindName) + source;
}

std::optional<std::string> connectionOf(const RunRecord& run, std::string_view source)
{
  std::string_view name = run.source;
  if (!name.ends_with(source))
    return std::nullopt;
  name.remove_suffix(source.size());
  if (name.empty())
    return std::string();
  if (!name.ends_with(kBehindName))
    return std::nullopt;
  return std::string(name.substr(0, name.size() - kBehindName.size()));
}

RunRecord recordOf(const projection::WeightTable& table, const std::string& file, StageTimings timings,
                   std::span<const Setting> more)
{
  const projection::Population& source = *table.projection.source;
  const projection::Population& destination = *table.projection.destination;
  const std::string joined = joinInWords(source.name(), destination.name());
  RunRecord run =
      startRecord(RunKind::Table, nameConnection(file.empty() ? "" : nameOf(file), joined), std::move(timings));
  run.cells = source.count() + destination.count();
  run.size = std::to_string(source.count()) + " x " + std::to_string(destination.count()) + " neurons, " +
             std::to_string(table.rows()) + " rows";
  if (!file.empty()) {
    run.size += ", read";
    run.files = {file};
  }
  const auto fields = fieldsOf(table.projection.parameters);
  run.parameters = inWords(fields);
  run.settings = settingsOf(fields);
  addMissing(run.settings, more);
  return run;
}

RunRecord recordOf(const FormationRun& each, const std::string& file)
{
  RunRecord run =
      startRecord(RunKind::Formation, file.empty() ? std::string(kFormedInWords) : nameOf(file), each.timings);
  run.cells = each.neurons;
  run.size = std::to_string(each.neurons) + " neurons, " + std::to_string(each.vacantAxons) + " vacant axons";
  if (!file.empty()) {
    run.size += ", read";
    run.files = {file};
  }
  synapse::FormationParameters parameters;
  std::vector<BoundField> fields = fieldsOf(parameters);
  applySettings(fields, each.settings);
  run.parameters = inWords(fieldsOf(std::as_const(parameters)));
  run.settings = each.settings;
  return run;
}

RunRecord recordOfGrowth(const synapse::PlasticityParameters& parameters, const std::string& beginning,
                         std::size_t neurons, std::uint32_t steps, StageTimings timings)
{
  RunRecord run = startRecord(RunKind::Growth, beginning, std::move(timings));
  run.cells = neurons;
  run.size = std::to_string(neurons) + " neurons, " + std::to_string(steps) + (steps == 1 ? " step" : " steps");
  const auto fields = fieldsOf(parameters);
  run.parameters = inWords(fields);
  run.settings = settingsOf(fields);
  return run;
}

RunRecord recordOfSimulation(const SimulatedNetwork& network, const simulation::SimulationParameters& parameters,
                             std::span<const Setting> more, double spent, StageTimings timings)
{
  RunRecord run = startRecord(RunKind::Simulation, network.source, std::move(timings));
  run.cells = network.cells;
  run.compartments = network.compartments;
  run.size = std::to_string(network.compartments) + " compartments, " + textOf(network.milliseconds) + " ms";
  run.repetitions = {spent};
  run.files = network.files;
  const auto fields = fieldsOf(parameters);
  run.parameters = inWords(fields);
  run.settings = settingsOf(fields);
  addMissing(run.settings, more);
  return run;
}

RunRecord recordOf(const hines::BenchmarkRow& row)
{
  StageTimings timings{row.solve.backend, row.device, {}};
  timings.add("solve", row.milliseconds.median);
  RunRecord run = startRecord(RunKind::Benchmark, row.what + ", " + row.label, std::move(timings));
  run.cells = row.cells;
  run.compartments = row.compartments;
  run.repetitions = row.repetitions;
  run.solver = hines::solverName(row.solve.solver);
  run.precision = hines::precisionName(row.solve.precision);
  run.parameters = row.parameters;
  run.choice = row.choice;
  run.accuracy = row.accuracy;
  run.settings = row.settings;
  return run;
}

std::vector<RunRecord> recordsOf(const projection::BenchmarkPoint& point)
{
  std::vector<RunRecord> runs;
  const auto add = [&](const char* what, Backend backend, const std::string& device, double milliseconds) {
    runs.push_back(recordOf(point, what, backend, device, milliseconds));
  };
  if (point.cpu)
    add("projection", Backend::Cpu, point.cpuDevice, point.cpu->median);
  if (point.cuda)
    add("projection", Backend::Cuda, point.cudaDevice, point.cuda->median);
  if (point.resident)
    add("projection, left on the device", Backend::Cuda, point.cudaDevice, point.resident->milliseconds.median);
  return runs;
}

} // namespace hinesight::io
