#include "app/shell/session_controller.hpp"

#include "app/cells/cell_list_model.hpp"
#include "app/cells/parameter_panel.hpp"
#include "app/projection/population_panel.hpp"
#include "app/projection/projection_controller.hpp"
#include "io/networks/neuron_files.hpp"
#include "model/session_file.hpp"
#include "widgets/theme.hpp"

#include <QFileInfo>

#include <algorithm>
#include <map>

namespace hinesight::app {

namespace {

using model::Connection;
using model::ConnectionKind;
using projection::PopulationKind;

/// The name, with a number where another part has it.
template <typename Part>
std::string freeName(const std::string& wanted, const std::vector<Part>& parts, const auto& nameOf)
{
  std::string name = wanted;
  for (int k = 2; std::ranges::any_of(parts, [&](const Part& part) { return nameOf(part) == name; }); ++k)
    name = wanted + " " + std::to_string(k);
  return name;
}

std::string nameOfCell(const model::Cell& cell)
{
  return cell.name;
}

study::PopulationChoice choiceOf(const model::Population& population)
{
  study::PopulationChoice choice(population.placement);
  if (choice.parameters.kind == PopulationKind::File && io::isSonataFile(choice.parameters.file))
    choice.nodes = population.nodes;
  choice.isSomata = choice.parameters.kind == PopulationKind::Given;
  return choice;
}

template <typename Connections>
auto firstProjection(Connections& connections)
{
  return std::ranges::find(connections, ConnectionKind::Projection, &Connection::kind);
}

/// Connections whose populations are there.
void dropLost(model::Project& project)
{
  const auto isLost = [&](const std::string& name) { return !model::findPopulation(project, name); };
  std::erase_if(project.connections, [&](const Connection& c) {
    return c.kind == ConnectionKind::Formed ? std::ranges::any_of(c.between, isLost)
                                            : isLost(c.source) || isLost(c.target);
  });
}

} // namespace

SessionController::SessionController(Jobs* ofWindow, const Parts& ofParts, QObject* parent)
    : QObject(parent), jobs(ofWindow), parts(ofParts)
{}

/// A cell that the session had keeps its name.
std::vector<model::Cell> SessionController::openCells() const
{
  std::vector<model::Cell> cells;
  for (const OpenCell& open : parts.cells->cells()) {
    const study::CellSource& source = open.own ? open.own->source : open.source;
    const auto had = std::ranges::find(kept.cells, source.path, &model::Cell::file);
    model::Cell cell;
    const std::string name = QFileInfo(QString::fromStdString(source.path)).completeBaseName().toStdString();
    cell.name = freeName(had == kept.cells.end() ? name : had->name, cells, nameOfCell);
    cell.file = source.path;
    cell.scale = source.scale;
    cells.push_back(std::move(cell));
  }
  return cells;
}

std::vector<model::Population> SessionController::populationsOf(const std::vector<model::Cell>& cells) const
{
  std::vector<model::Population> populations;
  for (const study::PopulationChoice& choice : parts.populations->populations()) {
    model::Population population;
    const auto had = std::ranges::find(kept.populations, choice.parameters.name, &model::Population::name);
    if (had != kept.populations.end())
      population = *had;
    population.placement = choice.parameters;
    population.nodes = choice.nodes;
    if (choice.isSomata) {
      population.cells.clear();
      for (const model::Cell& cell : cells)
        population.cells.push_back(cell.name);
    }
    std::erase_if(population.cells, [&](const std::string& name) {
      return std::ranges::none_of(cells, [&](const model::Cell& cell) { return cell.name == name; });
    });
    population.placement.name = freeName(population.name(), populations, std::mem_fn(&model::Population::name));
    populations.push_back(std::move(population));
  }
  return populations;
}

model::Project SessionController::project() const
{
  model::Project project = kept;
  project.cells = openCells();
  project.populations = populationsOf(project.cells);
  project.solve = parts.parameters->parameters();
  const study::ProjectionRequest request = parts.projection->request();
  project.compute = request.compute;
  dropLost(project);
  auto shown = firstProjection(project.connections);
  if (shown == project.connections.end()) {
    Connection connection;
    connection.name = freeName(request.source.parameters.name + "_to_" + request.destination.parameters.name,
                               project.connections, [](const Connection& c) { return c.name; });
    shown = project.connections.insert(project.connections.begin(), connection);
  }
  shown->source = request.source.parameters.name;
  shown->target = request.destination.parameters.name;
  shown->projection = request.parameters;
  return project;
}

void SessionController::open(const QString& path, const std::vector<std::string>& moreCells)
{
  jobs->submit(
      kSession, [file = path.toStdString()](const JobContext&) { return model::readSession(file); },
      [this, path, moreCells](const model::ReadSession& read) {
        for (const std::string& warning : read.warnings)
          emit warned(QStringLiteral("%1: %2").arg(QFileInfo(path).fileName(), QString::fromStdString(warning)));
        show(read.project);
        parts.cells->add(moreCells);
        emit told(tr("Opened %1: %n cell(s), %2 populations, %3 connections.", nullptr,
                     static_cast<int>(read.project.cells.size()))
                      .arg(QFileInfo(path).fileName())
                      .arg(read.project.populations.size())
                      .arg(read.project.connections.size()));
      });
}

void SessionController::show(const model::Project& read)
{
  kept = read;
  parts.parameters->setParameters(read.solve); // before the cells, which are solved by them
  std::vector<std::string> paths;
  for (const model::Cell& cell : read.cells)
    paths.push_back(cell.file);
  parts.cells->removeAll();
  if (!paths.empty())
    parts.cells->add(paths);
  std::map<double, std::vector<int>> rowsOfScale;
  for (std::size_t row = 0; row < read.cells.size() && row < parts.cells->cells().size(); ++row)
    rowsOfScale[read.cells[row].scale].push_back(static_cast<int>(row));
  for (const auto& [scale, rows] : rowsOfScale)
    parts.cells->setScale(rows, scale);
  if (paths.empty())
    emit parametersWanted(read.solve);

  std::vector<study::PopulationChoice> populations;
  for (const model::Population& population : read.populations)
    populations.push_back(choiceOf(population));
  const auto shown = firstProjection(read.connections);
  study::ProjectionRequest request = parts.projection->request();
  request.compute = read.compute;
  if (shown != read.connections.end()) {
    request.parameters = shown->projection;
    for (const study::PopulationChoice& choice : populations) {
      if (choice.parameters.name == shown->source)
        request.source = choice;
      if (choice.parameters.name == shown->target)
        request.destination = choice;
    }
  }
  parts.projection->show(std::move(populations), request);
}

void SessionController::save(const QString& path)
{
  jobs->submit(
      kSession,
      [wanted = project(), file = path.toStdString()](const JobContext& context) {
        model::Project project = wanted;
        for (model::Cell& cell : project.cells) {
          context.control().checkpoint();
          if (!model::isSample(cell.file))
            cell.hash = model::contentHash(cell.file);
        }
        model::writeSession(project, file);
        return project;
      },
      [this, path](const model::Project& written) {
        kept = written;
        emit saved(path);
      },
      {{}, [this] { emit told(tr("Cancelled; no session was written.")); }});
}

} // namespace hinesight::app
