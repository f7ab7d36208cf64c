#include "core/check_sum.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "synapse/plasticity/plasticity.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
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

// The last of each list of names: a number above it is none.
constexpr NeuronModel lastOf(NeuronModel)
{
  return NeuronModel::AdaptiveExponential;
}
constexpr BackgroundKind lastOf(BackgroundKind)
{
  return BackgroundKind::Individual;
}
constexpr TargetDecay lastOf(TargetDecay)
{
  return TargetDecay::Relative;
}
constexpr InterruptKind lastOf(InterruptKind)
{
  return InterruptKind::Create;
}
constexpr SearchKind lastOf(SearchKind)
{
  return SearchKind::Exact;
}
constexpr AttractionKind lastOf(AttractionKind)
{
  return AttractionKind::Weibull;
}

/// What a value is that no model has; empty for a sound one. A flag is a byte that is 0 or 1.
std::string unsound(double value)
{
  return std::isfinite(value) ? std::string() : std::to_string(value);
}
std::string unsound(std::uint8_t flag)
{
  return flag <= 1 ? std::string() : std::to_string(flag);
}
std::string unsound(std::uint32_t)
{
  return {};
}
std::string unsound(const Position& at)
{
  for (const double coordinate : at)
    if (!std::isfinite(coordinate))
      return std::to_string(coordinate);
  return {};
}

class Writer
{
public:
  explicit Writer(const std::filesystem::path& file) : path(file) {}

  /// Every value and list has a name, which messages call it by.
  template <typename T>
  void value(std::string_view, const T& number)
  {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    append(&number, sizeof number);
  }
  /// A number that may be infinite.
  void unbounded(std::string_view name, double number) { value(name, number); }
  /// One entry a neuron. What a model cannot go on from does not replace a checkpoint that it can.
  template <typename T>
  void ofNeurons(std::string_view name, const std::vector<T>& items)
  {
    for (std::size_t i = 0; i < items.size(); ++i)
      if (const std::string wrong = unsound(items[i]); !wrong.empty())
        throw Error(ErrorCode::BadParameter,
                    "is not written: the " + std::string(name) + " of neuron " + std::to_string(i) + " is " + wrong +
                        ", from which no model goes on; raise the integration steps, or weaken background, stimuli or "
                        "synapses",
                    path.string());
    list(items);
  }
  template <typename T>
  void list(const std::vector<T>& items)
  {
    static_assert(std::is_trivially_copyable_v<T>);
    count(items.size());
    append(items.data(), items.size() * sizeof(T));
  }
  void text(const std::string& string)
  {
    count(string.size());
    bytes += string;
  }
  /// A list of what is no plain number: each by `one`.
  template <typename T, typename One>
  void each(const std::vector<T>& items, One one)
  {
    count(items.size());
    for (const T& item : items)
      one(item);
  }
  std::string take() { return std::move(bytes); }

private:
  void count(std::uint64_t items) { append(&items, sizeof items); }
  void append(const void* begin, std::size_t size) { bytes.append(static_cast<const char*>(begin), size); }

  std::string bytes;
  const std::filesystem::path& path;
};

/// Reads what Writer wrote, and refuses what no model has.
class Reader
{
public:
  Reader(std::string_view content, const std::filesystem::path& file) : rest(content), path(file) {}

