#include "study/simulation/circuit_reports.hpp"

#include "cell/mechanism.hpp"
#include "core/error.hpp"

#include <cmath>
#include <utility>

namespace hinesight::study {

namespace {

using Quantity = io::ReportRequest::Quantity;
using simulation::Probe;

/// A probe without its place; none for a state that no channel has.
std::optional<Probe> probeOf(const io::ReportRequest& request)
{
  Probe probe{};
  switch (request.quantity) {
  case Quantity::Potential:
    probe.quantity = simulation::Quantity::Potential;
    return probe;
  case Quantity::Calcium:
    probe.quantity = simulation::Quantity::Calcium;
    return probe;
  case Quantity::MembraneCurrent:
    probe.quantity = simulation::Quantity::MembraneCurrent;
    return probe;
  case Quantity::ClampCurrent:
    probe.quantity = simulation::Quantity::ClampCurrent;
    return probe;
  case Quantity::State:
    break;
  }
  const auto place = cell::findState(request.mechanism, request.state);
  if (!place)
    return std::nullopt;
  probe.quantity = simulation::Quantity::State;
  probe.channel = place->channel;
  probe.state = place->state;
  return probe;
}

class ReportBuilder
{
public:
  ReportBuilder(const io::SimulationConfiguration& configuration, const CircuitNodes& circuitNodes,
                CircuitSimulation& into)
      : config(configuration), nodes(circuitNodes), made(into)
  {}

  void add(const io::ReportRequest& request)
  {
    const std::optional<Probe> probe = probeOf(request);
    if (!probe)
      return note("The report \"" + request.name + "\" is of the state \"" + request.state + "\" of \"" +
                  request.mechanism + "\", which is not known; it is not made.");
    requireInterval(request);
    SimulatedReport report{request, {}};
    nodes.forEach(request.nodes, "the report \"" + request.name + "\"", [&](std::size_t population, std::size_t i) {
      const SimulatedNode node = made.populations[population].nodes[i];
      if (node.kind != SimulatedNode::Kind::Cell)
        return;
      ReportedNode reported = placesOn(request, *probe, node.index);
      if (reported.section.empty())
        return;
      reported.population = population;
      reported.id = made.populations[population].ids[i];
      report.nodes.push_back(std::move(reported));
    });
    if (report.nodes.empty())
      note("The report \"" + request.name + "\" names no cells that have such sections; it is not made.");
    else
      made.reports.push_back(std::move(report));
  }

private:
  void note(std::string sentence) { made.notes.push_back(std::move(sentence)); }

  /// Values are those at the ends of steps.
  void requireInterval(const io::ReportRequest& request) const
  {
    constexpr double kRounding = 1e-6; // of a step
    if (!request.interval || *request.interval <= config.timeStep)
      return;
    const double steps = *request.interval / config.timeStep;
    if (std::abs(steps - std::round(steps)) > kRounding)
      throw Error(ErrorCode::BadFormat,
                  "the report \"" + request.name + "\" has a \"dt\" that is no whole number of time steps",
                  config.file.string());
  }

  ReportedNode placesOn(const io::ReportRequest& request, Probe probe, std::uint32_t cell)
  {
    ReportedNode reported{0, 0, static_cast<std::uint32_t>(made.network.probes.size()), {}, {}};
    const cell::CutCell& cut = made.network.models[made.network.modelOf[cell]]->cut;
    const std::optional<std::int32_t> type = typeOfSections(request.sections);
    for (std::size_t s = 0; s < cut.sections.size(); ++s) {
      if (type && cut.sections[s].type != *type)
        continue;
      const std::int32_t places = request.isOfCentres ? 1 : cut.sections[s].segments;
      for (std::int32_t k = 0; k < places; ++k) {
        const double position = (k + 0.5) / places;
        reported.section.push_back(static_cast<std::uint32_t>(s));
        reported.position.push_back(position);
        probe.cell = cell;
        probe.node = cut.nodeAt(static_cast<std::int32_t>(s), position);
        made.network.probes.push_back(probe);
      }
    }
    return reported;
  }

  const io::SimulationConfiguration& config;
  const CircuitNodes& nodes;
  CircuitSimulation& made;
};

} // namespace

void addReports(const io::SimulationConfiguration& config, const CircuitNodes& nodes, CircuitSimulation& made)
{
  ReportBuilder builder(config, nodes, made);
  for (const io::ReportRequest& request : config.reports)
    builder.add(request);
}

} // namespace hinesight::study
