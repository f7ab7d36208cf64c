#include "core/philox.hpp"
#include "synapse/plasticity/plasticity_backend.hpp"
#include "synapse/search/random_keys.hpp"

#include <algorithm>
#include <utility>

// Neurons that are created while a model runs: the model is replaced by a larger one that goes on from the same state.

namespace hinesight::synapse::detail {

namespace {

/// With `count` more neurons, uniformly in the box that holds those that are there; each has signal type and area of
/// one of these, drawn at random. Draws are keyed by the neuron.
std::shared_ptr<const NeuronPopulation> withCreated(const NeuronPopulation& population, std::uint64_t count,
                                                    std::uint64_t seed)
{
  constexpr std::uint32_t kModelDraw = 3; // after the coordinates
  Position least = population.position.front(), most = least;
  for (const Position& position : population.position)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      least[axis] = std::min(least[axis], position[axis]);
      most[axis] = std::max(most[axis], position[axis]);
    }
  auto larger = std::make_shared<NeuronPopulation>(population);
  const std::size_t before = population.size();
  for (std::size_t i = before; i < before + count; ++i) {
    const std::uint64_t entity = randomEntity(RandomPurpose::Creation, static_cast<std::uint32_t>(i));
    Position position = {};
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      position[axis] = least[axis] + (most[axis] - least[axis]) * randomUniform(seed, entity, 0, axis);
    const auto model =
        static_cast<std::size_t>(randomUniform(seed, entity, 0, kModelDraw) * static_cast<double>(before));
    larger->position.push_back(position);
    larger->isInhibitory.push_back(population.isInhibitory[model]);
    larger->area.push_back(population.area[model]);
  }
  return larger;
}

/// Puts the entries of `from`, which is shorter, in the place of the first ones.
template <typename T>
void overwrite(std::vector<T>& to, const std::vector<T>& from)
{
  std::copy(from.begin(), from.end(), to.begin());
}

/// `now`, with the neurons that it lacks as they begin.
PlasticityProgress withFresh(PlasticityProgress fresh, const PlasticityProgress& now)
{
  NeuronState& to = fresh.neurons;
  const NeuronState& from = now.neurons;
  overwrite(to.membrane, from.membrane);
  overwrite(to.recovery, from.recovery);
  overwrite(to.fired, from.fired);
  overwrite(to.calcium, from.calcium);
  overwrite(to.target, from.target);
  overwrite(to.enabled, from.enabled);
  for (int pool = 0; pool < kPools; ++pool) {
    overwrite(to.grown[pool], from.grown[pool]);
    overwrite(to.connected[pool], from.connected[pool]);
    overwrite(to.delta[pool], from.delta[pool]);
  }
  fresh.step = now.step;
  fresh.network.synapses = now.network.synapses;
  fresh.created = now.created;
  fresh.deleted = now.deleted;
  return fresh;
}

class CreatingModel final : public PlasticityModel
{
public:
  CreatingModel(ModelSetup setup, const PlasticityProgress& start) : current(makeModel(std::move(setup), start)) {}

  void run(std::uint32_t steps, std::uint32_t recordEvery, std::vector<StepRecord>& records,
           const RunControl& control) override
  {
    const std::uint32_t first = step();
    const std::uint64_t last = std::uint64_t{first} + steps;
    const auto runTo = [&](std::uint64_t end) {
      const auto share = [&](std::uint64_t at) { return steps > 0 ? static_cast<double>(at - first) / steps : 1.0; };
      current->run(static_cast<std::uint32_t>(end - step()), recordEvery, records,
                   control.part(share(step()), share(end)));
    };
    for (std::uint64_t next = nextCreation(); next <= last; next = nextCreation()) {
      runTo(next - 1);
      std::unique_ptr<PlasticityModel> before = std::exchange(current, enlarged(static_cast<std::uint32_t>(next)));
      try {
        runTo(next);
      } catch (...) {
        // One that has not stepped would be enlarged again.
        if (step() < next)
          current = std::move(before);
        else
          addPast(before->timings());
        throw;
      }
      addPast(before->timings());
    }
    runTo(last);
  }

  std::uint32_t step() const override { return current->step(); }
  NeuronState state() const override { return current->state(); }
  Network network() const override { return current->network(); }
  PlasticityProgress progress() const override { return current->progress(); }
  const StaticNetwork& staticNetwork() const override { return current->staticNetwork(); }
  std::shared_ptr<const Octree> tree() const override { return current->tree(); }
  const NeuronPopulation& population() const override { return current->population(); }
  const PlasticityParameters& parameters() const override { return current->parameters(); }
  StageTimings timings() const override
  {
    StageTimings sum = current->timings();
    for (const Stage& stage : past)
      sum.add(stage.name, stage.milliseconds);
    return sum;
  }

private:
  /// The next step before which neurons are created; above all steps: none.
  std::uint64_t nextCreation() const
  {
    std::uint64_t next = UINT64_MAX;
    for (const Interrupt& interrupt : parameters().interrupts)
      if (interrupt.kind == InterruptKind::Create && interrupt.step > step())
        next = std::min<std::uint64_t>(next, interrupt.step);
    return next;
  }

  std::unique_ptr<PlasticityModel> enlarged(std::uint32_t atStep) const
  {
    std::uint64_t count = 0;
    for (const Interrupt& interrupt : parameters().interrupts)
      count += interrupt.step == atStep ? interrupt.count : 0;
    auto larger = withCreated(population(), count, parameters().search.seed);
    ModelSetup setup = makeSetup(std::move(larger), parameters(), staticNetwork(), atStep);
    const PlasticityProgress start = withFresh(freshProgress(*setup.population, parameters()), progress());
    return makeModel(std::move(setup), start);
  }

  void addPast(const StageTimings& timings) { past.insert(past.end(), timings.stages.begin(), timings.stages.end()); }

  std::unique_ptr<PlasticityModel> current;
  std::vector<Stage> past; ///< of the models before
};

} // namespace

std::unique_ptr<PlasticityModel> makeCreatingModel(ModelSetup setup, const PlasticityProgress& start)
{
  const std::vector<Interrupt>& interrupts = setup.parameters.interrupts;
  const bool creates = std::any_of(interrupts.begin(), interrupts.end(), [&](const Interrupt& interrupt) {
    return interrupt.kind == InterruptKind::Create && interrupt.step > start.step;
  });
  if (creates)
    return std::make_unique<CreatingModel>(std::move(setup), start);
  return makeModel(std::move(setup), start);
}

} // namespace hinesight::synapse::detail
