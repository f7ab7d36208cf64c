#include "study/parameter_sets.hpp"

#include "hines/bench/benchmark.hpp"
#include "morphology/synthetic.hpp"
#include "projection/benchmark.hpp"
#include "projection/projection.hpp"
#include "study/cells/parameters.hpp"
#include "study/formation/parameters.hpp"
#include "study/growth/parameters.hpp"
#include "synapse/formation/benchmark.hpp"

namespace hinesight::study {

namespace {

/// The defaults live as long as the program, for the fields to stand on.
template <typename Parameters>
ParameterSet setOf(std::string_view title, std::string_view command)
{
  static Parameters defaults{};
  return {title, command, fieldsOf(defaults)};
}

} // namespace

std::span<const ParameterSet> allParameterSets()
{
  static const std::vector<ParameterSet> sets = {
      setOf<CellParameters>("Cells", "solve"),
      setOf<morphology::SyntheticCellParameters>("Synthetic cells", "generate"),
      setOf<projection::ProjectionParameters>("Projections", "project"),
      setOf<FormationStudyParameters>("Synapses", "form"),
      setOf<GrowthStudyParameters>("Plasticity", "grow"),
      setOf<hines::BenchmarkParameters>("Benchmark of solvers", "bench hines"),
      setOf<projection::BenchmarkParameters>("Benchmark of projections", "bench projections"),
      setOf<synapse::BenchmarkParameters>("Benchmark of synapses", "bench synapses"),
  };
  return sets;
}

} // namespace hinesight::study
