#pragma once

#include "core/fields.hpp"

#include <string>

namespace hinesight::selection {

/// A set that a person keeps: the expression says which branches it has, in whatever cells there are.
struct NamedSelection
{
  std::string name = "selection";
  std::string expression;

  bool operator==(const NamedSelection&) const = default;
};

template <typename Visitor>
void visitFields(NamedSelection& s, Visitor&& visit)
{
  visit(Field{.name = "name", .label = "Name", .help = "What the set is called."}, s.name);
  visit(Field{.name = "expression", .label = "Expression", .help = "Which branches it has: type == axon && level > 3."},
        s.expression);
}

} // namespace hinesight::selection
