#pragma once

#include "core/device.hpp"
#include "core/parallel.hpp"
#include "core/stage_timings.hpp"
#include "hines/solvers/edd/edd_execution.hpp"
#include "hines/solvers/edd/edd_solver.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace hinesight::hines::detail {

/// What the solvers on the CPU have in common: the values, and recursions over all cells. Who derives from it solves.
template <typename Real>
class EddHostSolver : public EddSolver
{
public:
  void setRightHandSide(std::span<const double> values) override { layOutRightHandSides(values, {}); }

  void read(std::span<double> solution, StageTimings& timings) override
  {
    const Stopwatch watch;
    readColumn(0, solution);
    timings.add("permute", watch.elapsed());
  }

  std::int32_t columnCount() const override { return static_cast<std::int32_t>(columns); }

  void readColumn(std::int32_t column, std::span<double> solution) override
  {
    forEachRow({}, [&](std::size_t row, std::size_t slot) {
      solution[row] = x[static_cast<std::size_t>(column) * plan->slotCount + slot];
    });
  }

protected:
  /// `solvesAgain`: with the same factors within one solve; `firstRecursion`: of those that are run here.
  EddHostSolver(std::shared_ptr<const EddPlan> eddPlan, const EddParameters& parameters, int threadCount,
                const RunControl& control, bool solvesAgain = false, std::size_t firstRecursion = 0)
      : plan(std::move(eddPlan)), tables(*plan), threads(threadCount), first(firstRecursion),
        columns(static_cast<std::size_t>(parameters.rightHandSides)), keepFactors(parameters.keepFactors),
        inOnePhase(columns == 1 && !keepFactors && !solvesAgain)
  {
    const std::size_t rows = plan->batch->compartments();
    const std::size_t slotCount = plan->slotCount;
    const std::size_t contributions = plan->contributionCount;
    const std::size_t valuesASlot = (inOnePhase ? 4 : 5) + columns;
    requireMemory((rows * columns + slotCount * valuesASlot + contributions * (1 + columns)) * sizeof(Real),
                  "The solution");
    // The first touch of fresh memory is a good part of the work.
    const auto allocate = [&](std::vector<Real>& values, std::size_t count) {
      control.checkpoint();
      values.resize(count);
    };
    for (std::vector<Real>* values : {&excess, &u, &w, &v})
      allocate(*values, slotCount);
    allocate(reciprocal, inOnePhase ? 0 : slotCount);
    allocate(b, rows * columns);
    allocate(x, slotCount * columns);
    allocate(contributionExcess, contributions);
    allocate(contributionB, contributions * columns);
    makeChunks();
    layOutMatrix(control);
    layOutRightHandSides(plan->batch->b, control);
  }

  EddView<Real> view()
  {
    return {tables.shapes.data(),
            tables.levels.data(),
            tables.pieces.data(),
            tables.numbers.data(),
            tables.units.data(),
            excess.data(),
            u.data(),
            w.data(),
            v.data(),
            reciprocal.data(),
            b.data(),
            x.data(),
            contributionExcess.data(),
            contributionB.data(),
            plan->batch->compartments(),
            plan->slotCount,
            plan->contributionCount};
  }

  /// The recursions up to the serial sweep and that, whatever has to be done of them in a solve.
  void runRecursions(const RunControl& control)
  {
    if (inOnePhase) {
      contractAll<EddPhase::Both>(view(), 1, control);
      return;
    }
    if (!keepFactors)
      contractAll<EddPhase::Factor>(view(), 1, control);
    contractAll<EddPhase::Solve>(view(), columns, control);
  }

  template <EddPhase phase>
  void contractAll(const EddView<Real>& values, std::size_t columnCount, const RunControl& control)
  {
    for (std::size_t number = first; number < chunks.size(); ++number)
      forEachChunk(number, columnCount, control, [&](const Chunk& chunk, std::size_t column) {
        for (std::uint32_t t = chunk.begin; t < chunk.end; ++t)
          edd::contract<phase>(values, plan->units[chunk.unit], static_cast<std::int32_t>(number), t, column);
      });
    parallelFor(
        plan->units.size() * columnCount, 1,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t k = begin; k < end; ++k) {
            control.checkpoint();
            const EddUnit& unit = plan->units[k % plan->units.size()];
            for (std::size_t cell = 0; cell < unit.cells; ++cell)
              edd::finish<phase>(values, unit, cell, k / plan->units.size());
          }
        },
        threads);
  }

  void expandAll(const EddView<Real>& values, const RunControl& control)
  {
    for (std::size_t number = chunks.size(); number-- > first;)
      forEachChunk(number, columns, control, [&](const Chunk& chunk, std::size_t column) {
        for (std::uint32_t t = chunk.begin; t < chunk.end; ++t)
          edd::expand(values, plan->units[chunk.unit], static_cast<std::int32_t>(number), t, column);
      });
  }

  std::shared_ptr<const EddPlan> plan;
  EddTables tables;
  int threads;
  std::size_t first;
  std::size_t columns;
  bool keepFactors;
  bool inOnePhase; ///< factors and right-hand side together, reciprocals not kept
  std::vector<Real> excess, u, w, v, reciprocal, b, x, contributionExcess, contributionB;

