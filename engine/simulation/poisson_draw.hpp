#pragma once

#include "simulation/network.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hinesight::simulation {

/// The spikes of PoissonSpikes, one after the other: exponential intervals, drawn by the seed and the number of the
/// train.
class PoissonDraw
{
public:
  explicit PoissonDraw(const PoissonSpikes& spikes);

  std::uint32_t train() const { return of.train; }
  /// Of the next spike, ms; boundless: there is none any more.
  double time() const { return next; }
  void advance();

private:
  PoissonSpikes of;
  double next;
  std::uint32_t drawn = 0; ///< intervals
};

/// Spikes by chance that are put into the trains of a network as time goes on.
class TrainDraws
{
public:
  using Trains = std::vector<std::vector<double>>;

  TrainDraws() = default;
  explicit TrainDraws(std::span<const PoissonSpikes> all);

  /// Puts in those before `until`, ms.
  void draw(Trains& trains, double until);
  /// Takes those from `until` on out again, so that a state of the past has the trains of its time.
  void takeBack(Trains& trains, double until);
  /// How many spikes each train would have with those before `until`.
  std::vector<std::size_t> sizes(const Trains& trains, double until) const;

private:
  std::vector<PoissonSpikes> spikes;
  std::vector<PoissonDraw> draws; ///< what of them is still to come
};

} // namespace hinesight::simulation
