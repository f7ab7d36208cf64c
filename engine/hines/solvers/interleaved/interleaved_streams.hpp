#pragma once

#include "core/run_control.hpp"
#include "hines/solvers/interleaved/interleaved_sweep.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace hinesight::hines::detail {

/// A cell and where its rows begin in the batch.
struct StreamedCell
{
  InterleavedShape shape;
  std::size_t offset = 0;
};

/// Solves cells of any shapes, several at a time in scalar arithmetic: one sweep waits for a division and the memory
/// most of its time, and the processor fills that time with the others. The memory is kept for the next call.
template <typename Real>
class StreamSweep
{
public:
  /// Cells that are under way at a time.
  static constexpr std::size_t kStreams = 8;

  /// Solves what `next` gives until it gives none. Throws Error(Cancelled).
  void run(const InterleavedRows<Real>& rows, const std::function<std::optional<StreamedCell>()>& next,
           const RunControl& control);

private:
  struct Stream
  {
    const std::int32_t* parent = nullptr;
    const Real* u = nullptr;
    double* excess = nullptr; ///< once eliminated: the factor f = u / (s - u); in double precision (InterleavedSweep)
    Real* x = nullptr;        ///< the right-hand side; once eliminated b / (s - u); at last the solution
    std::size_t left = 0;     ///< compartments that the present sweep has still to do
    std::size_t compartments = 0;
    bool isForward = false;
    std::vector<double> eliminated;
  };

  void start(Stream& stream, const InterleavedRows<Real>& rows, const StreamedCell& cell);
  void advance(bool isForward);

  Stream streams[kStreams];
};

} // namespace hinesight::hines::detail
