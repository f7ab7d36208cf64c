#include "study/circuit/connection_table.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "study/circuit/circuit_neurons.hpp"

#include <algorithm>
#include <numeric>

namespace hinesight::study {

namespace {

/// The rows of each source in the order of their targets, as tables have them.
std::shared_ptr<projection::WeightTable> tableOf(const io::CircuitEdges& edges, const projection::Projection& ends,
                                                 const RunControl& control)
{
  constexpr std::size_t kSourcesBetweenChecks = 1024;
  requireMemory(projection::tableBytes(ends, edges.rows()), "The table of \"" + edges.name + "\"");
  auto table = std::make_shared<projection::WeightTable>();
  table->projection = ends;
  table->offsets.assign(edges.offsets.begin(), edges.offsets.end());
  table->destination = projection::HostArray<std::uint32_t>(edges.rows());
  table->weight = projection::HostArray<float>(edges.rows());
  if (!edges.delay.empty())
    table->delay = projection::HostArray<float>(edges.rows());
  table->constantDelay = edges.constantDelay;
  std::vector<std::uint64_t> order;
  for (std::size_t source = 0; source + 1 < edges.offsets.size(); ++source) {
    if (source % kSourcesBetweenChecks == 0)
      control.checkpoint();
    std::uint64_t to = edges.offsets[source];
    order.resize(edges.offsets[source + 1] - to);
    std::iota(order.begin(), order.end(), to);
    std::ranges::stable_sort(order, {}, [&](std::uint64_t row) { return edges.targetOfRow[row]; });
    for (const std::uint64_t row : order) {
      table->destination.data()[to] = edges.targetOfRow[row];
      table->weight.data()[to] = edges.weight[row];
      if (!edges.delay.empty())
        table->delay.data()[to] = edges.delay[row];
      ++to;
    }
  }
  return table;
}

} // namespace

ProjectionResult tableOfFile(const model::Project& project, const std::string& name, const RunControl& control)
{
  const auto found = std::ranges::find(project.connections, name, &model::Connection::name);
  if (found == project.connections.end() || found->kind != model::ConnectionKind::File)
    throw Error(ErrorCode::BadParameter, "The circuit has no connection \"" + name + "\" of a file.");
  const Stopwatch stopwatch;
  model::Project part = partWith(project, populationsOf(*found));
  part.connections = {*found};
  const Circuit circuit = makeCircuit(part, control);
  const auto neuronsOf = [&](const std::string& population) {
    return circuit.neurons[static_cast<std::size_t>(model::findPopulation(circuit.project, population) -
                                                    circuit.project.populations.data())];
  };
  ProjectionResult result;
  result.table = tableOf(circuit.edges.front(), {neuronsOf(found->source), neuronsOf(found->target), {}}, control);
  result.file = found->file;
  result.hasParameters = false;
  result.timings.device = processorName();
  result.timings.add("read", stopwatch.elapsed());
  const Stopwatch summing;
  result.summary = projection::summarize(*result.table, {}, control);
  result.timings.add("summary", summing.elapsed());
  return result;
}

ProjectionResult resultOf(const MadeConnection& made, int threads, const RunControl& control)
{
  ProjectionResult result;
  result.table = made.table;
  result.timings = made.timings;
  const Stopwatch stopwatch;
  result.summary = projection::summarize(*result.table, {.threads = threads}, control);
  result.timings.add("summary", stopwatch.elapsed());
  return result;
}

} // namespace hinesight::study
