#include "app/document/document.hpp"

#include "app/cells/cell_controller.hpp"
#include "app/cells/cell_list_model.hpp"
#include "app/cells/data_panel.hpp"
#include "app/cells/parameter_panel.hpp"
#include "app/cells/run_table_model.hpp"
#include "app/document/circuit_connections.hpp"
#include "app/document/circuit_formation.hpp"
#include "app/document/circuit_growth.hpp"
#include "app/document/circuit_maker.hpp"
#include "app/document/circuit_populations.hpp"
#include "app/document/named_sets.hpp"
#include "app/document/network_comparer.hpp"
#include "app/document/placed_neurons.hpp"
#include "app/document/seen_views.hpp"
#include "app/plasticity/plasticity_controller.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/projection/population_panel.hpp"
#include "model/taken_names.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace hinesight::app {

namespace {

using model::Connection;

} // namespace

QString leftOutInWords(const std::vector<std::string>& connections)
{
  QStringList names;
  for (const std::string& each : connections)
    names << QString::fromStdString(each);
  if (names.isEmpty())
    return {};
  return (names.size() == 1
              ? Document::tr("The connection %1 takes no part in the simulation: it has no synapses. To give "
                             "it some, double-click it in the tab Simulation of the dock Circuit and choose where its "
                             "Synapses are.")
              : Document::tr("These connections take no part in the simulation, since they have no synapses: "
                             "%1. To give them some, double-click each in the tab Simulation of the dock Circuit and "
                             "choose where its Synapses are."))
      .arg(names.join(QStringLiteral(", ")));
}

Document::Document(const DocumentParts& ofWindow, QObject* parent)
    : QObject(parent), parts(ofWindow), populations(std::make_unique<CircuitPopulations>(parts.populations)),
      neurons(std::make_unique<PlacedNeurons>(parts.jobs))
{
  const ProjectNow now = [this] { return project(); };
  formation = new CircuitFormation(parts, populations.get(), neurons.get(), now, this);
  connections = new CircuitConnections(parts, populations.get(), formation, now, this);
  growth = new CircuitGrowth(parts, populations.get(), formation, neurons.get(), now, this);
  maker = new CircuitMaker(
      parts, populations.get(), now, [this] { return connectionIds().all(); }, this);
  const auto* comparer = new NetworkComparer(parts, now, this);
  connect(comparer, &NetworkComparer::told, this, &Document::told);
  joinParts();
}

Document::~Document() = default;

void Document::joinParts()
{
  connect(formation, &CircuitFormation::shown, this, &Document::formedShown);
  connect(formation, &CircuitFormation::pageWanted, this, &Document::pageWanted);
  connect(formation, &CircuitFormation::tookOver, this, &Document::tookOver);
  connect(connections, &CircuitConnections::pageWanted, this, &Document::pageWanted);
  connect(connections, &CircuitConnections::changed, this, &Document::changed);
  connect(connections, &CircuitConnections::warned, this, &Document::warned);
  connect(connections, &CircuitConnections::wentWith, this, &Document::wentWith);
  connect(growth, &CircuitGrowth::changed, this, &Document::changed);
  connect(growth, &CircuitGrowth::tookOver, this, &Document::tookOver);
  connect(maker, &CircuitMaker::told, this, &Document::told);
  connect(maker, &CircuitMaker::warned, this, &Document::warned);
  connect(maker, &CircuitMaker::exported, this, &Document::exported);
  connect(maker, &CircuitMaker::made, this,
          [this](const io::RunRecord& run, const Connection& connection, ConnectionIds::Id id) {
            emit ran(run, [this, connection, id] { restoreMade(connection, id); });
          });
  connect(parts.connections, &ConnectionPanel::refused, this, &Document::failed);
  connect(parts.connections, &ConnectionPanel::renamed, this,
          [this](const std::string& before, const std::string& now) { ids.rename(before, now); });
  connect(parts.populations, &PopulationPanel::renamed, this, &Document::renamePopulation);
  connect(parts.list, &DataPanel::cellsChosen, this, [this](const std::vector<int>& rows) {
    std::vector<std::string> files;
    for (const int row : rows)
      files.push_back(parts.cells->cells()[static_cast<std::size_t>(row)].source.path);
    parts.selection->setChosenFiles(std::move(files));
  });
  connect(parts.selection, &BranchSelection::cellsWanted, this, &Document::chooseCells);
  connect(parts.cells, &CellListModel::fileReplaced, parts.selection, &BranchSelection::replaceFile);
}

