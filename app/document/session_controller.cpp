#include "app/document/session_controller.hpp"

#include "app/cells/cell_controller.hpp"
#include "app/cells/cell_list_model.hpp"
#include "app/cells/data_panel.hpp"
#include "app/cells/parameter_panel.hpp"
#include "app/cells/run_table_model.hpp"
#include "app/document/seen_views.hpp"
#include "app/plasticity/plasticity_controller.hpp"
#include "app/projection/between_dialog.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/projection/network_comparison_dialog.hpp"
#include "app/projection/population_panel.hpp"
#include "app/projection/projection_controller.hpp"
#include "app/projection/projection_outcome.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/simulation/simulation_controller.hpp"
#include "app/synapses/formation_controller.hpp"
#include "core/error.hpp"
#include "io/networks/neuron_files.hpp"
#include "io/runs/history_records.hpp"
#include "model/moved_files.hpp"
#include "model/session_file.hpp"
#include "study/circuit/circuit_neurons.hpp"
#include "study/circuit/circuit_study.hpp"
#include "study/circuit/connection_table.hpp"
#include "study/circuit/sonata_import.hpp"
#include "study/simulation/session_export.hpp"

#include <QFileInfo>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace hinesight::app {

namespace {

constexpr JobKind kGrownNeurons{.name = "neurons that grow", .stage = "positions"};
constexpr JobKind kBegunNetwork{.name = "network that grows", .stage = "synapses"};

/// How dialogs call the network of the page Plasticity.
const std::string kGrownName = "grown";

using model::Connection;
using model::ConnectionKind;
using projection::PopulationKind;

struct ExportedCircuit
{
  std::vector<study::MadeConnection> made;
  std::vector<std::string> notes; ///< what the files cannot say
};

/// Names that differ.
class Names
{
public:
  /// The name, with a number where it was taken before.
  std::string take(const std::string& wanted)
  {
    std::string name = wanted;
    if (taken.insert(name).second)
      return name;
    int& next = numbers.emplace(wanted, 2).first->second;
    do
      name = wanted + " " + std::to_string(next++);
    while (!taken.insert(name).second);
    return name;
  }

private:
  std::set<std::string> taken;
  std::map<std::string, int> numbers; ///< that come next, of names that were taken before
};

/// The projection of that name, else the first one; the end where there is none.
template <typename Connections>
auto findProjection(Connections& connections, const std::string& name)
{
  const auto isNamed = [&](const Connection& c) { return c.kind == ConnectionKind::Projection && c.name == name; };
  const auto named = std::ranges::find_if(connections, isNamed);
  return named != connections.end() ? named
                                    : std::ranges::find(connections, ConnectionKind::Projection, &Connection::kind);
}

/// Null where there is none.
Connection* findNamed(model::Project& project, ConnectionKind kind, const std::string& name)
{
  const auto found =
      std::ranges::find_if(project.connections, [&](const Connection& c) { return c.kind == kind && c.name == name; });
  return found == project.connections.end() ? nullptr : &*found;
}

Connection* findFormed(model::Project& project, const std::string& name)
{
  return findNamed(project, ConnectionKind::Formed, name);
}

/// What was in the files of cells when the session was saved (model::contentHash), by these; empty: not known.
std::map<std::string, std::string> knownHashes(const std::vector<model::Cell>& cells)
{
  std::map<std::string, std::string> hashes;
  for (const model::Cell& cell : cells)
    hashes.emplace(cell.file, cell.hash);
  return hashes;
}

/// Infinite where only a file says so.
double countNeurons(const study::PopulationChoice& choice)
{
  const projection::PopulationParameters& p = choice.parameters;
  switch (p.kind) {
  case PopulationKind::Grid:
    return static_cast<double>(p.size[0]) * static_cast<double>(p.size[1]) * static_cast<double>(p.size[2]);
  case PopulationKind::Box:
  case PopulationKind::Sphere:
    return static_cast<double>(p.count);
  case PopulationKind::File:
    return std::numeric_limits<double>::infinity();
  case PopulationKind::Given:
    break;
  }
  return choice.given ? static_cast<double>(choice.given->count()) : 0;
}

/// The name of the file, where a connection can have it.
std::string nameOfTable(const QFileInfo& file)
{
  const std::string name = file.completeBaseName().toStdString();
  try {
    model::requireName("connection", name);
    return name;
  } catch (const Error&) {
    return "table";
  }
}

/// The populations of tables that were opened: those that there are, and those that are added to them.
class NewPopulations
{
public:
  using End = ProjectionController::ReadTable::End;

  explicit NewPopulations(std::vector<study::PopulationChoice> populations) : all(std::move(populations)) {}

  const std::vector<study::PopulationChoice>& added() const { return more; }
  /// Of the population with that name and as many neurons, which is added where it is not there; with a number where
  /// others have the name.
  std::string nameFor(const End& end)
  {
    study::PopulationChoice choice = end.choice;
    const std::string wanted = choice.parameters.name;
    for (int k = 1;; ++k) {
      if (k > 1)
        choice.parameters.name = wanted + " " + std::to_string(k);
      const std::string& name = choice.parameters.name;
      const auto found =
          std::ranges::find(all, name, [](const study::PopulationChoice& each) { return each.parameters.name; });
      if (found == all.end()) {
        all.push_back(choice);
        more.push_back(choice);
        return name;
      }
      const bool isNamesake = k == 1 && found->parameters.kind == PopulationKind::File;
      if (study::makeTheSame(*found, choice) || (isNamesake && end.ofNamesake == end.count) || isAsLarge(*found, end))
        return name;
    }
  }

private:
  /// Neurons that only a table knew are in no circuit.
  static bool isAsLarge(const study::PopulationChoice& population, const End& end)
  {
    const bool isOfTable = population.parameters.kind == PopulationKind::Given && !population.isSomata;
    return !isOfTable && countNeurons(population) == static_cast<double>(end.count);
  }

  std::vector<study::PopulationChoice> all;
  std::vector<study::PopulationChoice> more;
};

/// Sets of cells have other words for them: those that `words` gives for their own. A cell without is left out, and so
/// is a set of none.
std::vector<selection::NamedSelection> translated(const std::vector<selection::NamedSelection>& sets,
                                                  const std::map<std::string, std::string>& words)
{
  std::vector<selection::NamedSelection> all;
  for (const selection::NamedSelection& set : sets) {
    selection::NamedSelection other{set.name, set.expression};
    for (const std::string& cell : set.cells)
      if (const auto word = words.find(cell); word != words.end())
        other.cells.push_back(word->second);
    if (set.cells.empty() || !other.cells.empty())
      all.push_back(std::move(other));
  }
  return all;
}

/// Whether someone set its fields: it is neither as the page begins, nor on another backend alone.
bool isOfAPerson(study::FormationRequest request)
{
  const synapse::FormationParameters standard;
  request.source.populations.clear();
  request.formation.backend = standard.backend;
  request.formation.threads = standard.threads;
  request.formation.keepsTree = standard.keepsTree;
  return request != study::FormationRequest();
}

/// Of its cells, by their names.
std::map<std::string, std::string> filesIn(const model::Project& project)
{
  std::map<std::string, std::string> files;
  for (const model::Cell& cell : project.cells)
    files.emplace(cell.name, cell.file);
  return files;
}

/// Sets as the window has them.
std::vector<selection::NamedSelection> setsByFiles(const model::Project& project)
{
  return translated(project.selections, filesIn(project));
}

/// The same as the project has them.
std::vector<selection::NamedSelection> setsByNames(const std::vector<selection::NamedSelection>& sets,
                                                   const std::vector<model::Cell>& cells)
{
  std::map<std::string, std::string> names;
  for (const model::Cell& cell : cells)
    names.emplace(cell.file, cell.name);
  return translated(sets, names);
}

/// Connections, stimuli and probes whose populations are there.
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

/// The cells of a population that are open, each with its model.
void keepOpenCells(model::Population& population, const std::set<std::string>& open)
{
  const bool hasModelOfEach = population.models.size() > 1 && population.models.size() == population.cells.size();
  std::vector<std::string> cells, models;
  for (std::size_t k = 0; k < population.cells.size(); ++k)
    if (open.contains(population.cells[k])) {
      cells.push_back(population.cells[k]);
      if (hasModelOfEach)
        models.push_back(population.models[k]);
    }
  population.cells = std::move(cells);
  if (hasModelOfEach)
    population.models = std::move(models);
}

} // namespace

