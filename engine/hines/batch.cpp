#include "hines/batch.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/philox.hpp"
#include "hines/excess.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace hinesight::hines {

namespace {

/// Cells' voltages are drawn from this far around the first copy's, mV.
constexpr double kVoltageSpread = 10;

/// Values that are appended at once: they stay in the nearest cache between being made and being set.
constexpr std::size_t kPiece = 1 << 12;

constexpr std::size_t kMax = std::numeric_limits<std::size_t>::max();

using Systems = std::vector<std::shared_ptr<const HinesSystem>>;

/// a * b + c, or the greatest number where that is more.
std::size_t saturatingMultiplyAdd(std::size_t a, std::size_t b, std::size_t c)
{
  if (b != 0 && a > (kMax - c) / b)
    return kMax;
  return a * b + c;
}

void requireSystems(const Systems& systems)
{
  if (systems.empty())
    throw Error(ErrorCode::BadParameter, "A batch needs at least one cell; open one first.");
  if (systems.size() > std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorCode::BadParameter, "A batch can be made of at most 4294967295 distinct cells.");
  for (const auto& system : systems) {
    if (!system || system->size() == 0)
      throw Error(ErrorCode::BadParameter, "A cell of the batch has no compartments; leave it out.");
    cable::validate(*system);
  }
}

/// Compartments of the first `count` systems.
std::size_t countCompartments(const Systems& systems, std::size_t count)
{
  std::size_t compartments = 0;
  for (std::size_t i = 0; i < count; ++i)
    compartments += systems[i]->size();
  return compartments;
}

void requireRoom(const Systems& systems, std::size_t cells)
{
  constexpr std::size_t kBytesPerCompartment = 4 * sizeof(double);
  constexpr std::size_t kBytesPerCell = sizeof(std::uint32_t) + sizeof(std::size_t);
  const std::size_t round = countCompartments(systems, systems.size());
  const std::size_t lastRound = countCompartments(systems, cells % systems.size());
  const std::size_t compartments = saturatingMultiplyAdd(cells / systems.size(), round, lastRound);
  const std::size_t bytes = saturatingMultiplyAdd(compartments, kBytesPerCompartment, round * sizeof(double));
  requireMemory(saturatingMultiplyAdd(cells, kBytesPerCell, bytes),
                "A batch of " + std::to_string(cells) + " cells, copies of " + std::to_string(systems.size()) +
                    " with " + std::to_string(round) + " compartments together,");
}

/// Finds the systems that share a parent array. Two arrays that agree in their hash are compared.
void findShapes(const Systems& systems, HinesBatch& batch, std::vector<std::uint32_t>& shapeOfSystem,
                const RunControl& control)
{
  std::unordered_multimap<std::size_t, std::uint32_t> shapeOfHash;
  for (const auto& system : systems) {
    control.checkpoint();
    const auto& parent = system->parent;
    const std::size_t hash = std::hash<std::string_view>{}(
        {reinterpret_cast<const char*>(parent.data()), parent.size() * sizeof(parent[0])});
    const auto [first, last] = shapeOfHash.equal_range(hash);
    const auto known = std::find_if(first, last, [&](const auto& entry) {
      const HinesSystem& shape = *batch.shapes[entry.second];
      return &shape == system.get() || shape.parent == parent;
    });
    if (known != last) {
      shapeOfSystem.push_back(known->second);
      continue;
    }
    const auto shape = static_cast<std::uint32_t>(batch.shapes.size());
    batch.shapes.push_back(system);
    shapeOfHash.emplace(hash, shape);
    shapeOfSystem.push_back(shape);
  }
}

/// How far the batch is filled, told from all threads that fill it.
struct Filling
{
  const RunControl& control;
  std::size_t all = 0; ///< values to come
  std::atomic<std::size_t> done{0};

