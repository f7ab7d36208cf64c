#include "core/error.hpp"
#include "core/parallel.hpp"
#include "hines/solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <string>

namespace hinesight::hines {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// numerator / denominator of two norms; infinite for what is no number, so that it passes no tolerance.
double ratio(double numerator, double denominator)
{
  if (numerator == 0 && std::isfinite(denominator))
    return 0;
  const double value = numerator / denominator;
  return std::isfinite(value) ? value : kInfinity;
}

/// Greater of two magnitudes; unlike std::max it never loses a NaN.
double greater(double a, double b)
{
  return a >= b ? a : std::isnan(a) ? a : b;
}

/// Room for one cell's reference solution and residual.
struct Scratch
{
  std::vector<double> excess, x, residual;
};

double differenceFromSerial(const HinesBatch& batch, std::size_t cell, std::span<const double> x, Scratch& scratch,
                            const RunControl& control)
{
  const std::size_t begin = batch.offset[cell];
  const std::size_t n = batch.offset[cell + 1] - begin;
  const auto at = static_cast<std::ptrdiff_t>(begin);
  scratch.excess.assign(batch.excess.begin() + at, batch.excess.begin() + at + static_cast<std::ptrdiff_t>(n));
  scratch.x.assign(batch.b.begin() + at, batch.b.begin() + at + static_cast<std::ptrdiff_t>(n));
  sweepSerially(batch.shapes[batch.shapeOf[cell]]->parent, scratch.excess, std::span(batch.u).subspan(begin, n),
                scratch.x, control);
  double difference = 0;
  double magnitude = 0;
  for (std::size_t i = 0; i < n; ++i) {
    difference = greater(difference, std::abs(x[begin + i] - scratch.x[i]));
    magnitude = greater(magnitude, std::abs(scratch.x[i]));
  }
  return ratio(difference, magnitude);
}

double residualOf(const HinesBatch& batch, std::size_t cell, std::span<const double> x, Scratch& scratch)
{
  const std::size_t begin = batch.offset[cell];
  const std::vector<std::int32_t>& parent = batch.shapes[batch.shapeOf[cell]]->parent;
  const double* d = batch.d.data() + begin;
  const double* u = batch.u.data() + begin;
  const double* b = batch.b.data() + begin;
  const double* value = x.data() + begin;
  scratch.residual.assign(parent.size(), 0);
  double matrix = 0;
  double solution = 0;
  double rightHandSide = 0;
  for (std::size_t i = 0; i < parent.size(); ++i) {
    scratch.residual[i] += d[i] * value[i] - b[i];
    matrix = greater(matrix, std::abs(d[i]));
    solution = greater(solution, std::abs(value[i]));
    rightHandSide = greater(rightHandSide, std::abs(b[i]));
    if (parent[i] < 0)
      continue;
    const auto p = static_cast<std::size_t>(parent[i]);
    scratch.residual[i] += u[i] * value[p];
    scratch.residual[p] += u[i] * value[i];
    matrix = greater(matrix, std::abs(u[i]));
  }
  double residual = 0;
  for (const double r : scratch.residual)
    residual = greater(residual, std::abs(r));
  return ratio(residual, matrix * solution + rightHandSide);
}

} // namespace

Accuracy checkAccuracy(const HinesBatch& batch, std::span<const double> x, const RunControl& control, int threads)
{
  if (x.size() != batch.compartments())
    throw Error(ErrorCode::BadParameter, "The solution has " + std::to_string(x.size()) +
                                             " values, but the batch has " + std::to_string(batch.compartments()) +
                                             " compartments.");
  Accuracy worst;
  std::mutex mutex;
  parallelFor(
      batch.cells(), 16,
      [&](std::size_t begin, std::size_t end) {
        Scratch scratch;
        Accuracy mine;
        for (std::size_t cell = begin; cell < end; ++cell) {
          control.checkpoint();
          mine.maxRelativeDifference =
              std::max(mine.maxRelativeDifference, differenceFromSerial(batch, cell, x, scratch, control));
          mine.relativeResidual = std::max(mine.relativeResidual, residualOf(batch, cell, x, scratch));
        }
        const std::lock_guard lock(mutex);
        worst.maxRelativeDifference = std::max(worst.maxRelativeDifference, mine.maxRelativeDifference);
        worst.relativeResidual = std::max(worst.relativeResidual, mine.relativeResidual);
      },
      threads);
  return worst;
}

} // namespace hinesight::hines
