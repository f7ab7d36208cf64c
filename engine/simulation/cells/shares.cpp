#include "simulation/cells/shares.hpp"

#include "core/shares.hpp"

#include <algorithm>

namespace hinesight::simulation {

namespace {

/// What a step of a cell takes, in no unit: a node's row of the system, and each state of a channel.
std::size_t workOf(const CompiledCell& model)
{
  return model.nodes() + model.states;
}

} // namespace

Shares::Shares(const Network& network, std::span<const CompiledCell> models, std::size_t shares, std::size_t withCells)
{
  std::vector<std::size_t> workBefore = {0};
  for (const std::uint32_t model : network.modelOf)
    workBefore.push_back(workBefore.back() + workOf(models[model]));
  const std::vector<std::size_t> cuts = cutIntoShares(workBefore, std::min(withCells, network.cells()));
  cellBegins.assign(cuts.begin(), cuts.end());
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