QString leftOutInWords(const std::vector<std::string>& connections)
{
  QStringList names;
  for (const std::string& each : connections)
    names << QString::fromStdString(each);
  if (names.isEmpty())
    return {};
  return (names.size() == 1
              ? SessionController::tr("The connection %1 takes no part in the simulation: it has no synapses. To give "
                                      "it some, double-click it in the tab Simulation of Circuit and choose where its "
                                      "Synapses are.")
              : SessionController::tr("These connections take no part in the simulation, since they have no synapses: "
                                      "%1. To give them some, double-click each in the tab Simulation of Circuit and "
                                      "choose where its Synapses are."))
      .arg(names.join(QStringLiteral(", ")));
}

SessionController::SessionController(Jobs* ofWindow, const Parts& ofParts, QObject* parent)
    : QObject(parent), jobs(ofWindow), parts(ofParts)
{
  parts.projection->setNaming([this] { return parts.connections->shown(); });
  parts.formation->setNaming([this] { return formed.name; });
  parts.projection->setAdding(
      [this](const std::vector<ProjectionController::ReadTable>& tables) { return addOpened(tables); });
  connect(parts.connections, &ConnectionPanel::chosen, this, &SessionController::choose);
  connect(parts.connections, &ConnectionPanel::addRequested, this, &SessionController::addConnection);
  connect(parts.connections, &ConnectionPanel::formRequested, this, [this](const std::vector<std::string>& between) {
    Connection added;
    added.kind = ConnectionKind::Formed;
    added.between = between;
    addFormed(std::move(added));
  });
  connect(parts.connections, &ConnectionPanel::makeRequested, this, &SessionController::makeConnections);
  connect(parts.connections, &ConnectionPanel::figuresChanged, this, [this] { drawCircuit(project()); });
  connect(parts.projection, &ProjectionController::togetherShown, this, &SessionController::makeWhatIsSmall);
  connect(parts.projection, &ProjectionController::makeAllWanted, this, &SessionController::makeConnections);
  connect(parts.projection, &ProjectionController::connectionPicked, this, [this](const QString& name) {
    const auto& all = parts.connections->connections();
    const auto picked = std::ranges::find(all, name.toStdString(), &Connection::name);
    if (picked == all.end())
      return;
    const Connection connection = *picked;
    parts.connections->select(connection.name);
    choose(connection);
  });
  connect(parts.connections, &ConnectionPanel::refused, this, &SessionController::failed);
  connect(parts.connections, &ConnectionPanel::compareRequested, this, &SessionController::compare);
  connect(parts.connections, &ConnectionPanel::renamed, this,
          [this](const std::string& before, const std::string& now) {
            if (formed.name == before)
              formed.name = now;
            if (begun.connection == before)
              begun.connection = now;
            if (coming && coming->name == before)
              coming->name = now;
            if (parts.projection->fileShown() == before)
              parts.projection->renameFile(now);
          });
  connect(parts.connections, &ConnectionPanel::changed, this, [this] {
    const model::Project now = project();
    showConnections(now, shownIn(now)); // the one that was shown may be gone
    emit changed();
  });
  connect(parts.list, &DataPanel::cellsChosen, this, [this](const std::vector<int>& rows) {
    std::vector<std::string> files;
    for (const int row : rows)
      files.push_back(parts.cells->cells()[static_cast<std::size_t>(row)].source.path);
    parts.selection->setChosenFiles(std::move(files));
  });
  connect(parts.selection, &BranchSelection::cellsWanted, this, &SessionController::chooseCells);
  connect(parts.cells, &CellListModel::fileReplaced, parts.selection, &BranchSelection::replaceFile);
  connect(parts.populations, &PopulationPanel::renamed, this, &SessionController::renamePopulation);
  connect(parts.populations, &PopulationPanel::removed, this, &SessionController::sayWhatIsLost);
  connect(parts.growth, &PlasticityController::populationsWanted, this, &SessionController::askWhoGrows);
  connect(parts.growth, &PlasticityController::startTaken, this, &SessionController::takeStart);
  connect(parts.growth, &PlasticityController::seen, this, &SessionController::growWhatIsThere);
  parts.formation->setBeginning([this] { return formWhatIsThere(); });
  parts.growth->setNaming([this] {
    model::Project now = project();
    return now.grow->connection.empty() || !isAsBegun(now) ? std::string() : now.grow->connection;
  });
  untouched = parts.populations->populations();
  standardGrowth = parts.growth->request();
  connect(jobs, &Jobs::delivered, this, [this](const JobKind& kind) {
    if (kind == kTable && !jobs->isActive(kTable)) // what was opened is read as a connection next
      takeTable();
  });
  connect(parts.projection, &ProjectionController::shownAgain, this, &SessionController::takeTable);
  connect(parts.formation, &FormationController::shown, this, &SessionController::takeNetwork);
}

