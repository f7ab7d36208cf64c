#pragma once

#include "model/project.hpp"
#include "model/session_file.hpp"
#include "model/session_view.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// The parts of a project, for what is done to each of them alike. Of the files of this folder.

namespace hinesight {

// Their fields are long to compile: once, in project_parts.cpp.
extern template std::vector<BoundField> fieldsOf(model::Cell&);
extern template std::vector<BoundField> fieldsOf(model::Population&);
extern template std::vector<BoundField> fieldsOf(model::Connection&);
extern template std::vector<BoundField> fieldsOf(model::NeuronModel&);
extern template std::vector<BoundField> fieldsOf(model::Stimulus&);
extern template std::vector<BoundField> fieldsOf(model::ProbeRequest&);
extern template std::vector<BoundField> fieldsOf(selection::NamedSelection&);
extern template std::vector<BoundField> fieldsOf(study::CellParameters&);
extern template std::vector<BoundField> fieldsOf(projection::ComputeParameters&);
extern template std::vector<BoundField> fieldsOf(model::SimulateParameters&);
extern template std::vector<BoundField> fieldsOf(model::FormationRun&);
extern template std::vector<BoundField> fieldsOf(model::GrowthRun&);
extern template std::vector<BoundField> fieldsOf(model::SolverBenchmark&);
extern template std::vector<BoundField> fieldsOf(projection::BenchmarkParameters&);
extern template std::vector<BoundField> fieldsOf(synapse::BenchmarkParameters&);
extern template std::vector<BoundField> fieldsOf(simulation::BenchmarkParameters&);
extern template std::vector<BoundField> fieldsOf(model::SessionView&);

} // namespace hinesight

namespace hinesight::model {

/// Calls `of` with what each list is called, what one of it is called, and the member that it is.
template <typename Of>
void forLists(const Of& of)
{
  of("cells", "cell", &Project::cells);
  of("populations", "population", &Project::populations);
  of("connections", "connection", &Project::connections);
  of("models", "model", &Project::models);
  of("stimuli", "stimulus", &Project::stimuli);
  of("probes", "probe", &Project::probes);
  of("selections", "set", &Project::selections);
}

/// The same with each part of which there is one.
template <typename Of>
void forSingles(const Of& of)
{
  of("solve", &Project::solve);
  of("compute", &Project::compute);
}

/// The same with each part that may be missing.
template <typename Of>
void forOptionals(const Of& of)
{
  of("simulate", &Project::simulate);
  of("form", &Project::form);
  of("grow", &Project::grow);
  of("bench-hines", &Project::solverBenchmark);
  of("bench-projections", &Project::projectionBenchmark);
  of("bench-synapses", &Project::synapseBenchmark);
  of("bench-simulation", &Project::simulationBenchmark);
}

/// Changes the name of a file that is neither empty nor that of a sample.
template <typename Change>
void changeFile(std::string& file, const Change& change)
{
  if (!file.empty() && !isSample(file))
    file = change(std::filesystem::path(file)).generic_string();
}

/// The same with every name of a file in the project.
template <typename Change>
void forFiles(Project& project, const Change& change)
{
  const auto apply = [&](std::string& file) { changeFile(file, change); };
  for (Cell& cell : project.cells)
    apply(cell.file);
  for (Population& population : project.populations)
    apply(population.placement.file);
  for (Connection& connection : project.connections) {
    apply(connection.file);
    apply(connection.edgeTypes);
  }
  for (NeuronModel& model : project.models)
    apply(model.file);
  for (Stimulus& stimulus : project.stimuli)
    apply(stimulus.file);
  forOptionals([&](const char*, auto member) {
    if (auto& part = project.*member)
      if constexpr (requires { part->source.network; }) {
        apply(part->source.path);
        apply(part->source.network);
      }
  });
}

inline const std::string& nameOf(const Cell& cell)
{
  return cell.name;
}
inline const std::string& nameOf(const Population& population)
{
  return population.name();
}
inline const std::string& nameOf(const Connection& connection)
{
  return connection.name;
}
inline const std::string& nameOf(const NeuronModel& model)
{
  return model.name;
}
inline const std::string& nameOf(const Stimulus& stimulus)
{
  return stimulus.name;
}
inline const std::string& nameOf(const ProbeRequest& probe)
{
  return probe.name;
}
inline const std::string& nameOf(const selection::NamedSelection& set)
{
  return set.name;
}

/// The parts of a list by their names; of those with the same name the first. As long as the list is there.
template <typename Part>
std::unordered_map<std::string_view, const Part*> byName(const std::vector<Part>& parts)
{
  std::unordered_map<std::string_view, const Part*> named;
  for (const Part& part : parts)
    named.emplace(nameOf(part), &part);
  return named;
}

} // namespace hinesight::model
