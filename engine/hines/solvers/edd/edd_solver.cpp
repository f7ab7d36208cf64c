#include "hines/solvers/edd/edd_solver.hpp"

#include "core/device.hpp"
#include "hines/solvers/definition.hpp"
#include "hines/solvers/edd/edd_host.hpp"
#include "hines/solvers/edd/edd_threshold.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace hinesight::hines {

namespace {

/// The plan carried out recursion by recursion.
template <typename Real>
class EddCpuSolver final : public detail::EddHostSolver<Real>
{
public:
  EddCpuSolver(std::shared_ptr<const EddPlan> eddPlan, const EddParameters& parameters, int threadCount,
               const RunControl& control)
      : detail::EddHostSolver<Real>(std::move(eddPlan), parameters, threadCount, control)
  {
    if (this->keepFactors)
      this->template contractAll<EddPhase::Factor>(this->view(), 1, control);
  }

  SolveTimes solveOnce(const RunControl& control) override
  {
    const Stopwatch watch;
    this->runRecursions(control);
    this->expandAll(this->view(), control);
    return {0, watch.elapsed()};
  }
};

/// Interleaved cells read whole lines of memory, but there must be units for all multiprocessors.
std::int32_t cellsPerUnitFor(const HinesBatch& batch, const DeviceModel& device)
{
  constexpr std::size_t kMostCells = 4;
  const auto units = static_cast<std::size_t>(device.multiprocessors) * 6 / 5;
  return static_cast<std::int32_t>(std::clamp(batch.cells() / units, std::size_t{1}, kMostCells));
}

} // namespace

std::shared_ptr<const EddPlan> makeEddPlan(std::shared_ptr<const HinesBatch> batch, const SolveParameters& parameters,
                                           StageTimings& timings, const RunControl& control)
{
  const auto& edd = parameters.of<EddParameters>();
  EddPlanParameters wanted;
  wanted.junctions = edd.method == EddMethod::Fine ? EddJunctions::Fine : EddJunctions::Minimal;
  wanted.chainLength = chainLengthFor(edd, batch->cells());
  wanted.depth = edd.depth;
  if (edd.threshold > 0)
    wanted.threshold = edd.threshold;
  else if (edd.depth < 0 && (parameters.backend == Backend::Cpu || !cudaDevices().empty()))
    wanted.threshold =
        eddThreshold(parameters.backend, parameters.precision, timings, control).rows(edd.rightHandSides);
  if (edd.method == EddMethod::MinTrsv)
    wanted.contiguousChains = true;
  else if (parameters.backend == Backend::Cuda)
    wanted.cellsPerUnit = cellsPerUnitFor(*batch, planningDevice(parameters.gpu));
  return makeEddPlan(std::move(batch), wanted, control);
}

std::unique_ptr<EddSolver> prepareEdd(std::shared_ptr<const EddPlan> plan, const SolveParameters& parameters,
                                      StageTimings& timings, const RunControl& control)
{
  timings.backend = parameters.backend;
#if HINESIGHT_HAS_CUDA
  if (parameters.backend == Backend::Cuda) {
    requireCudaDevice();
    return detail::prepareEddCuda(std::move(plan), parameters, timings, control);
  }
#endif
  const int threads = detail::threadsOf(parameters);
  timings.device = detail::deviceText(threads);
  if (plan->parameters.contiguousChains)
    return detail::prepareEddTrsvCpu(std::move(plan), parameters, control);
  if (parameters.precision == Precision::Single)
    return std::make_unique<EddCpuSolver<float>>(std::move(plan), parameters.of<EddParameters>(), threads, control);
  return std::make_unique<EddCpuSolver<double>>(std::move(plan), parameters.of<EddParameters>(), threads, control);
}

std::vector<std::vector<double>> EddSolver::readAll(const HinesBatch& batch)
{
  std::vector<std::vector<double>> solutions;
  for (std::int32_t column = 0; column < columnCount(); ++column) {
    std::vector<double>& x = solutions.emplace_back(batch.compartments());
    readColumn(column, x);
    for (std::size_t cell = 0; cell < batch.cells(); ++cell)
      for (std::size_t i = batch.offset[cell]; i < batch.offset[cell + 1]; ++i)
        x[i] -= eddColumnShift(cell, static_cast<std::uint32_t>(column));
  }
  return solutions;
}

namespace {

class EddDefinition final : public SolverDefinition
{
public:
  EddDefinition()
      : SolverDefinition(SolverTraits{.id = kEdd,
                                      .title = "Domain decomposition",
                                      .summary = "Exact: chains between junctions side by side, then the junctions "
                                                 "alike, recursively (Vooturi 2019)",
                                      .onCpu = true,
                                      .onCuda = true,
                                      .inSingle = true,
                                      .usesThreads = true})
  {}

  std::vector<SettingsGroup> settings() const override
  {
    return {settingsGroup<EddParameters>(
        {"edd", "Exact domain decomposition", "edd-", "Chains between junctions side by side."})};
  }

