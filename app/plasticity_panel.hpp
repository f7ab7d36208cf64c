#pragma once

#include "app/job_runner.hpp"
#include "app/plasticity_runner.hpp"
#include "app/search_rows.hpp"

#include <QWidget>

#include <functional>
#include <string>

namespace hinesight::app {

class FileRow;
struct FileContent;

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
  void addTargetDecay();
  void addGrowth();
  void addElements(const QString& id, const QString& who,
                   synapse::GrowthParameters synapse::PlasticityParameters::*pool);
  void addFiles();
  FileRow* addFile(const ParameterText& text, std::function<FileContent(const std::string& path)> read,
                   std::function<void(synapse::PlasticityParameters&)> forget);
  void change(const std::function<void(synapse::PlasticityParameters&)>& how);
  void addCompute();
  void offerBackgroundFile();
  /// What there is of files that were read, after all values were set.
  void showFiles();
  void takeEdit(bool settled);

  PlasticityRequest told; ///< what `edited` was last emitted for
  ParameterForm<Values> form;
  ChoiceRow* backend = nullptr;
  ChoiceRow* background = nullptr;
  FileRow* calciumFile = nullptr;
  FileRow* backgroundFile = nullptr;
  FileRow* interruptFile = nullptr;
};

} // namespace hinesight::app
