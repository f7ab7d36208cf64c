#include "hines/slabs.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "hines/solvers/definition.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace hinesight::hines {

namespace {

std::size_t compartmentsOf(const HinesBatch& batch, CellRange range)
{
  return batch.offset[range.end] - batch.offset[range.begin];
}

/// Ranges that are filled up to `most` compartments, one after another.
std::vector<CellRange> fillRanges(const HinesBatch& batch, std::size_t begin, std::size_t most)
{
  std::vector<CellRange> ranges;
  while (begin < batch.cells()) {
    const auto first = batch.offset.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto beyond = std::partition_point(first + 1, batch.offset.end(),
                                             [&](std::size_t offset) { return offset - *first <= most; });
    const auto end = std::max(begin + 1, static_cast<std::size_t>(beyond - batch.offset.begin()) - 1);
    ranges.push_back({begin, end});
    begin = end;
  }
  return ranges;
}

std::vector<double> slice(const std::vector<double>& values, std::size_t begin, std::size_t end)
{
  return {values.begin() + static_cast<std::ptrdiff_t>(begin), values.begin() + static_cast<std::ptrdiff_t>(end)};
}

class SlabSolver final : public PreparedSolver
{
public:
  SlabSolver(std::shared_ptr<const HinesBatch> wholeBatch, SolveParameters partParameters, std::size_t most,
             StageTimings& timings, const RunControl& control)
      : batch(std::move(wholeBatch)), parameters(std::move(partParameters)), solver(definitionOf(parameters.solver))
  {
    requireMemory(batch->compartments() * sizeof(double), "The solution");
    x.resize(batch->compartments());
    cut(0, most);
    hold(0, timings, control);
  }

  void setRightHandSide(std::span<const double> b) override { rightHandSide.assign(b.begin(), b.end()); }

  SolveTimes solveOnce(const RunControl& control) override
  {
    SolveTimes took;
    moved = {};
    forEachSlab(moved, control, [&](PreparedSolver& slab, const SolveTimes& times, CellRange range) {
      took.permute += times.permute;
      took.solve += times.solve;
      slab.read(std::span(x).subspan(batch->offset[range.begin], compartmentsOf(*batch, range)), moved);
    });
    return took;
  }

  void read(std::span<double> solution, StageTimings& timings) override
  {
    std::ranges::copy(x, solution.begin());
    for (const Stage& stage : moved.stages)
      timings.add(stage.name, stage.milliseconds);
  }

  /// Solves once more: all that is left of a slab is the solution of its first right-hand side.
  std::vector<std::vector<double>> readAll(const HinesBatch& whole) override
  {
    std::vector<std::vector<double>> solutions;
    StageTimings ignored;
    forEachSlab(ignored, {}, [&](PreparedSolver& slab, const SolveTimes&, CellRange range) {
      const std::vector<std::vector<double>> parts = slab.readAll(*slabs[held].schedule->batch);
      solutions.resize(parts.size(), std::vector<double>(whole.compartments()));
      for (std::size_t k = 0; k < parts.size(); ++k)
        std::ranges::copy(parts[k], solutions[k].begin() + static_cast<std::ptrdiff_t>(whole.offset[range.begin]));
    });
    return solutions;
  }

private:
  struct Slab
  {
    CellRange range;
    std::shared_ptr<const Schedule> schedule; ///< null until it is solved first
  };

  /// Solves one slab after another; take(solver, SolveTimes, range) is called before it makes room for the next.
  template <typename Take>
  void forEachSlab(StageTimings& timings, const RunControl& control, Take take)
  {
    for (std::size_t k = 0; k < slabs.size(); ++k) {
      control.report("solve", static_cast<double>(batch->offset[slabs[k].range.begin]) /
                                  static_cast<double>(batch->compartments()));
      hold(k, timings, control.silenced());
      const CellRange range = slabs[k].range;
      if (!rightHandSide.empty())
        prepared->setRightHandSide(
            std::span(rightHandSide).subspan(batch->offset[range.begin], compartmentsOf(*batch, range)));
      const SolveTimes times = prepared->solveOnce(control.silenced());
      take(*prepared, times, range);
    }
  }

  /// Cuts the cells of slab k and of those behind it anew.
  void cut(std::size_t k, std::size_t most)
  {
    const std::size_t begin = k < slabs.size() ? slabs[k].range.begin : 0;
    slabs.resize(std::min(k, slabs.size()));
    for (const CellRange range : cutIntoSlabs(*batch, begin, most))
      slabs.push_back({range, nullptr});
  }

  /// Brings slab k to where it is solved, or less of it where it does not fit.
  void hold(std::size_t k, StageTimings& timings, const RunControl& control)
  {
    if (prepared && held == k)
      return;
    prepared.reset(); // makes room
    while (const std::optional<Error> lack = tryToHold(k, timings, control)) {
      const CellRange range = slabs[k].range;
      if (range.cells() == 1)
        refuseCell(range, *lack);
      // Little less than what did not fit, so that slabs are not many more than they must be.
      cut(k, compartmentsOf(*batch, range) / 4 * 3);
    }
    held = k;
  }

