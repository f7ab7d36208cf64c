#pragma once

#include "core/error.hpp"
#include "core/run_control.hpp"
#include "selection/branch_set.hpp"
#include "selection/figure_rows.hpp"
#include "selection/vocabulary.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::selection {

/// Error(BadParameter) of an expression, with the part of the text that it is about.
class ExpressionError : public Error
{
public:
  /// Characters `begin` to before `end`, counted in bytes from 0. The message is about that place.
  ExpressionError(const std::string& message, std::size_t begin, std::size_t end);

  std::size_t begin() const { return from; }
  std::size_t end() const { return to; }

private:
  std::size_t from;
  std::size_t to;
};

/// A condition on branches, neurons or synapses, such as `type == axon && pathDistance > 200`, in the language of
/// docs/selection.md. Compiled once, evaluated on whole columns. A comparison with a figure that a row does not have is
/// false.
class Expression
{
public:
  /// Throws ExpressionError.
  explicit Expression(std::string_view text, const Vocabulary& vocabulary = branchVocabulary());

  /// The rows of which it is true, ascending; it is of their vocabulary. Linear. Throws Error(Cancelled).
  void visitRows(const FigureRows& rows, const std::function<void(std::size_t row)>& visit,
                 const RunControl& control = {}) const;
  /// The same of branches.
  BranchSet evaluate(const BranchTable& table) const;

  enum class Operation : std::uint8_t
  {
    Load,     ///< pushes figure `argument`
    Constant, ///< pushes number `argument`
    Negate,   ///< of the top
    Add,      ///< of the two on top
    Subtract,
    Multiply,
    Divide,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    Unequal,
    In,    ///< the top in set `argument`
    NotIn, ///< the top known and not in set `argument`
    Not,
    And,
    Or
  };
  struct Instruction
  {
    Operation operation;
    std::uint32_t argument = 0;
  };
  /// What `in`, and `==` with a word or a text, look for.
  struct Members
  {
    std::vector<double> numbers;
    std::vector<std::string> names; ///< where * stands for any text
    std::uint32_t field = 0;        ///< that they are of
  };
  /// For a machine with a stack; conditions are 0 or 1.
  struct Program
  {
    std::vector<Instruction> instructions;
    std::vector<double> constants;
    std::vector<Members> sets;
    std::size_t depth = 0; ///< most numbers on the stack
  };

private:
  Program program;
};

/// The words of the language, for completion: fields, names of types, operators.
std::vector<std::string_view> expressionWords(const Vocabulary& vocabulary = branchVocabulary());

} // namespace hinesight::selection
