#pragma once

#include "app/selection/neuron_selection.hpp"
#include "app/selection/selection_model.hpp"
#include "selection/branch_set.hpp"
#include "selection/branch_table.hpp"
#include "selection/named_selection.hpp"
#include "widgets/background_work.hpp"
#include "widgets/cells/branch_choice.hpp"
#include "widgets/cells/scene.hpp"

#include <QString>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::app {

/// A choice that holds in another scene too: its cells are known by their files.
struct KeptChoice
{
  widgets::BranchChoice choice;
  std::string expression;                                ///< that selected it; empty: something else did
  std::shared_ptr<const std::vector<std::string>> files; ///< per cell of its scene; empty: a random tree
};

/// All that a person selected. It shares what it has: to keep it costs no more than a few pointers.
struct Selected
{
  std::shared_ptr<const KeptChoice> branches;            ///< with what is hidden; null: nothing is said of any of it
  std::shared_ptr<const std::vector<std::string>> cells; ///< files of those that are chosen in the list
  bool inChosenCells = false;                            ///< expressions select in these only
  std::shared_ptr<const SelectedNeurons> neurons = {};   ///< of the circuit; null: nothing is said of them
};

/// Hidden branches by the files of their cells, each as selection::rangesText has them.
using HiddenByFile = std::map<std::string, std::string>;

/// The branches that a person chose, one choice for all views of cells; what is hidden, and the sets that are kept, of
/// branches, cells, neurons and synapses. Without a plan there are no branches, and nothing that is asked for of them
/// has an effect.
class BranchSelection : public SelectionModel
{
  Q_OBJECT

public:
  using SelectionModel::SelectionModel;

  const widgets::BranchChoice& choice() const { return chosen; }
  /// What views show from now on, with what of a choice is there. What an expression selected, it selects anew where
  /// there is another plan. `files`: of its cells, as KeptChoice has them.
  void setScene(std::shared_ptr<const widgets::Scene> scene, widgets::BranchChoice choice,
                std::vector<std::string> files);
  /// The branches of the scene with their figures; made when they are first asked for. Null without a plan.
  const selection::BranchTable* table() const;
  /// Whether that takes no longer than a frame. Where it does, what is told of branches lacks their figures until
  /// tableMade.
  bool hasTable() const;
  /// Begins to make it on another thread, so that nobody waits for it later.
  void makeTableAhead();
  bool hasBranches() const { return scene && scene->plan; }
  bool hasAny() const override { return hasBranches(); }
  bool isAnySelected() const override { return !chosen.selected.isEmpty(); }
  bool isAnyHidden() const override { return !chosen.hidden.isEmpty(); }

  /// A branch alone; null: none.
  void select(widgets::BranchId branch);
  /// The same; a hidden one is shown.
  void reveal(widgets::BranchId branch);
  /// One alone becomes the current one.
  void pick(const std::vector<widgets::BranchId>& branches, widgets::PickMode how);
  /// In all cells that are drawn, or in the chosen ones of these. Throws selection::ExpressionError.
  void selectWhere(const std::string& expression);
  /// Hides what an expression stands for in the cells that are drawn, or in all where these have nothing of it; where
  /// all of it is hidden already, shows it. Throws the same.
  void toggleHiddenWhere(const std::string& expression);
  /// Whether there are such branches, and all of these are hidden. Throws the same.
  bool isHiddenWhere(const std::string& expression) const { return whichAreHidden({expression}).front(); }
  /// The same per expression; an empty one stands for no branch.
  std::vector<bool> whichAreHidden(const std::vector<std::string>& expressions) const;
  void clear() override { select({}); }
  /// All branches are others: none is selected or hidden, nor was before.
  void forget();
  /// The cells that a person chose, by their places in the scene, ascending.
  void setChosenCells(std::vector<std::int32_t> cells);
  /// Whether expressions select in the chosen cells only.
  void setInChosenCells(bool only);
  bool isInChosenCells() const { return inChosen; }
  /// Files of the cells that are chosen in the list, also of those that are in no scene, in its order.
  void setChosenFiles(std::vector<std::string> files);
  bool hasChosenFiles() const { return !chosenFiles->empty(); }
  std::size_t cells() const { return hasRows() ? branches.cells() : 0; }
  /// Selections are not steps of the history: a look at a branch would end what can be done again.
  void selectPrevious() override;
  bool hasPrevious() const override { return !past.empty(); }
  /// What is selected, or is to be once its cells are planned; without neurons.
  Selected selected() const;
  /// As it was, as far as it is there. `isRunning`: the cells may be planned anew, and it is restored once more in what
  /// comes of that, unless a person selects something before.
  void restore(const Selected& wanted, bool isRunning);
  /// Of the drawn cells.
  void invert() override;
  void addSubtrees();
  void addPathsToSoma();
  /// The branches that the selected ones hang on, in their place.
  void goToHosts();
  void hide() override;
  /// Of the drawn cells.
  void isolate() override;
  void showAll() override;
  /// What is hidden, and what is to be hidden once its cell is there. Not of random trees.
  HiddenByFile hiddenByFile() const;
  /// Hides these and no others, each as soon as its cell is there; no step. `isNow`: false where the cells that are
  /// shown are about to be planned anew.
  void hideByFile(HiddenByFile wanted, bool isNow = true);

