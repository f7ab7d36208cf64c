#include "simulation/samples/sample_cells.hpp"

#include "cell/mechanism.hpp"
#include "core/philox.hpp"
#include "morphology/synthetic.hpp"

#include <numbers>
#include <string_view>

namespace hinesight::simulation::samples {

namespace {

using morphology::kApicalDendrite;
using morphology::kAxon;
using morphology::kBasalDendrite;
using morphology::kSoma;

constexpr double kPi = std::numbers::pi;

Model withoutForm(std::string name, std::vector<cell::Density> densities)
{
  auto model = std::make_shared<cell::CellModel>();
  model->name = std::move(name);
  model->cut.sections.push_back({.type = kSoma});
  model->biophysics.densities = std::move(densities);
  return model;
}

/// `resistance` to the parent over the resistivity, 1/um.
void addNode(cell::CellModel& model, std::int32_t parent, double area, double resistance)
{
  model.cut.parent.push_back(parent);
  model.cut.area.push_back(area);
  model.cut.resistance.push_back(resistance);
  model.cut.section.push_back(0);
}

/// Its first parameter, which is the greatest conductance, in S/cm2; the others are the usual ones.
cell::Density channel(std::string_view name, std::int32_t type, double conductance)
{
  cell::Density density{cell::mechanismNamed(name), type, {}};
  for (const cell::MechanismParameter& parameter :
       cell::allMechanisms()[static_cast<std::size_t>(density.mechanism)].parameters)
    density.parameters.push_back(parameter.usual);
  density.parameters.front() = conductance;
  return density;
}

/// Whose segments are 264 where none is longer than 40 um, and 1,501 where none is longer than 10 um.
std::shared_ptr<const morphology::Morphology> pyramidalForm()
{
  morphology::SyntheticCellParameters form;
  form.stems = 6;
  form.levels = 6;
  form.seed = 3;
  return morphology::makeSyntheticCell(form);
}

/// A leak everywhere, and regions whose dendrites have the membrane of spines.
cell::Biophysics leakyBiophysics()
{
  constexpr double kRest = -85; // mV
  cell::Biophysics biophysics;
  biophysics.celsius = 34;
  biophysics.startPotential = kRest;
  for (const std::int32_t type : {kSoma, kAxon, kBasalDendrite, kApicalDendrite}) {
    cell::Region& region = biophysics.regions[type];
    region.capacitance = type == kSoma || type == kAxon ? 1 : 2;
    region.resistivity = 140;
    region.sodiumReversal = 53;
    region.potassiumReversal = -107;
    cell::Density leak = channel("pas", type, type == kAxon ? 5e-4 : 2e-5);
    leak.parameters[1] = kRest;
    biophysics.densities.push_back(leak);
  }
  return biophysics;
}

void addSomaticChannels(cell::Biophysics& biophysics)
{
  const auto add = [&](std::string_view name, double conductance) {
    biophysics.densities.push_back(channel(name, kSoma, conductance));
  };
  add("Im", 1e-3);
  add("Ih", 5e-5);
  add("NaTs", 1);
  add("Nap", 2e-4);
  add("K_P", 0.05);
  add("K_T", 1e-3);
  add("SK", 2e-4);
  add("Kv3_1", 0.06);
  add("Ca_HVA", 4e-4);
  add("Ca_LVA", 4e-3);
  cell::Density calcium = channel("CaDynamics", kSoma, 1e-3);
  calcium.parameters[1] = 700; // ms
  biophysics.densities.push_back(calcium);
}

void addDendriticChannels(cell::Biophysics& biophysics)
{
  for (const std::int32_t type : {kBasalDendrite, kApicalDendrite}) {
    biophysics.densities.push_back(channel("NaV", type, 0.01));
    biophysics.densities.push_back(channel("Kv3_1", type, 0.05));
    biophysics.densities.push_back(channel("Im_v2", type, 1e-3));
    biophysics.densities.push_back(channel("Ih", type, 1e-5));
  }
}

} // namespace

cell::Density passive(double leak, double reversal)
{
  return {cell::kPassive, kSoma, {leak, reversal}};
}

cell::Density hh(double leak, double reversal)
{
  return {cell::kHh, kSoma, {0.12, 0.036, leak, reversal}};
}

Model ball(std::vector<cell::Density> densities, double area)
{
  const Model model = withoutForm("ball", std::move(densities));
  addNode(*model, -1, area, 0);
  return model;
}

Model cable(std::size_t compartments, double length, double diameter, std::vector<cell::Density> densities)
{
  const Model model = withoutForm("cable", std::move(densities));
  const double step = length / static_cast<double>(compartments);
  for (std::size_t i = 0; i < compartments; ++i)
    addNode(*model, static_cast<std::int32_t>(i) - 1, kPi * diameter * step,
            i == 0 ? 0 : step / (kPi * diameter * diameter / 4));
  return model;
}

Model randomTree(std::size_t compartments, std::uint64_t seed, std::vector<cell::Density> densities)
{
  const Model model = withoutForm("random tree", std::move(densities));
  addNode(*model, -1, 1000, 0);
  for (std::size_t i = 1; i < compartments; ++i) {
    const auto uniform = [&](std::uint32_t draw) { return randomUniform(seed, i, 0, draw); };
    addNode(*model, static_cast<std::int32_t>(uniform(0) * static_cast<double>(i)), 25 + 75 * uniform(1),
            5 + 15 * uniform(2));
  }
  return model;
}

Model dendrites(std::size_t compartments, std::uint64_t seed, std::vector<cell::Density> densities)
{
  constexpr double kLength = 10, kDiameter = 2, kFork = 1.0 / 20; // um, um, of a compartment
  const Model model = withoutForm("dendrites of " + std::to_string(compartments), std::move(densities));
  addNode(*model, -1, kPi * 20 * 20, 0);
  for (std::size_t i = 1; i < compartments; ++i) {
    const bool isFork = randomUniform(seed, i, 0, 0) < kFork;
    const double parent = isFork ? randomUniform(seed, i, 0, 1) * static_cast<double>(i) : static_cast<double>(i - 1);
    addNode(*model, static_cast<std::int32_t>(parent), kPi * kDiameter * kLength,
            kLength / (kPi * kDiameter * kDiameter / 4));
  }
  return model;
}

Model cortical(Kind kind)
{
  auto model = std::make_shared<cell::CellModel>();
  model->name = kind == Kind::Perisomatic ? "perisomatic" : "all-active";
  model->cut = cell::cutIntoSections(*pyramidalForm(), {.axon = cell::AxonPolicy::Stub});
  model->biophysics = leakyBiophysics();
  addSomaticChannels(model->biophysics);
  if (kind == Kind::AllActive)
    addDendriticChannels(model->biophysics);
  return model;
}

Model pyramidal()
{
  auto model = std::make_shared<cell::CellModel>();
  model->name = "pyramidal";
  model->cut = cell::cutIntoSections(*pyramidalForm(), {.longestSegment = 10});
  for (const std::int32_t type : {kSoma, kAxon, kBasalDendrite, kApicalDendrite}) {
    cell::Density density = hh();
    density.type = type;
    model->biophysics.densities.push_back(density);
  }
  return model;
}

} // namespace hinesight::simulation::samples
