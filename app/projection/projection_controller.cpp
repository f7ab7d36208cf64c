#include "app/projection/projection_controller.hpp"

#include "app/cells/cell_list_model.hpp"
#include "app/document/command_texts.hpp"
#include "app/files/file_dialogs.hpp"
#include "app/files/openable_files.hpp"
#include "app/pages/page_host.hpp"
#include "app/pages/pages.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/projection/field_size.hpp"
#include "app/projection/population_panel.hpp"
#include "app/projection/projection_page.hpp"
#include "app/projection/projection_panel.hpp"
#include "app/selection/neuron_selection.hpp"
#include "app/shell/bars/status_panel.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "io/networks/neuron_files.hpp"
#include "io/runs/history_records.hpp"
#include "io/tables/projection_export.hpp"
#include "morphology/morphometry.hpp"
#include "study/circuit/circuit_neurons.hpp"
#include "study/circuit/connection_table.hpp"
#include "study/circuit/edge_file.hpp"
#include "widgets/projection/projection_view.hpp"
#include "widgets/theme.hpp"

#include <QFileInfo>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>
#include <variant>

namespace hinesight::app {

namespace {

constexpr JobKind kTableMemory{.name = "table memory", .isQuiet = true, .yields = true};
/// ms of a run that say nothing of its progress: a repaint costs more than it is worth
constexpr double kQuietTime = 150;
constexpr double kLive = 50; // ms; tables that take no longer are made anew while a slider is dragged

/// 0 where they cannot be made.
std::uint64_t countNeurons(const study::PopulationChoice& choice, const RunControl& control)
{
  try {
    return study::makePopulation(choice, control)->count();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::Cancelled)
      throw;
    return 0;
  }
}

/// With one row where their number is prime.
study::PopulationChoice onGrid(const std::string& name, std::uint64_t count)
{
  auto rows = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(count)));
  while (count % rows != 0)
    --rows;
  projection::PopulationParameters parameters;
  parameters.name = name;
  parameters.size = {static_cast<std::uint32_t>(count / rows), static_cast<std::uint32_t>(rows), 1};
  return parameters;
}

/// What made the neurons; else the file of the table, where it holds their positions; else a grid.
ProjectionController::ReadTable::End endOf(const study::PopulationChoice& choice, std::uint64_t count,
                                           const std::string& file, const std::vector<study::PopulationChoice>& known,
                                           const RunControl& control)
{
  using projection::PopulationKind;
  ProjectionController::ReadTable::End end{choice, count};
  const projection::PopulationParameters& parameters = choice.parameters;
  const auto namesake = std::ranges::find(known, parameters.name,
                                          [](const study::PopulationChoice& each) { return each.parameters.name; });
  if (namesake != known.end() && namesake->parameters.kind == PopulationKind::File)
    end.ofNamesake = countNeurons(*namesake, control);
  const bool isMade = parameters.kind != PopulationKind::File && parameters.kind != PopulationKind::Given;
  if (isMade || (parameters.kind == PopulationKind::File && countNeurons(choice, control) == count))
    return end;
  study::PopulationChoice held;
  held.parameters.name = held.nodes = parameters.name;
  held.parameters.kind = PopulationKind::File;
  held.parameters.file = file;
  end.isInvented = !io::isSonataFile(file) || countNeurons(held, control) != count;
  end.choice = end.isInvented ? onGrid(parameters.name, count) : held;
  return end;
}

/// In words of the panel, before the engine says it in those of a command.
void requireFieldSize(const study::ProjectionRequest& request)
{
  const std::string& source = request.source.parameters.name;
  if (lacksFieldSize(request.parameters, request.source))
    throw Error(ErrorCode::BadParameter, "The population " + source +
                                             " is no grid whose rows could be counted; give Field size in the group "
                                             "Kernel of Parameters, or choose another kernel.");
}

void renameIn(std::optional<study::ProjectionRequest>& request, const std::string& before, const std::string& now)
{
  if (request)
    for (study::PopulationChoice* choice : {&request->source, &request->destination})
      if (choice->parameters.name == before)
        choice->parameters.name = now;
}

