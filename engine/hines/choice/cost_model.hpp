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
  DeviceModel gpu{};             ///< of CUDA: the device that solves are counted for
  std::size_t cacheBytes = 0;    ///< of the CPU: what a batch may take up before its compartments count as Beyond
  std::vector<SolverCost> costs; ///< of costedSolvers

  bool operator==(const CostModel&) const = default;
};

/// The solvers that have costs there, and so may be the fastest for some batch; in the order of allSolvers. Solvers of
/// chains are among them for chains only.
std::vector<SolverId> costedSolvers(Backend backend, Precision precision);

/// Costs for where nothing was measured: those of one core of an AMD EPYC, and on CUDA those that the model of
/// planningDevice(gpu) gives (CudaCost).
CostModel builtInCosts(Backend backend, Precision precision, Gpu gpu = Gpu::Here);

/// ms. `schedule`: that is executed, where it is known.
double predictedTime(const CostModel& model, const SolverCost& cost, const BatchProfile& profile, int threads,
                     const Schedule* schedule = nullptr);

/// Where solves by that model are counted.
CostScope scopeOf(const CostModel& model, int threads, const Schedule* schedule = nullptr);

/// What a solve is expected to take.
struct Prediction
{
  double milliseconds = 0;
  std::string device;    ///< that the costs are of
  bool measured = false; ///< on this machine
  bool checked = false;  ///< predictions for such a GPU were compared with solves on one (docs/benchmarks.md)
  Backend backend = Backend::Cpu;
};

/// How far the time can be relied on: "predicted for an NVIDIA T4 (not checked against one)", "predicted by costs
/// measured on NVIDIA H200".
std::string originText(const Prediction& prediction);

/// By the model, with the threads that are asked for; nullopt where it has no costs of such a solve, or the solver
/// cannot do the batch. `schedule`: that is executed, where it is known.
std::optional<Prediction> predict(const BatchProfile& profile, const SolveParameters& parameters,
                                  const CostModel& model, const Schedule* schedule = nullptr);

/// The solver that the model expects to be the fastest; of equal ones the first of costedSolvers, of equal numbers of
/// threads the smaller. The same for the same profile, parameters and model.
SolverChoice chooseSolver(const BatchProfile& profile, const SolveParameters& asked, const CostModel& model);

} // namespace hinesight::hines
