#include "simulation/compiled_cell.hpp"

#include <algorithm>

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
  Compiler(const CellModel& cellModel, const cell::Temperature& at, CompiledCell& into)
      : model(cellModel), temperature(at), result(into)
  {}

  void compile()
  {
    const cell::CutCell& cut = model.cut;
    const std::size_t nodes = cut.nodes();
    result.parent = cut.parent;
    result.startPotential = model.biophysics.startPotential;
    result.coupling.assign(nodes, 0);
    result.capacitance.resize(nodes);
    result.leak.assign(nodes, 0);
    result.leakCurrent.assign(nodes, 0);
    result.poolOfNode.assign(nodes, -1);
    for (std::size_t node = 0; node < nodes; ++node) {
      const cell::Region& region = regionOf(node);
      result.capacitance[node] = region.capacitance * cut.area[node] * kNanofaradPerArea;
      if (node > 0)
        result.coupling[node] = 1 / (resistivityOf(node) * cut.resistance[node] * kMegohmPerLength);
    }
    for (const Density& density : model.biophysics.densities)
      if (density.mechanism == cell::kCalciumDynamics)
        addPools(density);
    for (const Density& density : model.biophysics.densities)
      addDensity(density);
    std::ranges::stable_sort(result.channels, {}, [](const ChannelGroup& group) {
      return group.carrier == Carrier::Calcium ? 0 : group.kind == ChannelKind::SK ? 2 : 1;
    });
    for (ChannelGroup& group : result.channels) {
      group.firstState = result.states;
      result.states += group.size() * cell::visitChannel(group.kind, [](auto channel) { return channel.kStates; });
    }
  }

private:
  std::int32_t typeOf(std::size_t node) const
  {
    return model.cut.sections[static_cast<std::size_t>(model.cut.section[node])].type;
  }
  const cell::Region& regionOf(std::size_t node) const { return model.biophysics.regionOf(typeOf(node)); }

  /// The resistance between two nodes lies in the section of the lower one.
  double resistivityOf(std::size_t node) const { return regionOf(node).resistivity; }

  /// Calls `add` with every node of the density's type that has a membrane.
  template <typename Add>
  void forEachNode(const Density& density, Add&& add)
  {
    for (std::size_t node = 0; node < model.cut.nodes(); ++node)
      if (model.cut.area[node] > 0 && typeOf(node) == density.type)
        add(node);
  }

  void addLeak(const Density& density, double conductance, double reversal)
  {
    forEachNode(density, [&](std::size_t node) {
      const double leak = conductance * model.cut.area[node] * kMicrosiemensPerArea;
      result.leak[node] += leak;
      result.leakCurrent[node] += leak * reversal;
    });
  }

  /// Parameters: gamma, decay, depth, minCai.
  void addPools(const Density& density)
  {
    constexpr double kPerDepth = 1e4; // um and mA/cm2 to mM/ms
    const std::vector<double>& p = density.parameters;
    forEachNode(density, [&](std::size_t node) {
      const double perCurrent = kCurrentDensity / model.cut.area[node];
      result.poolOfNode[node] = static_cast<std::int32_t>(result.pools.size());
      result.pools.push_back({static_cast<std::int32_t>(node),
                              -kPerDepth * p[0] / (2 * temperature.faraday * p[2]) * perCurrent, p[1], p[3]});
    });
  }

  void addDensity(const Density& density)
  {
    const cell::Mechanism& mechanism = cell::allMechanisms()[static_cast<std::size_t>(density.mechanism)];
    const std::vector<double>& p = density.parameters;
    if (density.mechanism == cell::kPassive)
      addLeak(density, p[0], p[1]);
    if (density.mechanism == cell::kHh)
      addLeak(density, p[2], p[3]);
    for (std::size_t k = 0; k < mechanism.channels.size(); ++k)
      addChannels(density, mechanism.channels[k], p[k],
                  density.mechanism == cell::kHh ? std::vector<double>() : std::vector<double>(p.begin() + 1, p.end()));
  }

  void addChannels(const Density& density, const cell::ChannelUse& use, double conductance,
                   const std::vector<double>& parameters)
  {
    if (conductance == 0)
      return;
    const auto isIt = [&](const ChannelGroup& group) { return group.kind == use.kind; };
    auto group = std::ranges::find_if(result.channels, isIt);
    if (group == result.channels.end())
      group = result.channels.insert(result.channels.end(), {use.kind, use.carrier, {}, {}, {}, {}, {}, 0});
    const std::size_t before = group->size();
    forEachNode(density, [&](std::size_t node) {
      group->node.push_back(static_cast<std::int32_t>(node));
      group->conductance.push_back(conductance * model.cut.area[node] * kMicrosiemensPerArea);
      group->reversal.push_back(reversalOf(use, node));
      group->pool.push_back(result.poolOfNode[node]);
    });
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
  CompiledCell& result;
};

} // namespace

CompiledCell::CompiledCell(const cell::CellModel& model, const cell::Temperature& temperature)
{
  Compiler(model, temperature, *this).compile();
}

} // namespace hinesight::simulation