/// Whether both are given neurons at the same places, by the same name.
bool areSameGiven(const study::PopulationChoice& a, const study::PopulationChoice& b)
{
  if (a.isSomata != b.isSomata || !a.given || !b.given || a.parameters.name != b.parameters.name)
    return false;
  if (a.given == b.given)
    return true;
  const auto lieAlike = [&](int axis) { return a.given->coordinates(axis) == b.given->coordinates(axis); };
  return lieAlike(0) && lieAlike(1) && lieAlike(2);
}

void adoptGiven(study::PopulationChoice& known, const study::PopulationChoice& now)
{
  if (areSameGiven(known, now))
    known.given = now.given;
}

} // namespace

/// With the same names: those are shown.
bool ProjectionController::MakeTheSame::operator()(const study::ProjectionRequest& a,
                                                   const study::ProjectionRequest& b) const
{
  const auto isSame = [](study::PopulationChoice known, const study::PopulationChoice& now) {
    if (known.parameters.name != now.parameters.name)
      return false;
    hinesight::app::adoptGiven(known, now);
    return study::makeTheSame(known, now);
  };
  return a.parameters == b.parameters && a.compute == b.compute && isSame(a.source, b.source) &&
         isSame(a.destination, b.destination);
}

ProjectionController::ProjectionController(Jobs* ofWindow, const Parts& parts, std::function<bool()> whetherShown,
                                           QObject* parent)
    : QObject(parent), jobs(ofWindow), page(parts.page), panel(parts.parameters), populations(parts.populations),
      isPageShown(std::move(whetherShown)), study(std::make_shared<study::ProjectionStudy>())
{
  panel->setPopulations(populations->populations());
  connectPanels();
  connect(jobs, &Jobs::progressed, this, [this](const JobKind& kind, const QString& stage, double fraction) {
    if (kind == kTable)
      takeProgress(stage, fraction);
  });
}

void ProjectionController::connectPanels()
{
  connect(panel, &ProjectionPanel::edited, this, &ProjectionController::edited); // first: what it makes has a name
  connect(panel, &ProjectionPanel::edited, this, &ProjectionController::takeEdit);
  connect(populations, &PopulationPanel::changed, this, &ProjectionController::takePopulations);
  connect(populations, &PopulationPanel::somataChanged, this, &ProjectionController::takeSomata);
  connect(populations, &PopulationPanel::renamed, this, &ProjectionController::renamePopulation);
  connect(page, &ProjectionPage::togetherShown, this, &ProjectionController::togetherShown);
  connect(page, &ProjectionPage::makeAllWanted, this, &ProjectionController::makeAllWanted);
  connect(page, &ProjectionPage::connectionPicked, this, &ProjectionController::connectionPicked);
  connect(page, &ProjectionPage::sizeAgreed, this, &ProjectionController::takeAgreement);
  connect(page, &ProjectionPage::sizeDeclined, this, &ProjectionController::restoreFields);
  connect(page, &ProjectionPage::exportRequested, this, &ProjectionController::askWhereToExport);
}

// ---- what is wanted ----

/// The page makes what it shows the first time, and where its populations have changed meanwhile.
void ProjectionController::pageShown()
{
  const bool isOfFile = ofFile.connection.empty() && tablesToOpen.isEmpty() && !made && !jobs->isActive(kTable);
  if (!page->outcome().table || asked != panel->request() || isOfFile)
    showAgainOrRun();
}

/// What a person comes back to is there.
void ProjectionController::showAgainOrRun()
{
  const study::ProjectionRequest wanted = panel->request();
  const bool isOfFields = tablesToOpen.isEmpty() && ofFile.connection.empty();
  const ProjectionOutcome* const kept = isOfFields ? earlier.find(wanted) : nullptr;
  if (!kept)
    return run();
  jobs->drop(kTable);
  page->dropQuestion();
  page->takeEnd();
  made = asked = wanted;
  page->showAgain(*kept);
  emit shownAgain();
  emit questionChanged();
  emit told(tr("Projection: %1, as it was made before; F5 makes it again.").arg(describeTable(*kept->table)));
}

