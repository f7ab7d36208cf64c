#include "app/document/circuit_growth.hpp"

#include "app/document/circuit_formation.hpp"
#include "app/document/circuit_populations.hpp"
#include "app/document/find_connection.hpp"
#include "app/document/placed_neurons.hpp"
#include "app/plasticity/plasticity_controller.hpp"
#include "app/projection/between_dialog.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/synapses/formation_controller.hpp"
#include "study/circuit/circuit_neurons.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace hinesight::app {

namespace {

using model::Connection;

constexpr JobKind kGrownNeurons{.name = "Neurons that grow", .stage = "positions"};
constexpr JobKind kBegunNetwork{.name = "Network that grows", .stage = "synapses"};

} // namespace

CircuitGrowth::CircuitGrowth(const DocumentParts& ofWindow, const CircuitPopulations* ofCircuit,
                             const CircuitFormation* formed, PlacedNeurons* placed, ProjectNow projectNow,
                             QObject* parent)
    : QObject(parent), parts(ofWindow), populations(ofCircuit), formation(formed), neurons(placed),
      project(std::move(projectNow)), standard(parts.growth->request())
{
  connect(parts.growth, &PlasticityController::populationsWanted, this, &CircuitGrowth::askWhoGrows);
  connect(parts.growth, &PlasticityController::startTaken, this, &CircuitGrowth::takeStart);
  connect(parts.growth, &PlasticityController::seen, this, &CircuitGrowth::beginWithCircuit);
  connect(parts.connections, &ConnectionPanel::renamed, this,
          [this](const std::string& before, const std::string& now) {
            if (begun.connection == before)
              begun.connection = now;
          });
  parts.growth->setNaming([this] {
    const model::Project now = project();
    return now.grow->connection.empty() || !isAsBegun(now) ? std::string() : now.grow->connection;
  });
}

void CircuitGrowth::addTo(model::Project& wanted) const
{
  if (!wanted.grow)
    wanted.grow.emplace();
  static_cast<study::GrowthRequest&>(*wanted.grow) = parts.growth->request(); // how far it grows is kept
  wanted.grow->connection = nameOfBegun(wanted);
  wanted.grow->start = nullptr;
  wanted.grow->source.given = nullptr; // they are placed when the populations are there
}

void CircuitGrowth::addRunTo(model::Project& wanted) const
{
  if (!isBeginning && !isAsBegun(wanted))
    wanted.grow->connection.clear();
  if (const std::uint32_t steps = parts.growth->stepsGrown(); steps > 0)
    wanted.grow->steps = steps;
}

QString CircuitGrowth::whatIsNotGrown(const model::Project& written) const
{
  if (parts.growth->request().start && written.grow->connection.empty())
    return tr("The session does not hold the network that Plasticity begins with: opened again, the page begins with "
              "its neurons alone. Export the network from Synapses to keep it.");
  if (parts.growth->isChangedMidway())
    return tr("Parameters of Plasticity were changed while the network grew. A run of this session has the last ones "
              "from its first step. Export the network or a checkpoint to keep this one.");
  return {};
}

void CircuitGrowth::show(const model::Project& wanted)
{
  parts.growth->show(*wanted.grow);
  if (std::exchange(isBeginning, false))
    parts.jobs->drop(kBegunNetwork);
  const std::string& name = wanted.grow->connection;
  const bool hasOne = begun.start && begun.start == parts.growth->request().start;
  if (hasOne && name.empty())
    parts.growth->begin(nullptr);
  const Connection* const connection = findFormed(wanted, name);
  if (!connection || (hasOne && begun.connection == name))
    return;
  isBeginning = true;
  begun = {nullptr, name, connection->formation, study::partWith(wanted, connection->between)};
  const auto end = [this] { isBeginning = false; };
  parts.jobs->submit(
      {kBegunNetwork, QString::fromStdString(name)},
      [wanted, name](const JobContext& context) { return study::startFrom(wanted, name, context.control()); },
      [this](const std::shared_ptr<const study::GrowthStart>& start) {
        isBeginning = false;
        begun.start = start;
        const model::Project now = project();
        if (const Connection* const there = findFormed(now, begun.connection))
          begun.part = study::partWith(now, there->between);
        parts.growth->begin(start);
      },
      {[end](const Error&) { end(); }, end});
}