/// That the page of projections shows: the list of connections has its figures.
void SessionController::takeTable()
{
  const ProjectionOutcome& made = parts.projection->outcome();
  if (!made.table)
    return;
  const std::string& ofFile = parts.projection->fileShown();
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

/// The same of the page Synapses.
void SessionController::takeNetwork(const FormationOutcome& outcome)
{
  const study::FormationRequest onPage = parts.formation->request();
  model::Project listed = project();
  emit formedShown();
  const Connection* const listedAs = findFormed(listed, formed.name);
  if (!onPage.source.given || onPage.source.given != outcome.formation->population || !listedAs)
    return;
  Connection connection = *listedAs;
  if (const auto& request = parts.formation->requestOfNetwork())
    connection.formation = request->formation; // the fields may say something else by now
  parts.connections->setFigures(connection,
                                {outcome.formation->network.synapses.size(), outcome.formation->timings.total(),
                                 outcome.distances.synapses, outcome.joins});
}

/// The page of projections draws populations of open cells as these.
void SessionController::drawCells(const model::Project& project)
{
  std::unordered_map<std::string_view, const OpenCell*> open;
  for (const OpenCell& cell : parts.cells->cells())
    open.emplace(cell.source.path, &cell);
  parts.projection->drawCells(project, [&](const std::string& path) {
    const auto found = open.find(path);
    return found == open.end() ? nullptr : found->second->morphology;
  });
}

/// The connections that join a population go with it.
void SessionController::sayWhatIsLost(const std::string& population)
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

/// What names it follows.
void SessionController::renamePopulation(const std::string& before, const std::string& now)
{
  const auto follow = [&](std::string& name) {
    if (name == before)
      name = now;
  };
  std::vector<Connection> connections = parts.connections->connections();
  for (Connection& connection : connections) {
    follow(connection.source);
    follow(connection.target);
    std::ranges::for_each(connection.between, follow);
  }
  parts.connections->renamePopulation(std::move(connections), before, now);
  for (model::Stimulus& stimulus : kept.stimuli)
    follow(stimulus.population);
  for (model::ProbeRequest& probe : kept.probes)
    follow(probe.population);
  const study::NeuronSource source = parts.growth->request().source;
  std::vector<std::string> names = source.populations;
  std::ranges::for_each(names, follow);
  if (names != source.populations)
    parts.growth->setNeurons(names, source.given);
}

/// A cell that the session had keeps its name.
std::vector<model::Cell> SessionController::openCells() const
{
  std::map<std::string, const model::Cell*> had;
  for (const model::Cell& cell : kept.cells)
    had.emplace(cell.file, &cell);
  Names names;
  std::vector<model::Cell> cells;
  for (const CellChoice& open : parts.cells->choices()) {
    const auto before = had.find(open.path);
    model::Cell cell;
    cell.name =
        names.take(before == had.end() ? QFileInfo(QString::fromStdString(open.path)).completeBaseName().toStdString()
                                       : before->second->name);
    cell.file = open.path;
    cell.scale = open.scale;
    cell.place = open.place;
    cell.isShown = open.visible;
    cells.push_back(std::move(cell));
  }
  return cells;
}

/// Those that are open.
void SessionController::chooseCells(const std::vector<std::string>& files)
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

std::vector<model::Population> SessionController::populationsOf(const std::vector<model::Cell>& cells) const
{
  std::set<std::string> cellNames;
  for (const model::Cell& cell : cells)
    cellNames.insert(cell.name);
  Names names;
  std::vector<model::Population> populations;
  for (const study::PopulationChoice& choice : parts.populations->populations()) {
    model::Population population = parts.populations->traitsOf(choice.parameters.name);
    population.placement = choice.parameters;
    population.nodes = choice.nodes;
    if (choice.isSomata) {
      if (population.cells.empty()) // all, whichever they are
        for (const model::Cell& cell : cells)
          population.cells.push_back(cell.name);
    } else if (choice.parameters.kind == PopulationKind::Given)
      ofTables.insert_or_assign(choice.parameters.name, choice);
    keepOpenCells(population, cellNames);
    population.placement.name = names.take(population.name());
    populations.push_back(std::move(population));
  }
  return populations;
}

model::Project SessionController::project() const
{
  model::Project project = kept;
  project.cells = openCells();
  project.populations = populationsOf(project.cells);
  project.selections = setsByNames(parts.selection->sets(), project.cells);
  project.solve = parts.parameters->parameters();
  const study::ProjectionRequest request = parts.projection->request();
  project.compute = request.compute;
  project.connections = parts.connections->connections();
  dropLost(project);
  Connection* shown = findNamed(project, ConnectionKind::Projection, parts.connections->shown());
  if (project.connections.empty()) { // what the page of projections shows is one
    Connection connection;
    connection.name = request.source.parameters.name + "_to_" + request.destination.parameters.name;
    shown = &project.connections.emplace_back(std::move(connection));
  }
  if (shown) { // else the one that the page shows was removed, and no other one takes its place
    shown->source = request.source.parameters.name;
    shown->target = request.destination.parameters.name;
    shown->projection = request.parameters;
  }
  const study::FormationRequest onPage = parts.formation->request();
  if (comingForm)
    ownForm = comingForm;
  else if (!onPage.source.given || formed.name.empty()) {
    ownForm = onPage;
    ownForm->source.given = nullptr; // they are placed when the populations are there
  } else if (Connection* const connection = findFormed(project, formed.name))
    connection->formation = onPage.formation;
  project.form.reset();
  if (ownForm)
    project.form = model::FormationRun{*ownForm, kept.form && kept.form->isRun};
  if (!project.grow)
    project.grow.emplace();
  static_cast<study::GrowthRequest&>(*project.grow) = parts.growth->request(); // how far it grows is kept
  project.grow->connection = nameOfBegun(project);
  project.grow->start = nullptr;
  project.grow->source.given = nullptr; // they are placed when the populations are there
  return project;
}

/// The formed connection that the network of the page Plasticity begins with; empty: none.
std::string SessionController::nameOfBegun(model::Project& project) const
{
  const bool isBegun = isBeginning || (begun.start && begun.start == parts.growth->request().start);
  return isBegun && findFormed(project, begun.connection) ? begun.connection : std::string();
}

/// Whether that connection is still as it was when the network began with it.
bool SessionController::isAsBegun(model::Project& project) const
{
  const Connection* const now = findFormed(project, begun.connection);
  if (!now)
    return false;
  synapse::FormationParameters formation = now->formation;
  formation.backend = begun.formation.backend;
  formation.threads = begun.formation.threads;
  formation.keepsTree = begun.formation.keepsTree;
  return formation == begun.formation && study::partWith(project, now->between) == begun.part;
}

model::Project SessionController::projectToRun() const
{
  model::Project project = this->project();
  if (project.form)
    project.form->isRun = project.form->isRun || isOfAPerson(*project.form);
  if (!isBeginning && !isAsBegun(project))
    project.grow->connection.clear();
  if (const std::uint32_t steps = parts.growth->stepsGrown(); steps > 0)
    project.grow->steps = steps;
  return project;
}

void SessionController::open(const QString& path, const std::vector<std::string>& moreCells)
{
  read(path, path, moreCells);
}

void SessionController::openAsNew(const QString& path)
{
  read(path, {}, {});
}

/// `own`: the file that it is saved to.
void SessionController::read(const QString& path, const QString& own, const std::vector<std::string>& moreCells)
{
  jobs->submit(
      kSession,
      [from = path.toStdString()](const JobContext& context) {
        model::ReadSession session = model::readSession(from);
        const std::vector<std::string> changed = model::changedCells(session.project, context.control());
        session.warnings.insert(session.warnings.end(), changed.begin(), changed.end());
        return session;
      },
      [this, path, own, moreCells](const model::ReadSession& session) {
        file = own;
        take(QFileInfo(path).fileName(), session, moreCells);
      });
}

void SessionController::importCircuit(const QString& configuration)
{
  jobs->submit(
      kSession,
      [from = configuration.toStdString()](const JobContext& context) {
        return study::importSonata(from, context.control());
      },
      [this, configuration](const study::ImportedSonata& imported) {
        file.clear();
        take(QFileInfo(configuration).fileName(), {imported.project, {}, imported.warnings, {}, {}}, {});
      },
      {{}, [this] { emit told(tr("Cancelled; no circuit was opened.")); }});
}

void SessionController::take(const QString& name, const model::ReadSession& session,
                             const std::vector<std::string>& moreCells)
{
  const model::Project& read = session.project;
  hasSession = true;
  for (const std::string& warning : session.warnings)
    emit warned(QStringLiteral("%1: %2").arg(name, QString::fromStdString(warning)));
  parts.cells->forgetRemoved(); // the session is opened as its files are now
  show(read, {hiddenIn(read, session.view), {}, session.view.paths, historyOf(session.runs)});
  parts.cells->add(moreCells);
  showSeen(read, session.view);
  sayWhatIsMissing(session.missing);
  emit opened(tr("Open %1").arg(name));
  const auto counted = [](std::size_t count, const QString& one, const QString& many) {
    return QStringLiteral("%1 %2").arg(count).arg(count == 1 ? one : many);
  };
  emit told(tr("Opened %1: %2, %3, %4.")
                .arg(name, counted(read.cells.size(), tr("cell"), tr("cells")),
                     counted(read.populations.size(), tr("population"), tr("populations")),
                     counted(read.connections.size(), tr("connection"), tr("connections"))));
}

void SessionController::restore(const model::Project& wanted, const model::SessionView& seen,
                                const io::SharedRuns& runs)
{
  file = QString::fromStdString(seen.savedAs);
  hasSession = true;
  show(wanted, {hiddenIn(wanted, seen), {}, seen.paths, historyOf(runs)});
  showSeen(wanted, seen);
  sayWhatIsMissing(model::missingFiles(wanted));
}

void SessionController::sayWhatIsMissing(const std::vector<std::string>& files)
{
  QStringList names;
  for (const std::string& each : files)
    names << QString::fromStdString(each);
  emit filesMissing(names);
}

void SessionController::locate(const QString& folder)
{
  model::Project wanted = project();
  std::map<std::string, std::string> known = knownHashes(kept.cells);
  for (model::Cell& cell : wanted.cells)
    cell.hash = known[cell.file];
  jobs->submit(
      kSession,
      [wanted = std::move(wanted), from = folder.toStdString()](const JobContext& context) {
        return model::findMovedFiles(wanted, from, model::Search::FoldersToo, context.control());
      },
      [this, folder](const std::vector<model::MovedFile>& moved) {
        model::Project found = project();
        model::moveFiles(found, moved);
        show(found, aside());
        const std::vector<std::string> missing = model::missingFiles(found);
        sayWhatIsMissing(missing);
        emit changed();
        emit told(missing.empty() ? tr("All missing files are found.")
                                  : tr("%1 of %2 missing files were found in %3.")
                                        .arg(moved.size())
                                        .arg(moved.size() + missing.size())
                                        .arg(folder));
      },
      {{}, [this] { emit told(tr("Cancelled; no file was looked for any more.")); }});
}

// ---- what a person sees ----

Aside SessionController::aside() const
{
  return {hidden(), formedOnPage(), parts.seen->paths(), parts.runs->history()};
}

/// The connection whose synapses the page shows, now or soon; empty: it shows those of its own.
std::string SessionController::formedOnPage() const
{
  if (coming)
    return coming->name;
  return parts.formation->request().source.given ? formed.name : std::string();
}

/// Of the cells that are open.
HiddenByFile SessionController::hidden() const
{
  HiddenByFile all = parts.selection->hiddenByFile();
  std::set<std::string> open;
  for (const CellChoice& cell : parts.cells->choices())
    open.insert(cell.path);
  std::erase_if(all, [&](const auto& ofFile) { return !open.contains(ofFile.first); });
  return all;
}

model::SessionView SessionController::view() const
{
  model::SessionView seen;
  seen.page = parts.page();
  const std::string& ofFile = parts.projection->fileShown();
  seen.connection = ofFile.empty() ? parts.connections->shown() : ofFile;
  seen.formed = formedOnPage();
  seen.isCircuitOpen = parts.simulation->hasCircuit();
  const HiddenByFile hiddenOnes = hidden();
  const std::vector<model::Cell> open = openCells();
  for (const model::Cell& cell : open)
    if (const auto found = hiddenOnes.find(cell.file); found != hiddenOnes.end())
      seen.hidden.push_back({cell.name, found->second});
  seen.isTogether = parts.projection->isTogether();
  seen.inChosenCells = parts.selection->isInChosenCells();
  for (const int row : parts.list->chosenRows())
    seen.chosenCells.push_back(open[static_cast<std::size_t>(row)].name);
  parts.seen->addTo(seen, open);
  return seen;
}

HiddenByFile SessionController::hiddenIn(const model::Project& project, const model::SessionView& seen) const
{
  const std::map<std::string, std::string> files = filesIn(project);
  HiddenByFile hiddenOnes;
  for (const model::HiddenBranches& each : seen.hidden)
    if (const auto named = files.find(each.cell); named != files.end())
      hiddenOnes.emplace(named->second, each.branches);
  return hiddenOnes;
}

/// As far as it is there. Where a session says nothing, its first formed connection is shown in place of the neurons
/// that the page Synapses begins with.
void SessionController::showSeen(const model::Project& wanted, const model::SessionView& seen)
{
  const auto& connections = wanted.connections;
  const auto shown = std::ranges::find(connections, seen.connection, &Connection::name);
  const bool isProjection = shown != connections.end() && shown->kind == ConnectionKind::Projection;
  if (isProjection && shown->name != parts.connections->shown())
    showConnections(wanted, shown->name);
  else if (shown != connections.end() && shown->kind == ConnectionKind::File)
    parts.projection->showFileOnPage(wanted, shown->name);
  const auto first = std::ranges::find(connections, ConnectionKind::Formed, &Connection::kind);
  model::Project listed = wanted;
  if (findFormed(listed, seen.formed))
    showFormed(project(), seen.formed, false);
  else if (!wanted.form && first != connections.end())
    showFormed(project(), first->name, false);
  const std::set<std::string> names(seen.chosenCells.begin(), seen.chosenCells.end());
  std::vector<int> chosen;
  for (std::size_t row = 0; row < wanted.cells.size(); ++row)
    if (names.contains(wanted.cells[row].name))
      chosen.push_back(static_cast<int>(row));
  if (chosen.empty() && parts.list->chosenRows().empty())
    chosen.push_back(0); // as where files are opened
  if (!chosen.empty())
    parts.list->chooseCells(chosen);
  parts.selection->setInChosenCells(seen.inChosenCells);
  parts.projection->setTogether(seen.isTogether);
  parts.seen->show(seen, wanted.cells);
  if (!seen.page.empty())
    emit pageNamed(seen.page);
  if (seen.isCircuitOpen)
    parts.simulation->reopenCircuit();
}

void SessionController::exportCircuit(const QString& folder)
{
  const model::Project whole = project();
  jobs->submit(
      kCircuit,
      [wanted = whole, to = folder.toStdString()](const JobContext& context) {
        const study::Circuit circuit = study::makeCircuit(wanted, context.control());
        ExportedCircuit exported{circuit.connections, study::exportWithSimulation(circuit, to, context.control())};
        for (study::MadeConnection& each : exported.made)
          each.table = nullptr; // it goes with the circuit
        return exported;
      },
      [this, whole, folder](const ExportedCircuit& circuit) {
        takeFigures(whole, circuit.made);
        emit exported(folder);
        for (const std::string& note : circuit.notes)
          emit warned(QString::fromStdString(note));
      },
      {{}, [this] { emit told(tr("Cancelled; the circuit was not written whole.")); }});
}

/// Of connections that were made of a project: the list has them, and so has the history of runs.
void SessionController::takeFigures(const model::Project& project, const std::vector<study::MadeConnection>& made)
{
  for (const study::MadeConnection& each : made) {
    const auto connection = std::ranges::find(project.connections, each.name, &Connection::name);
    if (connection == project.connections.end())
      continue;
    parts.connections->setFigures(*connection, {each.rows, each.timings.total(), each.synapses, each.joins});
    if (!each.run)
      continue;
    io::RunRecord run = *each.run;
    run.source = io::nameConnection(each.name, run.source);
    emit ran(run, [this, before = *connection] { bringBack(before); });
  }
}

void SessionController::bringBack(const Connection& connection, std::optional<Backend> backend)
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
  wanted.compute.backend = backend.value_or(wanted.compute.backend);
  change(wanted);
  choose(connection);
}