  /// Returns what it lacks memory for.
  std::optional<Error> tryToHold(std::size_t k, StageTimings& timings, const RunControl& control)
  {
    Slab& slab = slabs[k];
    if (!slab.schedule)
      slab.schedule = makeSchedule(partOf(*batch, slab.range), parameters, timings, control);
    try {
      prepared = solver.prepare(slab.schedule, parameters, timings, control);
      return std::nullopt;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::OutOfMemory)
        throw;
      return error;
    }
  }

  [[noreturn]] void refuseCell(CellRange range, const Error& lack) const
  {
    const std::vector<DeviceInfo> devices =
        parameters.backend == Backend::Cuda ? cudaDevices() : std::vector<DeviceInfo>();
    const CellWithoutRoom refused{range.begin, compartmentsOf(*batch, range), solver.traits.name(),
                                  devices.empty() ? availableMemoryBytes() : devices.front().freeBytes,
                                  !devices.empty()};
    throw Error(ErrorCode::OutOfMemory, whyNoRoom(refused, lack.message()));
  }

  std::shared_ptr<const HinesBatch> batch;
  SolveParameters parameters;
  const SolverDefinition& solver;
  std::vector<Slab> slabs;
  std::vector<double> rightHandSide; ///< empty: the batch's
  std::vector<double> x;
  StageTimings moved;                       ///< all but the solving of the last solve
  std::unique_ptr<PreparedSolver> prepared; ///< of slab `held`
  std::size_t held = 0;
};

} // namespace

std::string whyNoRoom(const CellWithoutRoom& refused, const std::string& lack)
{
  // Of any solver: values in the order of the batch and of its layout, and the tables of a shape.
  constexpr std::size_t kBytesPerCompartment = 128;
  const std::string cell = "Cell " + std::to_string(refused.cell + 1) + " of the batch has " +
                           std::to_string(refused.compartments) + " compartments, ";
  const std::string solver = "the " + std::string(refused.solver) + " solver";
  const std::size_t held = refused.free / kBytesPerCompartment;
  if (refused.compartments <= held)
    return cell + "for which " + solver + " found no room: " + lack;
  return cell + "but " + solver + " has " + formatBytes(refused.free) + " of memory free, which hold a cell of some " +
         std::to_string(held) + "; choose longer compartments or " +
         (refused.isOnDevice ? "the CPU backend." : "another solver.");
}

std::vector<CellRange> cutIntoSlabs(const HinesBatch& batch, std::size_t begin, std::size_t most)
{
  std::vector<CellRange> ranges = fillRanges(batch, begin, most);
  std::size_t fits = most;
  std::size_t tooFew = 0;
  while (fits - tooFew > 1) {
    const std::size_t middle = tooFew + (fits - tooFew) / 2;
    std::vector<CellRange> evener = fillRanges(batch, begin, middle);
    if (evener.size() > ranges.size()) {
      tooFew = middle;
    } else {
      fits = middle;
      ranges = std::move(evener);
    }
  }
  return ranges;
}

std::shared_ptr<const HinesBatch> partOf(const HinesBatch& batch, CellRange range)
{
  constexpr std::size_t kBytesPerCompartment = 4 * sizeof(double);
  requireMemory(compartmentsOf(batch, range) * kBytesPerCompartment,
                "A slab of " + std::to_string(range.cells()) + " cells of the batch");
  constexpr auto kUnused = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> shapeInPart(batch.shapes.size(), kUnused);
  for (std::size_t cell = range.begin; cell < range.end; ++cell)
    shapeInPart[batch.shapeOf[cell]] = 0;
  auto part = std::make_shared<HinesBatch>();
  for (std::size_t shape = 0; shape < batch.shapes.size(); ++shape)
    if (shapeInPart[shape] != kUnused) {
      shapeInPart[shape] = static_cast<std::uint32_t>(part->shapes.size());
      part->shapes.push_back(batch.shapes[shape]);
    }
  const std::size_t begin = batch.offset[range.begin];
  const std::size_t end = batch.offset[range.end];
  part->shapeOf.reserve(range.cells());
  part->offset.reserve(range.cells() + 1);
  part->offset.push_back(0);
  for (std::size_t cell = range.begin; cell < range.end; ++cell) {
    part->shapeOf.push_back(shapeInPart[batch.shapeOf[cell]]);
    part->offset.push_back(batch.offset[cell + 1] - begin);
  }
  part->d = slice(batch.d, begin, end);
  part->u = slice(batch.u, begin, end);
  part->b = slice(batch.b, begin, end);
  part->excess = slice(batch.excess, begin, end);
  return part;
}

std::unique_ptr<PreparedSolver> prepareInSlabs(const Schedule& whole, const SolveParameters& parameters,
                                               std::size_t most, StageTimings& timings, const RunControl& control)
{
  const SolveParameters named = resolve(*whole.batch, parameters, timings, control).parameters;
  return std::make_unique<SlabSolver>(whole.batch, definitionOf(named.solver).parametersForPart(whole, named), most,
                                      timings, control);
}

} // namespace hinesight::hines
