#include "projection/table_memory.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/pages.hpp"

#include <mutex>
#include <new>
#include <string>
#include <utility>

namespace hinesight::projection {

namespace {

constexpr std::uint64_t kSlackShare = 4;   ///< room for a quarter more rows, which costs no page yet
constexpr std::uint64_t kMostTooLarge = 4; ///< memory for more than so many times the rows is given back
constexpr std::size_t kAlwaysKept = std::size_t{64} << 20; ///< bytes of an array that are never too large
constexpr std::uint64_t kShareOfFree = 8;                  ///< of the free memory, what is made ready at most

struct Arrays
{
  HostArray<std::uint32_t> destination;
  HostArray<float> weight;
  HostArray<float> delay;

  std::uint64_t bytes() const
  {
    return destination.capacity() * sizeof(std::uint32_t) + (weight.capacity() + delay.capacity()) * sizeof(float);
  }
};

std::uint64_t withSlack(std::uint64_t rows)
{
  return rows + rows / kSlackShare;
}

template <typename T>
bool fits(const HostArray<T>& array, std::uint64_t rows)
{
  return array.capacity() >= rows &&
         (array.capacity() <= kMostTooLarge * rows || array.capacity() * sizeof(T) <= kAlwaysKept);
}

/// Gives an array so many rows, in the memory that it has where that will do.
template <typename T>
void fit(HostArray<T>& array, std::uint64_t rows)
{
  if (!fits(array, rows)) {
    array = {}; // first, so that both are never held at once
    array = HostArray<T>(0, withSlack(rows));
  }
  array.resize(rows);
}

template <typename T>
void makePagesOf(HostArray<T>& array, int threads, const RunControl& control)
{
  makePages(array.data(), array.capacity() * sizeof(T), threads, control);
}

} // namespace

class TableMemory::Shelf
{
public:
  Arrays take()
  {
    const std::lock_guard lock(mutex);
    return std::exchange(arrays, {});
  }

  /// Keeps the larger of what is there and what comes.
  void put(Arrays&& other)
  {
    const std::lock_guard lock(mutex);
    if (other.bytes() > arrays.bytes())
      std::swap(arrays, other); // the smaller one is freed by the caller, without the lock
  }

  std::uint64_t bytes() const
  {
    const std::lock_guard lock(mutex);
    return arrays.bytes();
  }

private:
  mutable std::mutex mutex;
  Arrays arrays;
};

TableMemory::TableMemory() : shelf(std::make_shared<Shelf>()) {}

std::uint64_t TableMemory::bytesKept() const
{
  return shelf->bytes();
}

std::shared_ptr<WeightTable> TableMemory::makeTable(std::uint64_t rows, bool hasDelays)
{
  Arrays arrays = shelf->take();
  if (!hasDelays)
    arrays.delay = {};
  if (!fits(arrays.destination, rows)) {
    arrays = {};
    requireMemory(rows * bytesOfRow(hasDelays), "The table of " + std::to_string(rows) + " rows");
  }
  fit(arrays.destination, rows);
  fit(arrays.weight, rows);
  if (hasDelays)
    fit(arrays.delay, rows);
  const auto giveBack = [kept = std::weak_ptr(shelf)](WeightTable* table) {
    if (const auto there = kept.lock())
      there->put({std::move(table->destination), std::move(table->weight), std::move(table->delay)});
    delete table;
  };
  std::shared_ptr<WeightTable> table(new WeightTable, giveBack);
  table->destination = std::move(arrays.destination);
  table->weight = std::move(arrays.weight);
  table->delay = std::move(arrays.delay);
  return table;
}

void TableMemory::makeReady(const WeightTable& table, int threads, const RunControl& control)
{
  const std::uint64_t rows = withSlack(table.rows());
  const std::uint64_t delays = withSlack(table.delay.size());
  Arrays arrays = shelf->take();
  if (arrays.destination.capacity() < table.rows() || arrays.delay.capacity() < table.delay.size()) {
    arrays = {};
    const std::uint64_t bytes = rows * (sizeof(std::uint32_t) + sizeof(float)) + delays * sizeof(float);
    if (bytes > availableMemoryBytes() / kShareOfFree)
      return;
    arrays = {HostArray<std::uint32_t>(0, rows), HostArray<float>(0, rows), HostArray<float>(0, delays)};
  }
  try {
    makePagesOf(arrays.destination, threads, control);
    makePagesOf(arrays.weight, threads, control);
    makePagesOf(arrays.delay, threads, control);
  } catch (const Error&) {
    shelf->put(std::move(arrays));
    throw;
  }
  shelf->put(std::move(arrays));
}

} // namespace hinesight::projection
