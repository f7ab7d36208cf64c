#include "core/machine_load.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace hinesight {

namespace {

/// A tick of the system's counters, s.
double tickSeconds()
{
  return 1 / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// By how much the busy time of so many processors may be wrong: some rounding, and most of a tick of the kernel of
/// each, which is 4 ms on usual systems.
double uncertainSeconds(int processors)
{
  constexpr double kRounding = 2;
  constexpr double kOfEach = 0.4;
  return (kRounding + kOfEach * processors) * tickSeconds();
}

double secondsOf(const timeval& time)
{
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// Seconds of one processor that were not idle, of a line "cpu3 user nice system idle iowait irq softirq steal ...".
/// What guests took is part of user and nice.
double busyIn(std::istream& line)
{
  double user = 0;
  double nice = 0;
  double system = 0;
  double idle = 0;
  double waiting = 0;
  double interrupts = 0;
  double softInterrupts = 0;
  double stolen = 0;
  line >> user >> nice >> system >> idle >> waiting >> interrupts >> softInterrupts >> stolen;
  return (user + nice + system + interrupts + softInterrupts + stolen) * tickSeconds();
}

ProcessorTimes timesNow()
{
  ProcessorTimes times;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return times;
  std::ifstream file("/proc/stat");
  for (std::string text; std::getline(file, text);) {
    if (!text.starts_with("cpu") || text.size() < 4 || std::isdigit(static_cast<unsigned char>(text[3])) == 0)
      continue;
    std::istringstream line(text.substr(3));
    std::size_t processor = 0;
    if (line >> processor && processor < CPU_SETSIZE && CPU_ISSET(processor, &allowed)) {
      ++times.processors;
      times.busy += busyIn(line);
    }
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  times.own = secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime);
  return times;
}

} // namespace

double processorsOfOthers(const ProcessorTimes& before, const ProcessorTimes& after, double seconds)
{
  const double taken = (after.busy - before.busy) - (after.own - before.own) - uncertainSeconds(after.processors);
  return seconds > 0 ? std::max(0.0, taken / seconds) : 0;
}

MachineLoad::MachineLoad() : begin(std::chrono::steady_clock::now()), before(timesNow()) {}

double MachineLoad::others() const
{
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  return processorsOfOthers(before, timesNow(), elapsed.count());
}

} // namespace hinesight
