#pragma once

#include "model/project.hpp"
#include "selection/named_selection.hpp"
#include "selection/network_table.hpp"
#include "widgets/background_work.hpp"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
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

using SharedNetwork = std::shared_ptr<const selection::NetworkTable>;

/// What a person selected of the circuit.
struct SelectedNeurons
{
  std::vector<CircuitNeuron> neurons; ///< in the order in which they were picked
  /// That selected them, or the synapses whose ends they are; empty: something else did.
  std::string expression = {};
  selection::SetKind of = selection::SetKind::Neurons;
  std::string connection = {}; ///< of the synapses

  bool operator==(const SelectedNeurons&) const = default;
};

/// The neurons of the circuit that a person picked or that an expression selects, the same ones on all pages that show
/// their populations; of selected synapses their ends. Pages whose neurons are of no circuit keep what is picked there.
class NeuronSelection : public QObject
{
  Q_OBJECT

public:
  /// Of more that an expression selects the first ones are marked.
  static constexpr std::size_t kMostMarked = 10'000;

  using QObject::QObject;

  /// In the order in which they were picked.
  const std::vector<CircuitNeuron>& neurons() const { return now->neurons; }
  /// Those of a population, of which a page shows the first `count` neurons, in the same order.
  std::vector<std::uint32_t> of(const std::string& population, std::uint64_t count) const;
  /// These and no others. Those that were picked already stay before the new ones.
  void pick(const std::vector<CircuitNeuron>& wanted);
  /// What there is: neurons of others, and behind the last of one, are picked no more.
  void setPopulations(const std::vector<model::Population>& populations);
  /// Nobody is told: they are the same neurons.
  void renamePopulation(const std::string& before, const std::string& name);

  /// The neurons, or the synapses, of a network for which an expression is true; found on another thread. Throws
  /// selection::ExpressionError at once.
  void selectWhere(const std::string& expression, selection::SetKind kind, const SharedNetwork& network);
  /// What was found stays.
  void forgetWhere() { searching.restart(); }
  /// Waits until what is searched for is selected.
  void settle() { searching.wait(); }
  /// The expression that selected what is selected; empty: something else did.
  const std::string& expression() const { return now->expression; }
  selection::SetKind kind() const { return now->of; }
  bool isEmpty() const { return now->neurons.empty() && now->expression.empty(); }
  /// "1,204 of 3,400 neurons", "12 of 320 synapses of 40 neurons, weight 3.2".
  QString summary() const;
  /// As a set of that name: the expression, or one that has exactly these neurons. None where nothing is selected.
  std::optional<selection::NamedSelection> namedAs(const QString& name) const;

  /// For who keeps it.
  std::shared_ptr<const SelectedNeurons> selected() const { return now; }
  /// As it was.
  void restore(const std::shared_ptr<const SelectedNeurons>& wanted);

signals:
  void changed();

private:
  void set(SelectedNeurons next, std::optional<selection::NetworkChoice> of = {});

  std::shared_ptr<const SelectedNeurons> now = std::make_shared<SelectedNeurons>();
  std::optional<selection::NetworkChoice> choice; ///< what the expression found; none: it was not evaluated here
  widgets::BackgroundWork searching;
};

} // namespace hinesight::app
