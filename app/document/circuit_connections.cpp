#include "app/document/circuit_connections.hpp"

#include "app/cells/cell_list_model.hpp"
#include "app/document/circuit_formation.hpp"
#include "app/document/circuit_populations.hpp"
#include "app/document/find_connection.hpp"
#include "app/document/opened_tables.hpp"
#include "app/projection/connection_names.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/projection/population_panel.hpp"
#include "app/projection/projection_outcome.hpp"
#include "app/synapses/formation_controller.hpp"
#include "model/taken_names.hpp"
#include "study/circuit/circuit_neurons.hpp"
#include "study/circuit/circuit_study.hpp"
#include "study/circuit/connection_table.hpp"

#include <QFileInfo>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace hinesight::app {

namespace {

using model::Connection;
using model::ConnectionKind;
using projection::PopulationKind;

} // namespace

void dropLost(model::Project& project)
{
  const auto isLost = [&](const std::string& name) { return !model::findPopulation(project, name); };
  std::erase_if(project.connections, [&](const Connection& c) {
    return c.kind == ConnectionKind::Formed ? std::ranges::any_of(c.between, isLost)
                                            : isLost(c.source) || isLost(c.target);
  });
  std::erase_if(project.stimuli, [&](const model::Stimulus& s) { return isLost(s.population); });
  std::erase_if(project.probes, [&](const model::ProbeRequest& p) { return isLost(p.population); });
}

CircuitConnections::CircuitConnections(const DocumentParts& ofWindow, const CircuitPopulations* ofCircuit,
                                       CircuitFormation* formed, ProjectNow projectNow, QObject* parent)
    : QObject(parent), parts(ofWindow), populations(ofCircuit), formation(formed), project(std::move(projectNow))
{
  parts.projection->setNaming([this] { return parts.connections->shown(); });
  parts.projection->setAdding(
      [this](const std::vector<ProjectionController::ReadTable>& tables) { return addOpened(tables); });
  connect(parts.connections, &ConnectionPanel::chosen, this, &CircuitConnections::choose);
  connect(parts.connections, &ConnectionPanel::addRequested, this, &CircuitConnections::add);
  connect(parts.connections, &ConnectionPanel::formRequested, this, [this](const std::vector<std::string>& between) {
    Connection added;
    added.kind = ConnectionKind::Formed;
    added.between = between;
    added.formation.backend = parts.formation->request().formation.backend;
    addFormed(std::move(added));
  });
  connect(parts.connections, &ConnectionPanel::renamed, this,
          [this](const std::string& before, const std::string& now) {
            if (parts.projection->fileShown() == before)
              parts.projection->renameFile(now);
          });
  connect(parts.connections, &ConnectionPanel::changed, this, [this] {
    show(project()); // the one that was shown may be gone
    emit changed();
  });
  connect(parts.populations, &PopulationPanel::removed, this, &CircuitConnections::sayWhatIsLost);
  connect(parts.projection, &ProjectionController::edited, this, [this] {
    const study::ProjectionRequest onPage = parts.projection->request();
    parts.connections->setEnds(parts.connections->shown(), onPage.source.parameters.name,
                               onPage.destination.parameters.name);
  });
  connect(parts.projection, &ProjectionController::connectionPicked, this, &CircuitConnections::pick);
  connect(parts.projection, &ProjectionController::shownAgain, this, &CircuitConnections::takeTable);
  connect(parts.jobs, &Jobs::delivered, this, [this](const JobKind& kind) {
    if (kind == kTable && !parts.jobs->isActive(kTable)) // what was opened is read as a connection next
      takeTable();
  });
}

void CircuitConnections::addTo(model::Project& wanted) const
{
  const study::ProjectionRequest request = parts.projection->request();
  wanted.compute = request.compute;
  wanted.connections = parts.connections->connections();
  dropLost(wanted);
  Connection* shown = findConnection(wanted, ConnectionKind::Projection, parts.connections->shown());
  if (wanted.connections.empty()) { // what the page of projections shows is one
    Connection connection;
    connection.name = nameByEnds(request.source.parameters.name, request.destination.parameters.name);
    shown = &wanted.connections.emplace_back(std::move(connection));
  }
  if (shown) { // else the one that the page shows was removed, and no other one takes its place
    shown->source = request.source.parameters.name;
    shown->target = request.destination.parameters.name;
    shown->projection = request.parameters;
  }
}

