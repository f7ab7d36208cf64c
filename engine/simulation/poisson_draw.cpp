#include "simulation/poisson_draw.hpp"

#include "core/fixed/fixed_math.hpp"
#include "core/philox.hpp"

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
  const double mean = kMillisecondsOfSecond / of.rate; // a rate of 0: infinite
  next -= mean * fixedLog(1 - randomUniform(of.seed, of.train, drawn++, of.stream));
  if (!(next < of.delay + of.duration))
    next = kNever;
}

} // namespace hinesight::simulation
