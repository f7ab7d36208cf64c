#include "study/simulation/circuit_nodes.hpp"

#include "core/error.hpp"
#include "io/models/biophysics_builder.hpp"

namespace hinesight::study {

const CircuitNodes::Population& CircuitNodes::named(const std::string& population, const std::string& where) const
{
  const auto found = known.find(population);
  if (found == known.end())
    throw Error(ErrorCode::BadFormat, where + " names the nodes \"" + population + "\", which the circuit has not",
                config.file.string());
  return found->second;
}

void CircuitNodes::check(const io::NodeSets& sets, const std::string& where) const
{
  for (const io::NodeSet& set : sets) {
    if (set.population)
      named(*set.population, where);
    for (const auto& property : set.properties)
      if (std::ranges::none_of(known, [&](const auto& each) {
            return (!set.population || each.first == *set.population) && each.second.types.hasValues(property.first);
          }))
        throw Error(ErrorCode::BadFormat,
                    where + " asks for nodes by \"" + property.first + "\", which no table of their types has",
                    config.file.string());
  }
}

bool CircuitNodes::isIn(const io::NodeSets& sets, std::size_t population, std::size_t i) const
{
  const std::string& name = circuit.populations[population].name;
  const Population& about = known.at(name);
  return std::ranges::any_of(sets, [&](const io::NodeSet& set) {
    if (set.population && *set.population != name)
      return false;
    if (set.ids && std::ranges::find(*set.ids, circuit.populations[population].ids[i]) == set.ids->end())
      return false;
    return std::ranges::all_of(set.properties, [&](const auto& property) {
      return std::ranges::find(property.second, about.types.valueOf(about.type[i], property.first)) !=
             property.second.end();
    });
  });
}

std::optional<std::int32_t> typeOfSections(const std::string& name)
{
  static const std::map<std::string, const char*> kOthers = {
      {"somatic", "soma"}, {"axonal", "axon"}, {"basal", "dend"}, {"apical", "apic"}};
  const auto other = kOthers.find(name);
  return io::sectionType(other == kOthers.end() ? name : other->second);
}

std::int32_t nodeOf(const cell::CutCell& cut, const io::InputPlace& place)
{
  const std::optional<std::int32_t> type = typeOfSections(place.sections);
  std::size_t left = place.index;
  for (std::size_t s = 0; type && s < cut.sections.size(); ++s)
    if (cut.sections[s].type == *type && left-- == 0)
      return cut.nodeAt(static_cast<std::int32_t>(s), place.position);
  return -1;
}

} // namespace hinesight::study
