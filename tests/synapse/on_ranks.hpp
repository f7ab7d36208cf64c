#pragma once

#include "core/rank_tasks.hpp"
#include "core/thread_ranks.hpp"
#include "synapse/formation/formation.hpp"
#include "synapse/ranks/rank_tasks.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace hinesight::tests {

/// The ranks that everything is done on: one, a power of two and not, more than a machine has cores.
inline constexpr int kRanks[] = {1, 2, 3, 5, 8};

/// Does the work of `body` on so many ranks; it looks as if it was done on one.
inline void onRanks(int ranks, const std::function<void()>& body, const RunControl& control = {})
{
  runRanks(ranks, [&](Communicator& communicator) { leadTasks(communicator, synapse::rankTasks(control), body); });
}

/// Neurons at these positions, each fifth of them inhibitory.
inline std::shared_ptr<synapse::NeuronPopulation> populationAt(std::vector<synapse::Position> positions)
{
  auto population = std::make_shared<synapse::NeuronPopulation>();
  for (std::size_t i = 0; i < positions.size(); ++i)
    population->isInhibitory.push_back(i % 5 == 4);
  population->area.resize(positions.size());
  population->position = std::move(positions);
  return population;
}

/// Several elements each, of which many conflict.
inline synapse::FormationParameters someElements(synapse::SearchKind kind, double theta = 0.3)
{
  synapse::FormationParameters p;
  p.search.kind = kind;
  p.search.theta = theta;
  p.search.kernel.sigma = 100;
  p.axons = 3;
  p.dendrites = 2;
  p.threads = 2;
  p.keepsTree = false;
  return p;
}

} // namespace hinesight::tests
