#pragma once

#include "app/jobs/device_report.hpp"
#include "app/synapses/search_rows.hpp"
#include "study/growth/growth_study.hpp"

#include <QWidget>

#include <functional>
#include <memory>
#include <string>

namespace hinesight::app {

class FileRow;
class SourceRow;
struct FileContent;

/// How fast elements grow and calcium follows the spikes.
enum class GrowthSpeed
{
  Watched,   ///< growth 100 times and calcium 10 times as fast as published: it settles while one looks on
  Published, ///< as RELeARN has it
  Own        ///< as the rows say
};

/// The parameters of a plasticity model. By default it goes faster than RELeARN's, so that a person sees it settle.
class PlasticityPanel : public QWidget
{
  Q_OBJECT

public:
  explicit PlasticityPanel(QWidget* parent = nullptr);

  study::GrowthRequest request() const;
  /// Shows it without emitting `edited`.
  void setRequest(const study::GrowthRequest& request);
  void setDevices(const DeviceReport& report);
  void resetAll();
  /// A network to begin with, with the search and kernel that formed it and calcium at its target, as if a person had
  /// chosen it; null: neurons at random, without synapses and calcium.
  void setStart(std::shared_ptr<const study::GrowthStart> start);

signals:
  /// By a person, no slider being dragged and no number being typed.
  void edited();
  /// A slider is being dragged: `edited` follows when it is let go.
  void dragged();

private:
  struct Values
  {
    Values();

    /// The amount is that of one kind of decay; the other kind keeps its default.
    void setTargetDecay(const synapse::PlasticityParameters& model);
    double targetDecayAmount() const;

    study::GrowthRequest request; ///< but its search and the amount of target decay
    SearchValues search;
    double targetLoss = 0.001;   ///< calcium
    double targetFactor = 0.999; ///< 0 to 1
    GrowthSpeed speed = GrowthSpeed::Watched;
  };

  void addNeurons();
  void addStart();
  void showStartOf(const study::GrowthRequest& request);
  void takeSpeed();
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

  study::GrowthRequest told; ///< what `edited` was last emitted for
  ParameterForm<Values> form;
  ChoiceRow* backend = nullptr;
  ChoiceRow* background = nullptr;
  FileRow* calciumFile = nullptr;
  FileRow* backgroundFile = nullptr;
  FileRow* interruptFile = nullptr;
  // What the rows said when a file was chosen that sets them too: what is edited while it is read stays.
  double initialWhenChosen = 0;
  double targetWhenChosen = 0;
  synapse::BackgroundKind kindWhenChosen = synapse::BackgroundKind::None;
  GrowthSpeed shownSpeed = GrowthSpeed::Watched;
  SourceRow* start = nullptr; ///< in place of random neurons
};

} // namespace hinesight::app
