#pragma once

#include "core/communicator.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace hinesight {

/// Work that rank 0 begins and the other ranks join. Rank 0 does what it would do alone, reads all files, writes all
/// but the rows of weight tables, and calls the others where work is split among them.
struct RankTask
{
  std::string name;
  /// What the ranks but 0 do; collective.
  std::function<void(Communicator&)> join;
};

/// While it lives, work of this thread that can be split among ranks is split among these; it is rank 0 of them.
class RankScope
{
public:
  explicit RankScope(Communicator& ranks);
  ~RankScope();
  RankScope(const RankScope&) = delete;
  RankScope& operator=(const RankScope&) = delete;

private:
  Communicator* before;
};

/// The ranks that work of this thread is split among; null: it is done here alone.
Communicator* currentRanks();

/// The calling thread works on the GPU of the rank's number on its machine from now on, where a machine has more ranks
/// than GPUs on the same one as another. Returns whether it is this rank's own. Throws as requireCudaDevice.
bool useGpuOf(const Communicator& ranks);

/// "3 ranks", for the name of what work ran on.
std::string ranksInWords(const Communicator& ranks);

/// Of rank 0: the others join this task. What follows is collective, as the task says. Where the others still wait in a
/// task that this rank has left, throws what it has left it by, or Error(Unexpected).
void beginTask(Communicator& ranks, std::string_view name);

/// A task of rank 0 while it lives. Where rank 0 leaves it by anything but FailedTogether the others wait for it in
/// vain: the ranks are lost, and begin no task any more.
class TaskScope
{
public:
  TaskScope(Communicator& ranks, std::string_view name);
  TaskScope(TaskScope&& other) noexcept;
  ~TaskScope();
  TaskScope& operator=(TaskScope&&) = delete;

private:
  Communicator* ranks; ///< null: another has the task
  int exceptions = 0;  ///< that were on their way when it began
  bool hadAllFailed = false;
};

/// Of rank 0: there are no more tasks.
void endTasks(Communicator& ranks);

/// Of the ranks but 0: joins the tasks that rank 0 begins until it ends them. What a task fails with on all ranks
/// together (FailedTogether) is rank 0's to tell; any other failure is thrown here.
void joinTasks(Communicator& ranks, std::span<const RankTask> tasks);

/// Splits the work of rank 0 among all ranks: calls `body` within a RankScope on rank 0, joins its tasks on the others.
/// The ranks but 0 return when `body` has, also where it throws; where that has lost them (TaskScope) they wait until
/// the caller ends them. Throws what `body` throws, and as beginTask where it has lost the ranks and gone on.
void leadTasks(Communicator& ranks, std::span<const RankTask> tasks, const std::function<void()>& body);

} // namespace hinesight
