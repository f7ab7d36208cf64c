#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::simulation {

struct VerifyParameters
{
  std::vector<Backend> backends = {Backend::Cpu};
  bool quick = false; ///< larger steps and small networks
  int threads = 0;
  std::vector<std::string> truths; ///< names of those to look at; empty: all
};

enum class CheckOutcome
{
  Passed,
  Failed,
  Skipped
};

/// A number that is known beside the one that a simulation gave.
struct Check
{
  std::string truth; ///< name of the one it belongs to
  Backend backend = Backend::Cpu;
  std::string subject;  ///< such as "Crank-Nicolson, 0.025 ms"
  std::string quantity; ///< with its unit, such as "last of 7 spikes, ms"
  double expected = 0;
  double found = 0;
  double bound = 0; ///< the greatest difference
  CheckOutcome outcome = CheckOutcome::Skipped;
  std::string reason; ///< why it was skipped

  double difference() const;
};

namespace checks {
class Session;
}

/// Something that is known of what a simulation has to give.
struct Truth
{
  std::string_view name; ///< "rallpack-3"
  std::string_view about;
  std::function<void(checks::Session&)> look;
};

/// Those that need no files.
std::span<const Truth> builtInTruths();

/// Looks at each truth on each backend; `seen` is called with each check when it is done. The same figures again and
/// again. Failures are reported, not thrown. Throws Error(BadParameter) for a truth that there is not, Error(NoDevice),
/// Error(Cancelled).
std::vector<Check> verify(const VerifyParameters& parameters, std::span<const Truth> truths = builtInTruths(),
                          const std::function<void(const Check&)>& seen = {}, const RunControl& control = {});

} // namespace hinesight::simulation
