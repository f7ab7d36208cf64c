#include "study/simulation/session_cells.hpp"

#include "cell/mechanism.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "io/models/allen_fit.hpp"
#include "io/models/biophysics_builder.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace hinesight::study {

namespace {

using model::NeuronKind;
using model::NeuronModel;

/// Of the membrane itself, as entries name them.
struct RegionValue
{
  std::string_view name;
  double cell::Region::*value;
};

constexpr RegionValue kRegionValues[] = {{"cm", &cell::Region::capacitance},
                                         {"Ra", &cell::Region::resistivity},
                                         {"ena", &cell::Region::sodiumReversal},
                                         {"ek", &cell::Region::potassiumReversal}};

/// Takes the entries of a model, one after the other.
class Membrane
{
public:
  explicit Membrane(const NeuronModel& ofModel) : neuron(ofModel), builder(mechanisms) {}

  cell::Biophysics take()
  {
    made.startPotential = neuron.startPotential;
    for (const std::int32_t type : io::kSectionTypes) {
      made.regions[type] = {};
      builder.parametersOf(cell::kPassive, type)[0] = 0; // unless an entry says pas
    }
    for (const model::MembraneEntry& entry : neuron.membrane)
      for (const std::int32_t type : typesOf(entry.on))
        take(entry, type);
    made.densities = builder.densities();
    if (const auto problem = cell::problemOf(made))
      throw Error(ErrorCode::BadParameter, "The model \"" + neuron.name + "\": " + *problem);
    return std::move(made);
  }

private:
  [[noreturn]] void refuse(const std::string& what) const
  {
    throw Error(ErrorCode::BadParameter, "The model \"" + neuron.name + "\" " + what);
  }

  void take(const model::MembraneEntry& entry, std::int32_t type)
  {
    if (entry.mechanism.empty()) {
      const auto known = std::ranges::find(kRegionValues, entry.parameter, &RegionValue::name);
      if (known == std::ranges::end(kRegionValues))
        refuse("has \"" + entry.parameter + "\" of its membrane; there are cm, Ra, ena and ek.");
      made.regions[type].*known->value = entry.value;
      return;
    }
    const std::int32_t place = mechanisms.find(entry.mechanism);
    if (place < 0)
      refuse("has the mechanism \"" + entry.mechanism + "\", which is not known.");
    const cell::Mechanism& mechanism = mechanisms[place];
    std::vector<double>& values = builder.parametersOf(place, type);
    const auto known = mechanism.parameterNamed(entry.parameter);
    if (entry.parameter.empty())
      std::ranges::transform(mechanism.parameters, values.begin(), &cell::MechanismParameter::usual);
    else if (!known)
      refuse("has \"" + entry.parameter + "\" of " + entry.mechanism + ", which has no such parameter.");
    else
      values[*known] = entry.value;
  }

  const NeuronModel& neuron;
  const cell::MechanismCatalogue mechanisms;
  cell::Biophysics made;
  io::BiophysicsBuilder builder;
};

} // namespace

std::vector<std::int32_t> typesOf(model::Sections sections)
{
  if (sections == model::Sections::All)
    return {io::kSectionTypes.begin(), io::kSectionTypes.end()};
  return {*io::sectionType(std::string(choiceName(sections)))};
}

cell::Biophysics biophysicsOf(const NeuronModel& model, std::vector<std::string>& notes)
{
  if (model.kind == NeuronKind::Membrane)
    return Membrane(model).take();
  io::AllenFit fit = io::readAllenFit(model.file);
  for (const std::string& note : fit.notes)
    notes.push_back("The model \"" + model.name + "\": " + note);
  return std::move(fit.biophysics);
}

cell::AxonPolicy axonOf(const NeuronModel& model)
{
  switch (model.axon) {
  case model::AxonChoice::Usual:
    return model.kind == NeuronKind::Fit ? cell::AxonPolicy::Stub : cell::AxonPolicy::Kept;
  case model::AxonChoice::Kept:
    return cell::AxonPolicy::Kept;
  case model::AxonChoice::Stub:
    return cell::AxonPolicy::Stub;
  case model::AxonChoice::StubAsThick:
    break;
  }
  return cell::AxonPolicy::StubAsThick;
}