/// What the page Projection shows of all connections together.
void SessionController::drawCircuit(const model::Project& project)
{
  widgets::CircuitPicture picture;
  const std::vector<study::PopulationChoice>& choices = parts.populations->populations();
  for (std::size_t k = 0; k < choices.size(); ++k)
    picture.populations.push_back({QString::fromStdString(choices[k].parameters.name),
                                   parts.populations->describe(choices[k]), parts.populations->colourOf(k)});
  const auto add = [&](const Connection& connection, const std::string& source, const std::string& target,
                       const study::PopulationJoin* made) {
    const auto placeOf = [&](const std::string& name) {
      const auto found = std::ranges::find(
          choices, name, [](const study::PopulationChoice& choice) { return choice.parameters.name; });
      return static_cast<std::size_t>(found - choices.begin());
    };
    widgets::CircuitPicture::Join join{
        .connection = QString::fromStdString(connection.name), .source = placeOf(source), .target = placeOf(target)};
    if (made) {
      join.rows = static_cast<double>(made->rows);
      join.weight = made->weight;
    }
    if (join.source < choices.size() && join.target < choices.size())
      picture.joins.push_back(std::move(join));
  };
  for (const Connection& connection : project.connections) {
    if (const ConnectionFigures* const made = parts.connections->figuresOf(connection.name)) {
      for (const study::PopulationJoin& join : made->joins)
        add(connection, join.source, join.target, &join);
      continue;
    }
    if (connection.kind != ConnectionKind::Formed)
      add(connection, connection.source, connection.target, nullptr);
    else
      for (const std::string& from : connection.between)
        for (const std::string& to : connection.between)
          add(connection, from, to, nullptr);
  }
  const std::string& ofFile = parts.projection->fileShown();
  picture.chosen = QString::fromStdString(ofFile.empty() ? parts.connections->shown() : ofFile);
  parts.projection->drawCircuit(std::move(picture));
}