  template <typename T>
  void value(std::string_view name, T& number)
  {
    if constexpr (std::is_same_v<T, bool>)
      number = flag(name);
    else if constexpr (std::is_enum_v<T>)
      number = choice<T>(name);
    else
      std::memcpy(&number, take(sizeof number), sizeof number);
    if constexpr (std::is_same_v<T, double>)
      requireSound(name, number);
  }
  void unbounded(std::string_view name, double& number)
  {
    std::memcpy(&number, take(sizeof number), sizeof number);
    if (std::isnan(number))
      fail(name, std::to_string(number));
  }
  template <typename T>
  void ofNeurons(std::string_view name, std::vector<T>& items)
  {
    list(items);
    for (std::size_t i = 0; i < items.size(); ++i)
      if (const std::string wrong = unsound(items[i]); !wrong.empty())
        fail(std::string(name) + " of neuron " + std::to_string(i), wrong);
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
  template <typename T, typename One>
  void each(std::vector<T>& items, One one)
  {
    const std::size_t size = count(1);
    items.clear();
    // One by one, so that a count that is wrong ends with the file, not with the memory.
    while (items.size() < size)
      one(items.emplace_back());
  }
  bool atEnd() const { return rest.empty(); }
  [[noreturn]] void fail() const { refuse("is a damaged checkpoint"); }

private:
  template <typename T>
  void requireSound(std::string_view name, const T& read) const
  {
    if (const std::string wrong = unsound(read); !wrong.empty())
      fail(name, wrong);
  }
  bool flag(std::string_view name)
  {
    std::uint8_t byte = 0;
    std::memcpy(&byte, take(sizeof byte), sizeof byte);
    requireSound(name, byte);
    return byte != 0;
  }
  template <typename T>
  T choice(std::string_view name)
  {
    std::underlying_type_t<T> number = 0;
    std::memcpy(&number, take(sizeof number), sizeof number);
    if (number < 0 || number > static_cast<std::underlying_type_t<T>>(lastOf(T{})))
      fail(name, std::to_string(number));
    return static_cast<T>(number);
  }
  /// A number of items of so many bytes that the file can hold.
  std::size_t count(std::size_t itemBytes)
  {
    std::uint64_t items = 0;
    std::memcpy(&items, take(sizeof items), sizeof items);
    if (items > rest.size() / itemBytes)
      fail();
    return items;
  }
  const char* take(std::size_t size)
  {
    if (size > rest.size())
      fail();
    const char* const begin = rest.data();
    rest.remove_prefix(size);
    return begin;
  }
  [[noreturn]] void fail(std::string_view name, const std::string& wrong) const
  {
    refuse("is a damaged checkpoint, whose " + std::string(name) + " is " + wrong);
  }
  [[noreturn]] void refuse(const std::string& what) const
  {
    throw Error(ErrorCode::BadFormat, what + "; go on from another one, or start a new run", path.string());
  }

  std::string_view rest;
  const std::filesystem::path& path;
};

// The parameters of version 2, which is only read.

template <typename File, typename Owner>
void visitGrowth(File& file, const std::string& elements, Owner& growth)
{
  file.value("growth rate of " + elements, growth.rate);
  file.value("least calcium of " + elements, growth.leastCalcium);
  file.value("least number of initial " + elements, growth.initialLeast);
  file.value("greatest number of initial " + elements, growth.initialMost);
  file.value("retract ratio of " + elements, growth.retractRatio);
}

template <typename File, typename Owner>
void visitSearch(File& file, Owner& search)
{
  file.value("kind of search", search.kind);
  file.value("theta", search.theta);
  file.value("seed", search.seed);
  file.value("kernel", search.kernel.kind);
  file.value("sigma of the kernel", search.kernel.sigma);
  file.value("mu of the kernel", search.kernel.mu);
  file.unbounded("cutoff of the kernel", search.kernel.cutoff);
  file.value("shape of the gamma kernel", search.kernel.gammaK);
  file.value("scale of the gamma kernel", search.kernel.gammaTheta);
  file.value("shape of the Weibull kernel", search.kernel.weibullK);
  file.value("factor of the Weibull kernel", search.kernel.weibullB);
}

template <typename File, typename Owner>
void visitBackgroundChanges(File& file, Owner& p)
{
  file.each(p.backgroundChanges, [&](auto& change) {
    file.value("step of a change of background", change.step);
    file.value("kind of a neuron's own background", change.background.kind);
    file.value("mean of a neuron's own background", change.background.mean);
    file.value("standard deviation of a neuron's own background", change.background.spread);
    file.list(change.neurons);
    file.each(change.areas, [&](auto& name) { file.text(name); });
  });
}

template <typename File, typename Owner>
void visitTargets(File& file, Owner& p)
{
  file.each(p.calciumOf, [&](auto& own) {
    file.value("neuron with a calcium target", own.neuron);
    file.value("initial calcium of a neuron", own.initial);
    file.value("calcium target of a neuron", own.target);
  });
  file.value("decay of targets", p.targetDecay);
  file.value("amount that targets decay by", p.targetDecayAmount);
  file.value("period of the decay of targets", p.targetDecayPeriod);
}

template <typename File, typename Owner>
void visitInterrupts(File& file, Owner& p)
{
  file.each(p.interrupts, [&](auto& interrupt) {
    file.value("step of an interrupt", interrupt.step);
    file.value("kind of an interrupt", interrupt.kind);
    file.list(interrupt.neurons);
    file.value("number of neurons that an interrupt creates", interrupt.count);
  });
}

template <typename File, typename Owner>
void visitParameters(File& file, Owner& p)
{
  file.value("neuron model", p.model);
  file.value("number of integration steps", p.integrationSteps);
  file.value("synapse conductance", p.synapseConductance);
  file.value("kind of background", p.background);
  file.value("constant background", p.backgroundBase);
  file.value("mean of the background", p.backgroundMean);
  file.value("standard deviation of the background", p.backgroundSpread);
  visitBackgroundChanges(file, p);
  file.each(p.stimuli, [&](auto& stimulus) {
    file.value("begin of a stimulus", stimulus.begin);
    file.value("end of a stimulus", stimulus.end);
    file.value("period of a stimulus", stimulus.period);
    file.value("intensity of a stimulus", stimulus.intensity);
    file.text(stimulus.area);
  });
  file.value("calcium decay time", p.calciumDecay);
  file.value("calcium of a spike", p.calciumPerSpike);
  file.value("initial calcium", p.calciumInitial);
  file.value("calcium target", p.calciumTarget);
  visitTargets(file, p);
  visitInterrupts(file, p);
  visitGrowth(file, kPoolNames[0], p.axon);
  visitGrowth(file, kPoolNames[1], p.excitatoryDendrite);
  visitGrowth(file, kPoolNames[2], p.inhibitoryDendrite);
  file.value("period of connectivity updates", p.updatePeriod);
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
  file.ofNeurons("position", population.position);
  file.ofNeurons("signal type", population.isInhibitory);
  file.ofNeurons("area", population.area);
  file.each(population.areaNames, [&](auto& name) { file.text(name); });
}

template <typename File, typename Owner>
void visitProgress(File& file, Owner& progress)
{
  file.value("step", progress.step);
  file.value("flag of a pending update", progress.updatePending);
  file.value("number of synapses created", progress.created);
  file.value("number of synapses deleted", progress.deleted);
  auto& neurons = progress.neurons;
  file.ofNeurons("membrane potential", neurons.membrane);
  file.ofNeurons("recovery variable", neurons.recovery);
  file.ofNeurons("flag of a spike", neurons.fired);
  file.ofNeurons("calcium", neurons.calcium);
  file.ofNeurons("calcium target", neurons.target);
  file.ofNeurons("flag of being enabled", neurons.enabled);
  for (std::size_t pool = 0; pool < neurons.grown.size(); ++pool) {
    const std::string elements = kPoolNames[pool];
    file.ofNeurons("number of " + elements, neurons.grown[pool]);
    file.ofNeurons("number of connected " + elements, neurons.connected[pool]);
    file.ofNeurons("growth of " + elements, neurons.delta[pool]);
  }
  file.list(progress.network.synapses);
}

template <typename File, typename Owner>
void visitStatic(File& file, Owner& network)
{
  file.each(network.synapses, [&](auto& synapse) {
    file.value("source of a static synapse", synapse.source);
    file.value("target of a static synapse", synapse.target);
    file.value("weight of a static synapse", synapse.weight);
  });
}

/// The file without format and check sum, both of which are right.
std::string_view requireWhole(std::string_view content, const std::filesystem::path& path)
{
  const bool isKnown = content.starts_with(kFormat) || content.starts_with(kVersion2);
  if (content.starts_with(kAnyFormat) && !isKnown)
    throw Error(ErrorCode::BadFormat,
                "is a checkpoint of another version of this program; go on with that version, or start a new run",
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
  Writer file(path);
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
  PlasticityParameters parameters;
  parameters.threads = threads;
  validate(parameters); // what the caller asks for is no fault of the file
  const std::string content = readFile(path);
  Reader file(requireWhole(content, path), path);
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
  try {
    return continuePlasticityModel(std::move(population), parameters, staticNetwork, progress);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::BadFormat && error.code() != ErrorCode::BadParameter)
      throw;
    throw Error(ErrorCode::BadFormat, "is a damaged checkpoint. " + error.message(), path.string());
  }
}

} // namespace hinesight::synapse
