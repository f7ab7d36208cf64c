// How soon work ends after it was cancelled: usage: bench_cancellation.
// Prints the longest time from one checkpoint to the next of work of every kind, on one thread where it can be done on
// one. Exit 1 above the 100 ms within which everything promises to stop.

#include "core/run_control.hpp"
#include "hines/branch/plan.hpp"
#include "hines/check/rallpack.hpp"
#include "hines/prepared_solver.hpp"
#include "hines/solver.hpp"
#include "hines/solvers.hpp"
#include "hines/trees.hpp"
#include "limits.hpp"
#include "longest_gap.hpp"
#include "projection/projection.hpp"
#include "synapse/formation/formation.hpp"
#include "synapse/plasticity/plasticity.hpp"

#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace hinesight;

constexpr double kPromised = 100; // ms

class Cancellations
{
public:
  /// Runs `work` to its end.
  void measure(const std::string& what, const std::function<void(const RunControl&)>& work)
  {
    limits.atMost(kPromised, what, bench::longestGap(work), "ms");
  }

  int status() const { return limits.status(); }

private:
  bench::Limits limits;
};

struct Batch
{
  const char* name;
  std::shared_ptr<const hines::HinesBatch> cells;
};

void measureHines(Cancellations& cancellations)
{
  const std::vector<Batch> batches = {
      {"one thin cell", hines::makeBatch({trees::makeSystem(trees::randomTree(1'500'000, 2, 1), 1)}, 1)},
      {"one bushy cell", hines::makeBatch({trees::makeSystem(trees::randomTree(400'000, 400'000, 2), 1)}, 1)},
      {"many cells", hines::makeBatch({trees::makeSystem(trees::randomTree(100, 3, 3), 1)}, 60'000)}};
  for (const Batch& batch : batches) {
    const std::string of = std::string(", ") + batch.name;
    hines::PlanParameters parameters;
    parameters.split = hines::SplitStrategy::BlockAverage;
    cancellations.measure("plan" + of,
                          [&](const RunControl& control) { hines::makePlan(batch.cells, parameters, control); });
    for (const hines::SolverId solver :
         {hines::kSerial, hines::kMulticore, hines::kFine, hines::kInterleaved, hines::kEdd}) {
      hines::SolveParameters solve;
      solve.solver = solver;
      solve.of<hines::PlanParameters>() = parameters;
      solve.threads = 1;
      cancellations.measure(std::string(hines::solverName(solver)) + of,
                            [&](const RunControl& control) { hines::solve(batch.cells, solve, control); });
    }
    const std::vector<double> x(batch.cells->compartments(), 1);
    cancellations.measure("accuracy" + of,
                          [&](const RunControl& control) { hines::checkAccuracy(*batch.cells, x, control, 1); });
  }
  cancellations.measure("rallpack", [](const RunControl& control) {
    hines::RallpackParameters parameters;
    parameters.solver.solver = hines::kSerial;
    hines::runRallpack(parameters, control);
  });
}

std::shared_ptr<const projection::Population> square(std::uint32_t side)
{
  projection::PopulationParameters parameters;
  parameters.size = {side, side, 1};
  return projection::makePopulation(parameters);
}

/// One source whose every destination is looked at, by an expression that takes its time.
void measureProjections(Cancellations& cancellations)
{
  projection::ProjectionParameters p;
  p.kernel = projection::KernelKind::Expression;
  p.expression = "abs(sin(dx) + cos(dy) * exp(-r) + sin(r)) ^ 2.5 + (4 + atan2(dy, dx)) ^ 1.5 + (1 + r) ^ exp(-r) + "
                 "(2 + sin(dx * dy)) ^ cos(dz) + (1 + abs(dx)) ^ 0.3 + (1 + abs(dy)) ^ 0.7";
  p.velocity = 3;
  std::unique_ptr<projection::PreparedProjection> prepared;
  cancellations.measure("rows of a projection, counted", [&](const RunControl& control) {
    prepared = projection::prepare({square(1), square(2'000), p}, {Backend::Cpu, 1}, control);
  });
  cancellations.measure("rows of a projection, written",
                        [&](const RunControl& control) { projection::makeTable(*prepared, control); });
}

void measureSynapses(Cancellations& cancellations)
{
  constexpr std::size_t kNeurons = 200'000;
  std::shared_ptr<const synapse::NeuronPopulation> population;
  cancellations.measure("positions of 200,000 neurons", [&](const RunControl& control) {
    population = synapse::makeRandomPopulation(kNeurons, 26, 0.8, 1, control);
  });
  for (const double theta : {0.3, 0.1}) {
    synapse::FormationParameters formation;
    formation.search.theta = theta;
    formation.threads = 1;
    cancellations.measure("synapses of 200,000 neurons, theta " + std::to_string(theta).substr(0, 3),
                          [&](const RunControl& control) { synapse::formSynapses(population, formation, control); });
  }
  synapse::PlasticityParameters plasticity;
  plasticity.threads = 1;
  for (synapse::GrowthParameters* pool :
       {&plasticity.axon, &plasticity.excitatoryDendrite, &plasticity.inhibitoryDendrite}) {
    pool->initialLeast = 1;
    pool->initialMost = 4;
  }
  const auto model = synapse::makePlasticityModel(population, plasticity);
  std::vector<synapse::StepRecord> records;
  cancellations.measure("growth of 200,000 neurons up to the first update",
                        [&](const RunControl& control) { model->run(plasticity.updatePeriod, 1, records, control); });
}

} // namespace

int main()
{
  try {
    std::printf("longest time between two looks whether the work was cancelled\n");
    Cancellations cancellations;
    measureHines(cancellations);
    measureProjections(cancellations);
    measureSynapses(cancellations);
    return cancellations.status();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
