#pragma once

#include "core/device_model.hpp"
#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "hines/batch.hpp"
#include "hines/precision.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace hinesight::hines {

class Schedule;

// What a solve costs, as the `auto` solver sees it: the sum of a few terms, each a number that follows from the batch
// times a cost that follows from the device. The time is that of one solve: on CUDA of the kernels alone, since a
// simulator's data stay in the solver's layout; on the CPU with bringing the batch into the layout, since there every
// block is brought in and out while it is solved.
//
// On CUDA a solver says what it takes of a GPU (CudaCost), and the model of the GPU makes ns of that: so solves are
// predicted for GPUs that are not here. What a GPU does side by side is in the counts: compartments are those that
// whole waves of blocks have room for, and steps those that the transfer of compartments does not hide.

/// What is counted.
enum class CostTerm
{
  Start,        ///< 1: a call, a kernel launch
  Fork,         ///< 1 where several threads are started
  Compartments, ///< each by itself; on the CPU the share of the busiest thread, on CUDA with idle places of blocks
  VectorRows,   ///< of a compartment of cells side by side, likewise (interleaved)
  Steps,        ///< that depend on one another, as the solver goes through the largest or deepest cell
  Beyond,       ///< compartments that the caches do not hold; on CUDA those of cells too large to stay on chip, or all
                ///< where they are moved apart (CudaCost)
};

inline constexpr std::size_t kCostTerms = 6;

/// "start", "fork", "compartments", "vector rows", "steps", "beyond".
std::string_view costTermName(CostTerm term);

/// A number for each CostTerm.
using CostTerms = std::array<double, kCostTerms>;

inline double& termOf(CostTerms& terms, CostTerm term)
{
  return terms[static_cast<std::size_t>(term)];
}
inline double termOf(const CostTerms& terms, CostTerm term)
{
  return terms[static_cast<std::size_t>(term)];
}

/// What so many of each term take, ns.
double timeOf(const CostTerms& counts, const CostTerms& costs);

/// Cells of one shape.
struct ShapeProfile
{
  std::size_t compartments = 0; ///< of a cell
  std::size_t cells = 0;
  std::size_t depth = 0; ///< compartments on the longest way from a root to a tip
  bool isChain = false;
};

/// What of a batch its solvers' times follow from.
struct BatchProfile
{
  std::size_t cells = 0;
  std::size_t compartments = 0;
  std::size_t largestCell = 0; ///< compartments
  std::size_t deepestCell = 0; ///< ShapeProfile::depth of it
  std::size_t chainLength = 0; ///< of batches of chains of one length; else 0
  std::vector<ShapeProfile> shapes;
};

/// Linear in the compartments of distinct shapes and in cells. Throws Error(Cancelled).
BatchProfile profileOf(const HinesBatch& batch, const RunControl& control = {});
/// Of each shape of the batch, in its order, without its cells. Throws Error(Cancelled).
std::vector<ShapeProfile> profileShapes(const HinesBatch& batch, const RunControl& control = {});
/// Of a batch of so many cells of those shapes.
BatchProfile profileOf(std::vector<ShapeProfile> shapes);

/// Where a solve is counted.
struct CostScope
{
  Backend backend = Backend::Cpu;
  Precision precision = Precision::Double;
  int threads = 1;                    ///< on the CPU, at least 1
  std::size_t cacheBytes = 0;         ///< of the CPU: what a batch may take up before its compartments count as Beyond
  DeviceModel device{};               ///< of CUDA: the GPU
  const Schedule* schedule = nullptr; ///< that is executed, where it is known
  /// Where shares of a batch are compared (hines/shares.hpp): the compartments of an even one; else 0.
  std::size_t evenShare = 0;
};

/// What a solver takes of a GPU, whatever the GPU. Fitted to solves on an H200.
struct CudaCost
{
  double start = 0;        ///< ns, of launches and their ends
  double stepClocks = 0;   ///< from one step to the next that waits for it
  double bytes = 0;        ///< that a compartment moves in double precision; in single it is half of them
  double multiplyAdds = 0; ///< that a compartment takes, a division as many as it is made of
  double doubleClocks = 0; ///< of a multiprocessor, that the instructions of a compartment take in double precision
  double singleClocks = 0; ///< the same in single
  double beyondClocks = 0; ///< of the GPU, a compartment of a cell too large to stay on chip
  bool movesApart = false; ///< while compartments are moved, nothing is computed: their transfer counts as Beyond
  bool isChecked = false;  ///< most solves of more than 20 us on an H100 took what this predicts, within 15 %
};

/// Bytes a second that memory gives to copies, of those that its clock and bus allow.
inline constexpr double kBandwidthShare = 0.885;

/// ns of each term on a GPU. A compartment takes the longest of what its arithmetic, its instructions and, where they
/// are not moved apart, its bytes take, since a multiprocessor does them side by side.
CostTerms costsOn(const DeviceModel& device, const CudaCost& cost, Precision precision);

/// Takes away the steps that go on while compartments, `overlapping` ns each, are moved or computed.
void hideSteps(CostTerms& counts, const CostTerms& costs, double overlapping);

/// Of `bytes` that a solve reads again, the share that comes from memory: what goes beyond the L2 cache. Of that a
/// third is of use, since each half of the cache keeps copies of what the other half has.
double missedShare(const DeviceModel& device, double bytes);

/// A sweep of one core over one cell after another, cells shared out among the threads.
CostTerms countSweeps(const BatchProfile& profile, const CostScope& scope);
/// The same without the compartments: a start, the threads and what the caches do not hold.
CostTerms countCalls(const BatchProfile& profile, const CostScope& scope);
/// One launch over all compartments, in which so many steps wait for one another.
CostTerms countLaunch(const BatchProfile& profile, double steps);
/// log2(count + 1): the steps of a reduction over so many.
double reductionSteps(std::size_t count);

} // namespace hinesight::hines