/// Under the name that it has in `wanted`: a renaming that is undone leaves the connection where it was.
void SessionController::followFormed(const model::Project& now, const model::Project& wanted)
{
  if (std::ranges::find(wanted.connections, formed.name, &Connection::name) != wanted.connections.end() ||
      now.connections.size() != wanted.connections.size())
    return;
  const auto place = std::ranges::find(now.connections, formed.name, &Connection::name) - now.connections.begin();
  if (std::cmp_less(place, wanted.connections.size()))
    formed.name = wanted.connections[place].name;
}

void SessionController::change(const model::Project& wanted)
{
  show(wanted, aside());
  emit changed();
}

void SessionController::setSimulation(const simulation::SimulationParameters& parameters)
{
  if (!kept.simulate)
    kept.simulate.emplace();
  if (kept.simulate->parameters == parameters)
    return;
  kept.simulate->parameters = parameters;
  emit changed();
}

void SessionController::show(const model::Project& wanted, const Aside& aside, const Selected& selected)
{
  if (aside.runs)
    parts.runs->setHistory(aside.runs); // first: what this leads to runs in it
  const model::Project now = project();
  kept = wanted;
  followFormed(now, wanted);
  const bool solvesOtherwise = now.solve != wanted.solve;
  if (solvesOtherwise)
    parts.parameters->setParameters(wanted.solve); // before the cells, which are solved by them
  std::vector<CellChoice> cells;
  std::set<std::string> paths;
  for (const model::Cell& cell : wanted.cells)
    if (paths.insert(cell.file).second)
      cells.push_back({cell.file, cell.scale, cell.place, cell.isShown});
  parts.cells->setCells(cells);
  if (!std::ranges::equal(now.cells, wanted.cells, {}, &model::Cell::name, &model::Cell::name))
    parts.seen->showPaths(aside.paths);
  parts.selection->hideByFile(aside.hidden, !solvesOtherwise);
  if (auto sets = setsByFiles(wanted); sets != parts.selection->sets())
    parts.selection->setSets(std::move(sets));
  if (solvesOtherwise)
    emit parametersWanted(wanted.solve);
  // Last: of the cells that are there, this says what is hidden, too.
  parts.selection->restore(selected, jobs->isActive(kCells));
  if (now.populations != wanted.populations || now.connections != wanted.connections || now.compute != wanted.compute)
    showConnections(wanted, shownIn(wanted));
  model::Project next = wanted;
  study::FormationRequest onPage = parts.formation->request();
  const Connection* const connection = onPage.source.given ? findFormed(next, formed.name) : nullptr;
  if (!connection && findFormed(next, aside.formed)) {
    showFormed(wanted, aside.formed, false);
  } else if (connection && wanted.form == now.form) {
    onPage.formation = connection->formation;
    parts.formation->show(onPage);
  } else if (wanted.form)
    showOwnForm(wanted);
  else if (onPage.source.given) // of a circuit that is gone
    parts.formation->show(ownForm.value_or(study::FormationRequest()));
  if (wanted.grow)
    showGrowth(wanted);
}

/// What a run starts with stays, unless that is another connection of the circuit.
void SessionController::showGrowth(const model::Project& wanted)
{
  parts.growth->show(*wanted.grow);
  model::Project now = wanted;
  if (isBeginning)
    jobs->drop(kBegunNetwork);
  isBeginning = false;
  const std::string& name = wanted.grow->connection;
  const bool hasOne = begun.start && begun.start == parts.growth->request().start;
  if (hasOne && name.empty())
    parts.growth->begin(nullptr);
  const Connection* const connection = findFormed(now, name);
  if (!connection || (hasOne && begun.connection == name))
    return;
  isBeginning = true;
  begun = {nullptr, name, connection->formation, study::partWith(wanted, connection->between)};
  const auto end = [this] { isBeginning = false; };
  jobs->submit(
      kBegunNetwork,
      [wanted, name](const JobContext& context) { return study::startFrom(wanted, name, context.control()); },
      [this](const std::shared_ptr<const study::GrowthStart>& start) {
        isBeginning = false;
        begun.start = start;
        model::Project shown = project();
        if (const Connection* const there = findFormed(shown, begun.connection))
          begun.part = study::partWith(shown, there->between);
        parts.growth->begin(start);
      },
      {[end](const Error&) { end(); }, end});
}

/// The network of the page Synapses, which the page Plasticity begins with from now on.
void SessionController::takeStart(const std::shared_ptr<const study::GrowthStart>& start)
{
  if (std::exchange(isBeginning, false))
    jobs->drop(kBegunNetwork);
  begun = {};
  model::Project now = project();
  const Connection* const connection = findFormed(now, formed.name);
  const auto& made = parts.formation->requestOfNetwork();
  if (connection && made && made->source.given && made->source.given == start->formation->population)
    begun = {start, formed.name, made->formation, formed.part};
}

