#pragma once

#include "core/error.hpp"
#include "core/stage_timings.hpp"
#include "hines/solver.hpp"

#include <string>
#include <vector>

namespace hinesight::cli {

inline const std::vector<hines::SolverKind> kSolvers = {hines::SolverKind::Serial, hines::SolverKind::Multicore,
                                                        hines::SolverKind::Fine, hines::SolverKind::Resident};
inline const std::vector<Backend> kBackends = {Backend::Cpu, Backend::Cuda};

} // namespace hinesight::cli
