#include "hines/check/rallpack.hpp"

#include "cable/sealed_cable.hpp"
#include "core/error.hpp"
#include "hines/prepared_solver.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <utility>

namespace hinesight::hines {

std::string_view rallpackFormName(RallpackForm form)
{
  switch (form) {
  case RallpackForm::Double:
    return "double";
  case RallpackForm::SingleDiagonalVoltage:
    return "single, diagonal, V";
  case RallpackForm::SingleDiagonalChange:
    return "single, diagonal, dV";
  case RallpackForm::SingleExcessVoltage:
    return "single, row sums, V";
  case RallpackForm::SingleExcessChange:
    return "single, row sums, dV";
  }
  return "unknown";
}

namespace {

// The cable, in mm, um, ms, mV, nA and uS.
constexpr double kLength = 1;                // mm
constexpr double kDiameter = 1;              // um
constexpr double kAxialResistivity = 1;      // ohm m
constexpr double kMembraneResistance = 4;    // ohm m2
constexpr double kMembraneCapacitance = .01; // F/m2
constexpr double kRest = -65;                // mV
constexpr double kCurrent = 0.1;             // nA
constexpr double kRadius = kDiameter / 2;    // um

/// What a compartment has to itself; all are alike.
struct CableCompartment
{
  double capacitance; ///< over the time step, uS
  double leak;        ///< uS
  double axial;       ///< to each neighbour, uS
};

CableCompartment cableCompartment(const RallpackParameters& parameters)
{
  const double length = 1e3 * kLength / parameters.compartments;                         // um
  const double area = 1e-12 * std::numbers::pi * kDiameter * length;                     // m2
  const double section = 1e-12 * std::numbers::pi * kRadius * kRadius;                   // m2
  const double capacitance = kMembraneCapacitance * area / (1e-3 * parameters.timeStep); // S
  return {1e6 * capacitance, 1e6 * area / kMembraneResistance, 1e6 * section / (kAxialResistivity * 1e-6 * length)};
}

std::shared_ptr<const HinesSystem> cableSystem(const RallpackParameters& parameters)
{
  const CableCompartment c = cableCompartment(parameters);
  auto system = std::make_shared<HinesSystem>();
  const auto n = static_cast<std::size_t>(parameters.compartments);
  system->d.assign(n, c.capacitance + c.leak);
  system->u.assign(n, 0);
  system->b.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    system->parent.push_back(static_cast<std::int32_t>(i) - 1);
    if (i == 0)
      continue;
    system->u[i] = -c.axial;
    system->d[i] += c.axial;
    system->d[i - 1] += c.axial;
  }
  return system;
}

bool solvesForChange(RallpackForm form)
{
  return form != RallpackForm::SingleDiagonalVoltage && form != RallpackForm::SingleExcessVoltage;
}

bool storesDiagonal(RallpackForm form)
{
  return form == RallpackForm::SingleDiagonalVoltage || form == RallpackForm::SingleDiagonalChange;
}

/// Solves the cables' equations: right-hand sides in, solutions out.
class StepSolver
{
public:
  virtual ~StepSolver() = default;
  virtual void solve(std::span<double> values, const RunControl& control) = 0;
};

/// A solver of ours.
class ExcessStep final : public StepSolver
{
public:
  ExcessStep(std::shared_ptr<const HinesBatch> batch, SolveParameters parameters, Precision precision,
             const RunControl& control)
  {
    parameters.precision = precision;
    solver = prepare(std::move(batch), parameters, timings, control);
  }

  void solve(std::span<double> values, const RunControl& control) override
  {
    solver->setRightHandSide(values);
    solver->solveOnce(control);
    solver->read(values, timings);
    timings.stages.clear(); // it is a step of thousands: nobody asks
  }

private:
  StageTimings timings;
  std::unique_ptr<PreparedSolver> solver;
};

/// The textbook's sweep in single precision over chains.
class DiagonalStep final : public StepSolver
{
public:
  explicit DiagonalStep(std::shared_ptr<const HinesSystem> cable)
      : diagonal(cable->d.begin(), cable->d.end()), coupling(cable->u.begin(), cable->u.end())
  {}

