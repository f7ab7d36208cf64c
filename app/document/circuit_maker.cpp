#include "app/document/circuit_maker.hpp"

#include "app/document/circuit_populations.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/projection/population_panel.hpp"
#include "app/projection/projection_controller.hpp"
#include "app/projection/projection_outcome.hpp"
#include "io/runs/history_records.hpp"
#include "study/circuit/circuit_study.hpp"
#include "study/circuit/connection_table.hpp"
#include "study/simulation/session_export.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace hinesight::app {

namespace {

using model::Connection;
using model::ConnectionKind;

struct ExportedCircuit
{
  std::vector<study::MadeConnection> made;
  std::vector<std::string> notes; ///< what the files cannot say, and what a person may not expect
};

/// The connections of a circuit, and as many of its tables as may be kept.
struct MadeAll
{
  std::vector<study::MadeConnection> connections;
  std::vector<std::pair<std::string, ProjectionOutcome>> tables; ///< by the names of connections
  std::vector<std::string> warnings;
};

MadeAll makeAll(const model::Project& project, std::uint64_t bytesOfTables, const RunControl& control)
{
  MadeAll all{study::makeCircuit(project, control).connections, {}, {}};
  all.warnings = study::warningsOf(all.connections);
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

CircuitMaker::CircuitMaker(const DocumentParts& ofWindow, const CircuitPopulations* ofCircuit, ProjectNow projectNow,
                           std::function<ConnectionIds::Map()> idsNow, QObject* parent)
    : QObject(parent), parts(ofWindow), populations(ofCircuit), project(std::move(projectNow)), ids(std::move(idsNow))
{
  connect(parts.connections, &ConnectionPanel::makeRequested, this, &CircuitMaker::make);
  connect(parts.connections, &ConnectionPanel::figuresChanged, this, [this] { draw(project()); });
  connect(parts.projection, &ProjectionController::togetherShown, this, &CircuitMaker::makeWhatIsSmall);
  connect(parts.projection, &ProjectionController::makeAllWanted, this, &CircuitMaker::make);
}

void CircuitMaker::draw(const model::Project& of)
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
  for (const Connection& connection : of.connections) {
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

void CircuitMaker::exportTo(const QString& folder)
{
  const Source whole = source();
  parts.jobs->submit(
      {kCircuit, folder, tr("Export of the circuit")},
      [wanted = whole.project, to = folder.toStdString()](const JobContext& context) {
        const study::Circuit circuit = study::makeCircuit(wanted, context.control());
        ExportedCircuit exported{circuit.connections, study::exportWithSimulation(circuit, to, context.control())};
        for (std::string& warning : study::warningsOf(exported.made))
          exported.notes.push_back(std::move(warning));
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

/// As 'hinesight-cli run' makes them.
void CircuitMaker::make()
{
  const Source whole = source();
  parts.jobs->submit(
      {kCircuit, {}, tr("All connections of the circuit")},
      [wanted = whole.project, most = ProjectionController::mostKept()](const JobContext& context) {
        return makeAll(wanted, most, context.control());
      },
      [this, whole](const MadeAll& all) {
        takeFigures(whole, all.connections);
        for (const auto& [name, outcome] : all.tables) {
          const auto connection = std::ranges::find(whole.project.connections, name, &Connection::name);
          study::ProjectionRequest request = requestOf(whole.project, *connection);
          for (const auto& [choice, neurons] : {std::pair(&request.source, outcome.table->projection.source),
                                                std::pair(&request.destination, outcome.table->projection.destination)})
            if (choice->isSomata)
              choice->given = neurons;
            else
              parts.populations->setCount(*choice, neurons->count());
          parts.projection->keep(request, outcome);
        }
        for (const std::string& warning : all.warnings)
          emit warned(QString::fromStdString(warning));
        emit told(all.connections.size() == 1 ? tr("Made 1 connection.")
                                              : tr("Made %1 connections.").arg(all.connections.size()));
      },
      {{}, [this] { emit told(tr("Cancelled; the connections were not all made.")); }});
}

/// What is seen together and was not made yet, unless it is so much that a person is to ask for it.
void CircuitMaker::makeWhatIsSmall()
{
  const model::Project wanted = project();
  const auto isMade = [this](const Connection& c) { return parts.connections->figuresOf(c.name) != nullptr; };
  if (std::ranges::all_of(wanted.connections, isMade))
    return;
  double pairs = 0;
  for (const Connection& c : wanted.connections) {
    double between = 0;
    for (const std::string& name : c.between)
      between += populations->neuronsOf(name);
    pairs += c.kind == ConnectionKind::Formed ? between * between
                                              : populations->neuronsOf(c.source) * populations->neuronsOf(c.target);
  }
  constexpr double kMostPairs = 1e8; // of which a part has rows
  if (pairs <= kMostPairs)
    make();
}

/// Of connections that were made: the list has them, and so has the history of runs.
void CircuitMaker::takeFigures(const Source& of, const std::vector<study::MadeConnection>& all)
{
  for (const study::MadeConnection& each : all) {
    const auto connection = std::ranges::find(of.project.connections, each.name, &Connection::name);
    if (connection == of.project.connections.end())
      continue;
    parts.connections->setFigures(*connection, {each.rows, each.timings.total(), each.synapses, each.joins});
    if (!each.run)
      continue;
    io::RunRecord run = *each.run;
    run.source = io::nameConnection(each.name, run.source);
    const auto id = of.ids.find(each.name);
    emit made(run, *connection, id == of.ids.end() ? 0 : id->second);
  }
}

/// What the page asks for when it shows this projection.
study::ProjectionRequest CircuitMaker::requestOf(const model::Project& of, const Connection& connection) const
{
  study::ProjectionRequest request;
  request.source = populations->choiceOf(*model::findPopulation(of, connection.source));
  request.destination = populations->choiceOf(*model::findPopulation(of, connection.target));
  request.parameters = connection.projection;
  request.compute = of.compute;
  return request;
}

} // namespace hinesight::app
