#include "core/error.hpp"
#include "core/files.hpp"
#include "synapse/plasticity/plasticity.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <type_traits>

// A checkpoint: a line that names the format, then the parameters as lines of text, "name=text", then every number as
// the machine has it (little-endian), then a check sum of all before. The same functions list what there is for writing
// and for reading. Version 2 had the parameters as numbers too, in the order of visitParameters.

namespace hinesight::synapse {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kFormat = "Hinesight plasticity checkpoint 3\n";
constexpr std::string_view kVersion2 = "Hinesight plasticity checkpoint 2\n"; // as long
constexpr std::string_view kAnyFormat = "Hinesight plasticity checkpoint ";

/// Fowler, Noll and Vo's hash 1a, over words of 8 bytes: it tells damage.
std::uint64_t checkSum(std::string_view bytes)
{
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof hash) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
    hash = (hash ^ word) * 0x100000001b3u;
    hash ^= hash >> 32;
  }
  return hash;
}

class Writer
{
public:
  template <typename T>
  void value(const T& number)
  {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  template <typename T>
  void list(const std::vector<T>& items)
  {
    static_assert(std::is_trivially_copyable_v<T>);
    value(std::uint64_t{items.size()});
    bytes.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T));
  }
  void text(const std::string& string)
  {
    value(std::uint64_t{string.size()});
    bytes += string;
  }
  std::string take() { return std::move(bytes); }

private:
  std::string bytes;
};

class Reader
{
public:
  Reader(std::string_view content, const std::filesystem::path& file) : rest(content), path(file) {}

  template <typename T>
  void value(T& number)
  {
    std::memcpy(&number, take(sizeof number), sizeof number);
  }
  template <typename T>
  void list(std::vector<T>& items)
  {
    items.resize(count(sizeof(T)));
    if (!items.empty())
      std::memcpy(items.data(), take(items.size() * sizeof(T)), items.size() * sizeof(T));
  }
  void text(std::string& string)
  {
    const std::size_t size = count(1);
    string.assign(take(size), size);
  }
  /// A number of items of so many bytes that the file can hold.
  std::size_t count(std::size_t itemBytes)
  {
    std::uint64_t items = 0;
    value(items);
    if (items > rest.size() / itemBytes)
      fail();
    return items;
  }
  bool atEnd() const { return rest.empty(); }
  [[noreturn]] void fail() const
  {
    throw Error(ErrorCode::BadFormat, "is a damaged checkpoint; go on from another one, or start anew", path.string());
  }

private:
  const char* take(std::size_t size)
  {
    if (size > rest.size())
      fail();
    const char* const begin = rest.data();
    rest.remove_prefix(size);
    return begin;
  }

  std::string_view rest;
  const std::filesystem::path& path;
};

/// A vector of what is no plain number: its size, then each by `one`.
template <typename T, typename One>
void each(Writer& file, const std::vector<T>& items, One one)
{
  file.value(std::uint64_t{items.size()});
  for (const T& item : items)
    one(item);
}
template <typename T, typename One>
void each(Reader& file, std::vector<T>& items, One one)
{
  items.resize(file.count(1));
  for (T& item : items)
    one(item);
}

// The parameters of version 2, which is only read.

template <typename File, typename Owner>
void visitGrowth(File& file, Owner& growth)
{
  file.value(growth.rate);
  file.value(growth.leastCalcium);
  file.value(growth.initialLeast);
  file.value(growth.initialMost);
  file.value(growth.retractRatio);
}

template <typename File, typename Owner>
void visitSearch(File& file, Owner& search)
{
  file.value(search.kind);
  file.value(search.theta);
  file.value(search.seed);
  file.value(search.kernel.kind);
  file.value(search.kernel.sigma);
  file.value(search.kernel.mu);
  file.value(search.kernel.cutoff);
  file.value(search.kernel.gammaK);
  file.value(search.kernel.gammaTheta);
  file.value(search.kernel.weibullK);
  file.value(search.kernel.weibullB);
}

template <typename File, typename Owner>
void visitBackgroundChanges(File& file, Owner& p)
{
  each(file, p.backgroundChanges, [&](auto& change) {
    file.value(change.step);
    file.value(change.background.kind);
    file.value(change.background.mean);
    file.value(change.background.spread);
    file.list(change.neurons);
    each(file, change.areas, [&](auto& name) { file.text(name); });
  });
}

template <typename File, typename Owner>
void visitTargets(File& file, Owner& p)
{
  each(file, p.calciumOf, [&](auto& own) {
    file.value(own.neuron);
    file.value(own.initial);
    file.value(own.target);
  });
  file.value(p.targetDecay);
  file.value(p.targetDecayAmount);
  file.value(p.targetDecayPeriod);
}

template <typename File, typename Owner>
void visitInterrupts(File& file, Owner& p)
{
  each(file, p.interrupts, [&](auto& interrupt) {
    file.value(interrupt.step);
    file.value(interrupt.kind);
    file.list(interrupt.neurons);
    file.value(interrupt.count);
  });
}

