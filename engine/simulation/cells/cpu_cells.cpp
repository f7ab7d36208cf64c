#include "core/device.hpp"
#include "core/parallel.hpp"
#include "core/simd/instruction_set.hpp"
#include "simulation/cells/block_cells.hpp"
#include "simulation/cells/block_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace hinesight::simulation {

namespace {

/// Cells stand side by side where there are enough of them for all threads.
std::uint32_t cpuLanes(std::size_t, std::size_t left, std::size_t, int threads)
{
  const auto workers = static_cast<std::size_t>(threads > 0 ? threads : hardwareThreads());
  constexpr std::size_t kWorthwhile = 3; // of a last block that is not full
  return left >= kCpuLanes * workers || (left < kCpuLanes && left >= kWorthwhile && workers == 1) ? kCpuLanes : 1;
}

/// What a block needs besides its states while it runs.
struct Work
{
  std::vector<double> right, upper, lower, link, slotSum, slotRight, mean, channelCurrent, inputConductance,
      inputCurrent, before, spikeTimes, records;
  std::vector<std::uint32_t> spikes;
  std::vector<StepEvent> events;
};

class CpuCells : public BlockCells
{
public:
  CpuCells(Blocks made, const SimulationParameters& parameters)
      : BlockCells(std::move(made)), threads(parameters.threads)
  {}

  void start(RunPlace place, const StepRules& rules, std::int64_t from, std::int64_t to,
             std::span<const std::vector<PendingEvent>> events) override
  {
    started[static_cast<std::size_t>(place)] = {rules, from, to, events};
  }

  void finish(RunPlace place, Records& records, EpochResults& results) override
  {
    const Started& run = started[static_cast<std::size_t>(place)];
    exchangePotentials(run.rules);
    std::vector<std::uint8_t> isOut(inBlocks.blocks.size(), 0);
    results.spikes.resize(inBlocks.blocks.size());
    parallelFor(
        inBlocks.blocks.size(), 1,
        [&](std::size_t begin, std::size_t end) {
          clearUpperHalves();
          Work work;
          for (std::size_t k = begin; k < end; ++k)
            isOut[k] = runBlock(inBlocks.blocks[k], work, run.rules, run.from, run.to, run.events[k], results.spikes[k],
                                records);
        },
        threads);
    results.isOutOfBounds = std::ranges::find(isOut, 1) != isOut.end();
  }

  void readEnds(std::span<double> potentials) override
  {
    for (const Blocks::End& end : inBlocks.ends) {
      const Block& block = inBlocks.blocks[end.place.block];
      potentials[end.number] = block.v[block.pointSources[end.place.index].target];
    }
  }

  void setPeers(std::span<const double> peers) override
  {
    for (const Blocks::End& end : inBlocks.ends)
      inBlocks.blocks[end.place.block].pointSources[end.place.index].value = peers[end.number];
  }

  std::string device() const override
  {
    const int count = threads > 0 ? threads : hardwareThreads();
    return processorName() + ", " + std::to_string(count) + (count == 1 ? " thread" : " threads");
  }

private:
  struct Started
  {
    StepRules rules;
    std::int64_t from, to;
    std::span<const std::vector<PendingEvent>> events;
  };

  /// Each end of a gap junction gets the potential of the other.
  void exchangePotentials(const StepRules& rules)
  {
    for (std::size_t k = 0; k < inBlocks.junctions.size(); ++k) {
      PointSource* ends[2];
      double now[2];
      for (std::size_t end = 0; end < 2; ++end) {
        const PlaceInBlocks place = inBlocks.junctions[k].ends[end];
        Block& block = inBlocks.blocks[place.block];
        ends[end] = &block.pointSources[place.index];
        now[end] = block.v[ends[end]->target];
      }
      double* before = &inBlocks.peersBefore[2 * k];
      for (std::size_t end = 0; end < 2; ++end)
        ends[1 - end]->value = peerPotential(now[end], before[end], rules.isHalf);
      before[0] = now[0];
      before[1] = now[1];
    }
  }

