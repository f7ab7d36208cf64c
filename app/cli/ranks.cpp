#include "app/cli/ranks.hpp"

#include "core/error.hpp"
#include "core/thread_ranks.hpp"
#include "simulation/ranks/rank_simulations.hpp"
#include "study/gpu_ranks.hpp"
#include "synapse/ranks/tree_on_ranks.hpp"

#include <iterator>

namespace hinesight::cli {

void addRanksOption(Command& command, Session& session, const std::string& group)
{
  addNumber(command, "--ranks", session.ranks,
            "Ranks of this process that share the work, to the same bytes, on CUDA with a GPU each; hinesight-mpi has "
            "processes")
      .group(group);
}

void addTreeOption(Command& command, Session& session, const std::string& group)
{
  using synapse::TreeOnRanks;
  addChoice(command, "--tree", session.tree, {TreeOnRanks::Auto, TreeOnRanks::Whole, TreeOnRanks::Essential},
            &synapse::treeName,
            "What of the octree each rank has, to the same bytes: the whole, or what its own neurons need; auto: "
            "whole on one machine")
      .group(group);
}

void warnOfUnusedDevices(Backend backend, std::int32_t devices, Session& session)
{
  if (devices == 1)
    return;
  if (backend == Backend::Cpu)
    session.printWarning("--devices has no effect on the CPU.");
  else if (currentRanks())
    session.printWarning("--devices has no effect beside ranks, which have a GPU each.");
}

int runOnRanks(Session& session)
{
  const synapse::TreeScope scope(session.tree);
  if (session.ranks == 1)
    return session.command();
  int status = 0;
  onRanks(session.ranks, session, [&] { status = session.command(); });
  return status;
}

void onRanks(int ranks, const Session& session, const std::function<void()>& body)
{
  if (currentRanks())
    throw Error(ErrorCode::BadParameter, "--ranks is for ranks of one process, and these are processes of their own; "
                                         "leave it out, and say 'mpirun -n' so many.");
  runRanks(ranks, [&](Communicator& communicator) {
    const RunControl control = session.control().silenced();
    leadTasks(communicator, rankTasks(control), body);
  });
}

std::vector<RankTask> rankTasks(const RunControl& control)
{
  std::vector<RankTask> tasks = study::rankTasks(control);
  std::ranges::move(simulation::rankTasks(control), std::back_inserter(tasks));
  return tasks;
}

} // namespace hinesight::cli
