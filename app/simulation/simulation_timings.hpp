#pragma once

#include "core/stage_timings.hpp"

#include <string>

namespace hinesight::widgets {
class TimingCard;
}

namespace hinesight::app {

struct SimulationStretch;

/// What several stretches of a simulation took together.
struct SimulationWork
{
  double milliseconds = 0; ///< simulated
  double spent = 0;        ///< ms that the steps took
  double compartmentSteps = 0;
  StageTimings told; ///< as far as the engine tells

  void add(const SimulationStretch& stretch);
  /// What the engine tells, else all of it as one.
  StageTimings stages() const;
};

/// What a simulation took since 0 ms, which its card says, and what its last piece took, which the history says. A
/// piece ends where the run comes to a stop.
class SimulationTimings
{
public:
  explicit SimulationTimings(widgets::TimingCard* card);

  /// Nothing has run yet. `title`: of the model.
  void begin(const std::string& title);
  /// The card says it from time to time.
  void add(const SimulationStretch& stretch);
  /// Ends the piece that there is, and the card says it all. Nothing was simulated: all stays as it is.
  SimulationWork endPiece();

private:
  void show();

  widgets::TimingCard* card;
  std::string title;
  SimulationWork whole; ///< since 0 ms
  SimulationWork piece; ///< the last one
  double onCard = 0;    ///< ms that were spent when the card said it
};

/// Rounded to whole ones, in ms.
double toMicroseconds(double milliseconds);

} // namespace hinesight::app
