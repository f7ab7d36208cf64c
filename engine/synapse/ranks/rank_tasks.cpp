#include "synapse/ranks/rank_tasks.hpp"

#include "synapse/ranks/rank_formation.hpp"

namespace hinesight::synapse {

std::vector<RankTask> rankTasks(const RunControl& control)
{
  return {formationTask(control)};
}

} // namespace hinesight::synapse
