#include "core/device.hpp"
#include "hines/elimination.hpp"
#include "hines/solvers/definition.hpp"
#include "hines/solvers/serial/serial.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::hines {

namespace {

void eliminateRange(std::span<const std::int32_t> parent, std::span<double> excess, std::span<const double> u,
                    std::span<double> b, std::size_t begin, std::size_t end)
{
  for (std::size_t i = end; i-- > begin;) {
    const std::int32_t p = parent[i];
    if (p < 0)
      continue;
    const Contribution c = eliminate(excess[i], u[i], b[i]);
    excess[static_cast<std::size_t>(p)] -= c.excess;
    b[static_cast<std::size_t>(p)] -= c.b;
  }
}

void substituteRange(std::span<const std::int32_t> parent, std::span<const double> excess, std::span<const double> u,
                     std::span<double> b, std::size_t begin, std::size_t end)
{
  for (std::size_t i = begin; i < end; ++i) {
    const std::int32_t p = parent[i];
    b[i] = p < 0 ? b[i] / excess[i] : substitute(excess[i], u[i], b[i], b[static_cast<std::size_t>(p)]);
  }
}

} // namespace

void sweepSerially(std::span<const std::int32_t> parent, std::span<double> excess, std::span<const double> u,
                   std::span<double> b, const RunControl& control)
{
  // In pieces of a few milliseconds, so that even one huge cell can be cancelled.
  constexpr std::size_t kPiece = std::size_t{1} << 18;
  const std::size_t n = parent.size();
  const std::size_t pieces = (n + kPiece - 1) / kPiece;
  for (std::size_t piece = pieces; piece-- > 0;) {
    control.checkpoint();
    eliminateRange(parent, excess, u, b, piece * kPiece, std::min(n, (piece + 1) * kPiece));
  }
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    control.checkpoint();
    substituteRange(parent, excess, u, b, piece * kPiece, std::min(n, (piece + 1) * kPiece));
  }
}

namespace {

/// One unit a cell, which is one lane from the tips to the root; one unit after the other.
class SerialSchedule final : public Schedule
{
public:
  explicit SerialSchedule(std::shared_ptr<const HinesBatch> solvedBatch) { batch = std::move(solvedBatch); }

  std::string_view unitName() const override { return "cell"; }
  std::size_t unitCount() const override { return batch->cells(); }
  std::size_t kindOf(std::size_t unit) const override { return batch->shapeOf[unit]; }
  std::optional<std::size_t> unitOfCell(std::size_t cell) const override
  {
    return cell < batch->cells() ? std::optional(cell) : std::nullopt;
  }
  bool dividesCells() const override { return false; }

  LaneChart chart(std::size_t unit, LaneOrder /*order*/) const override
  {
    LaneChart chart;
    chart.title = "1 cell";
    chart.lanes = 1;
    chart.steps = static_cast<std::int32_t>(batch->offset[unit + 1] - batch->offset[unit]);
    chart.bands.push_back({"whole cell", 0, chart.steps, false});
    chart.bars.push_back({0, 0, chart.steps, static_cast<std::int32_t>(unit), LaneWork::Compartment});
    return chart;
  }

protected:
  /// Backward reads three numbers and writes two, forward reads three and writes one; each reads the parent.
  std::size_t bytesMoved() const override
  {
    return batch->compartments() * (9 * sizeof(double) + 2 * sizeof(std::int32_t));
  }
};

class PreparedSerial final : public PreparedSolver
{
public:
  explicit PreparedSerial(std::shared_ptr<const HinesBatch> solvedBatch) : batch(std::move(solvedBatch))
  {
    std::size_t largest = 0;
    for (const auto& shape : batch->shapes)
      largest = std::max(largest, shape->size());
    requireMemory((largest + batch->compartments()) * sizeof(double), "The solution");
    eliminated.resize(largest);
    x.resize(batch->compartments());
  }

  void setRightHandSide(std::span<const double> b) override { rightHandSide.assign(b.begin(), b.end()); }

  SolveTimes solveOnce(const RunControl& control) override
  {
    const std::span<const double> b = rightHandSide.empty() ? std::span(batch->b) : std::span(rightHandSide);
    const Stopwatch stopwatch;
    for (std::size_t cell = 0; cell < batch->cells(); ++cell) {
      control.checkpoint();
      const std::size_t begin = batch->offset[cell];
      const std::size_t n = batch->offset[cell + 1] - begin;
      const std::span<double> excess = std::span(eliminated).first(n);
      const std::span<double> values = std::span(x).subspan(begin, n);
      std::ranges::copy(std::span(batch->excess).subspan(begin, n), excess.begin());
      std::ranges::copy(b.subspan(begin, n), values.begin());
      sweepSerially(batch->shapes[batch->shapeOf[cell]]->parent, excess, std::span(batch->u).subspan(begin, n), values,
                    control);
    }
    return {0, stopwatch.elapsed()};
  }

  void read(std::span<double> solution, StageTimings& /*timings*/) override { std::ranges::copy(x, solution.begin()); }

private:
  std::shared_ptr<const HinesBatch> batch;
  std::vector<double> rightHandSide; ///< empty: the batch's
  std::vector<double> eliminated, x;
};

class SerialSolver final : public SolverDefinition
{
public:
  SerialSolver()
      : SolverDefinition(SolverTraits{.id = kSerial,
                                      .title = "Serial",
                                      .summary = "One sweep on one core: the reference of all others (Hines 1984)",
                                      .onCpu = true,
                                      .isExact = true})
  {}

  std::shared_ptr<const Schedule> plan(std::shared_ptr<const HinesBatch> batch, const SolveParameters& /*parameters*/,
                                       StageTimings& /*timings*/, const RunControl& /*control*/) const override
  {
    return std::make_shared<const SerialSchedule>(std::move(batch));
  }

  std::unique_ptr<PreparedSolver> prepare(std::shared_ptr<const Schedule> schedule,
                                          const SolveParameters& /*parameters*/, StageTimings& timings,
                                          const RunControl& /*control*/) const override
  {
    timings.device = detail::deviceText(1);
    return std::make_unique<PreparedSerial>(scheduleAs<SerialSchedule>(schedule)->batch);
  }

  std::optional<CostTerms> cpuCosts() const override { return CostTerms{50, 0, 11, 0, 0, 2}; }
  CostTerms countTerms(const BatchProfile& profile, const CostScope& scope) const override
  {
    return countSweeps(profile, scope);
  }
};

} // namespace

const SolverDefinition& serialSolver()
{
  static const SerialSolver solver;
  return solver;
}

} // namespace hinesight::hines
