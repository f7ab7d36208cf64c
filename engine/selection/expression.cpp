#include "selection/expression.hpp"

#include "selection/expression_parser.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace hinesight::selection {

namespace {

using Operation = Expression::Operation;

constexpr std::size_t kRowsAtATime = 512; // a stack of them stays in the first cache
constexpr std::size_t kRowsBetweenCheckpoints = 64 * kRowsAtATime;

/// Whether `text` is the pattern, in which * stands for any text.
bool matches(std::string_view pattern, std::string_view text)
{
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos; // the last one that was passed
  std::size_t taken = 0;                     // where the text after what it stands for begins
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*')
    ++p;
  return p == pattern.size();
}

/// The numbers of a set, those of what it names included, ascending.
std::vector<double> numbersOf(const Expression::Members& members, const FigureRows& rows)
{
  std::vector<double> numbers = members.numbers;
  if (!members.names.empty()) {
    const std::span<const std::string> names = rows.names(members.field);
    for (const std::string& pattern : members.names)
      for (std::size_t k = 0; k < names.size(); ++k)
        if (matches(pattern, names[k]))
          numbers.push_back(static_cast<double>(k + 1));
  }
  std::ranges::sort(numbers);
  return numbers;
}

/// The branches of a table.
class BranchRows : public FigureRows
{
public:
  explicit BranchRows(const BranchTable& branches) : table(branches) {}

  std::size_t rows() const override { return table.rows(); }
  void read(std::size_t field, std::size_t begin, std::span<double> figures) const override
  {
    std::ranges::copy(std::span(table.figures[field]).subspan(begin, figures.size()), figures.begin());
  }
  std::span<const std::string> names(std::size_t) const override { return table.cellNames; }

private:
  const BranchTable& table;
};

template <typename Function>
void combine(std::span<double> under, std::span<const double> top, Function function)
{
  for (std::size_t i = 0; i < under.size(); ++i)
    under[i] = function(under[i], top[i]);
}

void apply(Operation operation, std::span<double> under, std::span<const double> top)
{
  switch (operation) {
  case Operation::Add:
    return combine(under, top, [](double a, double b) { return a + b; });
  case Operation::Subtract:
    return combine(under, top, [](double a, double b) { return a - b; });
  case Operation::Multiply:
    return combine(under, top, [](double a, double b) { return a * b; });
  case Operation::Divide:
    return combine(under, top, [](double a, double b) { return a / b; });
  case Operation::Less:
    return combine(under, top, [](double a, double b) { return a < b ? 1.0 : 0.0; });
  case Operation::LessEqual:
    return combine(under, top, [](double a, double b) { return a <= b ? 1.0 : 0.0; });
  case Operation::Greater:
    return combine(under, top, [](double a, double b) { return a > b ? 1.0 : 0.0; });
  case Operation::GreaterEqual:
    return combine(under, top, [](double a, double b) { return a >= b ? 1.0 : 0.0; });
  case Operation::Equal:
    return combine(under, top, [](double a, double b) { return a == b ? 1.0 : 0.0; });
  case Operation::Unequal: // false where one is unknown
    return combine(under, top, [](double a, double b) { return a < b || a > b ? 1.0 : 0.0; });
  case Operation::And:
    return combine(under, top, [](double a, double b) { return a * b; });
  case Operation::Or:
    return combine(under, top, [](double a, double b) { return std::max(a, b); });
  default:
    return;
  }
}

/// A stack of columns, each with the rows that are being looked at.
class Machine
{
public:
  Machine(const Expression::Program& compiled, const FigureRows& lookedAt)
      : program(compiled), table(lookedAt), room(compiled.depth * kRowsAtATime)
  {
    for (const Expression::Members& members : program.sets)
      sets.push_back(numbersOf(members, table));
  }

  /// Of rows `begin` to before `begin + rows`: 1 where the condition holds.
  std::span<const double> run(std::size_t begin, std::size_t rows)
  {
    std::size_t height = 0;
    const auto column = [&](std::size_t place) { return std::span(room).subspan(place * kRowsAtATime, rows); };
    for (const auto [operation, argument] : program.instructions) {
      switch (operation) {
      case Operation::Load:
        table.read(argument, begin, column(height++));
        break;
      case Operation::Constant:
        std::ranges::fill(column(height++), program.constants[argument]);
        break;
      case Operation::Negate:
        for (double& value : column(height - 1))
          value = -value;
        break;
      case Operation::Not:
        for (double& value : column(height - 1))
          value = 1 - value;
        break;
      case Operation::In:
      case Operation::NotIn:
        for (double& value : column(height - 1))
          value =
              !std::isnan(value) && std::ranges::binary_search(sets[argument], value) == (operation == Operation::In);
        break;
      default:
        --height;
        apply(operation, column(height - 1), column(height));
      }
    }
    return column(0);
  }

private:
  const Expression::Program& program;
  const FigureRows& table;
  std::vector<double> room;
  std::vector<std::vector<double>> sets;
};

} // namespace

ExpressionError::ExpressionError(const std::string& message, std::size_t begin, std::size_t end)
    : Error(ErrorCode::BadParameter, message), from(begin), to(end)
{}

Expression::Expression(std::string_view text, const Vocabulary& vocabulary)
    : program(compileExpression(text, vocabulary))
{}

void Expression::visitRows(const FigureRows& table, const std::function<void(std::size_t row)>& visit,
                           const RunControl& control) const
{
  Machine machine(program, table);
  for (std::size_t begin = 0; begin < table.rows(); begin += kRowsAtATime) {
    if (begin % kRowsBetweenCheckpoints == 0)
      control.checkpoint();
    const std::size_t rows = std::min(kRowsAtATime, table.rows() - begin);
    const std::span<const double> holds = machine.run(begin, rows);
    for (std::size_t i = 0; i < rows; ++i)
      if (holds[i] != 0)
        visit(begin + i);
  }
}

BranchSet Expression::evaluate(const BranchTable& table) const
{
  BranchSet set(table.rows());
  visitRows(BranchRows(table), [&set](std::size_t row) { set.add(row); });
  return set;
}

} // namespace hinesight::selection
