#pragma once

#include "morphology/morphology.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hinesight::morphology {

/// How often something was seen and where first, so that a file gets one warning for it and not thousands.
struct Tally
{
  std::int64_t count = 0;
  std::int64_t firstLine = 0;
  std::int64_t lastLine = 0;

  void note(std::int64_t line)
  {
    if (count++ == 0 || line < firstLine)
      firstLine = line;
    lastLine = line;
  }

  /// The same, but once for each line: for what a row can have several times.
  void noteOnce(std::int64_t line)
  {
    if (count == 0 || line != lastLine)
      note(line);
  }

  /// "1 row has" or "12 rows have", from the two forms after the number.
  std::string counted(const std::string& one, const std::string& many) const;
};

/// "lines 1, 6 and 9"; "lines 1, 2, 3, 4, ..." where there are many. `samples` holds at least one.
std::string nameLines(const Morphology& morphology, const std::vector<std::int32_t>& samples);

} // namespace hinesight::morphology
