#include "simulation/compiled_cell.hpp"

#include "simulation/cells/block_step.hpp"

#include <algorithm>
#include <numeric>

namespace hinesight::simulation {

namespace {

using cell::Carrier;
using cell::CellModel;
using cell::ChannelKind;
using cell::Density;

constexpr double kNanofaradPerArea = 1e-5;    // nF of 1 uF/cm2 on 1 um2
constexpr double kMicrosiemensPerArea = 1e-2; // uS of 1 S/cm2 on 1 um2
constexpr double kMegohmPerLength = 1e-2;     // MOhm of 1 ohm cm times 1/um
constexpr double kCurrentDensity = 100;       // mA/cm2 of 1 nA on 1 um2

class Compiler
{
public:
  Compiler(const CellModel& cellModel, const cell::Temperature& at, const Adjustments& with, CompiledCell& into)
      : model(cellModel), temperature(at), adjustments(with), result(into), regions(cell::regionsOfNodes(cellModel))
  {}

  void compile()
  {
    const cell::CutCell& cut = model.cut;
    placeNodes();
    result.startPotential = model.biophysics.startPotential;
    result.poolOfNode.assign(cut.nodes(), -1);
    for (const std::uint32_t node : result.nodeAt) {
      const cell::Region& region = regionOf(node);
      const std::int32_t parent = cut.parent[node];
      result.parent.push_back(parent < 0 ? -1 : static_cast<std::int32_t>(result.placeOf(parent)));
      result.rows.push_back(
          {.capacitance = region.capacitance * cut.area[node] * kNanofaradPerArea,
           .leak = 0,
           .leakCurrent = 0,
           .coupling = parent < 0 ? 0 : 1 / (resistivityOf(node) * cut.resistance[node] * kMegohmPerLength)});
    }
    for (const Density& density : model.biophysics.densities)
      if (cell::isCalciumDynamics(density.mechanism)) {
        result.firstPoolOfDensity.push_back(static_cast<std::uint32_t>(result.pools.size()));
        addPools(density);
      }
    result.firstPoolOfDensity.push_back(static_cast<std::uint32_t>(result.pools.size()));
    for (const Density& density : model.biophysics.densities)
      addDensity(density);
    // What is on most nodes is worth the row's time; what is on a few is computed beside the rows.
    const std::size_t nodes = result.nodes();
    const auto isOfFew = [&](const ChannelGroup& group) { return 2 * group.size() < nodes; };
    std::ranges::stable_sort(result.channels, {}, isOfFew);
    for (ChannelGroup& group : result.channels) {
      sortByPlace(group);
      if (isOfFew(group)) {
        result.inputNodes.insert(result.inputNodes.end(), group.node.begin(), group.node.end());
        continue;
      }
      group.channel.assign(nodes, -1);
      for (std::size_t i = 0; i < group.size(); ++i)
        group.channel[group.node[i]] = static_cast<std::int32_t>(i);
    }
    for (ChannelGroup& group : result.channels) {
      group.firstState = result.states;
      visitGroup(group, [&](const auto& channel) { result.states += group.size() * channel.kStates; });
    }
  }

private:
  /// Bare tips: at most one of a parent.
  std::vector<std::uint8_t> bareTips() const
  {
    const cell::CutCell& cut = model.cut;
    std::vector<std::uint8_t> hasChild(cut.nodes(), 0), hasTip(cut.nodes(), 0), isTip(cut.nodes(), 0);
    for (std::size_t node = cut.nodes(); node-- > 1;) {
      const auto parent = static_cast<std::size_t>(cut.parent[node]);
      if (hasChild[node] == 0 && cut.area[node] == 0 && hasTip[parent] == 0)
        isTip[node] = hasTip[parent] = 1;
      hasChild[parent] = 1;
    }
    return isTip;
  }