void CircuitConnections::showSeen(const model::Project& wanted, const std::string& connection)
{
  const auto& connections = wanted.connections;
  const auto shown = std::ranges::find(connections, connection, &Connection::name);
  const bool isProjection = shown != connections.end() && shown->kind == ConnectionKind::Projection;
  if (isProjection && shown->name != parts.connections->shown())
    show(wanted, shown->name);
  else if (shown != connections.end() && shown->kind == ConnectionKind::File)
    parts.projection->showFileOnPage(wanted, shown->name);
}

void CircuitConnections::follow(const model::Project& now)
{
  const auto shown = findProjection(now.connections, parts.connections->shown());
  const std::string name = shown == now.connections.end() ? std::string() : shown->name;
  if (const std::string& before = parts.connections->shown(); before.empty() || before == name)
    parts.connections->setConnections(now.connections, name);
  else
    show(now, name); // the one that was shown went with a population
  std::vector<std::string> names;
  for (const model::Population& population : now.populations)
    names.push_back(population.name());
  parts.connections->setPopulations(std::move(names));
  parts.populations->setCells(now.cells);
  parts.projection->followFile(now);
  drawCells(now);
}

void CircuitConnections::choose(const model::Connection& connection)
{
  parts.projection->setTogether(false);
  if (connection.kind == ConnectionKind::Formed)
    return formation->showConnection(project(), connection.name, true);
  if (connection.kind == ConnectionKind::File)
    return parts.projection->showFile(project(), connection.name);
  if (connection.name != parts.connections->shown())
    show(project(), connection.name);
  else if (!parts.projection->fileShown().empty())
    parts.projection->showFields();
  emit pageWanted(ViewKind::Projection);
}

void CircuitConnections::renamePopulation(const std::string& before, const std::string& now)
{
  std::vector<Connection> connections = parts.connections->connections();
  for (Connection& connection : connections) {
    for (std::string* name : {&connection.source, &connection.target})
      if (*name == before)
        *name = now;
    std::ranges::replace(connection.between, before, now);
  }
  parts.connections->renamePopulation(std::move(connections), before, now);
}

void CircuitConnections::show(const model::Project& wanted, const std::string& shownName)
{
  std::vector<study::PopulationChoice> choices;
  for (const model::Population& population : wanted.populations)
    choices.push_back(populations->choiceOf(population));
  std::vector<model::Population> traits = wanted.populations;
  for (model::Population& population : traits)
    if (population.placement.kind == PopulationKind::Given && population.cells.size() == wanted.cells.size())
      population.cells.clear(); // all, and those that are opened later
  parts.populations->setTraits(traits);
  parts.connections->setConnections(wanted.connections, shownName);
  const auto shown = findProjection(wanted.connections, shownName);
  study::ProjectionRequest request = parts.projection->request();
  request.compute = wanted.compute;
  if (shown != wanted.connections.end()) {
    request.parameters = shown->projection;
    for (const study::PopulationChoice& choice : choices) {
      if (choice.parameters.name == shown->source)
        request.source = choice;
      if (choice.parameters.name == shown->target)
        request.destination = choice;
    }
  } else if (!choices.empty()) {
    request.parameters = {}; // of no connection that there is
    request.source = choices.front();
    request.destination = choices[choices.size() > 1 ? 1 : 0];
  }
  // Where there is no projection, the page shows what a file has, not what fields of nobody would make.
  const auto ofFile = [](const Connection& c) { return c.kind == ConnectionKind::File; };
  auto read = std::ranges::find_if(
      wanted.connections, [&](const Connection& c) { return ofFile(c) && c.name == parts.projection->fileShown(); });
  if (read == wanted.connections.end())
    read = std::ranges::find_if(wanted.connections, ofFile);
  const bool showsFile = shown == wanted.connections.end() && read != wanted.connections.end();
  parts.projection->show(std::move(choices), request,
                         showsFile ? ProjectionController::FileTable{read->name, wanted}
                                   : ProjectionController::FileTable{});
}

