#pragma once

#include "core/run_control.hpp"
#include "selection/expression.hpp"
#include "selection/figure_rows.hpp"
#include "selection/named_selection.hpp"
#include "selection/vocabulary.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hinesight::selection {

/// Neurons of populations, one population after another, and the synapses of one connection between them, ordered by
/// source: what expressions about neurons and synapses look at.
struct NetworkTable
{
  std::vector<std::string> populations;
  std::vector<std::size_t> firstNeuron = {0};                             ///< size populations + 1
  std::function<std::uint32_t(std::size_t neuron)> number = {};           ///< in its population; empty: from 0
  std::function<std::array<double, 3>(std::size_t neuron)> position = {}; ///< µm, on any thread
  std::string connection;                      ///< its name; empty: it is none of the circuit
  std::size_t firstSource = 0;                 ///< the neuron that is source 0
  std::size_t firstTarget = 0;                 ///< the same of target 0
  std::span<const std::uint64_t> offsets = {}; ///< synapses of source k; one more than sources
  std::span<const std::uint32_t> target = {};  ///< per synapse
  std::function<double(std::size_t synapse)> weight = {};
  std::function<double(std::size_t synapse)> delay = {}; ///< ms; empty: there is none
  std::function<double(std::size_t neuron)> spikes = {}; ///< of a run; empty: there is none
  double ran = 0;                                        ///< ms of simulated time that it took
  std::shared_ptr<const void> kept = {};                 ///< what the spans are of

  std::size_t neurons() const { return firstNeuron.back(); }
  std::size_t synapses() const { return target.size(); }
  void addPopulation(std::string name, std::size_t count);
  /// The place of the population of a neuron.
  std::size_t populationOf(std::size_t neuron) const;
  /// The number of a neuron in its population.
  std::uint32_t indexOf(std::size_t neuron) const;
};

/// Of expressions about that.
const Vocabulary& vocabularyOf(SetKind kind);

/// The neurons or the synapses of a table, which has to outlive them.
std::unique_ptr<FigureRows> rowsOf(const NetworkTable& table, SetKind kind);

/// What an expression selects of a table.
struct NetworkChoice
{
  std::size_t selected = 0;
  std::size_t all = 0;
  double weight = 0;                ///< of all selected synapses together
  std::vector<std::size_t> neurons; ///< that are selected, or the ends of the selected synapses; the first ones
  std::size_t ends = 0;             ///< how many there are
};

/// `most`: of NetworkChoice::neurons. Throws Error(Cancelled).
NetworkChoice choose(const NetworkTable& table, SetKind kind, const Expression& expression, std::size_t most,
                     const RunControl& control = {});

} // namespace hinesight::selection
