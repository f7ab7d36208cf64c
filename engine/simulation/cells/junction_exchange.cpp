#include "simulation/cells/junction_exchange.hpp"

#include <utility>

namespace hinesight::simulation {

JunctionExchange::JunctionExchange(const Network& network, const Shares& shares, std::span<const CompiledCell> models,
                                   Communicator& ranks)
{
  std::vector<std::size_t> shareOfEnd;
  for (std::uint32_t number = 0; number < network.junctions.size(); ++number) {
    const GapJunction& each = network.junctions[number];
    if (!shares.areApart(each))
      continue;
    numbers.push_back(number);
    for (const GapJunction::End& end : {each.a, each.b}) {
      before.push_back(models[network.modelOf[end.cell]].startPotential);
      shareOfEnd.push_back(shares.ofCell(end.cell));
    }
  }
  now.resize(before.size());
  peers.resize(before.size());
  if (ranks.size() == 1)
    return;
  beginOfRank.push_back(0);
  for (std::size_t share = 0; share < shares.count(); ++share) {
    for (std::size_t end = 0; end < shareOfEnd.size(); ++end)
      if (shareOfEnd[end] == share)
        byRank.push_back(end);
    beginOfRank.push_back(byRank.size());
  }
  received.resize(byRank.size());
  const auto own = static_cast<std::size_t>(ranks.rank());
  sent.resize(beginOfRank[own + 1] - beginOfRank[own]);
}

void JunctionExchange::exchange(Cells& cells, Communicator& ranks, bool isHalf)
{
  cells.readEnds(now);
  if (ranks.size() > 1) {
    const std::size_t first = beginOfRank[static_cast<std::size_t>(ranks.rank())];
    for (std::size_t k = 0; k < sent.size(); ++k)
      sent[k] = now[byRank[first + k]];
    ranks.allGather(std::span<const double>(sent), std::span(received), beginOfRank);
    for (std::size_t k = 0; k < received.size(); ++k)
      now[byRank[k]] = received[k];
  }
  for (std::size_t end = 0; end < now.size(); ++end)
    peers[end ^ 1] = peerPotential(now[end], before[end], isHalf);
  cells.setPeers(peers);
  std::swap(before, now);
}

void JunctionExchange::addTo(CellStates& states, std::size_t junctions) const
{
  if (empty())
    return;
  std::vector<double> all;
  all.reserve(2 * junctions);
  std::size_t apart = 0, within = 0;
  for (std::uint32_t number = 0; number < junctions; ++number) {
    const bool isApart = apart < numbers.size() && numbers[apart] == number;
    const double* const values = isApart ? &before[2 * apart++] : &states.peersBefore[2 * within++];
    all.insert(all.end(), values, values + 2);
  }
  states.peersBefore = std::move(all);
}

void JunctionExchange::setStates(const CellStates& whole)
{
  for (std::size_t k = 0; k < numbers.size(); ++k)
    for (std::size_t side = 0; side < 2; ++side)
      before[2 * k + side] = whole.peersBefore[2 * numbers[k] + side];
}

} // namespace hinesight::simulation