SessionCells::SessionCells(const model::Project& project,
                           std::span<const std::shared_ptr<const morphology::Morphology>> morphologies)
    : ofPool(project.populations.size())
{
  const double celsius = project.simulate ? project.simulate->parameters.celsius : 0;
  const double longestSegment =
      project.simulate ? project.simulate->longestSegment : model::SimulateParameters().longestSegment;
  std::vector<std::shared_ptr<const cell::Biophysics>> membranes(project.models.size());
  const auto cells = model::cellsByName(project);
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> entryOfPair;
  for (std::size_t p = 0; p < project.populations.size(); ++p) {
    const model::Population& population = project.populations[p];
    if (kindOf(project, population) != SimulatedKind::Cells)
      continue;
    for (std::size_t k = 0; k < population.cells.size(); ++k) {
      const model::Cell* const cell = cells.at(population.cells[k]);
      const auto* const neuron = model::findModel(project, population.models[population.models.size() > 1 ? k : 0]);
      const auto cellPlace = static_cast<std::size_t>(cell - project.cells.data());
      const auto modelPlace = static_cast<std::size_t>(neuron - project.models.data());
      const auto [known, isNew] = entryOfPair.emplace(std::pair(cellPlace, modelPlace), all.size());
      ofPool[p].push_back(known->second);
      if (!isNew)
        continue;
      auto& membrane = membranes[modelPlace];
      if (!membrane) {
        membrane = std::make_shared<cell::Biophysics>(biophysicsOf(*neuron, said));
        if (neuron->kind == NeuronKind::Fit && membrane->celsius != celsius)
          said.push_back("The model \"" + neuron->name + "\" was fitted at " + textOf(membrane->celsius) +
                         " °C; it is simulated at " + textOf(celsius) + ".");
      }
      auto made = std::make_shared<cell::CellModel>();
      made->name = cell->name;
      made->biophysics = *membrane;
      made->biophysics.celsius = celsius;
      made->cut = cell::cutIntoSections(*morphologies[cellPlace], {longestSegment, axonOf(*neuron)});
      all.push_back({cellPlace, modelPlace, std::move(made)});
    }
  }
}

SimulatedKind kindOf(const model::Project& project, const model::Population& population)
{
  if (population.models.empty())
    return SimulatedKind::Trains;
  const model::NeuronModel* const model = model::findModel(project, population.models.front());
  return model && model->kind == NeuronKind::Point ? SimulatedKind::PointNeurons : SimulatedKind::Cells;
}

std::string misfitOf(const model::Project& project, const model::Stimulus& stimulus)
{
  const model::Population* const population = model::findPopulation(project, stimulus.population);
  if (!population)
    return {};
  const SimulatedKind kind = kindOf(project, *population);
  if (kind == (stimulus.isOfCells() ? SimulatedKind::Cells : SimulatedKind::Trains))
    return {};
  const std::string where = "The stimulus \"" + stimulus.name + "\" ";
  if (!stimulus.isOfCells())
    return where + "makes \"" + stimulus.population +
           "\" spike, whose neurons have a model; that is for populations without one, which drive "
           "others over connections.";
  return where + "is a current into \"" + stimulus.population + "\", " +
         (kind == SimulatedKind::Trains ? "whose neurons have no model."
                                        : "whose neurons have no form; point neurons are driven by spikes, over a "
                                          "connection from a population without a model.");
}

std::string misfitOf(const model::Project& project, const model::ProbeRequest& probe)
{
  const model::Population* const population = model::findPopulation(project, probe.population);
  if (!population || kindOf(project, *population) == SimulatedKind::Cells)
    return {};
  return "The probe \"" + probe.name + "\" is of \"" + probe.population + "\", whose neurons have no form.";
}

} // namespace hinesight::study
