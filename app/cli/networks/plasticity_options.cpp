#include "app/cli/networks/plasticity_options.hpp"

#include "app/cli/options.hpp"
#include "io/networks/plasticity_files.hpp"

namespace hinesight::cli {

namespace {

using namespace synapse;

constexpr const char* kModel = "Model";
constexpr const char* kElements = "Elements of all kinds";

/// Options for the elements of all kinds alike.
void addGrowthOptions(Command& command, PlasticityParameters& p)
{
  const std::vector<BoundField> axon = fieldsOf(p.axon);
  const std::vector<BoundField> excitatory = fieldsOf(p.excitatoryDendrite);
  const std::vector<BoundField> inhibitory = fieldsOf(p.inhibitoryDendrite);
  for (std::size_t k = 0; k < axon.size(); ++k)
    addSharedOption(command, {axon[k], excitatory[k], inhibitory[k]}, kElements);
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
    throw UsageError(option, "'" + text + "' is not BEGIN,END,PERIOD,INTENSITY or ...,AREA");
  stimulus.begin = parseNumber<std::uint32_t>(option, fields[0]);
  stimulus.end = parseNumber<std::uint32_t>(option, fields[1]);
  stimulus.period = parseNumber<std::uint32_t>(option, fields[2]);
  stimulus.intensity = parseNumber<double>(option, fields[3]);
  return stimulus;
}

} // namespace

void addPlasticityOptions(Command& command, PlasticityOptions& options)
{
  addGrowthOptions(command, options.parameters);
  for (const BoundField& field : fieldsOf(options.parameters))
    if (field.kind != FieldKind::List)
      addFieldOption(command, field, field.about.concern == Concern::Science ? kModel : "Run");
  for (const char* option : {"--target-decay-amount", "--target-decay-every"})
    command.option(option).needs(command.option("--target-decay"));
  const auto addFile = [&](const std::string& name, std::string& path, const std::string& text) {
    command.addInput(name, path, text).group(kModel);
  };
  addFile("--background-file", options.backgroundFile,
          "Which neurons get which background from which step on, for --background file");
  command
      .addOption("--stimulus", options.stimuli,
                 "Input from step BEGIN to END, every PERIOD steps, to all neurons or those of an area: "
                 "BEGIN,END,PERIOD,INTENSITY[,AREA]; may be given several times")
      .typeName("NUMBERS")
      .group(kModel);
  addFile("--calcium-file", options.calciumFile, "Calcium at the start and target of each neuron");
  addFile("--interrupts", options.interrupts, "Which neurons are disabled, enabled or created at which step");
}

std::vector<std::string> modelGroups()
{
  std::vector<std::string> names = {kModel, kElements};
  const PlasticityParameters any;
  for (const BoundField& field : fieldsOf(any))
    if (!field.groups.empty())
      names.emplace_back(field.groups.back().title);
  return names;
}

PlasticityParameters parametersOf(const PlasticityOptions& options)
{
  PlasticityParameters p = options.parameters;
  for (const std::string& text : options.stimuli)
    p.stimuli.push_back(stimulusOf(text));
  if ((p.background == BackgroundKind::Individual) == options.backgroundFile.empty())
    throw UsageError("--background-file", "and --background file belong together; give both or none");
  if (!options.backgroundFile.empty())
    p.backgroundChanges = io::readBackgrounds(options.backgroundFile);
  if (!options.calciumFile.empty())
    io::readCalcium(options.calciumFile, p);
  if (!options.interrupts.empty())
    p.interrupts = io::readInterrupts(options.interrupts);
  return p;
}

} // namespace hinesight::cli
