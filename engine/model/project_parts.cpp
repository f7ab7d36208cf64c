#include "model/project_parts.hpp"

namespace hinesight {

template std::vector<BoundField> fieldsOf(model::Cell&);
template std::vector<BoundField> fieldsOf(model::Population&);
template std::vector<BoundField> fieldsOf(model::Connection&);
template std::vector<BoundField> fieldsOf(model::NeuronModel&);
template std::vector<BoundField> fieldsOf(model::Stimulus&);
template std::vector<BoundField> fieldsOf(model::ProbeRequest&);
template std::vector<BoundField> fieldsOf(selection::NamedSelection&);
template std::vector<BoundField> fieldsOf(study::CellParameters&);
template std::vector<BoundField> fieldsOf(projection::ComputeParameters&);
template std::vector<BoundField> fieldsOf(model::SimulateParameters&);
template std::vector<BoundField> fieldsOf(model::FormationRun&);
template std::vector<BoundField> fieldsOf(model::GrowthRun&);
template std::vector<BoundField> fieldsOf(model::SolverBenchmark&);
template std::vector<BoundField> fieldsOf(projection::BenchmarkParameters&);
template std::vector<BoundField> fieldsOf(synapse::BenchmarkParameters&);
template std::vector<BoundField> fieldsOf(simulation::BenchmarkParameters&);
template std::vector<BoundField> fieldsOf(model::SessionView&);

} // namespace hinesight
