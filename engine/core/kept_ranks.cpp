#include "core/kept_ranks.hpp"

#include "core/device.hpp"
#include "core/thread_ranks.hpp"

#include <mutex>
#include <shared_mutex>
#include <utility>

namespace hinesight {

namespace {

/// What cancels the work of the moment, on all ranks.
class CommonControl
{
public:
  /// Nobody looks at the one before any more when this returns.
  void set(std::optional<RunControl> now)
  {
    const std::lock_guard lock(mutex);
    current = std::move(now);
  }
  void checkpoint() const
  {
    const std::shared_lock lock(mutex);
    if (current)
      current->checkpoint();
  }

private:
  mutable std::shared_mutex mutex;
  std::optional<RunControl> current; ///< nothing: nothing is done
};

} // namespace

struct KeptRanks::State
{
  State(int ranks, MakeRankTasks makeTasks)
      : threads(ranks, [this, make = std::move(makeTasks)](Communicator& communicator) {
          const RunControl control(nullptr, [this] { common.checkpoint(); });
          joinTasks(communicator, make(control));
        })
  {}

  CommonControl common;
  ThreadRanks threads; ///< go first
};

KeptRanks::KeptRanks(int ranks, MakeRankTasks makeTasks)
    : state(std::make_unique<State>(ranks, std::move(makeTasks))), gpu(mainCudaDevice())
{}

KeptRanks::~KeptRanks()
{
  if (!areOfUse())
    return;
  try {
    endTasks(state->threads.root());
  } catch (...) {
    // One of them has failed; they end all the same.
  }
}

int KeptRanks::size() const
{
  return state->threads.root().size();
}

bool KeptRanks::areOfUse() const
{
  const Communicator& root = state->threads.root();
  return !root.hasFailed() && !root.tasks.areOthersLost;
}

KeptRanksScope::KeptRanksScope(std::shared_ptr<KeptRanks> ranks, const RunControl& control) : kept(std::move(ranks))
{
  if (!kept)
    return;
  kept->state->common.set(control.silenced());
  scope.emplace(kept->state->threads.root());
}

KeptRanksScope::~KeptRanksScope()
{
  if (kept)
    kept->state->common.set({});
}

std::shared_ptr<KeptRanks> ranksOfGpus(std::shared_ptr<KeptRanks> kept, Backend backend, std::int32_t devices,
                                       const std::string& who, const MakeRankTasks& makeTasks)
{
  if (backend == Backend::Cpu || devices == 1 || currentRanks())
    return nullptr;
  requireCudaDevice();
  const int ranks = static_cast<int>(gpusAskedFor(devices, who));
  if (ranks == 1)
    return nullptr;
  const bool isAlike = kept && kept->size() == ranks && kept->firstGpu() == mainCudaDevice() && kept->areOfUse();
  return isAlike ? kept : std::make_shared<KeptRanks>(ranks, makeTasks);
}

} // namespace hinesight
