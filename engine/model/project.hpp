#pragma once

#include "core/fields.hpp"
#include "model/neuron_model.hpp"
#include "model/simulate_parameters.hpp"
#include "model/stimulus.hpp"
#include "model/study_parameters.hpp"
#include "model/synapse_model.hpp"
#include "morphology/cell_place.hpp"
#include "morphology/unit_scale.hpp"
#include "projection/benchmark.hpp"
#include "projection/parameters.hpp"
#include "projection/populations/population.hpp"
#include "projection/projection.hpp"
#include "selection/named_selection.hpp"
#include "simulation/bench/benchmark.hpp"
#include "study/cells/parameters.hpp"
#include "study/formation/formation_study.hpp"
#include "synapse/formation/benchmark.hpp"
#include "synapse/formation/formation.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// The circuit that all pages share: a value, cheap to compare, without Qt. Cells, populations and connections are known
// by their names. A session file (session_file.hpp) holds a project; studies make things of it.

namespace hinesight::model {

/// A reconstructed cell of a file.
struct Cell
{
  std::string name = "cell";
  std::string file;
  std::string hash; ///< of the file's bytes as they were (contentHash); empty: not known
  double scale = 1; ///< µm a unit of the file
  bool isShown = true;
  morphology::CellPlace place = {};
  std::vector<std::string> tags = {}; ///< sorted, each once (tagSet)
  std::string modified = {};          ///< when the file was written last, as `hash` is of it; empty: not known

  bool operator==(const Cell&) const = default;
};

template <typename Visitor>
void visitFields(Cell& c, Visitor&& visit)
{
  visit(Field{.name = "name", .label = "Name", .help = "What the cell is called."}, c.name);
  visit(Field{.name = "file", .label = "File", .help = "The SWC file, from the session's folder on."}, c.file);
  visit(Field{.name = "hash", .label = "Content", .help = "A number made of the file's bytes; empty: not known."},
        c.hash);
  visit(Field{.name = "modified",
              .label = "Modified",
              .help = "When the file with that content was written last, UTC; empty: not known.",
              .concern = Concern::Picture}
            .when(!c.modified.empty()),
        c.modified);
  visit(Field{.name = "scale",
              .label = "Unit",
              .unit = "µm",
              .range = morphology::kUnitScaleRange,
              .slider = {0.001, 1, true},
              .help = "Length of a unit of the file; 0.001 for nanometres."},
        c.scale);
  visit(FieldGroup{"place", "Place", "", "Where it lies, beside where its file says."}.when(c.place !=
                                                                                            morphology::CellPlace()),
        c.place);
  visit(Field{.name = "tags",
              .label = "Tags",
              .help = "Short words by which it is told apart and found.",
              .item = "a tag",
              .concern = Concern::Picture}
            .when(!c.tags.empty()),
        c.tags);
  visit(Field{.name = "shown", .label = "Shown", .help = "Whether it is drawn.", .concern = Concern::Picture},
        c.isShown);
}

enum class Role
{
  Excitatory,
  Inhibitory,
  Relay
};

inline constexpr Choice kRoles[] = {
    {"excitatory", "Excitatory", "Its axons seek excitatory dendrites."},
    {"inhibitory", "Inhibitory", "Its axons seek inhibitory dendrites; the weights of its connections are negative."},
    {"relay", "Relay", "Its neurons pass on what comes from outside; they form synapses as excitatory ones do."},
};
inline std::span<const Choice> tableOf(Role)
{
  return kRoles;
}

/// Which cell of its pool each neuron is.
enum class CellOrder
{
  Turn,
  Chance,
  Type
};

inline constexpr Choice kCellOrders[] = {
    {"turn", "In turn", "Neuron i is the cell i modulo their number."},
    {"chance", "By chance", "Each neuron is a cell of the pool by chance, the same for the same seed."},
    {"type", "By type of node", "Of a SONATA file: the pool has a cell for each type of node, in ascending order."},
};
inline std::span<const Choice> tableOf(CellOrder)
{
  return kCellOrders;
}

/// Neurons that lie in space: points, or each one of some cells.
struct Population
{
  projection::PopulationParameters placement; ///< with its name
  Role role = Role::Excitatory;
  std::string nodes;                      ///< of a SONATA file: its population; empty: the only one
  std::string colour;                     ///< "#e69f00"; empty: one by its place in the list
  std::vector<std::string> cells;         ///< names, a pool; empty: points
  CellOrder order = CellOrder::Turn;      ///< not of Given, where each neuron is a cell of its own
  std::array<double, 3> moved{};          ///< Given: added to where the somata of the cells are, µm
  double rotation = 0;                    ///< degrees by which every cell is turned about its soma, after its own turn
  std::array<double, 3> axis = {0, 1, 0}; ///< of the rotation, of any length
  bool isTurned = false;                  ///< cells are turned about their y axis first, each by chance
  std::uint64_t seed = 1;                 ///< of the turns and of the draws
  std::vector<std::string> models;        ///< names: one of all, or one of each cell; none: it is not simulated

