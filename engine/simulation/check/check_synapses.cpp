#include "core/text.hpp"
#include "simulation/check/checks.hpp"
#include "simulation/samples/sample_networks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

// Closed forms on passive cells; those of synapses by incomplete gamma functions, whose values stand here.

namespace hinesight::simulation::checks {

namespace {

constexpr double kCapacitance = 0.01; // nF of 1,000 um2

/// A passive ball with a leak to -65 mV; `leak`: uS.
samples::Model passiveBall(double leak)
{
  return samples::ball({samples::passive(leak / 10)}); // uS of 1 S/cm2 on 1,000 um2: 10
}

/// One event at 0 ms on a passive ball.
struct SynapseCase
{
  const char* name;
  double leak; ///< uS
  double tau1, tau2;
  double weight;                             ///< uS
  std::vector<std::pair<double, double>> at; ///< ms, mV
  double peak, peakTime;                     ///< mV, ms
  double timeStep;                           ///< ms: the coarser one
  double bound;                              ///< mV, of potentials that are extrapolated
};

Simulation underEvent(const Session& session, const SynapseCase& of, double dt, double until)
{
  Network network = samples::copies(passiveBall(of.leak), 1, 1000);
  network.synapses = {{0, 0, of.tau1, of.tau2, 0}};
  network.trains = {{0}};
  network.connections = {{1, 0, of.weight, 1e-12}};
  network.probes = {{0, 0}};
  return session.run(std::move(network), session.with(dt), until);
}

/// The greatest value of a trace and when it is there, by the parabola through it and its neighbours.
std::pair<double, double> peakOf(std::span<const double> trace, double dt)
{
  const auto top = static_cast<std::size_t>(std::ranges::max_element(trace) - trace.begin());
  const double left = trace[top - 1], right = trace[top + 1], middle = trace[top];
  const double curve = left - 2 * middle + right, slope = (right - left) / 2;
  return {middle - slope * slope / (2 * curve), dt * (static_cast<double>(top + 1) - slope / curve)};
}

} // namespace

void checkSynapses(Session& session)
{
  const std::vector<SynapseCase> cases = {
      {"one time constant, a strong event (nsuite rc-expsyn)",
       0.01,
       0,
       1,
       0.1,
       {{0.1, -26.761896870939}, {1, -12.094569848247}, {10, -64.789774551584}},
       -8.955074075,
       0.468651783,
       0.0025,
       1e-4},
      {"one time constant",
       0.001,
       0,
       2,
       0.001,
       {{1, -60.335304193958}, {5, -57.162905128039}, {20, -62.985032217531}},
       -56.973632063,
       3.919712901,
       0.025,
       1e-6},
      {"two time constants",
       0.001,
       0.5,
       2,
       0.001,
       {{5, -52.994381831156}, {20, -61.793903582997}},
       -52.9128667,
       4.450045,
       0.025,
       2e-6},
  };
  for (const SynapseCase& each : cases) {
    const double until = each.at.back().first, dt = each.timeStep;
    const Simulation coarse = underEvent(session, each, dt, until), fine = underEvent(session, each, dt / 2, until);
    const auto at = [](const Simulation& simulation, double time, double step) {
      return simulation.records()[0][static_cast<std::size_t>(std::lround(time / step)) - 1];
    };
    double errorOfCoarse = 0, errorOfFine = 0;
    for (const auto& [time, potential] : each.at) {
      const double a = at(coarse, time, dt), b = at(fine, time, dt / 2);
      errorOfCoarse = std::max(errorOfCoarse, std::abs(a - potential));
      errorOfFine = std::max(errorOfFine, std::abs(b - potential));
      session.expect(each.name, "at " + textOf(time) + " ms, extrapolated, mV", potential, extrapolated(a, b),
                     each.bound);
    }
    session.expect(each.name, "error over that of half the step", 4, errorOfCoarse / errorOfFine, 0.3);
    const auto [top, when] = peakOf(fine.records()[0], dt / 2);
    const auto [topOfCoarse, whenOfCoarse] = peakOf(coarse.records()[0], dt);
    session.expect(each.name, "peak, extrapolated, mV", each.peak, extrapolated(topOfCoarse, top), 10 * each.bound);
    session.expect(each.name, "when, extrapolated, ms", each.peakTime, extrapolated(whenOfCoarse, when), 1e-3);
  }
}

void checkJunctions(Session& session)
{
  const auto potentials = [&](double dt, double until) {
    Network network = samples::copies(passiveBall(0.001), 2, 1000);
    network.junctions = {{{0, 0}, {1, 0}, 0.0005}};
    network.steps = {{0, 0, 0.02, 0, kForever}};
    const Simulation simulation = session.run(std::move(network), session.with(dt), until);
    return std::array{simulation.potentialsOf(0)[0], simulation.potentialsOf(1)[0]};
  };
  const auto coarse = potentials(0.025, 10), fine = potentials(0.0125, 10);
  const auto settled = potentials(0.025, 300);
  constexpr double kAt10[] = {-54.355470827897, -63.002117995531}, kSettled[] = {-50, -60};
  double errorOfCoarse = 0, errorOfFine = 0;
  for (const std::size_t cell : {0U, 1U}) {
    const std::string subject = cell == 0 ? "the cell under current" : "the other";
    session.expect(subject, "at 10 ms, extrapolated, mV", kAt10[cell], extrapolated(coarse[cell], fine[cell]), 1e-6);
    session.expect(subject, "in the end, mV", kSettled[cell], settled[cell], 1e-9);
    errorOfCoarse = std::max(errorOfCoarse, std::abs(coarse[cell] - kAt10[cell]));
    errorOfFine = std::max(errorOfFine, std::abs(fine[cell] - kAt10[cell]));
  }
  session.expect("both", "error over that of half the step", 4, errorOfCoarse / errorOfFine, 0.5);
}

namespace {

/// Of a trace under sin(w t), from a whole number of periods at its end.
std::complex<double> amplitudeOf(std::span<const double> trace, double dt, double frequency, double rest)
{
  const double period = 1000 / frequency; // ms
  const auto samples = static_cast<std::size_t>(std::lround(period / dt));
  const double w = 2 * std::numbers::pi / period;
  std::complex<double> sum = 0;
  for (std::size_t i = trace.size() - samples; i < trace.size(); ++i)
    sum += (trace[i] - rest) * std::polar(1.0, -w * dt * static_cast<double>(i + 1));
  return sum * std::complex<double>(0, 2) / static_cast<double>(samples);
}

} // namespace

void checkImpedances(Session& session)
{
  // Into one passive compartment.
  constexpr double kLeak = 0.001, kAmplitude = 0.005; // uS, nA
  {
    constexpr double kFrequency = 50; // Hz
    const SimulationParameters with = session.with();
    Network network = samples::copies(passiveBall(kLeak), 1, 1000);
    network.sinusoids = {{0, 0, kAmplitude, kFrequency}};
    network.probes = {{0, 0}};
    const Simulation simulation = session.run(std::move(network), with, 200);
    const std::complex<double> found =
        amplitudeOf(simulation.records()[0], with.timeStep, kFrequency, -65) / kAmplitude;
    const std::complex<double> known =
        1.0 / std::complex<double>(kLeak, 2e-3 * std::numbers::pi * kFrequency * kCapacitance);
    session.expect("one compartment, 50 Hz", "impedance, MOhm", std::abs(known), std::abs(found), 1e-2);
    session.expect("one compartment, 50 Hz", "phase, rad", std::arg(known), std::arg(found), 1e-4);
  }
  // Into the cable of Rallpack 1: MOhm and rad at its near and far end.
  struct Known
  {
    double frequency; ///< Hz
    double input, inputPhase, transfer, transferPhase;
  };
  constexpr std::size_t kCompartments = 500;
  constexpr double kDiameter = 1, kStep = 1000.0 / kCompartments;                              // um
  const double half = 0.01 * 100 * kStep / 2 / (std::numbers::pi * kDiameter * kDiameter / 4); // MOhm, of a compartment
  for (const Known& known : {Known{10, 747.044634, -0.722434, 389.247170, -1.581402},
                             Known{100, 254.162670, -0.766409, 13.659499, 2.042124}}) {
    const SimulationParameters with = session.with(session.quick() ? 0.1 : 0.05);
    Network network =
        samples::copies(samples::cable(kCompartments, 1000, kDiameter, {samples::passive(2.5e-5)}), 1, 1000);
    network.sinusoids = {{0, 0, kAmplitude, known.frequency}};
    network.probes = {{0, 0}, {0, kCompartments - 1}};
    const Simulation simulation = session.run(std::move(network), with, 1000); // 25 time constants
    const auto found = [&](std::size_t probe) {
      return amplitudeOf(simulation.records()[probe], with.timeStep, known.frequency, -65) / kAmplitude;
    };
    const std::complex<double> input = found(0) + half; // from the end to the middle of the first compartment
    const std::complex<double> transfer = found(1);
    const std::string subject = "Rallpack 1's cable, " + std::to_string(static_cast<int>(known.frequency)) + " Hz";
    session.expect(subject, "at the near end, MOhm", known.input, std::abs(input), 1e-3 * known.input);
    session.expect(subject, "its phase, rad", known.inputPhase, std::arg(input), 1e-3);
    session.expect(subject, "at the far end, MOhm", known.transfer, std::abs(transfer), 1e-3 * known.transfer);
    session.expect(subject, "its phase, rad", known.transferPhase, std::arg(transfer), 2e-3);
  }
}

void checkNoise(Session& session)
{
  constexpr double kMean = 0.02, kDeviation = 0.01, kTau = 5; // nA, nA, ms
  constexpr double kLeak = 1;                                 // uS: a time constant of 0.01 ms
  const double duration = session.quick() ? 50'000 : 400'000; // ms
  Network network = samples::copies(passiveBall(kLeak), 1, 1000);
  network.noises = {{0, 0, kMean, kDeviation, kTau}};
  network.probes = {{0, 0}};
  const Simulation simulation = session.run(std::move(network), session.with(1, Scheme::BackwardEuler), duration);
  const std::vector<double>& v = simulation.records()[0];
  const auto n = static_cast<double>(v.size());
  double mean = 0;
  for (const double each : v)
    mean += (each + 65) * kLeak / n;
  const auto covariance = [&](std::size_t lag) {
    double sum = 0;
    for (std::size_t i = 0; i + lag < v.size(); ++i)
      sum += ((v[i] + 65) * kLeak - mean) * ((v[i + lag] + 65) * kLeak - mean) / n;
    return sum;
  };
  // Five deviations of averages over as many independent samples as there are memories of 2 tau.
  const double five = 5 * std::sqrt(2 * kTau / duration);
  session.expect("Ornstein-Uhlenbeck", "mean, nA", kMean, mean, five * kDeviation);
  session.expect("Ornstein-Uhlenbeck", "deviation, nA", kDeviation, std::sqrt(covariance(0)), five * kDeviation);
  for (const std::size_t lag : {1U, 5U, 10U})
    session.expect("Ornstein-Uhlenbeck", "correlation after " + std::to_string(lag) + " ms",
                   std::exp(-static_cast<double>(lag) / kTau), covariance(lag) / covariance(0), five);
}

void checkClamps(Session& session)
{
  constexpr double kLeak = 0.001, kSeries = 1, kRest = -65; // uS, MOhm, mV
  Network network = samples::copies(passiveBall(kLeak), 1, 1000);
  network.clamps = {{0, 0, {{-40, 10}, {-90, 10}}, kSeries}};
  network.probes = {{0, 0}, {0, 0, Quantity::ClampCurrent}};
  const SimulationParameters with = session.with(0.025, Scheme::BackwardEuler);
  const Simulation simulation = session.run(std::move(network), with, 20);
  for (const auto& [time, level] : {std::pair(9.5, -40.0), std::pair(19.5, -90.0)}) {
    const auto i = static_cast<std::size_t>(std::lround(time / with.timeStep));
    const double potential = (level + kSeries * kLeak * kRest) / (1 + kSeries * kLeak);
    const std::string subject = "held at " + std::to_string(static_cast<int>(level)) + " mV through 1 MOhm";
    session.expect(subject, "potential, mV", potential, simulation.records()[0][i], 1e-9);
    session.expect(subject, "current, nA", kLeak * (potential - kRest), simulation.records()[1][i], 1e-9);
  }
}

} // namespace hinesight::simulation::checks
