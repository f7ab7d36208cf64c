#pragma once

#include "core/fields.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hinesight::model {

/// The branches of a cell that are not drawn.
struct HiddenBranches
{
  std::string cell;
  std::string branches; ///< as selection::rangesText has them

  bool operator==(const HiddenBranches&) const = default;
};

template <typename Visitor>
void visitFields(HiddenBranches& h, Visitor&& visit)
{
  visit(Field{.name = "cell", .label = "Cell", .help = "Name of the cell.", .concern = Concern::Picture}, h.cell);
  visit(Field{.name = "branches",
              .label = "Branches",
              .help = "Numbers of the branches that are not drawn, of how many: \"2-4,7 of 31\".",
              .concern = Concern::Picture},
        h.branches);
}

/// The neurons of a population that are not drawn.
struct HiddenNeurons
{
  std::string population;
  std::string neurons; ///< as selection::rangesText has them

  bool operator==(const HiddenNeurons&) const = default;
};

template <typename Visitor>
void visitFields(HiddenNeurons& h, Visitor&& visit)
{
  visit(Field{.name = "population",
              .label = "Population",
              .help = "Name of the population that the neurons are of.",
              .concern = Concern::Picture},
        h.population);
  visit(Field{.name = "neurons",
              .label = "Neurons",
              .help = "Numbers of the neurons that are not drawn, from 0: \"0-3,7\".",
              .concern = Concern::Picture},
        h.neurons);
}

/// The way between two samples of cells that was measured.
struct SeenPath
{
  std::string from; ///< the cell of the first sample, as the page Measure calls it
  std::int64_t fromSample = 0;
  std::string to;
  std::int64_t toSample = 0;
  double length = kBoundless; ///< µm, along the branches; kBoundless: there is no such way
  double distance = 0;        ///< µm, straight

  bool operator==(const SeenPath&) const = default;
};

template <typename Visitor>
void visitFields(SeenPath& p, Visitor&& visit)
{
  visit(Field{.name = "from", .label = "From", .help = "The cell of the first sample.", .concern = Concern::Picture},
        p.from);
  visit(Field{.name = "from-sample",
              .label = "Sample",
              .help = "The first sample, by its id in the file.",
              .concern = Concern::Picture},
        p.fromSample);
  visit(Field{.name = "to", .label = "To", .help = "The cell of the second sample.", .concern = Concern::Picture},
        p.to);
  visit(Field{.name = "to-sample",
              .label = "Sample",
              .help = "The second sample, by its id in the file.",
              .concern = Concern::Picture},
        p.toSample);
  visit(Field{.name = "path",
              .label = "Path",
              .unit = "µm",
              .range = from(0, kBoundless),
              .special = {kBoundless, "none"},
              .help = "How long the way is along the branches; none between different trees.",
              .concern = Concern::Picture},
        p.length);
  visit(Field{.name = "distance",
              .label = "Distance",
              .unit = "µm",
              .range = from(0, kBoundless),
              .help = "Straight, where the files have the samples.",
              .concern = Concern::Picture},
        p.distance);
}

/// What a person saw of a project: nothing that is computed depends on it.
struct SessionView
{
  std::string page;                         ///< by its name; empty: as the window begins
  std::string connection;                   ///< that the page Projection shows; empty: the first projection
  bool isTogether = false;                  ///< that page shows all connections together
  std::string formed;                       ///< the formed connection that the page Synapses shows; empty: none
  bool isCircuitOpen = false;               ///< on the page Simulation
  std::vector<HiddenBranches> hidden;       ///< of cells of files
  std::vector<HiddenNeurons> hiddenNeurons; ///< of the circuit
  bool inChosenCells = false;               ///< expressions select in the chosen cells only
  std::vector<std::string> chosenCells;     ///< by their names
  std::string sortBy;                       ///< the column of the list of cells that it is sorted by; empty: none
  bool isDescending = false;                ///< the greatest first
  bool isParallel = false;                  ///< the projection of the page Morphology
  std::string measureBeside;                ///< the cell that the page Measure compares with; empty: none
  std::string histogramOf;                  ///< what that page counts branches by; empty: as it begins
  double shollStep = 10;                    ///< of that page, µm
  std::vector<SeenPath> paths;              ///< that were measured
  std::string savedAs;                      ///< of what is kept to be recovered: the session file that it belongs to