  const std::string& name() const { return placement.name; }
  bool operator==(const Population&) const = default;
};

template <typename Visitor>
void visitFields(Population& p, Visitor&& visit)
{
  visit(FieldGroup{"placement", "Neurons", "", "Where the neurons are, µm."}, p.placement);
  visit(Field{.name = "nodes", .label = "Nodes", .help = "The population of a SONATA file; empty: the only one."}
            .onlyWhen(p.placement.kind == projection::PopulationKind::File),
        p.nodes);
  visit(Field{.name = "role", .label = "Role", .help = "What its axons do."}, p.role);
  visit(Field{.name = "colour", .label = "Colour", .help = "Of its neurons, as #rrggbb.", .concern = Concern::Picture},
        p.colour);
  visit(Field{.name = "cells",
              .label = "Cells",
              .help = "Names of the cells that its neurons are; none: its neurons are points.",
              .item = "a cell"},
        p.cells);
  const bool isGiven = p.placement.kind == projection::PopulationKind::Given;
  visit(Field{.name = "cells-by",
              .label = "Cells are taken",
              .help = "Which cell of the pool each neuron is; of somata each is its own."}
            .when(!p.cells.empty() && !isGiven),
        p.order);
  visit(Field{.name = "moved",
              .label = "Moved by",
              .unit = "µm",
              .range = from(-projection::kMostOfProjection, projection::kMostOfProjection),
              .slider = {-1000, 1000},
              .help = "What is added to x, y and z of the somata, which lie where the files of the cells say."}
            .onlyWhen(isGiven),
        p.moved);
  visit(Field{.name = "rotation",
              .label = "Rotation",
              .unit = "°",
              .range = from(-360, 360),
              .slider = {-180, 180},
              .help = "How far every cell is turned about an axis through its soma, anticlockwise seen from the "
                      "axis's tip."}
            .when(!p.cells.empty()),
        p.rotation);
  visit(Field{.name = "rotation-axis",
              .label = "Axis of the rotation",
              .range = from(-projection::kMostOfProjection, projection::kMostOfProjection),
              .slider = {-1, 1},
              .help = "x, y and z of the direction of the axis, of any length but 0."}
            .when(!p.cells.empty() && p.rotation != 0),
        p.axis);
  visit(Field{.name = "turned",
              .label = "Turned by chance",
              .help = "Turn every neuron about the y axis through its soma, before the rotation."}
            .when(!p.cells.empty()),
        p.isTurned);
  visit(Field{.name = "turn-seed",
              .label = "Seed of cells",
              .range = from(0, kBoundless),
              .slider = {0, 100},
              .help = "Seed of what is by chance: the angles, and the cells of the pool."}
            .when(!p.cells.empty() && (p.isTurned || (p.order == CellOrder::Chance && !isGiven))),
        p.seed);
  visit(Field{.name = "models",
              .label = "Models",
              .help =
                  "Names of the models by which its neurons are simulated: one, or one for each of its cells. None: "
                  "they are not simulated; stimuli may make them spike.",
              .item = "a model"}
            .when(!p.models.empty()),
        p.models);
}

/// How a connection is made.
enum class ConnectionKind
{
  Projection,
  Formed,
  File
};

inline constexpr Choice kConnectionKinds[] = {
    {"projection", "Projection", "A kernel says the weight of each pair."},
    {"formed", "Formed", "Axons search for dendrites by distance (Barnes-Hut)."},
    {"file", "File", "A weight table or a network of a file."},
};
inline std::span<const Choice> tableOf(ConnectionKind)
{
  return kConnectionKinds;
}

/// What joins populations. A projection and a file go from one population to another; synapses are formed between all
/// neurons of several populations at once.
struct Connection
{
  std::string name = "connection";
  ConnectionKind kind = ConnectionKind::Projection;
  std::string source;
  std::string target;
  std::vector<std::string> between; ///< Formed: names of populations
  projection::ProjectionParameters projection;
  synapse::FormationParameters formation;
  std::string file;
  std::string edges;     ///< of a SONATA circuit: the population of edges in the file; empty: a table or a network
  std::string edgeTypes; ///< of a SONATA circuit: the file of the table of their types; empty: none
  SynapseModel synapses; ///< when it is simulated

