#include "core/rank_tasks.hpp"

#include "core/device.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace hinesight {

namespace {

thread_local Communicator* current = nullptr;

/// What the others were lost by, where that is known.
[[noreturn]] void throwLost(const Communicator& ranks)
{
  if (ranks.tasks.lostBy)
    std::rethrow_exception(ranks.tasks.lostBy);
  throw Error(ErrorCode::Unexpected, "The other ranks were lost by an earlier failure; begin anew.");
}

} // namespace

RankScope::RankScope(Communicator& ranks) : before(std::exchange(current, &ranks)) {}

RankScope::~RankScope()
{
  current = before;
}

Communicator* currentRanks()
{
  return current;
}

bool useGpuOf(const Communicator& ranks)
{
  requireCudaDevice();
  const std::vector<DeviceInfo> devices = cudaDevices();
  const auto place = static_cast<std::size_t>(ranks.rankOnMachine());
  useCudaDevice(devices[place % devices.size()].index);
  return place < devices.size();
}

std::string ranksInWords(const Communicator& ranks)
{
  return std::to_string(ranks.size()) + (ranks.size() == 1 ? " rank" : " ranks");
}

void beginTask(Communicator& ranks, std::string_view name)
{
  Communicator::Tasks& tasks = ranks.tasks;
  tasks.areOthersLost |= tasks.open > 0 && !tasks.haveAllFailed;
  if (tasks.areOthersLost)
    throwLost(ranks);
  std::string text(name);
  try {
    ranks.broadcast(text, 0);
  } catch (...) {
    tasks.areOthersLost = true;
    throw;
  }
}

TaskScope::TaskScope(Communicator& ofRanks, std::string_view name)
    : ranks(&ofRanks), exceptions(std::uncaught_exceptions()), hadAllFailed(ofRanks.tasks.haveAllFailed)
{
  beginTask(ofRanks, name);
  ++ranks->tasks.open;
  ranks->tasks.haveAllFailed = false;
}

TaskScope::TaskScope(TaskScope&& other) noexcept
    : ranks(std::exchange(other.ranks, nullptr)), exceptions(other.exceptions), hadAllFailed(other.hadAllFailed)
{}

TaskScope::~TaskScope()
{
  if (!ranks)
    return;
  Communicator::Tasks& tasks = ranks->tasks;
  --tasks.open;
  if (std::uncaught_exceptions() == exceptions)
    tasks.haveAllFailed = hadAllFailed;
  else
    tasks.areOthersLost |= !tasks.haveAllFailed;
}

void endTasks(Communicator& ranks)
{
  beginTask(ranks, {});
}

void joinTasks(Communicator& ranks, std::span<const RankTask> tasks)
{
  while (true) {
    std::string name;
    ranks.broadcast(name, 0);
    if (name.empty())
      return;
    const auto task = std::ranges::find(tasks, name, &RankTask::name);
    if (task == tasks.end())
      throw Error(ErrorCode::Unexpected, "A rank does not know the task '" + name + "'; run one program on all ranks.");
    try {
      task->join(ranks);
    } catch (const FailedTogether&) {
      // Rank 0 has it too.
    }
  }
}

void leadTasks(Communicator& ranks, std::span<const RankTask> tasks, const std::function<void()>& body)
{
  if (!ranks.isRoot())
    return joinTasks(ranks, tasks);
  std::exception_ptr thrown;
  try {
    const RankScope scope(ranks);
    body();
  } catch (...) {
    thrown = std::current_exception();
  }
  // Where another rank has failed this throws what it has failed with, which is what `body` has thrown too.
  if (!ranks.tasks.areOthersLost)
    endTasks(ranks);
  if (thrown)
    std::rethrow_exception(thrown);
  if (ranks.tasks.areOthersLost)
    throwLost(ranks);
}

} // namespace hinesight
