#pragma once

#include "app/plasticity_runner.hpp"

#include <QWidget>

class QLabel;
class QPushButton;

namespace hinesight::widgets {
class ElidedLabel;
class StepChart;
class TimingCard;
} // namespace hinesight::widgets

namespace hinesight::app {

/// "What grew, and does it make sense?": a plasticity model that is run, paused, stepped and reset, with charts over
/// its steps and what each stage of a step takes. The model is stepped on a thread of its own.
class PlasticityPage : public QWidget
{
  Q_OBJECT

public:
  explicit PlasticityPage(QWidget* parent = nullptr);

  static QString title();

  /// Another model: begins anew, and goes on running where one ran.
  void setRequest(const PlasticityRequest& request);
  /// Runs, or pauses what runs.
  void toggle();
  void pause() { runner.pause(); }
  bool isRunning() const { return runner.isRunning(); }
  std::uint32_t step() const { return last.step; } ///< done
  widgets::StepChart& calcium() const { return *calciumChart; }
  widgets::StepChart& elements() const { return *elementChart; }
  widgets::StepChart& synapses() const { return *synapseChart; }
  widgets::StepChart& changes() const { return *changeChart; }
  widgets::StepChart& rate() const { return *rateChart; }
  widgets::TimingCard& timingCard() const { return *card; }
  /// All of the page as PNG. Throws Error(WriteFailed).
  void savePicture(const QString& path);

signals:
  void failed(const QString& sentence);
  void saveRequested();

private:
  QWidget* makeHeader();
  void run();
  void runOneUpdate();
  void reset();
  void takeProgress(const PlasticityStretch& progress);
  void chart(const synapse::StepRecord& record);
  void showTimings(const PlasticityStretch& progress);
  void refresh();

  PlasticityRequest request;
  PlasticityStretch last;       ///< without its records
  std::uint64_t firedSince = 0; ///< spikes since the last point of the rate
  QPushButton* runButton = nullptr;
  QPushButton* stepButton = nullptr;
  QPushButton* resetButton = nullptr;
  widgets::ElidedLabel* headline = nullptr;
  widgets::StepChart* calciumChart;
  widgets::StepChart* elementChart;
  widgets::StepChart* synapseChart;
  widgets::StepChart* changeChart;
  widgets::StepChart* rateChart;
  widgets::TimingCard* card;
  PlasticityRunner runner;
};

} // namespace hinesight::app
