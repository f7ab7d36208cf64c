#pragma once

#include "core/fields.hpp"
#include "synapse/formation/formation.hpp"
#include "synapse/plasticity/plasticity.hpp"

namespace hinesight::study {

/// Everything that a formation of synapses depends on, files apart.
struct FormationStudyParameters
{
  synapse::PlacementParameters placement;
  synapse::FormationParameters formation;

  bool operator==(const FormationStudyParameters&) const = default;
};

template <typename Visitor>
void visitFields(FormationStudyParameters& p, Visitor&& visit)
{
  visit(FieldGroup{"placement", "Neurons", "", "Who can form synapses."}, p.placement);
  visit(FieldGroup{"formation", "Formation", "", "With which elements they do, and how."}, p.formation);
}

/// Everything that a growing network depends on, files apart.
struct GrowthStudyParameters
{
  synapse::PlacementParameters placement{.neurons = 1000};
  synapse::PlasticityParameters model;

  bool operator==(const GrowthStudyParameters&) const = default;
};

template <typename Visitor>
void visitFields(GrowthStudyParameters& p, Visitor&& visit)
{
  visit(FieldGroup{"placement", "Neurons", "", "Who grows."}, p.placement);
  visit(FieldGroup{"model", "Model", "", "When neurons fire, and how their elements grow."}, p.model);
}

} // namespace hinesight::study
