// What a selection costs in cells of 100,000 segments together: the table of branches, an expression, sets.

#include "cable/discretization.hpp"
#include "hines/batch.hpp"
#include "hines/branch/plan.hpp"
#include "morphology/branches.hpp"
#include "morphology/synthetic.hpp"
#include "selection/expression.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

using namespace hinesight;
using namespace hinesight::selection;

namespace {

constexpr std::size_t kSegments = 100'000;
constexpr int kRepetitions = 21;

/// Median of its times.
template <typename Work>
void time(const std::string& what, Work work)
{
  std::vector<double> milliseconds;
  for (int i = 0; i < kRepetitions; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    milliseconds.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  std::ranges::nth_element(milliseconds, milliseconds.begin() + kRepetitions / 2);
  std::cout << what << ": " << milliseconds[kRepetitions / 2] << " ms\n";
}

} // namespace

int main()
{
  std::vector<std::shared_ptr<const cable::Discretization>> cells;
  std::vector<std::shared_ptr<const cable::HinesSystem>> systems;
  std::vector<TabledCell> tabled;
  std::size_t segments = 0;
  for (morphology::SyntheticCellParameters parameters; segments < kSegments; ++parameters.seed) {
    const auto cell = morphology::makeSyntheticCell(parameters);
    segments += cell->samples();
    cells.push_back(
        cable::discretize(cell, std::make_shared<const morphology::BranchTree>(morphology::findBranches(*cell)), {}));
    systems.push_back(cells.back()->system);
    tabled.push_back({"cell " + std::to_string(cells.size()), cells.back().get()});
  }
  const auto batch = hines::makeBatchOfCells(systems, static_cast<std::int64_t>(systems.size()), 1);
  const auto plan = hines::makePlan(batch, {});
  BranchTable table;
  time("table", [&] { table = makeBranchTable(tabled, *plan); });
  const Expression expression("type == axon && pathDistance > 200 || order in {1, 2, 3} && cell != \"cell 1*\"");
  BranchSet set;
  time("compile",
       [] { Expression("type == axon && pathDistance > 200 || order in {1, 2, 3} && cell != \"cell 1*\""); });
  time("evaluate", [&] { set = expression.evaluate(table); });
  time("subtrees", [&] { set |= subtreesOf(table, set); });
  time("paths to the root", [&] { set |= pathsToRoot(table, set); });
  time("as an expression", [&] { (void)expressionOf(table, set); });
  std::cout << segments << " segments, " << table.rows() << " branches, " << set.count() << " selected\n";
}