std::uint64_t ProjectionController::mostKept()
{
  return Earlier::mostBytes();
}

void ProjectionController::keep(const study::ProjectionRequest& request, const ProjectionOutcome& outcome)
{
  if (!earlier.find(request))
    earlier.keep(request, outcome, outcome.table->bytes());
}

void ProjectionController::run()
{
  page->dropQuestion();
  asked = panel->request();
  if (!tablesToOpen.isEmpty())
    read();
  else if (!ofFile.connection.empty())
    readConnection();
  else
    make();
}

void ProjectionController::make()
{
  study::ProjectionRequest request = *asked;
  request.rowsAllowed = rowsAllowed;
  using Answer = std::variant<ProjectionOutcome, study::SizeQuestion>;
  const auto work = [study = study, request = std::move(request)](const JobContext& context) -> Answer {
    requireFieldSize(request);
    auto result = study->run(request, context.control());
    if (auto* question = std::get_if<study::SizeQuestion>(&result))
      return *question;
    return withPictures(std::move(std::get<study::ProjectionResult>(result)), context.control());
  };
  const auto take = [this](const Answer& answer) {
    if (const auto* question = std::get_if<study::SizeQuestion>(&answer))
      takeQuestion(*question);
    else
      takeTable(std::get<ProjectionOutcome>(answer));
  };
  const std::string connection = nameOfConnection();
  const QString ends = tr("%1 to %2")
                           .arg(QString::fromStdString(asked->source.parameters.name),
                                QString::fromStdString(asked->destination.parameters.name));
  jobs->submit({kTable, connection.empty() ? ends : QString::fromStdString(connection)}, work, take,
               endsOf(tr("Cancelled; the table shown is that of the previous run. F5 makes it again.")));
}

void ProjectionController::read()
{
  std::vector<std::string> files;
  for (const QString& path : tablesToOpen)
    files.push_back(path.toStdString());
  const auto circuit = std::make_shared<std::filesystem::path>(); // of the last file, where that is needed
  const auto work = [study = study, files, circuit, known = populations->populations()](const JobContext& context) {
    const RunControl& control = context.control();
    Opened all;
    study::OpenedTable last;
    for (const std::string& file : files)
      try {
        last = {}; // two tables need not fit into memory
        circuit->clear();
        if (const auto edges = study::edgesWithoutNodes(file)) {
          *circuit = study::circuitNaming(*edges, control);
          throw study::needOfNodes(*edges, *circuit);
        }
        study::OpenedTable opened = study->open(file, control);
        const projection::Projection& joins = opened.result.table->projection;
        all.tables.push_back({file, endOf(opened.source, joins.source->count(), file, known, control),
                              endOf(opened.destination, joins.destination->count(), file, known, control)});
        last = std::move(opened);
      } catch (const Error& error) {
        if (error.code() == ErrorCode::Cancelled)
          throw;
        const bool isNamed = !error.file().empty(); // what is in a file may be refused by who knows of no file
        const Error failure = isNamed ? error : Error(error.code(), error.message(), file);
        if (all.tables.empty() && file == files.back())
          throw failure;
        all.failures.push_back(failure);
      }
    if (!last.result.table) // the last file is the one that cannot be read
      last = study->open(all.tables.back().file, control);
    all.outcome = withPictures(std::move(last.result), control);
    all.source = last.source;
    all.destination = last.destination;
    return all;
  };
  JobEnds ends = endsOf(tr("Cancelled; no table was opened."));
  ends.failed = [this, circuit, failed = ends.failed](const Error& error) {
    emit unreadable(error);
    if (!circuit->empty())
      emit circuitNeeded(error, QString::fromStdString(circuit->string()));
    failed(error);
    if (!page->outcome().table && isPageShown())
      showAgainOrRun(); // what it would have shown without that file
  };
  jobs->submit(
      {kTable, JobTask::several(tablesToOpen), tr("Weight table to open")}, work,
      [this](const Opened& opened) { takeOpened(opened); }, std::move(ends));
}

const ProjectionOutcome& ProjectionController::outcome() const
{
  return page->outcome();
}

study::ProjectionRequest ProjectionController::request() const
{
  return panel->request();
}

