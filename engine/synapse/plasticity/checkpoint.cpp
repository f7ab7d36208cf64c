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

constexpr std::size_t kPart = std::size_t{1} << 20; ///< bytes that are in memory at once; whole words of the check sum

/// Bytes on their way to a file, and a check sum behind them.
class CheckedSink
{
public:
  explicit CheckedSink(std::ostream& file) : stream(file) { part.reserve(kPart); }

  void append(std::string_view bytes)
  {
    while (!bytes.empty()) {
      const std::string_view next = bytes.substr(0, kPart - part.size());
      part += next;
      bytes.remove_prefix(next.size());
      if (part.size() == kPart)
        write();
    }
  }
  void end()
  {
    write();
    stream.write(reinterpret_cast<const char*>(&sum), sizeof sum);
  }

private:
  void write()
  {
    sum = checkSum(part, sum);
    stream.write(part.data(), static_cast<std::streamsize>(part.size()));
    part.clear();
  }

  std::ostream& stream;
  std::string part;
  std::uint64_t sum = kFnvStart;
};

/// What CheckedSink wrote.
class CheckedSource
{
public:
  explicit CheckedSource(const std::filesystem::path& path) : file(path)
  {
    file.requireMemory();
    unread = file.size() > sizeof sum ? file.size() - sizeof sum : 0;
  }

  std::uint64_t left() const { return unread + (part.size() - at); } ///< bytes
  /// Returns whether there were so many.
  bool take(void* to, std::size_t size)
  {
    auto* next = static_cast<char*>(to);
    while (size > 0) {
      if (at == part.size() && !read())
        return false;
      const std::size_t now = std::min(size, part.size() - at);
      std::memcpy(next, part.data() + at, now);
      at += now;
      next += now;
      size -= now;
    }
    return true;
  }
  /// Reads the rest. Whether all is as it was written.
  bool isSound()
  {
    while (read()) {
    }
    std::uint64_t written = 0;
    return unread == 0 && file.read(&written, sizeof written) == sizeof written && written == sum;
  }

private:
  /// The next part. False where there is none.
  bool read()
  {
    part.resize(std::min<std::uint64_t>(kPart, unread));
    part.resize(file.read(part.data(), part.size()));
    at = 0;
    unread -= part.size();
    sum = checkSum(part, sum);
    return !part.empty();
  }

  FileReader file;
  std::string part;
  std::size_t at = 0; ///< in the part
  std::uint64_t unread = 0;
  std::uint64_t sum = kFnvStart;
};

class Writer
{
public:
  Writer(CheckedSink& to, const std::filesystem::path& file) : sink(to), path(file) {}

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
    sink.append(string);
  }
  /// A list of what is no plain number: each by `one`.
  template <typename T, typename One>
  void each(const std::vector<T>& items, One one)
  {
    count(items.size());
    for (const T& item : items)
      one(item);
  }

private:
  void count(std::uint64_t items) { append(&items, sizeof items); }
  void append(const void* begin, std::size_t size) { sink.append({static_cast<const char*>(begin), size}); }

  CheckedSink& sink;
  const std::filesystem::path& path;
};

[[noreturn]] void refuseDamaged(const std::filesystem::path& path, const std::string& how = {})
{
  throw Error(ErrorCode::BadFormat, "is a damaged checkpoint" + how + "; go on from another one, or start a new run",
              path.string());
}

/// Reads what Writer wrote, and refuses what no model has.
class Reader
{
public:
  Reader(CheckedSource& from, const std::filesystem::path& file) : source(from), path(file) {}

  template <typename T>
  void value(std::string_view name, T& number)
  {
    if constexpr (std::is_same_v<T, bool>)
      number = flag(name);
    else if constexpr (std::is_enum_v<T>)
      number = choice<T>(name);
    else
      take(&number, sizeof number);
    if constexpr (std::is_same_v<T, double>)
      requireSound(name, number);
  }
  void unbounded(std::string_view name, double& number)
  {
    take(&number, sizeof number);
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
    take(items.data(), items.size() * sizeof(T));
  }
  void text(std::string& string)
  {
    string.resize(count(1));
    take(string.data(), string.size());
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
  bool atEnd() const { return source.left() == 0; }
  [[noreturn]] void fail() const { refuseDamaged(path); }

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
    take(&byte, sizeof byte);
    requireSound(name, byte);
    return byte != 0;
  }
  template <typename T>
  T choice(std::string_view name)
  {
    std::underlying_type_t<T> number = 0;
    take(&number, sizeof number);
    if (number < 0 || number > static_cast<std::underlying_type_t<T>>(lastOf(T{})))
      fail(name, std::to_string(number));
    return static_cast<T>(number);
  }
  /// A number of items of so many bytes that the file can hold.
  std::size_t count(std::size_t itemBytes)
  {
    std::uint64_t items = 0;
    take(&items, sizeof items);
    if (items > source.left() / itemBytes)
      fail();
    return items;
  }
  void take(void* to, std::size_t size)
  {
    if (!source.take(to, size))
      fail();
  }
  [[noreturn]] void fail(std::string_view name, const std::string& wrong) const
  {
    refuseDamaged(path, ", whose " + std::string(name) + " is " + wrong);
  }

