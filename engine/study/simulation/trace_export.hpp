#pragma once

#include "core/run_control.hpp"
#include "study/simulation/live_simulation.hpp"
#include "study/simulation/trace.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hinesight::study {

/// A trace with the name of its place, for a file.
struct NamedTrace
{
  std::string name;
  Trace trace;
};

/// A line a step: the time in ms, then the potential in mV at each place; empty where a value is missing. Atomic.
/// Throws Error(WriteFailed), Error(Cancelled).
void writeTracesCsv(const std::vector<NamedTrace>& traces, const std::filesystem::path& path,
                    const RunControl& control = {});
/// The same as a matrix of NumPy (format 1.0, double); NaN where a value is missing.
void writeTracesNpy(const std::vector<NamedTrace>& traces, const std::filesystem::path& path,
                    const RunControl& control = {});

/// What a person changed: a line each, the time in ms, then what it was set to. Atomic. Throws Error(WriteFailed).
void writeChangesCsv(const std::vector<LiveChange>& changes, const std::filesystem::path& path);

/// "soma", "dend[12] at 0.5": a node as NEURON's users know it.
std::string placeName(const cell::CellModel& model, std::int32_t node);

} // namespace hinesight::study
