#pragma once

#include "core/communicator.hpp"
#include "core/error.hpp"
#include "core/run_control.hpp"

#include <cstdint>
#include <string_view>

namespace hinesight::synapse {

/// A run that all ranks stop at the same step: each may be cancelled at any time, and the ranks tell each other.
class CommonRun
{
public:
  CommonRun(Communicator& communicator, const RunControl& control)
      : ranks(communicator), ownControl(control),
        commonControl([this](std::string_view stage, double fraction) { tell(stage, fraction); })
  {}
  CommonRun(const CommonRun&) = delete;
  CommonRun& operator=(const CommonRun&) = delete;

  /// What is cancelled on all ranks or on none.
  const RunControl& common() const { return commonControl; }
  /// What cancels this rank.
  const RunControl& own() const { return ownControl; }

  /// Whether this rank is cancelled, also by what watches its checkpoints.
  bool isOwnCancelled() const
  {
    return !passes([this] { ownControl.checkpoint(); });
  }

  /// Cancels the run where one rank is cancelled. Collective.
  void agree()
  {
    if (ranks.allReduce(std::uint64_t{isOwnCancelled()}, Reduction::Most) != 0)
      commonControl.cancel();
  }

private:
  /// What cancels is seen when the ranks speak with each other.
  void tell(std::string_view stage, double fraction) const
  {
    passes([&] { ownControl.report(stage, fraction); });
  }

  /// False: it was cancelled.
  template <typename Check>
  static bool passes(const Check& check)
  {
    try {
      check();
      return true;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::Cancelled)
        throw;
      return false;
    }
  }

  Communicator& ranks;
  const RunControl& ownControl;
  const RunControl commonControl;
};

} // namespace hinesight::synapse
