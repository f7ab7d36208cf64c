#include "simulation/cells/shares.hpp"

#include <algorithm>

namespace hinesight::simulation {

namespace {

/// What a step of a cell takes, in no unit: a node's row of the system, and each state of a channel.
std::uint64_t workOf(const CompiledCell& model)
{
  return model.nodes() + model.states;
}

} // namespace

Shares::Shares(const Network& network, std::span<const CompiledCell> models, std::size_t shares, std::size_t withCells)
{
  std::uint64_t all = 0;
  for (const std::uint32_t model : network.modelOf)
    all += workOf(models[model]);
  cellBegins = {0};
  std::uint64_t before = 0; // work of the cells before `cell`
  std::uint32_t cell = 0;
  for (std::size_t k = 1; k <= withCells; ++k) {
    const std::uint64_t wanted = all / withCells * k + all % withCells * k / withCells;
    for (; cell < network.cells(); ++cell) {
      const std::uint64_t work = workOf(models[network.modelOf[cell]]);
      if (before + work / 2 >= wanted)
        break; // more than half of it would be beyond
      before += work;
    }
    cellBegins.push_back(k == withCells ? static_cast<std::uint32_t>(network.cells()) : cell);
  }
  cellBegins.resize(shares + 1, static_cast<std::uint32_t>(network.cells()));
  for (std::size_t k = 0; k <= shares; ++k)
    pointBegins.push_back(static_cast<std::uint32_t>(network.pointNeurons.size() * k / shares));
}

/// The last that begins there or before: those before it that begin there too are empty.
std::size_t Shares::shareOf(const std::vector<std::uint32_t>& begins, std::uint32_t item)
{
  return static_cast<std::size_t>(std::ranges::upper_bound(begins, item) - begins.begin()) - 1;
}

} // namespace hinesight::simulation
