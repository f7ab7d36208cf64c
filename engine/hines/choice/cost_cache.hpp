#pragma once

#include "core/run_control.hpp"
#include "hines/choice/cost_fit.hpp"
#include "hines/choice/cost_model.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace hinesight::hines {

/// solver-costs.json in userCacheFolder(). Throws as that.
std::filesystem::path costCacheFile();

/// What fitted costs belong to: device, driver and version of this program. Of the CPU, its name and its threads.
struct CostKey
{
  std::string device;
  std::string driver;
  std::string version;
};

/// Of the device that a backend solves on: of CUDA the first. Empty texts where there is none.
CostKey costKey(Backend backend);

/// The costs that `file` holds for the key; nothing where there is no such file, it cannot be read or understood, or it
/// holds others only. Never throws.
std::optional<CostModel> loadCosts(const std::filesystem::path& file, const CostKey& key, Backend backend,
                                   Precision precision);

/// Puts the model into `file` in place of the one with the same key; other entries stay. Atomic.
/// Throws Error(WriteFailed).
void saveCosts(const std::filesystem::path& file, const CostKey& key, const CostModel& model);

/// The model that `auto` goes by: the one fitted by this process, else the cached one, else built-in costs; of a GPU
/// that is not here always these. Measures nothing. Safe to call from any thread.
CostModel currentCosts(Backend backend, Precision precision, Gpu gpu = Gpu::Here);

/// By the current costs. Throws Error(Cancelled).
SolverChoice chooseSolver(const HinesBatch& batch, const SolveParameters& asked, const RunControl& control = {});

/// Fits the costs of the device (fitCosts), keeps them for this process and in costCacheFile(). Returns why they could
/// not be kept in the file, in one sentence, else an empty text. Throws as fitCosts.
std::string fitCurrentCosts(Backend backend, Precision precision, const RunControl& control = {});

/// Before a solve: the same where the solver is `auto`, has a choice that measuring would help, and no measured costs
/// yet; else nothing.
std::string fitCostsForAuto(const SolveParameters& parameters, const RunControl& control = {});

} // namespace hinesight::hines
