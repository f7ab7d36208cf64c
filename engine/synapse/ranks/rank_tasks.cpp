#include "synapse/ranks/rank_tasks.hpp"

#include "synapse/ranks/rank_formation.hpp"
#include "synapse/ranks/rank_model.hpp"

namespace hinesight::synapse {

std::vector<RankTask> rankTasks(const RunControl& control)
{
  std::vector<RankTask> tasks = detail::modelTasks(control);
  tasks.push_back(formationTask(control));
  return tasks;
}

} // namespace hinesight::synapse
