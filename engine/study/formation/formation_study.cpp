#include "study/formation/formation_study.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "io/networks/network_files.hpp"
#include "io/networks/network_start.hpp"
#include "study/gpu_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace hinesight::study {

namespace {

using synapse::Synapse;

/// All synapses, static ones with their weights rounded to whole synapses, at least one each.
synapse::Network wholeNetwork(const io::StoredNetwork& stored, std::size_t neurons)
{
  synapse::Network network{neurons, stored.plastic.synapses};
  std::vector<Synapse> fixed;
  for (const synapse::StaticSynapse& each : stored.fixed) {
    const double size = std::clamp(std::round(std::abs(each.weight)), 1.0, 1e9);
    fixed.push_back({each.source, each.target, static_cast<std::int32_t>(each.weight < 0 ? -size : size)});
  }
  addSynapses(network, std::move(fixed));
  return network;
}

/// Per neuron: the elements of one sign that synapses hold, of axons or of dendrites. `file`: what errors name.
std::vector<std::uint32_t> heldElements(const synapse::Network& network, synapse::Channel channel, bool ofAxons,
                                        const std::string& file)
{
  std::vector<std::uint32_t> held(network.neurons);
  for (const Synapse& each : network.synapses)
    if ((each.weight < 0) == (channel == synapse::kInhibitory)) {
      const std::uint32_t neuron = ofAxons ? each.source : each.target;
      io::addHeld(held[neuron], each.weight, neuron, file);
    }
  return held;
}

/// The neurons of a file are the same whatever is said of those at random.
NeuronSource withoutUnused(const NeuronSource& source)
{
  NeuronSource used;
  used.network = source.network;
  used.given = source.given;
  if (source.given)
    return used;
  if (source.path.empty())
    used = source;
  used.path = source.path;
  used.nodes = source.nodes;
  return used;
}

} // namespace

std::string populationsInWords(const NeuronSource& source)
{
  std::string words;
  for (const std::string& name : source.populations)
    words += (words.empty() ? "" : ", ") + name;
  return words;
}

std::shared_ptr<const synapse::NeuronPopulation> makeNeurons(const NeuronSource& source, const RunControl& control)
{
  if (source.given)
    return source.given;
  if (!source.populations.empty())
    throw Error(ErrorCode::BadParameter, "The neurons of \"" + populationsInWords(source) +
                                             "\" are not placed; choose populations that the circuit has.");
  if (!source.path.empty())
    return std::make_shared<const synapse::NeuronPopulation>(
        io::readNeuronPopulation(io::NeuronFile{source.path, source.nodes}, control));
  const synapse::PlacementParameters& placement = source.placement;
  return synapse::makeRandomPopulation(placement.neurons, placement.spacing, placement.excitatory, source.seed,
                                       control);
}

void exportNetwork(const FormationResult& result, const std::string& path, NetworkPart part, const RunControl& control)
{
  const synapse::Formation& formation = *result.formation;
  if (part == NetworkPart::Neurons)
    return io::writeNeuronPopulation(*formation.population, path, control);
  if (result.stored)
    return io::writeNetwork(*result.stored, *formation.population, path, control);
  io::StoredNetwork formed;
  formed.plastic = formation.network;
  formed.step = formation.parameters.step;
  formed.settings = settingsOf(applyingOf(scienceOf(fieldsOf(formation.parameters))));
  io::writeNetwork(formed, *formation.population, path, control);
}

std::shared_ptr<synapse::Formation> formationOf(std::shared_ptr<const synapse::NeuronPopulation> population,
                                                const io::StoredNetwork& stored,
                                                const synapse::FormationParameters& parameters, const std::string& file,
                                                const RunControl& control)
{
  io::requireNeuronsOf(stored, population->size(), file);
  auto formation = std::make_shared<synapse::Formation>();
  formation->parameters = parameters;
  formation->population = std::move(population);
  formation->timings.device = processorName();
  Stopwatch stopwatch;
  formation->tree = synapse::makeOctree(formation->population->position, parameters.threads, control);
  formation->timings.add("tree", stopwatch.lap());
  control.checkpoint();
  formation->network = wholeNetwork(stored, formation->population->size());
  formation->timings.add("edges", stopwatch.lap());
  const bool axonsAreSought = parameters.search.kind == synapse::SearchKind::Inverse;
  for (const synapse::Channel channel : {synapse::kExcitatory, synapse::kInhibitory}) {
    control.checkpoint();
    formation->sought[channel] =
        synapse::sumVacant(*formation->tree, formation->population->position,
                           heldElements(formation->network, channel, axonsAreSought, file), parameters.threads);
  }
  formation->timings.add("vacant", stopwatch.lap());
  return formation;
}

