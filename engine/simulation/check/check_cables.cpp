#include "cable/sealed_cable.hpp"
#include "core/text.hpp"
#include "simulation/check/checks.hpp"
#include "simulation/samples/sample_networks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

// Rallpacks 1 to 3 (Bhalla, Bilitch and Bower 1992), tapered cables (arbor-sim/nsuite, cable-steadystate) and the speed
// of the squid axon.

namespace hinesight::simulation::checks {

namespace {

constexpr double kPi = std::numbers::pi;

constexpr cable::SealedCable kRallpack1{.length = 1000,
                                        .diameter = 1,
                                        .axialResistivity = 1,
                                        .membraneResistance = 4,
                                        .membraneCapacitance = 0.01,
                                        .rest = -65,
                                        .current = 0.1};
constexpr double kLeak = 2.5e-5;  // S/cm2: 1 / 4 ohm m2
constexpr double kDuration = 250; // ms

/// What Rallpack measures a trace by: the root mean square of its error over the range of the known one.
double relativeError(std::span<const double> trace, double dt, const cable::SealedCable& cable, double position)
{
  double sum = 0, least = cable.rest, most = cable.rest;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const double exact = cable.voltage(position, dt * static_cast<double>(i + 1));
    sum += (trace[i] - exact) * (trace[i] - exact);
    least = std::min(least, exact);
    most = std::max(most, exact);
  }
  return std::sqrt(sum / static_cast<double>(trace.size())) / (most - least);
}

/// A current into node `from`, recorded there and at node `to`.
Network stimulated(samples::Model model, double current, std::int32_t from, std::int32_t to)
{
  Network network = samples::copies(std::move(model), 1, 1000);
  network.steps = {{0, from, current, 0, kForever}};
  network.probes = {{0, from}, {0, to}};
  return network;
}

} // namespace

void checkRallpack1(Session& session)
{
  constexpr std::int32_t kLast = 999;
  constexpr double kPublished[] = {2.18e-4, 3.24e-4}; // of these compartments and this step
  for (const Scheme scheme : {Scheme::CrankNicolson, Scheme::BackwardEuler}) {
    const SimulationParameters with = session.with(0.05, scheme);
    const Simulation simulation =
        session.run(stimulated(samples::cable(kLast + 1, kRallpack1.length, kRallpack1.diameter,
                                              {samples::passive(kLeak, kRallpack1.rest)}),
                               kRallpack1.current, 0, kLast),
                    with, kDuration);
    const auto& records = simulation.records();
    const double near = relativeError(records[0], with.timeStep, kRallpack1, 0);
    const double far = relativeError(records[1], with.timeStep, kRallpack1, kRallpack1.length);
    const std::string subject = describe(with);
    session.expect(subject, "error at the near end, of the range", 0, near, 1e-3);
    session.expect(subject, "error at the far end, of the range", 0, far, 1e-3);
    session.expect(subject, "error at both, of the range", kPublished[static_cast<std::size_t>(scheme)],
                   (near + far) / 2, 1e-6);
    if (scheme == Scheme::BackwardEuler) {
      session.expect(subject, "near end at 250 ms, mV", 101.87045343, records[0].back(), 1e-7);
      session.expect(subject, "far end at 250 ms, mV", 43.09552624, records[1].back(), 1e-7);
    }
  }
}