  void solve(std::span<double> values, const RunControl& /*control*/) override
  {
    for (std::size_t begin = 0; begin < values.size(); begin += diagonal.size())
      solveOne(values.subspan(begin, diagonal.size()));
  }

private:
  void solveOne(std::span<double> values)
  {
    d = diagonal;
    b.assign(values.begin(), values.end());
    for (std::size_t i = d.size() - 1; i > 0; --i) {
      const float f = coupling[i] / d[i];
      d[i - 1] -= f * coupling[i];
      b[i - 1] -= f * b[i];
    }
    b[0] /= d[0];
    for (std::size_t i = 1; i < d.size(); ++i)
      b[i] = (b[i] - coupling[i] * b[i - 1]) / d[i];
    std::ranges::copy(b, values.begin());
  }

  std::vector<float> diagonal, coupling;
  std::vector<float> d, b;
};

/// The state of the cables. In double precision in every form: what is added up over thousands of steps would stand
/// still in single precision once the changes are less than half its last digit.
class Cables
{
public:
  Cables(const RallpackParameters& parameters, bool forChange)
      : compartment(cableCompartment(parameters)), size(static_cast<std::size_t>(parameters.compartments)),
        change(forChange), voltage(size * static_cast<std::size_t>(parameters.cells), kRest), values(voltage.size())
  {}

  void step(StepSolver& solver, const RunControl& control)
  {
    for (std::size_t begin = 0; begin < voltage.size(); begin += size)
      for (std::size_t i = 0; i < size; ++i)
        values[begin + i] = change ? changeOf(begin, i) : currentOf(begin, i);
    solver.solve(values, control);
    for (std::size_t i = 0; i < voltage.size(); ++i)
      voltage[i] = change ? voltage[i] + values[i] : values[i];
  }

  const std::vector<double>& voltages() const { return voltage; }

private:
  static double injected(std::size_t i) { return i == 0 ? kCurrent : 0; }

  /// I - g (V - E) + sum over neighbours of g_axial (V_j - V): what charges the membrane.
  double changeOf(std::size_t begin, std::size_t i) const
  {
    const double v = voltage[begin + i];
    double sum = injected(i) - compartment.leak * (v - kRest);
    if (i > 0)
      sum += compartment.axial * (voltage[begin + i - 1] - v);
    if (i + 1 < size)
      sum += compartment.axial * (voltage[begin + i + 1] - v);
    return sum;
  }

  /// C/dt V + g E + I.
  double currentOf(std::size_t begin, std::size_t i) const
  {
    return compartment.capacitance * voltage[begin + i] + compartment.leak * kRest + injected(i);
  }

  CableCompartment compartment;
  std::size_t size;
  bool change;
  std::vector<double> voltage;
  std::vector<double> values; ///< right-hand side, then what was solved for
};

/// Squares of the difference from the analytic solution at one end of the cable, step by step.
class EndError
{
public:
  explicit EndError(double endPosition) : position(endPosition) { add(kRest, 0); }

  void add(double voltage, double time)
  {
    const double expected = rallpackVoltage(position, time);
    squares += (voltage - expected) * (voltage - expected);
    ++count;
    lowest = std::min(lowest, expected);
    highest = std::max(highest, expected);
  }

  double overRange() const { return std::sqrt(squares / static_cast<double>(count)) / (highest - lowest); }

private:
  double position;
  double squares = 0;
  std::int64_t count = 0;
  double lowest = kRest;
  double highest = kRest;
};

/// One form under way, and what is known of it so far.
class Simulation
{
public:
  Simulation(RallpackForm form, const RallpackParameters& parameters, std::unique_ptr<StepSolver> stepSolver)
      : cables(parameters, solvesForChange(form)), solver(std::move(stepSolver)),
        size(static_cast<std::size_t>(parameters.compartments))
  {
    run.form = form;
  }

