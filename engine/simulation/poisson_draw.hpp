#pragma once

#include "simulation/network.hpp"

#include <cstdint>

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

} // namespace hinesight::simulation
