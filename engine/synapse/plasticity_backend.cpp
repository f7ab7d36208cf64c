#include "synapse/plasticity_backend.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace hinesight::synapse::detail {

ModelBase::ModelBase(ModelSetup modelSetup, const PlasticityProgress& start)
    : setup(std::move(modelSetup)), done(start.step),
      updatePending(start.updatePending), sinceRecord{start.created, start.deleted}
{}

PlasticityProgress ModelBase::progress() const
{
  PlasticityProgress now;
  now.step = done;
  now.updatePending = updatePending;
  now.neurons = state();
  now.network = network();
  now.created = sinceRecord.created;
  now.deleted = sinceRecord.deleted;
  return now;
}

/// Steps up to the next update, or to the next look for cancellation.
std::uint32_t ModelBase::stepsBeforeBreak(std::uint32_t left) const
{
  const std::uint32_t toUpdate = setup.parameters.updatePeriod - done % setup.parameters.updatePeriod;
  return std::min({left, toUpdate, stepsAtOnce()});
}

void ModelBase::run(std::uint32_t steps, std::uint32_t recordEvery, std::vector<StepRecord>& records,
                    const RunControl& control)
{
  if (steps > UINT32_MAX - done)
    throw Error(ErrorCode::BadParameter, "A model cannot run more than 4,294,967,295 steps; ask for fewer.");
  if (updatePending)
    finishUpdate(recordEvery, records, control);
  if (!elements)
    elements = elementTally();
  const std::uint32_t last = done + steps;
  std::vector<StepTally> tallies;
  while (done < last) {
    control.report("steps", 1 - static_cast<double>(last - done) / steps);
    const std::uint32_t first = done + 1;
    const std::uint32_t count = stepsBeforeBreak(last - done);
    const bool toUpdate = (done + count) % setup.parameters.updatePeriod == 0;
    tallies.clear();
    advance(first, count, recordEvery, tallies);
    done += count;
    updatePending = toUpdate;
    // The record of a step with an update is made after the update, for what it created and deleted.
    const std::uint32_t recordedUpTo = toUpdate ? done - 1 : done;
    auto next = tallies.begin();
    for (std::uint32_t s = first; recordEvery > 0 && s <= recordedUpTo; ++s)
      if (s % recordEvery == 0)
        appendRecord(s, *next++, records);
    if (toUpdate)
      finishUpdate(recordEvery, records, control);
  }
}

void ModelBase::finishUpdate(std::uint32_t recordEvery, std::vector<StepRecord>& records, const RunControl& control)
{
  if (!isFinite())
    throw Error(
        ErrorCode::BadParameter,
        "After step " + std::to_string(done) + " membranes are no numbers any more: their input is too strong for " +
            std::to_string(setup.parameters.integrationSteps) +
            " Euler steps a millisecond; raise the integration steps or weaken background, stimuli or synapses.");
  const ConnectivityChange change = update(done, control);
  updatePending = false;
  elements = elementTally();
  sinceRecord.created += change.created;
  sinceRecord.deleted += change.deleted;
  if (recordEvery > 0 && done % recordEvery == 0)
    appendRecord(done, tally(), records);
}

void ModelBase::appendRecord(std::uint32_t atStep, const StepTally& tally, std::vector<StepRecord>& records)
{
  StepRecord record;
  record.step = atStep;
  record.fired = static_cast<std::uint32_t>(tally.fired);
  record.calcium.least = std::bit_cast<double>(tally.least);
  record.calcium.most = std::bit_cast<double>(tally.most);
  record.calcium.mean =
      static_cast<double>(tally.calcium) / setup.constants.calciumUnits / static_cast<double>(setup.population->size());
  for (int pool = 0; pool < kPools; ++pool) {
    record.grown[pool] = static_cast<double>(elements->grown[pool]) / kElementUnits;
    record.connected[pool] = elements->connected[pool];
  }
  record.created = sinceRecord.created;
  record.deleted = sinceRecord.deleted;
  sinceRecord = {};
  records.push_back(record);
}

Connectivity connectivityOf(const NeuronState& neurons, const Network& network,
                            const std::vector<std::uint8_t>& isInhibitory)
{
  return {neurons.grown, neurons.connected, neurons.delta, graphOf(network, isInhibitory)};
}

} // namespace hinesight::synapse::detail
