#pragma once

#include "app/forms/parameter_row.hpp"
#include "app/jobs/job_runner.hpp"
#include "app/projection/projection_pipeline.hpp"

#include <QWidget>

#include <functional>
#include <vector>

class QLineEdit;
class QVBoxLayout;

namespace hinesight::widgets {
class ChoiceBox;
}

namespace hinesight::app {

class ParameterGroup;

/// The parameters of a projection: which populations it joins, the kernel with the numbers that it uses, the rule, the
/// cut and where the table is made. A view of ProjectionRequest. Numbers and their ranges are those of
/// projection::visitParameters.
class ProjectionPanel : public QWidget
{
  Q_OBJECT

public:
  explicit ProjectionPanel(QWidget* parent = nullptr);

  /// What the rows show, with the chosen ones of the populations.
  ProjectionRequest request() const;
  void setParameters(const projection::ProjectionParameters& parameters);
  /// The chosen ones stay chosen wherever they stand now. One that is not there any more, or has another name, is
  /// followed by the one at its place.
  void setPopulations(std::vector<PopulationChoice> populations);
  /// Chooses populations by their place.
  void choosePopulations(int source, int destination);
  void setDevices(const DeviceReport& report);
  void resetAll();

signals:
  /// By a person. `settled`: no slider is being dragged.
  void edited(bool settled);

private:
  using Condition = std::function<bool(const projection::ProjectionParameters&)>;
  struct Number
  {
    NumberRow* row;
    std::size_t index; ///< in the order of visitParameters
  };
  struct Shown
  {
    QWidget* row;
    Condition when;
  };

  void addPopulations();
  void addKernel();
  void addNumbers(const std::vector<const char*>& names);
  void addRule();
  void addPlacement();
  void addBackend();
  ParameterGroup* addGroup(const QString& id, const QString& title, const QString& help);
  ChoiceRow* addChoice(const ParameterText& text, const std::vector<ChoiceRow::Choice>& choices, double defaultValue,
                       const std::function<void(double)>& write);
  SwitchRow* addSwitch(const ParameterText& text, bool defaultValue, const std::function<void(double)>& write);
  void takeEdit(const NumberRow* dragged);
  bool joinsOnePopulation() const;
  void refresh();

  projection::ProjectionParameters current;
  projection::ComputeParameters compute;
  std::vector<PopulationChoice> populations;
  int sourceIndex = 0;
  int destinationIndex = 1;

  QVBoxLayout* groups = nullptr;
  ParameterGroup* group = nullptr;
  std::vector<Number> numbers;
  std::vector<Shown> conditions;
  QWidget* populationRows = nullptr;
  widgets::ChoiceBox* source = nullptr;
  widgets::ChoiceBox* destination = nullptr;
  ChoiceRow* kernel = nullptr;
  ChoiceRow* rule = nullptr;
  ChoiceRow* backend = nullptr;
  NumberRow* seed = nullptr;
  SwitchRow* wrap = nullptr;
  SwitchRow* selfConnections = nullptr;
  QWidget* expressionRow = nullptr;
  QLineEdit* expression = nullptr;
};

} // namespace hinesight::app
