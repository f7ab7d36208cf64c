#include "study/gpu_ranks.hpp"

#include "io/tables/rank_writers.hpp"
#include "synapse/ranks/rank_tasks.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hinesight::study {

std::shared_ptr<KeptRanks> ranksFor(std::shared_ptr<KeptRanks> kept, const synapse::FormationParameters& parameters)
{
  return ranksOfGpus(std::move(kept), parameters.backend, parameters.devices, "The formation of synapses", &rankTasks);
}

std::shared_ptr<KeptRanks> ranksFor(std::shared_ptr<KeptRanks> kept, const synapse::PlasticityParameters& parameters)
{
  return ranksOfGpus(std::move(kept), parameters.backend, parameters.devices, "The plasticity model", &rankTasks);
}

std::shared_ptr<KeptRanks> ranksFor(std::shared_ptr<KeptRanks> kept, const projection::ComputeParameters& parameters)
{
  return ranksOfGpus(std::move(kept), parameters.backend, parameters.devices, "The projection", &rankTasks);
}

std::vector<RankTask> rankTasks(const RunControl& control)
{
  std::vector<RankTask> tasks = synapse::rankTasks(control);
  std::ranges::move(io::rankTasks(control), std::back_inserter(tasks));
  return tasks;
}

} // namespace hinesight::study