  void add(std::size_t count)
  {
    const std::size_t sum = done.fetch_add(count, std::memory_order_relaxed) + count;
    control.report("batch", static_cast<double>(sum) / static_cast<double>(all));
  }
};

/// Where the next `count` values go.
double* extend(std::vector<double>& values, std::size_t count)
{
  values.resize(values.size() + count);
  return values.data() + values.size() - count;
}

/// Appends piece by piece: each page of a large batch is touched once, and cancelling need not wait for a large cell.
/// `value(i)` is the value of compartment i of `count`.
template <typename Value>
void append(std::vector<double>& to, std::size_t count, Filling& filling, Value value)
{
  for (std::size_t begin = 0; begin < count; begin += kPiece) {
    const std::size_t end = std::min(count, begin + kPiece);
    double* const target = extend(to, end - begin);
    for (std::size_t i = begin; i < end; ++i)
      target[i - begin] = value(i);
    filling.add(end - begin);
  }
}

/// One kind of values of every system.
using ValuesOfSystems = std::vector<std::span<const double>>;

ValuesOfSystems valuesOf(const Systems& systems, std::vector<double> HinesSystem::*values)
{
  ValuesOfSystems result;
  result.reserve(systems.size());
  for (const auto& system : systems)
    result.emplace_back((*system).*values);
  return result;
}

void copyValues(std::vector<double>& to, const ValuesOfSystems& values, std::size_t cells, Filling& filling)
{
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const std::span<const double> from = values[cell % values.size()];
    append(to, from.size(), filling, [&](std::size_t i) { return from[i]; });
  }
}

std::vector<std::vector<double>> excessOf(const Systems& systems, const RunControl& control)
{
  std::vector<std::vector<double>> excess(systems.size());
  parallelFor(systems.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      control.checkpoint();
      excess[s] = diagonalExcess(*systems[s]);
    }
  });
  return excess;
}

/// The excess of the diagonal is the current, per mV, that moves every voltage by the same amount.
void perturbValues(std::vector<double>& to, const Systems& systems, const std::vector<std::vector<double>>& excess,
                   std::size_t cells, std::uint64_t seed, Filling& filling)
{
  copyValues(to, valuesOf(systems, &HinesSystem::b), systems.size(), filling);
  for (std::size_t cell = systems.size(); cell < cells; ++cell) {
    const std::size_t s = cell % systems.size();
    const double shift = kVoltageSpread * (2 * randomUniform(seed, cell, 0, 0) - 1);
    append(to, systems[s]->size(), filling, [&](std::size_t i) { return systems[s]->b[i] + shift * excess[s][i]; });
  }
}

/// Makes a batch of systems that were checked.
std::shared_ptr<const HinesBatch> fillBatch(const Systems& systems, std::size_t cells, std::uint64_t seed,
                                            const RunControl& control)
{
  requireRoom(systems, cells);

  auto batch = std::make_shared<HinesBatch>();
  std::vector<std::uint32_t> shapeOfSystem;
  findShapes(systems, *batch, shapeOfSystem, control);

  batch->shapeOf.reserve(cells);
  batch->offset.reserve(cells + 1);
  batch->offset.push_back(0);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    if (cell % kPiece == 0)
      control.checkpoint();
    batch->shapeOf.push_back(shapeOfSystem[cell % systems.size()]);
    batch->offset.push_back(batch->offset.back() + systems[cell % systems.size()]->size());
  }

  const std::vector<std::vector<double>> excess = excessOf(systems, control);
  Filling filling{control, 4 * batch->compartments()};
  const std::array<std::function<void()>, 4> fills = {
      [&] { copyValues(batch->d, valuesOf(systems, &HinesSystem::d), cells, filling); },
      [&] { copyValues(batch->u, valuesOf(systems, &HinesSystem::u), cells, filling); },
      [&] {
        copyValues(batch->excess, {excess.begin(), excess.end()}, cells, filling);
      },
      [&] { perturbValues(batch->b, systems, excess, cells, seed, filling); },
  };
  for (std::vector<double>* values : {&batch->d, &batch->u, &batch->b, &batch->excess})
    values->reserve(batch->compartments());
  parallelFor(fills.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      fills[i]();
  });
  return batch;
}

} // namespace

std::shared_ptr<const HinesBatch> makeBatch(const Systems& systems, std::int64_t copies, std::uint64_t seed,
                                            const RunControl& control)
{
  requireSystems(systems);
  if (copies < 1)
    throw Error(ErrorCode::BadParameter,
                "The number of copies is " + std::to_string(copies) + "; it must be at least 1.");
  return fillBatch(systems, saturatingMultiplyAdd(systems.size(), static_cast<std::size_t>(copies), 0), seed, control);
}

std::shared_ptr<const HinesBatch> makeBatchOfCells(const Systems& systems, std::int64_t cells, std::uint64_t seed,
                                                   const RunControl& control)
{
  requireSystems(systems);
  if (cells < static_cast<std::int64_t>(systems.size()))
    throw Error(ErrorCode::BadParameter, "The number of cells is " + std::to_string(cells) + "; it must be at least " +
                                             std::to_string(systems.size()) + ", one of each cell given.");
  return fillBatch(systems, static_cast<std::size_t>(cells), seed, control);
}

} // namespace hinesight::hines
