#pragma once

#include "app/forms/field_form.hpp"
#include "app/forms/parameter_group.hpp"
#include "app/jobs/device_report.hpp"
#include "study/cells/cell_study.hpp"

#include <QWidget>

class QLabel;

namespace hinesight::app {

/// All parameters in the order of the pipeline: Compartments, Batch, Balance, Split, Pack, Solve; below them the
/// figures of the plan that they gave. A view of study::CellParameters: every row reads and writes one member.
class ParameterPanel : public QWidget
{
  Q_OBJECT

public:
  explicit ParameterPanel(QWidget* parent = nullptr);

  const study::CellParameters& parameters() const { return current; }
  /// Shows them without emitting `edited`.
  void setParameters(const study::CellParameters& parameters);
  void setDevices(const DeviceReport& report);
  /// The figures below the parameters, and whether the solver follows the plan; null: none yet.
  void showPlan(const hines::SolvePlan* plan, const hines::Solution* solution);
  /// Every parameter back to its default.
  void resetAll();

signals:
  void edited(); ///< `parameters` changed by a person

private:
  /// Of two parameters that do not go together, the one that was not touched gives way.
  void reconcile(const hines::SolveParameters& before);
  void refreshAvailability();
  void takeEdit();
  void refresh();

  study::CellParameters current;
  study::CellParameters known; ///< before the newest edit
  /// By the person; a solver without it works in double precision, and the next that has it as was wanted.
  hines::Precision wantedPrecision = hines::Precision::Double;
  FieldForm* form;
  ChoiceRow* solver = nullptr;
  ChoiceRow* precision = nullptr;
  QString whyNoCuda; ///< empty where there is a device
  QLabel* planSummary;
};

} // namespace hinesight::app
