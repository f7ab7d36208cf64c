#pragma once

#include "core/fields.hpp"

#include <string>
#include <vector>

namespace hinesight::selection {

/// A set that a person keeps: of branches, where the expression says which, in whatever cells there are; or of cells.
struct NamedSelection
{
  std::string name = "selection";
  std::string expression;
  std::vector<std::string> cells = {}; ///< names in a project, files in the window; empty: a set of branches

  bool operator==(const NamedSelection&) const = default;
};

template <typename Visitor>
void visitFields(NamedSelection& s, Visitor&& visit)
{
  visit(Field{.name = "name", .label = "Name", .help = "What the set is called."}, s.name);
  visit(Field{.name = "expression", .label = "Expression", .help = "Which branches it has: type == axon && level > 3."}
            .when(s.cells.empty()),
        s.expression);
  visit(Field{.name = "cells",
              .label = "Cells",
              .help = "Names of the cells that it has; none: it is a set of branches.",
              .item = "a cell"}
            .when(!s.cells.empty()),
        s.cells);
}

} // namespace hinesight::selection
