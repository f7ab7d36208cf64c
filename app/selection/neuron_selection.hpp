#pragma once

#include "model/project.hpp"

#include <QObject>

#include <cstdint>
#include <string>
#include <vector>

namespace hinesight::app {

/// A neuron of a population of the circuit.
struct CircuitNeuron
{
  std::string population;  ///< its name
  std::uint64_t index = 0; ///< among its neurons

  bool operator==(const CircuitNeuron&) const = default;
};

/// The neurons of the circuit that a person picked, the same ones on all pages that show their populations. Pages whose
/// neurons are of no circuit keep what is picked there.
class NeuronSelection : public QObject
{
  Q_OBJECT

public:
  using QObject::QObject;

  /// In the order in which they were picked.
  const std::vector<CircuitNeuron>& neurons() const { return picked; }
  /// Those of a population, of which a page shows the first `count` neurons, in the same order.
  std::vector<std::uint32_t> of(const std::string& population, std::uint64_t count) const;
  /// These and no others. Those that were picked already stay before the new ones.
  void pick(const std::vector<CircuitNeuron>& wanted);
  /// What there is: neurons of others, and behind the last of one, are picked no more.
  void setPopulations(const std::vector<model::Population>& populations);
  /// Nobody is told: they are the same neurons.
  void renamePopulation(const std::string& before, const std::string& now);

signals:
  void changed();

private:
  void set(std::vector<CircuitNeuron> next);

  std::vector<CircuitNeuron> picked;
};

} // namespace hinesight::app
