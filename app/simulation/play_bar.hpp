#pragma once

#include "study/simulation/voltage_frames.hpp"

#include <QWidget>

#include <optional>

class QPushButton;
class QSlider;
class QToolButton;

namespace hinesight::widgets {
class ChoiceBox;
}

namespace hinesight::app {

/// Below the cells of a run: where its frames are looked back through, and how fast it plays.
class PlayBar : public QWidget
{
  Q_OBJECT

public:
  explicit PlayBar(QWidget* parent = nullptr);

  /// Of what is there of the run; the slider follows what is looked at. None: the newest.
  void setFrames(const study::FrameRing& frames, std::optional<double> time);
  /// ms of simulated time a second. One that the list has not changes nothing.
  void setSpeed(double millisecondsPerSecond);
  double speed() const;
  /// "30 ms a second".
  QString speedInWords() const;

signals:
  void speedChanged(double millisecondsPerSecond);
  /// A share of the frames that are kept, from the first on. None: the newest.
  void looked(std::optional<double> share);
  void movieRequested();

private:
  QSlider* scrub;
  QToolButton* newestButton;
  widgets::ChoiceBox* speedBox;
  QPushButton* movieButton;
};

} // namespace hinesight::app