// ---- what is open ----

model::Project Document::project() const
{
  model::Project project = kept;
  project.cells = openCells();
  project.populations = populations->inProject(project.cells);
  project.selections = setsByNames(parts.selection->sets(), project.cells);
  project.solve = parts.parameters->parameters();
  connections->addTo(project);
  formation->addTo(project);
  growth->addTo(project);
  return project;
}

model::Project Document::toRun(model::Project project) const
{
  CircuitFormation::addRunTo(project);
  growth->addRunTo(project);
  return project;
}

model::Project Document::toKeep(model::Project project) const
{
  model::Project written = toRun(std::move(project));
  const bool hasNetwork = parts.growth->hasNetwork();
  if (hasNetwork && (parts.growth->stepsGrown() == 0 || !growth->whatIsNotGrown(written).isEmpty()))
    written.grow->steps = 0;
  return written;
}

Aside Document::aside() const
{
  return {hidden(), formation->nameOnPage(), parts.seen->paths(), parts.runs->history(), connectionIds().all()};
}

std::vector<model::Cell> Document::openCells() const
{
  std::vector<model::Cell> cells;
  const std::vector<CellChoice> choices = parts.cells->choices();
  for (std::size_t row = 0; row < choices.size(); ++row) {
    const CellChoice& open = choices[row];
    model::Cell cell;
    cell.name = parts.cells->cells()[row].name.toStdString();
    cell.file = open.path;
    cell.scale = open.scale;
    cell.place = open.place;
    cell.isShown = open.visible;
    cell.tags = open.tags;
    cells.push_back(std::move(cell));
  }
  return cells;
}

std::map<std::string, model::Cell> Document::savedCells() const
{
  std::map<std::string, model::Cell> cells;
  for (const model::Cell& cell : kept.cells)
    cells.emplace(cell.file, cell);
  return cells;
}

/// Of the cells that are open.
HiddenByFile Document::hidden() const
{
  HiddenByFile all = parts.selection->hiddenByFile();
  std::set<std::string> open;
  for (const CellChoice& cell : parts.cells->choices())
    open.insert(cell.path);
  std::erase_if(all, [&](const auto& ofFile) { return !open.contains(ofFile.first); });
  return all;
}

/// Those that are open.
void Document::chooseCells(const std::vector<std::string>& files)
{
  const std::set<std::string> wanted(files.begin(), files.end());
  std::vector<int> rows;
  const auto& open = parts.cells->cells();
  for (std::size_t row = 0; row < open.size(); ++row)
    if (wanted.contains(open[row].source.path))
      rows.push_back(static_cast<int>(row));
  if (!rows.empty() || files.empty())
    parts.list->chooseCells(rows);
  else
    emit told(tr("None of these cells is open."));
}

// ---- changes ----

void Document::show(const model::Project& wanted, const Aside& aside, const Selected& selected)
{
  if (aside.runs)
    parts.runs->setHistory(aside.runs); // first: what this leads to runs in it
  const model::Project now = project();
  kept = wanted;
  ids.setAll(aside.connections);
  formation->followName(now, wanted);
  showCells(wanted, now, aside, selected);
  if (now.populations != wanted.populations || now.connections != wanted.connections || now.compute != wanted.compute)
    connections->show(wanted);
  formation->show(wanted, now, aside.formed);
  if (wanted.grow)
    growth->show(wanted);
}

void Document::showCells(const model::Project& wanted, const model::Project& now, const Aside& aside,
                         const Selected& selected)
{
  const bool solvesOtherwise = now.solve != wanted.solve;
  if (solvesOtherwise)
    parts.parameters->setParameters(wanted.solve); // before the cells, which are solved by them
  std::vector<CellChoice> cells;
  std::set<std::string> paths;
  for (const model::Cell& cell : wanted.cells)
    if (paths.insert(cell.file).second)
      cells.push_back({cell.file, cell.scale, cell.place, cell.isShown, cell.tags, cell.name});
  parts.cells->setCells(std::move(cells));
  if (!std::ranges::equal(now.cells, wanted.cells, {}, &model::Cell::name, &model::Cell::name))
    parts.seen->showPaths(aside.paths);
  parts.selection->hideByFile(aside.hidden, !solvesOtherwise);
  if (auto sets = setsByFiles(wanted); sets != parts.selection->sets())
    parts.selection->setSets(std::move(sets));
  if (solvesOtherwise)
    emit parametersWanted(wanted.solve);
  // Last: of the cells that are there, this says what is hidden, too.
  parts.selection->restore(selected, parts.jobs->isActive(kCells));
}