void ProjectionController::show(std::vector<study::PopulationChoice> choices, const study::ProjectionRequest& wanted,
                                const FileTable& file)
{
  tablesToOpen.clear();
  setFile(file);
  for (const study::PopulationChoice& before : populations->populations())
    if (choices.size() < PopulationPanel::kFewest &&
        (choices.empty() || before.parameters.name != choices.front().parameters.name))
      choices.push_back(before);
  populations->setPopulations(std::move(choices));
  showPopulations(wanted.source, wanted.destination);
  panel->setParameters(wanted.parameters);
  panel->setCompute(wanted.compute);
  emit questionChanged();
  if (isPageShown() && !isUpToDate())
    showAgainOrRun();
  else if (isUpToDate())
    emit shownAgain(); // it may be of another connection now
}

void ProjectionController::open(const QStringList& paths)
{
  tablesToOpen = paths;
  const bool startsWhenShown = !isPageShown() && !page->outcome().table;
  emit pageWanted();
  if (!startsWhenShown)
    run();
}

void ProjectionController::showFile(const model::Project& project, const std::string& connection)
{
  tablesToOpen.clear();
  setFile({connection, project});
  const bool startsWhenShown = !isPageShown() && !page->outcome().table;
  emit pageWanted();
  if (!startsWhenShown)
    run();
}

/// The panel says so in place of the fields, which would not make this table.
void ProjectionController::setFile(const FileTable& file)
{
  ofFile = file;
  const auto found = std::ranges::find(ofFile.project.connections, ofFile.connection, &model::Connection::name);
  panel->setFile(found == ofFile.project.connections.end() ? nullptr : &*found);
  emit questionChanged();
}

/// `known`: connections whose tables were opened once more, to be told.
void ProjectionController::readConnection(const QStringList& known)
{
  jobs->submit(
      {kTable, QString::fromStdString(ofFile.connection)},
      [file = ofFile](const JobContext& context) {
        return withPictures(study::tableOfFile(file.project, file.connection, context.control()), context.control());
      },
      [this, known](const ProjectionOutcome& outcome) {
        page->takeEnd();
        made.reset(); // the fields made nothing
        page->setOutcome(outcome);
        emit questionChanged();
        const QString before = known.isEmpty() ? QString() : tr("Open already: %1. ").arg(JobTask::several(known));
        emit told(before +
                  tr("Read %1: %2").arg(QString::fromStdString(ofFile.connection), describeTable(*outcome.table)));
      },
      endsOf(tr("Cancelled; the connection was not read.")));
}

void ProjectionController::nameConnection(const std::string& name)
{
  page->setConnection(QString::fromStdString(name));
}

void ProjectionController::drawCircuit(widgets::CircuitPicture picture)
{
  page->setCircuit(std::move(picture));
}

bool ProjectionController::isTogether() const
{
  return page->isTogether();
}

void ProjectionController::setTogether(bool isTogether)
{
  page->setTogether(isTogether);
}

void ProjectionController::drawCells(
    const model::Project& project,
    const std::function<std::shared_ptr<const morphology::Morphology>(const std::string&)>& morphologyOf)
{
  if (!page->outcome().table)
    return;
  const auto named = model::cellsByName(project);
  const auto cellsOf = [&](const projection::Population& neurons) {
    ProjectionPage::CellsOfLayer cells;
    const model::Population* const population = model::findPopulation(project, neurons.name());
    if (!population)
      return cells;
    for (const std::string& name : population->cells) {
      const auto cell = named.find(name);
      auto morphology = cell == named.end() ? nullptr : morphologyOf(cell->second->file);
      if (!morphology)
        return ProjectionPage::CellsOfLayer(); // not read yet, or not at all
      cells.pool.push_back(std::move(morphology));
    }
    cells.population = *population;
    return cells;
  };
  const projection::Projection& projection = page->outcome().table->projection;
  page->setCells(cellsOf(*projection.source), cellsOf(*projection.destination));
}

void ProjectionController::renameFile(const std::string& name)
{
  FileTable renamed = ofFile;
  for (model::Connection& connection : renamed.project.connections)
    if (connection.name == ofFile.connection)
      connection.name = name;
  renamed.connection = name;
  setFile(renamed);
}

