#include "model/project.hpp"

#include "core/error.hpp"
#include "model/project_parts.hpp"

#include <algorithm>

namespace hinesight::model {

namespace {

/// What is said of a part before what is wrong with it.
std::string labelOf(std::string_view part, const std::string& name)
{
  return std::string(part) + " \"" + name + "\"";
}

[[noreturn]] void refuse(const std::string& label, const std::string& what)
{
  throw Error(ErrorCode::BadParameter, "The " + label + " " + what);
}

template <typename Part>
void requireNames(const std::vector<Part>& parts, std::string_view kind, const auto& nameOf)
{
  std::vector<std::string> names;
  for (const Part& part : parts) {
    requireName(kind, nameOf(part));
    names.push_back(nameOf(part));
  }
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
    refuse(labelOf(kind, *twice), "is there twice; give each a name of its own.");
}

/// The sentence of a field, with the part that has it.
template <typename Check>
void checkPart(const std::string& label, const Check& check)
{
  try {
    check();
  } catch (const Error& error) {
    throw Error(error.code(), "The " + label + ": " + error.message(), error.file(), error.line());
  }
}

void checkPopulation(const Project& project, const Population& population)
{
  const std::string label = labelOf("population", population.name());
  checkPart(label, [&] {
    validateFields(fieldsOf(population));
    projection::validate(population.placement);
  });
  if (population.axis == std::array<double, 3>{})
    refuse(label, "is turned about an axis of length 0; give it a direction.");
  for (const std::string& cell : population.cells)
    if (!findCell(project, cell))
      refuse(label, "has the cell \"" + cell + "\", which the project has not.");
}

void checkConnection(const Project& project, const Connection& connection)
{
  const std::string label = labelOf("connection", connection.name);
  checkPart(label, [&] { validateFields(fieldsOf(connection)); });
  const auto require = [&](const std::string& population) {
    if (!findPopulation(project, population))
      refuse(label, "joins the population \"" + population + "\", which the project has not.");
  };
  if (connection.kind != ConnectionKind::Formed) {
    require(connection.source);
    require(connection.target);
    return;
  }
  if (connection.between.empty())
    refuse(label, "is formed between no populations; name one or more.");
  for (const std::string& population : connection.between)
    require(population);
  std::vector<std::string> names = connection.between;
  std::ranges::sort(names);
  if (std::ranges::adjacent_find(names) != names.end())
    refuse(label, "names a population twice.");
}

} // namespace

void requireName(std::string_view kind, const std::string& name)
{
  constexpr std::size_t kLongest = 200;
  const bool hasControl = std::ranges::any_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7F; });
  if (name.empty() || name.size() > kLongest || name.front() == '.' || hasControl ||
      name.find('/') != std::string::npos)
    throw Error(ErrorCode::BadParameter,
                "The name \"" + name + "\" of a " + std::string(kind) +
                    " will not do; it needs 1 to 200 characters, no '.' at its beginning, no '/' and no control "
                    "characters.");
}

const Cell* findCell(const Project& project, const std::string& name)
{
  const auto found = std::ranges::find(project.cells, name, &Cell::name);
  return found == project.cells.end() ? nullptr : &*found;
}

const Population* findPopulation(const Project& project, const std::string& name)
{
  const auto found = std::ranges::find(project.populations, name, &Population::name);
  return found == project.populations.end() ? nullptr : &*found;
}

void validate(const Project& project)
{
  requireNames(project.cells, "cell", [](const Cell& c) { return c.name; });
  requireNames(project.populations, "population", [](const Population& p) { return p.name(); });
  requireNames(project.connections, "connection", [](const Connection& c) { return c.name; });
  for (const Cell& cell : project.cells)
    checkPart(labelOf("cell", cell.name), [&] { validateFields(fieldsOf(cell)); });
  for (const Population& population : project.populations)
    checkPopulation(project, population);
  for (const Connection& connection : project.connections)
    checkConnection(project, connection);
  forOptionals([&](const char* name, auto member) {
    if (const auto& part = project.*member)
      checkPart("part \"" + std::string(name) + "\"", [&] { validateFields(fieldsOf(*part)); });
  });
}

} // namespace hinesight::model
