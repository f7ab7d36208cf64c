#include "fuzzing.hpp"
#include "selection/branch_set.hpp"
#include "selection/expression.hpp"

// Conditions on branches, which are evaluated, and sets as text. A set is written as an expression of exactly its rows.

using namespace hinesight;

namespace {

selection::BranchTable makeTable()
{
  constexpr std::size_t kBranches = 12; // of each cell
  selection::BranchTable table;
  table.cellNames = {"cell", "other \"cell\"", "cell*"};
  for (std::size_t cell = 0; cell < table.cells(); ++cell) {
    for (std::size_t branch = 0; branch < kBranches; ++branch) {
      const std::size_t row = table.rows();
      table.cell.push_back(static_cast<std::int32_t>(cell));
      table.parent.push_back(branch == 0 ? -1 : static_cast<std::int64_t>(row - (branch + 1) / 2));
      for (std::size_t figure = 0; figure < table.figures.size(); ++figure)
        table.figures[figure].push_back(static_cast<double>((row * 7 + figure * 3) % 11));
      table.figures[static_cast<std::size_t>(selection::BranchFigure::Branch)].back() = static_cast<double>(branch + 1);
      table.figures[static_cast<std::size_t>(selection::BranchFigure::Cell)].back() = static_cast<double>(cell + 1);
    }
    table.firstRow.push_back(table.rows());
  }
  return table;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  static const selection::BranchTable table = makeTable();
  const std::string_view text = fuzz::textOf(bytes, size);
  return fuzz::attempt([&] {
    constexpr std::size_t kNumbers = 1000;
    const std::vector<std::size_t> numbers = selection::numbersOf(text, kNumbers);
    for (const std::size_t number : numbers)
      fuzz::require(number >= 1 && number <= kNumbers, "a number out of its range");
    fuzz::require(numbers.size() <= kNumbers, "more numbers than there are");

    try {
      const selection::BranchSet set = selection::Expression(text).evaluate(table);
      fuzz::require(set.rows() == table.rows(), "a set of another table");
      if (!set.isEmpty())
        fuzz::whenAccepted([&] {
          fuzz::require(selection::Expression(selection::expressionOf(table, set)).evaluate(table) == set,
                        "an expression of other rows");
        });
    } catch (const selection::ExpressionError& error) {
      fuzz::require(error.begin() <= error.end() && error.end() <= text.size(), "a fault outside of the text");
      throw;
    }
  });
}