void CircuitGrowth::follow(const model::Project& now)
{
  const std::vector<std::string> names = parts.growth->request().source.populations;
  if (names.empty() || !hasPopulations(now, names)) {
    grown = {};
    if (!names.empty())
      parts.growth->setNeurons({}, nullptr);
    return;
  }
  model::Project part = study::partWith(now, names);
  if (parts.growth->request().source.given && part == grown)
    return;
  grown = std::move(part);
  neurons->place(kGrownNeurons, now, names, [this, names](const Neurons& placed) {
    if (parts.growth->request().source.populations == names)
      parts.growth->setNeurons(names, placed);
  });
}

void CircuitGrowth::renamePopulation(const std::string& before, const std::string& now)
{
  const study::NeuronSource source = parts.growth->request().source;
  std::vector<std::string> names = source.populations;
  std::ranges::replace(names, before, now);
  if (names != source.populations)
    parts.growth->setNeurons(names, source.given);
}

/// The formed connection that the network begins with; empty: none.
std::string CircuitGrowth::nameOfBegun(const model::Project& of) const
{
  const bool isBegun = isBeginning || (begun.start && begun.start == parts.growth->request().start);
  return isBegun && findFormed(of, begun.connection) ? begun.connection : std::string();
}

/// Whether that connection is still as it was when the network began with it.
bool CircuitGrowth::isAsBegun(const model::Project& of) const
{
  const Connection* const now = findFormed(of, begun.connection);
  if (!now)
    return false;
  synapse::FormationParameters parameters = now->formation;
  parameters.backend = begun.formation.backend;
  parameters.threads = begun.formation.threads;
  parameters.devices = begun.formation.devices;
  parameters.keepsTree = begun.formation.keepsTree;
  return parameters == begun.formation && study::partWith(of, now->between) == begun.part;
}

/// The network of the page Synapses, which the page begins with from now on.
void CircuitGrowth::takeStart(const std::shared_ptr<const study::GrowthStart>& start)
{
  if (std::exchange(isBeginning, false))
    parts.jobs->drop(kBegunNetwork);
  begun = {};
  const CircuitFormation::Formed& formed = formation->formed();
  const model::Project now = project();
  const auto& made = parts.formation->requestOfNetwork();
  if (findFormed(now, formed.name) && made && made->source.given && made->source.given == start->formation->population)
    begun = {start, formed.name, made->formation, formed.part};
}

/// Whether someone set its fields: it is neither as the page begins, nor on another backend alone.
bool CircuitGrowth::isSaid(study::GrowthRequest request) const
{
  request.model.backend = standard.model.backend;
  request.model.threads = standard.model.threads;
  request.model.devices = standard.model.devices;
  return request != standard;
}

/// Where nobody said what the page begins with.
void CircuitGrowth::beginWithCircuit()
{
  const std::vector<std::string> names = populations->own();
  const bool isOfAPerson = isSaid(parts.growth->request()) || parts.growth->hasNetwork() || project().grow->steps > 0;
  if (names.empty() || isOfAPerson || begunWith == names)
    return;
  begunWith = names;
  parts.growth->setNeurons(names, nullptr);
  follow(project());
  emit tookOver([this, names](model::Project& of) {
    if (of.grow && of.grow->steps == 0 && of.grow->connection.empty() && !isSaid(*of.grow) && hasPopulations(of, names))
      of.grow->source.populations = names;
  });
}

void CircuitGrowth::askWhoGrows()
{
  std::vector<std::string> names;
  for (const model::Population& population : project().populations)
    names.push_back(population.name());
  const std::vector<std::string> now = parts.growth->request().source.populations;
  askBetween({tr("Populations that grow"), tr("The neurons of these populations, without synapses:"),
              tr("Axons and dendrites of this population grow"), QStringLiteral("The plasticity page"), names,
              now.empty() ? names : now},
             parts.connections->window(), [this](const std::vector<std::string>& chosen) {
               parts.growth->setNeurons(chosen, nullptr);
               follow(project());
               emit changed();
             });
}

} // namespace hinesight::app