study::PopulationChoice SessionController::choiceOf(const model::Population& population) const
{
  study::PopulationChoice choice(population.placement);
  if (choice.parameters.kind == PopulationKind::File && io::isSonataFile(choice.parameters.file))
    choice.nodes = population.nodes;
  if (choice.parameters.kind != PopulationKind::Given)
    return choice;
  if (const auto known = ofTables.find(population.name()); known != ofTables.end() && population.cells.empty())
    return known->second;
  choice.isSomata = true;
  return choice;
}

/// The projection that was shown; where another one changed, that.
std::string SessionController::shownIn(const model::Project& wanted) const
{
  const std::vector<Connection>& before = parts.connections->connections();
  const std::string& shown = parts.connections->shown();
  const auto isOther = [&](const Connection& now) {
    return now.kind == ConnectionKind::Projection && std::ranges::find(before, now) == before.end();
  };
  const auto same = std::ranges::find(wanted.connections, shown, &Connection::name);
  const auto other = std::ranges::find_if(wanted.connections, isOther);
  const bool staysSame = same != wanted.connections.end() && !isOther(*same);
  const auto chosen =
      staysSame && other != wanted.connections.end() ? other : findProjection(wanted.connections, shown);
  return chosen == wanted.connections.end() ? std::string() : chosen->name;
}

void SessionController::showConnections(const model::Project& wanted, const std::string& shownName)
{
  std::vector<study::PopulationChoice> populations;
  for (const model::Population& population : wanted.populations)
    populations.push_back(choiceOf(population));
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
    for (const study::PopulationChoice& choice : populations) {
      if (choice.parameters.name == shown->source)
        request.source = choice;
      if (choice.parameters.name == shown->target)
        request.destination = choice;
    }
  } else if (!populations.empty()) {
    request.parameters = {}; // of no connection that there is
    request.source = populations.front();
    request.destination = populations[populations.size() > 1 ? 1 : 0];
  }
  // Where there is no projection, the page shows what a file has, not what fields of nobody would make.
  const auto ofFile = [](const Connection& c) { return c.kind == ConnectionKind::File; };
  auto read = std::ranges::find_if(
      wanted.connections, [&](const Connection& c) { return ofFile(c) && c.name == parts.projection->fileShown(); });
  if (read == wanted.connections.end())
    read = std::ranges::find_if(wanted.connections, ofFile);
  const bool showsFile = shown == wanted.connections.end() && read != wanted.connections.end();
  parts.projection->show(std::move(populations), request,
                         showsFile ? ProjectionController::FileTable{read->name, wanted}
                                   : ProjectionController::FileTable{});
}

void SessionController::listConnections(const model::Project& project)
{
  const auto shown = findProjection(project.connections, parts.connections->shown());
  const std::string name = shown == project.connections.end() ? std::string() : shown->name;
  if (const std::string& before = parts.connections->shown(); before.empty() || before == name)
    parts.connections->setConnections(project.connections, name);
  else
    showConnections(project, name); // the one that was shown went with a population
  std::vector<std::string> populations;
  for (const model::Population& population : project.populations)
    populations.push_back(population.name());
  parts.connections->setPopulations(std::move(populations));
  parts.populations->setCells(project.cells);
  parts.projection->followFile(project);
  drawCells(project);
  drawCircuit(project);
  placeGrown(project);
  // Synapses that are shown follow their populations.
  model::Project listed = project;
  const FormedConnection newest = coming.value_or(formed);
  const Connection* const connection = findFormed(listed, newest.name);
  if (coming && !connection) { // it is gone before it was there
    jobs->drop(kNeurons);
    coming.reset();
  }
  const study::FormationRequest onPage = parts.formation->request();
  const std::vector<std::string>& own = onPage.source.populations;
  if (!coming && !comingForm && onPage.source.given && newest.name.empty() &&
      study::partWith(project, own) != newest.part)
    showOwnForm(project);
  if (connection && (coming || onPage.source.given) && study::partWith(project, connection->between) != newest.part)
    showFormed(project, newest.name, false);
}

/// The neurons are placed on another thread; `isWanted`: then the page is to be seen.
void SessionController::showFormed(const model::Project& wanted, const std::string& name, bool isWanted)
{
  model::Project project = wanted;
  const Connection connection = *findFormed(project, name);
  if (comingForm)
    ownForm = std::exchange(comingForm, std::nullopt);
  coming = {name, study::partWith(project, connection.between)};
  place(kNeurons, wanted, connection.between,
        [this, connection, isWanted](const Neurons& neurons) {
          formed = *std::exchange(coming, std::nullopt);
          study::FormationRequest request;
          request.source.populations = connection.between;
          request.source.given = neurons;
          request.formation = connection.formation;
          parts.formation->show(request);
          if (isWanted)
            emit pageWanted(ViewKind::Synapses);
        },
        {[this](const Error&) { coming.reset(); }, [this] { coming.reset(); }});
}

/// The neurons of these populations; on another thread, where they are not there still.
void SessionController::place(const JobKind& kind, const model::Project& project,
                              const std::vector<std::string>& populations, std::function<void(const Neurons&)> take,
                              JobEnds ends)
{
  const std::pair wanted(populations, study::partWith(project, populations));
  if (const Neurons* const known = placed.find(wanted)) {
    jobs->drop(kind);
    return take(*known);
  }
  jobs->submit(
      kind,
      [project, populations](const JobContext& context) {
        return study::neuronsOf(project, populations, context.control());
      },
      [this, wanted, take = std::move(take)](const Neurons& neurons) {
        constexpr std::uint64_t kOfNeuron = sizeof(synapse::Position) + 5; // its type and its area
        placed.keep(wanted, neurons, neurons->size() * kOfNeuron);
        take(neurons);
      },
      std::move(ends));
}

/// The neurons of populations are placed on another thread, where it is of these.
void SessionController::showOwnForm(const model::Project& project)
{
  study::FormationRequest wanted = *project.form;
  std::vector<std::string>& names = wanted.source.populations;
  if (std::exchange(comingForm, std::nullopt))
    jobs->drop(kNeurons);
  if (!std::ranges::all_of(names, [&](const std::string& name) { return model::findPopulation(project, name); }))
    names.clear();
  if (names.empty())
    return parts.formation->show(wanted);
  comingForm = wanted;
  coming.reset();
  const auto end = [this] { comingForm.reset(); };
  place(kNeurons, project, names,
        [this, wanted](const Neurons& neurons) {
          formed = {{}, study::partWith(this->project(), wanted.source.populations)};
          comingForm.reset();
          study::FormationRequest request = wanted;
          request.source.given = neurons;
          parts.formation->show(request);
        },
        {[end](const Error&) { end(); }, end});
}

/// The populations of a circuit that a person made, as far as pages may begin with them unasked; else none.
std::vector<std::string> SessionController::ownPopulations() const
{
  constexpr double kMostNeurons = 100'000;
  const std::vector<study::PopulationChoice>& choices = parts.populations->populations();
  const auto isSame = [](const study::PopulationChoice& a, const study::PopulationChoice& b) {
    return a.parameters == b.parameters && a.nodes == b.nodes;
  };
  if (std::ranges::equal(choices, untouched, isSame))
    return {};
  std::vector<std::string> names;
  double neurons = 0;
  for (const study::PopulationChoice& choice : choices) {
    names.push_back(choice.parameters.name);
    if (choice.parameters.kind != PopulationKind::File) // whose number only the file says
      neurons += countNeurons(choice);
  }
  return neurons > 0 && neurons <= kMostNeurons ? names : std::vector<std::string>();
}

