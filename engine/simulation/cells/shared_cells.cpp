#include "simulation/cells/shared_cells.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/stage_timings.hpp"
#include "core/workers.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::simulation {

namespace {

/// Fewer compartments for each GPU gain little or nothing: each epoch waits for the CPU and for the slower of two
/// (cells of 200 compartments with hh: 1,000 take the same on one and on two, 20,000 are 1.9 times as fast on two).
constexpr std::size_t kLeastOfDevice = 500'000;

class SharedCells final : public Cells
{
public:
  explicit SharedCells(const CellsSetup& setup)
      : shares(setup.shares), parts(shares.count()), partResults(shares.count()), workers(shares.count()),
        starters(shares.count())
  {
    const bool isCuda = setup.parameters.backend == Backend::Cuda;
    const auto useDevice = [isCuda](std::size_t k) {
      if (isCuda)
        useCudaDevice(cudaDevices()[k].index);
    };
    starters.onEach(useDevice);
    workers.onEach([&](std::size_t k) {
      useDevice(k);
      parts[k] = isCuda ? makeCudaCells(setup, k) : makeCpuCells(setup, k);
    });
    firstBlock.push_back(0);
    for (const auto& part : parts)
      firstBlock.push_back(firstBlock.back() + part->blocks());
    for (const Synapse& synapse : setup.network.synapses)
      cellOfSynapse.push_back(synapse.cell);
    workers.on(0, [this] { name = std::to_string(parts.size()) + " x " + parts[0]->device(); });
  }
  SharedCells(const SharedCells&) = delete;
  SharedCells& operator=(const SharedCells&) = delete;
  /// What is on a device goes where it is current.
  ~SharedCells() override
  {
    workers.onEach([this](std::size_t k) { parts[k].reset(); });
  }

  std::size_t blocks() const override { return firstBlock.back(); }

  PlaceInBlocks placeOfSynapse(std::size_t synapse) const override
  {
    const std::size_t share = shares.ofCell(cellOfSynapse[synapse]);
    PlaceInBlocks place = parts[share]->placeOfSynapse(synapse);
    place.block += static_cast<std::uint32_t>(firstBlock[share]);
    return place;
  }

  void start(RunPlace place, const StepRules& rules, std::int64_t from, std::int64_t to,
             std::span<const std::vector<PendingEvent>> events) override
  {
    starters.onEach([&](std::size_t k) {
      parts[k]->start(place, rules, from, to, events.subspan(firstBlock[k], firstBlock[k + 1] - firstBlock[k]));
    });
  }

  void finish(RunPlace place, Records& records, EpochResults& results) override
  {
    results.milliseconds.resize(parts.size());
    // A probe has values of one share: each thread adds to other records.
    workers.onEach([&](std::size_t k) {
      const Stopwatch watch;
      parts[k]->finish(place, records, partResults[k]);
      results.milliseconds[k] = watch.elapsed();
    });
    results.spikes.clear();
    results.isOutOfBounds = false;
    for (EpochResults& part : partResults) {
      std::ranges::move(part.spikes, std::back_inserter(results.spikes));
      results.isOutOfBounds |= part.isOutOfBounds;
    }
  }

  void readEnds(std::span<double> potentials) override
  {
    workers.onEach([&](std::size_t k) { parts[k]->readEnds(potentials); });
  }
  void setPeers(std::span<const double> peers) override
  {
    workers.onEach([&](std::size_t k) { parts[k]->setPeers(peers); });
  }

