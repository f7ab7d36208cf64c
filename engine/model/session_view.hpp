#pragma once

#include "core/fields.hpp"

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

/// What a person saw of a project: nothing that is computed depends on it.
struct SessionView
{
  std::string page;                     ///< by its name; empty: as the window begins
  std::string connection;               ///< that the page Projection shows; empty: the first projection
  bool isTogether = false;              ///< that page shows all connections together
  std::string formed;                   ///< the formed connection that the page Synapses shows; empty: none
  std::vector<HiddenBranches> hidden;   ///< of cells of files
  bool inChosenCells = false;           ///< expressions select in the chosen cells only
  std::vector<std::string> chosenCells; ///< by their names
  std::string savedAs;                  ///< of what is kept to be recovered: the session file that it belongs to

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
  visit(Field{.name = "hidden",
              .label = "Hidden branches",
              .help = "Branches that are not drawn, cell by cell.",
              .item = "a cell",
              .concern = Concern::Picture},
        v.hidden);
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
  visit(Field{.name = "saved-as",
              .label = "Saved as",
              .help = "The session file that this belongs to; only what the program keeps by itself says so.",
              .concern = Concern::Picture},
        v.savedAs);
}

} // namespace hinesight::model