template <typename File, typename Owner>
void visitParameters(File& file, Owner& p)
{
  file.value(p.model);
  file.value(p.integrationSteps);
  file.value(p.synapseConductance);
  file.value(p.background);
  file.value(p.backgroundBase);
  file.value(p.backgroundMean);
  file.value(p.backgroundSpread);
  visitBackgroundChanges(file, p);
  each(file, p.stimuli, [&](auto& stimulus) {
    file.value(stimulus.begin);
    file.value(stimulus.end);
    file.value(stimulus.period);
    file.value(stimulus.intensity);
    file.text(stimulus.area);
  });
  file.value(p.calciumDecay);
  file.value(p.calciumPerSpike);
  file.value(p.calciumInitial);
  file.value(p.calciumTarget);
  visitTargets(file, p);
  visitInterrupts(file, p);
  visitGrowth(file, p.axon);
  visitGrowth(file, p.excitatoryDendrite);
  visitGrowth(file, p.inhibitoryDendrite);
  file.value(p.updatePeriod);
  visitSearch(file, p.search);
}

/// Adds names that no parameter has to `unknown`. Throws Error(BadFormat) for parameters that are none.
PlasticityParameters parametersOf(std::string_view lines, std::vector<std::string>& unknown,
                                  const std::filesystem::path& path)
{
  PlasticityParameters parameters;
  try {
    std::vector<BoundField> fields = fieldsOf(parameters);
    unknown = applySettings(fields, settingsOfLines(lines));
    validate(parameters);
  } catch (const Error& error) {
    throw Error(ErrorCode::BadFormat, "is a damaged checkpoint. " + error.message(), path.string());
  }
  return parameters;
}

template <typename File, typename Owner>
void visitPopulation(File& file, Owner& population)
{
  file.list(population.position);
  file.list(population.isInhibitory);
  file.list(population.area);
  each(file, population.areaNames, [&](auto& name) { file.text(name); });
}

template <typename File, typename Owner>
void visitProgress(File& file, Owner& progress)
{
  file.value(progress.step);
  file.value(progress.updatePending);
  file.value(progress.created);
  file.value(progress.deleted);
  auto& neurons = progress.neurons;
  file.list(neurons.membrane);
  file.list(neurons.recovery);
  file.list(neurons.fired);
  file.list(neurons.calcium);
  file.list(neurons.target);
  file.list(neurons.enabled);
  for (std::size_t pool = 0; pool < neurons.grown.size(); ++pool) {
    file.list(neurons.grown[pool]);
    file.list(neurons.connected[pool]);
    file.list(neurons.delta[pool]);
  }
  file.list(progress.network.synapses);
}

template <typename File, typename Owner>
void visitStatic(File& file, Owner& network)
{
  each(file, network.synapses, [&](auto& synapse) {
    file.value(synapse.source);
    file.value(synapse.target);
    file.value(synapse.weight);
  });
}

/// The file without format and check sum, both of which are right.
std::string_view requireWhole(std::string_view content, const std::filesystem::path& path)
{
  const bool isKnown = content.starts_with(kFormat) || content.starts_with(kVersion2);
  if (content.starts_with(kAnyFormat) && !isKnown)
    throw Error(ErrorCode::BadFormat,
                "is a checkpoint of another version of this program; go on with that version, or start anew",
                path.string());
  if (!isKnown)
    throw Error(ErrorCode::BadFormat,
                "is no checkpoint; choose one that 'hinesight-cli grow' or the plasticity page wrote", path.string());
  std::uint64_t sum = 0;
  const Reader damaged({}, path);
  if (content.size() < kFormat.size() + sizeof sum)
    damaged.fail();
  const std::size_t end = content.size() - sizeof sum;
  std::memcpy(&sum, content.data() + end, sizeof sum);
  if (sum != checkSum(content.substr(0, end)))
    damaged.fail();
  return content.substr(kFormat.size(), end - kFormat.size());
}

} // namespace

void writeCheckpoint(const PlasticityModel& model, const std::filesystem::path& path)
{
  const PlasticityProgress progress = model.progress();
  Writer file;
  file.text(linesOf(settingsOf(scienceOf(fieldsOf(model.parameters())))));
  file.text(linesOf(model.population().origin));
  visitPopulation(file, model.population());
  visitStatic(file, model.staticNetwork());
  visitProgress(file, progress);
  const std::string content = std::string(kFormat) + file.take();
  const std::uint64_t sum = checkSum(content);
  writeFileAtomically(path, [&](std::ostream& stream) {
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
    stream.write(reinterpret_cast<const char*>(&sum), sizeof sum);
  });
}

std::unique_ptr<PlasticityModel> readCheckpoint(const std::filesystem::path& path, Backend backend, int threads,
                                                std::vector<std::string>* unknown)
{
  const std::string content = readFile(path);
  Reader file(requireWhole(content, path), path);
  PlasticityParameters parameters;
  auto population = std::make_shared<NeuronPopulation>();
  StaticNetwork staticNetwork;
  PlasticityProgress progress;
  if (content.starts_with(kVersion2)) {
    visitParameters(file, parameters);
  } else {
    std::string lines, origin;
    std::vector<std::string> names;
    file.text(lines);
    parameters = parametersOf(lines, names, path);
    file.text(origin);
    population->origin = settingsOfLines(origin);
    if (unknown)
      unknown->insert(unknown->end(), names.begin(), names.end());
  }
  visitPopulation(file, *population);
  visitStatic(file, staticNetwork);
  visitProgress(file, progress);
  if (!file.atEnd())
    file.fail();
  parameters.backend = backend;
  parameters.threads = threads;
  staticNetwork.neurons = progress.network.neurons = population->size();
  return continuePlasticityModel(std::move(population), parameters, staticNetwork, progress);
}

} // namespace hinesight::synapse
