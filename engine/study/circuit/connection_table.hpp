#pragma once

#include "core/run_control.hpp"
#include "model/project.hpp"
#include "study/circuit/circuit_study.hpp"
#include "study/projection/projection_study.hpp"

#include <string>

namespace hinesight::study {

/// The edges of a connection of kind File between the populations of the project, as a table with its summary; no
/// parameters would make it. Throws as makeCircuit, Error(BadParameter) where there is no such connection, and
/// Error(OutOfMemory).
ProjectionResult tableOfFile(const model::Project& project, const std::string& connection,
                             const RunControl& control = {});

/// The table of a projection that was made with a circuit (MadeConnection::table), with its summary, which takes up to
/// `threads` threads (0: all). Throws as summarize.
ProjectionResult resultOf(const MadeConnection& made, int threads, const RunControl& control = {});

} // namespace hinesight::study
