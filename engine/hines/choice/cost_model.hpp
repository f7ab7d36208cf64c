#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "hines/batch.hpp"
#include "hines/solver.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::hines {

// What a solve costs, as the `auto` solver sees it: the sum of a few terms, each a number that follows from the batch
// times a cost that follows from the device. The time is that of one solve: on CUDA of the kernels alone, since a
// simulator's data stay in the solver's layout; on the CPU with bringing the batch into the layout, since there every
// block is brought in and out while it is solved.

/// What is counted.
enum class CostTerm
{
  Start,        ///< 1: a call, a kernel launch
  Fork,         ///< 1 where several threads are started
  Compartments, ///< each by itself; on the CPU the share of the busiest thread
  VectorRows,   ///< of a compartment of cells side by side, likewise (interleaved)
  Steps,        ///< that depend on one another, as the solver goes through the largest or deepest cell
  Beyond,       ///< compartments that the caches do not hold; on CUDA those of cells too large to stay on chip
};

inline constexpr std::size_t kCostTerms = 6;

/// "start", "fork", "compartments", "vector rows", "steps", "beyond".
std::string_view costTermName(CostTerm term);

/// A number for each CostTerm.
using CostTerms = std::array<double, kCostTerms>;

/// What of a batch its solvers' times follow from.
struct BatchProfile
{
  std::size_t cells = 0;
  std::size_t compartments = 0;
  std::size_t largestCell = 0; ///< compartments
  std::size_t deepestCell = 0; ///< compartments on the longest way from a root to a tip
  std::size_t tooLarge = 0;    ///< compartments of cells that do not stay on the chip of a GPU
  std::size_t chainLength = 0; ///< of batches of chains of one length; else 0
  // As the interleaved solver takes the batch on this machine; CPU only.
  std::size_t vectorRows = 0;
  std::size_t streamed = 0;        ///< compartments of cells that are solved by themselves
  std::size_t largestStreamed = 0; ///< of these the largest, compartments
};

/// Linear in the compartments of distinct shapes and in cells. Throws Error(Cancelled).
BatchProfile profileOf(const HinesBatch& batch, Backend backend, Precision precision, const RunControl& control = {});

/// What a solver costs on a device: ns for each of the terms; 0 for those that do not concern it.
struct SolverCost
{
  SolverKind solver = SolverKind::Serial;
  CostTerms nanoseconds{};

  bool operator==(const SolverCost&) const = default;
};

struct CostModel
{
  Backend backend = Backend::Cpu;
  Precision precision = Precision::Double;
  std::string device;            ///< that the costs are of, such as "NVIDIA H200"
  bool fitted = false;           ///< measured on that device; else built in
  std::size_t cacheBytes = 0;    ///< of the CPU: what a batch may take up before its compartments count as Beyond
  std::vector<SolverCost> costs; ///< of costedSolvers

  bool operator==(const CostModel&) const = default;
};

/// The solvers that may be the fastest for some batch, the likeliest first. The others are there to be compared with,
/// or carry out on the CPU what is planned for a GPU. The tridiagonal one is among them for chains only.
std::vector<SolverKind> costedSolvers(Backend backend, Precision precision);

/// Costs for where nothing was measured: those of one core of an AMD EPYC and of an NVIDIA H200.
CostModel builtInCosts(Backend backend, Precision precision);

/// How often each term counts for a solver and a batch. `threads`: on the CPU, at least 1.
CostTerms countTerms(SolverKind solver, const BatchProfile& profile, Backend backend, int threads,
                     std::size_t cacheBytes);

/// ms.
double predictedTime(const CostModel& model, const SolverCost& cost, const BatchProfile& profile, int threads);

/// What is solved with in place of `auto`.
struct SolverChoice
{
  SolveParameters parameters; ///< as asked for, with the solver and, on the CPU, the threads
  double predicted = 0;       ///< ms; 0 where there was nothing to choose
  std::string reason;         ///< one line, such as "interleaved, 1 thread: 0.21 ms expected; multicore 0.85 ms (...)"
};

/// The solver that the model expects to be the fastest; of equal ones the first of costedSolvers, of equal numbers of
/// threads the smaller. The same for the same profile, parameters and model.
SolverChoice chooseSolver(const BatchProfile& profile, const SolveParameters& asked, const CostModel& model);

} // namespace hinesight::hines
