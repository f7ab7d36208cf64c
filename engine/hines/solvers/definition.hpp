#pragma once

#include "core/choices.hpp"
#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "hines/cut_length.hpp"
#include "hines/prepared_solver.hpp"
#include "hines/schedule.hpp"
#include "hines/solver.hpp"
#include "hines/solvers/cost_terms.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// How a solver joins. It is one folder here and one line in all.cpp. The folder has
//  - a constant for its SolverId and, where it has any, its settings: a plain struct with defaults, fields
//    (core/fields.hpp) and an operator==, which SolveParameters::of then holds;
//  - its schedule, derived from Schedule: what it executes and what the views draw;
//  - a PreparedSolver for each backend;
//  - a class derived from SolverDefinition, and a function that returns it, which all.cpp names.
// Lists, options, the `auto` choice, verify, benchmarks, run records and views then have it.

namespace hinesight::hines {

/// The parameters of a solver in a benchmark table, and what they are called behind the solver's name (", as read").
struct BenchmarkVariant
{
  std::string suffix;
  SolveParameters parameters;
};

/// A way to cut cells that a person can choose.
struct CutWay
{
  std::string_view name;  ///< as in commands
  std::string_view title; ///< such as "Level average"
  bool isChosen = false;
};

/// The ways that an enumeration's table lists.
template <typename Enumeration>
std::vector<CutWay> cutWaysOf(Enumeration chosen)
{
  std::vector<CutWay> ways;
  for (const Choice& choice : tableOf(chosen))
    ways.push_back({choice.name, choice.label, choice.name == choiceName(chosen)});
  return ways;
}

/// Takes the way of that name; a name that is none leaves `chosen` as it is.
template <typename Enumeration>
void chooseWay(Enumeration& chosen, std::string_view name)
{
  const std::span<const Choice> table = tableOf(chosen);
  const auto way = std::ranges::find(table, name, &Choice::name);
  if (way != table.end())
    chosen = static_cast<Enumeration>(way - table.begin());
}

/// All that the program knows of a solver.
class SolverDefinition
{
public:
  explicit SolverDefinition(const SolverTraits& ofSolver) : traits(ofSolver) {}
  virtual ~SolverDefinition() = default;
  SolverDefinition(const SolverDefinition&) = delete;
  SolverDefinition& operator=(const SolverDefinition&) = delete;

  const SolverTraits traits;

  /// The structs of settings that it reads, by which SolveParameters::of, options, forms and files know them.
  virtual std::vector<SettingsGroup> settings() const { return {}; }
  /// The solver's settings in words, for a batch of so many cells; empty: it has none.
  virtual std::string describe(const SolveParameters& /*parameters*/, std::size_t /*cells*/) const { return {}; }

  /// What another solver is taken in its place; only of a solver that chooses (SolverTraits::isChoice).
  virtual std::optional<SolverChoice> choose(const HinesBatch& /*batch*/, const SolveParameters& /*parameters*/,
                                             const RunControl& /*control*/) const
  {
    return std::nullopt;
  }

  /// How it would solve the batch. Needs no device: for CUDA where there is none it plans for planningDevice(). Of
  /// `timings` it adds stages besides planning only. Throws Error(BadParameter) where it cannot do the batch,
  /// Error(OutOfMemory), Error(Cancelled).
  virtual std::shared_ptr<const Schedule> plan(std::shared_ptr<const HinesBatch> batch,
                                               const SolveParameters& parameters, StageTimings& timings,
                                               const RunControl& control) const = 0;
  /// Whether it would make that schedule for these parameters, so that it need not be made again.
  virtual bool wouldPlan(const Schedule& /*schedule*/, const SolveParameters& /*parameters*/) const { return false; }
  /// The parameters with all that it takes from a batch set as the schedule has it: part of that batch is planned with
  /// them, so that its cells are solved as in the whole.
  virtual SolveParameters parametersForPart(const Schedule& /*whole*/, const SolveParameters& parameters) const
  {
    return parameters;
  }
  /// Allocates and brings the schedule's batch to where it is solved. `schedule`: one of its own. Throws
  /// Error(OutOfMemory), Error(DeviceFailure), Error(Cancelled).
  virtual std::unique_ptr<PreparedSolver> prepare(std::shared_ptr<const Schedule> schedule,
                                                  const SolveParameters& parameters, StageTimings& timings,
                                                  const RunControl& control) const = 0;

  // Its costs. A solver without costs for a backend is never chosen by `auto` there: it is there to be compared with,
  // or carries out on the CPU what is planned for a GPU.

  /// ns of each term on one core of an AMD EPYC, where nothing was measured. 0: the term does not concern it.
  virtual std::optional<CostTerms> cpuCosts() const { return std::nullopt; }
  /// What it takes of a GPU.
  virtual std::optional<CudaCost> cudaCost() const { return std::nullopt; }
  /// How often each term counts.
  virtual CostTerms countTerms(const BatchProfile& /*profile*/, const CostScope& /*scope*/) const { return {}; }
  virtual bool canSolve(const BatchProfile& profile) const { return !traits.chainsOnly || profile.chainLength > 0; }
  /// Whether its costs are those of a solve with these parameters.
  virtual bool isCosted(const SolveParameters& /*parameters*/) const { return true; }
  /// Whether it is measured on such a batch when costs are fitted: not where that would take too long.
  virtual bool isFittedOn(const BatchProfile& /*profile*/, Backend /*backend*/) const { return true; }

  /// What verify tries on a batch, from parameters with its name and backend.
  virtual std::vector<SolveParameters> verifyVariants(const SolveParameters& parameters,
                                                      const HinesBatch& /*batch*/) const
  {
    return {parameters};
  }
  /// Whether a schedule gives the same bytes on CUDA as on the CPU: where all of its arithmetic is ours.
  virtual bool givesBytesOfCpu(const SolveParameters& /*parameters*/) const { return traits.onCpu && !traits.isChoice; }
  /// What a benchmark table measures, the usual one last.
  virtual std::vector<BenchmarkVariant> benchmarkVariants(const SolveParameters& parameters) const
  {
    return {{{}, parameters}};
  }

  // How it cuts cells, for a person who looks at it.

  /// Empty: there is nothing to choose.
  virtual std::vector<CutWay> cutWays(const SolveParameters& /*parameters*/) const { return {}; }
  virtual void chooseCut(SolveParameters& /*parameters*/, std::string_view /*name*/) const {}
  /// Empty: it cuts at no length.
  virtual std::vector<CutLength> cutLengths(const Schedule& /*schedule*/, const SolveParameters& /*parameters*/) const
  {
    return {};
  }
  /// From 1 to kLongestCut compartments.
  virtual void setCutLength(SolveParameters& /*parameters*/, std::int32_t /*compartments*/) const {}
};

/// Throws Error(BadParameter) for a name that is no solver's.
const SolverDefinition& definitionOf(SolverId solver);

/// A schedule that is a Plan. Throws Error(BadParameter) where it is another solver's.
template <typename Plan>
std::shared_ptr<const Plan> scheduleAs(const std::shared_ptr<const Schedule>& schedule);

/// Throws Error(BadParameter): the schedule is not one of that solver.
[[noreturn]] void refuseSchedule();

template <typename Plan>
std::shared_ptr<const Plan> scheduleAs(const std::shared_ptr<const Schedule>& schedule)
{
  auto plan = std::dynamic_pointer_cast<const Plan>(schedule);
  if (!plan)
    refuseSchedule();
  return plan;
}

} // namespace hinesight::hines
