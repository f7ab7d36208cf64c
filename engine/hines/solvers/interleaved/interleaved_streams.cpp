#include "hines/solvers/interleaved/interleaved_streams.hpp"

#include <algorithm>
#include <array>

namespace hinesight::hines::detail {

namespace {

/// Compartments that streams advance between two looks at who is done.
constexpr std::size_t kMostSteps = 4096;

/// A stream inside the loops: all it needs, by value.
template <typename Real>
struct Cursor
{
  const std::int32_t* parent;
  const Real* u;
  double* excess;
  Real* x;
  std::size_t at;
};

/// Eliminates the compartment before `at`. Without a branch on the shape: a root is its own parent and gets zeros.
template <typename Real>
inline void eliminateOne(Cursor<Real>& c)
{
  const std::size_t i = --c.at;
  const auto p = static_cast<std::size_t>(c.parent[i]);
  const double u = p == i ? 0.0 : static_cast<double>(c.u[i]);
  const double s = c.excess[i];
  const Real r = c.x[i];
  const double reciprocal = 1 / (s - u);
  const double f = u * reciprocal;
  c.excess[i] = f;
  c.x[i] = r * static_cast<Real>(reciprocal);
  c.excess[p] -= f * s;
  c.x[p] -= static_cast<Real>(f) * r;
}

template <typename Real>
inline void substituteOne(Cursor<Real>& c)
{
  const std::size_t i = c.at++;
  c.x[i] -= static_cast<Real>(c.excess[i]) * c.x[static_cast<std::size_t>(c.parent[i])];
}

template <typename Real, std::size_t kCount>
void advanceTogether(const std::array<Cursor<Real>, kCount>& from, std::size_t steps, bool isForward)
{
  std::array<Cursor<Real>, kCount> cursors = from;
  if (isForward)
    for (std::size_t step = 0; step < steps; ++step)
      for (Cursor<Real>& cursor : cursors)
        substituteOne(cursor);
  else
    for (std::size_t step = 0; step < steps; ++step)
      for (Cursor<Real>& cursor : cursors)
        eliminateOne(cursor);
}

/// Calls the loop that was compiled for so many streams.
template <typename Real, std::size_t kCount>
void dispatch(const Cursor<Real>* cursors, std::size_t count, std::size_t steps, bool isForward)
{
  if (count < kCount) {
    if constexpr (kCount > 1)
      dispatch<Real, kCount - 1>(cursors, count, steps, isForward);
    return;
  }
  std::array<Cursor<Real>, kCount> together;
  std::copy_n(cursors, kCount, together.begin());
  advanceTogether<Real, kCount>(together, steps, isForward);
}

} // namespace

template <typename Real>
void StreamSweep<Real>::start(Stream& stream, const InterleavedRows<Real>& rows, const StreamedCell& cell)
{
  const std::size_t n = cell.shape.compartments;
  const Real* excess = rows.excess + cell.offset;
  stream.eliminated.assign(excess, excess + n);
  stream.parent = cell.shape.parent;
  stream.u = rows.u + cell.offset;
  stream.excess = stream.eliminated.data();
  stream.x = rows.x + cell.offset;
  std::copy_n(rows.b + cell.offset, n, stream.x);
  stream.left = n;
  stream.compartments = n;
  stream.isForward = false;
}

template <typename Real>
void StreamSweep<Real>::advance(bool isForward)
{
  std::array<Cursor<Real>, kStreams> cursors;
  std::size_t count = 0;
  std::size_t steps = kMostSteps;
  const auto takesPart = [&](const Stream& s) { return s.left > 0 && s.isForward == isForward; };
  for (const Stream& s : streams)
    if (takesPart(s)) {
      cursors[count++] = {s.parent, s.u, s.excess, s.x, isForward ? s.compartments - s.left : s.left};
      steps = std::min(steps, s.left);
    }
  if (count == 0)
    return;
  dispatch<Real, kStreams>(cursors.data(), count, steps, isForward);
  for (Stream& s : streams)
    if (takesPart(s))
      s.left -= steps;
}

template <typename Real>
void StreamSweep<Real>::run(const InterleavedRows<Real>& rows, const std::function<std::optional<StreamedCell>()>& next,
                            const RunControl& control)
{
  for (Stream& stream : streams) // a cancelled run may have left some under way
    stream.left = stream.compartments = 0;
  bool thereAreMore = true;
  while (true) {
    control.checkpoint();
    bool isBusy = false;
    for (Stream& stream : streams) {
      if (stream.left == 0 && stream.compartments > 0 && !stream.isForward) {
        stream.isForward = true;
        stream.left = stream.compartments;
      }
      if (stream.left == 0 && thereAreMore) {
        const std::optional<StreamedCell> cell = next();
        thereAreMore = cell.has_value();
        if (cell)
          start(stream, rows, *cell);
      }
      isBusy = isBusy || stream.left > 0;
    }
    if (!isBusy)
      return;
    advance(false);
    advance(true);
  }
}

template class StreamSweep<double>;
template class StreamSweep<float>;

} // namespace hinesight::hines::detail
