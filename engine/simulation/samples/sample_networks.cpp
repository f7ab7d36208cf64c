#include "simulation/samples/sample_networks.hpp"

#include "core/philox.hpp"

#include <algorithm>

namespace hinesight::simulation::samples {

namespace {

/// What a random number is for: the last word of its key.
enum Draw : std::uint32_t
{
  kAmplitude,
  kOnset,
  kNode,
  kSource,
  kDelay
};

} // namespace

Network copies(std::shared_ptr<const cell::CellModel> model, std::size_t cells, double threshold)
{
  Network network;
  network.models = {std::move(model)};
  network.modelOf.assign(cells, 0);
  network.detectors.assign(cells, {0, threshold});
  return network;
}

Network ring(std::size_t cells, double delay)
{
  constexpr double kWeight = 0.01; // uS
  Network network = copies(ball({hh()}), cells, -10);
  for (std::uint32_t cell = 0; cell < cells; ++cell) {
    network.synapses.push_back({.cell = cell, .node = 0});
    network.connections.push_back({cell, static_cast<std::uint32_t>((cell + 1) % cells), kWeight, delay});
  }
  network.trains = {{0}};
  network.connections.push_back({static_cast<std::uint32_t>(cells), 0, kWeight, 1});
  return network;
}

Network randomNetwork(std::shared_ptr<const cell::CellModel> model, const RandomNetwork& shape)
{
  const auto nodes = static_cast<double>(model->cut.nodes());
  const std::int32_t soma = model->cut.nodeAt(0, 0.5);
  Network network = copies(std::move(model), shape.cells);
  network.detectors.assign(shape.cells, {soma, -15});
  const std::size_t inputs = shape.cells > 1 ? shape.inputs : 0;
  for (std::uint32_t cell = 0; cell < shape.cells; ++cell) {
    const auto uniform = [&](Draw draw, std::size_t item = 0) {
      return randomUniform(shape.seed, cell, static_cast<std::uint32_t>(item), draw);
    };
    network.steps.push_back({cell, soma,
                             shape.leastCurrent + uniform(kAmplitude) * (shape.greatestCurrent - shape.leastCurrent),
                             uniform(kOnset) * shape.latestOnset, kForever});
    for (std::size_t k = 0; k < shape.synapses; ++k) {
      const bool isInhibitory = k + 1 == shape.synapses;
      network.synapses.push_back({.cell = cell,
                                  .node = static_cast<std::int32_t>((static_cast<double>(k) + uniform(kNode, k)) *
                                                                    nodes / static_cast<double>(shape.synapses)),
                                  .tau1 = 0.5,
                                  .tau2 = isInhibitory ? 8.0 : 2.0,
                                  .reversal = isInhibitory ? -80.0 : 0.0});
    }
    for (std::size_t k = 0; k < inputs; ++k) {
      const auto other = static_cast<std::uint32_t>(uniform(kSource, k) * static_cast<double>(shape.cells - 1));
      network.connections.push_back(
          {other + (other >= cell ? 1U : 0U), static_cast<std::uint32_t>(cell * shape.synapses + k % shape.synapses),
           shape.weight, shape.leastDelay + uniform(kDelay, k) * (shape.greatestDelay - shape.leastDelay)});
    }
  }
  return network;
}

std::size_t compartmentsOf(const Network& network)
{
  std::vector<std::size_t> ofModel;
  for (const auto& model : network.models)
    ofModel.push_back(
        static_cast<std::size_t>(std::ranges::count_if(model->cut.area, [](double area) { return area > 0; })));
  std::size_t sum = 0;
  for (const std::uint32_t model : network.modelOf)
    sum += ofModel[model];
  return sum;
}

} // namespace hinesight::simulation::samples
