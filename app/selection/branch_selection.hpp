#pragma once

#include "selection/branch_set.hpp"
#include "selection/named_selection.hpp"
#include "widgets/cells/branch_choice.hpp"
#include "widgets/cells/scene.hpp"

#include <QObject>
#include <QString>

#include <memory>
#include <string>
#include <vector>

namespace hinesight::app {

/// The branches that a person chose, one choice for all views of cells; what is hidden, and the sets that are kept.
/// Without a plan there are no branches, and nothing that is asked for here has an effect.
class BranchSelection : public QObject
{
  Q_OBJECT

public:
  using QObject::QObject;

  const widgets::BranchChoice& choice() const { return chosen; }
  /// What views show from now on, with what of a choice is there. What an expression selected, it selects anew where
  /// there is another plan.
  void setScene(std::shared_ptr<const widgets::Scene> scene, widgets::BranchChoice choice);
  /// The branches of the scene; made when they are first asked for. Null without a plan.
  const selection::BranchTable* table() const;
  bool hasBranches() const { return scene && scene->plan; }

  /// A branch alone; null: none.
  void select(widgets::BranchId branch);
  /// One alone becomes the current one.
  void pick(const std::vector<widgets::BranchId>& branches, widgets::PickMode how);
  /// Throws selection::ExpressionError.
  void selectWhere(const std::string& expression);
  /// Hides what an expression stands for; where all of it is hidden already, shows it. Throws the same.
  void toggleHiddenWhere(const std::string& expression);
  /// Whether there are such branches, and all are hidden. Throws the same.
  bool isHiddenWhere(const std::string& expression) const;
  void clear() { select({}); }
  /// The branches that are neither selected nor hidden.
  void invert();
  void addSubtrees();
  void addPathsToSoma();
  /// The branches that the selected ones hang on, in their place.
  void goToHosts();
  /// Draws the selected branches no more, and selects nothing.
  void hide();
  /// Hides the others.
  void isolate();
  void showAll();

  /// The expression that selected what is selected; empty: something else did.
  const std::string& expression() const { return where; }
  /// "1,204 of 3,400 branches, 12.4 mm"; with what is hidden. Empty without a plan.
  QString summary() const;

  const std::vector<selection::NamedSelection>& sets() const { return named; }
  void setSets(std::vector<selection::NamedSelection> sets);
  /// Keeps what is selected under a name; a set of that name is replaced.
  void saveAs(const QString& name);
  /// Throws as selectWhere.
  void selectSet(std::size_t set);
  void removeSet(std::size_t set);

signals:
  void changed();
  void sceneChanged(); ///< there are other branches
  void setsChanged();

private:
  selection::BranchSet setOf(const widgets::BranchIds& ids) const;
  widgets::BranchIds idsOf(const selection::BranchSet& set) const;
  void selectSetOf(const selection::BranchSet& set, std::string expression = {});
  void take(widgets::BranchChoice choice, std::string expression);

  std::shared_ptr<const widgets::Scene> scene;
  mutable std::shared_ptr<const hines::SolvePlan> tabled; ///< whose branches `branches` has
  mutable selection::BranchTable branches;
  widgets::BranchChoice chosen;
  std::string where;
  std::vector<selection::NamedSelection> named;
};

} // namespace hinesight::app
