#pragma once

#include "simulation/check/verify.hpp"
#include "simulation/simulation.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

// The truths behind verify(). Sources and closed forms: docs/verification.md.

namespace hinesight::simulation::checks {

/// What a truth is looked at with, and where its checks go.
class Session
{
public:
  Session(const VerifyParameters& given, std::function<void(const Check&)> listener, const RunControl& run)
      : parameters(given), control(run.silenced()), seen(std::move(listener))
  {}

  const VerifyParameters& parameters;
  RunControl control;
  std::string_view truth; ///< that is looked at
  Backend backend = Backend::Cpu;

  bool quick() const { return parameters.quick; }
  /// With the session's backend and threads, at 6.3 °C.
  SimulationParameters with(double timeStep = 0.025, Scheme scheme = Scheme::CrankNicolson) const;
  Simulation run(Network network, const SimulationParameters& parameters, double until) const;
  Simulation run(Network network, double until) const { return run(std::move(network), with(), until); }

  void expect(const std::string& subject, const std::string& quantity, double expected, double found, double bound);
  /// That a count of what must not be is 0.
  void expectNone(const std::string& subject, const std::string& quantity, std::size_t found)
  {
    expect(subject, quantity, 0, static_cast<double>(found), 0);
  }
  void skip(const std::string& subject, const std::string& reason);

  std::vector<Check> results;

private:
  std::function<void(const Check&)> seen;
};

/// "Crank-Nicolson, 0.025 ms".
std::string describe(const SimulationParameters& parameters);

/// When a trace, of steps of dt ms, rises through a potential: ms.
std::vector<double> crossingsOf(std::span<const double> trace, double dt, double potential);

/// The value that errors of second order lead to, from those of a step and of half of it.
inline double extrapolated(double coarse, double fine)
{
  return (4 * fine - coarse) / 3;
}

/// Potentials that differ in a bit, of all nodes of the first cells. `placesInSecond`: by cell, its number there.
std::size_t differingPotentials(const Simulation& first, const Simulation& second,
                                std::span<const std::uint32_t> placesInSecond);
std::size_t differingPotentials(const Simulation& first, const Simulation& second, std::size_t cells);

void checkRallpack1(Session& session);
void checkRallpack2(Session& session);
void checkTaperedCables(Session& session);
void checkRallpack3(Session& session);
void checkAxonSpeed(Session& session);
void checkSquidAxon(Session& session);
void checkCharge(Session& session);
void checkSynapses(Session& session);
void checkJunctions(Session& session);
void checkImpedances(Session& session);
void checkNoise(Session& session);
void checkClamps(Session& session);
void checkRing(Session& session);
void checkDelays(Session& session);
void checkOrders(Session& session);
void checkEpochs(Session& session);
void checkEvents(Session& session);
void checkRates(Session& session);
void checkBackends(Session& session);

} // namespace hinesight::simulation::checks