  void placeNodes()
  {
    const cell::CutCell& cut = model.cut;
    const std::vector<std::uint8_t> isTip = bareTips();
    std::vector<std::uint32_t> nodes, tips, numberOf(cut.nodes());
    std::vector<std::int32_t> parent; // of the tree without tips
    for (std::uint32_t node = 0; node < cut.nodes(); ++node) {
      if (isTip[node] != 0) {
        tips.push_back(node);
        continue;
      }
      numberOf[node] = static_cast<std::uint32_t>(nodes.size());
      nodes.push_back(node);
      parent.push_back(node == 0 ? -1
                                 : static_cast<std::int32_t>(numberOf[static_cast<std::size_t>(cut.parent[node])]));
    }
    result.elimination = EliminationPlan(parent);
    for (const std::uint32_t number : result.elimination.nodeAt)
      result.nodeAt.push_back(nodes[number]);
    result.nodeAt.insert(result.nodeAt.end(), tips.begin(), tips.end());
    result.placeOfNode.resize(cut.nodes());
    for (std::uint32_t place = 0; place < result.nodeAt.size(); ++place)
      result.placeOfNode[result.nodeAt[place]] = place;
  }

  const cell::Region& regionOf(std::size_t node) const { return regions[node]; }

  /// The resistance between two nodes lies in the section of the lower one.
  double resistivityOf(std::size_t node) const { return regionOf(node).resistivity; }

  /// A node with a density: its place, its number, and the area that has it, µm².
  struct Part
  {
    std::uint32_t place;
    std::size_t node;
    double area;
  };

  /// All of a density, by place.
  std::vector<Part> partsOf(const Density& density) const
  {
    std::vector<Part> parts;
    cell::forEachPart(model, density, [&](std::size_t node, double share) {
      parts.push_back({static_cast<std::uint32_t>(result.placeOf(static_cast<std::int32_t>(node))), node,
                       share * model.cut.area[node]});
    });
    std::ranges::sort(parts, {}, &Part::place);
    return parts;
  }

  /// Densities come one after the other. Where a group is on all nodes, a node's place is then its channel's number.
  static void sortByPlace(ChannelGroup& group)
  {
    std::vector<std::size_t> order(group.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return group.node[i]; });
    const auto reorder = [&](auto& values) {
      const auto before = values;
      for (std::size_t k = 0; k < values.size(); ++k) // parameters are many times as many
        values[k] = before[k / order.size() * order.size() + order[k % order.size()]];
    };
    reorder(group.node);
    reorder(group.density);
    reorder(group.conductance);
    reorder(group.reversal);
    reorder(group.pool);
    reorder(group.parameters);
  }

  void addLeak(const Density& density, double conductance, double reversal)
  {
    for (const Part& part : partsOf(density)) {
      const double leak = conductance * part.area * kMicrosiemensPerArea;
      result.rows[part.place].leak += leak;
      result.rows[part.place].leakCurrent += leak * reversal;
    }
  }

  /// Parameters: gamma, decay, depth, minCai; of some the calcium at the start.
  void addPools(const Density& density)
  {
    constexpr double kPerDepth = 1e4; // um and mA/cm2 to mM/ms
    const std::vector<double>& p = density.parameters;
    for (const Part& part : partsOf(density)) {
      const double perCurrent = kCurrentDensity / model.cut.area[part.node];
      result.poolOfNode[part.place] = static_cast<std::int32_t>(result.pools.size());
      result.nodeOfPool.push_back(part.place);
      result.pools.push_back({-kPerDepth * p[0] / (2 * temperature.faraday * p[2]) * perCurrent, p[1], p[3],
                              cell::calciumAtStart(density.mechanism, p)});
    }
  }

  void addDensity(const Density& density)
  {
    const cell::Mechanism& mechanism = model.biophysics.mechanisms[density.mechanism];
    const std::vector<double>& p = density.parameters;
    const double factor = adjustments.conductanceOf(density.mechanism);
    if (density.mechanism == cell::kPassive)
      addLeak(density, factor * p[0], p[1]);
    if (density.mechanism == cell::kHh)
      addLeak(density, factor * p[2], p[3]);
    for (std::size_t k = 0; k < mechanism.channels.size(); ++k)
      addChannels(density, mechanism.channels[k], p[k],
                  density.mechanism == cell::kHh ? std::vector<double>() : std::vector<double>(p.begin() + 1, p.end()));
  }

