#include "app/cli/networks/plasticity_options.hpp"

#include "app/cli/options.hpp"
#include "io/networks/plasticity_files.hpp"

namespace hinesight::cli {

namespace {

using namespace synapse;

/// A number that is left as it is where it is not given; `standard` says what it is then.
void addOptional(CLI::App& command, const std::string& name, std::optional<double>& value, const std::string& text,
                 const std::string& standard, const std::string& group)
{
  command
      .add_option_function<std::string>(
          name, [name, &value](const std::string& given) { value = parseNumber<double>(name, given); }, text)
      ->type_name("NUMBER")
      ->default_str(standard)
      ->group(group);
}

/// `kind`: "" for all elements, or "axon-" and so on.
void addGrowth(CLI::App& command, const std::string& kind, const std::string& elements, GrowthOptions& growth,
               const GrowthParameters& standard)
{
  const std::string group = "Elements";
  const auto text = [](double value) {
    char digits[32];
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  };
  addOptional(command, "--" + kind + "growth-rate", growth.rate, "Most growth of " + elements + " [1/ms]",
              text(standard.rate), group);
  addOptional(command, "--" + kind + "least-calcium", growth.leastCalcium, "Where " + elements + " begin to grow",
              kind.empty() ? "by kind" : text(standard.leastCalcium), group);
  addOptional(command, "--" + kind + "initial-least", growth.initialLeast, "The fewest " + elements + " at the start",
              text(standard.initialLeast), group);
  addOptional(command, "--" + kind + "initial-most", growth.initialMost, "The most " + elements + " at the start",
              text(standard.initialMost), group);
  addOptional(command, "--" + kind + "retract", growth.retractRatio,
              "Share of vacant " + elements + " lost at each update", text(standard.retractRatio), group);
}

void apply(const GrowthOptions& given, GrowthParameters& growth)
{
  growth.rate = given.rate.value_or(growth.rate);
  growth.leastCalcium = given.leastCalcium.value_or(growth.leastCalcium);
  growth.initialLeast = given.initialLeast.value_or(growth.initialLeast);
  growth.initialMost = given.initialMost.value_or(growth.initialMost);
  growth.retractRatio = given.retractRatio.value_or(growth.retractRatio);
}

Stimulus stimulusOf(const std::string& text)
{
  const std::string option = "--stimulus";
  std::vector<std::string> fields;
  std::string rest = text;
  for (std::size_t comma; fields.size() < 4 && (comma = rest.find(',')) != std::string::npos;) {
    fields.push_back(rest.substr(0, comma));
    rest.erase(0, comma + 1);
  }
  Stimulus stimulus;
  if (fields.size() == 4) {
    stimulus.area = rest;
  } else {
    fields.push_back(rest);
  }
  if (fields.size() != 4)
    throw CLI::ValidationError(option, "'" + text + "' is not BEGIN,END,PERIOD,INTENSITY or ...,AREA");
  stimulus.begin = parseNumber<std::uint32_t>(option, fields[0]);
  stimulus.end = parseNumber<std::uint32_t>(option, fields[1]);
  stimulus.period = parseNumber<std::uint32_t>(option, fields[2]);
  stimulus.intensity = parseNumber<double>(option, fields[3]);
  return stimulus;
}

} // namespace

void addPlasticityOptions(CLI::App& command, PlasticityOptions& options)
{
  PlasticityParameters& p = options.parameters;
  const std::string group = "Model";
  const auto addFile = [&](const std::string& name, std::string& path, const std::string& text) {
    command.add_option(name, path, text)->type_name("FILE")->group(group);
  };
  addChoice(
      command, "--model", p.model,
      {NeuronModel::Poisson, NeuronModel::Izhikevich, NeuronModel::FitzHughNagumo, NeuronModel::AdaptiveExponential},
      neuronModelName, "Of the neurons' membranes")
      ->group(group);
  addNumber(command, "--integration-steps", p.integrationSteps, "Euler steps of a millisecond")->group(group);
  addNumber(command, "--conductance", p.synapseConductance, "Input from a spike through one synapse")->group(group);
  addChoice(command, "--background", p.background,
            {BackgroundKind::None, BackgroundKind::Constant, BackgroundKind::Normal, BackgroundKind::FastNormal,
             BackgroundKind::Individual},
            backgroundName, "Input that every enabled neuron gets besides")
      ->group(group);
  addNumber(command, "--background-base", p.backgroundBase, "Constant background")->group(group);
  addNumber(command, "--background-mean", p.backgroundMean, "Mean of normal background")->group(group);
  addNumber(command, "--background-spread", p.backgroundSpread, "Standard deviation of normal background")
      ->group(group);
  addFile("--background-file", options.backgroundFile,
          "Which neurons get which background from which step on, for --background file");
  command
      .add_option("--stimulus", options.stimuli,
                  "Input from step BEGIN to END, every PERIOD steps, to all neurons or those of an area: "
                  "BEGIN,END,PERIOD,INTENSITY[,AREA]; may be given several times")
      ->type_name("NUMBERS")
      ->group(group);
  addNumber(command, "--calcium-decay", p.calciumDecay, "Time constant of calcium [ms]")->group(group);
  addNumber(command, "--calcium-per-spike", p.calciumPerSpike, "What a spike adds to calcium")->group(group);
  addNumber(command, "--calcium-initial", p.calciumInitial, "Calcium at the start")->group(group);
  addNumber(command, "--calcium-target", p.calciumTarget, "Calcium at which nothing grows or is lost")->group(group);
  addFile("--calcium-file", options.calciumFile, "Calcium at the start and target of each neuron");
  addChoice(command, "--target-decay", p.targetDecay, {TargetDecay::None, TargetDecay::Absolute, TargetDecay::Relative},
            targetDecayName, "How calcium targets change: by less --target-decay-amount, or times it")
      ->group(group);
  addNumber(command, "--target-decay-amount", p.targetDecayAmount, "What is taken off targets, or their factor")
      ->group(group);
  addNumber(command, "--target-decay-every", p.targetDecayPeriod, "Steps from one decay of targets to the next")
      ->group(group);
  addFile("--interrupts", options.interrupts, "Which neurons are disabled, enabled or created at which step");
  addNumber(command, "--update-period", p.updatePeriod, "Steps from one connectivity update to the next")->group(group);
  addGrowth(command, "", "elements of all kinds", options.all, p.axon);
  addGrowth(command, "axon-", "axons", options.axon, p.axon);
  addGrowth(command, "excitatory-", "excitatory dendrites", options.excitatoryDendrite, p.excitatoryDendrite);
  addGrowth(command, "inhibitory-", "inhibitory dendrites", options.inhibitoryDendrite, p.inhibitoryDendrite);
}

PlasticityParameters parametersOf(const PlasticityOptions& options)
{
  PlasticityParameters p = options.parameters;
  for (GrowthParameters* growth : {&p.axon, &p.excitatoryDendrite, &p.inhibitoryDendrite})
    apply(options.all, *growth);
  apply(options.axon, p.axon);
  apply(options.excitatoryDendrite, p.excitatoryDendrite);
  apply(options.inhibitoryDendrite, p.inhibitoryDendrite);
  for (const std::string& text : options.stimuli)
    p.stimuli.push_back(stimulusOf(text));
  if ((p.background == BackgroundKind::Individual) == options.backgroundFile.empty())
    throw CLI::ValidationError("--background-file", "and --background file belong together; give both or none");
  if (!options.backgroundFile.empty())
    p.backgroundChanges = io::readBackgrounds(options.backgroundFile);
  if (!options.calciumFile.empty())
    io::readCalcium(options.calciumFile, p);
  if (!options.interrupts.empty())
    p.interrupts = io::readInterrupts(options.interrupts);
  return p;
}

} // namespace hinesight::cli
