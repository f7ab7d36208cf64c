#pragma once

#include "core/fields.hpp"
#include "synapse/formation/formation.hpp"

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

} // namespace hinesight::study
