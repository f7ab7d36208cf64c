#include "simulation/check/verify.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "simulation/check/checks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hinesight::simulation {

namespace {

std::vector<Truth> chosenOf(const VerifyParameters& parameters, std::span<const Truth> truths)
{
  if (parameters.truths.empty())
    return {truths.begin(), truths.end()};
  std::vector<Truth> chosen;
  for (const std::string& name : parameters.truths) {
    const auto found = std::ranges::find(truths, name, &Truth::name);
    if (found == truths.end()) {
      std::string names;
      for (const Truth& truth : truths)
        names += (names.empty() ? "" : ", ") + std::string(truth.name);
      throw Error(ErrorCode::BadParameter, "There is no truth '" + name + "'; choose of " + names + ".");
    }
    chosen.push_back(*found);
  }
  return chosen;
}

} // namespace

double Check::difference() const
{
  return std::abs(found - expected);
}

std::span<const Truth> builtInTruths()
{
  static const std::vector<Truth> truths = {
      {"rallpack-1", "a passive cable", checks::checkRallpack1},
      {"rallpack-2", "a passive tree that is as one cable", checks::checkRallpack2},
      {"tapered-cables", "passive cables that become thicker", checks::checkTaperedCables},
      {"rallpack-3", "an axon that carries spikes", checks::checkRallpack3},
      {"axon-speed", "how fast the squid axon carries them", checks::checkAxonSpeed},
      {"squid-axon", "spikes of one compartment", checks::checkSquidAxon},
      {"charge", "what flows in is stored or flows out", checks::checkCharge},
      {"synapses", "potentials after an event", checks::checkSynapses},
      {"junctions", "two cells joined by a gap junction", checks::checkJunctions},
      {"impedances", "potentials under sinusoids", checks::checkImpedances},
      {"noise", "its mean, deviation and memory", checks::checkNoise},
      {"clamps", "potentials that are held", checks::checkClamps},
      {"ring", "four cells that excite each other", checks::checkRing},
      {"delays", "longer ones shift what follows", checks::checkDelays},
      {"orders", "the order of cells, synapses and connections changes nothing", checks::checkOrders},
      {"epochs", "epochs, threads, stops and other cells change nothing", checks::checkEpochs},
      {"events", "none is lost, and weightless ones do nothing", checks::checkEvents},
      {"rates", "of a network, by time step", checks::checkRates},
      {"backends", "CUDA gives the bytes of the CPU", checks::checkBackends},
  };
  return truths;
}

std::vector<Check> verify(const VerifyParameters& parameters, std::span<const Truth> truths,
                          const std::function<void(const Check&)>& seen, const RunControl& control)
{
  const std::vector<Truth> chosen = chosenOf(parameters, truths);
  for (const Backend backend : parameters.backends)
    requireDevice(backend);
  checks::Session session(parameters, seen, control);
  const double all = static_cast<double>(chosen.size() * parameters.backends.size());
  double done = 0;
  for (const Truth& truth : chosen)
    for (const Backend backend : parameters.backends) {
      control.report("verify", done++ / all);
      session.truth = truth.name;
      session.backend = backend;
      truth.look(session);
    }
  control.report("verify", 1);
  return std::move(session.results);
}

namespace checks {

SimulationParameters Session::with(double timeStep, Scheme scheme) const
{
  SimulationParameters made;
  made.timeStep = timeStep;
  made.scheme = scheme;
  made.threads = parameters.threads;
  made.backend = backend;
  return made;
}

Simulation Session::run(Network network, const SimulationParameters& how, double until) const
{
  Simulation simulation(std::move(network), how);
  simulation.runUntil(until, control);
  return simulation;
}

void Session::expect(const std::string& subject, const std::string& quantity, double expected, double found,
                     double bound)
{
  Check check{std::string(truth), backend, subject, quantity, expected, found, bound, CheckOutcome::Failed, {}};
  if (check.difference() <= bound) // false of what is no number
    check.outcome = CheckOutcome::Passed;
  results.push_back(std::move(check));
  if (seen)
    seen(results.back());
}

void Session::skip(const std::string& subject, const std::string& reason)
{
  results.push_back({std::string(truth), backend, subject, {}, 0, 0, 0, CheckOutcome::Skipped, reason});
  if (seen)
    seen(results.back());
}

std::string describe(const SimulationParameters& parameters)
{
  const std::string scheme(tableOf(parameters.scheme)[static_cast<std::size_t>(parameters.scheme)].label);
  return scheme + (parameters.rules == Rules::Exact ? "" : " as NEURON") + ", " + textOf(parameters.timeStep) + " ms";
}

std::vector<double> crossingsOf(std::span<const double> trace, double dt, double potential)
{
  std::vector<double> times;
  for (std::size_t i = 1; i < trace.size(); ++i)
    if (trace[i - 1] < potential && trace[i] >= potential)
      // The first value stands at dt.
      times.push_back(dt * (static_cast<double>(i) + (potential - trace[i - 1]) / (trace[i] - trace[i - 1])));
  return times;
}

std::size_t differingPotentials(const Simulation& first, const Simulation& second,
                                std::span<const std::uint32_t> placesInSecond)
{
  std::size_t count = 0;
  for (std::size_t cell = 0; cell < placesInSecond.size(); ++cell) {
    const auto& a = first.potentialsOf(cell);
    const auto& b = second.potentialsOf(placesInSecond[cell]);
    for (std::size_t node = 0; node < a.size(); ++node)
      count += a[node] == b[node] ? 0 : 1;
  }
  return count;
}

std::size_t differingPotentials(const Simulation& first, const Simulation& second, std::size_t cells)
{
  std::vector<std::uint32_t> same(cells);
  std::iota(same.begin(), same.end(), 0U);
  return differingPotentials(first, second, same);
}

} // namespace checks

} // namespace hinesight::simulation
