#pragma once

#include "model/project.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace hinesight::app {

/// The projection of that name, else the first one; the end where there is none.
template <typename Connections>
auto findProjection(Connections& connections, const std::string& name)
{
  using model::Connection;
  using model::ConnectionKind;
  const auto isNamed = [&](const Connection& c) { return c.kind == ConnectionKind::Projection && c.name == name; };
  const auto named = std::ranges::find_if(connections, isNamed);
  return named != connections.end() ? named
                                    : std::ranges::find(connections, ConnectionKind::Projection, &Connection::kind);
}

/// Whether the project has all of these.
inline bool hasPopulations(const model::Project& project, const std::vector<std::string>& names)
{
  return std::ranges::all_of(names, [&](const std::string& name) { return model::findPopulation(project, name); });
}

/// Null where there is none.
template <typename Project>
auto findConnection(Project& project, model::ConnectionKind kind, const std::string& name)
{
  const auto found = std::ranges::find_if(project.connections,
                                          [&](const model::Connection& c) { return c.kind == kind && c.name == name; });
  return found == project.connections.end() ? nullptr : &*found;
}

template <typename Project>
auto findFormed(Project& project, const std::string& name)
{
  return findConnection(project, model::ConnectionKind::Formed, name);
}

} // namespace hinesight::app
