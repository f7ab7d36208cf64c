#include "hines/devices.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/workers.hpp"
#include "hines/shares.hpp"
#include "hines/solvers/definition.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::hines {

namespace {

/// Fewer compartments for each GPU are solved sooner on one (resident solver, copies of a CA1 cell, two H100: 11 us on
/// one and 12 on two with 130,000 for each, 12.5 and 11.7 with 260,000).
constexpr std::size_t kLeastOfDevice = 250'000;

double now()
{
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class DevicesSolver final : public PreparedSolver
{
public:
  DevicesSolver(std::shared_ptr<const HinesBatch> wholeBatch, const SolveParameters& parameters, std::size_t devices,
                StageTimings& timings, const RunControl& control)
      : batch(std::move(wholeBatch)), workers(std::min(devices, batch->cells()))
  {
    const bool onGpus = parameters.backend == Backend::Cuda;
    for (const CellRange range : shareCells(*batch, parameters, devices, control)) {
      const std::size_t number = onGpus ? static_cast<std::size_t>(cudaDevices()[shares.size()].index) : shares.size();
      shares.push_back({range, batch->offset[range.begin], batch->offset[range.end] - batch->offset[range.begin],
                        deviceInShort(parameters.backend, number)});
    }
    std::vector<StageTimings> took(shares.size());
    workers.onEach([&](std::size_t k) {
      Share& share = shares[k];
      if (onGpus)
        useCudaDevice(cudaDevices()[k].index);
      const RunControl ofShare = k == 0 ? control : control.silenced();
      share.prepared = prepare(makeSchedule(partOf(*batch, share.range), parameters, took[k], ofShare), parameters,
                               took[k], ofShare);
    });
    timings.device = std::to_string(shares.size()) + " x " + took.front().device;
    addTo(timings, std::move(took));
  }
  DevicesSolver(const DevicesSolver&) = delete;
  DevicesSolver& operator=(const DevicesSolver&) = delete;
  /// What is on a device goes where it is current.
  ~DevicesSolver() override
  {
    workers.onEach([this](std::size_t k) { shares[k].prepared.reset(); });
  }

  void setRightHandSide(std::span<const double> b) override
  {
    workers.onEach(
        [&](std::size_t k) { shares[k].prepared->setRightHandSide(b.subspan(shares[k].begin, shares[k].size)); });
  }

  SolveTimes solveOnce(const RunControl& control) override
  {
    control.checkpoint();
    std::atomic<std::size_t> waiting = shares.size();
    std::vector<double> ends(shares.size());
    std::vector<SolveTimes> took(shares.size());
    workers.onEach([&](std::size_t k) {
      for (--waiting; waiting > 0;) // all begin at once, which a sleep would not let them
        ;
      took[k] = shares[k].prepared->solveOnce(control.silenced());
      ends[k] = now();
    });
    SolveTimes all;
    double firstStart = ends.front() - took.front().solve;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      all.permute = std::max(all.permute, took[k].permute);
      firstStart = std::min(firstStart, ends[k] - took[k].solve);
    }
    all.solve = std::ranges::max(ends) - firstStart;
    all.devices = std::move(took);
    return all;
  }

  void read(std::span<double> x, StageTimings& timings) override
  {
    std::vector<StageTimings> took(shares.size());
    workers.onEach(
        [&](std::size_t k) { shares[k].prepared->read(x.subspan(shares[k].begin, shares[k].size), took[k]); });
    addTo(timings, std::move(took));
  }

  std::vector<std::vector<double>> readAll(const HinesBatch& whole) override
  {
    std::vector<std::vector<std::vector<double>>> parts(shares.size());
    workers.onEach([&](std::size_t k) { parts[k] = shares[k].prepared->readAll(*partOf(whole, shares[k].range)); });
    std::vector<std::vector<double>> solutions(parts.front().size(), std::vector<double>(whole.compartments()));
    for (std::size_t k = 0; k < shares.size(); ++k)
      for (std::size_t i = 0; i < solutions.size(); ++i)
        std::ranges::copy(parts[k][i], solutions[i].begin() + static_cast<std::ptrdiff_t>(shares[k].begin));
    return solutions;
  }

private:
  struct Share
  {
    CellRange range;
    std::size_t begin = 0; ///< of its compartments in the batch
    std::size_t size = 0;
    std::string device; ///< in short
    std::unique_ptr<PreparedSolver> prepared = nullptr;
  };

  void addTo(StageTimings& timings, std::vector<StageTimings> took) const
  {
    for (std::size_t k = 0; k < shares.size(); ++k)
      took[k].device = shares[k].device;
    timings.addSideBySide(took);
  }

  std::shared_ptr<const HinesBatch> batch;
  std::vector<Share> shares;
  Workers workers;
};

} // namespace

void addDevices(const SolveTimes& took, StageTimings& timings)
{
  const auto add = [](StageTimings& device, const char* stage, double milliseconds) {
    if (milliseconds > 0)
      device.add(stage, milliseconds);
  };
  for (std::size_t k = 0; k < took.devices.size(); ++k) {
    const SolveTimes& own = took.devices[k];
    StageTimings& device = timings.devices.at(k);
    add(device, "permute", own.permute);
    add(device, "solve", own.solve);
    add(device, "wait", took.permute + took.solve - own.permute - own.solve);
  }
}

std::size_t devicesFor(const HinesBatch& batch, const SolveParameters& parameters)
{
  if (parameters.backend == Backend::Cpu || parameters.devices == 1)
    return 1;
  const std::size_t wanted = gpusAskedFor(parameters.devices, "The solve");
  const std::size_t worth = std::max<std::size_t>(1, batch.compartments() / kLeastOfDevice);
  return std::min({wanted, worth, batch.cells()});
}

std::unique_ptr<PreparedSolver> prepareOnDevices(const Schedule& whole, const SolveParameters& parameters,
                                                 std::size_t devices, StageTimings& timings, const RunControl& control)
{
  const SolveParameters named = resolve(*whole.batch, parameters, timings, control).parameters;
  SolveParameters ofShare = definitionOf(named.solver).parametersForPart(whole, named);
  ofShare.devices = 1;
  timings.backend = parameters.backend;
  return std::make_unique<DevicesSolver>(whole.batch, ofShare, devices, timings, control);
}

} // namespace hinesight::hines
