#pragma once

#include "core/error.hpp"
#include "core/stage_timings.hpp"
#include "hines/solver.hpp"

#include <string>
#include <vector>

namespace hinesight::cli {

inline const std::vector<hines::SolverKind> kSolvers = [] {
  std::vector<hines::SolverKind> kinds;
  for (const hines::SolverTraits& solver : hines::allSolvers())
    kinds.push_back(solver.kind);
  return kinds;
}();
inline const std::vector<hines::CoarseLayout> kCoarseLayouts = {hines::allCoarseLayouts().begin(),
                                                                hines::allCoarseLayouts().end()};
inline const std::vector<hines::CoarsePadding> kCoarsePaddings = {hines::CoarsePadding::NotComputed,
                                                                  hines::CoarsePadding::Computed};
inline const std::vector<hines::Precision> kPrecisions = {hines::Precision::Double, hines::Precision::Single};
inline const std::vector<hines::EddMethod> kEddMethods = {hines::EddMethod::Fine, hines::EddMethod::MinTpt,
                                                          hines::EddMethod::MinTrsv};
inline const std::vector<Backend> kBackends = {Backend::Cpu, Backend::Cuda};

} // namespace hinesight::cli
