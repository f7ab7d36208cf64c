#pragma once

#include "app/forms/field_form.hpp"
#include "app/jobs/device_report.hpp"
#include "app/projection/projection_outcome.hpp"
#include "model/project.hpp"

#include <QWidget>

#include <vector>

class QLabel;
class QVBoxLayout;

namespace hinesight::widgets {
class ChoiceBox;
}

namespace hinesight::app {

/// The parameters of a projection: which populations it joins, the kernel with the numbers that it uses, the rule, the
/// cut and where the table is made. A view of study::ProjectionRequest, whose fields are the rows.
class ProjectionPanel : public QWidget
{
  Q_OBJECT

public:
  explicit ProjectionPanel(QWidget* parent = nullptr);

  /// What the rows show, with the chosen ones of the populations.
  study::ProjectionRequest request() const;
  void setParameters(const projection::ProjectionParameters& parameters);
  void setBackend(Backend chosen);
  void setCompute(const projection::ComputeParameters& parameters);
  /// The chosen ones stay chosen wherever they stand now. One that is not there any more, or has another name, is
  /// followed by the one at its place.
  void setPopulations(std::vector<study::PopulationChoice> populations);
  /// Chooses populations by their place.
  void choosePopulations(int source, int destination);
  /// A connection of a file, which is shown in place of the rows: no kernel makes it. Null: the rows.
  void setFile(const model::Connection* connection);
  void setDevices(const DeviceReport& report);
  void resetAll();

signals:
  /// By a person. `settled`: no slider is being dragged.
  void edited(bool settled);

private:
  void addPopulations();
  void addParameters();
  bool joinsOnePopulation() const;
  void refresh();

  projection::ProjectionParameters current;
  projection::ComputeParameters compute;
  std::vector<study::PopulationChoice> populations;
  int sourceIndex = 0;
  int destinationIndex = 1;

  QVBoxLayout* groups = nullptr;
  QLabel* ofFile = nullptr; ///< in place of the groups
  widgets::ChoiceBox* source = nullptr;
  widgets::ChoiceBox* destination = nullptr;
  FieldForm* form = nullptr;
};

} // namespace hinesight::app
