#pragma once

#include "core/choices.hpp"

#include <chrono>
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

  /// Adds to the stage of that name, or appends it.
  void add(std::string_view name, double milliseconds);
  bool has(std::string_view name) const;
  /// 0 where there is no such stage.
  double of(std::string_view name) const;
  double total() const;
};

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
