#include "app/document/circuit_formation.hpp"

#include "app/document/circuit_populations.hpp"
#include "app/document/find_connection.hpp"
#include "app/document/placed_neurons.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/synapses/formation_controller.hpp"
#include "study/circuit/circuit_neurons.hpp"

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

using model::Connection;

/// Whether someone set its fields: it is neither as the page begins, nor on another backend alone.
bool isOfAPerson(study::FormationRequest request)
{
  const synapse::FormationParameters standard;
  request.source.populations.clear();
  request.formation.backend = standard.backend;
  request.formation.threads = standard.threads;
  request.formation.devices = standard.devices;
  request.formation.keepsTree = standard.keepsTree;
  return request != study::FormationRequest();
}

} // namespace

CircuitFormation::CircuitFormation(const DocumentParts& ofWindow, const CircuitPopulations* ofCircuit,
                                   PlacedNeurons* placed, ProjectNow projectNow, QObject* parent)
    : QObject(parent), parts(ofWindow), populations(ofCircuit), neurons(placed), project(std::move(projectNow))
{
  parts.formation->setNaming([this] { return ofPage.name; });
  parts.formation->setBeginning([this] { return beginWithCircuit(); });
  connect(parts.formation, &FormationController::shown, this, &CircuitFormation::takeNetwork);
  connect(parts.connections, &ConnectionPanel::renamed, this, &CircuitFormation::rename);
}

std::string CircuitFormation::nameOnPage() const
{
  if (coming)
    return coming->name;
  return parts.formation->request().source.given ? ofPage.name : std::string();
}

void CircuitFormation::addTo(model::Project& wanted) const
{
  const study::FormationRequest onPage = parts.formation->request();
  if (comingForm)
    ownForm = comingForm;
  else if (!onPage.source.given || ofPage.name.empty()) {
    ownForm = onPage;
    ownForm->source.given = nullptr; // they are placed when the populations are there
  } else if (Connection* const connection = findFormed(wanted, ofPage.name))
    connection->formation = onPage.formation;
  const bool isRun = wanted.form && wanted.form->isRun;
  wanted.form.reset();
  if (ownForm)
    wanted.form = model::FormationRun{*ownForm, isRun};
}

void CircuitFormation::setBackend(Backend backend)
{
  for (std::optional<study::FormationRequest>* own : {&ownForm, &comingForm})
    if (*own)
      (*own)->formation.backend = backend;
}

void CircuitFormation::addRunTo(model::Project& wanted)
{
  if (wanted.form)
    wanted.form->isRun = wanted.form->isRun || isOfAPerson(*wanted.form);
}

void CircuitFormation::show(const model::Project& wanted, const model::Project& now, const std::string& formed)
{
  study::FormationRequest onPage = parts.formation->request();
  const Connection* const connection = onPage.source.given ? findFormed(wanted, ofPage.name) : nullptr;
  if (!connection && findFormed(wanted, formed)) {
    showConnection(wanted, formed, false);
  } else if (connection && wanted.form == now.form) {
    onPage.formation = connection->formation;
    parts.formation->show(onPage);
  } else if (wanted.form)
    showOwn(wanted);
  else if (onPage.source.given) // of a circuit that is gone
    parts.formation->show(ownForm.value_or(study::FormationRequest()));
}

void CircuitFormation::showSeen(const model::Project& wanted, const std::string& formed)
{
  const auto& connections = wanted.connections;
  const auto first = std::ranges::find(connections, model::ConnectionKind::Formed, &Connection::kind);
  if (findFormed(wanted, formed))
    showConnection(project(), formed, false);
  else if (!wanted.form && first != connections.end())
    showConnection(project(), first->name, false);
}

/// The neurons are placed on another thread.
void CircuitFormation::showConnection(const model::Project& wanted, const std::string& name, bool isWanted)
{
  const Connection connection = *findFormed(wanted, name);
  if (comingForm)
    ownForm = std::exchange(comingForm, std::nullopt);
  coming = {name, study::partWith(wanted, connection.between)};
  const auto end = [this] { coming.reset(); };
  neurons->place(kNeurons, wanted, connection.between,
                 [this, connection, isWanted](const Neurons& placed) {
                   ofPage = *std::exchange(coming, std::nullopt);
                   study::FormationRequest request;
                   request.source.populations = connection.between;
                   request.source.given = placed;
                   request.formation = connection.formation;
                   parts.formation->show(request);
                   if (isWanted)
                     emit pageWanted(ViewKind::Synapses);
                 },
                 {[end](const Error&) { end(); }, end});
}

