#include "core/device.hpp"
#include "core/parallel.hpp"
#include "core/philox.hpp"
#include "synapse/formation/formation.hpp"
#include "synapse/search/random_keys.hpp"

#include <bit>
#include <cmath>
#include <string>
#include <utility>

namespace hinesight::synapse {

namespace {

/// A random permutation of [0, count) of which any entry is found alone: a Feistel network over the least even number
/// of bits that holds `count`, walked on while the result is outside (Black and Rogaway 2002, section 4).
class Permutation
{
public:
  Permutation(std::uint64_t items, std::uint64_t seedOfDraws, RandomPurpose purposeOfDraws)
      : count(items), halfBits(static_cast<int>(std::bit_width(items) + 1) / 2), seed(seedOfDraws),
        purpose(purposeOfDraws)
  {}

  std::uint64_t operator()(std::uint64_t index) const
  {
    do
      index = encrypt(index);
    while (index >= count);
    return index;
  }

private:
  std::uint64_t encrypt(std::uint64_t index) const
  {
    constexpr std::uint32_t kRounds = 7;
    const std::uint32_t mask = (1u << halfBits) - 1;
    std::uint32_t left = static_cast<std::uint32_t>(index >> halfBits);
    std::uint32_t right = static_cast<std::uint32_t>(index) & mask;
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      const PhiloxWords bits = randomBits(seed, randomEntity(purpose, right), 0, round);
      left = std::exchange(right, (left ^ bits.word[0]) & mask);
    }
    return std::uint64_t{left} << halfBits | right;
  }

  std::uint64_t count;
  int halfBits;
  std::uint64_t seed;
  RandomPurpose purpose;
};

std::uint64_t sideOf(std::size_t neurons)
{
  auto side = static_cast<std::uint64_t>(std::cbrt(static_cast<double>(neurons)));
  while (side * side * side < neurons)
    ++side;
  return side;
}

} // namespace

std::shared_ptr<const NeuronPopulation> makeRandomPopulation(std::size_t neurons, double spacing, double excitatory,
                                                             std::uint64_t seed, const RunControl& control)
{
  const PlacementParameters placement{neurons, spacing, excitatory};
  validateFields(fieldsOf(placement));
  constexpr std::size_t kBytesOfNeuron = sizeof(Position) + sizeof(std::uint8_t) + sizeof(std::uint32_t);
  requireMemory(kBytesOfNeuron * neurons, "A population of " + std::to_string(neurons) + " neurons");
  const std::uint64_t side = sideOf(neurons);
  const auto excited = static_cast<std::uint64_t>(std::llround(excitatory * static_cast<double>(neurons)));
  const Permutation cells(side * side * side, seed, RandomPurpose::Placement);
  const Permutation kinds(neurons, seed, RandomPurpose::NeuronKind);
  // Rounds of the permutations are draws below this.
  constexpr std::uint32_t kFirstCoordinate = 1u << 16;
  auto population = std::make_shared<NeuronPopulation>();
  population->origin = settingsOf(fieldsOf(placement));
  population->origin.push_back({"seed", std::to_string(seed)});
  population->position.resize(neurons);
  population->isInhibitory.resize(neurons);
  population->area.assign(neurons, 0);
  const auto place = [&](std::size_t i) {
    const std::uint64_t cell = cells(i);
    const std::uint64_t coordinates[3] = {cell % side, cell / side % side, cell / (side * side)};
    const std::uint64_t entity = randomEntity(RandomPurpose::Placement, static_cast<std::uint32_t>(i));
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      population->position[i][axis] =
          spacing * (static_cast<double>(coordinates[axis]) + randomUniform(seed, entity, 0, kFirstCoordinate + axis));
    population->isInhibitory[i] = kinds(i) >= excited;
  };
  parallelFor(neurons, 1 << 12, [&](std::size_t begin, std::size_t end) {
    control.checkpoint();
    for (std::size_t i = begin; i < end; ++i)
      place(i);
  });
  return population;
}

} // namespace hinesight::synapse
