#include "hines/choice/cost_cache.hpp"
#include "hines/solvers/definition.hpp"

#include <string>
#include <utility>

namespace hinesight::hines {

namespace {

/// Whichever of the others the costs of the device choose for a batch.
class AutomaticSolver final : public SolverDefinition
{
public:
  AutomaticSolver()
      : SolverDefinition(
            SolverTraits{.id = kAuto,
                         .title = "Automatic",
                         .summary = "The solver that is predicted to be the fastest for the batch on this device",
                         .onCpu = true,
                         .onCuda = true,
                         .inSingle = true,
                         .usesThreads = true,
                         .isChoice = true})
  {}

  std::string describe(const SolveParameters& /*parameters*/, std::size_t /*cells*/) const override
  {
    return "chosen for the batch";
  }

  std::optional<SolverChoice> choose(const HinesBatch& batch, const SolveParameters& parameters,
                                     const RunControl& control) const override
  {
    return chooseSolver(batch, parameters, control);
  }

  std::shared_ptr<const Schedule> plan(std::shared_ptr<const HinesBatch> batch, const SolveParameters& parameters,
                                       StageTimings& timings, const RunControl& control) const override
  {
    const SolveParameters chosen = chooseSolver(*batch, parameters, control).parameters;
    return definitionOf(chosen.solver).plan(std::move(batch), chosen, timings, control);
  }

  std::unique_ptr<PreparedSolver> prepare(std::shared_ptr<const Schedule> schedule, const SolveParameters& parameters,
                                          StageTimings& timings, const RunControl& control) const override
  {
    const SolveParameters chosen = chooseSolver(*schedule->batch, parameters, control).parameters;
    return definitionOf(chosen.solver).prepare(std::move(schedule), chosen, timings, control);
  }
};

} // namespace

const SolverDefinition& automaticSolver()
{
  static const AutomaticSolver solver;
  return solver;
}

} // namespace hinesight::hines
