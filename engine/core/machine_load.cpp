#include "core/machine_load.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace hinesight {

namespace {

/// By how much the busy time of so many processors may be wrong, in ticks: each is charged to whoever ran when it came.
double uncertainTicks(int processors)
{
  return 2 + std::sqrt(static_cast<double>(processors));
}

double secondsOf(const timeval& time)
{
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// Seconds of one processor that were not idle, of a line "cpu3 user nice system idle iowait irq softirq steal ...".
/// What guests took is part of user and nice.
double busyIn(std::istream& line, double ticksASecond)
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
  return (user + nice + system + interrupts + softInterrupts + stolen) / ticksASecond;
}

} // namespace

MachineLoad::Times MachineLoad::now()
{
  Times times;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return times;
  const auto ticksASecond = static_cast<double>(sysconf(_SC_CLK_TCK));
  std::ifstream file("/proc/stat");
  for (std::string text; std::getline(file, text);) {
    if (!text.starts_with("cpu") || text.size() < 4 || std::isdigit(static_cast<unsigned char>(text[3])) == 0)
      continue;
    std::istringstream line(text.substr(3));
    std::size_t processor = 0;
    if (line >> processor && processor < CPU_SETSIZE && CPU_ISSET(processor, &allowed)) {
      ++times.processors;
      times.busy += busyIn(line, ticksASecond);
    }
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  times.own = secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime);
  return times;
}

MachineLoad::MachineLoad() : begin(std::chrono::steady_clock::now()), before(now()) {}

double MachineLoad::others() const
{
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  const Times after = now();
  const double uncertain = uncertainTicks(after.processors) / static_cast<double>(sysconf(_SC_CLK_TCK));
  const double taken = (after.busy - before.busy) - (after.own - before.own) - uncertain;
  return elapsed.count() > 0 ? std::max(0.0, taken / elapsed.count()) : 0;
}

} // namespace hinesight