  void addProbe(const Network& network, std::uint32_t probe) override
  {
    const std::size_t share = shares.ofCell(network.probes[probe].cell);
    workers.on(share, [&] { parts[share]->addProbe(network, probe); });
  }
  void setModels(CompiledModels models) override
  {
    workers.onEach([&](std::size_t k) { parts[k]->setModels(models); });
  }
  std::vector<double> potentialsOf(std::uint32_t cell) override
  {
    const std::size_t share = shares.ofCell(cell);
    std::vector<double> potentials;
    workers.on(share, [&] { potentials = parts[share]->potentialsOf(cell); });
    return potentials;
  }
  std::optional<NodePlace> firstOutOfBounds() override
  {
    std::vector<std::optional<NodePlace>> found(parts.size());
    workers.onEach([&](std::size_t k) { found[k] = parts[k]->firstOutOfBounds(); });
    const auto first = std::ranges::find_if(found, [](const auto& place) { return place.has_value(); });
    return first == found.end() ? std::nullopt : *first;
  }
  CellStates states(const Network& network, std::span<const ValueOrder> orders) override
  {
    std::vector<CellStates> each(parts.size());
    workers.onEach([&](std::size_t k) { each[k] = parts[k]->states(network, orders); });
    return merged(network, shares, each);
  }
  void setStates(const Network& network, std::span<const ValueOrder> orders, const CellStates& whole) override
  {
    workers.onEach([&](std::size_t k) { parts[k]->setStates(network, orders, whole); });
  }

  std::int64_t longestEpoch() const override
  {
    std::vector<std::int64_t> longest(parts.size());
    workers.onEach([&](std::size_t k) { longest[k] = parts[k]->longestEpoch(); });
    return std::ranges::min(longest);
  }
  std::string device() const override { return name; }

private:
  const Shares shares;
  std::vector<std::unique_ptr<Cells>> parts;
  std::vector<EpochResults> partResults;
  std::vector<std::size_t> firstBlock; ///< of each part, and the end
  std::vector<std::uint32_t> cellOfSynapse;
  std::string name;
  mutable Workers workers;
  Workers starters; ///< of runs, while the others finish those before
};

} // namespace

std::unique_ptr<Cells> makeSharedCells(const CellsSetup& setup)
{
  return std::make_unique<SharedCells>(setup);
}

CellStates merged(const Network& network, const Shares& shares, std::span<const CellStates> parts)
{
  CellStates whole;
  for (const CellStates& part : parts) {
    const auto append = [](auto& to, const auto& values) { to.insert(to.end(), values.begin(), values.end()); };
    append(whole.v, part.v);
    append(whole.states, part.states);
    append(whole.calcium, part.calcium);
    append(whole.calciumCurrent, part.calciumCurrent);
    append(whole.isAbove, part.isAbove);
  }
  std::vector<std::size_t> next(parts.size(), 0);
  for (const Synapse& synapse : network.synapses) {
    const std::size_t share = shares.ofCell(synapse.cell);
    whole.rising.push_back(parts[share].rising[next[share]]);
    whole.falling.push_back(parts[share].falling[next[share]++]);
  }
  std::ranges::fill(next, 0);
  for (const NoiseCurrent& noise : network.noises) {
    const std::size_t share = shares.ofCell(noise.cell);
    whole.noises.push_back(parts[share].noises[next[share]++]);
  }
  std::ranges::fill(next, 0);
  for (const GapJunction& junction : network.junctions) {
    if (shares.areApart(junction))
      continue;
    const std::size_t share = shares.ofCell(junction.a.cell);
    for (int side = 0; side < 2; ++side)
      whole.peersBefore.push_back(parts[share].peersBefore[next[share]++]);
  }
  return whole;
}

std::size_t devicesWorth(std::size_t devices, std::size_t compartments, std::size_t cells)
{
  return std::max<std::size_t>(1, std::min({devices, compartments / kLeastOfDevice, cells}));
}

std::size_t devicesFor(const Network& network, std::size_t compartments, const SimulationParameters& parameters)
{
  if (parameters.backend == Backend::Cpu || parameters.devices == 1)
    return 1;
  const std::size_t wanted = gpusAskedFor(parameters.devices, "The simulation");
  return devicesWorth(wanted, compartments, network.cells());
}

std::string sharedByDevices(std::size_t devices, std::size_t used)
{
  return devices > 1 && used == 1 ? ", alone: the network is too small to share" : "";
}

std::string sharedByRanks(std::size_t ranks, std::size_t used)
{
  const std::string all = std::to_string(ranks) + " ranks";
  if (used == ranks)
    return ", " + all;
  return used == 1 ? ", one of " + all + ": too little to share"
                   : ", " + std::to_string(used) + " of " + all + ": too little to share among all";
}

} // namespace hinesight::simulation
