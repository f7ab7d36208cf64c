#include "synapse/ranks/placed_neurons.hpp"

#include "core/radix_sort.hpp"
#include "synapse/octree/octree_parts.hpp"

#include <algorithm>
#include <numeric>

namespace hinesight::synapse {

namespace {

Bounds boundsOnRanks(Communicator& ranks, Bounds mine)
{
  ranks.allReduce(std::span<double>(mine.lowest), Reduction::Least);
  ranks.allReduce(std::span<double>(mine.highest), Reduction::Most);
  mine.unusable = static_cast<std::uint32_t>(ranks.allReduce(std::uint64_t{mine.unusable}, Reduction::Least));
  return mine;
}

/// Where the places of each rank begin among the neurons of this one, which are in the order of (code, neuron).
class Cuts
{
public:
  Cuts(Communicator& communicator, std::span<const PlacedNeuron> sorted, std::span<const std::size_t> placeBegins)
      : ranks(communicator), neurons(sorted), places(placeBegins.begin() + 1, placeBegins.end() - 1),
        cuts(places.size())
  {}

  /// How many of this rank's are in front of each rank's places but the first's. Each cut is the greatest pair (code,
  /// neuron) that has no more pairs in front of it than the place says, found bit by bit: so it does not matter how the
  /// neurons are distributed. Collective.
  std::vector<std::size_t> find()
  {
    if (places.empty())
      return {};
    refine(&Pair::code, 3 * kDeepestLevel);
    refine(&Pair::neuron, 32);
    std::vector<std::size_t> before;
    for (const Pair& cut : cuts)
      before.push_back(inFrontOf(cut));
    return before;
  }

private:
  struct Pair
  {
    std::uint64_t code = 0, neuron = 0;
  };

  void refine(std::uint64_t Pair::*part, int bits)
  {
    std::vector<std::uint64_t> before(cuts.size());
    while (bits-- > 0) {
      for (std::size_t i = 0; i < cuts.size(); ++i) {
        Pair tried = cuts[i];
        tried.*part |= std::uint64_t{1} << bits;
        before[i] = inFrontOf(tried);
      }
      ranks.allReduce(std::span(before), Reduction::Sum);
      for (std::size_t i = 0; i < cuts.size(); ++i)
        if (before[i] <= places[i])
          cuts[i].*part |= std::uint64_t{1} << bits;
    }
  }

  std::size_t inFrontOf(const Pair& pair) const
  {
    const auto isBefore = [](const PlacedNeuron& n, const Pair& p) {
      return n.code != p.code ? n.code < p.code : n.neuron < p.neuron;
    };
    return static_cast<std::size_t>(std::lower_bound(neurons.begin(), neurons.end(), pair, isBefore) - neurons.begin());
  }

  Communicator& ranks;
  std::span<const PlacedNeuron> neurons;
  std::vector<std::uint64_t> places;
  std::vector<Pair> cuts;
};

} // namespace

PlacedNeurons::PlacedNeurons(Communicator& ranks, const NeuronRanges& ranges, std::span<const Position> own,
                             int threads, const RunControl& control)
{
  const NeuronRange range = ranges.of(ranks.rank());
  const auto parts = static_cast<std::size_t>(ranks.size());
  Bounds bounds;
  together(ranks, [&] {
    requireNeuronCount(ranges.neurons());
    bounds = detail::boundsOfAll(own, range.begin, threads, control);
  });
  bounds = boundsOnRanks(ranks, bounds);
  std::vector<PlacedNeuron> sorted;
  std::vector<std::size_t> begins;
  together(ranks, [&] {
    box = boxOf(bounds);
    sorted = sortOwn(own, range.begin, threads, control);
    for (std::size_t r = 0; r <= parts; ++r)
      begins.push_back(ranges.neurons() * r / parts);
    firstPlace = static_cast<std::uint32_t>(begins[static_cast<std::size_t>(ranks.rank())]);
  });
  const std::vector<std::size_t> cuts = Cuts(ranks, sorted, begins).find();
  together(ranks, [&] {
    std::size_t before = 0;
    for (std::size_t r = 0; r < parts; ++r) {
      const std::size_t end = r < cuts.size() ? cuts[r] : own.size();
      givenCount.push_back(end - before);
      before = end;
    }
  });
  const std::vector<PlacedNeuron> came =
      ranks.allToAll(std::span<const PlacedNeuron>(sorted), std::span<const std::size_t>(givenCount)).items;
  together(ranks, [&] { take(came, threads, control); });
}

std::vector<PlacedNeuron> PlacedNeurons::sortOwn(std::span<const Position> own, std::uint32_t first, int threads,
                                                 const RunControl& control)
{
  std::vector<std::uint64_t> codes(own.size());
  given.resize(own.size());
  detail::forBlocks(own.size(), threads, control, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      codes[i] = mortonCode(gridPoint(box, own[i]));
  });
  std::iota(given.begin(), given.end(), 0u);
  radixSort(codes, given, threads, control);
  std::vector<PlacedNeuron> sorted;
  sorted.reserve(own.size());
  for (std::size_t i = 0; i < given.size(); ++i)
    sorted.push_back({codes[i], first + given[i], own[given[i]]});
  return sorted;
}

/// Lower ranks have lower neurons: a stable sort by code is one by (code, neuron).
void PlacedNeurons::take(const std::vector<PlacedNeuron>& came, int threads, const RunControl& control)
{
  code.reserve(came.size());
  for (const PlacedNeuron& n : came)
    code.push_back(n.code);
  taken.resize(came.size());
  std::iota(taken.begin(), taken.end(), 0u);
  radixSort(code, taken, threads, control);
  neuron.reserve(came.size());
  position.reserve(came.size());
  for (const std::uint32_t i : taken) {
    neuron.push_back(came[i].neuron);
    position.push_back(came[i].position);
  }
}

std::vector<std::uint32_t> PlacedNeurons::byPlace(Communicator& ranks, std::span<const std::uint32_t> ownByNumber) const
{
  std::vector<std::uint32_t> sent, placed;
  together(ranks, [&] {
    sent.reserve(given.size());
    for (const std::uint32_t own : given)
      sent.push_back(ownByNumber[own]);
  });
  const std::vector<std::uint32_t> came =
      ranks.allToAll(std::span<const std::uint32_t>(sent), std::span<const std::size_t>(givenCount)).items;
  together(ranks, [&] {
    placed.reserve(taken.size());
    for (const std::uint32_t i : taken)
      placed.push_back(came[i]);
  });
  return placed;
}

} // namespace hinesight::synapse