  /// The expression that selected what is selected; empty: something else did.
  const std::string& expression() const { return where; }
  /// "1,204 of 3,400 branches and roots in 80 cells, 12,400 µm", of the cells that are shown; with what is hidden.
  /// Empty without a plan.
  QString summary() const;
  /// The same of all selected branches together, one "name: value" a line.
  QString figures() const;

  const std::vector<selection::NamedSelection>& sets() const { return named; }
  void setSets(std::vector<selection::NamedSelection> sets);
  /// Keeps what is selected under a name; a set of that name is replaced. What an expression selected is kept by it,
  /// within the chosen cells where it selects in them only; what a person picked, by the numbers of its branches.
  void saveAs(const QString& name);
  /// The same with the cells that are chosen in the list.
  void saveCellsAs(const QString& name);
  /// In place of the one that has its name.
  void keep(selection::NamedSelection set);
  /// Sets of its synapses have the new name from now on.
  void renameConnection(const std::string& before, const std::string& now);
  /// Sets of neurons and synapses call the population so from now on.
  void renamePopulation(const std::string& before, const std::string& now);
  /// Sets have the cell of another file from now on.
  void replaceFile(const std::string& before, const std::string& now);
  /// Selects its branches, or chooses its cells; neurons and synapses are selected by others. Throws as selectWhere.
  void selectSet(std::size_t set);
  void removeSet(std::size_t set);
  /// Not to the name of another set, and not to none; whether it was.
  bool renameSet(std::size_t set, const QString& name);

signals:
  void inChosenChanged(bool only);
  void sceneChanged(); ///< there are other branches
  void tableMade();    ///< ahead
  void setsChanged();
  void chosenFilesChanged();
  /// These cells are to be chosen in the list, and no others.
  void cellsWanted(const std::vector<std::string>& files);
  /// The neurons or synapses of this set are to be selected.
  void circuitSetWanted(const hinesight::selection::NamedSelection& set);

private:
  bool hasRows() const;
  void awaitTable();
  void takeTable(const std::shared_ptr<const hines::SolvePlan>& plan, selection::BranchTable made);
  selection::BranchSet setOf(const widgets::BranchIds& ids) const;
  widgets::BranchIds idsOf(const selection::BranchSet& set) const;
  widgets::BranchChoice choiceOf(const selection::BranchSet& set) const;
  void selectSetOf(const selection::BranchSet& set, std::string expression = {});
  /// In the cells that expressions select in.
  selection::BranchSet evaluate(const std::string& expression) const;
  /// What is hidden and shown by an expression.
  selection::BranchSet drawnWhere(const std::string& expression) const;
  std::vector<bool> drawnCells() const;
  std::vector<bool> searchedCells() const;
  std::vector<bool> countedCells() const;
  QString inWords(const std::vector<bool>& counted, const QString& noun) const;
  QString whyNoneIsSearched() const;
  selection::BranchSet rowsOf(const std::vector<bool>& cells) const;
  void refreshExpression();
  std::shared_ptr<const KeptChoice> kept() const;
  widgets::BranchChoice inScene(const KeptChoice& kept) const;
  std::vector<std::size_t> numbersIn(std::size_t cell, const widgets::BranchIds& ids) const;
  void hideWanted(widgets::BranchChoice& choice);
  void remember(const widgets::BranchIds& selected, const std::string& expression);
  /// `step`: of a command that hides or shows, which can be undone.
  void take(widgets::BranchChoice choice, std::string expression, const QString& step = {});
  void replace(widgets::BranchChoice choice, std::string expression, const QString& step = {});

  std::shared_ptr<const widgets::Scene> scene;
  mutable std::shared_ptr<const hines::SolvePlan> tabled;  ///< whose branches `branches` has
  mutable std::shared_ptr<const hines::SolvePlan> figured; ///< with their figures
  mutable selection::BranchTable branches;
  widgets::BackgroundWork ahead;
  std::shared_ptr<const hines::SolvePlan> making; ///< whose figures are being made ahead
  bool isExpressionLate = false;                  ///< it selects anew when there are figures
  widgets::BranchChoice chosen;
  std::string where;
  std::shared_ptr<const std::vector<std::string>> files = std::make_shared<std::vector<std::string>>();
  std::vector<std::int32_t> chosenCells;
  bool inChosen = false;
  std::vector<std::shared_ptr<const KeptChoice>> past; ///< what was selected, the newest last
  std::shared_ptr<const KeptChoice> beforeHiding;      ///< what hiding deselected; null: something else was selected
  mutable std::shared_ptr<const KeptChoice> held;      ///< what is selected, once somebody keeps it
  std::shared_ptr<const KeptChoice> awaited;           ///< to be restored in what a run comes to; null: nothing is
  std::shared_ptr<const std::vector<std::string>> chosenFiles = std::make_shared<std::vector<std::string>>();
  std::vector<selection::NamedSelection> named;
  HiddenByFile wantedHidden; ///< of cells that are not there yet
};

} // namespace hinesight::app
