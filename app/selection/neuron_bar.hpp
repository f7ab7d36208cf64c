#pragma once

#include "app/selection/expression_bar.hpp"
#include "app/selection/neuron_selection.hpp"

#include <QString>

#include <functional>
#include <optional>
#include <string>

class QComboBox;
class QToolButton;

namespace hinesight::app {

class SelectionActions;

/// The bar of neurons, below the pages that show them: from when several are picked at once, one is hidden or an
/// expression is to be written. The expression selects neurons, or synapses, of what the page shows; the sets are those
/// that are kept of them. While such a page is seen, the actions of the menu are about neurons.
class NeuronBar : public ExpressionBar
{
  Q_OBJECT

public:
  /// `keeper`: of the sets, and of the branches that the actions are about on all other pages.
  NeuronBar(NeuronSelection* ofCircuit, BranchSelection* keeper, SelectionActions* actions, QWidget* parent = nullptr);

  /// What the page that is seen shows (Tab::network, Tab::hasNeurons), empty: it shows no neurons; and what is selected
  /// of that (Tab::selection).
  void setPage(const QWidget* seen, std::function<SharedNetwork()> ofPage, std::function<bool()> hasNeurons,
               std::function<NeuronSelection*()> whose);
  /// The page may show neurons of another selection, which has an expression of its own.
  void takeSelection();
  /// The page may show other neurons or synapses: what its expression selected is selected anew.
  void takeNetwork();
  /// Selects its neurons or synapses; of synapses as soon as their connection is shown.
  void selectSet(const selection::NamedSelection& set);
  /// Of a set whose connection there is none of.
  void showMistake(const QString& sentence);

signals:
  /// The page is to show that one.
  void connectionWanted(const QString& name);

private:
  selection::SetKind kind() const;
  void setKind(selection::SetKind wanted);
  void followSelection();
  void showSelection();
  void takeText() override;
  void reset() override;
  bool isUseful() const override { return selection->hasNetwork(); }
  void refreshCount() override;
  void select(const std::string& expression);
  void askForSet();
  void refresh();

  NeuronSelection* ofCircuit;
  NeuronSelection* selection; ///< of what the page shows
  BranchSelection* keeper;
  SelectionActions* actions;
  QComboBox* kinds;
  QToolButton* save;
  const QWidget* page = nullptr;
  std::function<SharedNetwork()> network;            ///< of it
  std::function<bool()> showsAny;                    ///< of it
  std::function<NeuronSelection*()> selectionOfPage; ///< of it
  std::optional<selection::NamedSelection> awaited;  ///< until its connection is shown
  const QWidget* evaluatedOn = nullptr;              ///< the page
  std::string evaluatedOf;                           ///< its connection
};

} // namespace hinesight::app
