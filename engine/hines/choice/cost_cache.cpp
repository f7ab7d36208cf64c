#include "hines/choice/cost_cache.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/parallel.hpp"
#include "hines/prepared_solver.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

#include <nlohmann/json.hpp>

namespace hinesight::hines {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kFormat = 2; ///< of the file and what its terms count; another one is fitted anew

Json keyOf(const CostKey& key, Backend backend, Precision precision)
{
  return {{"device", key.device},
          {"driver", key.driver},
          {"version", key.version},
          {"backend", backendName(backend)},
          {"precision", precisionName(precision)}};
}

Json toJson(const CostModel& model)
{
  Json costs = Json::object();
  for (const SolverCost& cost : model.costs) {
    Json terms = Json::object();
    for (std::size_t term = 0; term < kCostTerms; ++term)
      terms[std::string(costTermName(static_cast<CostTerm>(term)))] = cost.nanoseconds[term];
    costs[std::string(solverName(cost.solver))] = std::move(terms);
  }
  return {{"cacheBytes", model.cacheBytes}, {"nanoseconds", std::move(costs)}};
}

/// Throws Json::exception, std::out_of_range where the entry is not what toJson made.
CostModel fromJson(const Json& entry, const CostKey& key, Backend backend, Precision precision)
{
  CostModel model = builtInCosts(backend, precision);
  model.device = key.device;
  model.fitted = true;
  model.cacheBytes = entry.at("cacheBytes").get<std::size_t>();
  for (SolverCost& cost : model.costs) {
    const Json& terms = entry.at("nanoseconds").at(std::string(solverName(cost.solver)));
    for (std::size_t term = 0; term < kCostTerms; ++term) {
      const double value = terms.at(std::string(costTermName(static_cast<CostTerm>(term)))).get<double>();
      if (!std::isfinite(value) || value < 0)
        throw std::out_of_range("a cost below 0");
      cost.nanoseconds[term] = value;
    }
  }
  return model;
}

/// The entries of a file of this format; none of any other.
Json entriesOf(const fs::path& file)
{
  const Json document = Json::parse(readFile(file));
  if (document.at("format").get<int>() != kFormat)
    return Json::array();
  return document.at("devices");
}

std::optional<CostModel> keptCosts(Backend backend, Precision precision)
{
  try {
    return loadCosts(costCacheFile(), costKey(backend), backend, precision);
  } catch (const Error&) {
    return std::nullopt; // no folder to keep them in
  }
}

/// Costs that this process has loaded or fitted.
struct Known
{
  std::mutex mutex;
  std::map<std::tuple<Backend, Precision, std::string>, CostModel> models; ///< with the name of the GPU
};

Known& known()
{
  static Known models;
  return models;
}

std::tuple<Backend, Precision, std::string> knownKey(Backend backend, Precision precision)
{
  return {backend, precision, backend == Backend::Cuda ? planningDevice().name : std::string()};
}

} // namespace

std::filesystem::path costCacheFile()
{
  return userCacheFolder() / "solver-costs.json";
}

CostKey costKey(Backend backend)
{
  CostKey key;
  key.version = HINESIGHT_VERSION;
  if (backend == Backend::Cpu) {
    key.device = detail::deviceText(hardwareThreads());
    return key;
  }
  if (const auto devices = cudaDevices(); !devices.empty()) {
    key.device = devices.front().model.name;
    key.driver = devices.front().driver;
  }
  return key;
}

std::optional<CostModel> loadCosts(const fs::path& file, const CostKey& key, Backend backend, Precision precision)
{
  try {
    const Json wanted = keyOf(key, backend, precision);
    for (const Json& entry : entriesOf(file))
      if (entry.at("key") == wanted)
        return fromJson(entry, key, backend, precision);
  } catch (const std::exception&) {
    // Missing, unreadable or damaged: measured costs are a convenience, and measuring again replaces the file.
  }
  return std::nullopt;
}

void saveCosts(const fs::path& file, const CostKey& key, const CostModel& model)
{
  const Json wanted = keyOf(key, model.backend, model.precision);
  Json kept = Json::array();
  try {
    for (const Json& entry : entriesOf(file))
      if (entry.at("key") != wanted)
        kept.push_back(entry);
  } catch (const std::exception&) {
    kept = Json::array(); // as in loadCosts
  }
  Json entry = {{"key", wanted}};
  entry.update(toJson(model));
  kept.push_back(std::move(entry));
  const Json document = {{"format", kFormat}, {"devices", std::move(kept)}};
  writeFileAtomically(file, [&](std::ostream& stream) {
    stream << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  });
}

CostModel currentCosts(Backend backend, Precision precision, Gpu gpu)
{
  if (backend == Backend::Cuda && !isDeviceHere(gpu))
    return builtInCosts(backend, precision, gpu);
  Known& all = known();
  const std::lock_guard lock(all.mutex);
  const auto [found, isNew] = all.models.try_emplace(knownKey(backend, precision));
  if (isNew)
    found->second = keptCosts(backend, precision).value_or(builtInCosts(backend, precision));
  return found->second;
}

SolverChoice chooseSolver(const HinesBatch& batch, const SolveParameters& asked, const RunControl& control)
{
  const BatchProfile profile = profileOf(batch, control);
  return chooseSolver(profile, asked, currentCosts(asked.backend, asked.precision, asked.gpu));
}

std::string fitCurrentCosts(Backend backend, Precision precision, const RunControl& control)
{
  const CostKey key = costKey(backend);
  CostModel model = fitCosts(backend, precision, {}, control);
  model.device = key.device;
  std::string unsaved;
  try {
    saveCosts(costCacheFile(), key, model);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::WriteFailed)
      throw;
    unsaved = std::string("The measured solver costs are not kept: ") + error.what();
  }
  Known& all = known();
  const std::lock_guard lock(all.mutex);
  all.models[knownKey(backend, precision)] = std::move(model);
  return unsaved;
}

std::string fitCostsForAuto(const SolveParameters& parameters, const RunControl& control)
{
  const auto [backend, precision] = std::pair(parameters.backend, parameters.precision);
  const bool choosesNothing = !traitsOf(parameters.solver).isChoice || costedSolvers(backend, precision).size() < 2 ||
                              (backend == Backend::Cuda && !isDeviceHere(parameters.gpu));
  if (choosesNothing || currentCosts(backend, precision).fitted)
    return {};
  return fitCurrentCosts(backend, precision, control);
}

} // namespace hinesight::hines
