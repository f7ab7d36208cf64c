#pragma once

#include "core/choices.hpp"
#include "core/fields.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hinesight::selection {

/// What an expression selects.
enum class SetKind : std::uint8_t
{
  Branches,
  Neurons,
  Synapses
};

inline constexpr Choice kSetKinds[] = {
    {"branches", "Branches", "Of cells."},
    {"neurons", "Neurons", "Of populations of the circuit."},
    {"synapses", "Synapses", "The rows of a connection of the circuit."},
};
inline std::span<const Choice> tableOf(SetKind)
{
  return kSetKinds;
}

/// A set that a person keeps: of branches, neurons or synapses, where the expression says which, of whatever there is;
/// or of cells.
struct NamedSelection
{
  std::string name = "selection";
  std::string expression = {};
  std::vector<std::string> cells = {}; ///< names in a project, files in the window; empty: not a set of cells
  SetKind of = SetKind::Branches;      ///< where it is no set of cells
  std::string connection = {};         ///< Synapses: the name of theirs

  bool operator==(const NamedSelection&) const = default;
};

template <typename Visitor>
void visitFields(NamedSelection& s, Visitor&& visit)
{
  visit(Field{.name = "name", .label = "Name", .help = "What the set is called."}, s.name);
  visit(Field{.name = "expression", .label = "Expression", .help = "What it has: type == axon && level > 3."}.when(
            s.cells.empty()),
        s.expression);
  visit(Field{.name = "cells",
              .label = "Cells",
              .help = "Names of the cells that it has; none: the expression says what it has.",
              .item = "a cell"}
            .when(!s.cells.empty()),
        s.cells);
  visit(Field{.name = "of", .label = "Of", .help = "What the expression selects."}.when(s.cells.empty() &&
                                                                                        s.of != SetKind::Branches),
        s.of);
  visit(
      Field{.name = "connection", .label = "Connection", .help = "Name of the connection whose synapses it has."}.when(
          s.cells.empty() && s.of == SetKind::Synapses),
      s.connection);
}

} // namespace hinesight::selection
