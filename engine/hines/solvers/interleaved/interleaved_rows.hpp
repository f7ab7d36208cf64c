#pragma once

#include "core/run_control.hpp"
#include "hines/solvers/interleaved/interleaved_plan.hpp"
#include "hines/solvers/interleaved/interleaved_sweep.hpp"

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace hinesight::hines::detail {

/// Memory on the boundary of a cache line that is not filled beforehand.
template <typename Real>
class AlignedMemory
{
public:
  /// At least `count` numbers; what was there is lost where more are wanted than ever before.
  Real* ofSize(std::size_t count);
  Real* data() const { return memory.get(); }

private:
  struct Free
  {
    std::size_t boundary = 0;
    void operator()(Real* pointer) const { ::operator delete[](pointer, std::align_val_t{boundary}); }
  };
  std::unique_ptr<Real[], Free> memory;
  std::size_t size = 0;
};

/// The numbers of a batch in the order and precision in which they are solved: of a group's cells one row of lanes a
/// compartment, of a streamed cell compartment after compartment.
template <typename Real>
class InterleavedStore
{
public:
  /// `lanes`: those that the plan was made for. `plan` and `batch` must outlive it.
  InterleavedStore(const HinesBatch& batch, const InterleavedPlan& plan, std::vector<std::size_t> lanes, int threads,
                   const RunControl& control);

  /// In the order of the batch, to be brought into the layout by the next update().
  void setRightHandSide(std::span<const double> b);
  /// Brings a right-hand side that has not been yet into the layout, and says whether there was one. The sweeps leave
  /// it as it is.
  bool update(const RunControl& control);
  /// The solution in the order of the batch.
  void read(std::span<double> solution) const;

  /// The rows of what begins at such a slot.
  InterleavedRows<Real> rowsAt(std::size_t slot) const
  {
    return {excess.data() + slot, u.data() + slot, b.data() + slot, x.data() + slot};
  }

  /// What it takes, the copy of a right-hand side included.
  static std::size_t bytes(const InterleavedPlan& plan) { return plan.slotCount * (4 * sizeof(Real) + sizeof(double)); }

private:
  void bring(std::span<const double> values, Real* to, const RunControl& control) const;
  void bringGroup(const InterleavedGroup& group, std::span<const double> values, Real* to) const;
  void readGroup(const InterleavedGroup& group, std::span<double> solution) const;

  const HinesBatch& batch;
  const InterleavedPlan& plan;
  std::vector<std::size_t> lanesOf; ///< per width
  int threads;
  AlignedMemory<Real> excess, u, b, x;
  std::vector<double> rightHandSide; ///< empty: the batch's
  bool isRightHandSideNew = true;
};

} // namespace hinesight::hines::detail
