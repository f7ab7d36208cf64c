#include "study/growth/growth_study.hpp"

#include "core/error.hpp"
#include "io/networks/network_files.hpp"
#include "io/networks/network_start.hpp"
#include "study/gpu_ranks.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace hinesight::study {

namespace {

constexpr double kStretch = 60;                ///< ms that a stretch of steps should take
constexpr std::uint32_t kLongestStretch = 500; ///< steps: their records are drawn at once

using synapse::GrowthParameters;
using synapse::PlasticityParameters;

/// Calls `visit(name, one, other)` for every parameter that a model has from its beginning: what it was made of, and
/// what its state already holds.
template <typename One, typename Visit>
void visitBeginning(One& one, const PlasticityParameters& other, const Visit& visit)
{
  visit("model", one.model, other.model);
  visit("initial calcium", one.calciumInitial, other.calciumInitial);
  visit("calcium of single neurons", one.calciumOf, other.calciumOf);
  visit("target decay", one.targetDecay, other.targetDecay);
  visit("interrupts", one.interrupts, other.interrupts);
  for (const auto pool : {&PlasticityParameters::axon, &PlasticityParameters::excitatoryDendrite,
                          &PlasticityParameters::inhibitoryDendrite})
    for (const auto bound : {&GrowthParameters::initialLeast, &GrowthParameters::initialMost})
      visit("initial elements", one.*pool.*bound, other.*pool.*bound);
  visit("seed", one.search.seed, other.search.seed);
}

template <typename One, typename Visit>
void visitBeginning(One& one, const GrowthRequest& other, const Visit& visit)
{
  visit("neurons", one.start, other.start);
  visit("neurons", one.source.path, other.source.path);
  visit("neurons", one.source.nodes, other.source.nodes);
  visit("neurons", one.source.populations, other.source.populations);
  visit("neurons", one.source.given, other.source.given);
  visit("network", one.source.network, other.source.network);
  visit("neurons", one.source.placement.neurons, other.source.placement.neurons);
  visit("spacing", one.source.placement.spacing, other.source.placement.spacing);
  visit("share of excitatory neurons", one.source.placement.excitatory, other.source.placement.excitatory);
  visit("seed", one.source.seed, other.source.seed);
  visitBeginning(one.model, other.model, visit);
}

constexpr auto kTake = [](std::string_view, auto& member, const auto& from) { member = from; };

} // namespace

std::vector<std::string> beginningsThatDiffer(const GrowthRequest& run, const GrowthRequest& fields)
{
  std::vector<std::string> names;
  visitBeginning(run, fields, [&](std::string_view name, const auto& ofRun, const auto& ofFields) {
    if (ofRun != ofFields && std::ranges::find(names, name) == names.end())
      names.emplace_back(name);
  });
  return names;
}

GrowthRequest goingOn(const GrowthRequest& run, const GrowthRequest& fields)
{
  GrowthRequest next = fields;
  visitBeginning(next, run, kTake);
  return next;
}

PlasticityParameters goingOn(const PlasticityParameters& run, const PlasticityParameters& fields)
{
  PlasticityParameters next = fields;
  visitBeginning(next, run, kTake);
  return next;
}

namespace {

/// What the stages took between two looks at a model.
StageTimings between(const StageTimings& before, const StageTimings& after)
{
  StageTimings part = after;
  for (Stage& stage : part.stages)
    stage.milliseconds -= before.of(stage.name);
  if (before.devices.size() != after.devices.size())
    return part;
  for (std::size_t k = 0; k < part.devices.size(); ++k)
    part.devices[k] = between(before.devices[k], after.devices[k]);
  part.setWaits();
  return part;
}

} // namespace

void exportNetwork(const synapse::PlasticityModel& model, const std::string& path, const RunControl& control)
{
  io::StoredNetwork stored;
  stored.plastic = model.network();
  stored.fixed = model.staticNetwork().synapses;
  std::sort(stored.fixed.begin(), stored.fixed.end());
  stored.step = model.step();
  stored.settings = settingsOf(applyingOf(scienceOf(fieldsOf(model.parameters()))));
  io::writeNetwork(stored, model.population(), path, control);
}

