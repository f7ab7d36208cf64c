#pragma once

#include <string_view>
#include <vector>

namespace hinesight::selection {

/// What a figure is compared with.
enum class FigureKind
{
  Number,
  Type, ///< an SWC type, by a word or its number
  Name  ///< a cell or a population, by its name or its number
};

struct ExpressionField
{
  std::string_view name; ///< in expressions
  std::string_view label;
  std::string_view unit; ///< empty: none
  std::string_view help; ///< a sentence
  FigureKind kind = FigureKind::Number;
};

/// What expressions about one kind of things can say. All texts are literals.
struct Vocabulary
{
  std::vector<ExpressionField> fields; ///< that of figure k at place k
  bool hasTypes = false;               ///< of branches
  std::string_view named;              ///< what texts are the names of: "cell"
  // Examples, for sentences about mistakes.
  std::string_view condition;
  std::string_view comparison;
  std::string_view set;
};

} // namespace hinesight::selection