/// The page Synapses begins with the circuit where nobody said what it shows; false: it stays as it is.
bool SessionController::formWhatIsThere()
{
  const std::vector<std::string> names = ownPopulations();
  const study::FormationRequest onPage = parts.formation->request();
  const bool isSaid =
      coming || comingForm || onPage.source.given || isOfAPerson(onPage) || (kept.form && kept.form->isRun);
  if (names.empty() || isSaid || formedFor == names)
    return false;
  formedFor = names;
  model::Project wanted = project();
  wanted.form->source.populations = names;
  showOwnForm(wanted);
  emit changed();
  return true;
}

/// The same of the page Plasticity.
void SessionController::growWhatIsThere()
{
  const std::vector<std::string> names = ownPopulations();
  study::GrowthRequest onPage = parts.growth->request();
  onPage.model.backend = standardGrowth.model.backend;
  onPage.model.threads = standardGrowth.model.threads;
  const bool isSaid = onPage != standardGrowth || parts.growth->hasNetwork() || (kept.grow && kept.grow->steps > 0);
  if (names.empty() || isSaid || grownFor == names)
    return;
  grownFor = names;
  parts.growth->setNeurons(names, nullptr);
  placeGrown(project());
  emit changed();
}

/// The neurons that grow follow their populations. Where one of these is gone, they are at random again.
void SessionController::placeGrown(const model::Project& project)
{
  const std::vector<std::string> names = parts.growth->request().source.populations;
  const bool isWhole =
      std::ranges::all_of(names, [&](const std::string& name) { return model::findPopulation(project, name); });
  if (names.empty() || !isWhole) {
    grown = {};
    if (!names.empty())
      parts.growth->setNeurons({}, nullptr);
    return;
  }
  model::Project part = study::partWith(project, names);
  if (parts.growth->request().source.given && part == grown)
    return;
  grown = std::move(part);
  place(kGrownNeurons, project, names, [this, names](const Neurons& neurons) {
    if (parts.growth->request().source.populations == names)
      parts.growth->setNeurons(names, neurons);
  });
}

void SessionController::askWhoGrows()
{
  std::vector<std::string> names;
  for (const model::Population& population : project().populations)
    names.push_back(population.name());
  const std::vector<std::string> now = parts.growth->request().source.populations;
  askBetween({tr("Populations that grow"), tr("The neurons of these populations, without synapses:"),
              tr("Axons and dendrites of this population grow"), names, now.empty() ? names : now},
             parts.connections->window(), [this](const std::vector<std::string>& chosen) {
               parts.growth->setNeurons(chosen, nullptr);
               placeGrown(project());
               emit changed();
             });
}

void SessionController::addFormed(Connection added)
{
  model::Project wanted = project();
  Names names;
  for (const Connection& connection : wanted.connections)
    names.take(connection.name);
  added.name = names.take("formed");
  wanted.connections.push_back(added);
  parts.connections->setConnections(wanted.connections, parts.connections->shown());
  parts.connections->select(added.name);
  emit changed();
  showFormed(wanted, added.name, true);
}

/// Each table is a connection of its own that is read from its file; that of the last is returned, to be shown. None
/// where one table is opened and nobody has made anything but the projection of the page: it takes the place of that.
std::optional<ProjectionController::FileTable>
SessionController::addOpened(const std::vector<ProjectionController::ReadTable>& tables)
{
  model::Project wanted = project();
  const bool isOfPageAlone =
      !hasSession && wanted.connections.size() == 1 && wanted.connections.front().kind == ConnectionKind::Projection;
  if (isOfPageAlone && tables.size() == 1)
    return std::nullopt;
  Names names;
  for (const Connection& connection : wanted.connections)
    names.take(connection.name);
  NewPopulations populations(parts.populations->populations());
  QStringList invented;
  for (const ProjectionController::ReadTable& table : tables) {
    const QFileInfo info(QString::fromStdString(table.file));
    Connection& added = wanted.connections.emplace_back();
    added.name = names.take(nameOfTable(info));
    added.kind = ConnectionKind::File;
    added.file = info.absoluteFilePath().toStdString();
    for (const auto& [end, name] :
         {std::pair(&table.source, &added.source), std::pair(&table.destination, &added.target)}) {
      const std::size_t before = populations.added().size();
      *name = populations.nameFor(*end);
      if (end->isInvented && populations.added().size() > before)
        invented << QString::fromStdString(*name);
    }
  }
  if (!invented.isEmpty())
    emit warned(tr("The positions of these neurons are not known; they were put on grids: %1.")
                    .arg(invented.join(QStringLiteral(", "))));
  const std::string shown = wanted.connections.back().name;
  parts.projection->addPopulations(populations.added());
  parts.connections->setConnections(wanted.connections, parts.connections->shown());
  parts.connections->select(shown);
  parts.projection->setTogether(false);
  emit changed();
  return ProjectionController::FileTable{shown, project()};
}

void SessionController::choose(const model::Connection& connection)
{
  parts.projection->setTogether(false);
  if (connection.kind == ConnectionKind::Formed)
    return showFormed(project(), connection.name, true);
  if (connection.kind == ConnectionKind::File)
    return parts.projection->showFile(project(), connection.name);
  if (connection.name != parts.connections->shown())
    showConnections(project(), connection.name);
  else if (!parts.projection->fileShown().empty())
    parts.projection->showFields();
  emit pageWanted(ViewKind::Projection);
}

/// It joins the same populations in the same way, until a person says otherwise.
void SessionController::addConnection()
{
  model::Project wanted = project();
  if (const Connection* const chosen = findFormed(wanted, parts.connections->chosenName()))
    return addFormed(Connection(*chosen));
  const study::ProjectionRequest onPage = parts.projection->request();
  Names names;
  for (const Connection& connection : wanted.connections)
    names.take(connection.name);
  Connection added;
  added.source = onPage.source.parameters.name;
  added.target = onPage.destination.parameters.name;
  added.projection = onPage.parameters;
  added.name = names.take("connection");
  wanted.connections.push_back(added);
  showConnections(wanted, added.name);
  emit changed();
  emit pageWanted(ViewKind::Projection);
}

/// What the page asks for when it shows this projection.
study::ProjectionRequest SessionController::requestOf(const model::Project& project, const Connection& connection) const
{
  study::ProjectionRequest request;
  request.source = choiceOf(*model::findPopulation(project, connection.source));
  request.destination = choiceOf(*model::findPopulation(project, connection.target));
  request.parameters = connection.projection;
  request.compute = project.compute;
  return request;
}

namespace {

/// The connections of a circuit, and as many of its tables as may be kept.
struct MadeAll
{
  std::vector<study::MadeConnection> connections;
  std::vector<std::pair<std::string, ProjectionOutcome>> tables; ///< by the names of connections
};

MadeAll makeAll(const model::Project& project, std::uint64_t bytesOfTables, const RunControl& control)
{
  MadeAll all{study::makeCircuit(project, control).connections, {}};
  for (study::MadeConnection& made : all.connections) {
    const std::shared_ptr<const projection::WeightTable> table = made.table;
    if (table && table->bytes() <= bytesOfTables) {
      control.checkpoint();
      bytesOfTables -= table->bytes();
      all.tables.emplace_back(made.name,
                              withPictures(study::resultOf(made, project.compute.threads, control), control));
    }
    made.table = nullptr;
  }
  return all;
}

} // namespace