private:
  /// Pieces [begin, end) of a unit, numbered as edd::contract does.
  struct Chunk
  {
    std::uint32_t unit;
    std::uint32_t begin, end;
  };

  void makeChunks()
  {
    constexpr std::uint32_t kPieces = 4096;
    chunks.resize(static_cast<std::size_t>(plan->depth()));
    for (std::size_t number = 0; number < chunks.size(); ++number)
      for (std::uint32_t unit = 0; unit < plan->units.size(); ++unit) {
        const EddShape& shape = plan->shapes[plan->units[unit].shape];
        if (number >= shape.levels.size())
          continue;
        const auto pieces = static_cast<std::uint32_t>(shape.levels[number].pieces.size()) * plan->units[unit].cells;
        for (std::uint32_t begin = 0; begin < pieces; begin += kPieces)
          chunks[number].push_back({unit, begin, std::min(pieces, begin + kPieces)});
      }
  }

  /// Calls f(row of the batch, slot) for every compartment.
  template <typename Function>
  void forEachRow(const RunControl& control, Function f) const
  {
    parallelFor(
        plan->units.size(), 1,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t k = begin; k < end; ++k) {
            control.checkpoint();
            const EddUnit& unit = plan->units[k];
            const std::vector<std::int32_t>& slotOf = plan->shapes[unit.shape].slotOf;
            for (std::size_t c = 0; c < unit.cells; ++c) {
              const std::size_t row = plan->batch->offset[plan->cellOrder[unit.cellBegin + c]];
              for (std::size_t i = 0; i < slotOf.size(); ++i) {
                if (i % kRowsBetweenCheckpoints == 0)
                  control.checkpoint();
                f(row + i, unit.slotBegin + static_cast<std::size_t>(slotOf[i]) * unit.cells + c);
              }
            }
          }
        },
        threads);
  }

  void layOutMatrix(const RunControl& control)
  {
    forEachRow(control, [&](std::size_t row, std::size_t slot) {
      excess[slot] = static_cast<Real>(plan->batch->excess[row]);
      u[slot] = static_cast<Real>(plan->batch->u[row]);
    });
  }

  void layOutRightHandSides(std::span<const double> values, const RunControl& control)
  {
    const std::size_t units = plan->units.size();
    parallelFor(
        units * columns, 1,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t k = begin; k < end; ++k) {
            control.checkpoint();
            layOutRightHandSide(plan->units[k % units], k / units, values, control);
          }
        },
        threads);
  }

  /// Right-hand side `column` of a unit from the first one.
  void layOutRightHandSide(const EddUnit& unit, std::size_t column, std::span<const double> values,
                           const RunControl& control)
  {
    const HinesBatch& batch = *plan->batch;
    Real* to = b.data() + column * batch.compartments();
    const std::vector<std::int32_t>& slotOf = plan->shapes[unit.shape].slotOf;
    for (std::size_t c = 0; c < unit.cells; ++c) {
      const std::uint32_t cell = plan->cellOrder[unit.cellBegin + c];
      const double shift = eddColumnShift(cell, static_cast<std::uint32_t>(column));
      for (std::size_t i = 0; i < slotOf.size(); ++i) {
        if (i % kRowsBetweenCheckpoints == 0)
          control.checkpoint();
        const std::size_t row = batch.offset[cell] + i;
        to[unit.rowBegin + static_cast<std::size_t>(slotOf[i]) * unit.cells + c] =
            static_cast<Real>(values[row] + shift * batch.excess[row]);
      }
    }
  }

  /// Calls f(chunk, column) over the chunks of a recursion and the columns.
  template <typename Function>
  void forEachChunk(std::size_t number, std::size_t columnCount, const RunControl& control, Function f)
  {
    const std::vector<Chunk>& list = chunks[number];
    parallelFor(
        list.size() * columnCount, 1,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t k = begin; k < end; ++k) {
            control.checkpoint();
            f(list[k % list.size()], k / list.size());
          }
        },
        threads);
  }

  static constexpr std::size_t kRowsBetweenCheckpoints = std::size_t{1} << 16;

  std::vector<std::vector<Chunk>> chunks; ///< of each recursion
};

} // namespace hinesight::hines::detail
