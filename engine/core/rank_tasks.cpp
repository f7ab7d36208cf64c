#include "core/rank_tasks.hpp"

#include "core/device.hpp"

#include <algorithm>
#include <utility>

namespace hinesight {

namespace {

thread_local Communicator* current = nullptr;

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
  std::string text(name);
  ranks.broadcast(text, 0);
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
  // Where the ranks are lost this throws what they are lost by, which is what `body` has thrown too.
  endTasks(ranks);
  if (thrown)
    std::rethrow_exception(thrown);
}

} // namespace hinesight
