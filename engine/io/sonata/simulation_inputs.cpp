#include "io/sonata/simulation_inputs.hpp"

#include "core/text.hpp"
#include "io/sonata/configuration_entry.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <utility>

#include <nlohmann/json.hpp>

namespace hinesight::io {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kMillisecondsOfSecond = 1000;

std::string lowerCase(std::string text)
{
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// One input of a configuration.
class InputReader
{
public:
  InputReader(const SonataConfiguration& configuration, const NodeSetReader& sets, std::string inputName,
              const Json& json, SimulationConfiguration& into)
      : config(configuration), nodeSets(sets), name(std::move(inputName)),
        entry(configuration, json, "the input \"" + name + "\""), made(into)
  {}

  void read()
  {
    if (!entry.flag("enabled", true))
      return;
    const std::string type = entry.text("input_type").value_or("");
    const std::string module = entry.text("module").value_or("");
    const auto known = readers().find(lowerCase(module));
    if (known == readers().end())
      entry.fail("is of the type \"" + type + "\" and the module \"" + module + "\", which " + whyNot(module, type));
    if (type == "conductance" || type == "extracellular_stimulation")
      entry.fail("is of the type \"" + type + "\"; currents, clamps and spikes can be simulated");
    (this->*known->second)();
    for (std::string& sentence : entry.unread())
      note(std::move(sentence));
  }

private:
  using Read = void (InputReader::*)();

  static const std::map<std::string, Read>& readers()
  {
    static const std::map<std::string, Read> kReaders = {
        {"sonata", &InputReader::readSpikes},         {"h5", &InputReader::readSpikes},
        {"hdf5", &InputReader::readSpikes},           {"csv", &InputReader::readSpikes},
        {"synapse_replay", &InputReader::readReplay}, {"poisson", &InputReader::readPoisson},
        {"iclamp", &InputReader::readClampedCurrent}, {"linear", &InputReader::readLinear},
        {"pulse", &InputReader::readPulses},          {"sinusoidal", &InputReader::readSinusoid},
        {"noise", &InputReader::readNoise},           {"ornstein_uhlenbeck", &InputReader::readOrnsteinUhlenbeck},
        {"seclamp", &InputReader::readVoltageClamp},
    };
    return kReaders;
  }

  static std::string whyNot(const std::string& module, const std::string& type)
  {
    static const std::map<std::string, const char*> kReasons = {
        {"relative_linear", "needs a threshold current of each cell"},
        {"subthreshold", "needs a threshold current of each cell"},
        {"relative_ornstein_uhlenbeck", "needs a threshold current of each cell"},
        {"relative_shot_noise", "needs a threshold current of each cell"},
        {"hyperpolarizing", "needs a holding current of each cell"},
    };
    if (const auto reason = kReasons.find(lowerCase(module)); reason != kReasons.end())
      return std::string(reason->second) + "; that is not possible";
    if (lowerCase(module) == "nwb")
      return "reads spikes of NWB; those of sonata, h5 and csv can be read";
    if (type == "spikes")
      return "is not known; spikes are those of sonata, h5, csv, synapse_replay or poisson";
    return "is not known; there are spikes (sonata, h5, csv, synapse_replay, poisson), currents (IClamp, linear, "
           "pulse, "
           "sinusoidal, noise, ornstein_uhlenbeck) and voltage clamps (SEClamp)";
  }

  void note(std::string sentence) { made.notes.push_back(std::move(sentence)); }

  NodeSets nodes()
  {
    const Json& set = entry.part({"node_set", "cells", "node_sets"});
    entry.passOver({"node_set", "cells", "node_sets"});
    return nodeSets.read(set, entry.where());
  }

  InputPlace place()
  {
    InputPlace at;
    at.sections = entry.text("section_name").value_or(at.sections);
    if (at.sections != "soma" && at.sections != "axon" && at.sections != "dend" && at.sections != "apic")
      entry.fail("goes to the sections \"" + at.sections + "\"; there are soma, axon, dend and apic");
    at.index = entry.count("section_index").value_or(at.index);
    at.position = entry.number({"section_dist"}).value_or(at.position);
    if (!(at.position >= 0 && at.position <= 1))
      entry.fail("goes to \"section_dist\" " + hinesight::textOf(at.position) + "; 0 to 1 are possible");
    return at;
  }

  double delay() { return entry.number({"delay"}).value_or(0); }
  double duration()
  {
    const double length = entry.required({"duration", "dur"});
    if (length < 0)
      entry.fail("lasts " + hinesight::textOf(length) + " ms; it has to be 0 or more");
    return length;
  }

  // --- Spikes -------------------------------------------------------------------------------------------------------

  std::filesystem::path file(const char* key)
  {
    const auto named = entry.text(key);
    if (!named)
      entry.fail("has no \"" + std::string(key) + "\"");
    return config.resolve(*named);
  }

  void readSpikes() { made.spikes.push_back({name, nodes(), file("input_file"), std::nullopt}); }

  /// Its nodes are the targets; the sources may have a set of their own.
  void readReplay()
  {
    const Json& source = entry.part({"source"});
    NodeSets from = nodeSets.read(source, entry.where());
    if (entry.has("node_set"))
      note("\"node_set\" of " + entry.where() + " has no effect; all targets of its sources get the spikes.");
    entry.passOver({"delay", "duration"});
    made.spikes.push_back({name, std::move(from), file("spike_file"), std::nullopt});
  }

  void readPoisson()
  {
    SpikeInput::Poisson poisson{
        .rate = entry.required({"rate", "frequency"}), .delay = delay(), .duration = 0, .seed = {}};
    poisson.duration = duration();
    poisson.seed = entry.count("random_seed");
    constexpr double kMostRate = 1e6; // Hz
    if (!(poisson.rate >= 0 && poisson.rate <= kMostRate))
      entry.fail("has a rate of " + hinesight::textOf(poisson.rate) + " Hz; 0 to 1e6 are possible");
    made.spikes.push_back({name, nodes(), {}, poisson});
  }

  // --- Currents -----------------------------------------------------------------------------------------------------

  void addSteps(std::vector<CurrentInput::Step> steps)
  {
    for (const CurrentInput::Step& step : steps)
      if (step.duration < 0)
        entry.fail("has a step that lasts " + hinesight::textOf(step.duration) + " ms; it has to be 0 or more");
    made.currents.push_back({name, nodes(), place(), std::move(steps)});
  }

  void readClampedCurrent()
  {
    const std::vector<double> amplitudes = entry.numbers({"amp", "amps"});
    const std::vector<double> delays = entry.numbers({"delay", "delays"});
    const std::vector<double> durations = entry.numbers({"duration", "dur", "durations"});
    if (amplitudes.size() != delays.size() || delays.size() != durations.size())
      entry.fail("has not as many delays and durations as amplitudes");
    std::vector<CurrentInput::Step> steps;
    for (std::size_t k = 0; k < amplitudes.size(); ++k)
      steps.push_back({amplitudes[k], delays[k], durations[k]});
    addSteps(std::move(steps));
  }

  /// The current, which must not change from its start to its end.
  double constantAmplitude()
  {
    const double amplitude = entry.required({"amp_start"});
    if (entry.number({"amp_end"}).value_or(amplitude) != amplitude)
      entry.fail("changes from \"amp_start\" to \"amp_end\"; currents that stay the same can be simulated");
    return amplitude;
  }

  void readLinear()
  {
    const double amplitude = constantAmplitude();
    addSteps({{amplitude, delay(), duration()}});
  }

  void readPulses()
  {
    const double amplitude = constantAmplitude(), width = entry.required({"width"});
    const double frequency = entry.required({"frequency"});
    const double begin = delay(), end = begin + duration();
    if (!(frequency > 0) || !(width >= 0))
      entry.fail("has pulses of " + hinesight::textOf(width) + " ms at " + hinesight::textOf(frequency) +
                 " Hz; above 0 Hz, and widths of 0 or more are possible");
    constexpr double kMostPulses = 1e6;
    const double period = kMillisecondsOfSecond / frequency;
    if ((std::min(end, made.stop) - begin) / period > kMostPulses)
      entry.fail("has more than a million pulses");
    std::vector<CurrentInput::Step> steps;
    for (std::size_t k = 0; begin + static_cast<double>(k) * period < std::min(end, made.stop); ++k) {
      const double at = begin + static_cast<double>(k) * period;
      steps.push_back({amplitude, at, std::min({width, period, end - at})});
    }
    addSteps(std::move(steps));
  }

  void readSinusoid()
  {
    const double amplitude = entry.required({"amp_start"}), frequency = entry.required({"frequency"});
    if (!(frequency >= 0))
      entry.fail("has a frequency of " + hinesight::textOf(frequency) + " Hz; 0 or more are possible");
    entry.passOver({"dt"}); // it is exact at any time
    const double begin = delay();
    const double length = duration();
    const double phase = entry.number({"phase"}).value_or(0), offset = entry.number({"offset"}).value_or(0);
    made.sinusoids.push_back({name, nodes(), place(), amplitude, frequency, begin, length, phase, offset});
  }

  /// How a mean is said: not as a part of the current that makes a cell spike.
  double mean()
  {
    if (entry.has("mean_percent") || entry.has("sd_percent"))
      entry.fail("has a \"mean_percent\", which needs a threshold current of each cell; that is not possible");
    return entry.required({"mean"});
  }

  void addNoise(double mean, double deviation, double tau)
  {
    if (!(deviation >= 0) || !(tau > 0))
      entry.fail("has a deviation of " + hinesight::textOf(deviation) + " nA and a time constant of " +
                 hinesight::textOf(tau) + " ms; 0 or more, and above 0 are possible");
    entry.passOver({"dt"}); // it is exact at any time
    const double begin = delay();
    const double length = duration();
    made.noises.push_back({name, nodes(), place(), mean, deviation, tau, begin, length, entry.count("random_seed")});
  }

  /// Others draw a value every 0.5 ms. Noise with a memory of half of that has the same mean, the same variance, and
  /// the same power at low frequencies.
  void readNoise()
  {
    constexpr double kMemory = 0.25; // ms
    const double middle = mean();
    const double variance = entry.required({"variance"});
    if (!(variance >= 0))
      entry.fail("has a variance of " + hinesight::textOf(variance) + "; 0 or more are possible");
    addNoise(middle, std::sqrt(variance), kMemory);
    note("The noise of " + entry.where() +
         " is not drawn anew every 0.5 ms; it has a memory of 0.25 ms, and so the "
         "same mean, variance and power at low frequencies.");
  }

  void readOrnsteinUhlenbeck()
  {
    const double middle = mean(), deviation = entry.required({"sigma"});
    entry.passOver({"reversal"}); // of conductances
    addNoise(middle, deviation, entry.required({"tau"}));
  }

  // --- Voltage clamps -----------------------------------------------------------------------------------------------

  void readVoltageClamp()
  {
    constexpr double kUsualOfNeuron = 1, kUsualOfExtension = 0.01; // MOhm
    ClampInput clamp{name, nodes(), place(), {}, 0, delay()};
    for (const char* const levels : {"duration_levels", "voltage_levels"})
      if (entry.has(levels))
        entry.fail("has \"" + std::string(levels) +
                   "\", which is not known; several levels are \"amps\" and \"durations\"");
    if (entry.has("voltage")) {
      clamp.levels = {{entry.required({"voltage"}), duration()}};
      clamp.resistance = entry.number({"series_resistance", "rs"}).value_or(kUsualOfExtension);
    } else {
      const std::vector<double> potentials = entry.numbers({"amps"});
      const std::vector<double> durations = entry.numbers({"durations"});
      if (potentials.size() != durations.size())
        entry.fail("has not as many durations as potentials");
      for (std::size_t k = 0; k < potentials.size(); ++k)
        clamp.levels.push_back({potentials[k], durations[k]});
      clamp.resistance = entry.number({"rs", "series_resistance"}).value_or(kUsualOfNeuron);
    }
    if (!(clamp.resistance > 0))
      entry.fail("has a series resistance of " + hinesight::textOf(clamp.resistance) + " MOhm; it has to be above 0");
    made.clamps.push_back(std::move(clamp));
  }

  const SonataConfiguration& config;
  const NodeSetReader& nodeSets;
  const std::string name;
  ConfigurationEntry entry;
  SimulationConfiguration& made;
};

} // namespace

void readInputs(const SonataConfiguration& config, const NodeSetReader& nodeSets, SimulationConfiguration& made)
{
  const Json& inputs = part(config.root(), "inputs");
  // A list of entries with names, or an object.
  if (inputs.is_array()) {
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const std::string name = config.text(inputs[k], "name").value_or(std::to_string(k));
      Json entry = inputs[k];
      entry.erase("name");
      InputReader(config, nodeSets, name, entry, made).read();
    }
    return;
  }
  if (!inputs.is_null() && !inputs.is_object())
    config.fail("\"inputs\" is no JSON object");
  for (const auto& [name, entry] : inputs.items())
    InputReader(config, nodeSets, name, entry, made).read();
}

} // namespace hinesight::io
