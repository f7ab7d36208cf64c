#pragma once

#include "model/project.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hinesight::app {

/// Which connection is which: a connection keeps its number whatever it is called, and a name may be given to another
/// one.
class ConnectionIds
{
public:
  using Id = std::uint64_t;              ///< 0: of none
  using Map = std::map<std::string, Id>; ///< by their names

  const Map& all() const { return ids; }
  Id idOf(const std::string& name) const;
  /// Empty: it is gone.
  std::string nameOf(Id id) const;
  /// In place of all.
  void setAll(const Map& wanted) { ids = wanted; }
  void set(const std::string& name, Id id) { ids[name] = id; }
  void rename(const std::string& before, const std::string& now);
  /// These are there: others are forgotten, and new ones get a number.
  void follow(const std::vector<model::Connection>& connections);

private:
  Map ids;
  Id last = 0;
};

} // namespace hinesight::app
