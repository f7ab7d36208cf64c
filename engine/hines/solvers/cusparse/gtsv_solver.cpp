#include "hines/solvers/cusparse/gtsv_solver.hpp"

#include "core/error.hpp"
#include "hines/chains.hpp"
#include "hines/solvers/cusparse/gtsv_parameters.hpp"
#include "hines/solvers/definition.hpp"

#include <limits>
#include <string>
#include <utility>

// cuSPARSE's batched tridiagonal solvers as peers of ours.

namespace hinesight::hines {

void validate(const GtsvParameters& parameters)
{
  validateAllFields(fieldsOf(parameters));
}

namespace {

/// The routines count in int, and one of them needs three rows.
void requireSizes(const HinesBatch& batch, const std::string& name)
{
  if (batch.compartments() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw Error(ErrorCode::BadParameter, "The " + name +
                                             " solver takes at most 2,147,483,647 compartments in all; "
                                             "choose fewer cells.");
  if (chainLength(batch, name) < 3)
    throw Error(ErrorCode::BadParameter,
                "The " + name + " solver takes chains of at least 3 compartments; choose another solver.");
}

class GtsvSolver : public SolverDefinition
{
public:
  GtsvSolver(SolverId id, std::string_view title, std::string_view summary)
      : SolverDefinition(SolverTraits{.id = id,
                                      .title = title,
                                      .summary = summary,
                                      .onCuda = true,
                                      .inSingle = true,
                                      .chainsOnly = true,
                                      .isPeer = true})
  {}

  std::shared_ptr<const Schedule> plan(std::shared_ptr<const HinesBatch> batch, const SolveParameters& /*parameters*/,
                                       StageTimings& /*timings*/, const RunControl& /*control*/) const override
  {
    requireSizes(*batch, std::string(traits.name()));
    return std::make_shared<const UnknownSchedule>(std::move(batch), "cuSPARSE");
  }

  std::unique_ptr<PreparedSolver> prepare(std::shared_ptr<const Schedule> schedule,
                                          [[maybe_unused]] const SolveParameters& parameters,
                                          [[maybe_unused]] StageTimings& timings,
                                          [[maybe_unused]] const RunControl& control) const override
  {
    const auto unknown = scheduleAs<UnknownSchedule>(schedule);
#if HINESIGHT_HAS_CUDA
    return detail::prepareGtsvCuda(*unknown->batch, parameters, timings, control);
#else
    return nullptr; // a build without CUDA has no device, which is asked for before
#endif
  }
};

class GtsvInterleavedSolver final : public GtsvSolver
{
public:
  using GtsvSolver::GtsvSolver;

  std::vector<SettingsGroup> settings() const override
  {
    return {settingsGroup<GtsvParameters>({"gtsv", "cuSPARSE's gtsvInterleavedBatch", "gtsv-", "Batches of chains."})};
  }

  std::string describe(const SolveParameters& parameters, std::size_t /*cells*/) const override
  {
    return "algorithm " + std::to_string(parameters.of<GtsvParameters>().algorithm);
  }

  std::vector<BenchmarkVariant> benchmarkVariants(const SolveParameters& parameters) const override
  {
    BenchmarkVariant lu{", LU", parameters};
    lu.parameters.of<GtsvParameters>().algorithm = 1;
    BenchmarkVariant qr{", QR", parameters};
    qr.parameters.of<GtsvParameters>().algorithm = 2;
    return {std::move(lu), std::move(qr), {{}, parameters}};
  }
};

} // namespace

const SolverDefinition& gtsvStridedSolver()
{
  static const GtsvSolver solver(kGtsvStrided, "gtsv2, strided",
                                 "Chains of one length by cuSPARSE gtsv2StridedBatch: to compare with");
  return solver;
}

const SolverDefinition& gtsvInterleavedSolver()
{
  static const GtsvInterleavedSolver solver(kGtsvInterleaved, "gtsv, interleaved",
                                            "Chains of one length by cuSPARSE gtsvInterleavedBatch: to compare with");
  return solver;
}

} // namespace hinesight::hines
