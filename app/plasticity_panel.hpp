#pragma once

#include "app/job_runner.hpp"
#include "app/plasticity_runner.hpp"
#include "app/search_rows.hpp"

#include <QWidget>

namespace hinesight::app {

/// The parameters of a plasticity model. The default growth is a hundred times RELeARN's, so that a person sees it.
class PlasticityPanel : public QWidget
{
  Q_OBJECT

public:
  explicit PlasticityPanel(QWidget* parent = nullptr);

  PlasticityRequest request() const;
  /// Shows it without emitting `edited`.
  void setRequest(const PlasticityRequest& request);
  void setDevices(const DeviceReport& report);
  void resetAll();

signals:
  /// By a person, no slider being dragged: the model has to begin anew.
  void edited();

private:
  struct Values
  {
    Values();

    PlasticityRequest request; ///< but its search
    SearchValues search;
  };

  void addNeurons();
  void addActivity();
  void addCalcium();
  void addGrowth();
  void addElements(const QString& id, const QString& who,
                   synapse::GrowthParameters synapse::PlasticityParameters::*pool);
  void addCompute();
  void takeEdit(bool settled);

  PlasticityRequest told; ///< what `edited` was last emitted for
  ParameterForm<Values> form;
  ChoiceRow* backend = nullptr;
};

} // namespace hinesight::app