namespace {

bool holdsNeurons(const std::filesystem::path& sonata)
{
  try {
    return io::sonataContent(sonata).hasNeurons;
  } catch (const Error&) {
    return true; // what is wrong with it is said when it is read
  }
}

} // namespace

std::string neuronsBeside(const std::string& network)
{
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::path path(network);
  const bool isSonata = path.extension() == ".h5";
  if (fs::is_directory(path, failure) || (isSonata && holdsNeurons(path)))
    return network;
  const std::string name = path.filename().string();
  std::vector<std::string> names;
  for (const std::string word : {"in_network", "out_network", "network", "edges"})
    if (const std::size_t at = name.find(word); at != std::string::npos)
      for (const char* other : {"positions", "neurons", "nodes"})
        names.push_back(std::string(name).replace(at, word.size(), other));
  for (const char* other : {"positions", "neurons", "nodes"})
    names.push_back(other + path.extension().string());
  for (const std::string& each : names)
    if (each != name && fs::is_regular_file(path.parent_path() / each, failure))
      return (path.parent_path() / each).string();
  return {};
}

/// What cannot be made leaves what was there before.
void FormationStudy::makeSource(const NeuronSource& wanted, const RunControl& control)
{
  reading = 0;
  const std::array<io::FileStamp, 2> stamps = {io::stampOf(wanted.path), io::stampOf(wanted.network)};
  if (population && withoutUnused(source) == withoutUnused(wanted) && files == stamps)
    return;
  std::shared_ptr<const io::StoredNetwork> network;
  Stopwatch stopwatch;
  if (!wanted.network.empty())
    network = std::make_shared<const io::StoredNetwork>(io::readNetwork(wanted.network, control));
  double read = stopwatch.lap();
  control.report("positions", 0);
  const bool readsNeuronsOnly = !wanted.path.empty() && wanted.path != wanted.network;
  std::string left = readsNeuronsOnly ? io::leftBehind({wanted.path, wanted.nodes}) : std::string();
  population = makeNeurons(wanted, control);
  if (!wanted.path.empty())
    read += stopwatch.lap();
  reading = network ? read : 0;
  stored = std::move(network);
  leftInFile = std::move(left);
  source = wanted;
  files = stamps;
}

std::shared_ptr<const synapse::Formation>
FormationStudy::formationOfFile(const synapse::FormationParameters& parameters, const RunControl& control) const
{
  auto formation = formationOf(population, *stored, parameters, source.network, control);
  if (reading > 0) {
    auto& stages = formation->timings.stages;
    stages.insert(stages.begin(), {"read", reading});
  }
  return formation;
}

std::shared_ptr<const synapse::Formation> FormationStudy::formedHere(const synapse::FormationParameters& parameters,
                                                                     const RunControl& control)
{
  gpus = ranksFor(std::move(gpus), parameters);
  const KeptRanksScope scope(gpus, control);
  return synapse::formSynapses(population, parameters, control);
}

FormationResult FormationStudy::run(const FormationRequest& request, const RunControl& control)
{
  synapse::validate(request.formation);
  control.report(request.source.network.empty() ? "positions" : "read", 0);
  control.checkpoint();
  makeSource(request.source, control);
  FormationResult outcome;
  outcome.formation = stored ? formationOfFile(request.formation, control) : formedHere(request.formation, control);
  outcome.stored = stored;
  outcome.file = source.network;
  outcome.neuronFile = source.given ? populationsInWords(source) : source.path;
  outcome.left = leftInFile;
  return outcome;
}

} // namespace hinesight::study
