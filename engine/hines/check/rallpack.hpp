#pragma once

#include "core/run_control.hpp"
#include "hines/solver.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace hinesight::hines {

// Rallpack 1 (Bhalla, Bilitch and Bower 1992, "Rallpacks: a set of benchmarks for neuronal simulators"): a passive
// cable 1 mm long and 1 um thick with sealed ends, RA = 1 ohm m, RM = 4 ohm m2, CM = 0.01 F/m2, at rest at -65 mV, into
// whose first compartment flow 0.1 nA from t = 0. Axial coupling is 0.785 uS, capacitance over time step 6.3e-4 uS,
// leak 7.9e-7 uS: a diagonal that is stored in single precision has lost the leak.

/// How a time step is formed and solved.
enum class RallpackForm
{
  Double,                ///< double precision, row sums (elimination.hpp), for the change of the voltage
  SingleDiagonalVoltage, ///< single precision, the diagonal itself is stored and eliminated, for the voltage
  SingleDiagonalChange,  ///< likewise, for the change of the voltage
  SingleExcessVoltage,   ///< single precision, row sums, for the voltage
  SingleExcessChange,    ///< likewise, for the change of the voltage
};

/// "double", "single, diagonal, V", "single, diagonal, dV", "single, row sums, V", "single, row sums, dV".
std::string_view rallpackFormName(RallpackForm form);

struct RallpackParameters
{
  std::int32_t compartments = 1000; ///< 2 to 1,000,000
  double timeStep = 0.05;           ///< ms, backward Euler; above 0
  double duration = 250;            ///< ms; at least a time step
  std::int32_t cells = 1;           ///< alike, side by side: as many as the solver's lanes, say; 1 to 100,000
  /// Solves the forms with row sums, in double precision and in single where it can. The stored diagonal is eliminated
  /// by the textbook's sweep (huber 2018, listing 2, corrected): no solver of ours does so.
  SolveParameters solver;
};

/// What a simulation of the cable gave. The form's precision is that of each step's solve, its matrix and right-hand
/// side included; the voltages are added up in double precision, one number a compartment that no solver reads.
struct RallpackRun
{
  RallpackForm form = RallpackForm::Double;
  double differenceFromDouble = 0; ///< greatest over compartments, steps and cells, mV
  /// Root mean square over all steps of the difference from the analytic solution, over the range of that, the mean of
  /// the cable's two ends.
  double analyticError = 0;
  double lastNear = 0; ///< mV, in the compartment with the current, at the end
  double lastFar = 0;  ///< mV, in the compartment farthest from it
};

/// The analytic solution, mV. `position`: mm from the end with the current, 0 to 1; `time`: ms, 0 or more.
double rallpackVoltage(double position, double time);

/// Simulates the cable in every form that the solver has: without those with row sums in single precision where it has
/// no single precision. Throws Error(BadParameter), and what prepare and solving throw.
std::vector<RallpackRun> runRallpack(const RallpackParameters& parameters, const RunControl& control = {});

} // namespace hinesight::hines
