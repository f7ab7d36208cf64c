#include "app/cli/networks/formation_options.hpp"

#include "app/cli/options.hpp"
#include "io/networks/neuron_files.hpp"

namespace hinesight::cli {

using namespace synapse;

void addNeuronOptions(Command& command, NeuronOptions& options)
{
  const std::string group = "Neurons";
  addFieldOptions(command, fieldsOf(options.placement), group);
  command.addInput("--positions", options.file, "Neurons from a file instead: " + io::neuronFileHelp())
      ->excludes(command.get_option("--neurons"))
      ->excludes(command.get_option("--spacing"))
      ->excludes(command.get_option("--excitatory"))
      ->group(group);
}

std::shared_ptr<const NeuronPopulation> neuronsOf(const NeuronOptions& options, std::uint64_t seed,
                                                  const RunControl& control)
{
  if (options.file.empty())
    return makeRandomPopulation(options.placement.neurons, options.placement.spacing, options.placement.excitatory,
                                seed);
  return std::make_shared<const NeuronPopulation>(io::readNeuronPopulation(io::parseNeuronFile(options.file), control));
}

std::vector<std::string> warningsOf(const NeuronOptions& options)
{
  if (options.file.empty())
    return {};
  const io::NeuronFile file = io::parseNeuronFile(options.file);
  const std::string left = io::leftBehind(file);
  return left.empty() ? std::vector<std::string>() : std::vector{file.path + ": " + left + "."};
}

} // namespace hinesight::cli
