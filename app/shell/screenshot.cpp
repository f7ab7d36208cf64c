#include "app/shell/screenshot.hpp"

#include "app/figures/legend_advice.hpp"
#include "app/figures/turntable.hpp"
#include "app/measure/measure_page.hpp"
#include "app/pages/pages.hpp"
#include "app/pages/view_kind.hpp"
#include "app/plasticity/plasticity_page.hpp"
#include "app/projection/connection_names.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/projection/population_panel.hpp"
#include "app/synapses/formation_page.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "io/runs/run_record.hpp"
#include "model/session_file.hpp"
#include "study/cells/cell_measures.hpp"
#include "study/circuit/circuit_study.hpp"
#include "study/simulation/session_export.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"

#include <QCoreApplication>
#include <QEventLoop>
#include <QStringList>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::app {

namespace {

constexpr JobKind kCircuitExport{.name = "circuit export", .stage = "circuit"};
constexpr JobKind kNetworkFile{.name = "network file", .stage = "export"};
constexpr JobKind kTableFiles{.name = "tables", .stage = "measure"};

/// The first failure of the jobs that are under way, and of those that they lead to, if any. `unreadable` gets the
/// first file of a cell that cannot be read, which is no failure then; null: it is one.
std::optional<Error> waitForJobs(MainWindow& window, std::optional<Error>* unreadable = nullptr)
{
  std::optional<Error> failure;
  const auto keepIn = [](std::optional<Error>& kept, const Error& error) {
    if (!kept)
      kept = error;
  };
  Jobs& jobs = window.jobs();
  QEventLoop loop;
  const QObject listener;
  QObject::connect(&window, &MainWindow::unreadable, &listener,
                   [&](const Error& error) { keepIn(unreadable ? *unreadable : failure, error); });
  QObject::connect(&jobs, &Jobs::failed, &listener,
                   [&](const JobKind&, const Error& error) { keepIn(failure, error); });
  for (const auto end : {&Jobs::delivered, &Jobs::cancelled})
    QObject::connect(&jobs, end, &loop, &QEventLoop::quit);
  QObject::connect(&jobs, &Jobs::failed, &loop, &QEventLoop::quit);
  while (jobs.isActive())
    loop.exec();
  return failure;
}

/// Until what was to be opened is open, and everything is drawn as it will stay.
void waitForPicture(MainWindow& window, std::optional<Error>* unreadable = nullptr)
{
  while (window.isOpening())
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  if (window.openingProblem())
    throw *window.openingProblem();
  if (const auto failure = waitForJobs(window, unreadable))
    throw *failure;
  // Layouts and repaints that the result caused are still queued.
  QCoreApplication::sendPostedEvents();
  QCoreApplication::processEvents();
  window.settle();
  QCoreApplication::processEvents();
}

void warn(const std::string& sentence)
{
  std::cerr << "hinesight: warning: " << sentence << '\n';
}

void warnOfLegend(const widgets::Figure& figure, const QString& path, const widgets::FigureOptions& options)
{
  if (const QString advice = legendAdvice(figure, options); !advice.isEmpty())
    warn((path + QStringLiteral(": ") + advice).toStdString());
}

/// Says so where its legend has no room.
void writeFigure(const widgets::Figure& figure, const QString& path, const widgets::FigureOptions& options)
{
  widgets::writePicture(widgets::pictureOf(figure, options), path);
  warnOfLegend(figure, path, options);
}

/// The list of cells, and what the page Measure has of all that could be read.
void exportTables(MainWindow& window, const std::filesystem::path& folder)
{
  const MeasurePage& page = *window.findChild<MeasurePage*>();
  window.jobs().submit(
      kTableFiles,
      [cells = window.cells().cells(), list = window.tableOfCells().toStdString(), step = page.shollStep(),
       quantity = page.quantity(), paths = page.paths(), folder](const JobContext& context) {
        std::vector<study::CellMeasures> measures;
        for (const OpenCell& cell : cells)
          if (cell.morphology)
            measures.push_back(study::measureCell(cell.source.path, *cell.morphology, step, context.control()));
        writeFileAtomically(folder / "cells.csv", [&](std::ostream& stream) { stream << list; });
        using Table = void (*)(std::span<const study::CellMeasures>, std::ostream&);
        const std::pair<const char*, Table> tables[] = {{"branches.csv", study::writeBranchTable},
                                                        {"types.csv", study::writeTypeTable},
                                                        {"sholl.csv", study::writeShollTable}};
        for (const auto& [name, write] : tables)
          writeFileAtomically(folder / name, [&](std::ostream& stream) { write(measures, stream); });
        writeFileAtomically(folder / "histogram.csv",
                            [&](std::ostream& stream) { study::writeHistogram(measures, quantity, stream); });
        if (!paths.empty())
          writeFileAtomically(folder / "paths.csv", [&](std::ostream& stream) { writePaths(paths, stream); });
      },
      [] {});
  if (const auto failure = waitForJobs(window))
    throw *failure;
}

/// Names of files for these names, by their order: letters, digits, '-' and '_' of each as they are, '_' in place of
/// all else, and a number where two are the same, as files are that do not tell capitals.
std::vector<QString> fileNamesOf(const std::vector<std::string>& names)
{
  QStringList taken;
  std::vector<QString> files;
  for (const std::string& name : names) {
    QString file;
    for (const QChar c : QString::fromStdString(name)) {
      const bool isKept = c.unicode() < 0x80 && (c.isLetterOrNumber() || c == QLatin1Char('-'));
      file += isKept ? c : QLatin1Char('_');
    }
    const QString wanted = file;
    for (int k = 2; taken.contains(file, Qt::CaseInsensitive); ++k)
      file = wanted + QLatin1Char('-') + QString::number(k);
    taken << file;
    files.push_back(file);
  }
  return files;
}

/// Shows each connection of the session on its page, one after the other, and makes a figure of it and, of synapses
/// that were formed, the file of the network. The history of runs gets what that took.
void exportConnections(MainWindow& window, const model::Project& project, const QString& folder,
                       const widgets::FigureOptions& options, const std::function<void()>& settle)
{
  auto* list = window.findChild<ConnectionPanel*>();
  auto* formed = window.findChild<FormationPage*>();
  if (list->connections().empty())
    return; // the page of projections shows one that is of no session
  std::vector<std::string> names;
  for (const model::Connection& connection : project.connections)
    names.push_back(connection.name);
  const std::vector<QString> files = fileNamesOf(names);
  for (std::size_t k = 0; k < project.connections.size(); ++k) {
    const model::Connection& connection = project.connections[k];
    const bool isFormed = connection.kind == model::ConnectionKind::Formed;
    list->select(connection.name);
    emit list->chosen(connection);
    window.showView(isFormed ? ViewKind::Synapses : ViewKind::Projection);
    settle();
    const QString page =
        QLatin1String(allPages()[static_cast<std::size_t>(isFormed ? ViewKind::Synapses : ViewKind::Projection)].name);
    const QString file = folder + QLatin1Char('/') + page + QLatin1Char('-') + files[k];
    writeFigure(window.figure(), file + QStringLiteral(".png"), options);
    if (isFormed && formed->outcome().formation)
      window.jobs().submit(
          kNetworkFile,
          [outcome = study::FormationResult(formed->outcome()),
           path = (file + QStringLiteral(".h5")).toStdString()](const JobContext& context) {
            study::exportNetwork(outcome, path, study::NetworkPart::Everything, context.control());
          },
          [] {});
    settle();
  }
}

/// Grows the network of the session as far as it says: its charts, its network and its records.
void exportGrowth(MainWindow& window, const model::Project& project, const QString& folder,
                  const widgets::FigureOptions& options, const std::function<void()>& settle)
{
  if (!project.grow || project.grow->steps == 0)
    return;
  window.showView(ViewKind::Plasticity);
  settle(); // its neurons are placed
  auto* page = window.findChild<PlasticityPage*>();
  page->runTo(project.grow->steps);
  settle();
  const QString file = folder + QStringLiteral("/plasticity");
  writeFigure(window.figure(), file + QStringLiteral(".png"), options);
  page->saveCharts(file + QStringLiteral(".svg"));
  page->saveNetwork(file + QStringLiteral(".h5"));
  settle();
  page->saveRecords(file + QStringLiteral(".csv"));
  settle();
}

/// Whether the circuit is that with which every window begins, which nobody made.
bool hasCircuitOfStart(const model::Project& project)
{
  std::vector<model::Population> populations;
  for (const projection::PopulationParameters& placement : PopulationPanel::populationsAtStart())
    populations.emplace_back().placement = placement;
  model::Connection connection;
  connection.source = populations.front().name();
  connection.target = populations.back().name();
  connection.name = nameByEnds(connection.source, connection.target);
  const bool isUsed =
      project.simulate || (project.grow && project.grow->steps > 0) || (project.form && project.form->isRun);
  return !isUsed && project.models.empty() && project.populations == populations &&
         project.connections == std::vector{connection};
}

/// Makes the circuit again as 'hinesight-cli run' does, on another thread.
void exportCircuit(MainWindow& window, const model::Project& project, const std::filesystem::path& folder)
{
  window.jobs().submit(
      kCircuitExport,
      [project, folder](const JobContext& context) {
        const study::Circuit circuit = study::makeCircuit(project, context.control());
        for (const std::string& note : study::exportWithSimulation(circuit, folder / "circuit", context.control()))
          warn(note);
        study::writeTimings(circuit, folder / "connections.csv");
      },
      [] {});
  if (const auto failure = waitForJobs(window))
    throw *failure;
}

} // namespace

