#pragma once

#include "app/selection/neuron_set.hpp"
#include "app/selection/selection_model.hpp"
#include "model/project.hpp"
#include "selection/named_selection.hpp"
#include "selection/network_table.hpp"
#include "widgets/background_work.hpp"
#include "widgets/pick_mode.hpp"

#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hinesight::app {

/// A neuron of a population.
struct CircuitNeuron
{
  std::string population;  ///< its name
  std::uint64_t index = 0; ///< its number in it

  bool operator==(const CircuitNeuron&) const = default;
};

using SharedNetwork = std::shared_ptr<const selection::NetworkTable>;

/// What a person selected of the circuit, and hid of it.
struct SelectedNeurons
{
  std::vector<CircuitNeuron> neurons = {}; ///< that are marked, in the order in which they were picked
  /// That selected them, or the synapses whose ends they are; empty: something else did.
  std::string expression = {};
  selection::SetKind of = selection::SetKind::Neurons;
  std::string connection = {}; ///< of the synapses
  NeuronSet more = {};         ///< that are selected and not marked, because there are so many
  NeuronSet hidden = {};       ///< not drawn

  bool operator==(const SelectedNeurons&) const = default;
};

/// The neurons that a person picked or that an expression selects; of selected synapses their ends. Those of the
/// circuit are the same ones on all pages that show their populations; a page may have a selection of its own for
/// neurons that are of no circuit. Pages that draw neurons in space leave the hidden ones out.
class NeuronSelection : public SelectionModel
{
  Q_OBJECT

public:
  /// Of more that are selected the first ones are marked.
  static constexpr std::size_t kMostMarked = 10'000;

  using SelectionModel::SelectionModel;

  /// Those that are marked, in the order in which they were picked.
  const std::vector<CircuitNeuron>& neurons() const { return now->neurons; }
  /// Those of a population, of which a page shows the first `count` neurons, in the same order; without hidden ones.
  std::vector<std::uint32_t> of(const std::string& population, std::uint64_t count) const;
  /// All that are selected.
  NeuronSet all() const;
  std::size_t count() const { return now->neurons.size() + now->more.count(); }
  const NeuronSet& hidden() const { return now->hidden; }
  /// These and no others. Those that were picked already stay before the new ones.
  void pick(const std::vector<CircuitNeuron>& wanted);
  /// Several at once, such as those in a box. What is hidden is not picked.
  void pick(const NeuronSet& picked, widgets::PickMode how);
  /// What there is: neurons of others, and behind the last of one, are picked and hidden no more.
  void setPopulations(const std::vector<model::Population>& populations);
  /// Nobody is told: they are the same neurons.
  void renamePopulation(const std::string& before, const std::string& name);
  /// All neurons are others: these are hidden, and none is selected, nor was before.
  void forget(NeuronSet hidden = {});

  /// What the page that is seen shows (Tab::network, Tab::hasNeurons); empty: it shows no neurons.
  void setNetwork(std::function<SharedNetwork()> ofPage, std::function<bool()> hasNeurons = {})
  {
    shown = std::move(ofPage);
    showsAny = std::move(hasNeurons);
  }
  bool hasNetwork() const { return static_cast<bool>(shown); }
  /// Null: it shows none that can be selected.
  SharedNetwork network() const { return shown ? shown() : nullptr; }

  bool hasAny() const override;
  bool isAnySelected() const override { return !now->neurons.empty(); }
  bool isAnyHidden() const override { return !now->hidden.isEmpty(); }
  bool hasPrevious() const override { return !past.empty(); }
  void selectPrevious() override;
  void invert() override;
  void hide() override;
  void isolate() override;
  void showAll() override;
  void clear() override { pick({}); }

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
  /// "1,204 of 3,400 neurons", "12 of 320 synapses of 40 neurons, weight 3.2"; with what is hidden.
  QString summary() const;
  /// As a set of that name: the expression, or one that has exactly these neurons. None where nothing is selected.
  std::optional<selection::NamedSelection> namedAs(const QString& name) const;

  /// For who keeps it.
  std::shared_ptr<const SelectedNeurons> selected() const { return now; }
  /// As it was.
  void restore(const std::shared_ptr<const SelectedNeurons>& wanted);

signals:
  /// Several were picked at once, or inverted.
  void severalPicked();

private:
  NeuronSet allOfPage() const;
  QString selectedInWords() const;
  void select(const NeuronSet& wanted);
  /// `step`: of a command that hides or shows. `of`: what the expression found; none: it found what it did before.
  void take(SelectedNeurons next, const QString& step = {}, std::optional<selection::NetworkChoice> of = {});
  void set(SelectedNeurons next, std::optional<selection::NetworkChoice> of = {}, const QString& step = {});

  std::shared_ptr<const SelectedNeurons> now = std::make_shared<SelectedNeurons>();
  std::optional<selection::NetworkChoice> choice; ///< what the expression found; none: it was not evaluated here
  std::vector<std::shared_ptr<const SelectedNeurons>> past; ///< what was selected, the newest last
  std::shared_ptr<const SelectedNeurons> beforeHiding; ///< what hiding deselected; null: something else was selected
  std::function<SharedNetwork()> shown;
  std::function<bool()> showsAny; ///< of it; empty: it is made to be asked
  widgets::BackgroundWork searching;
};

} // namespace hinesight::app
