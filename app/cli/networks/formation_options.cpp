#include "app/cli/networks/formation_options.hpp"

#include "app/cli/options.hpp"
#include "io/networks/neuron_files.hpp"

namespace hinesight::cli {

using namespace synapse;

void addNeuronOptions(CLI::App& command, NeuronOptions& options)
{
  const std::string group = "Neurons";
  CLI::Option* const neurons =
      addNumber(command, "--neurons", options.neurons, "Neurons at random places, one a cell of a cube")->group(group);
  CLI::Option* const spacing = addNumber(command, "--spacing", options.spacing, "Edge of the cells [um]")->group(group);
  CLI::Option* const excitatory =
      addNumber(command, "--excitatory", options.excitatory, "Share of excitatory neurons, 0 to 1")->group(group);
  command.add_option("--positions", options.file, "Neurons from a file instead: " + io::neuronFileHelp())
      ->type_name("FILE")
      ->excludes(neurons)
      ->excludes(spacing)
      ->excludes(excitatory)
      ->group(group);
}

std::shared_ptr<const NeuronPopulation> neuronsOf(const NeuronOptions& options, std::uint64_t seed,
                                                  const RunControl& control)
{
  if (options.file.empty())
    return makeRandomPopulation(options.neurons, options.spacing, options.excitatory, seed);
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

void addSearchOptions(CLI::App& command, SearchParameters& search)
{
  const std::string group = "Search";
  addChoice(command, "--search", search.kind,
            {SearchKind::Naive, SearchKind::BarnesHut, SearchKind::Inverse, SearchKind::Exact}, searchName,
            "Every neuron, cells far away as a whole, the same from the dendrites, or with the exact probabilities")
      ->group(group);
  addNumber(command, "--theta", search.theta, "A cell of edge L at distance d counts as a whole where L < theta d")
      ->group(group);
  addNumber(command, "--seed", search.seed, "Of everything that is drawn")->group(group);
  KernelParameters& kernel = search.kernel;
  addChoice(command, "--kernel", kernel.kind,
            {KernelKind::Gaussian, KernelKind::Linear, KernelKind::Gamma, KernelKind::Weibull}, kernelName,
            "How attraction falls with distance")
      ->group(group);
  addNumber(command, "--sigma", kernel.sigma, "Width [um] (gaussian)")->group(group);
  addNumber(command, "--mu", kernel.mu, "Distance of the greatest attraction [um] (gaussian)")->group(group);
  addNumber(command, "--cutoff", kernel.cutoff, "Where attraction ends, inf for nowhere [um] (linear)")->group(group);
  addNumber(command, "--gamma-k", kernel.gammaK, "Shape (gamma)")->group(group);
  addNumber(command, "--gamma-theta", kernel.gammaTheta, "Scale [um] (gamma)")->group(group);
  addNumber(command, "--weibull-k", kernel.weibullK, "Shape (weibull)")->group(group);
  addNumber(command, "--weibull-b", kernel.weibullB, "Factor of d^k (weibull)")->group(group);
}

} // namespace hinesight::cli