void takeScreenshot(MainWindow& window, const QString& path)
{
  widgets::requirePictureName(path, true); // --screenshot writes figures too, and says so
  waitForPicture(window);
  widgets::writePicture(widgets::pixelsOf(window), path);
}

void takeFigure(MainWindow& window, const QString& path, const widgets::FigureOptions& options)
{
  widgets::requirePictureName(path, true);
  widgets::validate(options);
  waitForPicture(window);
  writeFigure(window.figure(), path, options);
}

void takeTurntable(MainWindow& window, int frames, const QString& folder, const widgets::FigureOptions& options)
{
  widgets::validate(options);
  window.showView(ViewKind::Morphology);
  waitForPicture(window);
  auto& view = static_cast<widgets::MorphologyView&>(window.view(ViewKind::Morphology));
  const Turntable table(folder, frames);
  warnOfLegend(view.figure(), folder, options);
  for (int frame = 0; frame < frames; ++frame)
    table.write(frame, view.figureTurned(table.turns(frame)), options);
}

void exportEverything(MainWindow& window, const QString& folder, const widgets::FigureOptions& options)
{
  widgets::validate(options);
  const std::filesystem::path to = folder.toStdString();
  // A cell that cannot be read takes nothing from the others; who asked is told of it in the end.
  std::optional<Error> unreadable;
  const auto settle = [&] { waitForPicture(window, &unreadable); };
  settle();
  study::makeFolder(to);
  const model::Project project = window.projectToRun();
  const model::SessionView view = window.sessionView();
  const bool hasCells =
      !window.runs().made().empty() ||
      std::ranges::any_of(window.cells().cells(), [](const OpenCell& cell) { return cell.morphology != nullptr; });
  const bool hasCircuit = !hasCells || !hasCircuitOfStart(project);
  for (std::size_t place = 0; place < allPages().size(); ++place) {
    const auto page = static_cast<ViewKind>(place);
    const bool showsCells = place < kViewCount;
    const bool isOfCells = showsCells || allPages()[place].name == "measure";
    const bool showsPopulations = page == ViewKind::Projection || page == ViewKind::Synapses;
    if (isOfCells ? !hasCells : !showsPopulations || !hasCircuit)
      continue;
    window.showView(page);
    settle();
    const bool isPlanar = isOfCells && page != ViewKind::Morphology;
    const QString name = folder + QLatin1Char('/') + QLatin1String(allPages()[place].name);
    for (const char* ending : {".png", ".svg"})
      if (isPlanar || QLatin1String(ending) == QLatin1String(".png"))
        writeFigure(window.figure(), name + QLatin1String(ending), options);
  }
  if (hasCircuit)
    exportConnections(window, project, folder, options, settle);
  exportGrowth(window, project, folder, options, settle);
  if (const std::vector<io::RunRecord> runs = window.runs().made(); !runs.empty())
    io::writeTimings(runs, (to / "timings.csv").string());
  if (hasCells)
    exportTables(window, to);
  model::writeSession(project, to / "session.hinesight", view);
  if (hasCircuit)
    exportCircuit(window, project, to);
  if (unreadable)
    throw *unreadable;
}

} // namespace hinesight::app
