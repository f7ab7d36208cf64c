#include "io/sonata/node_sets.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace hinesight::io {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepest = 20; // sets that name sets

bool isId(const Json& value)
{
  return value.is_number_unsigned();
}

} // namespace

NodeSetReader::NodeSetReader(const SonataConfiguration& simulation, const SonataConfiguration& circuit)
    : config(simulation), sets(std::make_unique<Json>(Json::object()))
{
  if (circuit.path() != simulation.path())
    addOf(circuit);
  addOf(simulation);
}

NodeSetReader::~NodeSetReader() = default;

void NodeSetReader::addOf(const SonataConfiguration& configuration)
{
  add(part(configuration.root(), "node_sets"), configuration);
  if (const auto file = configuration.text(configuration.root(), "node_sets_file"); file && !file->empty()) {
    const SonataConfiguration own(configuration.resolve(*file));
    add(own.root(), own);
  }
}

void NodeSetReader::add(const Json& more, const SonataConfiguration& of)
{
  if (more.is_null())
    return;
  if (!more.is_object())
    of.fail("its sets of nodes are no JSON object");
  for (const auto& [name, value] : more.items())
    (*sets)[name] = value;
}

NodeSets NodeSetReader::read(const Json& entry, const std::string& where) const
{
  return read(entry, where, 0);
}

NodeSets NodeSetReader::read(const Json& entry, const std::string& where, int depth) const
{
  if (depth > kDeepest)
    config.fail(where + " names sets of nodes that name each other");
  if (entry.is_null())
    return {NodeSet()};
  if (entry.is_string())
    return named(entry.get<std::string>(), where, depth);
  if (entry.is_object())
    return {withProperties(entry, where)};
  if (!entry.is_array())
    config.fail(where + " is no set of nodes");
  if (std::ranges::all_of(entry, isId)) {
    NodeSet set;
    set.ids = entry.get<std::vector<std::uint64_t>>();
    return {set};
  }
  NodeSets all;
  for (const Json& each : entry) {
    if (!each.is_string())
      config.fail(where + " is no list of ids and no list of names");
    const NodeSets some = named(each.get<std::string>(), where, depth);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

/// A set of that name, else a population.
NodeSets NodeSetReader::named(const std::string& name, const std::string& where, int depth) const
{
  if (sets->contains(name))
    return read((*sets)[name], where, depth + 1);
  if (name == "all")
    return {NodeSet()};
  NodeSet set;
  set.population = name;
  return {set};
}

NodeSet NodeSetReader::withProperties(const Json& entry, const std::string& where) const
{
  NodeSet set;
  for (const auto& [name, value] : entry.items()) {
    if (name == "population" && value.is_string())
      set.population = value.get<std::string>();
    else if (name == "node_id" || name == "node_ids")
      set.ids = idsOf(value, where);
    else
      set.properties.emplace_back(name, textsOf(value, where));
  }
  return set;
}

std::vector<std::uint64_t> NodeSetReader::idsOf(const Json& value, const std::string& where) const
{
  if (isId(value))
    return {value.get<std::uint64_t>()};
  if (!value.is_array() || !std::ranges::all_of(value, isId))
    config.fail(where + " has ids of nodes that are no whole numbers from 0 on");
  return value.get<std::vector<std::uint64_t>>();
}

std::vector<std::string> NodeSetReader::textsOf(const Json& value, const std::string& where) const
{
  std::vector<std::string> texts;
  for (const Json& each : value.is_array() ? value : Json::array({value})) {
    if (!each.is_string() && !each.is_number())
      config.fail(where + " has a property that is no text and no number; conditions on properties are not known");
    texts.push_back(each.is_string() ? each.get<std::string>() : each.dump());
  }
  return texts;
}

} // namespace hinesight::io
