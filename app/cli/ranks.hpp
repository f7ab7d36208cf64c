#pragma once

#include "app/cli/options.hpp"
#include "app/cli/session.hpp"
#include "core/rank_tasks.hpp"
#include "core/stage_timings.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace hinesight::cli {

/// `--ranks`: how many ranks of this process share the work of a command that can be shared.
void addRanksOption(Command& command, Session& session, const std::string& group);

/// `--tree`: what of the octree each of them has.
void addTreeOption(Command& command, Session& session, const std::string& group);

/// Warns where GPUs that were asked for by `--devices` have nothing to share: on the CPU, and beside ranks.
void warnOfUnusedDevices(Backend backend, std::int32_t devices, Session& session);

/// Runs the session's command, on as many ranks as the command line asks for. Returns the exit status. Throws
/// Error(BadParameter) for --ranks in a program whose ranks are processes.
int runOnRanks(Session& session);

/// Does the work of `body`, which is rank 0's, on so many ranks of this process. Throws as runOnRanks.
void onRanks(int ranks, const Session& session, const std::function<void()>& body);

/// What ranks but 0 join of all commands' work. `control` cancels what they do.
std::vector<RankTask> rankTasks(const RunControl& control);

} // namespace hinesight::cli
