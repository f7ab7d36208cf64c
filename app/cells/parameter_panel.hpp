#pragma once

#include "app/cells/pipeline.hpp"
#include "app/forms/parameter_row.hpp"
#include "app/jobs/job_runner.hpp"

#include <QWidget>

#include <functional>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace hinesight::app {

/// A titled part of the panel that folds.
class ParameterGroup : public QWidget
{
  Q_OBJECT

public:
  /// `id` names the widgets: header `idGroup`.
  ParameterGroup(const QString& id, const QString& title, const QString& help, QWidget* parent);
  void addRow(QWidget* row);
  void setFolded(bool folded);

private:
  class QToolButton* header;
  QWidget* body;
  QVBoxLayout* rows;
};

/// Fills an empty panel with a scroll area, of that name, that shows the groups. Returns the panel's own layout, for
/// what stands below it.
QVBoxLayout* scrollInPanel(QVBoxLayout* groups, QWidget* panel, const QString& name);

/// All parameters in the order of the pipeline: Compartments, Batch, Balance, Split, Pack, Solve; below them the
/// figures of the plan that they gave. A view of PipelineParameters: every row reads and writes one member.
class ParameterPanel : public QWidget
{
  Q_OBJECT

public:
  explicit ParameterPanel(QWidget* parent = nullptr);

  const PipelineParameters& parameters() const { return current; }
  /// Shows them without emitting `edited`.
  void setParameters(const PipelineParameters& parameters);
  void setDevices(const DeviceReport& report);
  /// The figures below the parameters, and whether the solver follows the plan; null: none yet.
  void showPlan(const hines::SolvePlan* plan, const hines::Solution* solution);
  /// Every parameter back to its default.
  void resetAll();

signals:
  void edited(); ///< `parameters` changed by a person

private:
  using Read = std::function<double(const PipelineParameters&)>;
  using Write = std::function<void(PipelineParameters&, double)>;
  using Condition = std::function<bool(const PipelineParameters&)>;
  struct Binding
  {
    ParameterRow* row;
    Read read;
    Write write;
    Condition relevant; ///< greyed where false
    Condition shown;    ///< hidden where false
  };

  void addCompartments();
  void addBiophysics();
  void addBatch();
  void addRandomTrees();
  void addBalance();
  void addSplit();
  void addPack();
  void addSolve();

  ParameterGroup* addGroup(const QString& id, const QString& title, const QString& help);
  /// `Member` gives a reference to the member of PipelineParameters that the row shows.
  template <typename Member>
  NumberRow* addNumber(const ParameterText& text, const NumberRange& range, Member member, Condition relevant = {});
  template <typename Member>
  ChoiceRow* addChoice(const ParameterText& text, const std::vector<ChoiceRow::Choice>& choices, Member member,
                       Condition relevant = {});
  template <typename Member>
  SwitchRow* addSwitch(const ParameterText& text, Member member, Condition relevant = {});
  void addCoarse();
  void addEdd();
  void bind(ParameterRow* row, Read read, Write write, Condition relevant);
  /// The rows that were added last exist only while `shown` holds: the parameters of one solver.
  void hideUnless(std::size_t firstBinding, const Condition& shown);
  /// Of two parameters that do not go together, the one that was not touched gives way.
  void reconcile(const hines::SolveParameters& before);
  void refreshAvailability();
  void takeEdit(const Binding& binding, double value);
  void refresh();

  PipelineParameters current;
  /// By the person; a solver without it works in double precision, and the next that has it as was wanted.
  hines::Precision wantedPrecision = hines::Precision::Double;
  std::vector<Binding> bindings;
  ParameterGroup* group = nullptr; ///< the one that rows are added to
  QVBoxLayout* groups;
  ChoiceRow* solver = nullptr;
  ChoiceRow* backend = nullptr;
  ChoiceRow* precision = nullptr;
  QString whyNoCuda; ///< empty where there is a device
  QLabel* planSummary;
};

} // namespace hinesight::app