namespace {

constexpr std::size_t kDepths = 10;

/// Compartments of 0.008 length constants, each of which has two children until the last depth; a node without area
/// stands where they join. `exact`: lengths and diameters follow Rall's power to all digits, not as Rallpack's table.
samples::Model rallpack2(bool exact)
{
  constexpr std::array<double, kDepths> kLength = {32, 25.4, 20.16, 16, 12.7, 10.08, 8, 6.35, 5.04, 4};
  constexpr std::array<double, kDepths> kDiameter = {16, 10.08, 6.35, 4, 2.52, 1.587, 1, 0.63, 0.397, 0.25};
  const samples::Model model = samples::cable(1, 32, 16, {samples::passive(kLeak)});
  cell::CutCell& cut = model->cut;
  const auto lengthAt = [&](std::size_t depth) {
    return exact ? 32 * std::exp2(-static_cast<double>(depth) / 3) : kLength[depth];
  };
  const auto diameterAt = [&](std::size_t depth) {
    return exact ? 16 * std::exp2(-2 * static_cast<double>(depth) / 3) : kDiameter[depth];
  };
  const auto half = [&](std::size_t depth) {
    return lengthAt(depth) / 2 / (kPi * diameterAt(depth) * diameterAt(depth) / 4);
  };
  const auto add = [&](std::int32_t parent, double area, double resistance) {
    cut.parent.push_back(parent);
    cut.area.push_back(area);
    cut.resistance.push_back(resistance);
    cut.section.push_back(0);
    return static_cast<std::int32_t>(cut.nodes()) - 1;
  };
  std::vector<std::int32_t> level = {0};
  for (std::size_t depth = 1; depth < kDepths; ++depth) {
    std::vector<std::int32_t> next;
    for (const std::int32_t parent : level) {
      const std::int32_t fork = add(parent, 0, half(depth - 1));
      for (int child = 0; child < 2; ++child)
        next.push_back(add(fork, kPi * lengthAt(depth) * diameterAt(depth), half(depth)));
    }
    level = std::move(next);
  }
  return model;
}

} // namespace

void checkRallpack2(Session& session)
{
  constexpr cable::SealedCable kAsOne{.length = 320,
                                      .diameter = 16,
                                      .axialResistivity = 1,
                                      .membraneResistance = 4,
                                      .membraneCapacitance = 0.01,
                                      .rest = -65,
                                      .current = 0.1};
  const samples::Model tree = rallpack2(false);
  const auto terminal = static_cast<std::int32_t>(tree->cut.nodes()) - 1;
  constexpr double kPublished[] = {2.14e-4, 3.2e-4};
  for (const Scheme scheme : {Scheme::CrankNicolson, Scheme::BackwardEuler}) {
    const SimulationParameters with = session.with(0.05, scheme);
    const Simulation fromRoot = session.run(stimulated(tree, kAsOne.current, 0, terminal), with, kDuration);
    const double root = relativeError(fromRoot.records()[0], with.timeStep, kAsOne, 0);
    const double end = relativeError(fromRoot.records()[1], with.timeStep, kAsOne, kAsOne.length);
    const std::string subject = describe(with);
    session.expect(subject, "error at the root, of the range", 0, root, 1e-3);
    session.expect(subject, "error at a terminal, of the range", 0, end, 1e-3);
    session.expect(subject, "error at both, of the range", kPublished[static_cast<std::size_t>(scheme)],
                   (root + end) / 2, 5e-6);
    const Simulation fromEnd = session.run(stimulated(tree, kAsOne.current, terminal, 0), with, kDuration);
    double worst = 0;
    for (std::size_t i = 0; i < fromEnd.records()[1].size(); ++i)
      worst = std::max(worst, std::abs(fromEnd.records()[1][i] - fromRoot.records()[1][i]));
    session.expect(subject, "root from a terminal less terminal from the root, mV", 0, worst, 1e-10);
  }
}