/// The projection that was shown, in its old place where it has another name; where another one changed, that.
std::string CircuitConnections::shownIn(const model::Project& wanted) const
{
  const std::vector<Connection>& before = parts.connections->connections();
  const std::string& shown = parts.connections->shown();
  const auto isOther = [&](const Connection& now) {
    return now.kind == ConnectionKind::Projection && std::ranges::find(before, now) == before.end();
  };
  const auto same = std::ranges::find(wanted.connections, shown, &Connection::name);
  if (same == wanted.connections.end() && before.size() == wanted.connections.size()) {
    const auto place = std::ranges::find(before, shown, &Connection::name) - before.begin();
    if (std::cmp_less(place, before.size()) &&
        wanted.connections[static_cast<std::size_t>(place)].kind == ConnectionKind::Projection)
      return wanted.connections[static_cast<std::size_t>(place)].name;
  }
  const auto other = std::ranges::find_if(wanted.connections, isOther);
  const bool staysSame = same != wanted.connections.end() && !isOther(*same);
  const auto chosen =
      staysSame && other != wanted.connections.end() ? other : findProjection(wanted.connections, shown);
  return chosen == wanted.connections.end() ? std::string() : chosen->name;
}

void CircuitConnections::pick(const QString& name)
{
  const auto& all = parts.connections->connections();
  const auto picked = std::ranges::find(all, name.toStdString(), &Connection::name);
  if (picked == all.end())
    return;
  const Connection connection = *picked;
  parts.connections->select(connection.name);
  choose(connection);
}

/// That the page of projections shows: the list of connections has its figures.
void CircuitConnections::takeTable()
{
  const ProjectionOutcome& made = parts.projection->outcome();
  if (!made.table)
    return;
  const std::string& ofFile = parts.projection->fileShown();
  for (const auto& neurons : {made.table->projection.source, made.table->projection.destination})
    for (const study::PopulationChoice& population : parts.populations->populations())
      if (population.parameters.name == neurons->name())
        parts.populations->setCount(population, neurons->count());
  parts.connections->setOnPage(ofFile);
  const bool isOpened = ofFile.empty() && !made.file.empty(); // a table that is no connection
  parts.projection->nameConnection(isOpened ? std::string() : ofFile.empty() ? parts.connections->shown() : ofFile);
  const model::Project now = project();
  drawCells(now);
  if (isOpened)
    return;
  const auto onPage = ofFile.empty() ? findProjection(now.connections, parts.connections->shown())
                                     : std::ranges::find(now.connections, ofFile, &Connection::name);
  if (onPage == now.connections.end())
    return;
  Connection joined = *onPage;
  if (const auto& request = parts.projection->requestOfTable())
    joined.projection = request->parameters; // the fields may say something else by now
  const projection::Projection& joins = made.table->projection;
  const bool inhibits =
      ofFile.empty() && parts.populations->traitsOf(joins.source->name()).role == model::Role::Inhibitory;
  study::PopulationJoin join{.source = joins.source->name(),
                             .target = joins.destination->name(),
                             .rows = made.table->rows(),
                             .weight = inhibits ? -made.magnitude : made.weight};
  parts.connections->setFigures(joined, {join.rows, made.timings.total(), 0, {join}});
}

/// The page of projections draws populations of open cells as these.
void CircuitConnections::drawCells(const model::Project& of)
{
  std::unordered_map<std::string_view, const OpenCell*> open;
  for (const OpenCell& cell : parts.cells->cells())
    open.emplace(cell.source.path, &cell);
  parts.projection->drawCells(of, [&](const std::string& path) {
    const auto found = open.find(path);
    return found == open.end() ? nullptr : found->second->morphology;
  });
}