/// Names are no reason to make a table again, or to read it; one that is on its way has the name of before.
void ProjectionController::renamePopulation(const std::string& before, const std::string& now)
{
  const auto& table = page->outcome().table;
  const bool isShown =
      table && (table->projection.source->name() == before || table->projection.destination->name() == before);
  if (!isShown || jobs->isActive(kTable) || table->bytes() > availableMemoryBytes() / 2)
    return;
  renameIn(made, before, now);
  renameIn(asked, before, now);
  if (!ofFile.connection.empty()) {
    FileTable renamed = ofFile;
    for (model::Population& population : renamed.project.populations)
      if (population.name() == before)
        population.placement.name = now;
    for (model::Connection& connection : renamed.project.connections)
      for (std::string* end : {&connection.source, &connection.target})
        if (*end == before)
          *end = now;
    setFile(renamed);
  }
  jobs->submit(
      {kTable, QString::fromStdString(now), tr("Population to rename")},
      [outcome = page->outcome(), before, now](const JobContext& context) {
        return withPopulationRenamed(outcome, before, now, context.control());
      },
      [this](const ProjectionOutcome& outcome) {
        page->takeEnd();
        page->setRenamed(outcome);
      },
      endsOf(tr("Cancelled; the table that is shown has the name of before.")));
}

/// Given neurons that lie where they lay are the same neurons, though they were placed again.
void ProjectionController::adoptGiven()
{
  const study::ProjectionRequest now = panel->request();
  for (std::optional<study::ProjectionRequest>* known : {&made, &asked}) {
    if (!*known)
      continue;
    hinesight::app::adoptGiven((*known)->source, now.source);
    hinesight::app::adoptGiven((*known)->destination, now.destination);
  }
}

void ProjectionController::showFileOnPage(const model::Project& project, const std::string& connection)
{
  tablesToOpen.clear();
  setFile({connection, project});
  if (isPageShown() && !isUpToDate())
    run();
}

void ProjectionController::followFile(const model::Project& project)
{
  const auto partOf = [&](const model::Project& whole) {
    const auto found = std::ranges::find(whole.connections, ofFile.connection, &model::Connection::name);
    return found == whole.connections.end() || found->kind != model::ConnectionKind::File
               ? std::nullopt
               : std::optional(study::partWith(whole, study::populationsOf(*found)));
  };
  if (ofFile.connection.empty())
    return;
  const auto now = partOf(project);
  if (!now)
    return showFields();
  const bool isOther = now != partOf(ofFile.project);
  setFile({ofFile.connection, project});
  if (isOther && isPageShown())
    run();
}

void ProjectionController::showFields()
{
  setFile({});
  showAgainOrRun();
}

void ProjectionController::setSomata(const std::vector<OpenCell>& cells)
{
  std::vector<PopulationPanel::Soma> somata;
  for (const OpenCell& cell : cells)
    if (cell.morphology)
      somata.push_back({cell.source.path, morphology::somaCentreOf(*cell.morphology)});
  populations->setSomata(std::move(somata));
}

/// A slow table is made when the slider is let go, a fast one at every step. A table that is being opened is given up
/// at once: its parameters would take the place of what a person chooses.
void ProjectionController::takeEdit(bool settled)
{
  const bool wasOpening = !tablesToOpen.isEmpty();
  tablesToOpen.clear();
  isDragging = !settled;
  takeFieldSize();
  emit questionChanged();
  if (settled || wasOpening || page->lastMilliseconds() < kLive)
    run();
}

/// A widening Gaussian whose source is no grid any more has a field as large as the source, as part of the same edit.
void ProjectionController::takeFieldSize()
{
  study::ProjectionRequest wanted = panel->request();
  if (!ofFile.connection.empty() || !giveFieldSize(wanted.parameters, wanted.source))
    return;
  panel->setParameters(wanted.parameters);
  ofFieldSize = tr("Field size is now %1 µm, the extent of %2, which is no grid")
                    .arg(widgets::formatNumber(wanted.parameters.fieldSize),
                         QString::fromStdString(wanted.source.parameters.name));
}