namespace {

/// A cable of frusta from d0 to d1, um, into whose thicker end the current flows; compartments between circles.
samples::Model taperedCable(std::size_t compartments, double d0, double d1)
{
  const samples::Model model = samples::cable(compartments, kRallpack1.length, d0, {samples::passive(kLeak, 0)});
  model->biophysics.startPotential = 0;
  const double step = kRallpack1.length / static_cast<double>(compartments);
  const auto radiusAt = [&](double position) { return (d0 + (d1 - d0) * position / kRallpack1.length) / 2; };
  for (std::size_t i = 0; i < compartments; ++i) {
    const double begin = step * static_cast<double>(i);
    const double r0 = radiusAt(begin), r1 = radiusAt(begin + step);
    model->cut.area[i] = kPi * (r0 + r1) * std::hypot(step, r1 - r0);
    if (i > 0)
      model->cut.resistance[i] = step / (kPi * radiusAt(begin - step / 2) * radiusAt(begin + step / 2));
  }
  return model;
}

/// The potential of the steady state, mV, of which E = 0. `position`: um from the thin end.
double taperedPotential(double position, double d0, double d1)
{
  constexpr double kResistance = 4, kAxial = 1, kCurrent = 0.1, kLength = 1000;
  const double r0 = d0 / 2, r1 = d1 / 2;
  const double gradient = kCurrent * kAxial / (kPi * r1 * r1); // mV/um of the current
  if (d0 == d1) {
    const double lambda = kRallpack1.lengthConstant();
    return lambda * gradient * std::cosh(position / lambda) / std::sinh(kLength / lambda);
  }
  const double slope = (r1 - r0) / kLength;
  const double lambda = 1e6 * kResistance / (2 * kAxial) * std::sqrt(1 - 1 / (1 + slope * slope)); // um
  const double a = r0 / slope / lambda, b = r1 / slope / lambda, x = a + position / lambda;
  const auto i = [](int order, double of) { return std::cyl_bessel_i(order, 2 * std::sqrt(of)); };
  const auto k = [](int order, double of) { return std::cyl_bessel_k(order, 2 * std::sqrt(of)); };
  return lambda * gradient * b / std::sqrt(x) * (k(2, a) * i(1, x) + i(2, a) * k(1, x)) /
         (k(2, a) * i(2, b) - i(2, a) * k(2, b));
}

} // namespace

void checkTaperedCables(Session& session)
{
  struct Shape
  {
    double thick;       ///< um, at the end with the current
    double thin, other; ///< mV 0.5 um from either end, to 40 digits
  };
  constexpr std::int32_t kLast = 999;
  constexpr double kSettled = 800; // ms: 20 time constants
  for (const Shape& shape : {Shape{1.7, 83.600065358797, 109.66020407256}, Shape{1.5, 89.444170970138, 121.20507354792},
                             Shape{1.0, 108.34227456342, 167.11720383075}}) {
    Network network = stimulated(taperedCable(kLast + 1, 1, shape.thick), kRallpack1.current, kLast, 0);
    // Backward Euler: the steady state is exact at any step.
    const SimulationParameters with = session.with(4, Scheme::BackwardEuler);
    const Simulation simulation = session.run(std::move(network), with, kSettled);
    const auto& v = simulation.potentialsOf(0);
    double worst = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double exact = taperedPotential(static_cast<double>(i) + 0.5, 1, shape.thick);
      worst = std::max(worst, std::abs(v[i] / exact - 1));
    }
    const std::string subject = "1 to " + textOf(shape.thick) + " um";
    session.expect(subject, "thin end, mV", shape.thin, v.front(), 1e-5);
    session.expect(subject, "thick end, mV", shape.other, v.back(), 1e-5);
    session.expect(subject, "greatest error of all compartments, relative", 0, worst, 1e-6);
  }
}