void CircuitFormation::follow(const model::Project& now)
{
  const Formed newest = coming.value_or(ofPage);
  const Connection* const connection = findFormed(now, newest.name);
  if (coming && !connection) { // it is gone before it was there
    parts.jobs->drop(kNeurons);
    coming.reset();
  }
  const study::FormationRequest onPage = parts.formation->request();
  const std::vector<std::string>& own = onPage.source.populations;
  if (!coming && !comingForm && onPage.source.given && newest.name.empty() && study::partWith(now, own) != newest.part)
    showOwn(now);
  if (connection && (coming || onPage.source.given) && study::partWith(now, connection->between) != newest.part)
    showConnection(now, newest.name, false);
}

void CircuitFormation::renamePopulation(const std::string& before, const std::string& now)
{
  parts.formation->renamePopulation(before, now);
  for (std::optional<study::FormationRequest>* own : {&ownForm, &comingForm})
    if (*own)
      std::ranges::replace((*own)->source.populations, before, now);
}

void CircuitFormation::followName(const model::Project& now, const model::Project& wanted)
{
  if (std::ranges::find(wanted.connections, ofPage.name, &Connection::name) != wanted.connections.end() ||
      now.connections.size() != wanted.connections.size())
    return;
  const auto place = std::ranges::find(now.connections, ofPage.name, &Connection::name) - now.connections.begin();
  if (std::cmp_less(place, wanted.connections.size()))
    ofPage.name = wanted.connections[static_cast<std::size_t>(place)].name;
}

void CircuitFormation::rename(const std::string& before, const std::string& now)
{
  if (ofPage.name == before)
    ofPage.name = now;
  if (coming && coming->name == before)
    coming->name = now;
}

/// That the page shows: the list of connections has its figures.
void CircuitFormation::takeNetwork(const FormationOutcome& outcome)
{
  const study::FormationRequest onPage = parts.formation->request();
  const model::Project listed = project();
  emit shown();
  const Connection* const listedAs = findFormed(listed, ofPage.name);
  if (!onPage.source.given || onPage.source.given != outcome.formation->population || !listedAs)
    return;
  Connection connection = *listedAs;
  if (const auto& request = parts.formation->requestOfNetwork())
    connection.formation = request->formation; // the fields may say something else by now
  parts.connections->setFigures(connection,
                                {outcome.formation->network.synapses.size(), outcome.formation->timings.total(),
                                 outcome.distances.synapses, outcome.joins});
}

/// The neurons of populations are placed on another thread, where it is of these.
void CircuitFormation::showOwn(const model::Project& of)
{
  study::FormationRequest wanted = *of.form;
  std::vector<std::string>& names = wanted.source.populations;
  if (std::exchange(comingForm, std::nullopt))
    parts.jobs->drop(kNeurons);
  if (!hasPopulations(of, names))
    names.clear();
  if (names.empty())
    return parts.formation->show(wanted);
  comingForm = wanted;
  coming.reset();
  const auto end = [this] { comingForm.reset(); };
  neurons->place(kNeurons, of, names,
                 [this, wanted](const Neurons& placed) {
                   ofPage = {{}, study::partWith(project(), wanted.source.populations)};
                   comingForm.reset();
                   study::FormationRequest request = wanted;
                   request.source.given = placed;
                   parts.formation->show(request);
                 },
                 {[end](const Error&) { end(); }, end});
}

/// Where nobody said what the page shows; false: it stays as it is.
bool CircuitFormation::beginWithCircuit()
{
  const std::vector<std::string> names = populations->own();
  const study::FormationRequest onPage = parts.formation->request();
  model::Project wanted = project();
  const bool isSaid =
      coming || comingForm || onPage.source.given || isOfAPerson(onPage) || (wanted.form && wanted.form->isRun);
  if (names.empty() || isSaid || begunWith == names)
    return false;
  begunWith = names;
  wanted.form->source.populations = names;
  showOwn(wanted);
  emit tookOver([names](model::Project& of) {
    if (of.form && !of.form->isRun && of.form->source.populations.empty() && !isOfAPerson(*of.form) &&
        hasPopulations(of, names))
      of.form->source.populations = names;
  });
  return true;
}

} // namespace hinesight::app
