#pragma once

#include "io/sonata/configuration.hpp"
#include "io/sonata/simulation_configuration.hpp"

#include <map>
#include <string>

namespace hinesight::io {

/// Reads sets of nodes, by their names and as they stand in entries.
class NodeSetReader
{
public:
  /// Sets of the circuit, and those of the simulation, which come before them.
  NodeSetReader(const SonataConfiguration& simulation, const SonataConfiguration& circuit);
  ~NodeSetReader();

  /// What an entry says: a name, a list of ids or of names, or properties; all nodes where it is null. Throws
  /// Error(BadFormat) with `where`.
  NodeSets read(const nlohmann::ordered_json& entry, const std::string& where) const;

private:
  void addOf(const SonataConfiguration& configuration);
  void add(const nlohmann::ordered_json& more, const SonataConfiguration& of);
  NodeSets read(const nlohmann::ordered_json& entry, const std::string& where, int depth) const;
  NodeSets named(const std::string& name, const std::string& where, int depth) const;
  NodeSet withProperties(const nlohmann::ordered_json& entry, const std::string& where) const;
  std::vector<std::uint64_t> idsOf(const nlohmann::ordered_json& value, const std::string& where) const;
  std::vector<std::string> textsOf(const nlohmann::ordered_json& value, const std::string& where) const;

  const SonataConfiguration& config;
  std::unique_ptr<nlohmann::ordered_json> sets;
};

} // namespace hinesight::io
