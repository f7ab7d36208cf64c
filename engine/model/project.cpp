#include "model/project.hpp"

#include "core/error.hpp"
#include "model/project_parts.hpp"
#include "model/tags.hpp"

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

/// The parts that others name.
struct Named
{
  std::unordered_map<std::string_view, const Cell*> cells;
  std::unordered_map<std::string_view, const NeuronModel*> models;
};

void checkModels(const Named& named, const Population& population, const std::string& label)
{
  if (population.models.size() > 1 && population.models.size() != population.cells.size())
    refuse(label, "has " + std::to_string(population.models.size()) + " models for " +
                      std::to_string(population.cells.size()) + " cells; name one of all, or one of each cell.");
  for (const std::string& name : population.models) {
    const auto found = named.models.find(name);
    if (found == named.models.end())
      refuse(label, "has the model \"" + name + "\", which the project has not.");
    const NeuronModel* const model = found->second;
    if (model->kind == NeuronKind::Point && population.models.size() > 1)
      refuse(label, "has the point neurons \"" + name + "\" beside other models; give them a population of their own.");
    if (model->kind != NeuronKind::Point && population.cells.empty())
      refuse(label, "has the model \"" + name + "\", whose neurons have a form, but names no cell.");
  }
}

void checkPopulation(const Named& named, const Population& population)
{
  const std::string label = labelOf("population", population.name());
  checkPart(label, [&] {
    validateFields(fieldsOf(population));
    projection::validate(population.placement);
  });
  if (population.axis == std::array<double, 3>{})
    refuse(label, "is turned about an axis of length 0; give it a direction.");
  for (const std::string& cell : population.cells)
    if (!named.cells.contains(cell))
      refuse(label, "has the cell \"" + cell + "\", which the project has not.");
  checkModels(named, population, label);
}

void checkConnection(const Project& project, const Connection& connection)
{
  const std::string label = labelOf("connection", connection.name);
  checkPart(label, [&] { validateFields(fieldsOf(connection)); });
  const auto require = [&](const std::string& population) {
    if (!findPopulation(project, population))
      refuse(label, "joins the population \"" + population + "\", which the project has not.");
  };
  if (connection.synapses.place != SynapsePlace::None && connection.synapses.tau1 >= connection.synapses.tau2)
    refuse(label, "has synapses that rise more slowly than they fall; synapse-tau2 has to be above synapse-tau1.");
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

void checkNeuronModel(const NeuronModel& model)
{
  const std::string label = labelOf("model", model.name);
  checkPart(label, [&] { validateFields(fieldsOf(model)); });
  if (model.kind == NeuronKind::Fit && model.file.empty())
    refuse(label, "is a fit, but names no file.");
}

/// `kind`: "stimulus"; the fields of both are alike.
void checkTarget(const Project& project, const auto& part, std::string_view kind)
{
  const std::string label = labelOf(kind, part.name);
  checkPart(label, [&] { validateFields(fieldsOf(part)); });
  if (!findPopulation(project, part.population))
    refuse(label, "is of the population \"" + part.population + "\", which the project has not.");
}

void checkStimulus(const Project& project, const Stimulus& stimulus)
{
  checkTarget(project, stimulus, "stimulus");
  const std::string label = labelOf("stimulus", stimulus.name);
  if (stimulus.isOfCells() && stimulus.on == Sections::All)
    refuse(label, "goes to all parts of its cells; it needs a place: soma, axon, dend or apic.");
  if (stimulus.kind == StimulusKind::VoltageClamp &&
      (stimulus.potentials.empty() || stimulus.potentials.size() != stimulus.durations.size()))
    refuse(label, "has " + std::to_string(stimulus.potentials.size()) + " potentials and " +
                      std::to_string(stimulus.durations.size()) + " durations; give as many, and one at least.");
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

Cell scienceOf(Cell cell)
{
  cell.isShown = true;
  cell.tags.clear();
  cell.modified.clear();
  return cell;
}

std::unordered_map<std::string_view, const Cell*> cellsByName(const Project& project)
{
  return byName(project.cells);
}

const Population* findPopulation(const Project& project, const std::string& name)
{
  const auto found = std::ranges::find(project.populations, name, &Population::name);
  return found == project.populations.end() ? nullptr : &*found;
}

const NeuronModel* findModel(const Project& project, const std::string& name)
{
  const auto found = std::ranges::find(project.models, name, &NeuronModel::name);
  return found == project.models.end() ? nullptr : &*found;
}

void validate(const Project& project)
{
  requireNames(project.cells, "cell", [](const Cell& c) { return c.name; });
  requireNames(project.populations, "population", [](const Population& p) { return p.name(); });
  requireNames(project.connections, "connection", [](const Connection& c) { return c.name; });
  requireNames(project.models, "model", [](const NeuronModel& m) { return m.name; });
  requireNames(project.stimuli, "stimulus", [](const Stimulus& s) { return s.name; });
  requireNames(project.probes, "probe", [](const ProbeRequest& p) { return p.name; });
  for (const Cell& cell : project.cells)
    checkPart(labelOf("cell", cell.name), [&] {
      validateFields(fieldsOf(cell));
      tagSet(cell.tags);
    });
  const Named named{byName(project.cells), byName(project.models)};
  for (const Population& population : project.populations)
    checkPopulation(named, population);
  for (const Connection& connection : project.connections)
    checkConnection(project, connection);
  for (const NeuronModel& model : project.models)
    checkNeuronModel(model);
  for (const Stimulus& stimulus : project.stimuli)
    checkStimulus(project, stimulus);
  for (const ProbeRequest& probe : project.probes)
    checkTarget(project, probe, "probe");
  forOptionals([&](const char* name, auto member) {
    if (const auto& part = project.*member)
      checkPart("part \"" + std::string(name) + "\"", [&] { validateFields(fieldsOf(*part)); });
  });
}

} // namespace hinesight::model
