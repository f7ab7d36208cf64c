#pragma once

#include <map>
#include <set>
#include <string>

namespace hinesight::model {

/// Names that differ, such as those of the connections of a project.
class TakenNames
{
public:
  TakenNames() = default;
  /// Those of parts that have a `name`.
  template <typename Parts>
  explicit TakenNames(const Parts& parts)
  {
    for (const auto& part : parts)
      all.insert(part.name);
  }

  /// The name, with a number where it is taken. From now on it is taken.
  std::string take(const std::string& wanted);

private:
  std::set<std::string> all;
  std::map<std::string, int> numbers; ///< that come next, of names that were taken before
};

} // namespace hinesight::model