  CheckedSource& source;
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

/// The line that a file begins with, of a version that is known.
std::string_view formatOf(const std::filesystem::path& path)
{
  std::string begin(kFormat.size(), '\0');
  begin.resize(FileReader(path).read(begin.data(), begin.size()));
  for (const std::string_view known : {kFormat, kVersion2})
    if (begin == known)
      return known;
  if (begin.starts_with(kAnyFormat))
    throw Error(ErrorCode::BadFormat,
                "is a checkpoint of another version of this program; go on with that version, or start a new run",
                path.string());
  throw Error(ErrorCode::BadFormat,
              "is no checkpoint; choose one that 'hinesight-cli grow' or the plasticity page wrote", path.string());
}

/// What a checkpoint holds.
struct Content
{
  PlasticityParameters parameters;
  std::shared_ptr<NeuronPopulation> population = std::make_shared<NeuronPopulation>();
  StaticNetwork staticNetwork;
  PlasticityProgress progress;
  std::vector<std::string> unknown; ///< names of parameters
};

void read(CheckedSource& source, std::string_view format, Content& content, const std::filesystem::path& path)
{
  Reader file(source, path);
  std::string line(format.size(), '\0');
  if (!source.take(line.data(), line.size()))
    file.fail();
  if (format == kVersion2) {
    visitParameters(file, content.parameters);
  } else {
    std::string lines, origin;
    file.text(lines);
    content.parameters = parametersOf(lines, content.unknown, path);
    file.text(origin);
    content.population->origin = settingsOfLines(origin);
  }
  visitPopulation(file, *content.population);
  visitStatic(file, content.staticNetwork);
  visitProgress(file, content.progress);
  if (!file.atEnd())
    file.fail();
}

/// What is wrong where in a file is said of those alone whose check sum is right.
Content readSound(const std::filesystem::path& path)
{
  const std::string_view format = formatOf(path);
  CheckedSource source(path);
  Content content;
  try {
    read(source, format, content, path);
  } catch (const Error&) {
    if (!source.isSound())
      refuseDamaged(path);
    throw;
  }
  if (!source.isSound())
    refuseDamaged(path);
  return content;
}

} // namespace

void writeCheckpoint(const PlasticityModel& model, const std::filesystem::path& path)
{
  const PlasticityProgress progress = model.progress();
  writeFileAtomically(path, [&](std::ostream& stream) {
    CheckedSink sink(stream);
    sink.append(kFormat);
    Writer file(sink, path);
    file.text(linesOf(settingsOf(scienceOf(fieldsOf(model.parameters())))));
    file.text(linesOf(model.population().origin));
    visitPopulation(file, model.population());
    visitStatic(file, model.staticNetwork());
    visitProgress(file, progress);
    sink.end();
  });
}

std::unique_ptr<PlasticityModel> readCheckpoint(const std::filesystem::path& path, Backend backend, int threads,
                                                std::vector<std::string>* unknown, std::int32_t devices)
{
  PlasticityParameters asked;
  asked.threads = threads;
  validate(asked); // what the caller asks for is no fault of the file
  Content content = readSound(path);
  if (unknown)
    unknown->insert(unknown->end(), content.unknown.begin(), content.unknown.end());
  content.parameters.backend = backend;
  content.parameters.threads = threads;
  content.parameters.devices = devices;
  content.staticNetwork.neurons = content.progress.network.neurons = content.population->size();
  try {
    return continuePlasticityModel(content.population, content.parameters, content.staticNetwork, content.progress);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::BadFormat && error.code() != ErrorCode::BadParameter)
      throw;
    throw Error(ErrorCode::BadFormat, "is a damaged checkpoint. " + error.message(), path.string());
  }
}

} // namespace hinesight::synapse
