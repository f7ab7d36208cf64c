#include "app/cli/networks/formation_options.hpp"

#include "io/networks/neuron_files.hpp"

namespace hinesight::cli {

void addNeuronOptions(Command& command, study::NeuronSource& source)
{
  const std::string group = "Neurons";
  addFieldOptions(command, fieldsOf(source.placement), group);
  command
      .addInput(
          "--positions",
          [&source](const std::string& text) {
            io::NeuronFile file = io::parseNeuronFile(text);
            source.path = std::move(file.path);
            source.nodes = std::move(file.population);
          },
          "Neurons from a file instead: " + io::neuronFileHelp())
      .excludes(command.option("--neurons"))
      .excludes(command.option("--spacing"))
      .excludes(command.option("--excitatory"))
      .group(group);
}

} // namespace hinesight::cli
