#pragma once

#include "core/fields.hpp"
#include "synapse/formation/formation.hpp"
#include "synapse/plasticity/plasticity.hpp"

namespace hinesight::study {

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