/// The connections that join a population go with it.
void CircuitConnections::sayWhatIsLost(const std::string& population)
{
  QStringList lost;
  for (const Connection& connection : parts.connections->connections())
    if (const auto joined = study::populationsOf(connection); std::ranges::find(joined, population) != joined.end())
      lost << QString::fromStdString(connection.name);
  if (lost.size() == 1)
    emit wentWith(tr("With the population %1 the connection %2 was removed. Undo brings both back.")
                      .arg(QString::fromStdString(population), lost.front()));
  else if (!lost.isEmpty())
    emit wentWith(tr("With the population %1 these connections were removed: %2. Undo brings them back.")
                      .arg(QString::fromStdString(population), lost.join(QStringLiteral(", "))));
}

/// It joins the same populations in the same way, until a person says otherwise.
void CircuitConnections::add()
{
  model::Project wanted = project();
  if (const Connection* const chosen = findFormed(wanted, parts.connections->chosenName()))
    return addFormed(*chosen);
  const study::ProjectionRequest onPage = parts.projection->request();
  Connection added;
  added.source = onPage.source.parameters.name;
  added.target = onPage.destination.parameters.name;
  added.projection = onPage.parameters;
  added.name = model::TakenNames(wanted.connections).take(nameByEnds(added.source, added.target));
  wanted.connections.push_back(added);
  show(wanted, added.name);
  emit changed();
  emit pageWanted(ViewKind::Projection);
}

void CircuitConnections::addFormed(Connection added)
{
  model::Project wanted = project();
  added.name = model::TakenNames(wanted.connections).take("formed");
  wanted.connections.push_back(added);
  parts.connections->setConnections(wanted.connections, parts.connections->shown());
  parts.connections->select(added.name);
  emit changed();
  formation->showConnection(wanted, added.name, true);
}

/// Each table is a connection of its own that is read from its file; that of the last is to be shown. One that is there
/// already stays; where its file has other numbers of neurons by now, it joins populations of these. None where one
/// table is opened and nobody has made anything but the projection of the page: it takes the place of that.
std::optional<ProjectionController::Added>
CircuitConnections::addOpened(const std::vector<ProjectionController::ReadTable>& tables)
{
  model::Project wanted = project();
  const bool isOfPageAlone =
      !isOfSession && wanted.connections.size() == 1 && wanted.connections.front().kind == ConnectionKind::Projection;
  if (isOfPageAlone && tables.size() == 1)
    return std::nullopt;
  model::TakenNames names(wanted.connections);
  NewPopulations ofTables(parts.populations->populations());
  QStringList invented, known;
  std::string shown;
  for (const ProjectionController::ReadTable& table : tables) {
    Connection* ofTable = findTable(wanted, table.file);
    if (ofTable) {
      known << QString::fromStdString(ofTable->name);
    } else {
      ofTable = &wanted.connections.emplace_back();
      ofTable->name = names.take(nameOfTable(table.file));
      ofTable->kind = ConnectionKind::File;
      ofTable->file = QFileInfo(QString::fromStdString(table.file)).absoluteFilePath().toStdString();
    }
    shown = ofTable->name;
    for (const auto& [end, name] :
         {std::pair(&table.source, &ofTable->source), std::pair(&table.destination, &ofTable->target)}) {
      if (ofTables.fits(*name, *end))
        continue; // as it was, whatever the table calls them
      const std::size_t before = ofTables.added().size();
      *name = ofTables.nameFor(*end);
      if (end->isInvented && ofTables.added().size() > before)
        invented << QString::fromStdString(*name);
    }
  }
  if (!invented.isEmpty())
    emit warned(tr("The positions of these neurons are not known; they were put on grids: %1.")
                    .arg(invented.join(QStringLiteral(", "))));
  parts.projection->addPopulations(ofTables.added());
  parts.connections->setConnections(wanted.connections, parts.connections->shown());
  parts.connections->select(shown);
  parts.projection->setTogether(false);
  emit changed();
  known.removeDuplicates();
  return ProjectionController::Added{{shown, project()}, known};
}

} // namespace hinesight::app
