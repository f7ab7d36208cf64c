// The CPU's solvers against its floor: usage: bench_cpu_solvers [DIRECTORY [THREADS [REPEATS]]].
// Measures what this machine's memory and dividers can do, then times the interleaved solver beside the serial one,
// turn by turn: copies of one cell of 1,510 compartments (a synthetic tree), in batches that fit the caches and that do
// not, in double and single precision; and, where DIRECTORY is given, every SWC file of it that can be read and has up
// to 20,000 samples, each once and repeated.

#include "cable/discretization.hpp"
#include "cable/random_tree.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/stage_timings.hpp"
#include "hines/bench/benchmark.hpp"
#include "hines/prepared_solver.hpp"
#include "hines/solvers/interleaved/interleaved.hpp"
#include "hines/solvers/serial/serial.hpp"
#include "morphology/branches.hpp"
#include "morphology/swc.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace hinesight;
using hines::Precision;
using hines::SolverId;
using Systems = std::vector<std::shared_ptr<const cable::HinesSystem>>;

constexpr std::size_t kMostCompartments = 20'000;

/// Least of `repeats` times, ms.
template <typename Work>
double fastest(int repeats, Work work)
{
  double best = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const Stopwatch stopwatch;
    work();
    best = std::min(best, stopwatch.elapsed());
  }
  return best;
}

double medianOf(std::vector<double> values)
{
  return hinesight::spreadOf(std::move(values)).median;
}

/// Reads three arrays and writes a fourth, as a solve must. GB/s of what is read and written.
void printBandwidth(int repeats)
{
  constexpr std::size_t kCount = 16u << 20;
  const std::vector<double> a(kCount, 1);
  const std::vector<double> b(kCount, 2);
  const std::vector<double> c(kCount, 3);
  std::vector<double> x(kCount);
  const double milliseconds = fastest(repeats, [&] {
    for (std::size_t i = 0; i < kCount; ++i)
      x[i] = a[i] + b[i] * c[i];
  });
  const double bytes = 4.0 * kCount * sizeof(double);
  std::printf("memory, one thread: three arrays read and one written at %.1f GB/s: %.2f ns for the 32 bytes of a "
              "compartment\n",
              bytes / milliseconds * 1e-6, 32 / (bytes / milliseconds * 1e-6));
}

void printDivision(int repeats)
{
  constexpr std::size_t kCount = 1024;
  constexpr int kRounds = 1000;
  std::array<double, kCount> values{};
  values.fill(1.5);
  const double milliseconds = fastest(repeats, [&] {
    for (int round = 0; round < kRounds; ++round)
      for (double& value : values)
        value = 1.0 / value;
  });
  std::printf("division, in the vectors that this program is compiled for: %.2f ns each (%.1f)\n",
              milliseconds * 1e6 / (kRounds * kCount), values[0]);
}

/// One solver on one batch.
struct Contestant
{
  SolverId solver;
  Precision precision;
  int threads;
};

void compare(const std::string& what, const std::shared_ptr<const hines::HinesBatch>& batch, int threads, int repeats)
{
  std::vector<Contestant> contestants = {{hines::kSerial, Precision::Double, 1},
                                         {hines::kInterleaved, Precision::Double, 1},
                                         {hines::kInterleaved, Precision::Single, 1}};
  if (threads > 1)
    contestants.push_back({hines::kInterleaved, Precision::Double, threads});
  std::vector<std::unique_ptr<hines::PreparedSolver>> solvers;
  for (const Contestant& contestant : contestants) {
    hines::SolveParameters parameters;
    parameters.solver = contestant.solver;
    parameters.precision = contestant.precision;
    parameters.threads = contestant.threads;
    StageTimings timings;
    solvers.push_back(hines::prepare(batch, parameters, timings));
  }
  // Turn by turn, so that all see the same machine; the median says what is usual. Each solves once as it would in a
  // simulation, after a new right-hand side, and then as often as it takes to have its data in the caches, if they fit.
  std::vector<std::vector<double>> solve(solvers.size()), permute(solvers.size());
  for (int repeat = 0; repeat < repeats; ++repeat)
    for (std::size_t k = 0; k < solvers.size(); ++k) {
      solvers[k]->setRightHandSide(batch->b);
      permute[k].push_back(solvers[k]->solveOnce({}).permute);
      solvers[k]->solveOnce({});
      solve[k].push_back(solvers[k]->solveOnce({}).solve);
    }
  const auto compartments = static_cast<double>(batch->compartments());
  std::printf("%-34s %7zu cells %10zu compartments\n", what.c_str(), batch->cells(), batch->compartments());
  for (std::size_t k = 0; k < solvers.size(); ++k)
    std::printf(
        "    %-12s %-7s %2d threads %9.3f ms %7.2f ns a compartment %6.2f times serial, %7.2f ns to permute b\n",
        std::string(solverName(contestants[k].solver)).c_str(),
        std::string(precisionName(contestants[k].precision)).c_str(), contestants[k].threads, medianOf(solve[k]),
        medianOf(solve[k]) * 1e6 / compartments, medianOf(solve[0]) / medianOf(solve[k]),
        medianOf(permute[k]) * 1e6 / compartments);
}

Systems readCells(const std::string& directory)
{
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    if (entry.path().extension() == ".swc")
      files.push_back(entry.path());
  std::ranges::sort(files);
  Systems systems;
  for (const auto& file : files)
    try {
      const auto morphology = morphology::readSwc(file.string(), {}, {});
      auto branches = std::make_shared<const morphology::BranchTree>(morphology::findBranches(*morphology));
      const auto system = cable::discretize(morphology, branches, {}, {})->system;
      if (system->size() <= kMostCompartments)
        systems.push_back(system);
    } catch (const Error& error) {
      std::printf("left out: %s\n", error.what());
    }
  return systems;
}

} // namespace

int main(int count, char** arguments)
{
  try {
    const std::string directory = count > 1 ? arguments[1] : "";
    const int threads = count > 2 ? std::max(1, std::atoi(arguments[2])) : 2;
    const int repeats = count > 3 ? std::max(1, std::atoi(arguments[3])) : 20;
    std::printf("%s\n", processorName().c_str());
    printBandwidth(repeats);
    printDivision(repeats);

    const Systems tree = {cable::makeRandomTree({.levels = 8, .compartmentsPerBranch = 40}, 1)};
    for (const std::int64_t cells : {16, 64, 256, 1000, 3000})
      compare("copies of a tree of " + std::to_string(tree[0]->size()), hines::makeBatchOfCells(tree, cells), threads,
              repeats);
    const Systems chain = {cable::makeRandomTree({.levels = 1, .compartmentsPerBranch = 512}, 1)};
    for (const std::int64_t cells : {64, 8192})
      compare("copies of a chain of " + std::to_string(chain[0]->size()), hines::makeBatchOfCells(chain, cells),
              threads, repeats);
    if (!directory.empty()) {
      const Systems cells = readCells(directory);
      for (const std::int64_t copies : {1, 2, 4, 10, 20})
        compare("real cells, " + std::to_string(copies) + " of each", hines::makeBatch(cells, copies), threads,
                repeats);
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
