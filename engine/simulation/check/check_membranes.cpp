#include "core/text.hpp"
#include "simulation/check/checks.hpp"
#include "simulation/samples/sample_networks.hpp"

#include <algorithm>
#include <cmath>

namespace hinesight::simulation::checks {

namespace {

/// Spikes of one compartment that Dormand and Prince's method in 80 bits gives, to 1e-12 ms.
struct SquidCase
{
  const char* name;
  double celsius;
  double current; ///< nA, from 5 ms on
  double duration;
  std::vector<double> first; ///< ms, upward through 0 mV
  double last;
  std::size_t count;
  double until;     ///< ms
  double potential; ///< mV, then
};

const SquidCase& squidCase(std::size_t index)
{
  static const std::vector<SquidCase> cases = {
      {"A: 6.3 °C, 0.1 nA",
       6.3,
       0.1,
       100,
       {6.8966646838, 21.8038700213, 36.4390144373, 51.0620781342, 65.6842465491, 80.3063485882},
       94.9284457062,
       7,
       120,
       -64.727100750757},
      {"B: 16.3 °C, 0.2 nA",
       16.3,
       0.2,
       100,
       {5.9541303038, 10.7721689860, 15.4564997876},
       104.2863026569,
       22,
       120,
       -64.979823835836},
      {"C: 6.3 °C, 0.2 nA for 1 ms", 6.3, 0.2, 1, {6.2936194659}, 6.2936194659, 1, 30, -64.877876308031},
  };
  return cases[index];
}

Simulation runSquid(const Session& session, const SquidCase& squid, SimulationParameters with)
{
  Network network = samples::copies(samples::ball({samples::hh()}));
  network.steps = {{0, 0, squid.current, 5, squid.duration}};
  network.probes = {{0, 0}};
  with.celsius = squid.celsius;
  return session.run(std::move(network), with, squid.until);
}

void checkSquidCase(Session& session, const SquidCase& squid)
{
  const double dt = session.quick() ? 0.01 : 0.005;
  const Simulation coarse = runSquid(session, squid, session.with(dt));
  const Simulation fine = runSquid(session, squid, session.with(dt / 2));
  const std::string subject = squid.name;
  session.expect(subject, "spikes", static_cast<double>(squid.count), static_cast<double>(fine.spikes().size()), 0);
  if (coarse.spikes().size() != squid.count || fine.spikes().size() != squid.count)
    return;
  const double bound = session.quick() ? 5e-5 : 5e-6;
  const auto at = [&](std::size_t i) { return extrapolated(coarse.spikes()[i].time, fine.spikes()[i].time); };
  double worst = 0;
  for (std::size_t i = 0; i < squid.first.size(); ++i)
    worst = std::max(worst, std::abs(at(i) - squid.first[i]));
  session.expect(subject, "greatest error of the first " + std::to_string(squid.first.size()) + ", extrapolated, ms", 0,
                 worst, bound);
  session.expect(subject, "last spike, extrapolated, ms", squid.last, at(squid.count - 1), 2 * bound);
  session.expect(subject, "potential at the end, extrapolated, mV", squid.potential,
                 extrapolated(coarse.records()[0].back(), fine.records()[0].back()), 2 * bound);
}

} // namespace

void checkSquidAxon(Session& session)
{
  for (const std::size_t which : {0U, 1U, 2U})
    checkSquidCase(session, squidCase(which));
  const SquidCase& a = squidCase(0);
  const auto errorOf = [&](Scheme scheme, Rules rules, double dt) {
    SimulationParameters with = session.with(dt, scheme);
    with.rules = rules;
    const std::vector<Spike> spikes = runSquid(session, a, with).spikes();
    return spikes.size() == a.count ? std::abs(spikes.back().time - a.last) : kForever;
  };
  struct Method
  {
    Scheme scheme;
    const char* name;
    double order, tolerance;
  };
  for (const Method& method : {Method{Scheme::CrankNicolson, "Crank-Nicolson", 4, 0.3},
                               Method{Scheme::BackwardEuler, "backward Euler", 2, 0.15}})
    for (const double dt : {0.025, 0.0125}) {
      const double ratio = errorOf(method.scheme, Rules::Exact, dt) / errorOf(method.scheme, Rules::Exact, dt / 2);
      session.expect(std::string(method.name) + ", " + textOf(dt) + " ms", "error over that of half the step",
                     method.order, ratio, method.tolerance);
    }
  session.expect("Crank-Nicolson, 0.025 ms", "error of the last of 7 spikes, ms", 0.015,
                 errorOf(Scheme::CrankNicolson, Rules::Exact, 0.025), 0.001);
  session.expect("backward Euler, 0.025 ms", "error of the last of 7 spikes, ms", 0.42,
                 errorOf(Scheme::BackwardEuler, Rules::Exact, 0.025), 0.01);
  session.expect("backward Euler as NEURON, 0.025 ms", "error of the last of 7 spikes, ms", 0.42,
                 errorOf(Scheme::BackwardEuler, Rules::Neuron, 0.025), 0.04);
}

namespace {

constexpr double kNanofarad = 1e-5;    // of 1 uF/cm2 on 1 um2
constexpr double kMicrosiemens = 1e-2; // of 1 S/cm2 on 1 um2

/// What a step stores and lets flow out, less what flows in: nA, the greatest of all steps. `leaves`: nA out of a node
/// at a potential, in a step.
template <typename Leaves>
double worstDefect(const Simulation& simulation, const cell::CutCell& cut, double current,
                   const SimulationParameters& with, Leaves&& leaves)
{
  const auto& records = simulation.records();
  double worst = 0;
  for (std::size_t step = 1; step < records[0].size(); ++step) {
    double sum = 0;
    for (std::size_t node = 0; node < cut.nodes(); ++node) {
      const double before = records[node][step - 1], now = records[node][step];
      // What flows in a step flows at the new potential, or at the mean of both.
      const double at = with.scheme == Scheme::BackwardEuler ? now : (before + now) / 2;
      sum += kNanofarad * cut.area[node] * (now - before) / with.timeStep + leaves(node, step, at);
    }
    worst = std::max(worst, std::abs(sum - current));
  }
  return worst;
}

Network underCurrent(const samples::Model& model, double current)
{
  Network network = samples::copies(model, 1, 1000);
  network.steps = {{0, 30, current, 0, kForever}};
  for (std::size_t each = 0; each < model->cut.nodes(); ++each)
    network.probes.push_back({0, static_cast<std::int32_t>(each)});
  return network;
}

} // namespace

void checkCharge(Session& session)
{
  constexpr std::size_t kNodes = 60;
  constexpr double kPassiveCurrent = 0.05, kSpikingCurrent = 1; // nA
  for (const Scheme scheme : {Scheme::CrankNicolson, Scheme::BackwardEuler}) {
    const SimulationParameters with = session.with(0.025, scheme);
    constexpr double kLeak = 1e-4, kRest = -70; // S/cm2, mV
    double worst = 0;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const samples::Model tree = samples::randomTree(kNodes, seed, {samples::passive(kLeak, kRest)});
      const Simulation simulation = session.run(underCurrent(tree, kPassiveCurrent), with, 5);
      worst = std::max(worst, worstDefect(simulation, tree->cut, kPassiveCurrent, with,
                                          [&](std::size_t node, std::size_t, double v) {
                                            return kMicrosiemens * tree->cut.area[node] * kLeak * (v - kRest);
                                          }));
    }
    session.expect("3 passive trees, " + describe(with), "defect of 0.05 nA in a step, nA", 0, worst, 1e-13);
  }
  // With the channels of the squid axon: their states are those that the step was taken with.
  const SimulationParameters with = session.with();
  const samples::Model tree = samples::randomTree(kNodes, 4, {samples::hh()});
  Network network = underCurrent(tree, kSpikingCurrent);
  for (const auto& [channel, state] :
       {std::pair(cell::ChannelKind::HhSodium, 0), std::pair(cell::ChannelKind::HhSodium, 1),
        std::pair(cell::ChannelKind::HhPotassium, 0)})
    for (std::size_t node = 0; node < kNodes; ++node)
      network.probes.push_back(
          {0, static_cast<std::int32_t>(node), Quantity::State, channel, static_cast<std::uint8_t>(state)});
  const Simulation simulation = session.run(std::move(network), with, 20);
  const auto& records = simulation.records();
  const double defect =
      worstDefect(simulation, tree->cut, kSpikingCurrent, with, [&](std::size_t node, std::size_t step, double v) {
        const double m = records[kNodes + node][step], h = records[2 * kNodes + node][step];
        const double n = records[3 * kNodes + node][step];
        const double current = 0.12 * m * m * m * h * (v - 50) + 0.036 * n * n * n * n * (v + 77) + 3e-4 * (v + 54.3);
        return kMicrosiemens * tree->cut.area[node] * current;
      });
  session.expect("a spiking tree, " + describe(with), "defect of 1 nA in a step, nA", 0, defect, 1e-11);
  session.expect("a spiking tree, " + describe(with), "peak of its spikes, mV", 40,
                 *std::ranges::max_element(records[0]), 15);
}

} // namespace hinesight::simulation::checks
