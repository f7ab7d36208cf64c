#pragma once

#include "core/error.hpp"

#include <QString>

#include <cstdint>
#include <vector>

namespace hinesight::app {

/// One thing that is wrong with a file.
struct FileFinding
{
  std::int64_t line = 0; ///< of the file; 0: of none
  QString text;
};

/// What an error says of its file, without its path, which stands where it is shown.
std::vector<FileFinding> findingsOf(const Error& error);

/// "cell.swc, line 3: field 5 (z) is not a number"; several findings are below the name, one a line.
QString findingsUnder(const QString& name, const std::vector<FileFinding>& findings);

/// What an error says; several findings are below the path of the file, one a line.
QString whatIsWrong(const Error& error);

} // namespace hinesight::app
