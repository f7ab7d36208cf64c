#include "hines/solvers/interleaved/interleaved_rows.hpp"

#include "core/pages.hpp"
#include "core/parallel.hpp"

#include <algorithm>
#include <utility>

namespace hinesight::hines::detail {

namespace {

constexpr std::size_t kLine = 64;

/// Compartments that are brought from one cell before the next: a cache line of the batch.
constexpr std::size_t kTile = kLine / sizeof(double);

} // namespace

template <typename Real>
Real* AlignedMemory<Real>::ofSize(std::size_t count)
{
  if (count <= size)
    return memory.get();
  memory.reset();
  size = 0;
  const std::size_t bytes = count * sizeof(Real);
  const std::size_t boundary = bytes >= kLargePageBytes ? kLargePageBytes : kLine;
  memory = {new (std::align_val_t{boundary}) Real[count], Free{boundary}};
  if (boundary == kLargePageBytes) // sixteen lanes touch many pages
    adviseLargePages(memory.get(), bytes);
  size = count;
  return memory.get();
}

template <typename Real>
InterleavedStore<Real>::InterleavedStore(const HinesBatch& storedBatch, const InterleavedPlan& interleavedPlan,
                                         std::vector<std::size_t> lanes, int threadCount, const RunControl& control)
    : batch(storedBatch), plan(interleavedPlan), lanesOf(std::move(lanes)), threads(threadCount)
{
  for (AlignedMemory<Real>* memory : {&excess, &u, &b, &x})
    memory->ofSize(plan.slotCount);
  bring(batch.excess, excess.data(), control);
  bring(batch.u, u.data(), control);
}

template <typename Real>
void InterleavedStore<Real>::setRightHandSide(std::span<const double> values)
{
  rightHandSide.assign(values.begin(), values.end());
  isRightHandSideNew = true;
}

template <typename Real>
bool InterleavedStore<Real>::update(const RunControl& control)
{
  if (!isRightHandSideNew)
    return false;
  bring(rightHandSide.empty() ? std::span(batch.b) : std::span<const double>(rightHandSide), b.data(), control);
  isRightHandSideNew = false;
  return true;
}

template <typename Real>
void InterleavedStore<Real>::bring(std::span<const double> values, Real* to, const RunControl& control) const
{
  const std::size_t groups = plan.groups.size();
  parallelFor(
      groups + plan.streamedCells.size(), 1,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
          control.checkpoint();
          if (k < groups) {
            bringGroup(plan.groups[k], values, to);
            continue;
          }
          const std::uint32_t cell = plan.streamedCells[k - groups];
          const std::size_t first = batch.offset[cell];
          std::ranges::transform(values.subspan(first, batch.offset[cell + 1] - first),
                                 to + plan.streamBegin[k - groups],
                                 [](double value) { return static_cast<Real>(value); });
        }
      },
      threads);
}

template <typename Real>
void InterleavedStore<Real>::bringGroup(const InterleavedGroup& group, std::span<const double> values, Real* to) const
{
  const std::size_t lanes = lanesOf[group.width];
  const std::size_t n = batch.shapes[group.shape]->size();
  for (std::size_t tile = 0; tile < n; tile += kTile)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      // Lanes without a cell of their own repeat the last one.
      const std::size_t cell = plan.groupedCells[group.cellBegin + std::min(lane, group.cells - 1)];
      const double* from = values.data() + batch.offset[cell];
      for (std::size_t i = tile; i < std::min(n, tile + kTile); ++i)
        to[group.slotBegin + i * lanes + lane] = static_cast<Real>(from[i]);
    }
}

template <typename Real>
void InterleavedStore<Real>::readGroup(const InterleavedGroup& group, std::span<double> solution) const
{
  const std::size_t lanes = lanesOf[group.width];
  const std::size_t n = batch.shapes[group.shape]->size();
  for (std::size_t tile = 0; tile < n; tile += kTile)
    for (std::size_t lane = 0; lane < group.cells; ++lane) {
      double* to = solution.data() + batch.offset[plan.groupedCells[group.cellBegin + lane]];
      for (std::size_t i = tile; i < std::min(n, tile + kTile); ++i)
        to[i] = x.data()[group.slotBegin + i * lanes + lane];
    }
}

template <typename Real>
void InterleavedStore<Real>::read(std::span<double> solution) const
{
  const std::size_t groups = plan.groups.size();
  parallelFor(
      groups + plan.streamedCells.size(), 1,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
          if (k < groups) {
            readGroup(plan.groups[k], solution);
            continue;
          }
          const std::uint32_t cell = plan.streamedCells[k - groups];
          const std::size_t first = batch.offset[cell];
          std::copy_n(x.data() + plan.streamBegin[k - groups], batch.offset[cell + 1] - first,
                      solution.begin() + static_cast<std::ptrdiff_t>(first));
        }
      },
      threads);
}

template class AlignedMemory<double>;
template class AlignedMemory<float>;
template class InterleavedStore<double>;
template class InterleavedStore<float>;

} // namespace hinesight::hines::detail