void Document::change(const model::Project& wanted)
{
  show(wanted, aside());
  emit changed();
}

void Document::showSeen(const model::Project& wanted, const std::string& connection, const std::string& formed)
{
  connections->showSeen(wanted, connection);
  formation->showSeen(wanted, formed);
}

void Document::setOfSession()
{
  connections->setOfSession();
}

/// What a run does is in the file; it is no change of what is open.
void Document::takeSaved(const model::Project& written)
{
  const model::Project before = std::exchange(kept, written);
  if (kept.form)
    kept.form->isRun = before.form && before.form->isRun;
  if (kept.grow)
    kept.grow->steps = before.grow ? before.grow->steps : 0;
  setOfSession();
}

void Document::sayWhatIsNotGrown(const model::Project& written)
{
  if (const QString sentence = growth->whatIsNotGrown(written); !sentence.isEmpty())
    emit warned(sentence);
}

void Document::list(const model::Project& project)
{
  connections->follow(project);
  maker->draw(project);
  growth->follow(project);
  formation->follow(project);
}

/// What names it follows.
void Document::renamePopulation(const std::string& before, const std::string& now)
{
  connections->renamePopulation(before, now);
  const auto follow = [&](auto& all) {
    for (auto& part : all)
      if (part.population == before)
        part.population = now;
  };
  follow(kept.stimuli);
  follow(kept.probes);
  formation->renamePopulation(before, now);
  growth->renamePopulation(before, now);
}

void Document::setSimulation(const simulation::SimulationParameters& parameters)
{
  if (!kept.simulate)
    kept.simulate.emplace();
  if (kept.simulate->parameters == parameters)
    return;
  kept.simulate->parameters = parameters;
  emit changed();
}

void Document::setBackend(Backend backend)
{
  parts.connections->setBackend(backend);
  formation->setBackend(backend);
  if (kept.simulate)
    kept.simulate->parameters.backend = backend;
}

void Document::exportCircuit(const QString& folder)
{
  maker->exportTo(folder);
}

// ---- connections that ran ----

void Document::bringBack(const Connection& connection, std::optional<projection::ComputeParameters> compute)
{
  model::Project wanted = project();
  const auto now = std::ranges::find(wanted.connections, connection.name, &Connection::name);
  if (now == wanted.connections.end())
    wanted.connections.push_back(connection);
  else
    *now = connection;
  dropLost(wanted); // what it joined may be gone
  if (std::ranges::find(wanted.connections, connection.name, &Connection::name) == wanted.connections.end()) {
    emit failed(
        tr("The populations that %1 joined are not there any more.").arg(QString::fromStdString(connection.name)));
    return;
  }
  wanted.compute = compute.value_or(wanted.compute);
  change(wanted);
  connections->choose(connection);
}

std::string Document::bringBackAsNew(Connection connection, ConnectionIds::Id id,
                                     std::optional<projection::ComputeParameters> compute)
{
  connection.name = model::TakenNames(project().connections).take(connection.name);
  bringBack(connection, compute);
  if (connectionIds().idOf(connection.name) == 0)
    return connection.name; // its populations are gone, too
  if (id != 0)
    ids.set(connection.name, id);
  emit warned(tr("The connection of that run is not there any more; it was made as the new connection %1.")
                  .arg(QString::fromStdString(connection.name)));
  return connection.name;
}

/// Into the connection that it is of, whatever that is called now.
void Document::restoreMade(const Connection& made, ConnectionIds::Id id)
{
  const std::string name = connectionIds().nameOf(id);
  if (name.empty()) {
    bringBackAsNew(made, id);
    return;
  }
  const model::Project now = project();
  Connection wanted = made;
  wanted.name = name;
  // Synapses are of the simulation.
  if (const auto there = std::ranges::find(now.connections, name, &Connection::name); there != now.connections.end())
    wanted.synapses = there->synapses;
  bringBack(wanted);
}

const ConnectionIds& Document::connectionIds() const
{
  ids.follow(parts.connections->connections());
  return ids;
}

} // namespace hinesight::app
