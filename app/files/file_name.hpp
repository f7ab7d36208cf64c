#pragma once

#include <string>

namespace hinesight {

/// What is wrong with an argument as the name of a file or folder, as a clause; empty where nothing is. `isOperand`: it
/// stands alone, and not behind an option that may have lost its own value.
inline std::string fileNameProblem(const std::string& argument, bool isOperand)
{
  if (argument.empty())
    return "the name of a file is empty; give one, or leave it out";
  if (argument == "-" || (argument.front() == '-' && !isOperand))
    return "'" + argument + "' is no name of a file; write ./" + argument + " if there is one that is called so";
  return {};
}

} // namespace hinesight