void checkRallpack3(Session& session)
{
  struct Found
  {
    std::size_t near = 0, far = 0;
    double firstNear = 0, firstFar = 0, lastNear = 0, lastFar = 0, period = 0;
    double peakNear = 0, peakFar = 0;
  };
  constexpr std::int32_t kLast = 999;
  const auto simulate = [&](double dt) {
    const Simulation simulation =
        session.run(stimulated(samples::cable(kLast + 1, kRallpack1.length, kRallpack1.diameter,
                                              {samples::hh(kLeak, kRallpack1.rest)}),
                               kRallpack1.current, 0, kLast),
                    session.with(dt), kDuration);
    const auto& records = simulation.records();
    const std::vector<double> near = crossingsOf(records[0], dt, -20), far = crossingsOf(records[1], dt, -20);
    Found found{near.size(), far.size()};
    if (near.size() < 2 || far.size() < 2)
      return found;
    found.firstNear = near.front();
    found.firstFar = far.front();
    found.lastNear = near.back();
    found.lastFar = far.back();
    found.period = far.back() - far[far.size() - 2];
    found.peakNear = *std::ranges::max_element(records[0]);
    found.peakFar = *std::ranges::max_element(records[1]);
    return found;
  };
  constexpr double dt = 0.02; // ms
  const Found coarse = simulate(dt), fine = simulate(dt / 2);
  const std::string subject = describe(session.with(dt / 2));
  session.expect(subject, "spikes at the near end", 18, static_cast<double>(fine.near), 0);
  session.expect(subject, "spikes at the far end", 17, static_cast<double>(fine.far), 0);
  const std::string both = describe(session.with(dt)) + " and its half, extrapolated";
  constexpr double bound = 1e-3; // ms
  session.expect(both, "first spike, near end, ms", 1.1951, extrapolated(coarse.firstNear, fine.firstNear), bound);
  session.expect(both, "first spike, far end, ms", 4.0075, extrapolated(coarse.firstFar, fine.firstFar), bound);
  session.expect(both, "last spike, near end, ms", 248.3383, extrapolated(coarse.lastNear, fine.lastNear), bound);
  session.expect(both, "last spike, far end, ms", 236.6177, extrapolated(coarse.lastFar, fine.lastFar), bound);
  session.expect(both, "period, ms", 14.53152, extrapolated(coarse.period, fine.period), bound);
  session.expect(subject, "peak at the near end, mV", 41.436, fine.peakNear, 0.05);
  session.expect(subject, "peak at the far end, mV", 46.252, fine.peakFar, 0.05);
}

void checkAxonSpeed(Session& session)
{
  constexpr double kLength = 200'000, kDiameter = 476; // um
  constexpr double kFirst = 80'000, kSecond = 140'000; // um: between them the speed is measured
  struct Axon
  {
    double celsius;
    double speed; ///< m/s: by shooting, of an axon without end
  };
  for (const Axon& axon : {Axon{18.5, 18.73020}, Axon{6.3, 12.312594}}) {
    const auto speed = [&](std::size_t compartments) {
      const double step = kLength / static_cast<double>(compartments);
      const samples::Model model = samples::cable(compartments, kLength, kDiameter, {samples::hh()});
      model->biophysics.regions[morphology::kSoma].resistivity = 35.4;
      Network network = samples::copies(model, 1, 1000);
      network.steps = {{0, 0, 10'000, 0, 1}};
      const auto nodeAt = [&](double position) { return static_cast<std::int32_t>(position / step); };
      network.probes = {{0, nodeAt(kFirst)}, {0, nodeAt(kSecond)}};
      SimulationParameters with = session.with(8.0 / static_cast<double>(compartments));
      with.celsius = axon.celsius;
      const Simulation simulation = session.run(std::move(network), with, 25);
      const std::vector<double> first = crossingsOf(simulation.records()[0], with.timeStep, 0);
      const std::vector<double> second = crossingsOf(simulation.records()[1], with.timeStep, 0);
      if (first.empty() || second.empty())
        return 0.0;
      return 1e-3 * (kSecond - kFirst) / (second.front() - first.front());
    };
    const std::size_t compartments = session.quick() ? 400 : 800;
    const double coarse = speed(compartments), fine = speed(2 * compartments);
    session.expect("squid axon, " + textOf(axon.celsius) + " °C", "speed, m/s", axon.speed, extrapolated(coarse, fine),
                   session.quick() ? 0.02 : 0.004);
  }
}

} // namespace hinesight::simulation::checks
