#include "fuzzing.hpp"
#include "selection/branch_set.hpp"
#include "selection/expression.hpp"
#include "selection/network_table.hpp"
#include "selection/number_ranges.hpp"

#include <algorithm>
#include <cmath>

// Conditions on branches, neurons and synapses, which are evaluated, and sets as text. A set of branches is written as
// an expression of exactly its rows.

using namespace hinesight;

namespace {

selection::BranchTable makeBranches()
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

/// Of two populations of 8 and 5 neurons; the last three of the first one have no synapses, and none has a delay.
selection::NetworkTable makeNetwork()
{
  static const std::vector<std::uint64_t> kOffsets = {0, 3, 3, 4, 9, 12};
  static const std::vector<std::uint32_t> kTargets = {0, 1, 4, 2, 0, 1, 2, 3, 4, 4, 4, 0};
  selection::NetworkTable table;
  table.addPopulation("E", 8);
  table.firstTarget = table.neurons();
  table.addPopulation("other \"I\"", 5);
  table.position = [](std::size_t neuron) {
    const auto at = static_cast<double>(neuron);
    return std::array<double, 3>{at, 10 - at, 3 * std::fmod(at, 4)};
  };
  table.connection = "c";
  table.offsets = kOffsets;
  table.target = kTargets;
  table.weight = [](std::size_t synapse) { return static_cast<double>(synapse) / 4 - 1; };
  return table;
}

template <typename Compile>
auto compiled(std::string_view text, const Compile& compile)
{
  try {
    return compile();
  } catch (const selection::ExpressionError& error) {
    fuzz::require(error.begin() <= error.end() && error.end() <= text.size(), "a fault outside of the text");
    throw;
  }
}

void selectBranches(std::string_view text)
{
  static const selection::BranchTable table = makeBranches();
  const selection::BranchSet set = compiled(text, [&] { return selection::Expression(text).evaluate(table); });
  fuzz::require(set.rows() == table.rows(), "a set of another table");
  if (!set.isEmpty())
    fuzz::whenAccepted([&] {
      fuzz::require(selection::Expression(selection::expressionOf(table, set)).evaluate(table) == set,
                    "an expression of other rows");
    });
}

/// What is chosen is what a walk over the rows finds.
void selectOfNetwork(std::string_view text, selection::SetKind kind)
{
  static const selection::NetworkTable table = makeNetwork();
  const selection::Expression expression =
      compiled(text, [&] { return selection::Expression(text, selection::vocabularyOf(kind)); });

  std::vector<bool> isEnd(table.neurons(), false);
  std::size_t selected = 0;
  double weight = 0;
  expression.visitRows(*selection::rowsOf(table, kind), [&](std::size_t row) {
    ++selected;
    if (kind == selection::SetKind::Neurons) {
      isEnd[row] = true;
      return;
    }
    const auto source = std::ranges::upper_bound(table.offsets, row) - table.offsets.begin() - 1;
    isEnd[table.firstSource + static_cast<std::size_t>(source)] = true;
    isEnd[table.firstTarget + table.target[row]] = true;
    weight += table.weight(row);
  });

  const auto ends = static_cast<std::size_t>(std::ranges::count(isEnd, true));
  constexpr std::size_t kMost = 4;
  const selection::NetworkChoice choice = selection::choose(table, kind, expression, kMost);
  fuzz::require(choice.all == (kind == selection::SetKind::Neurons ? table.neurons() : table.synapses()), "other rows");
  fuzz::require(choice.selected == selected && choice.weight == weight, "another choice");
  fuzz::require(choice.ends == ends && choice.neurons.size() == std::min(ends, kMost), "other neurons");
  fuzz::require(std::ranges::all_of(choice.neurons, [&](std::size_t neuron) { return isEnd[neuron]; }),
                "a neuron that is not chosen");
}

void readNumbers(std::string_view text)
{
  constexpr std::size_t kNumbers = 1000;
  const std::vector<std::size_t> numbers = selection::numbersOf(text, kNumbers);
  for (const std::size_t number : numbers)
    fuzz::require(number >= 1 && number <= kNumbers, "a number out of its range");
  fuzz::require(numbers.size() <= kNumbers, "more numbers than there are");
  std::size_t next = 0;
  for (const selection::NumberRange& range : selection::rangesOf(text, 0, kNumbers)) {
    fuzz::require(next <= range.first && range.first <= range.last && range.last <= kNumbers,
                  "a range out of its place");
    next = range.last + 1;
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  const std::string_view text = fuzz::textOf(bytes, size);
  fuzz::attempt([&] { readNumbers(text); });
  fuzz::attempt([&] { selectBranches(text); });
  fuzz::attempt([&] { selectOfNetwork(text, selection::SetKind::Neurons); });
  return fuzz::attempt([&] { selectOfNetwork(text, selection::SetKind::Synapses); });
}