void GrowthStudy::begin(const GrowthRequest& request, const RunControl& control)
{
  std::shared_ptr<KeptRanks> gpus = forget();
  const auto& start = request.start;
  if (start && start->isCheckpoint()) {
    read(start->checkpoint, request.model, nullptr, std::move(gpus), control);
    if (const auto next = goingOn(model()->parameters(), request.model); next != model()->parameters())
      change(next, control);
    return;
  }
  synapse::validate(request.model); // before neurons are made or read for it
  gpus = ranksFor(std::move(gpus), request.model);
  const KeptRanksScope scope(gpus, control);
  std::unique_ptr<synapse::PlasticityModel> made;
  if (!start) {
    auto neurons = makeNeurons(request.source, control);
    const std::string& network = request.source.network;
    made = network.empty()
               ? synapse::makePlasticityModel(std::move(neurons), request.model)
               : io::startFromNetwork(std::move(neurons), request.model, io::readNetwork(network, control), network);
  } else {
    io::StoredNetwork formed;
    if (!start->stored)
      formed.plastic = start->formation->network;
    made = io::startFromNetwork(start->formation->population, request.model, start->stored ? *start->stored : formed,
                                start->name);
  }
  grown = std::make_unique<Grown>(Grown{std::move(gpus), std::move(made)});
}

/// Returns the GPUs that the model was on, for another one.
std::shared_ptr<KeptRanks> GrowthStudy::forget()
{
  std::shared_ptr<KeptRanks> gpus = grown ? grown->gpus : nullptr;
  grown.reset();
  stretch = 1;
  return gpus;
}

void GrowthStudy::open(const std::string& checkpoint, const PlasticityParameters& machine,
                       std::vector<std::string>* unknown, const RunControl& control)
{
  read(checkpoint, machine, unknown, forget(), control);
}

void GrowthStudy::read(const std::string& checkpoint, const PlasticityParameters& machine,
                       std::vector<std::string>* unknown, std::shared_ptr<KeptRanks> kept, const RunControl& control)
{
  std::shared_ptr<KeptRanks> gpus = ranksFor(std::move(kept), machine);
  const KeptRanksScope scope(gpus, control);
  auto made = synapse::readCheckpoint(checkpoint, machine.backend, machine.threads, unknown, machine.devices);
  grown = std::make_unique<Grown>(Grown{std::move(gpus), std::move(made)});
}

void GrowthStudy::change(const PlasticityParameters& parameters, const RunControl& control)
{
  synapse::PlasticityProgress progress = model()->progress();
  if (parameters.calciumTarget != model()->parameters().calciumTarget) {
    std::vector<std::uint8_t> hasOwn(progress.neurons.target.size(), 0);
    for (const synapse::NeuronCalcium& own : parameters.calciumOf)
      if (own.neuron < hasOwn.size())
        hasOwn[own.neuron] = 1;
    for (std::size_t neuron = 0; neuron < hasOwn.size(); ++neuron)
      if (hasOwn[neuron] == 0)
        progress.neurons.target[neuron] = parameters.calciumTarget;
  }
  std::shared_ptr<KeptRanks> gpus = ranksFor(grown->gpus, parameters);
  const KeptRanksScope scope(gpus, control);
  auto next = synapse::continuePlasticityModel(std::make_shared<const synapse::NeuronPopulation>(model()->population()),
                                               parameters, model()->staticNetwork(), progress);
  grown = std::make_unique<Grown>(Grown{std::move(gpus), std::move(next)});
}

void GrowthStudy::advance(std::uint32_t steps, GrowthStretch& done, const RunControl& control,
                          std::uint32_t recordEvery)
{
  const KeptRanksScope scope(grown->gpus, control);
  synapse::PlasticityModel& model = *grown->model;
  const Stopwatch watch;
  const StageTimings before = model.timings();
  const auto tell = [&] {
    done.step = model.step();
    done.neurons = model.population().size();
    done.timings = between(before, model.timings());
  };
  try {
    model.run(steps, recordEvery, done.records, control);
  } catch (const Error&) {
    tell();
    throw;
  }
  tell();
  const double wanted = steps * kStretch / std::max(watch.elapsed(), 1e-3);
  stretch = std::clamp(static_cast<std::uint32_t>(std::min(wanted, 4.0 * stretch)), 1U, kLongestStretch);
}

} // namespace hinesight::study