  /// Whether a potential is out of bounds.
  bool runBlock(Block& block, Work& work, const StepRules& rules, std::int64_t from, std::int64_t to,
                const std::vector<PendingEvent>& events, std::vector<Spike>& spikes,
                std::vector<std::vector<double>>& allRecords) const
  {
    const CompiledCell& model = inBlocks.models()[block.model];
    const auto steps = static_cast<std::size_t>(to - from);
    const std::size_t inputs = block.inputs();
    const auto makeRoom = [&](std::initializer_list<std::vector<double>*> arrays, std::size_t values) {
      for (std::vector<double>* each : arrays)
        each->resize(std::max(each->size(), values));
    };
    makeRoom({&work.right, &work.upper, &work.lower}, block.v.size());
    makeRoom({&work.link}, 2 * model.elimination.items.size() * block.lanes);
    makeRoom({&work.slotSum, &work.slotRight}, model.elimination.slotCount * block.lanes);
    work.channelCurrent.resize(std::max(work.channelCurrent.size(), model.calciumCurrents * block.lanes));
    work.mean.resize(std::max(work.mean.size(), block.kindOf.size()));
    work.inputConductance.resize(std::max(work.inputConductance.size(), inputs));
    work.inputCurrent.resize(std::max(work.inputCurrent.size(), inputs));
    work.before.resize(block.lanes);
    work.spikes.assign(block.lanes, 0);
    const std::size_t slots = steps / 2 + 1; // between two spikes the potential falls below the threshold
    work.spikeTimes.resize(std::max(work.spikeTimes.size(), slots * block.lanes));
    work.records.resize(std::max(work.records.size(), steps * block.probes.size()));
    work.events.resize(events.size());
    const BlockRows& rows = blockRows();
    rows.events(inBlocks.kinds.data(), block.kindOf.data(), events.data(), events.size(), rules, from,
                work.events.data());

    const NodeArrays nodes = {.v = block.v.data(),
                              .right = work.right.data(),
                              .upper = work.upper.data(),
                              .lower = work.lower.data(),
                              .states = block.states.data(),
                              .link = work.link.data(),
                              .slotSum = work.slotSum.data(),
                              .slotRight = work.slotRight.data()};
    const BlockView view = {.lanes = block.lanes,
                            .channelInputs = block.channelInputs,
                            .synapses = static_cast<std::uint32_t>(block.kindOf.size()),
                            .pointSources = static_cast<std::uint32_t>(block.pointSources.size()),
                            .inputTargets = static_cast<std::uint32_t>(block.inputTarget.size()),
                            .tips = static_cast<std::uint32_t>(block.tips.size()),
                            .probes = static_cast<std::uint32_t>(block.probes.size()),
                            .events = static_cast<std::uint32_t>(events.size()),
                            .calcium = block.calcium.data(),
                            .calciumCurrent = block.calciumCurrent.data(),
                            .channelCurrent = work.channelCurrent.data(),
                            .kinds = inBlocks.kinds.data(),
                            .kindOf = block.kindOf.data(),
                            .synapseTarget = block.synapseTarget.data(),
                            .rising = block.rising.data(),
                            .falling = block.falling.data(),
                            .mean = work.mean.data(),
                            .pointSource = block.pointSources.data(),
                            .clampLevels = inBlocks.clampLevels.data(),
                            .inputConductance = work.inputConductance.data(),
                            .inputCurrent = work.inputCurrent.data(),
                            .inputTarget = block.inputTarget.data(),
                            .firstInput = block.firstInput.data(),
                            .inputOrder = block.inputOrder.data(),
                            .tip = block.tips.data(),
                            .event = work.events.data(),
                            .watched = block.watched.data(),
                            .threshold = block.threshold.data(),
                            .isAbove = block.isAbove.data(),
                            .before = work.before.data(),
                            .spikes = work.spikes.data(),
                            .spikeTimes = work.spikeTimes.data(),
                            .spikeSlots = static_cast<std::uint32_t>(slots),
                            .probe = block.probes.data(),
                            .probedChild = block.probedChildren.data(),
                            .records = work.records.data(),
                            .recordStride = static_cast<std::uint32_t>(steps)};
    (block.lanes == 1 ? rows.single : rows.side)(model.view(), nodes, view, rules, from, to);

    spikes.clear();
    for (std::size_t lane = 0; lane < block.cells.size(); ++lane)
      for (std::size_t k = 0; k < work.spikes[lane]; ++k)
        spikes.push_back({block.cells[lane], work.spikeTimes[lane * slots + k]});
    for (std::size_t k = 0; k < block.probes.size(); ++k) {
      const double* values = work.records.data() + k * steps;
      std::vector<double>& records = allRecords[block.probeNumbers[k]];
      records.insert(records.end(), values, values + steps);
    }
    return !std::ranges::all_of(block.v, [](double v) { return std::abs(v) <= kMostPotential; });
  }

  int threads;
  std::array<Started, 2> started; ///< by RunPlace
};

} // namespace

std::unique_ptr<Cells> makeCpuCells(const CellsSetup& setup, std::size_t share)
{
  return std::make_unique<CpuCells>(
      Blocks(setup.network, setup.parameters, setup.models, setup.temperature, setup.shares, share, &cpuLanes),
      setup.parameters);
}

std::int64_t stepOf(double time, const StepRules& rules)
{
  constexpr double kRounding = 1e-9; // of a step
  const double steps = time / rules.dt;
  return static_cast<std::int64_t>(rules.asNeuron ? std::ceil(steps - 0.5 - kRounding) : std::floor(steps + kRounding));
}

} // namespace hinesight::simulation