  void step(double time, const RunControl& control)
  {
    cables.step(*solver, control);
    run.lastNear = cables.voltages().front();
    run.lastFar = cables.voltages()[size - 1];
    near.add(run.lastNear, time);
    far.add(run.lastFar, time);
  }

  void compareWith(const Simulation& reference)
  {
    const std::vector<double>& expected = reference.cables.voltages();
    for (std::size_t i = 0; i < expected.size(); ++i)
      run.differenceFromDouble = std::max(run.differenceFromDouble, std::abs(cables.voltages()[i] - expected[i]));
  }

  RallpackRun result() const
  {
    RallpackRun finished = run;
    finished.analyticError = (near.overRange() + far.overRange()) / 2;
    return finished;
  }

private:
  RallpackRun run;
  Cables cables;
  std::unique_ptr<StepSolver> solver;
  EndError near{0};
  EndError far{kLength};
  std::size_t size;
};

void validate(const RallpackParameters& parameters)
{
  const auto requireRange = [](const char* what, std::int64_t value, std::int64_t least, std::int64_t most) {
    if (value < least || value > most)
      throw Error(ErrorCode::BadParameter, std::string(what) + std::to_string(value) + ", but must be from " +
                                               std::to_string(least) + " to " + std::to_string(most) + ".");
  };
  requireRange("The number of compartments of the cable is ", parameters.compartments, 2, 1'000'000);
  requireRange("The number of cables is ", parameters.cells, 1, 100'000);
  if (!(parameters.timeStep > 0) || !(parameters.duration >= parameters.timeStep) ||
      !(parameters.duration / parameters.timeStep < 1e9))
    throw Error(ErrorCode::BadParameter, "The cable is simulated for " + std::to_string(parameters.duration) +
                                             " ms in steps of " + std::to_string(parameters.timeStep) +
                                             " ms; give a positive step and a duration of 1 to 1e9 steps.");
  hines::validate(parameters.solver);
  requireDevice(parameters.solver);
}

} // namespace

double rallpackVoltage(double position, double time)
{
  static const cable::SealedCable cable{.length = 1e3 * kLength,
                                        .diameter = kDiameter,
                                        .axialResistivity = kAxialResistivity,
                                        .membraneResistance = kMembraneResistance,
                                        .membraneCapacitance = kMembraneCapacitance,
                                        .rest = kRest,
                                        .current = kCurrent};
  return cable.voltage(1e3 * position, time);
}

std::vector<RallpackRun> runRallpack(const RallpackParameters& parameters, const RunControl& control)
{
  validate(parameters);
  const auto cable = cableSystem(parameters);
  const auto batch = makeBatch({cable}, parameters.cells, 1, control);
  const bool inSingle = traitsOf(parameters.solver.solver).inSingle;

  std::vector<Simulation> simulations;
  for (const RallpackForm form :
       {RallpackForm::Double, RallpackForm::SingleDiagonalVoltage, RallpackForm::SingleDiagonalChange,
        RallpackForm::SingleExcessVoltage, RallpackForm::SingleExcessChange}) {
    std::unique_ptr<StepSolver> solver;
    if (storesDiagonal(form))
      solver = std::make_unique<DiagonalStep>(cable);
    else if (form == RallpackForm::Double || inSingle)
      solver = std::make_unique<ExcessStep>(
          batch, parameters.solver, form == RallpackForm::Double ? Precision::Double : Precision::Single, control);
    if (solver)
      simulations.emplace_back(form, parameters, std::move(solver));
  }

  const auto steps = static_cast<std::int64_t>(std::llround(parameters.duration / parameters.timeStep));
  for (std::int64_t step = 1; step <= steps; ++step) {
    control.report("rallpack", static_cast<double>(step) / static_cast<double>(steps));
    for (Simulation& simulation : simulations) {
      simulation.step(static_cast<double>(step) * parameters.timeStep, control);
      if (&simulation != &simulations.front())
        simulation.compareWith(simulations.front());
    }
  }
  std::vector<RallpackRun> runs;
  for (const Simulation& simulation : simulations)
    runs.push_back(simulation.result());
  return runs;
}

} // namespace hinesight::hines
