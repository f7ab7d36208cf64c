#pragma once

#include "hines/solver.hpp"
#include "hines/solvers/cost_terms.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hinesight::hines {

/// What a solver costs on a device: ns for each of the terms; 0 for those that do not concern it.
struct SolverCost
{
  SolverId solver;
  CostTerms nanoseconds{};

  bool operator==(const SolverCost&) const = default;
};

struct CostModel
{
  Backend backend = Backend::Cpu;
  Precision precision = Precision::Double;
  std::string device;            ///< that the costs are of, such as "NVIDIA H200"
  bool fitted = false;           ///< measured by this program where it runs; else built in
  std::size_t cacheBytes = 0;    ///< of the CPU: what a batch may take up before its compartments count as Beyond
  std::vector<SolverCost> costs; ///< of costedSolvers

  bool operator==(const CostModel&) const = default;
};

/// The solvers that have costs there, and so may be the fastest for some batch; in the order of allSolvers. Solvers of
/// chains are among them for chains only.
std::vector<SolverId> costedSolvers(Backend backend, Precision precision);

/// Costs for where nothing was measured: those of one core of an AMD EPYC and of an NVIDIA H200.
CostModel builtInCosts(Backend backend, Precision precision);

/// ms.
double predictedTime(const CostModel& model, const SolverCost& cost, const BatchProfile& profile, int threads);

/// What a solve is expected to take.
struct Prediction
{
  double milliseconds = 0;
  std::string device;    ///< that the costs are of
  bool measured = false; ///< on this machine
};

/// By the model, with the threads that are asked for; nullopt where it has no costs of the solver, or the solver cannot
/// do the batch.
std::optional<Prediction> predict(const BatchProfile& profile, const SolveParameters& parameters,
                                  const CostModel& model);

/// The solver that the model expects to be the fastest; of equal ones the first of costedSolvers, of equal numbers of
/// threads the smaller. The same for the same profile, parameters and model.
SolverChoice chooseSolver(const BatchProfile& profile, const SolveParameters& asked, const CostModel& model);

} // namespace hinesight::hines