  /// Where a file puts a mechanism twice onto a node, the second has groups of its own: a group has a node once.
  void addChannels(const Density& density, const cell::ChannelUse& use, double conductance,
                   const std::vector<double>& parameters)
  {
    if (conductance == 0)
      return;
    const double factor = adjustments.conductanceOf(density.mechanism);
    const std::vector<Part> parts = partsOf(density);
    const auto isTaken = [&](std::uint32_t place) {
      const auto found = std::ranges::lower_bound(parts, place, {}, &Part::place);
      return found != parts.end() && found->place == place;
    };
    const auto isIt = [&](const ChannelGroup& group) {
      return group.kind == use.kind && group.table == use.table.get() && std::ranges::none_of(group.node, isTaken);
    };
    auto group = std::ranges::find_if(result.channels, isIt);
    if (group == result.channels.end())
      group = result.channels.insert(result.channels.end(), {use.kind, use.carrier, use.table.get()});
    const std::size_t before = group->size();
    for (const Part& part : parts) {
      group->node.push_back(part.place);
      group->density.push_back(static_cast<std::uint32_t>(&density - model.biophysics.densities.data()));
      group->conductance.push_back(factor * conductance * part.area * kMicrosiemensPerArea);
      group->reversal.push_back(reversalOf(use, part.node));
      group->pool.push_back(result.poolOfNode[part.place]);
    }
    append(group->parameters, parameters, before, group->size());
  }

  /// To values that are stored parameter after parameter, of channels from `before` on.
  static void append(std::vector<double>& stored, const std::vector<double>& parameters, std::size_t before,
                     std::size_t after)
  {
    std::vector<double> all;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      all.insert(all.end(), stored.begin() + static_cast<std::ptrdiff_t>(k * before),
                 stored.begin() + static_cast<std::ptrdiff_t>((k + 1) * before));
      all.insert(all.end(), after - before, parameters[k]);
    }
    stored = std::move(all);
  }

  double reversalOf(const cell::ChannelUse& use, std::size_t node) const
  {
    switch (use.carrier) {
    case Carrier::Sodium:
      return regionOf(node).sodiumReversal;
    case Carrier::Potassium:
      return regionOf(node).potassiumReversal;
    case Carrier::Calcium:
      return temperature.nernst * fixedLog(kCalciumOutside / kUsualCalcium);
    case Carrier::Mixed:
      break;
    }
    return use.reversal;
  }

  const CellModel& model;
  const cell::Temperature& temperature;
  const Adjustments& adjustments;
  CompiledCell& result;
  const std::vector<cell::Region> regions; ///< per node
};

} // namespace

CompiledCell::CompiledCell(const cell::CellModel& model, const cell::Temperature& temperature,
                           const Adjustments& adjustments)
{
  Compiler(model, temperature, adjustments, *this).compile();
  std::uint32_t input = 0;
  for (const ChannelGroup& group : channels) {
    const auto count = static_cast<std::uint32_t>(group.size());
    groupViews.push_back({.kind = group.kind,
                          .carrier = group.carrier,
                          .table = group.table,
                          .count = count,
                          .firstState = static_cast<std::uint32_t>(group.firstState),
                          .firstInput = input,
                          .firstCurrent = static_cast<std::uint32_t>(calciumCurrents),
                          .node = group.node.data(),
                          .channel = group.channel.empty() ? nullptr : group.channel.data(),
                          .pool = group.pool.data(),
                          .conductance = group.conductance.data(),
                          .reversal = group.reversal.data(),
                          .parameters = group.parameters.data()});
    if (group.channel.empty())
      input += count;
    if (group.carrier == cell::Carrier::Calcium)
      calciumCurrents += count;
  }
  orderCurrents();
}

/// The calcium currents of each pool, in the order of groups.
void CompiledCell::orderCurrents()
{
  std::vector<std::vector<std::uint32_t>> ofPool(pools.size());
  for (const GroupView& group : groupViews)
    if (group.carrier == cell::Carrier::Calcium)
      for (std::uint32_t i = 0; i < group.count; ++i)
        if (group.pool[i] >= 0)
          ofPool[static_cast<std::size_t>(group.pool[i])].push_back(group.firstCurrent + i);
  for (const std::vector<std::uint32_t>& currents : ofPool) {
    firstCurrentOf.push_back(static_cast<std::uint32_t>(currentOf.size()));
    currentOf.insert(currentOf.end(), currents.begin(), currents.end());
  }
  firstCurrentOf.push_back(static_cast<std::uint32_t>(currentOf.size()));
}

