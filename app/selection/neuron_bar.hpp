#pragma once

#include "app/selection/neuron_selection.hpp"

#include <QString>
#include <QWidget>

#include <functional>
#include <optional>
#include <string>

class QComboBox;
class QLabel;
class QToolButton;

namespace hinesight::app {

class BranchSelection;
class ExpressionEdit;
class MistakeLabel;
class SetBox;

/// A line below the pages of the circuit, from when an expression is to be written until it is closed: the expression
/// that selects neurons, or synapses, of what the page shows, how many these are, and the sets of them that are kept.
class NeuronBar : public QWidget
{
  Q_OBJECT

public:
  /// `keeper`: of the sets.
  NeuronBar(NeuronSelection* selection, BranchSelection* keeper, QWidget* parent = nullptr);

  /// What the page that is seen shows (Tab::network); empty: it shows no neurons.
  using Network = std::function<SharedNetwork()>;
  void setPage(const QWidget* seen, Network ofPage);
  /// The page may show other neurons or synapses: what its expression selected is selected anew.
  void takeNetwork();
  void openForText();
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
  void takeText();
  void select(const std::string& expression);
  void close();
  void askForName();
  void refresh();
  void refreshVisible();

  NeuronSelection* selection;
  BranchSelection* keeper;
  Network network;
  QComboBox* kinds;
  ExpressionEdit* where;
  QLabel* count;
  MistakeLabel* mistake;
  QToolButton* save;
  const QWidget* page = nullptr;
  std::optional<selection::NamedSelection> awaited; ///< until its connection is shown
  std::string shownExpression;                      ///< of the selection, when it was shown last
  const QWidget* evaluatedOn = nullptr;             ///< the page
  std::string evaluatedOf;                          ///< its connection
  bool isOpen = false;
};

} // namespace hinesight::app