void ProjectionController::takePopulations()
{
  panel->setPopulations(populations->populations());
  adoptGiven();
  if (!ofFile.connection.empty() || isUpToDate())
    return;
  if (asked || isPageShown())
    takeEdit(true);
  else
    takeFieldSize(); // nobody has seen the page yet, which makes what it shows the first time
}

/// Whether the table that is shown, or is on its way, is that of the fields, with the names that it shows.
bool ProjectionController::isUpToDate() const
{
  const std::optional<study::ProjectionRequest>& latest = jobs->isActive(kTable) ? asked : made;
  if (!latest || !page->outcome().table || !ofFile.connection.empty() || !tablesToOpen.isEmpty())
    return false;
  const study::ProjectionRequest now = panel->request();
  return study::makeTheSame(*latest, now) && latest->source.parameters.name == now.source.parameters.name &&
         latest->destination.parameters.name == now.destination.parameters.name;
}

void ProjectionController::takeSomata()
{
  panel->setPopulations(populations->populations());
  if (isPageShown() && asked != panel->request())
    run();
}

void ProjectionController::takeAgreement(std::uint64_t rows)
{
  rowsAllowed = rows;
  run();
}

Question ProjectionController::question() const
{
  const bool isOnItsWay = jobs->isActive(kTable) || isDragging || page->isAsking();
  const bool hasFields = ofFile.connection.empty();
  return made && hasFields && !isOnItsWay && !study::makeTheSame(*made, panel->request()) ? pictureQuestion()
                                                                                          : Question();
}

void ProjectionController::restoreFields()
{
  if (made)
    showRequest(*made);
  asked = panel->request();
  emit questionChanged();
}

void ProjectionController::showRequest(const study::ProjectionRequest& request)
{
  showPopulations(request.source, request.destination);
  panel->setParameters(request.parameters);
  panel->setCompute(request.compute);
}

void ProjectionController::runAgain(const study::ProjectionRequest& request)
{
  tablesToOpen.clear();
  setFile({});
  showRequest(request);
  emit pageWanted();
  run();
}

/// Chooses them, where they are not there any more after adding them.
void ProjectionController::showPopulations(const study::PopulationChoice& source,
                                           const study::PopulationChoice& destination)
{
  const int sourcePlace = populations->placeOf(source);
  const int destinationPlace = populations->placeOf(destination);
  panel->setPopulations(populations->populations());
  panel->choosePopulations(sourcePlace, destinationPlace);
}

void ProjectionController::addPopulations(const std::vector<study::PopulationChoice>& more)
{
  for (const study::PopulationChoice& choice : more)
    populations->placeOf(choice);
  panel->setPopulations(populations->populations());
}

// ---- what jobs tell ----

void ProjectionController::takeProgress(const QString& stage, double fraction)
{
  if (const auto running = jobs->current(); running && running->elapsed >= kQuietTime)
    page->takeProgress(stageInWords(stage), fraction);
}

void ProjectionController::takeTable(const ProjectionOutcome& outcome)
{
  if (!outcome.wasAskedAbout)
    rowsAllowed = 0; // what is asked about next is another table
  made = asked;
  page->takeEnd();
  page->setOutcome(outcome);
  if (!isDragging) { // what is made in passing is no run that a person asked for
    earlier.keep(*made, outcome, outcome.table->bytes());
    const std::string connection = nameOfConnection();
    io::RunRecord run =
        io::recordOf(*outcome.table, outcome.file, outcome.timings, settingsOf(fieldsOf(made->compute)));
    run.source = io::nameConnection(connection, run.source);
    // Its record says which connection it is of: another one may be shown by the time that it is restored.
    emit ran(run, connection.empty() ? std::function<void()>([this, request = *made] { runAgain(request); })
                                     : std::function<void()>());
  }
  QString text =
      tr("Projection: %1, %2: %3")
          .arg(describeTable(*outcome.table), outcome.timings.backend == Backend::Cuda ? tr("CUDA") : tr("CPU"),
               widgets::formatMilliseconds(outcome.timings.total()));
  for (const std::string& warning : outcome.table->warnings) // which the header of a narrow page cuts
    text += QStringLiteral(". ") + QString::fromStdString(warning);
  if (!ofFieldSize.isEmpty())
    text += QStringLiteral(". ") + std::exchange(ofFieldSize, {});
  emit told(text);
  makeReady(outcome.table);
}