  bool operator==(const Connection&) const = default;
};

template <typename Visitor>
void visitFields(Connection& c, Visitor&& visit)
{
  const bool isFormed = c.kind == ConnectionKind::Formed;
  visit(Field{.name = "name", .label = "Name", .help = "What the connection is called, in lists and files."}, c.name);
  visit(Field{.name = "kind", .label = "Kind", .help = "How it is made."}, c.kind);
  visit(Field{.name = "source", .label = "Source", .help = "Name of the population whose axons they are."}.when(
            !isFormed),
        c.source);
  visit(Field{.name = "target", .label = "Target", .help = "Name of the population that they end on."}.when(!isFormed),
        c.target);
  visit(Field{.name = "between",
              .label = "Between",
              .help = "Names of the populations whose neurons form synapses with one another.",
              .item = "a population"}
            .when(isFormed),
        c.between);
  visit(FieldGroup{"projection", "Projection", "", "The weight of a pair."}.when(c.kind == ConnectionKind::Projection),
        c.projection);
  visit(FieldGroup{"formation", "Formation", "formed-", "How partners are found."}.when(isFormed), c.formation);
  visit(Field{.name = "file", .label = "File", .help = "The weight table or the network, from the session's folder on."}
            .when(c.kind == ConnectionKind::File),
        c.file);
  visit(Field{.name = "edges",
              .label = "Edges",
              .help = "The population of edges of a SONATA circuit that the file holds; empty: the file is a table or "
                      "a network."}
            .when(c.kind == ConnectionKind::File),
        c.edges);
  visit(Field{.name = "edge-types",
              .label = "Types of edges",
              .help = "The table of types of these edges, from the session's folder on; empty: none."}
            .when(c.kind == ConnectionKind::File && !c.edges.empty()),
        c.edgeTypes);
  visit(FieldGroup{"synapses", "Synapses", "synapse-", "What its weights are for cells that are simulated."},
        c.synapses);
}

struct Project
{
  std::vector<Cell> cells;
  std::vector<Population> populations;
  std::vector<Connection> connections;
  std::vector<NeuronModel> models;                   ///< of neurons that are simulated
  std::vector<Stimulus> stimuli;                     ///< of the simulation
  std::vector<ProbeRequest> probes;                  ///< the same
  std::vector<selection::NamedSelection> selections; ///< sets that a person keeps
  study::CellParameters solve;                       ///< of the study of the cells
  projection::ComputeParameters compute;             ///< where connections are made
  std::optional<SimulateParameters> simulate;        ///< none: the circuit is not simulated
  // What the pages of the window work with; none: as the window begins.
  std::optional<FormationRun> form; ///< of synapses
  std::optional<GrowthRun> grow;    ///< of plasticity; without its start
  // What is measured when the session is run; none: nothing.
  std::optional<SolverBenchmark> solverBenchmark;
  std::optional<projection::BenchmarkParameters> projectionBenchmark;
  std::optional<synapse::BenchmarkParameters> synapseBenchmark;
  std::optional<simulation::BenchmarkParameters> simulationBenchmark;

  bool operator==(const Project&) const = default;
};

/// What results depend on of a cell: without its eye, its tags and the time of its file.
Cell scienceOf(Cell cell);

/// As long as the project is as it is.
std::unordered_map<std::string_view, const Cell*> cellsByName(const Project& project);
/// Null where none has that name.
const Population* findPopulation(const Project& project, const std::string& name);
const NeuronModel* findModel(const Project& project, const std::string& name);

/// Names are names of files too, when a circuit is exported. `kind`: "connection". Throws Error(BadParameter).
void requireName(std::string_view kind, const std::string& name);

/// Throws Error(BadParameter) that names the part and what is wrong: a field out of its range, a name that is empty,
/// not unique or nobody's.
void validate(const Project& project);

} // namespace hinesight::model
