#pragma once

#include "core/run_control.hpp"
#include "projection/weight_table.hpp"

#include <cstdint>
#include <memory>

namespace hinesight::projection {

/// The memory of the last table that nobody holds any more, for the table after it. Pages that were never touched cost
/// more than the rows that are written to them (on virtual machines several times as much), so whoever makes one table
/// after another, such as a window while a slider is dragged, makes them in here. Thread-safe; tables may outlive it.
class TableMemory
{
public:
  TableMemory();

  /// A table whose arrays have room for so many rows, their values not set; everything else as default-constructed. Its
  /// memory comes back in here when its last owner lets go of it. Throws Error(OutOfMemory).
  std::shared_ptr<WeightTable> makeTable(std::uint64_t rows, bool hasDelays);

  /// Has memory for a table like this one, and one a quarter larger, ready before it is asked for: with its pages
  /// there, and in main memory. To be called while nothing else is to be done; does nothing where it would take more
  /// than an eighth of the memory that is free. Throws Error(Cancelled); what was ready by then stays.
  void makeReady(const WeightTable& table, int threads, const RunControl& control);

  /// Of the memory that waits for a table.
  std::uint64_t bytesKept() const;

private:
  class Shelf;
  std::shared_ptr<Shelf> shelf;
};

} // namespace hinesight::projection
