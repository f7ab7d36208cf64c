#pragma once

#include "core/communicator.hpp"
#include "core/rank_tasks.hpp"
#include "core/run_control.hpp"
#include "core/stage_timings.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hinesight {

/// What ranks but 0 join; `control` cancels it.
using MakeRankTasks = std::function<std::vector<RankTask>(const RunControl& control)>;

/// Ranks of this process, a thread each, that are kept from one piece of work to the next: GPUs take long to find each
/// other. They work for one thread at a time, which is rank 0 of them in a KeptRanksScope.
class KeptRanks
{
public:
  /// Throws as runRanks.
  KeptRanks(int ranks, MakeRankTasks makeTasks);
  ~KeptRanks();
  KeptRanks(const KeptRanks&) = delete;
  KeptRanks& operator=(const KeptRanks&) = delete;

  int size() const;
  /// The main GPU when they were made, which is that of rank 0.
  int firstGpu() const { return gpu; }
  /// False: one of them has failed, or was lost.
  bool areOfUse() const;

private:
  friend class KeptRanksScope;
  struct State;
  std::unique_ptr<State> state;
  const int gpu;
};

/// While it lives, work of this thread that can be split is split among these ranks; null: it is as before.
class KeptRanksScope
{
public:
  /// `control` cancels what all of them do.
  KeptRanksScope(std::shared_ptr<KeptRanks> ranks, const RunControl& control);
  ~KeptRanksScope();
  KeptRanksScope(const KeptRanksScope&) = delete;
  KeptRanksScope& operator=(const KeptRanksScope&) = delete;

private:
  std::shared_ptr<KeptRanks> kept;
  std::optional<RankScope> scope;
};

/// A rank for each of so many GPUs (0: all) that share some work: `kept` where that is of use, else new ones. Null: the
/// work is done on one GPU or on the CPU, or the ranks that share the work of this thread already do it. `who` begins
/// the sentence of an error. Throws as requireCudaDevice, gpusAskedFor and KeptRanks.
std::shared_ptr<KeptRanks> ranksOfGpus(std::shared_ptr<KeptRanks> kept, Backend backend, std::int32_t devices,
                                       const std::string& who, const MakeRankTasks& makeTasks);

} // namespace hinesight