/// Whose table is shown, or on its way; empty: of none.
std::string ProjectionController::nameOfConnection() const
{
  if (!ofFile.connection.empty())
    return ofFile.connection;
  return naming ? naming() : std::string();
}

/// Memory for a table like the one that is shown, while nothing else is to be done.
void ProjectionController::makeReady(const std::shared_ptr<const projection::WeightTable>& last)
{
  jobs->submit(
      kTableMemory, [study = study, last](const JobContext& context) { study->makeReady(*last, context.control()); },
      [] {});
}

void ProjectionController::takeQuestion(const study::SizeQuestion& question)
{
  page->takeEnd();
  page->ask(question);
  emit told(tr("No table was made; answer the question above the layers first."));
}

/// Tables are connections of the circuit; where there is none, the last is shown with the parameters and populations
/// that would make it again.
void ProjectionController::takeOpened(const Opened& opened)
{
  tablesToOpen.clear();
  page->takeEnd();
  for (const Error& error : opened.failures) {
    emit unreadable(error);
    emit failed(QString::fromUtf8(error.what()));
  }
  if (const std::optional<Added> added = adding ? adding(opened.tables) : std::nullopt) {
    setFile(added->shown);
    asked = panel->request();
    readConnection(added->known);
    return;
  }
  setFile({});
  const ProjectionOutcome& outcome = opened.outcome;
  for (const study::PopulationChoice* population : {&opened.source, &opened.destination})
    populations->replaceNamesake(*population); // the table is in the place of the projection
  showPopulations(opened.source, opened.destination);
  if (outcome.hasParameters)
    panel->setParameters(outcome.table->projection.parameters);
  made = asked = panel->request();
  page->setOutcome(outcome);
  emit ran(io::recordOf(*outcome.table, outcome.file, outcome.timings),
           [this, path = QString::fromStdString(outcome.file)] { open({path}); });
  emit told(tr("Opened %1: %2")
                .arg(QFileInfo(QString::fromStdString(outcome.file)).fileName(), describeTable(*outcome.table)));
}

/// A table that could not be opened is not tried again.
JobEnds ProjectionController::endsOf(const QString& cancelled)
{
  const auto end = [this] {
    tablesToOpen.clear();
    page->takeEnd();
  };
  return {[end](const Error&) { end(); },
          [this, end, cancelled] {
            end();
            emit told(cancelled);
          }};
}

// ---- files ----

void ProjectionController::askWhereToExport()
{
  QStringList filters;
  for (const QString& extension : tableExtensions())
    filters << tr("Weight table (*%1)").arg(extension);
  QString name = QString::fromStdString(nameOfConnection());
  name.replace(QLatin1Char('/'), QLatin1Char('-')); // which no name of a file has
  askWhereToSave(page,
                 {QStringLiteral("exportTableDialog"), tr("Export table"), QStringLiteral("exportFolder"), filters,
                  (name.isEmpty() ? QStringLiteral("weights") : name) + QStringLiteral(".csv")},
                 [this](const QString& path) { exportTable(path); });
}

void ProjectionController::exportTable(const QString& path)
{
  if (!page->outcome().positionsAreKnown && io::isSonataFile(path.toStdString()))
    emit failed(tr("A SONATA file holds positions, and those of this table are not known; choose another format."));
  else
    jobs->submit(
        {kTableExport, path},
        [table = page->outcome().table, file = path.toStdString(),
         hasParameters = page->outcome().hasParameters](const JobContext& context) {
          context.control().report("export", 0);
          io::exportTable(*table, file, context.control(), hasParameters);
        },
        [this, path] { emit saved(path); }, {{}, [this] { emit told(tr("Cancelled; no file was written.")); }});
}