ValueOrder CompiledCell::orderBy(std::span<const std::uint32_t> rankOf, bool isByDensity) const
{
  const auto rankAt = [&](std::uint32_t place) { return rankOf[nodeAt[place]]; };
  const auto sorted = [](std::uint32_t first, std::uint32_t end, const auto& keyOf) {
    std::vector<std::uint32_t> items(end - first);
    std::iota(items.begin(), items.end(), first);
    std::ranges::sort(items, {}, keyOf);
    return items;
  };
  ValueOrder order;
  order.v.resize(nodeAt.size());
  for (std::uint32_t place = 0; place < nodeAt.size(); ++place)
    order.v[rankAt(place)] = place;
  for (const ChannelGroup& group : channels) {
    const auto size = static_cast<std::uint32_t>(group.size());
    const std::vector<std::uint32_t> items = sorted(0, size, [&](std::uint32_t item) {
      return std::pair(isByDensity ? group.density[item] : 0u, rankAt(group.node[item]));
    });
    visitGroup(group, [&](const auto& channel) {
      for (std::uint32_t state = 0; state < channel.kStates; ++state)
        for (const std::uint32_t item : items)
          order.states.push_back(static_cast<std::uint32_t>(group.firstState) + state * size + item);
    });
  }
  for (std::size_t k = 0; k + 1 < firstPoolOfDensity.size(); ++k) {
    const std::vector<std::uint32_t> items = sorted(firstPoolOfDensity[k], firstPoolOfDensity[k + 1],
                                                    [&](std::uint32_t pool) { return rankAt(nodeOfPool[pool]); });
    order.pools.insert(order.pools.end(), items.begin(), items.end());
  }
  return order;
}

ValueOrder CompiledCell::orderByNode() const
{
  std::vector<std::uint32_t> ranks(nodeAt.size());
  std::iota(ranks.begin(), ranks.end(), 0u);
  return orderBy(ranks, false);
}

ValueOrder CompiledCell::orderByRounds() const
{
  std::vector<std::int32_t> parentOfNode;
  for (const std::uint32_t place : placeOfNode)
    parentOfNode.push_back(
        parent[place] < 0 ? -1 : static_cast<std::int32_t>(nodeAt[static_cast<std::size_t>(parent[place])]));
  return orderBy(EliminationRounds(parentOfNode).placeOf, true);
}

std::pair<const ChannelGroup*, std::size_t> CompiledCell::channelAt(cell::ChannelKind kind, std::uint32_t place) const
{
  for (const ChannelGroup& group : channels) {
    const auto found = std::ranges::find(group.node, place);
    if (group.kind == kind && !group.table && found != group.node.end())
      return {&group, static_cast<std::size_t>(found - group.node.begin())};
  }
  return {nullptr, 0};
}

ModelView CompiledCell::view() const
{
  std::uint32_t largestGroup = 0;
  for (const GroupView& group : groupViews)
    if (!static_cast<const std::int32_t*>(group.channel))
      largestGroup = std::max(largestGroup, group.count);
  ModelView view = {.nodes = static_cast<std::uint32_t>(nodes()),
                    .groups = static_cast<std::uint32_t>(groupViews.size()),
                    .rowGroups = static_cast<std::uint32_t>(std::ranges::count_if(
                        groupViews, [](const GroupView& group) { return group.channel != nullptr; })),
                    .largestGroup = largestGroup,
                    .pools = static_cast<std::uint32_t>(pools.size()),
                    .pieces = static_cast<std::uint32_t>(elimination.pieces.size()),
                    .pieceNodes = elimination.pieceNodes(),
                    .slotCount = elimination.slotCount,
                    .rounds = static_cast<std::uint32_t>(elimination.rounds.size()),
                    .rows = rows.data(),
                    .group = groupViews.data(),
                    .pool = pools.data(),
                    .firstCurrentOf = firstCurrentOf.data(),
                    .currentOf = currentOf.data(),
                    .piece = elimination.pieces.data(),
                    .firstOfRank = {},
                    .round = elimination.rounds.data(),
                    .items = elimination.items.data(),
                    .slotEnds = elimination.slotEnds.data()};
  std::ranges::copy(elimination.firstOfRank, view.firstOfRank);
  return view;
}

} // namespace hinesight::simulation
