#pragma once

#include "app/forms/field_form.hpp"
#include "app/jobs/device_report.hpp"
#include "study/simulation/live_simulation.hpp"
#include "study/simulation/simulation_model.hpp"

#include <QWidget>

#include <memory>
#include <utility>
#include <vector>

class QLabel;
class QTreeWidget;
class QVBoxLayout;

namespace hinesight::app {

class NumberRow;
class ParameterGroup;

/// What is open to be simulated and how: the stimulus and the method, which are rows of study::SimulationRequest, what
/// can be changed while it runs, the channels by region, and what was changed.
class SimulationPanel : public QWidget
{
  Q_OBJECT

public:
  explicit SimulationPanel(QWidget* parent = nullptr);

  const study::SimulationRequest& request() const { return current; }
  /// Shows it without emitting `edited`.
  void setRequest(const study::SimulationRequest& request);
  /// Its channels, and rows for what it has that can be changed while it runs; null: nothing is open. All factors
  /// are 1.
  void setModel(std::shared_ptr<const study::SimulationModel> model);
  void setDevices(const DeviceReport& report);
  void resetAll();
  const study::LiveFactors& factors() const { return live; }
  /// Shows them without emitting `adjusted`.
  void setFactors(const study::LiveFactors& factors);
  void setChanges(const std::vector<study::LiveChange>& changes);

signals:
  /// By a person, no slider being dragged and no number being typed.
  void edited();
  /// By a person, while a slider is dragged too.
  void adjusted(const hinesight::study::LiveFactors& factors);

private:
  std::vector<BoundField> fields();
  void addLiveRows();
  NumberRow* addLiveRow(const QString& id, const QString& label, const QString& help, double least, double greatest,
                        double usual, const QString& unit);
  void takeFactors();
  void showFactors();
  void showChannels();
  void refresh();

  study::SimulationRequest current;
  study::SimulationRequest standard; ///< what the files say
  study::SimulationRequest told;     ///< what `edited` was last emitted for
  study::LiveFactors live;
  std::shared_ptr<const study::SimulationModel> model;
  FieldForm* form = nullptr;
  QLabel* what = nullptr;
  QLabel* notes = nullptr;
  ParameterGroup* liveGroup = nullptr;
  QWidget* liveRows = nullptr;
  std::vector<std::pair<std::size_t, NumberRow*>> conductances; ///< by mechanism
  NumberRow* stimuli = nullptr;
  NumberRow* weights = nullptr;
  NumberRow* warmer = nullptr;
  QTreeWidget* channels = nullptr;
  QTreeWidget* changeList = nullptr;
};

} // namespace hinesight::app
