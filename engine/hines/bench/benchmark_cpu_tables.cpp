#include "hines/bench/benchmark_table_groups.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::hines::tables {

namespace {

/// Every solver with one thread and, where it uses more, with all; batches that fit the caches and that do not.
Cases cpuTable(const BenchmarkScope& wanted)
{
  BenchmarkScope scope = wanted;
  if (scope.backend != Backend::Cpu) {
    std::erase_if(scope.solvers, [](SolverId solver) { return !traitsOf(solver).onCpu; });
    scope.backend = Backend::Cpu;
  }
  Cases cases;
  for (const Source& source : {copied(scope), mixed(scope)})
    for (const std::int64_t cells : cellsOf(scope, {16, 128, 1'024, 4'096}, {16, 64}))
      for (BenchmarkCase& one : casesOfBatch("cpu", source, cells, scope)) {
        one.solve.threads = 1;
        const std::string label = one.label;
        const bool usesThreads = traitsOf(one.solve.solver).usesThreads;
        if (usesThreads)
          one.label += ", 1 thread";
        cases.push_back(one);
        if (usesThreads) {
          one.label = label;
          cases.push_back(std::move(one));
        }
      }
  return cases;
}

constexpr std::array kTables = {
    TableMaker{{"cpu", "CPU solvers with one thread and with all, copies and mixed cells"}, cpuTable},
};

} // namespace

std::span<const TableMaker> cpuTables()
{
  return kTables;
}

} // namespace hinesight::hines::tables
