#pragma once

#include "app/plasticity/plasticity_runner.hpp"
#include "io/runs/run_record.hpp"
#include "study/circuit/network_comparison.hpp"

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;

namespace hinesight::widgets {
class StepChart;
class TimingCard;
} // namespace hinesight::widgets

namespace hinesight::app {

class PageHeader;

/// A model that was written for the case that the program is killed.
struct KeptNetwork
{
  std::uint32_t step = 0;  ///< of the model
  double milliseconds = 0; ///< that it took
  QString problem;         ///< why it is not there; empty: it is
};

/// "What grew, and does it make sense?": a plasticity model that is run, paused, stepped and reset, with charts over
/// its steps and what each stage of a step takes. The model is stepped by jobs.
class PlasticityPage : public QWidget
{
  Q_OBJECT

public:
  explicit PlasticityPage(Jobs* jobs, QWidget* parent = nullptr);

  static QString title();

  /// What the fields say. A run that has begun goes on with as much of it as can be changed in a run, and keeps the
  /// rest as it is, until `startAnew`; before, it is what the next run begins with.
  void setRequest(const study::GrowthRequest& fields);
  /// Throws the run away for one by the fields, which runs where one ran. Where they are not valid `failed` comes, and
  /// the run stays.
  void startAnew(const study::GrowthRequest& fields);
  bool hasNetwork() const { return hasModel && last.step > 0; }
  /// Whether the run had other parameters in some of its steps.
  bool isChangedMidway() const { return hasChanged && last.step > 0; }
  /// Of the run that has begun, or that would begin.
  const study::GrowthRequest& request() const { return current; }
  /// Whether there are steps behind it, or in what it begins with.
  bool isBegun() const;
  /// Whether the run has done steps that no checkpoint holds.
  bool hasUnsavedSteps() const;
  /// Runs, or pauses what runs.
  void toggle();
  void pause() { runner.pause(); }
  /// Runs until this step is done, where it is not.
  void runTo(std::uint32_t step);
  /// Goes on from a checkpoint; `opened` or `failed` comes. Where it cannot be read all stays as it was.
  void openCheckpoint(const QString& path);
  /// Goes on from a checkpoint that was kept of the run that these fields say, as though it had not ended; `resumed` or
  /// `failed` comes.
  void resume(const QString& path, const study::GrowthRequest& fields);
  /// Does without a checkpoint that is still being read.
  void dropCheckpoint() { runner.dropOpening(); }
  /// The parameters of what was opened, as the fields hold them.
  void takeParameters(const study::GrowthRequest& fields);
  bool isRunning() const { return runner.isRunning(); }
  bool isOpening() const { return runner.isOpening(); }
  std::uint32_t step() const { return last.step; }     ///< done
  std::size_t neurons() const { return last.neurons; } ///< 0: none are placed yet
  widgets::StepChart& calcium() const { return *calciumChart; }
  widgets::StepChart& elements() const { return *elementChart; }
  widgets::StepChart& synapses() const { return *synapseChart; }
  widgets::StepChart& changes() const { return *changeChart; }
  widgets::StepChart& rate() const { return *rateChart; }
  widgets::TimingCard& timingCard() const { return *card; }
  /// All of the page. Throws as widgets::writePicture.
  void savePicture(const QString& path);
  /// The charts alone, without the header. Throws as widgets::writePicture.
  void saveCharts(const QString& path);
  // These write a file while the model runs on; `saved` or `failed` comes.
  /// A record every ten steps, of a run of more than a million fewer, as 'hinesight-cli grow --records' writes them.
  void saveRecords(const QString& path);
  /// The network as it is, by the ending of the path.
  void saveNetwork(const QString& path);
  /// The network as it is comes to `take`, by a job; nothing comes where there is no model.
  void borrowNetwork(std::function<void(study::ComparedNetwork)> take);
  /// The whole model.
  void saveCheckpoint(const QString& path);
  /// The same for the case that the program is killed: steps that are kept so are not saved. `done` hears of it; not
  /// where there is no model.
  void keepNetwork(const QString& path, std::function<void(const KeptNetwork&)> done);

signals:
  /// It has other parameters, or began, ended, or came to a stop.
  void changed();
  /// Steps were done until the run paused or came to its last one; not where it failed.
  void ran(const hinesight::io::RunRecord& run);
  void failed(const QString& sentence);
  void saveRequested();
  void exportRequested();
  void openRequested();
  void opened(const hinesight::app::OpenedPlasticity& checkpoint);
  void resumed(std::uint32_t step);
  void saved(const QString& path);

private:
  PageHeader* makeHeader();
  QWidget* makeCharts();
  void run();
  void runOneUpdate();
  void reset();
  void takeProgress(const study::GrowthStretch& progress);
  void takeOpened(const OpenedPlasticity& checkpoint);
  void takeResumed(const OpenedPlasticity& checkpoint, const study::GrowthRequest& fields);
  void goOnWith(const study::GrowthRequest& fields);
  void takeRefusal(const Error& error, const synapse::PlasticityParameters& kept);
  /// What the charts show; they begin where the run begins.
  void forget();
  void beginAt(std::uint32_t step, std::size_t neurons);
  bool isUpdate(const synapse::StepRecord& record) const; ///< of the connectivity
  void chart(const synapse::StepRecord& record);
  void keep(const synapse::StepRecord& record);
  void showTimings(const study::GrowthStretch& progress);
  void tellOfRun();
  QString countNeurons() const;
  void refresh();

  study::GrowthRequest current;
  study::GrowthStretch last;                    ///< without its records
  StageTimings spent;                           ///< since the run went on
  std::uint32_t stepsDone = 0;                  ///< since then
  StageTimings onCard;                          ///< of the steps whose mean the card shows
  std::uint32_t stepsOnCard = 0;                ///< 0: those to come begin anew
  bool hasModel = false;                        ///< of this run
  bool hasChanged = false;                      ///< its parameters, after its beginning
  std::optional<std::uint32_t> savedStep;       ///< that a checkpoint holds
  std::optional<study::GrowthRequest> toResume; ///< whose checkpoint is read; none: that of another run, or none is
  std::uint32_t goal = 0;                       ///< the step at which a run to the next update ends
  bool endsAtUpdate = false;                    ///< what runs, or ran last
  std::size_t enabled = 0;                      ///< neurons, as of the last record
  std::uint64_t firedSince = 0;                 ///< spikes since the last point of the rate
  std::uint64_t neuronStepsSince = 0;           ///< steps of enabled neurons since then
  static constexpr std::uint32_t kFirstKeepEvery = 10;
  std::vector<synapse::StepRecord> kept;
  std::uint32_t keepEvery = kFirstKeepEvery; ///< steps from one to the next
  std::uint64_t createdSince = 0;            ///< synapses since the last kept record
  std::uint64_t deletedSince = 0;
  QPushButton* runButton = nullptr;
  QPushButton* stepButton = nullptr;
  QPushButton* resetButton = nullptr;
  QPushButton* exportButton = nullptr;
  PageHeader* header = nullptr;
  QLabel* speedText = nullptr; ///< how much faster than published all goes
  QWidget* charts = nullptr;
  widgets::StepChart* calciumChart;
  widgets::StepChart* elementChart;
  widgets::StepChart* synapseChart;
  widgets::StepChart* changeChart;
  widgets::StepChart* rateChart;
  widgets::TimingCard* card;
  PlasticityRunner runner;
};

} // namespace hinesight::app