/// As 'hinesight-cli run' makes them, for their figures, and for the page of projections to show them.
void SessionController::makeConnections()
{
  const model::Project whole = project();
  jobs->submit(
      kCircuit,
      [wanted = whole, most = ProjectionController::mostKept()](const JobContext& context) {
        return makeAll(wanted, most, context.control());
      },
      [this, whole](const MadeAll& made) {
        takeFigures(whole, made.connections);
        for (const auto& [name, outcome] : made.tables) {
          const auto connection = std::ranges::find(whole.connections, name, &Connection::name);
          study::ProjectionRequest request = requestOf(whole, *connection);
          for (const auto& [choice, neurons] : {std::pair(&request.source, outcome.table->projection.source),
                                                std::pair(&request.destination, outcome.table->projection.destination)})
            if (choice->isSomata)
              choice->given = neurons;
          parts.projection->keep(request, outcome);
        }
        emit told(made.connections.size() == 1 ? tr("Made 1 connection.")
                                               : tr("Made %1 connections.").arg(made.connections.size()));
      },
      {{}, [this] { emit told(tr("Cancelled; the connections were not all made.")); }});
}

void SessionController::compare(const std::string& first, const std::string& second)
{
  std::vector<std::string> names;
  Names taken;
  for (const Connection& connection : parts.connections->connections())
    names.push_back(taken.take(connection.name));
  grownAs = parts.growth->hasNetwork() ? taken.take(kGrownName) : std::string();
  if (!grownAs.empty())
    names.push_back(grownAs);
  if (comparison)
    comparison->close();
  auto* dialog = new NetworkComparisonDialog(names, first, second, parts.connections->window());
  comparison = dialog;
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &NetworkComparisonDialog::wanted, this, [this, dialog] { compareIn(dialog); });
  connect(dialog, &NetworkComparisonDialog::exportWanted, this, [this, dialog](const QString& folder) {
    jobs->submit(
        kComparisonExport,
        [made = dialog->comparisons(), to = folder.toStdString()](const JobContext&) {
          study::writeComparisons(made, to);
        },
        [this, folder] { emit told(tr("Wrote the comparison to %1.").arg(folder)); });
  });
  connect(dialog, &QDialog::finished, this, [this] { jobs->cancel(kComparison); });
  dialog->show();
  if (first == second)
    dialog->showFailure(tr("Choose what %1 is compared with.").arg(QString::fromStdString(first)));
  else
    compareIn(dialog);
}

/// What it wants; the network of the page Plasticity as it is now.
void SessionController::compareIn(NetworkComparisonDialog* dialog)
{
  const study::ComparedSide first = dialog->first(), second = dialog->second();
  const auto isGrown = [this](const study::ComparedSide& side) {
    return !grownAs.empty() && side.file.empty() && side.connection == grownAs;
  };
  if (!isGrown(first) && !isGrown(second))
    return compareSides(dialog, first, second);
  const QPointer<NetworkComparisonDialog> shown = dialog;
  parts.growth->borrowNetwork([this, shown, isGrown, first, second](study::ComparedNetwork network) {
    if (!shown || shown->first() != first || shown->second() != second)
      return;
    network.edges.name = grownAs;
    const study::ComparedSide grownOne{{}, {}, std::make_shared<const study::ComparedNetwork>(std::move(network))};
    compareSides(shown, isGrown(first) ? grownOne : first, isGrown(second) ? grownOne : second);
  });
}

/// Made and compared on another thread.
void SessionController::compareSides(NetworkComparisonDialog* dialog, const study::ComparedSide& first,
                                     const study::ComparedSide& second)
{
  const QPointer<NetworkComparisonDialog> shown = dialog;
  jobs->submit(
      kComparison,
      [wanted = project(), first, second](const JobContext& context) {
        return study::compareConnections(wanted, first, second, {}, context.control());
      },
      [shown](const std::vector<study::NetworkComparison>& made) {
        if (shown)
          shown->showComparisons(made);
      },
      {[shown](const Error& error) {
         if (shown)
           shown->showFailure(QString::fromUtf8(error.what()));
       },
       [this, shown] {
         if (shown && shown->isVisible())
           shown->showFailure(tr("Cancelled; choose a network to compare again."));
       }});
}

/// What is seen together and was not made yet, unless it is so much that a person is to ask for it.
void SessionController::makeWhatIsSmall()
{
  const model::Project wanted = project();
  const auto isMade = [this](const Connection& c) { return parts.connections->figuresOf(c.name) != nullptr; };
  if (std::ranges::all_of(wanted.connections, isMade))
    return;
  const auto neuronsOf = [this](const std::string& name) {
    const auto& choices = parts.populations->populations();
    const auto choice =
        std::ranges::find(choices, name, [](const study::PopulationChoice& each) { return each.parameters.name; });
    return choice == choices.end() ? 0.0 : countNeurons(*choice);
  };
  double pairs = 0;
  for (const Connection& c : wanted.connections) {
    double between = 0;
    for (const std::string& name : c.between)
      between += neuronsOf(name);
    pairs += c.kind == ConnectionKind::Formed ? between * between : neuronsOf(c.source) * neuronsOf(c.target);
  }
  constexpr double kMostPairs = 1e8; // of which a part has rows
  if (pairs <= kMostPairs)
    makeConnections();
}

/// Where a run of the session that was written grows another network than the window has.
void SessionController::sayWhatIsNotGrown(const model::Project& written)
{
  if (parts.growth->request().start && written.grow->connection.empty())
    emit warned(tr("The session does not hold the network that Plasticity begins with: opened again, the page begins "
                   "with its neurons alone. Export the network from Synapses to keep it."));
  else if (parts.growth->isChangedMidway())
    emit warned(tr("Parameters of Plasticity were changed while the network grew. A run of this session has the last "
                   "ones from its first step. Export the network or a checkpoint to keep this one."));
}

void SessionController::save(const QString& path)
{
  jobs->submit(
      kSession,
      [wanted = projectToRun(), seen = view(), runs = parts.runs->shared(), hashes = knownHashes(kept.cells),
       to = path.toStdString()](const JobContext& context) {
        std::map<std::string, std::string> known = hashes;
        model::Project project = wanted;
        for (model::Cell& cell : project.cells) {
          context.control().checkpoint();
          if (model::isSample(cell.file))
            continue;
          try {
            cell.hash = model::contentHash(cell.file);
          } catch (const Error&) { // a file that is not there any more is no reason to lose the rest
            cell.hash = known[cell.file];
          }
        }
        model::writeSession(project, to, seen, runs);
        return project;
      },
      [this, path](const model::Project& written) {
        const model::Project before = std::exchange(kept, written);
        // What a run does is in the file; it is no change of what is open.
        if (kept.form)
          kept.form->isRun = before.form && before.form->isRun;
        if (kept.grow)
          kept.grow->steps = before.grow ? before.grow->steps : 0;
        file = path;
        hasSession = true;
        emit saved(path);
        sayWhatIsNotGrown(written);
      },
      {{}, [this] { emit told(tr("Cancelled; no session was written.")); }});
}

} // namespace hinesight::app
