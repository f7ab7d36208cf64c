#pragma once

#include <cstdio>
#include <string>

namespace hinesight::bench {

/// Prints figures beside what was promised of them.
class Limits
{
public:
  void atMost(double limit, const std::string& what, double value, const char* unit)
  {
    print(value <= limit, "at most", limit, what, value, unit);
  }
  void atLeast(double limit, const std::string& what, double value, const char* unit)
  {
    print(value >= limit, "at least", limit, what, value, unit);
  }
  /// Of the program: 1 where a promise was not kept.
  int status() const { return areKept ? 0 : 1; }

private:
  void print(bool isKept, const char* bound, double limit, const std::string& what, double value, const char* unit)
  {
    std::printf("%-64s %9.1f %s, %s %g%s\n", what.c_str(), value, unit, bound, limit, isKept ? "" : ": NOT KEPT");
    std::fflush(stdout);
    areKept = areKept && isKept;
  }

  bool areKept = true;
};

} // namespace hinesight::bench
