#include "synapse/plasticity/plasticity_backend.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace hinesight::synapse::detail {

ModelBase::ModelBase(ModelSetup modelSetup, const PlasticityProgress& start)
    : setup(std::move(modelSetup)), enabled(start.neurons.enabled), done(start.step),
      updatePending(start.updatePending), sinceRecord{start.created, start.deleted}
{
  enabledCount = static_cast<std::size_t>(std::count(enabled.begin(), enabled.end(), 1));
  if (setup.ownTargets)
    targetMean.emplace(start.neurons.target, enabled, setup.constants.targetDecay);
  if (setup.backgrounds.empty())
    return;
  backgroundOf.assign(setup.population->size(), 0);
  changeBackgrounds(0, done);
}

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

/// The first step after `after` that has an event; UINT32_MAX: none.
std::uint32_t ModelBase::nextEvent(std::uint32_t after) const
{
  const auto next = std::upper_bound(setup.events.begin(), setup.events.end(), after);
  return next == setup.events.end() ? UINT32_MAX : *next;
}

/// Steps up to the next update, to the one before an event, or to the next look for cancellation.
std::uint32_t ModelBase::stepsBeforeBreak(std::uint32_t left) const
{
  const std::uint32_t toUpdate = setup.parameters.updatePeriod - done % setup.parameters.updatePeriod;
  const std::uint32_t first = done + 1;
  return std::min({left, toUpdate, stepsAtOnce(), nextEvent(first) - first});
}

/// What happens before a step.
void ModelBase::beginStep(std::uint32_t first)
{
  if (nextEvent(done) != first)
    return;
  setStatus(first, InterruptKind::Disable);
  setStatus(first, InterruptKind::Enable);
  if (changeBackgrounds(first, first))
    takeBackgrounds();
}

void ModelBase::setStatus(std::uint32_t atStep, InterruptKind kind)
{
  bool any = false;
  for (const Interrupt& interrupt : setup.parameters.interrupts) {
    if (interrupt.step != atStep || interrupt.kind != kind)
      continue;
    any = true;
    for (const std::uint32_t neuron : interrupt.neurons)
      enabled[neuron] = kind == InterruptKind::Enable;
  }
  if (!any)
    return;
  enabledCount = static_cast<std::size_t>(std::count(enabled.begin(), enabled.end(), 1));
  if (targetMean)
    targetMean->setEnabled(enabled);
  sinceRecord.deleted += takeStatus();
  elements = elementTally();
}

/// Those of steps `from` to `upTo`, in their order. Returns whether there are any.
bool ModelBase::changeBackgrounds(std::uint32_t from, std::uint32_t upTo)
{
  const std::vector<BackgroundChange>& changes = setup.parameters.backgroundChanges;
  std::vector<std::uint32_t> order;
  for (std::uint32_t n = 0; n < changes.size(); ++n)
    if (changes[n].step >= from && changes[n].step <= upTo)
      order.push_back(n);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return changes[a].step < changes[b].step; });
  for (const std::uint32_t n : order)
    for (const std::uint32_t neuron : setup.changed[n])
      backgroundOf[neuron] = n + 1;
  return !order.empty();
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
    const bool toEvent = nextEvent(done + count) == done + count + 1;
    tallies.clear();
    beginStep(first);
    advance(first, count, recordEvery, !toUpdate && !toEvent, tallies);
    done += count;
    updatePending = toUpdate;
    // The record of a step with an update is made after the update, for what it created and deleted.
    const std::uint32_t recordedUpTo = toUpdate ? done - 1 : done;
    auto next = tallies.begin();
    for (std::uint32_t s = first; s <= done; ++s) {
      if (targetMean)
        targetMean->pass(s);
      if (recordEvery > 0 && s <= recordedUpTo && s % recordEvery == 0)
        appendRecord(s, *next++, records);
    }
    if (toUpdate)
      finishUpdate(recordEvery, records, control);
  }
}

void ModelBase::finishUpdate(std::uint32_t recordEvery, std::vector<StepRecord>& records, const RunControl& control)
{
  if (!isFinite())
    throw Error(
        ErrorCode::BadParameter,
        "After step " + std::to_string(done) +
            " membrane potentials are not finite any more: the input is too strong for " +
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

double ModelBase::meanTarget() const
{
  if (targetMean)
    return targetMean->value();
  return enabledCount > 0 ? setup.parameters.calciumTarget : 0;
}

void ModelBase::appendRecord(std::uint32_t atStep, const StepTally& tally, std::vector<StepRecord>& records)
{
  StepRecord record;
  record.step = atStep;
  record.fired = static_cast<std::uint32_t>(tally.fired);
  record.enabled = static_cast<std::uint32_t>(enabledCount);
  record.target = meanTarget();
  if (enabledCount > 0)
    record.calcium = {std::bit_cast<double>(tally.least),
                      static_cast<double>(tally.calcium) / setup.constants.calciumUnits /
                          static_cast<double>(enabledCount),
                      std::bit_cast<double>(tally.most)};
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
