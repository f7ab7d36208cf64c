#include "app/document/connection_ids.hpp"

#include <algorithm>
#include <utility>

namespace hinesight::app {

ConnectionIds::Id ConnectionIds::idOf(const std::string& name) const
{
  const auto found = ids.find(name);
  return found == ids.end() ? 0 : found->second;
}

std::string ConnectionIds::nameOf(Id id) const
{
  const auto found = std::ranges::find(ids, id, &Map::value_type::second);
  return found == ids.end() ? std::string() : found->first;
}

void ConnectionIds::rename(const std::string& before, const std::string& now)
{
  if (const Id id = idOf(before); id != 0) {
    ids.erase(before);
    ids[now] = id;
  }
}

void ConnectionIds::follow(const std::vector<model::Connection>& connections)
{
  Map there;
  for (const model::Connection& connection : connections) {
    const Id known = idOf(connection.name);
    there.emplace(connection.name, known != 0 ? known : ++last);
  }
  ids = std::move(there);
}

} // namespace hinesight::app
