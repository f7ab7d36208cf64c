#pragma once

#include "core/choices.hpp"

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight {

enum class Backend
{
  Cpu,
  Cuda
};

inline constexpr Choice kBackends[] = {{"cpu", "CPU", "The processor of this machine."},
                                       {"cuda", "CUDA", "The CUDA device."}};
inline std::span<const Choice> tableOf(Backend)
{
  return kBackends;
}
/// "cpu" or "cuda".
inline std::string_view backendName(Backend backend)
{
  return choiceName(backend);
}

/// One measured step of a run.
struct Stage
{
  std::string
      name; ///< "read", "scale", "discretize", "plan", "upload", "permute", "backward", "forward", "solve", "download"
  double milliseconds = 0;
};

/// The measured steps of a run, in the order they ran, and where they ran.
struct StageTimings
{
  Backend backend = Backend::Cpu;
  std::string device; ///< such as "AMD EPYC, 2 threads" or "NVIDIA H200"
  std::vector<Stage> stages;
  /// Of several devices that shared the run: each with the stages that it had a part in, and how long it waited for the
  /// others ("wait"). Empty of one.
  std::vector<StageTimings> devices = {};

  /// Adds to the stage of that name, or appends it.
  void add(std::string_view name, double milliseconds);
  /// Adds so many times all stages of another run on the same devices, and takes its backend and device.
  void add(const StageTimings& other, double factor = 1);
  /// What each of several devices did, all at once: a stage is over when the slowest of them has done it.
  void addSideBySide(std::span<const StageTimings> each);
  /// Each of `devices` has waited until the one that took longest was done; says so in place of what it waited before.
  void setWaits();
  bool has(std::string_view name) const;
  /// 0 where there is no such stage.
  double of(std::string_view name) const;
  double total() const;
};

/// One of several devices that share a run: "GPU 1". On the CPU it is a part that runs beside others: "CPU 1".
std::string deviceInShort(Backend backend, std::size_t number);

/// Wall-clock time since construction or the last `lap`, in ms.
class Stopwatch
{
public:
  double elapsed() const { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); }
  double lap()
  {
    const double ms = elapsed();
    start = Clock::now();
    return ms;
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
};

/// What `work` gives; adds its wall-clock time to the stage.
template <typename Work>
auto timed(StageTimings& timings, std::string_view stage, const Work& work)
{
  const Stopwatch watch;
  auto result = work();
  timings.add(stage, watch.elapsed());
  return result;
}

} // namespace hinesight