std::optional<SessionWork> ProjectionController::work() const
{
  const study::ProjectionRequest now = request();
  const std::string name = naming && fileShown().empty() ? naming() : std::string();
  if (name.empty() || !(now.source.isSomata || now.destination.isSomata))
    return std::nullopt;
  return SessionWork{.study = "projection",
                     .connections = {name},
                     .assignments = {},
                     .dependsOn = {"cells.", "populations.", "compute."}};
}

// ---- as a page ----

namespace {

Tab makeTab(PageHost& host)
{
  auto* page = new ProjectionPage(host.parts.area);
  page->setSelection(host.find<NeuronSelection>());
  auto* panel = new ProjectionPanel(host.parts.panels);
  auto* controller = new ProjectionController(
      host.parts.jobs, {page, panel, host.find<PopulationPanel>()},
      [&host] { return host.parts.isShown(ViewKind::Projection); }, &host);
  QObject::connect(controller, &ProjectionController::pageWanted, &host,
                   [&host] { emit host.pageWanted(ViewKind::Projection); });
  host.listenTo(controller);
  QObject::connect(controller, &ProjectionController::unreadable, &host, &PageHost::unreadable);
  QObject::connect(page, &ProjectionPage::saveRequested, &host, &PageHost::pictureWanted);
  QObject::connect(&host, &PageHost::devicesFound, panel, &ProjectionPanel::setDevices);
  QObject::connect(&host, &PageHost::backendChosen, panel, &ProjectionPanel::setBackend);
  QObject::connect(&host, &PageHost::timingsToggled, page, &ProjectionPage::setTimingsShown);
  QObject::connect(&host, &PageHost::cellsChanged, controller,
                   [controller, &host] { controller->setSomata(host.parts.cells->cells()); });
  QObject::connect(controller, &ProjectionController::ran, &host, &PageHost::ran);
  QObject::connect(page, &ProjectionPage::networkChanged, &host, &PageHost::networkChanged);
  QObject::connect(&page->view(), &widgets::ProjectionView::areaEnded, &host, &PageHost::areaEnded);
  auto* populations = host.find<PopulationPanel>();
  QObject::connect(populations, &PopulationPanel::changed, controller,
                   [populations, connections = host.find<ConnectionPanel>()] {
                     connections->giveFieldSizes(populations->populations());
                   });
  Tab tab;
  tab.runs = io::RunKind::Table;
  tab.page = page;
  tab.parameters = panel;
  tab.seen = [controller] { controller->pageShown(); };
  tab.fit = [page] { page->view().fit(); };
  tab.awaitArea = [page](std::optional<widgets::AreaShape> shape) { page->awaitArea(shape); };
  tab.runAgain = [controller] { controller->run(); };
  tab.mismatch = [controller] { return controller->question(); };
  tab.takeFields = [controller] { controller->run(); };
  tab.restoreFields = [controller] { controller->restoreFields(); };
  tab.resetParameters = [panel] { panel->resetAll(); };
  tab.command = [controller] {
    if (const std::string& file = controller->fileShown(); !file.empty())
      throw Error(ErrorCode::BadParameter, "No command makes \"" + file + "\", which is read from a file.");
    return projectCommand(controller->request());
  };
  tab.work = [controller] { return controller->work(); };
  tab.network = [page] { return page->networkShown(); };
  tab.figure = [page] { return page->figure(); };
  return tab;
}

} // namespace

PageDefinition projectionPage()
{
  return {"projection",
          QT_TRANSLATE_NOOP("Pages", "Projection"),
          QT_TRANSLATE_NOOP("Pages", "Who talks to whom, how strongly?"),
          QT_TRANSLATE_NOOP("Pages", "click the upper layer to add a source, click a marker to remove it, drag it to "
                                     "move it; click the lower layer to mark a neuron there; Shift+drag draws a box "
                                     "around neurons, with the right button a loop; drag elsewhere turns, right drag "
                                     "moves, wheel zooms; a click on a row of the matrix picks its sources, a click "
                                     "above a column its destinations"),
          "The projection page",
          makeTab,
          {Panel::Parameters, Panel::Circuit, Panel::Timings, Panel::Data}};
}

} // namespace hinesight::app
