#include "app/simulation/simulation_timings.hpp"

#include "app/simulation/simulation_runner.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/theme.hpp"

#include <cmath>
#include <utility>

namespace hinesight::app {

namespace {

constexpr double kCardEvery = 500; // ms of work after which the card says them

} // namespace

double toMicroseconds(double milliseconds)
{
  constexpr double kDigits = 1000;
  return std::round(kDigits * milliseconds) / kDigits;
}

void SimulationWork::add(const SimulationStretch& stretch)
{
  milliseconds += stretch.milliseconds;
  spent += stretch.spent;
  compartmentSteps += stretch.compartmentSteps;
  told.add(stretch.stages);
}

StageTimings SimulationWork::stages() const
{
  StageTimings stages = told;
  if (stages.total() <= 0) {
    stages.stages.clear();
    stages.add("simulate", spent);
  }
  return stages;
}

SimulationTimings::SimulationTimings(widgets::TimingCard* ofPage) : card(ofPage)
{
  card->showParts();
}

void SimulationTimings::begin(const std::string& ofModel)
{
  title = ofModel;
  whole = piece = {};
  onCard = 0;
  card->clear();
}

void SimulationTimings::add(const SimulationStretch& stretch)
{
  whole.add(stretch);
  piece.add(stretch);
  if (whole.spent - onCard >= kCardEvery)
    show();
}

SimulationWork SimulationTimings::endPiece()
{
  if (piece.milliseconds <= 0)
    return {}; // a place was filled in
  show();
  return std::exchange(piece, {});
}

/// Of the run since 0 ms, and of its last piece where it had several.
void SimulationTimings::show()
{
  if (whole.milliseconds <= 0)
    return;
  using widgets::formatNumber;
  using widgets::TimingCard;
  onCard = whole.spent;
  const StageTimings stages = whole.stages();
  const double spent = stages.total();
  QString note = TimingCard::tr("%1 ms at %2 x real time")
                     .arg(formatNumber(toMicroseconds(whole.milliseconds)), formatNumber(whole.milliseconds / spent));
  if (piece.milliseconds > 0 && piece.milliseconds < whole.milliseconds)
    note +=
        TimingCard::tr("; last %1 ms in %2")
            .arg(formatNumber(toMicroseconds(piece.milliseconds)), widgets::formatMilliseconds(piece.stages().total()));
  note += TimingCard::tr("; %1 M compartment-steps/s").arg(formatNumber(whole.compartmentSteps / spent / 1000));
  card->setNote(note);
  card->addRun(stages, {.of = title});
}

} // namespace hinesight::app
