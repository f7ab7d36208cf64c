#include "simulation/poisson_draw.hpp"

#include "core/fixed/fixed_math.hpp"
#include "core/philox.hpp"

#include <algorithm>
#include <limits>

namespace hinesight::simulation {

namespace {

constexpr double kMillisecondsOfSecond = 1000;
constexpr double kNever = std::numeric_limits<double>::infinity();

} // namespace

PoissonDraw::PoissonDraw(const PoissonSpikes& spikes) : of(spikes), next(spikes.delay)
{
  advance();
}

void PoissonDraw::advance()
{
  const double logarithm = fixedLog(1 - randomUniform(of.seed, of.train, drawn++, of.stream));
  // A rate of 0 gives boundless intervals.
  next -= of.dividesLast ? logarithm * kMillisecondsOfSecond / of.rate : kMillisecondsOfSecond / of.rate * logarithm;
  if (!(next < of.delay + of.duration))
    next = kNever;
}

TrainDraws::TrainDraws(std::span<const PoissonSpikes> all)
    : spikes(all.begin(), all.end()), draws(all.begin(), all.end())
{}

void TrainDraws::draw(Trains& trains, double until)
{
  for (PoissonDraw& draw : draws)
    for (; draw.time() < until; draw.advance()) {
      std::vector<double>& times = trains[draw.train()];
      times.insert(std::ranges::upper_bound(times, draw.time()), draw.time());
    }
}

void TrainDraws::takeBack(Trains& trains, double until)
{
  for (std::size_t k = 0; k < draws.size(); ++k) {
    PoissonDraw past(spikes[k]);
    while (past.time() < until)
      past.advance();
    std::vector<double>& times = trains[past.train()];
    for (PoissonDraw drawn = past; drawn.time() < draws[k].time(); drawn.advance())
      times.erase(std::ranges::lower_bound(times, drawn.time()));
    if (past.time() < draws[k].time())
      draws[k] = past;
  }
}

std::vector<std::size_t> TrainDraws::sizes(const Trains& trains, double until) const
{
  std::vector<std::size_t> sizes;
  for (const std::vector<double>& times : trains)
    sizes.push_back(times.size());
  for (std::size_t k = 0; k < draws.size(); ++k) {
    std::size_t& size = sizes[spikes[k].train];
    for (PoissonDraw toCome = draws[k]; toCome.time() < until; toCome.advance())
      ++size;
    for (PoissonDraw drawn(spikes[k]); drawn.time() < draws[k].time(); drawn.advance())
      size -= drawn.time() >= until ? 1 : 0;
  }
  return sizes;
}

} // namespace hinesight::simulation