  std::string describe(const SolveParameters& parameters, std::size_t cells) const override
  {
    const auto& edd = parameters.of<EddParameters>();
    std::string text = "method " + std::string(eddMethodName(edd.method));
    if (edd.method == EddMethod::Fine)
      text += ", K " + std::to_string(chainLengthFor(edd, cells)) + (edd.chainLength > 0 ? "" : " (automatic)");
    if (edd.depth >= 0)
      text += ", depth " + std::to_string(edd.depth);
    else
      text += edd.threshold > 0 ? ", threshold " + std::to_string(edd.threshold) : ", threshold as fitted";
    if (edd.method == EddMethod::MinTrsv)
      text += ", " + std::to_string(edd.refinements) + (edd.refinements == 1 ? " refinement" : " refinements");
    if (edd.rightHandSides > 1)
      text += ", " + std::to_string(edd.rightHandSides) + " right-hand sides";
    return text + (edd.keepFactors ? ", factors kept" : "");
  }

  std::shared_ptr<const Schedule> plan(std::shared_ptr<const HinesBatch> batch, const SolveParameters& parameters,
                                       StageTimings& timings, const RunControl& control) const override
  {
    return makeEddPlan(std::move(batch), parameters, timings, control);
  }

  /// The number of cells and the device decide how cells are cut.
  SolveParameters parametersForPart(const Schedule& whole, const SolveParameters& parameters) const override
  {
    const EddPlanParameters& planned = dynamic_cast<const EddPlan&>(whole).parameters;
    SolveParameters part = parameters;
    part.of<EddParameters>().chainLength = planned.chainLength;
    part.of<EddParameters>().threshold = planned.threshold;
    return part;
  }

  std::unique_ptr<PreparedSolver> prepare(std::shared_ptr<const Schedule> schedule, const SolveParameters& parameters,
                                          StageTimings& timings, const RunControl& control) const override
  {
    return prepareEdd(scheduleAs<EddPlan>(schedule), parameters, timings, control);
  }

  std::optional<CudaCost> cudaCost() const override
  {
    return CudaCost{.start = 7'700,
                    .stepClocks = 343,
                    .bytes = 70,
                    .multiplyAdds = 60,
                    .doubleClocks = 5.2,
                    .singleClocks = 2.8,
                    .movesApart = true,
                    .isChecked = true};
  }
  CostTerms countTerms(const BatchProfile& profile, const CostScope& scope) const override
  {
    const double recursions = reductionSteps(profile.largestCell);
    CostTerms terms = countLaunch(profile, recursions * recursions); // each as deep as what is left to it
    const auto compartments = static_cast<double>(profile.compartments);
    const double bytes = cudaCost()->bytes * static_cast<double>(bytesOf(scope.precision)) / sizeof(double);
    termOf(terms, CostTerm::Beyond) = compartments * missedShare(scope.device, compartments * bytes);
    return terms;
  }
  /// One right-hand side by the method that is the fastest.
  bool isCosted(const SolveParameters& parameters) const override
  {
    const auto& edd = parameters.of<EddParameters>();
    return edd.method == EddMethod::Fine && edd.rightHandSides == 1;
  }
  /// On the cells that it is for: it may have its own threshold to fit first.
  bool isFittedOn(const BatchProfile& profile, Backend /*backend*/) const override
  {
    constexpr std::size_t kLargeCell = 50'000;
    return profile.largestCell >= kLargeCell;
  }

  /// Each method with one right-hand side, with several, and with several and factors that were made before.
  std::vector<SolveParameters> verifyVariants(const SolveParameters& parameters,
                                              const HinesBatch& /*batch*/) const override
  {
    std::vector<SolveParameters> variants;
    for (const auto method : {EddMethod::Fine, EddMethod::MinTpt, EddMethod::MinTrsv}) {
      if (method == EddMethod::MinTrsv && parameters.backend == Backend::Cuda && !cusparseInstalled())
        continue;
      SolveParameters variant = parameters;
      auto& edd = variant.of<EddParameters>();
      edd.method = method;
      variants.push_back(variant);
      edd.rightHandSides = 3;
      variants.push_back(variant);
      edd.keepFactors = true;
      variants.push_back(variant);
    }
    return variants;
  }

  /// The triangular solver of cuSPARSE has an order of its own.
  bool givesBytesOfCpu(const SolveParameters& parameters) const override
  {
    return parameters.of<EddParameters>().method != EddMethod::MinTrsv;
  }

  std::vector<CutWay> cutWays(const SolveParameters& parameters) const override
  {
    return cutWaysOf(parameters.of<EddParameters>().method);
  }
  void chooseCut(SolveParameters& parameters, std::string_view name) const override
  {
    chooseWay(parameters.of<EddParameters>().method, name);
  }
  /// K, where there is a recursion.
  std::vector<CutLength> cutLengths(const Schedule& schedule, const SolveParameters& parameters) const override
  {
    const auto& edd = parameters.of<EddParameters>();
    const bool inForce = edd.method == EddMethod::Fine && schedule.dividesCells();
    return {{static_cast<double>(chainLengthFor(edd, schedule.batch->cells())), inForce, edd.chainLength == 0, -1}};
  }
  void setCutLength(SolveParameters& parameters, std::int32_t compartments) const override
  {
    auto& edd = parameters.of<EddParameters>();
    edd.method = EddMethod::Fine;
    edd.chainLength = compartments;
  }
};

} // namespace

const SolverDefinition& eddSolver()
{
  static const EddDefinition solver;
  return solver;
}

} // namespace hinesight::hines
