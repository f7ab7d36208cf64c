#include "study/parameter_sets.hpp"

#include "hines/bench/benchmark.hpp"
#include "hines/bench/benchmark_tables.hpp"
#include "model/simulate_parameters.hpp"
#include "model/stimulus.hpp"
#include "model/study_parameters.hpp"
#include "model/synapse_model.hpp"
#include "morphology/repair.hpp"
#include "morphology/synthetic.hpp"
#include "projection/benchmark.hpp"
#include "projection/projection.hpp"
#include "simulation/parameters.hpp"
#include "study/cells/parameters.hpp"
#include "study/formation/parameters.hpp"
#include "study/growth/parameters.hpp"
#include "synapse/formation/benchmark.hpp"

namespace hinesight::study {

namespace {

/// The defaults live as long as the program, for the fields to stand on.
template <typename Parameters>
std::vector<BoundField> defaultFields()
{
  static Parameters defaults{};
  return fieldsOf(defaults);
}

/// Of all these structs.
template <typename... Parameters>
ParameterSet setOf(std::string_view title, std::string_view command)
{
  ParameterSet set{title, command, {}};
  for (const std::vector<BoundField>& fields : {defaultFields<Parameters>()...})
    set.fields.insert(set.fields.end(), fields.begin(), fields.end());
  return set;
}

} // namespace

std::span<const ParameterSet> allParameterSets()
{
  static const std::vector<ParameterSet> sets = {
      setOf<FileParameters, CellParameters>("Cells", "solve"),
      setOf<morphology::SyntheticCellParameters>("Synthetic cells", "generate"),
      setOf<morphology::RepairParameters>("Repair of cells", "repair"),
      setOf<projection::ProjectionParameters, projection::ComputeParameters>("Projections", "project"),
      setOf<FormationStudyParameters>("Synapses", "form"),
      setOf<GrowthStudyParameters>("Plasticity", "grow"),
      setOf<simulation::SimulationParameters>("Simulation", "simulate"),
      setOf<model::GrowthRun>("Growth of a session", ""),
      setOf<model::SolverBenchmark>("Benchmark of solvers of a session", ""),
      setOf<model::SimulateParameters>("Simulation of a session", ""),
      setOf<model::NeuronModel>("Models of a session's neurons", ""),
      setOf<model::MembraneEntry>("Lines of a model's membrane", ""),
      setOf<model::SynapseModel>("Synapses of a session's connections, each after synapse-", ""),
      setOf<model::Stimulus>("Stimuli of a session", ""),
      setOf<model::ProbeRequest>("Probes of a session", ""),
      setOf<hines::BenchmarkScope, hines::BenchmarkParameters>("Benchmark of solvers", "bench hines"),
      setOf<projection::BenchmarkParameters>("Benchmark of projections", "bench projections"),
      setOf<synapse::BenchmarkParameters>("Benchmark of synapses", "bench synapses"),
  };
  return sets;
}

} // namespace hinesight::study