  bool operator==(const SessionView&) const = default;
};

template <typename Visitor>
void visitFields(SessionView& v, Visitor&& visit)
{
  visit(Field{.name = "page", .label = "Page", .help = "The page that is shown.", .concern = Concern::Picture}, v.page);
  visit(Field{.name = "connection",
              .label = "Connection",
              .help = "The projection, or the table of a file, that the page Projection shows.",
              .concern = Concern::Picture},
        v.connection);
  visit(Field{.name = "together",
              .label = "Together",
              .help = "Whether the page Projection shows all connections together.",
              .concern = Concern::Picture},
        v.isTogether);
  visit(Field{.name = "formed",
              .label = "Formed connection",
              .help = "The formed connection that the page Synapses shows; empty: neurons of its own.",
              .concern = Concern::Picture},
        v.formed);
  visit(Field{.name = "circuit-open",
              .label = "Circuit open",
              .help = "Whether the page Simulation has the circuit of this session open; its run is not kept.",
              .concern = Concern::Picture},
        v.isCircuitOpen);
  visit(Field{.name = "hidden",
              .label = "Hidden branches",
              .help = "Branches that are not drawn, cell by cell.",
              .item = "a cell",
              .concern = Concern::Picture},
        v.hidden);
  visit(Field{.name = "hidden-neurons",
              .label = "Hidden neurons",
              .help = "Neurons of the circuit that are not drawn, population by population.",
              .item = "a population",
              .concern = Concern::Picture},
        v.hiddenNeurons);
  visit(Field{.name = "in-chosen-cells",
              .label = "In chosen cells",
              .help = "Whether expressions select in the chosen cells only.",
              .concern = Concern::Picture},
        v.inChosenCells);
  visit(Field{.name = "chosen-cells",
              .label = "Chosen cells",
              .help = "Names of the cells that are chosen in the list.",
              .item = "a cell",
              .concern = Concern::Picture},
        v.chosenCells);
  visit(Field{.name = "sort-by",
              .label = "Sorted by",
              .help = "The column that the list of cells is sorted by; empty: as the cells were opened.",
              .concern = Concern::Picture},
        v.sortBy);
  visit(Field{.name = "sort-descending",
              .label = "Greatest first",
              .help = "Whether the list of cells begins with the greatest.",
              .concern = Concern::Picture},
        v.isDescending);
  visit(Field{.name = "parallel",
              .label = "Parallel projection",
              .help = "Whether the page Morphology shows cells in parallel projection.",
              .concern = Concern::Picture},
        v.isParallel);
  visit(Field{.name = "measure-beside",
              .label = "Compare with",
              .help = "Name of the cell that the page Measure shows beside the chosen one.",
              .concern = Concern::Picture},
        v.measureBeside);
  visit(Field{.name = "histogram-of",
              .label = "Histogram of",
              .help = "What the page Measure counts branches by.",
              .concern = Concern::Picture},
        v.histogramOf);
  visit(Field{.name = "sholl-step",
              .label = "Sholl step",
              .unit = "µm",
              .range = above(0, 1e6),
              .help = "From one sphere of the page Measure to the next.",
              .concern = Concern::Picture},
        v.shollStep);
  visit(Field{.name = "paths",
              .label = "Paths",
              .help = "Ways between two samples that were measured.",
              .item = "a path",
              .concern = Concern::Picture},
        v.paths);
  visit(Field{.name = "saved-as",
              .label = "Saved as",
              .help = "The session file that this belongs to; only what the program keeps by itself says so.",
              .concern = Concern::Picture},
        v.savedAs);
}

} // namespace hinesight::model
