#pragma once

#include "selection/vocabulary.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// What an expression can ask of a branch. Declared once: expressions, tables, completion and the documentation read it.

namespace hinesight::selection {

enum class BranchFigure : std::uint8_t
{
  Type,
  Order,
  Level,
  Block,
  Length,
  PathDistance,
  PathStart,
  Distance,
  Diameter,
  Compartments,
  Children,
  Subtree,
  Branch,
  Cell
};

struct BranchField
{
  BranchFigure figure;
  std::string_view name; ///< in expressions
  std::string_view label;
  std::string_view unit; ///< empty: none
  std::string_view help; ///< a sentence
  FigureKind kind = FigureKind::Number;
};

/// All of them, that of figure k at place k.
std::span<const BranchField> branchFields();
inline constexpr std::size_t kBranchFigures = 14;

/// A name of expressions that stands for SWC types: one word, or those of morphology::typeName.
struct TypeWord
{
  std::string_view word; ///< several have a space between them
  std::span<const std::int32_t> types;
  std::string_view help;
};

std::span<const TypeWord> typeWords();

/// Of expressions about branches.
const Vocabulary& branchVocabulary();

} // namespace hinesight::selection
