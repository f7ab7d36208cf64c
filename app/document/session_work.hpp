#pragma once

#include <string>
#include <vector>

namespace hinesight::app {

/// A study of the session that computes what a page shows, where no command of its own can say it.
struct SessionWork
{
  std::string study;                       ///< "formation", as 'hinesight-cli run' has it
  std::vector<std::string> connections;    ///< that it makes; empty: all, or it makes none
  std::vector<std::string> assignments;    ///< changes besides, as model::setByPath takes them
  std::vector<std::string> dependsOn = {}; ///< beginnings of paths of what else it reads: "populations."
};

} // namespace hinesight::app
