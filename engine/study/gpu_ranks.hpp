#pragma once

#include "core/kept_ranks.hpp"
#include "core/run_control.hpp"
#include "projection/projection.hpp"
#include "synapse/formation/formation.hpp"
#include "synapse/plasticity/plasticity.hpp"

#include <memory>
#include <vector>

namespace hinesight::study {

// The GPUs that do a study's work together where its parameters ask for several, as ranksOfGpus; `kept` where those are
// the ones.

std::shared_ptr<KeptRanks> ranksFor(std::shared_ptr<KeptRanks> kept, const synapse::FormationParameters& parameters);
std::shared_ptr<KeptRanks> ranksFor(std::shared_ptr<KeptRanks> kept, const synapse::PlasticityParameters& parameters);
std::shared_ptr<KeptRanks> ranksFor(std::shared_ptr<KeptRanks> kept, const projection::ComputeParameters& parameters);

/// What ranks but 0 join of these studies. `control` cancels what they do.
std::vector<RankTask> rankTasks(const RunControl& control);

} // namespace hinesight::study
