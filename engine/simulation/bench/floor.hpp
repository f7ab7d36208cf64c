#pragma once

#include "cell/cell_model.hpp"
#include "core/run_control.hpp"
#include "core/stage_timings.hpp"

#include <cstddef>
#include <cstdint>

namespace hinesight::simulation {

/// What one step of a whole cell takes at least, by a count of its numbers and formulas.
struct StepCost
{
  double bytes = 0;      ///< to and from memory
  double operations = 0; ///< multiply-adds in double precision, or as much work
};

/// A node's potential is read and written, and so is each state of a channel; its coupling, its area and where it
/// belongs are read. A cell that stays on the chip moves them once an epoch of so many steps. Operations: an estimate
/// (+-25 %) of 40 a node for the system, 46 a gate of hh, 65 any other gate, 260 the twelve states of NaV.
StepCost leastCostOf(const cell::CellModel& model, std::int64_t stepsOfEpoch);

/// What a machine can do.
struct MachineRates
{
  double bandwidth = 0;  ///< bytes a second, read plus written
  double operations = 0; ///< multiply-adds in double precision a second
};

/// Of the CPU measured on so many threads (0: all); of a CUDA device its bandwidth measured, its operations by its
/// clock and units. Measured once a program. Throws as measureCopyBandwidth and measureMemoryBandwidth.
MachineRates ratesOf(Backend backend, int threads, const RunControl& control = {});

} // namespace hinesight::simulation
